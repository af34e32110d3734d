"""Plots of channels with matplotlib."""


def plot(results, channels, axes=None, style=None):
    """One pair of axes below another for each unit; returns them, or a picture where there is no matplotlib."""
    if not channels:
        raise TypeError("name the channels to plot, as in r.plot('rod.angle')")
    units = {}
    for channel in channels:
        results[channel]  # a name that is not there is told before a figure is made
        units.setdefault(results.units[channel], []).append(channel)
    if axes is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            return results.svg(*channels)  # a picture that needs nothing else
        _, axes = pyplot.subplots(len(units), 1, sharex=True, squeeze=False, layout="constrained")
        axes = list(axes[:, 0])
    else:
        axes = list(axes) if hasattr(axes, "__iter__") else [axes] * len(units)
        if len(axes) < len(units):
            raise ValueError(f"these channels have {len(units)} units, and there are {len(axes)} axes")
    for pair, (unit, names) in zip(axes, units.items()):
        for name in names:
            pair.plot(results.time, results[name], label=name, **(style or {}))
        pair.set_ylabel(f"{names[0]} [{unit}]" if len(names) == 1 else f"[{unit}]")
        if len(names) > 1:
            pair.legend()
        pair.grid(True, alpha=0.3)
    axes[-1].set_xlabel("time [s]")
    return axes[0] if len(axes) == 1 else axes
