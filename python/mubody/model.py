"""Models: bodies, joints and forces by name, then a run or a simulation of them."""
import os
import shutil
import warnings

from . import _core
from ._arguments import all_in_words, fixed, in_words, texts
from ._where import caller, depth
from .elements import CATEGORIES, Element, inline, is_function, plain
from .errors import Doubtful, Failed, Interrupted, ModelError, Remark
from .results import Results
from .simulation import Simulation, TangentSimulation
from .surveys import Surveys, linear_inputs

SECTIONS = ("places", "bodies", "markers", "joints", "drivers", "forces", "points", "signals", "inputs", "outputs")


class Part:
    """A part of a model that has a name, such as a body; its values are read and set by their keys.

    >>> rod["mass"] = "1200 g"
    """

    def __init__(self, model, section, name):
        self.model, self.section, self.name = model, section, name

    def _named(self):
        return self.name

    def _path(self, key):
        return (self.section, self.name, *str(key).split("."))

    def __getitem__(self, key):
        return self.model[self._path(key)]

    def __setitem__(self, key, value):
        self.model[self._path(key)] = value

    def __delitem__(self, key):
        del self.model[self._path(key)]

    def __contains__(self, key):
        return self._path(key) in self.model

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<{type(self).__name__.lower()} '{self.name}' of model '{self.model.name}'>"

    def __eq__(self, other):
        return (isinstance(other, Part) and self.model is other.model
                and (self.section, self.name) == (other.section, other.name))

    def __hash__(self):
        return hash((id(self.model), self.section, self.name))


class Body(Part):
    """A body, or the ground."""

    @property
    def body_name(self):
        return self.name

    def place(self):
        return None

    def at(self, *point, **direction):
        """A point on the body, in its axes [m]; `axis`, `across`, `angle`, `to` or `orientation` turn its frame."""
        if len(point) == 1 and not isinstance(point[0], (int, float)):
            point = point[0]  # a list, or the name of a place
        return Spot(self, point if isinstance(point, str) else list(point), direction)


class Spot:
    """A point on a body, and the directions of its axes if they were given."""

    def __init__(self, body, point, direction):
        self.body_name, self.point, self.direction = str(body), point, direction

    def place(self):
        if not self.direction:
            return self.point
        at = {"at": self.point} if self.point else {}
        return {**at, **{key: plain(value) for key, value in self.direction.items()}}

    def __repr__(self):
        more = "".join(f", {key}={value!r}" for key, value in self.direction.items())
        return f"<point {self.point} on body '{self.body_name}'{more}>"


class Marker(Part):
    """A frame on a body."""

    @property
    def body_name(self):
        keys = self.model[self.section, self.name]
        while "marker" in keys:  # one that stands on another
            keys = self.model["markers", keys["marker"]]
        return keys["body"]

    def place(self):
        return self.name


class Joint(Part):
    """A joint or a driver."""


_PARTS = {"bodies": Body, "markers": Marker, "joints": Joint, "drivers": Joint}


def _functions(document):
    """Where functions stand in a document, and which they are."""
    return {tuple(path): (id(function), tuple(reads)) for path, function, _, reads in document.callbacks}


def _path_of(key):
    return [str(part) for part in key] if isinstance(key, (tuple, list)) else str(key).split(".")


def _address(function):
    """The address of a compiled function: one of numba or ctypes; 0 if it is one of Python."""
    if type(function).__module__.split(".")[0] == "numba" and hasattr(function, "address"):
        return int(function.address)
    import ctypes
    if isinstance(function, ctypes._CFuncPtr):
        return ctypes.cast(function, ctypes.c_void_p).value or 0
    return 0


def setting(key, value):
    """"key=value" as the command line has it."""
    value = plain(value)
    if isinstance(value, str):
        return f"{key}={value}"
    return f"{key}={inline(value)}"


