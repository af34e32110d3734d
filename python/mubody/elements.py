"""A class for every kind of joint, force, law, function and so on that the library knows.

They are made when the package is imported, from the same list that `mubody list` prints, so that a kind that is added
to the library is here without a line of Python.  `help(mubody.Revolute)` is its page of the manual.
"""
import difflib
import inspect
import json
import keyword
import textwrap

from . import _core

# Categories of the list whose kinds are values that stand in a model, and how such a value says what it is.
_TAGS = {
    "shapes": "shape",
    "joints": "type",
    "drivers": "type",
    "forces": "type",
    "laws": "type",
    "contact-laws": "type",
    "friction-laws": "type",
    "functions": "type",
    "curves": "type",
    "signals": "type",
    "treatments": "type",
    "integrators": "",  # a name alone
    "analyses": "type",
}
# Blocks of signals may say these as well, as every signal may, and shapes what every body may.
_OF_ALL = {"signals": ("unit", "sample"), "shapes": ("mass", "density", "angle", "orientation")}


class Element:
    """A part of a model: its kind, and the values that were given for its keys.

    Positional arguments are what it is attached to: bodies, points on them (`rod.at(0.5, 0)`), markers or joints.
    Everything else is given by its key.  Numbers are in SI units; texts may have units, as in "60 deg".
    """

    kind = ""
    categories = ()
    fields = {}
    spaces = ""  # "plane", "space" or "plane, space"; empty where it makes no difference
    _tag = "type"

    def __init__(self, *attached_to, **keys):
        self.keys = dict(_attached(type(self), attached_to))
        for name, value in keys.items():
            key = name[:-1] if name.endswith("_") else name
            if key not in self.fields:
                raise TypeError(_unknown(type(self), key))
            if key in self.keys:
                raise TypeError(f"{type(self).__name__}: '{key}' is given twice")
            if value is not None:
                self.keys[key] = value

    def tree(self):
        """The values as a model file would have them."""
        if not self._tag:
            return self.kind
        tag = {} if self.kind in self.fields and self._tag == "shape" else {self._tag: self.kind}
        return {**tag, **{key: plain(value) for key, value in self.keys.items()}}

    @classmethod
    def keys_in(cls, category):
        """The keys of the kind in one of its categories; "spline" is a function of time, and a curve of a body."""
        return cls._keys[category]

    def toml(self):
        """The element as a line of a model file."""
        return inline(without_functions(self.tree()))

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.keys.items())})"

    def __eq__(self, other):
        return type(self) is type(other) and self.tree() == other.tree()

    __hash__ = None


def inline(value):
    """A value as it stands in a line of a model file."""
    return _core.toml_text({"table": {"value": value}}).split("=", 1)[1].strip()


def plain(value):
    """A value as numbers, texts, lists and dictionaries; functions stay what they are."""
    if isinstance(value, Element):
        return value.tree()
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "_named"):  # a body, joint or marker of a model
        return value._named()
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    return value


def is_function(value):
    """Whether it is a function of Python, or one that numba compiled."""
    return callable(value) and not isinstance(value, type)


def without_functions(value):
    """The same tree with a word where a function of Python is, for printing."""
    if isinstance(value, dict):
        return {key: without_functions(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_functions(item) for item in value]
    return f"<{getattr(value, '__name__', 'function')}>" if is_function(value) else value


def _attached(cls, ends):
    """The keys that attach an element to the things that were given without a key."""
    if not ends:
        return {}
    joints = [end for end in ends if getattr(end, "section", "") in ("joints", "drivers")]
    if joints and len(joints) == len(ends):
        if "joints" in cls.fields:
            return {"joints": [joint.name for joint in joints]}
        if len(ends) == 1 and "joint" in cls.fields:
            return {"joint": joints[0].name}
    elif len(ends) > 1 and "bodies" in cls.fields:
        keys = {"bodies": [_body_of(end) for end in ends]}
        for side, end in zip("ij", ends):
            place = _place_of(end)
            if place is not None:
                keys[side] = place
        return keys
    elif len(ends) == 1 and "body" in cls.fields:
        end = ends[0]
        if getattr(end, "section", "") == "markers":
            return {"marker": end.name}
        place = _place_of(end)
        place = {} if place is None else place if isinstance(place, dict) else {"at": place}
        return {"body": _body_of(end), **place}
    wanted = [text for key, text in (("bodies", "two bodies"), ("body", "a body"), ("joint", "a joint"),
                                     ("joints", "joints")) if key in cls.fields]
    expected = " or ".join(wanted) if wanted else "its keys only, as in " + cls.__name__ + "(key=value)"
    raise TypeError(f"{cls.__name__}: expected {expected}, got {len(ends)} positional argument{'s' * (len(ends) > 1)}")


def _body_of(end):
    if isinstance(end, str):
        return end
    body = getattr(end, "body_name", None)
    if body is None:
        raise TypeError(f"expected a body, a point on one or a marker, got {type(end).__name__}")
    return body


def _place_of(end):
    return None if isinstance(end, str) else end.place()


def _unknown(cls, key):
    near = difflib.get_close_matches(key, cls.fields, 1)
    known = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(cls.fields)}"
    return f"{cls.__name__} has no '{key}'{known}"


