"""Precomputed models: tables that replace loops and constraints, for real-time loops and for C."""
import json
import os

from . import _core
from ._arguments import all_in_words, in_words
from .errors import Failed
from .simulation import Simulation


@all_in_words
class RealTime:
    """A precomputed model.  simulation() and run() are as of the model itself; `stepper()` is the bare equations, a fixed
    number of operations in each step."""

    def __init__(self, core):
        self._core = core

    @property
    def summary(self):
        """Ranges, errors, sizes and cost, in words."""
        return self._core.summary

    @property
    def facts(self):
        """The same as a dictionary; empty for a model that was read from a file."""
        return json.loads(self._core.json) if self._core.json else {}

    @property
    def bytes(self):
        """What the tables take."""
        return self._core.bytes

    def simulation(self, *, record=None):
        """The motion as an object, fed with the same inputs and read by the same names."""
        return Simulation(self._core.simulation(record))

    def run(self, *, estimate=True):
        """The whole run that the model asks for, from the tables."""
        from .model import finished
        from .results import Results
        core, exception = self._core.run(estimate)
        return finished(Results(core), exception)

    def stepper(self):
        """The bare equations: state, forces on the variables, and steps."""
        return Stepper(self._core)

    def save(self, path):
        """Writes the tables to a file, which `mubody run` takes too."""
        self._core.save(os.fspath(path))

    def emit_c(self, folder=None, *, name="", single=False, step=1e-3):
        """The model as C99: header and source, written to a folder if one is given.  Returns both as texts, by their
        file names."""
        name, header, source = self._core.emit_c(name, single, step)
        files = {f"{name}.h": header, f"{name}.c": source}
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
            for file, text in files.items():
                with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                    out.write(text)
        return files

    def __repr__(self):
        return f"<mubody.RealTime of '{self._core.name}', {self._core.bytes} bytes of tables>"


@all_in_words
class Stepper:
    """The equations of a precomputed model.  `input` are forces on its variables [N, N m], which `step` holds."""

    def __init__(self, tables):
        self._core = _core.Stepper(tables)

    @property
    def time(self):
        """[s]"""
        return self._core.time

    @property
    def names(self):
        """The names of the independent variables."""
        return self._core.names

    @property
    def variables(self):
        """The values of the independent variables [rad, m]."""
        return self._core.variables

    @property
    def rates(self):
        """Their rates [rad/s, m/s]."""
        return self._core.rates

    @property
    def input(self):
        """Forces on the variables [N m, N]."""
        return self._core.input

    @input.setter
    def input(self, forces):
        self._core.input = [float(force) for force in forces]

    def step(self, h):
        """One step of the classical Runge-Kutta method.  Raises Failed outside of the tables, and where the
        numbers grow beyond all sense."""
        if not self._core.step(h):
            raise Failed(self._core.why(), None, "out of range", self._core.time)

    def reset(self):
        """Goes back to the start."""
        self._core.reset()


@in_words
def read_real_time(path, *, untrusted=False):
    """Reads a precomputed model that was saved, or that `mubody precompute` made.  One that comes from a stranger is
    `untrusted`: its data lie in its folder, and messages do not quote them."""
    return RealTime(_core.read_tables(os.fspath(path), bool(untrusted)))
