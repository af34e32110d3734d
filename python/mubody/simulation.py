"""The motion of a model as an object that a program advances."""
from ._arguments import all_in_words
from .errors import Failed, Interrupted
from .results import Event, Results


class _Motion:
    """What is advanced in time, with inputs and outputs."""

    __slots__ = ("_core", "__weakref__")

    def __init__(self, core):
        self._core = core

    @property
    def time(self):
        """The time of the present state [s]."""
        return self._core.time

    @property
    def inputs(self):
        """The names of all inputs; with derivatives those of the model, and those that were asked for."""
        return self._core.inputs()

    @property
    def outputs(self):
        """The units of all outputs, by their names; with derivatives of those that have them."""
        return self._core.outputs()

    def _so_far(self):
        """The results up to now, if there are any."""
        return None

    def _fail(self, failure):
        outcome, at, why, exception = failure
        if isinstance(exception, KeyboardInterrupt):
            raise Interrupted(why, self._so_far()) from exception
        raise Failed(why, self._so_far(), outcome, at) from exception

    def __repr__(self):
        return f"<mubody.{type(self).__name__} at t = {self.time:g} s>"


@all_in_words
class Simulation(_Motion):
    """A motion: advanced in time, fed with inputs, read, saved and rewound.

    >>> sim = m.simulation()
    >>> while sim.time < 5:
    ...     sim["motor"] = -60 * (sim["rod.angle"] - 0.52) - 8 * sim["rod.omega"]
    ...     sim.advance(1e-3)

    An input is a force or a driver by its name, one of its signals, "wind.force.x", or what stands under [inputs]; a
    driver may be given its rate and acceleration too, (x, v, a).  Outputs are the channels of results.  While a
    simulation advances, other threads of the program run.
    """

    __slots__ = ("_advance",)

    def __init__(self, core):
        super().__init__(core)
        self._advance = core.advance

    def __getitem__(self, name):
        return self._core[name]

    def __setitem__(self, name, value):
        self._core[name] = value

    def advance(self, dt):
        """Goes on by dt [s].  Raises Failed, with the results so far, if that is not possible.  Ctrl-C raises Interrupted;
        the simulation then stands where it has come to, and may go on."""
        failure = self._advance(dt)
        if failure is not None:
            self._fail(failure)

    def advance_to(self, t):
        """Goes on to the time t [s]."""
        failure = self._core.advance_to(t)
        if failure is not None:
            self._fail(failure)

    def _so_far(self):
        return self.finish()

    @property
    def events(self):
        """What happened during the last advance."""
        return [Event(*event) for event in self._core.events()]

    def record(self):
        """Writes the present state as a row of the results."""
        self._core.record()

    def save(self):
        """The present state, which restore() takes, here or in another simulation of the same model."""
        return self._core.save()

    def restore(self, snapshot):
        """Goes back, or forth, to a saved state."""
        self._core.restore(snapshot)

    def copy(self):
        """Another simulation of the same model in the same state."""
        return Simulation(self._core.copy())

    __copy__ = copy

    def finish(self):
        """The results up to now; the simulation may go on afterwards."""
        return Results(self._core.finish())


@all_in_words
class TangentSimulation(_Motion):
    """A motion that is advanced together with its derivatives by parameters of the model and numbers of its start.

    >>> sim = m.tangents("length", "rod.omega")
    >>> sim.advance(0.5)
    >>> sim["rod.angle"], sim.slope("rod.angle", "length")

    Contacts, friction that sticks, functions of the program and sampled signals are refused, with the reason.
    """

    __slots__ = ()

    def __getitem__(self, name):
        return self._core.input(name) if name in self._core.inputs() else self._core.value(name)

    def __setitem__(self, name, value):
        jet = value if isinstance(value, tuple) else (value,)
        if not 1 <= len(jet) <= 3:
            raise ValueError("an input is a value, its rate and its acceleration")
        self._core.set(name, *jet, *(0.0,) * (3 - len(jet)))

    def slope(self, name, by):
        """The derivative of an output by a variable, at the present time."""
        return self._core.slope(name, by)

    def advance(self, dt):
        """Goes on by dt [s].  Raises Failed if that is not possible.  Ctrl-C raises Interrupted."""
        failure = self._core.advance(dt)
        if failure is not None:
            self._fail(failure)

    def advance_to(self, t):
        """Goes on to the time t [s]."""
        failure = self._core.advance_to(t)
        if failure is not None:
            self._fail(failure)

    @property
    def variables(self):
        """What derivatives are taken by."""
        return self._core.variables()