class _Default:
    """A default value in the words of the manual."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text or "none"


def _parameter_name(key):
    return key + "_" if keyword.iskeyword(key) else key


def _signature(fields):
    parameters = []
    if any(key in fields for key in ("bodies", "body", "joint", "joints")):
        parameters.append(inspect.Parameter("attached_to", inspect.Parameter.VAR_POSITIONAL))
    for key, field in fields.items():
        default = inspect.Parameter.empty if field["required"] else _Default(field["default"])
        parameters.append(inspect.Parameter(_parameter_name(key), inspect.Parameter.KEYWORD_ONLY, default=default))
    return inspect.Signature(parameters)


def class_name(kind):
    """"generalized-alpha" -> "GeneralizedAlpha"."""
    return "".join(word[:1].upper() + word[1:] for word in kind.replace("-", "_").split("_"))


def _manual(entry):
    """The manual of a kind: what it is, then its keys with their types, defaults and meanings."""
    lines = [f"{entry['name']}: {entry['summary']}"]
    if "also" in entry:
        lines.append("elsewhere called: " + ", ".join(entry["also"].split()))
    facts = [f"{key}: {_fact(value)}" for key, value in entry.items()
             if key not in ("name", "summary", "also", "fields")]
    lines += ["; ".join(facts)] if facts else []
    for field in entry["fields"]:
        unit = f" [{field['unit']}]" if field["unit"] else ""
        default = "required" if field["required"] else f"default: {field['default']}" if field["default"] else ""
        lines.append(f"\n{field['name']}{unit}: {field['type']}{', ' + default if default else ''}")
        lines += textwrap.wrap(field["meaning"], 96, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def _fact(value):
    """A number that may differ between the plane and space."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(f"{number} in {'the plane' if where == 'plane' else where}" for where, number in value.items()
                     if number is not None)


def make_classes():
    """All classes by their names, and the names of those of each category."""
    kinds = {}
    for category, entries in json.loads(_core.describe_json()).items():
        for entry in entries if category in _TAGS else ():
            if not entry["name"].startswith("["):
                kinds.setdefault(entry["name"], []).append((category, entry))
    classes, categories = {}, {category: {} for category in _TAGS}
    for kind, entries in kinds.items():
        fields, manual, keys = {}, [], {}
        for category, entry in entries:
            for field in entry["fields"]:
                if "." not in field["name"]:
                    fields.setdefault(field["name"], field)
            for name in _OF_ALL.get(category, ()):
                fields.setdefault(name, {"name": name, "required": False, "default": "", "type": "", "unit": "",
                                         "meaning": ""})
            keys[category] = [key for key in fields if any(f["name"] == key for f in entry["fields"])]
            text = _manual(entry)
            if text not in manual:
                manual.append(text)
        name = class_name(kind)
        cls = type(name, (Element,), {
            "kind": kind, "categories": tuple(category for category, _ in entries), "fields": fields,
            "spaces": entries[0][1].get("in", ""), "_keys": keys, "_tag": _TAGS[entries[0][0]],
            "__doc__": "\n\n".join(manual), "__signature__": _signature(fields),
            "__module__": "mubody"})
        classes[name] = cls
        for category, _ in entries:
            categories[category][name] = cls
    return classes, categories


CLASSES, CATEGORIES = make_classes()
