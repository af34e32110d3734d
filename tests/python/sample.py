"""A value for every key that an element must have, by its type, and a small model around it."""
from pathlib import Path

from conftest import ROOT, mb
from mubody.elements import CATEGORIES

STIFF = {"type": "flores", "stiffness": 1e8}
# A wheel stands on its road: z of i is the normal, z of j the axle.
ON_ROAD = {"at": None, "axis": None, "across": None, "i": {"axis": [0, 0, 1]}, "j": {"axis": [0, 1, 0]}}
TYRES = {
    "tyre_fiala": {},
    "tyre_brush": {},
    "tyre_magic": {"coefficients": str(ROOT / "examples/rolling_tyre/tyre.tir")},
}

# What no type says: numbers that must fit each other.
FITTING = {
    "piecewise": {"breaks": [-0.1, 0.1], "stiffness": [10, 20, 30]},
    "polynomial": {"coefficients": [0, 100, 5]},
    "transfer_function": {"numerator": [1], "denominator": [1, 2]},
    "state_space": {"a": [[-1]], "b": [1], "c": [1]},
    "table_2d": {"rows": [0, 1], "columns": [0, 1], "values": [[0, 1], [2, 3]]},
    "tube": {"radius": 0.2, "inner": 0.1, "width": 0.1},
    "cone": {"radius": 0.2, "width": 0.1},
    "cylinder": {"radius": 0.2, "width": 0.1},
    "lugre": {"mu": 0.1, "mu_static": 0.2},
    "bengisu_akay": {"mu": 0.1, "mu_static": 0.2},
    "hysteresis": {"on": 0.2, "off": 0.1},
    "harmonic": {"frequency": 2},
    "step": {"to": 1, "end": 2},
    "cam": {"rise": 0.2, "fall": 0.2, "period": 1},
    "journal_bearing": {"bearing_radius": 0.02, "journal_radius": 0.019},
    "coordinate": {"coordinate": "x"},
    "orientation": {"angles": [0, 0, 0]},
    "expression": {"text": "0"},
    "mesh": {"mesh": str(ROOT / "examples/mesh_pendulum/bracket.stl")},
    "plate": {"through": ["P", "Q", "R"]},
    "kelvin_voigt": {"stiffness": 1e6},
    "line": {"from": [0, 0], "to": [1, 0]},
    "pid": {"kp": 2},
    "bushing": {"stiffness": [1e3, 1e3, 10]},
    "joint_compliance": {"stiffness": [1e3, 1e3, 10]},
    "circle_contact": {"radius_i": 0.5, "radius_j": 0.4},
    "revolute_spherical": {"length": 0.5},
    **{tyre: {**ON_ROAD, **keys} for tyre, keys in TYRES.items()},
    "rolling": {"at": None, "axis": None, "across": None, "i": {"axis": [0, 1, 0]}, "j": {"axis": [0, 0, 1]}},
    "outline_contact": {"outline_i": {"disc": 0.1}, "outline_j": {"disc": 0.1}, "law": STIFF},
    "time_series": {"data": [[0, 1, 2], [1, 2, 3], [2, 0, 1]]},
    **{kind: {"law": STIFF} for kind in ("box_contact", "cylinder_contact", "coupler_backlash", "gear_backlash",
                                         "rack_backlash", "joint_stop", "capsule_contact")},
}
# Their two points must lie apart.
APART = ("distance", "gear", "belt", "gear_backlash", "spring")


def needed(field, dim):
    """Whether something must be given, by itself or in place of another key."""
    default = field["default"]
    return field["required"] or default.startswith("this, or function") or (dim == 3 and default == "required in space")


def value(field, dim):
    """A value of the type that the list states."""
    kind, name = field["type"], field["name"]
    if kind.startswith('"'):
        return kind.split('"')[1]
    if name == "through":
        return ["P", "Q"]
    if kind.startswith("rows"):
        return [[0.0, 1.0, 2.0][:dim], [1.0, 2.0, 4.0][:dim], [2.0, 5.0, 1.0][:dim], [3.0, 4.0, 0.0][:dim]]
    if "functions of time and state" in kind:
        return [0.5] * dim
    if kind.endswith("numbers") and kind != "numbers":
        return [0.1 * (k + 1) for k in range(dim)]
    if kind == "numbers":
        return [1.0, -2.0]
    if kind == "names":
        return ["hinge_a", "hinge_b"]
    return {"curve": {"type": "arc", "radius": 0.3}, "whole number": 3, "text": "0"}.get(kind, 0.5)


