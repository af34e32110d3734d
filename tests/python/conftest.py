"""What the tests of the Python module share."""
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/model.*"))
PROGRAM = os.environ.get("MUBODY_PROGRAM", str(ROOT / "build/bin/mubody"))

sys.path.insert(0, os.environ.get("MUBODY_PYTHON", str(ROOT / "build/python")))

import mubody as mb  # noqa: E402


@pytest.fixture(autouse=True)
def remarks_are_not_told():
    """Remarks of runs are warnings; tests that look for them ask for them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", mb.Remark)
        yield


@pytest.fixture
def pendulum():
    """A rod that hangs on a pin, with a motor that is an input."""
    m = mb.Model("pendulum", gravity=(0, -9.81))
    rod = m.body("rod", mass=1, inertia=1 / 12, position=(0.5, 0))
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    m.torque("motor", m.ground, rod)
    return m


def program(*arguments):
    """Runs the program; returns what it says."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
