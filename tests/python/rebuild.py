"""A model built in Python from what a model file says, element by element."""
import tomllib

import mubody as mb
from mubody.elements import CATEGORIES

KINDS = {category: {cls.kind: cls for cls in classes.values()} for category, classes in CATEGORIES.items()}
ADD = {"joints": "joint", "drivers": "driver", "forces": "force"}


def element(category, table):
    """{type = "revolute", ...} as Revolute(...)."""
    keys = dict(table)
    kind = keys.pop("type")
    return KINDS[category][kind](**{key + "_" if key == "in" else key: value for key, value in keys.items()})


def shaped(table):
    """The shape of a body as an element, and its other keys."""
    keys = dict(table)
    if "shape" not in keys:
        return [], keys
    cls = KINDS["shapes"][keys.pop("shape")]
    return [cls(**{key: keys.pop(key) for key in list(keys) if key in cls.fields})], keys


def rebuilt(path):
    """The model of a TOML file."""
    with open(path, "rb") as file:
        tree = tomllib.load(file)
    m = mb.Model(tree.pop("name", path.parent.name), gravity=tree.pop("gravity", None), folder=str(path.parent),
                 parameters=tree.pop("parameters", None))
    for name, point in tree.pop("places", {}).items():
        m.place(name, point)
    for name, table in tree.pop("bodies", {}).items():
        shapes, keys = shaped(table)
        m.body(name, *shapes, **keys)
    for section in [section for section in tree if section in ADD]:  # the order of the file is that of equations
        for name, table in tree.pop(section).items():
            getattr(m, ADD[section])(name, element(section, table))
    for name, value in tree.pop("inputs", {}).items():
        value = value if isinstance(value, dict) else {"value": value}
        m.input(name, value["value"], unit=value.get("unit"))
    for name, value in tree.pop("signals", {}).items():
        m.signal(name, element("signals", value) if isinstance(value, dict) and "type" in value else value)
    for section, table in tree.items():
        m[section] = table
    return m
