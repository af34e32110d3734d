"""Results: channels by name, units, digits, events and the verdict."""
import csv
import html
import json
import os
from collections import namedtuple

from . import _core
from ._arguments import all_in_words, in_words, texts
from .pictures import Picture


Event = namedtuple("Event", "time kind what")
Reaction = namedtuple("Reaction", "channel unit unique largest at")
Extreme = namedtuple("Extreme", "channel unit least least_at greatest greatest_at")
Contact = namedtuple("Contact", "contact onset end speed_in speed_out peak_force peak_at deepest energy_lost")


class _Digits(dict):
    """Digits that stay, by channel."""

    def __init__(self, values, why):
        super().__init__(values)
        self.why = why

    def __missing__(self, channel):
        raise KeyError(f"no digits are known of '{channel}'" + (f": {self.why}" if self.why else ""))


@all_in_words
class Results:
    """What a run computed.  `r["rod.angle"]` is a channel as an array of numpy, which shares the memory of the results;
    `r.time` are the times, `r.units` the units.  In a notebook the report shows the mechanism moving.
    """

    def __init__(self, core, stored_accuracy=()):
        self._core = core
        self._stored_accuracy = list(stored_accuracy)  # channel, digits and error, as a folder states them
        self._places, self._units, self._arrays = {}, {}, {}
        for table, (name, columns) in enumerate(core.tables()):
            for column, (channel, unit) in enumerate(columns):
                if channel not in self._places:
                    self._places[channel] = (table, column)
                    self._units[channel] = unit

    def __getitem__(self, channel):
        array = self._arrays.get(channel)
        if array is None:
            place = self._places.get(channel)
            if place is None:
                raise KeyError(self._unknown(channel))
            array = self._arrays[channel] = self._core.column(*place)
        return array

    def _unknown(self, channel):
        import difflib
        near = difflib.get_close_matches(str(channel), self._places, 1)
        return f"there is no channel '{channel}'" + (f"; did you mean '{near[0]}'?" if near else "")

    def __contains__(self, channel):
        return channel in self._places

    def __iter__(self):
        return iter(self._places)

    def __len__(self):
        return len(self._places)

    def keys(self):
        """The names of all channels."""
        return self._places.keys()

    @property
    def time(self):
        """The times of the rows [s]."""
        return self["time"]

    @property
    def channels(self):
        """The names of all channels."""
        return list(self._places)

    @property
    def units(self):
        """The units of all channels by their names."""
        return self._units

    @property
    def tables(self):
        """The tables by their names, each an array of rows; `columns(name)` names its columns."""
        return {name: self._core.rows(k) for k, (name, _) in enumerate(self._core.tables())}

    def columns(self, table):
        """The names of the columns of a table."""
        for name, columns in self._core.tables():
            if name == table:
                return [column for column, _ in columns]
        raise KeyError(f"there is no table '{table}'")

    @property
    def verdict(self):
        """In words: whether the results can be trusted, and if not, why."""
        return self._core.verdict

    @property
    def trusted(self):
        """Whether the results are as accurate as was asked for."""
        return self._core.trusted

    @property
    def outcome(self):
        """How the run ended, in a word: "reached end"."""
        return self.summary["outcome"]["word"]

    @property
    def remarks(self):
        """What a user should know about the model and the run."""
        return self._core.remarks

    @property
    def digits(self):
        """The decimal digits of each channel that stay, estimated by a second, coarser motion."""
        return self._accuracy(1)

    def _accuracy(self, column):
        rows = self._core.accuracy() or self._stored_accuracy
        return _Digits({row[0]: row[column] for row in rows}, self._core.accuracy_missing())

    @property
    def errors(self):
        """The estimated largest error of each channel, in its unit."""
        return self._accuracy(2)

    @property
    def events(self):
        """What happened: time [s], kind and words of each, such as dead points and singular positions."""
        return [Event(*event) for event in self._core.events()]

    @property
    def reactions(self):
        """The components of joint reactions: whether they are unique, their largest values and the times of these."""
        unique = ("no", "yes", "unknown")
        return [Reaction(channel, unit, unique[k], *rest)
                for channel, unit, k, *rest in self._core.lists()["reactions"]]

    @property
    def extremes(self):
        """The least and the greatest value of every channel over all steps, with their times [s]."""
        return [Extreme(*row) for row in self._core.lists()["extremes"]]

    @property
    def contacts(self):
        """Every contact from touch to separation, in SI units; `end` is None if it lasts."""
        return [Contact(*row) for row in self._core.lists()["contacts"]]

    @property
    def summary(self):
        """The content of summary.json: outcome, verdict, statistics, freedom and more."""
        return json.loads(self._core.summary_text())

    # Showing ---------------------------------------------------------------------------------------------------------

    def plot(self, *channels, axes=None, **style):
        """Draws channels over time with matplotlib: one pair of axes for each unit, with names and units."""
        from .plot import plot
        return plot(self, channels, axes, style)

    def frame(self, *channels):
        """The channels as a DataFrame of pandas over time; all channels of the tables over time if none is named."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("frame() needs pandas (Debian: python3-pandas); r['...'] gives arrays without it",
                              name="pandas") from error
        chosen = channels or [name for name in self if name != "time" and len(self[name]) == len(self.time)]
        return pandas.DataFrame({name: self[name] for name in chosen}, index=pandas.Index(self.time, name="time"))

    def picture(self, time=None, *, strobe=None, trace=(), view="", size=(800, 560), labels=None, exaggerate=1):
        """The mechanism at a time [s] as SVG, or at `strobe` instants from the first to the last; `trace` names points,
        joints or bodies whose paths are drawn, and `view` is "iso", "xy", "xz", "yz" or "azimuth,elevation"."""
        times = [] if time is None else [float(time)]
        if strobe:
            first, last = float(self.time[0]), float(self.time[-1])
            times = [first + (last - first) * k / max(1, strobe - 1) for k in range(strobe)]
        return Picture(_core.draw(self._core, times, texts(trace, "trace"), view, tuple(size), labels, float(exaggerate)))

    def animation(self, path):
        """Writes the motion to a file of glTF, .glb, which viewers of 3D models play."""
        with open(path, "wb") as file:
            file.write(_core.animation(self._core))

    def svg(self, *channels, phase=False, width=800):
        """Channels over time as SVG, or with phase=True the second over the first; needs nothing but this package."""
        return Picture(_core.plot(self._core, list(channels), phase, width))

    @property
    def state_space(self):
        """The matrices A, B, C and D of the analysis "modes".  Outputs are the channels that [output] asks for, as in
        model.modes(inputs=["motor"], output={"channels": ["rod.angle"]}); without any, C and D have no rows."""
        import numpy
        tables = self.tables
        if "A" not in tables:
            raise KeyError("these results have no state space; model.modes() makes one")
        A, B = tables["A"], tables["B"]
        none = numpy.zeros((0, A.shape[1])), numpy.zeros((0, B.shape[1]))
        return A, B, tables.get("C", none[0]), tables.get("D", none[1])

    def scipy(self):
        """The state space as a scipy.signal.StateSpace."""
        import scipy.signal
        return scipy.signal.StateSpace(*self.state_space)

    def report(self, path=None):
        """The report as a page: written to a file, or returned as text."""
        page = self._core.page()
        if path is None:
            return page
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
        return None

    def _repr_html_(self):
        page = html.escape(self._core.page(), quote=True)
        return (f'<iframe srcdoc="{page}" style="width: 100%; height: 640px; border: 0" '
                f'title="{html.escape(self._core.model, quote=True)}"></iframe>')

    def __repr__(self):
        rows = len(self.time) if "time" in self else 0
        return (f"<mubody.Results of '{self._core.model}': {self._core.analysis} analysis, {len(self)} channels, "
                f"{rows} rows; {self.verdict}>")

    # Files -----------------------------------------------------------------------------------------------------------

    def save(self, path, *, report=False, force=False):
        """Writes the results: to a folder as `mubody run` does, with a report on request, or to a file that ends with
        .npz or, with pyarrow, .arrow.  Files of an earlier run are replaced, others only with `force`."""
        path = os.fspath(path)
        if path.endswith(".npz"):
            save_npz(self, path)
        elif path.endswith(".arrow"):
            from .arrow import save_arrow
            save_arrow(self, path)
        else:
            self._core.write(path, report, force)

    def __reduce__(self):
        return (restored, (self._core.state(), self._stored_accuracy))

    def __copy__(self):
        return self  # it does not change

    def __deepcopy__(self, memo):
        return self


def restored(state, stored_accuracy=()):
    return Results(_core.Results.of_state(state), stored_accuracy)


def save_npz(results, path):
    """One array for each table; names, units and the summary as JSON in `about`."""
    import numpy
    state = results._core.state()
    tables = state.pop("tables")
    state["tables"] = [[name, columns, units] for name, columns, units, _ in tables]
    arrays = {f"table_{name}": rows for name, _, _, rows in tables}
    numpy.savez_compressed(path, about=numpy.array(json.dumps(state)), **arrays)


def load_npz(path):
    import numpy
    _check_sizes(path)
    with numpy.load(path, allow_pickle=False) as file:
        try:
            state = json.loads(str(file["about"]))
            state["tables"] = [(name, columns, units, file[f"table_{name}"])
                               for name, columns, units in state["tables"]]
        except (KeyError, ValueError, TypeError) as error:
            raise ValueError(f"{path}: these are no results of mubody") from error
    return restored(state)


def _check_sizes(path):
    """A small file may hold zeros without end; sizes are as of tables and summaries in folders."""
    import zipfile
    try:
        with zipfile.ZipFile(path) as file:
            for member in file.infolist():
                most = 64 if member.filename == "about.npy" else 1024
                if member.file_size > most * 10 ** 6:
                    raise ValueError(f"{path}: '{member.filename}' is larger than {most} MB")
    except zipfile.BadZipFile as error:
        raise ValueError(f"{path}: this is no file of numpy, .npz") from error


@in_words
def load(path, *, untrusted=False):
    """Results that were saved: a folder of results, or a file that ends with .npz or .arrow.  Of those that come from a
    stranger, `untrusted`, no link and no name of a file leads out of their folder."""
    path = os.fspath(path)
    untrusted = bool(untrusted)
    if not path.endswith((".npz", ".arrow")):
        return Results(_core.Results.load(path, untrusted), _accuracy_in(path, untrusted))
    from .arrow import load_arrow
    results = (load_npz if path.endswith(".npz") else load_arrow)(path)
    if untrusted:
        # Data of the model, which pictures need, are looked for beside this file, wherever the other one was.
        name = os.path.basename(results._core.file) or "model.toml"
        results._core.distrust(os.path.join(os.path.dirname(os.path.abspath(path)), name))
    return results


def _accuracy_in(folder, untrusted):
    """Channel, digits and error of each row; none if there is no such file."""
    file = os.path.join(folder, "accuracy.csv")
    if not os.path.isfile(file):
        return []
    if untrusted and os.path.dirname(os.path.realpath(file)) != os.path.realpath(folder):
        raise ValueError(f"{file}: this is a link that leads out of the folder, which is not followed")
    if os.path.getsize(file) > 64 * 10 ** 6:
        raise ValueError(f"{file}: this is larger than 64 MB")
    try:
        with open(file, encoding="utf-8", newline="") as rows:
            return [(row["channel"], float(row["digits[1]"]), float(row["error"])) for row in csv.DictReader(rows)]
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(f"{file}: expected rows of channel, digits and error") from error