def attached(cls, dim):
    """What an element is attached to; frames are given in the axes of the bodies."""
    fields = cls.fields
    if "bodies" in fields:
        keys = {"bodies": ["a", "b"]}
        if cls.kind in APART:
            return {**keys, "i": [0, 0, 0][:dim], "j": [0, 0, 0][:dim]}
        if "at" in fields:
            keys["at"] = [0.5, 0.25, 0][:dim]
        if "axis" in fields and "at" in fields and (dim == 3 or "to" in fields):
            keys["axis"] = [0, 0, 1] if dim == 3 else [1, 0]
        elif "axis" in fields and dim == 3:
            keys["axis"] = [0, 0, 1]
        if "across" in fields and dim == 3:
            keys["across"] = [1, 0, 0]
        return keys
    return {"body": "a"} if "body" in fields else {}


def sample(category, cls):
    """The element, and the dimension of a model that can have it."""
    entry_in = next((f for f in [cls.spaces] if f), "plane")
    dim = 2 if "plane" in entry_in else 3
    keys = attached(cls, dim) if category in ("joints", "drivers", "forces") else {}
    for name, field in cls.fields.items():
        if needed(field, dim) and name not in keys and name != "function":
            keys[name] = value(field, dim)
    keys.update({key: item for key, item in FITTING.get(cls.kind, {}).items() if key in cls.fields})
    keys = {key: item for key, item in keys.items() if fits(category, cls, key)}
    # None is a key that is left out.
    return cls(**{(key + "_" if key == "from" else key): item for key, item in keys.items()}), dim


def fits(category, cls, key):
    """A class may stand for kinds of several categories, which have keys of their own."""
    return key in cls.keys_in(category)


def scene(dim):
    """Two bodies on hinges, and three places."""
    m = mb.Model("sample", gravity=(0, -9.81, 0)[:dim])
    axis = {"axis": (0, 0, 1)} if dim == 3 else {}
    inertia = 0.1 if dim == 2 else [0.1, 0.1, 0.1]
    for name, x in (("a", 0.0), ("b", 1.0)):
        m.body(name, mass=1, inertia=inertia, position=(x, 0.25, 0)[:dim])
    for name in ("P", "Q", "R"):
        m.place(name, [{"P": 0, "Q": 1, "R": 1}[name], {"P": 2, "Q": 2, "R": 3}[name], 0][:dim])
    m.joint("hinge_a", mb.Revolute(m.ground, "a", at=(0, 0, 0)[:dim], **axis))
    m.joint("hinge_b", mb.Revolute(m.ground, "b", at=(1, 0, 0)[:dim], **axis))
    return m


def add(m, category, element, dim):
    """Puts the element where its kind stands in a model."""
    ends, at = ("a", "b"), [0.5, 0.25, 0][:dim]
    centres = [m.bodies[name].at(0, 0) for name in ends]
    if category == "shapes":
        placed = {} if "through" in element.keys else {"position": at}
        m.body("shaped", element, mass=1, **placed)
    elif category in ("joints", "drivers", "forces"):
        getattr(m, category[:-1])("x", element)
    elif category == "laws":
        m.force("x", mb.Spring(*centres, law=element))
    elif category in ("contact-laws", "friction-laws"):
        key = {"contact-laws": "law", "friction-laws": "friction"}[category]
        m.force("x", mb.DiscContact(*centres, radius_i=0.1, radius_j=0.1, **{key: element}))
    elif category == "functions":
        m.driver("x", mb.Angle(m.ground, "a", value=element))
    elif category == "curves":
        m.joint("x", mb.PointOnCurve(*ends, at=at, curve=element))
    elif category == "signals":
        m.signal("x", element)
    elif category == "treatments":
        m["analysis.treatment"] = element
    elif category == "integrators":
        m["analysis"] = {"integrator": element, "step": 1e-3}
    elif category == "analyses":
        m["analysis"] = element


ALL = [(category, cls) for category, classes in CATEGORIES.items() for cls in classes.values()]
STL = Path(FITTING["mesh"]["mesh"])
