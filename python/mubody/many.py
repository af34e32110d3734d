"""Many runs of one model: sweeps on all cores, and batches of simulations that are advanced together."""
from . import _core
from ._arguments import all_in_words, in_words, texts
from .errors import Interrupted


class Sweep:
    """The rows of a sweep, one for each point: `rows` is a structured array of numpy with the varied numbers, what was
    kept of each run, `violation`, `energy_residual` and `outcome`; `messages` say why points failed."""

    def __init__(self, table, varied):
        import numpy
        names = [*varied, *(_plain_name(header) for header in table["kept"])]
        fields = [(name, float) for name in names]
        fields += [("violation", float), ("energy_residual", float), ("outcome", "U8")]
        self.rows = numpy.empty(len(table["index"]), fields)
        for k, name in enumerate(names):
            self.rows[name] = table["values"][:, k] if k < len(varied) else table["results"][:, k - len(varied)]
        for name in ("violation", "energy_residual", "outcome"):
            self.rows[name] = table[name]
        self.varied, self.kept = names[:len(varied)], names[len(varied):]
        self.units = {name: _unit(header) for name, header in zip(names, table["varied"] + table["kept"])}
        self.index = numpy.array(table["index"])
        self.messages = table["message"]

    def __getitem__(self, name):
        return self.rows[name]

    def __len__(self):
        return len(self.rows)

    def frame(self):
        """The rows as a DataFrame of pandas."""
        import pandas
        return pandas.DataFrame(self.rows, index=self.index)

    def __repr__(self):
        good = int((self.rows["outcome"] == "good").sum())
        return f"<mubody.Sweep of {len(self)} points, {good} good: {', '.join(self.varied)} -> {', '.join(self.kept)}>"


def _plain_name(header):
    return header.split("[")[0]


def _unit(header):
    return header.split("[", 1)[1][:-1] if "[" in header else ""


@in_words
def sweep(model, vary, keep=(), *, together=False, sample=None, points=0, seed=1, threads=0, lanes=True):
    """Runs a model for many values of its numbers, on all cores.

    `vary` is a dictionary from keys, such as "bodies.rod.mass" or the name of a parameter, to values: arrays, whose
    combinations are run (with together=True the first values of all, then the second ones, and so on), or texts as on
    the command line, "0.5:2:10", "normal(1, 0.1)".  `sample` is "lhs" or "random", for so many `points`.

    `keep` lists what is kept of each run: "rod.angle", the last value; "rod.angle@2", the value at a time [s];
    "max(rod.omega)" and "min(rod.omega)".  `threads` is the number of cores; 0 takes all.
    """
    import numpy
    values = {str(key): value if isinstance(value, str) else numpy.atleast_1d(numpy.asarray(value, float)).tolist()
              for key, value in vary.items()}
    if sample not in (None, "grid", "lhs", "random"):
        raise ValueError(f"sample is \"lhs\" or \"random\", got {sample!r}")
    table, exception = _core.sweep(model._document, values, [keep] if isinstance(keep, str) else texts(keep, "keep"),
                                   bool(together), sample or "grid", int(points), int(seed), int(threads), bool(lanes))
    found = Sweep(table, list(values))
    if isinstance(exception, KeyboardInterrupt):
        raise Interrupted(f"stopped by the user after {len(found)} points", found) from exception
    if exception is not None:
        raise exception
    return found


_WHY = ["", "a number is not finite: the step may be too long", "a variable has left the range of its table"]


@all_in_words
class Batch:
    """Simulations of one model that are advanced together: arrays in, arrays out.

    >>> batch = Batch(model, 64, inputs=["motor"], outputs=["rod.angle", "rod.omega"])
    >>> y = batch.advance(1e-3, u)          # u: 64 x 1, y: 64 x 2

    A simulation that fails is marked in `failed`, `messages` says why, and its outputs are NaN until it is reset.  Ctrl-C
    raises Interrupted and leaves each where it has come to; they may go on.

    With device="cuda", or "cuda:1", they are run by a graphics processor, by rk4 with `step` seconds at most (1e-3): inputs may be
    arrays of CuPy, PyTorch or JAX there, and outputs are taken over by these without a copy (`cupy.asarray(y)`,
    `torch.as_tensor(y, device="cuda")`, `jax.dlpack.from_dlpack(y)`); they change with the next step.  device="compiled" runs
    the same code on a core of this machine, with arrays of numpy.
    """

    def __init__(self, model, count, *, inputs=None, outputs=None, threads=1, changes=None, device=None, **options):
        step = options.pop("step", 1e-3) if device is not None else None
        first = model.simulation(changes=changes, **options)
        inputs = first.inputs if inputs is None else texts(inputs, "inputs")
        outputs = list(first.outputs) if outputs is None else texts(outputs, "outputs")
        self._device = device
        if device is None:
            self._core = _core.Batch(first._core, int(count), inputs, outputs, int(threads))
            return
        self._inputs = inputs
        self._core = _core.DeviceBatch(model._document, model._settings(None, options, None, changes), int(count), inputs,
                                       outputs, str(device), float(step))

    def advance(self, dt, u=None):
        """Sets the inputs, if there are any, goes on by dt [s], and gives the outputs."""
        if self._device is not None:
            return self._core.advance(dt, u)
        try:
            return self._core.advance(dt, u)
        except KeyboardInterrupt as pressed:
            raise Interrupted("stopped by the user", self.outputs) from pressed

    def reset(self, which=None):
        """Takes simulations back to the start: all, those of some numbers, or those that a mask of booleans marks."""
        import numpy
        if self._device is not None and (which is None or hasattr(which, "__cuda_array_interface__")):
            return self._core.reset(which)
        which = numpy.arange(len(self)) if which is None else numpy.asarray(which)
        if which.dtype == bool:
            if which.shape != (len(self),):
                raise ValueError(f"a mask has {len(self)} entries")
            which = numpy.flatnonzero(which)
        self._core.reset([int(k) for k in numpy.atleast_1d(which)])

    @property
    def outputs(self):
        """The outputs of the present states."""
        return self._core.outputs()

    def wait(self):
        """Waits for what a graphics processor has still to do."""
        if self._device is not None:
            self._core.wait()

    @property
    def time(self):
        """The times of all simulations [s]."""
        import numpy
        return numpy.array(self._core.times)

    @property
    def failed(self):
        """Which simulations have failed."""
        import numpy
        if self._device is not None:
            return numpy.array(self._core.codes) != 0
        return numpy.array(self._core.failed)

    @property
    def messages(self):
        """Why simulations have failed; empty texts for those that have not."""
        if self._device is not None:
            return [_WHY[code] for code in self._core.codes]
        return self._core.messages

    @property
    def input_names(self):
        """The names of the columns of inputs."""
        return self._inputs if self._device is not None else self._core.input_names

    @property
    def output_names(self):
        """The names of the columns of outputs."""
        return self._core.output_names

    def __len__(self):
        return len(self._core)

    def __repr__(self):
        return f"<mubody.Batch of {len(self)} simulations: {self.input_names} -> {self.output_names}>"
