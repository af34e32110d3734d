"""How long functions of a program live, and what happens when it ends."""
import ctypes
import gc
import os
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest
from conftest import mb

Compiled = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))


def compiled(value):
    return Compiled(lambda t, x: value)


def with_compiled(pendulum, value):
    pendulum["forces.motor.moment"] = compiled(value)
    return pendulum


def test_a_compiled_function_lives_as_long_as_a_simulation(pendulum):
    sim = with_compiled(pendulum, 2.0).simulation()
    twin = sim.copy()
    batch = mb.Batch(pendulum, 2, inputs=[], outputs=["motor.moment"])
    pendulum["forces.motor.moment"] = 0
    others = [compiled(9.0) for _ in range(50)]  # which would take the place of what was freed
    del pendulum
    gc.collect()
    for each in (sim, twin):
        each.advance(0.01)
        assert each["motor.moment"] == 2
    results = sim.finish()
    del sim, twin
    gc.collect()
    assert np.all(batch.advance(0.01) == 2) and others
    assert results.picture()


def test_a_compiled_function_is_released(pendulum):
    function = compiled(2.0)
    alive = weakref.ref(function)
    pendulum["forces.motor.moment"] = function
    sim = pendulum.simulation()
    del function
    pendulum["forces.motor.moment"] = 0
    gc.collect()
    assert alive() is not None
    del sim
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("what", ["model", "simulation", "batch", "results"])
def test_what_functions_refer_to_is_collected(pendulum, what):
    class Torque:
        def __call__(self, t, state):
            return 0.0
    torque = Torque()
    model = pendulum.copy()
    model["forces.motor.moment"] = torque
    torque.refers = {"model": lambda: model, "simulation": model.simulation,
                     "batch": lambda: mb.Batch(model, 2),
                     "results": lambda: model.run(end=0.01, estimate=False)}[what]()
    alive = weakref.ref(torque)
    del torque, model
    gc.collect()
    assert alive() is None


def test_a_collection_may_come_at_any_time(pendulum):
    gc.freeze()  # what others left need not be looked at every time
    pendulum = pendulum.copy()
    pendulum["forces.motor.moment"] = lambda t, state: gc.collect() * 0.0
    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        sim = pendulum.simulation()
        sim.advance(0.01)
        mb.Batch(pendulum, 3).advance(0.01)
        assert sim.copy().finish()
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


ENDS = """
import sys, threading, time
sys.path.insert(0, {path!r})
import warnings; warnings.simplefilter("ignore")
import mubody as mb
m = mb.Model("pendulum", gravity=(0, -9.81))
rod = m.body("rod", mass=1, inertia=1/12, position=(0.5, 0))
m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
m.torque("motor", m.ground, rod, {torque})
def work():
    while True:
        try:
            {work}
        except BaseException:
            pass
threads = [threading.Thread(target=work, daemon=True) for _ in range(2)]
for thread in threads:
    thread.start()
time.sleep(0.3)
print("done")
"""


@pytest.mark.parametrize("torque", ["0", "lambda t, state: -state['rod.omega']"])
@pytest.mark.parametrize("work", ["m.run(end=1e6)", "m.simulation().advance(1e6)", "m.simulation().advance(1e-3)",
                                  "mb.Batch(m, 4, threads=2).advance(1e6)"])
def test_a_program_may_end_while_threads_are_at_work(torque, work):
    path = os.path.dirname(os.path.dirname(mb.__file__))
    text = textwrap.dedent(ENDS).format(path=path, torque=torque, work=work)
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


def test_a_forked_process_ends_at_once():
    path = os.path.dirname(os.path.dirname(mb.__file__))
    text = textwrap.dedent(ENDS).format(path=path, torque="0", work="m.simulation().advance(1e6)") + textwrap.dedent("""
        import os
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            sys.exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), time.monotonic() - begin < 3)
    """)
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0 and ended.stdout.endswith("7 True\n")
