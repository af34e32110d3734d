"""Multibody dynamics from Python: bodies, joints and forces become motion, reactions and a verdict on their accuracy.

    import mubody as mb
    m = mb.Model(gravity=(0, -9.81))
    rod = m.body("rod", mass=1, inertia=1/12, position=(0.5, 0))
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    r = m.run(end=5)            # or mb.read("model.toml").run()
    r["rod.angle"], r.time      # arrays of numpy

Joints, forces, laws, functions and all other kinds of element are classes of this package: `mubody.joints` and its
neighbours list them, and `help(mubody.Revolute)` is their manual.
"""
import types as _types

from . import _core
from .elements import CATEGORIES as _CATEGORIES
from .elements import CLASSES as _CLASSES
from .elements import Element
from .errors import Doubtful, Failed, Interrupted, ModelError, Remark
from .many import Batch, Sweep, sweep
from .model import Body, Joint, Marker, Model, parse, read
from .realtime import RealTime, read_real_time
from .results import Results, load
from .simulation import Simulation, TangentSimulation
from .surveys import agree, stability

__version__ = _core.version
__all__ = ["Batch", "Body", "Doubtful", "Element", "Failed", "Interrupted", "Joint", "Marker", "Model", "ModelError",
           "RealTime", "Remark", "Results", "Simulation", "Sweep", "TangentSimulation", "agree", "load", "parse", "read",
           "read_real_time", "stability", "sweep"]

globals().update(_CLASSES)
__all__ += sorted(_CLASSES)
for _name, _classes in _CATEGORIES.items():
    _space = _types.SimpleNamespace(**_classes)
    globals()[_name.replace("-", "_")] = _space
    __all__.append(_name.replace("-", "_"))
del _name, _classes, _space, _types