@all_in_words
class Model(Surveys):
    """A model that is built in a program, or was read from a file.

    It holds what a model file would say.  `model["bodies.rod.mass"]` is a value by its key, which can be set, and
    `toml()` is the whole file.  The model is read when something is done with it; then mistakes are told.

    >>> m = Model(gravity=(0, -9.81))
    >>> rod = m.body("rod", mass=1, inertia=1/12, position=(0.5, 0))
    >>> m.joint("pin", mubody.Revolute(m.ground, rod, at=(0, 0)))
    >>> m.run(end=5)["rod.angle"]
    """

    def __init__(self, name="model", *, gravity=None, parameters=None, folder="", **sections):
        """`folder` is where data files lie; other names are sections of a model file, such as analysis={"end": 2}."""
        self._document = _core.Document(os.path.join(folder, "model"))
        self["name"] = name
        if gravity is not None:
            self["gravity"] = gravity
        for key, value in (parameters or {}).items():
            self.parameter(key, value)
        for key, value in sections.items():
            self[key] = value

    @classmethod
    def _of(cls, document):
        model = cls.__new__(cls)
        model._document = document
        return model

    # Values ----------------------------------------------------------------------------------------------------------

    def __getitem__(self, key):
        return fixed(self._document.get(_path_of(key)))

    def __setitem__(self, key, value):
        self._set(_path_of(key), value)

    def __delitem__(self, key):
        if not self._document.remove(_path_of(key)):
            raise KeyError(key)

    def __contains__(self, key):
        return self._document.has(_path_of(key))

    def _set(self, path, value, reads=()):
        functions, reads = [], texts(reads, "reads")
        tree = self._without_functions(plain(value), path, functions)
        self._document.set(path, tree, *caller())
        for at, function in functions:
            self._document.add_callback(at, function, _address(function), reads)

    def _without_functions(self, value, path, found):
        if isinstance(value, dict):
            return {key: self._without_functions(item, [*path, key], found) for key, item in value.items()}
        if isinstance(value, list):
            return [self._without_functions(item, [*path, str(k)], found) for k, item in enumerate(value)]
        if is_function(value):
            found.append((path, value))
            return 0
        return value

    def _add(self, section, name, value, reads=()):
        name = str(name)
        path = [section, name]
        if self._document.has(path):
            raise ModelError(f"there is a '{name}' under [{section}] already", *caller(), element=name)
        self._set(path, value, reads)
        return _PARTS.get(section, Part)(self, section, name)

    @property
    def name(self):
        """The name of the model."""
        if "name" in self:
            return self["name"]
        folder, file = os.path.split(os.path.abspath(self.file))
        stem = os.path.splitext(file)[0]
        return os.path.basename(folder) if stem == "model" else stem

    @property
    def file(self):
        """The file that it was read from; "model" if it was built in a program."""
        return self._document.file

    def _parts(self, section):
        return {name: _PARTS.get(section, Part)(self, section, name) for name in self._document.keys([section])}

    # Elements --------------------------------------------------------------------------------------------------------

    @property
    def ground(self):
        """The body that does not move."""
        return Body(self, "bodies", "ground")

    def body(self, name, *shapes, **keys):
        """Adds a body: mass, inertia and start, or shapes that give them.  'mubody list bodies' has all keys."""
        table = {}
        if len(shapes) == 1:
            table.update(plain(shapes[0]))
        elif shapes:
            table["shapes"] = [plain(shape) for shape in shapes]
        return self._add("bodies", name, {**table, **_keys(keys)})

    def place(self, name, point=None, **keys):
        """Adds a place: a point in global axes at the start, by its numbers or by distances from other places."""
        self._add("places", name, point if point is not None else _keys(keys))
        return str(name)

    def marker(self, name, on, at=None, **keys):
        """Adds a frame on a body or on another marker."""
        return self._add("markers", name, {**_carried(on, at), **_keys(keys)})

    def point(self, name, on, at=None, **keys):
        """Adds a point whose motion is reported; `in_` is a marker or body from which it is seen."""
        return self._add("points", name, {**_carried(on, at), **_keys(keys)})

    def joint(self, name, joint, **keys):
        """Adds a joint, as in m.joint("pin", Revolute(m.ground, rod, at=(0, 0)))."""
        return self._add("joints", name, {**_element(joint, "joints"), **_keys(keys)})

    def driver(self, name, driver, **keys):
        """Adds a joint that follows a function of time."""
        return self._add("drivers", name, {**_element(driver, "drivers"), **_keys(keys)})

    def force(self, name, force, *, reads=(), **keys):
        """Adds a force.  Its functions of time and state may be functions of Python, f(t, state), where
        state["rod.angle"] is a number of the motion.  A function that numba compiled is given `reads` of it."""
        return self._add("forces", name, {**_element(force, "forces"), **_keys(keys)}, reads)

    def torque(self, name, first, second=None, value=0, *, axis=None, reads=()):
        """Adds a torque on the second body against the first, or on one body: an input that simulations set, a formula
        or a function of (t, state).  It is about z or, in space, about `axis`."""
        ends = {"bodies": [str(first), str(second)]} if second is not None else {"body": str(first)}
        more = {} if axis is None else {"axis": plain(axis)}
        return self._add("forces", name, {"type": "moment", **ends, **more, "moment": value}, reads)

    def push(self, name, on, at=None, force=None, *, reads=()):
        """Adds a force at a point of a body along global axes: an input for each, name.force.x and so on, formulas or
        functions of (t, state)."""
        if force is None:
            force = [0] * (len(self["gravity"]) if "gravity" in self else 2)
        return self._add("forces", name, {"type": "force", **_carried(on, at), "force": list(force)}, reads)

    def signal(self, name, value, *, unit=None, sample=None, reads=()):
        """Adds a number by name: a formula, a block such as Pid, or a function of (t, state)."""
        more = {key: item for key, item in (("unit", unit), ("sample", sample)) if item is not None}
        tree = plain(value)
        if isinstance(tree, dict):
            tree = {**tree, **more}
        elif more or is_function(tree):
            tree = {"value": tree, **more}
        return self._add("signals", name, tree, reads)

    def input(self, name, value=0, *, unit=None):
        """Adds a number that simulations set and formulas read."""
        return self._add("inputs", name, value if unit is None else {"value": value, "unit": unit})

    def output(self, name, value):
        """Adds a formula, or another name of a channel, to the results."""
        return self._add("outputs", name, value)

    def parameter(self, name, value, *, min=None, max=None):
        """Adds a number that formulas of the model use, "= 2*name"; sweeps change it between min and max, if they are given."""
        self._add("parameters", name, value if min is None and max is None else _keys({"value": value, "min": min, "max": max}))
        return str(name)

    def look(self, body, **keys):
        """Says how a body is drawn."""
        self._set(["look", str(body)], _keys(keys))

    # Files -----------------------------------------------------------------------------------------------------------

    def toml(self):
        """The model as the text of a model file."""
        return self._document.toml()

    def save(self, path):
        """Writes the model to a file, and copies data files of its folder to the same places beside it."""
        path = os.fspath(path)
        text = self.toml()
        here, there = os.path.dirname(os.path.abspath(self._document.path)), os.path.dirname(os.path.abspath(path))
        if here != there:
            for data in self._document.data_files():
                near = os.path.relpath(os.path.abspath(data), here)
                target = os.path.join(there, near)
                if not near.startswith("..") and not os.path.exists(target):
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    shutil.copyfile(data, target)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def copy(self):
        """Another model that says the same."""
        return Model._of(self._document.copy())

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return (_restored, (self._document.toml(), self._document.file, self._document.untrusted))

    def __eq__(self, other):
        """Whether two models say the same, value by value; functions are the same if they are one object."""
        if not isinstance(other, Model):
            return NotImplemented
        mine, its = self._document, other._document
        return mine.get([]) == its.get([]) and _functions(mine) == _functions(its) and all(
            mine.keys([section]) == its.keys([section]) for section in SECTIONS)

    __hash__ = None

    def __repr__(self):
        counts = [f"{len(self._document.keys([section]))} {section}" for section in SECTIONS if section in self]
        return f"<mubody.Model '{self.name}': {', '.join(counts) or 'nothing yet'}>"

    # Runs ------------------------------------------------------------------------------------------------------------

    def _settings(self, analysis, options, output, changes):
        """What differs from the model in a run, as the command line would say it."""
        tree = {} if analysis is None else plain(analysis)
        tree = {"type": tree} if isinstance(tree, str) else tree
        tree = {**tree, **{key: value for key, value in options.items() if value is not None}}
        if "inputs" in tree:
            tree["inputs"] = linear_inputs(self, texts(tree["inputs"], "inputs"))
        all_ = [setting(f"analysis.{key}", value) for key, value in tree.items()]
        all_ += [setting(f"output.{key}", value) for key, value in (output or {}).items()]
        all_ += [setting(key, value) for key, value in (changes or {}).items()]
        return all_

    def run(self, analysis=None, *, estimate=True, output=None, changes=None, **options):
        """Runs the model and returns its Results.

        `analysis` is the name of an analysis or one such as Modes(inputs=...); if it is left out, the model says what
        to do.  Options are those of [analysis], such as end, rtol, step, integrator and treatment; `output` is a
        dictionary of those of [output], and `changes` one of any other values, {"bodies.rod.mass": 2}.

        Raises ModelError for a model that cannot be run, Failed for a run that does not reach its end.  Remarks of the
        run are warnings.
        """
        settings = self._settings(analysis, options, output, changes)
        core, exception = _core.run(self._document, settings, bool(estimate))
        return finished(Results(core), exception)

    def simulation(self, *, record=None, changes=None, **options):
        """The motion as an object that is advanced in steps.  Options are those of [analysis]; `record` is the time
        between rows of its results [s]."""
        return Simulation(_core.Simulation(self._document, self._settings(None, options, None, changes), record))

    def tangents(self, *variables, inputs=(), changes=None, **options):
        """The motion as an object that is advanced together with its derivatives by parameters of the model, and by numbers
        of its start as in "rod.omega".  `inputs` are set from outside, besides those of the model; options are those of
        [analysis]."""
        return TangentSimulation(_core.TangentSimulation(self._document, self._settings(None, options, None, changes),
                                                         [str(name) for name in variables],
                                                         [str(name) for name in inputs]))

    def check(self):
        """Reads the model and assembles it: a dictionary with freedom, redundant constraints, what assembly moved, and
        remarks.  Raises ModelError if the model is not sound."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Remark)
            try:
                results = self.run("assembly")
            except Failed as failed:
                results = failed.results
        return results.summary


def finished(results, exception=None):
    """Raises what ended a run, or gives its results with its remarks as warnings."""
    outcome, at, why, *_ = results._core.outcome
    if isinstance(exception, KeyboardInterrupt):
        raise Interrupted(why, results) from exception
    if exception is not None and not results._core.reached_end:
        raise Failed(why, results, outcome, at) from exception
    if exception is not None:
        raise exception
    if not results._core.reached_end:
        raise Failed(why, results, outcome, at)
    for remark in results.remarks:
        warnings.warn(remark, Remark, stacklevel=depth())
    if not results.trusted:
        warnings.warn(results.verdict, Doubtful, stacklevel=depth())
    return results


def _keys(keys):
    """Keys that are words of Python end with an underscore: in_."""
    return {(key[:-1] if key.endswith("_") else key): plain(value) for key, value in keys.items() if value is not None}


def _element(element, section):
    if isinstance(element, dict):
        return element
    if isinstance(element, Element) and section in element.categories:
        return element.tree()
    given = type(element).__name__
    near = next(iter(CATEGORIES[section]))
    raise TypeError(f"expected one of the {section}, such as {near}(...), got {given}")


def _carried(on, at):
    if isinstance(on, Spot):
        place = on.place()
        keys = {"body": on.body_name, **(place if isinstance(place, dict) else {"at": place})}
    elif isinstance(on, Marker):
        keys = {"marker": on.name}
    else:
        keys = {"body": str(on)}
    return keys if at is None else {**keys, "at": plain(at)}


def _restored(text, file, untrusted=False):
    return Model._of(_core.Document.parse(text, file, untrusted))


@in_words
def read(path, *, untrusted=False):
    """Reads a model file, TOML or MUBODYNA, or a folder with a model.toml.  One that comes from a stranger is `untrusted`: its
    data lie below its folder, and messages do not quote them."""
    path = os.fspath(path)
    if os.path.isdir(path):
        for name in ("model.toml", "model.mub"):
            if os.path.exists(os.path.join(path, name)):
                path = os.path.join(path, name)
                break
        else:
            raise ModelError(f"{path}: this is a folder, and there is no model.toml in it", path)
    return Model._of(_core.Document.read(path, bool(untrusted)))


@in_words
def parse(text, file="model.toml", *, untrusted=False):
    """The model in the text of a model file; data files are relative to `file`."""
    return Model._of(_core.Document.parse(text, os.fspath(file), bool(untrusted)))


def _section(section):
    return property(lambda self: self._parts(section), doc=f"The parts under [{section}] by their names.")


def _analysis_method(name, cls):
    def method(self, *, estimate=True, output=None, changes=None, **options):
        own = {key: options.pop(key) for key in list(options) if key in cls.fields}
        return self.run(cls(**own), estimate=estimate, output=output, changes=changes, **options)
    method.__name__ = name
    method.__qualname__ = f"Model.{name}"
    method.__doc__ = f"Runs the analysis; see Model.run().\n\n{cls.__doc__}"
    return method


for _name in SECTIONS:
    setattr(Model, _name, _section(_name))
# Every analysis of the library is a method, which takes its own options and those of all.
for _class in CATEGORIES["analyses"].values():
    if not hasattr(Model, _class.kind):
        setattr(Model, _class.kind, _analysis_method(_class.kind, _class))
del _name, _class
