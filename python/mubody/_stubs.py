"""Writes the type stubs of the package, __init__.pyi, from the library's own list of elements.

    python3 -m mubody._stubs FILE
"""
import inspect
import sys

from . import elements, errors, many, model, pictures, realtime, results, simulation, surveys

# What a key takes, by the words of the list; everything else may be anything that a file may say.
_TYPES = {
    "number": "Quantity",
    "whole number": "int",
    "true or false": "bool",
    "text": "str",
    "name": "Name",
    "2 names": "Sequence[Name]",
    "names": "Sequence[Name]",
    "numbers": "Sequence[Quantity]",
    "2 numbers": "Sequence[Quantity]",
    "3 numbers": "Sequence[Quantity]",
    "function of time": "Function",
    "function of time and state": "Function",
}
_HEAD = '''"""Type stubs, written by mubody._stubs from the list of elements."""
from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, NamedTuple, Union

import numpy

Quantity = Union[float, str]
Name = Any
Function = Union[float, str, Mapping[str, Any], Element, Callable[..., Any]]

__version__: str
__all__: list[str]
'''


def _type_of(field):
    words = field["type"]
    if words.startswith('"'):
        return "str"
    if words.endswith("numbers") and "," not in words:
        return "Sequence[Quantity]"
    return _TYPES.get(words, "Any")


def _first_line(text):
    return (text or "").strip().splitlines()[0] if text else ""


def _element_stub(name, cls):
    """The constructor of an element with all its keys."""
    lines = [f"class {name}(Element):", f'    """{_first_line(cls.__doc__)}"""']
    parameters = ["self"]
    signature = inspect.signature(cls)
    if "attached_to" in signature.parameters:
        parameters.append("*attached_to: Any")
    elif cls.fields:
        parameters.append("*")
    for key, field in cls.fields.items():
        name_ = elements._parameter_name(key)
        if name_.isidentifier():
            parameters.append(f"{name_}: {_type_of(field)} | None = ...")
    return "\n".join([*lines, f"    def __init__({', '.join(parameters)}) -> None: ..."])


def _annotation(parameter):
    names = {"name": "str", "path": "str | PathLike[str]", "text": "str", "dt": "float", "t": "float"}
    return names.get(parameter.name, "Any")


def _returns(cls, name):
    """Return types that help editors; others are Any."""
    known = {
        "run": "Results", "simulation": "Simulation", "tangents": "TangentSimulation", "copy": cls.__name__, "body": "Body", "joint": "Joint",
        "driver": "Joint", "marker": "Marker", "toml": "str", "precompute": "RealTime", "finish": "Results",
        "picture": "Picture", "svg": "Picture", "__len__": "int", "__repr__": "str", "__str__": "str",
        "__contains__": "bool", "__eq__": "bool", "__iter__": "Iterator[str]", "save": "Any", "advance": "Any",
        "topology": "Answer", "independent": "Answer", "compare": "Answer", "at": "Any",
    }
    if any(name == kind.kind for kind in elements.CATEGORIES["analyses"].values()):
        return "Results"
    arrays = {"Results": "__getitem__", "Sweep": "__getitem__"}
    if arrays.get(cls.__name__) == name:
        return "numpy.ndarray"
    return known.get(name, "Any")


_PROPERTIES = {"time": "Any", "ground": "Body", "verdict": "str", "trusted": "bool", "outcome": "str",
               "remarks": "list[str]", "units": "dict[str, str]", "digits": "dict[str, float]",
               "errors": "dict[str, float]", "channels": "list[str]", "summary": "Any", "file": "str", "name": "str",
               "tables": "dict[str, numpy.ndarray]", "inputs": "Any", "bodies": "dict[str, Body]",
               "joints": "dict[str, Joint]", "drivers": "dict[str, Joint]", "markers": "dict[str, Marker]"}


def _parameters(function):
    words, star = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            words.append("self")
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            words.append("*")
            star = True
        marks = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}
        mark = marks.get(parameter.kind, "")
        star = star or mark == "*"
        default = " = ..." if parameter.default is not parameter.empty else ""
        words.append(f"{mark}{parameter.name}: {_annotation(parameter)}{default}")
    return ", ".join(words)


def _class_stub(cls):
    bases = [base.__name__ for base in cls.__bases__ if base is not object]
    lines = [f"class {cls.__name__}({', '.join(bases)}):" if bases else f"class {cls.__name__}:",
             f'    """{_first_line(cls.__doc__)}"""']
    for name, member in vars(cls).items():
        if isinstance(member, property):
            lines += ["    @property", f"    def {name}(self) -> {_PROPERTIES.get(name, 'Any')}: ..."]
            if member.fset:
                lines += [f"    @{name}.setter", f"    def {name}(self, value: Any) -> None: ..."]
        elif inspect.isfunction(member) and (not name.startswith("_") or name.startswith("__")):
            returns = "None" if name in ("__init__", "__setitem__", "__delitem__") else _returns(cls, name)
            lines.append(f"    def {name}({_parameters(member)}) -> {returns}: ...")
    if "__eq__" in vars(cls) and cls.__hash__ is None:
        lines.append("    __hash__: Any")
    return "\n".join(lines)


def _error_stub(cls):
    base = cls.__bases__[0].__name__
    attributes = {"ModelError": ["file: str | None", "line: int | None", "column: int | None", "element: str | None",
                                 "key: str | None", "others: list[ModelError]"],
                  "Failed": ["why: str", "results: Any", "outcome: str", "at: float"],
                  "Interrupted": ["results: Any"]}.get(cls.__name__, [])
    lines = [f"class {cls.__name__}({base}):", f'    """{_first_line(cls.__doc__)}"""']
    return "\n".join(lines + [f"    {attribute}" for attribute in attributes])


def stubs():
    """The text of __init__.pyi."""
    parts = [_HEAD]
    parts += [_error_stub(getattr(errors, name)) for name in ("ModelError", "Failed", "Interrupted", "Remark", "Doubtful")]
    parts.append('class Element:\n    """A part of a model."""\n    kind: str\n    categories: tuple[str, ...]\n'
                 "    fields: dict[str, Any]\n    keys: dict[str, Any]\n    def tree(self) -> Any: ...\n"
                 "    def toml(self) -> str: ...")
    for cls in (pictures.Picture, pictures.Page, pictures.Answer, surveys.Surveys, model.Part, model.Body, model.Marker,
                model.Joint, model.Model, results.Results, simulation.Simulation, simulation.TangentSimulation, many.Sweep, many.Batch,
                realtime.RealTime, realtime.Stepper):
        parts.append(_class_stub(cls))
    for function, returns in ((model.read, "Model"), (model.parse, "Model"), (results.load, "Results"),
                              (many.sweep, "Sweep"), (surveys.agree, "list[dict[str, Any]]"),
                              (surveys.stability, "dict[str, Any]"), (realtime.read_real_time, "RealTime")):
        parts.append(f"def {function.__name__}({_parameters(function)}) -> {returns}: ...")
    parts += [_element_stub(name, cls) for name, cls in elements.CLASSES.items()]
    parts += [f"{category.replace('-', '_')}: Any" for category in elements.CATEGORIES]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(stubs())
