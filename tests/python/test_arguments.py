"""What is said of values of another kind than they should be."""
import copy
import json
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest
from conftest import mb


def test_a_text_is_no_list(pendulum):
    r = pendulum.run(end=0.1, estimate=False)
    wrong = [lambda: mb.Batch(pendulum, 2, inputs="motor"), lambda: mb.Batch(pendulum, 2, outputs="rod.angle"),
             lambda: pendulum.compare("standard"), lambda: pendulum.compare(integrators="rk4"),
             lambda: mb.agree(r, r, "rod.angle"), lambda: r.picture(trace="rod"),
             lambda: pendulum.torque("x", pendulum.ground, "rod", 0, reads="rod.angle")]
    for call in wrong:
        with pytest.raises(TypeError, match=r"expected a list of .*got .*; write \["):
            call()
    with pytest.raises(TypeError, match="steps: expected a list of values, got 0.1"):
        pendulum.compare(steps=0.1)


def test_messages_are_in_our_words(pendulum):
    sim = pendulum.simulation()
    batch = mb.Batch(pendulum, 2)
    wrong = [lambda: sim.advance("x"), lambda: sim.advance_to(None), lambda: sim.restore(3),
             lambda: pendulum.simulation(record="x"), lambda: batch.advance("x"), lambda: mb.parse(3),
             lambda: pendulum.run(end=0.1).svg("rod.angle", width="x")]
    for call in wrong:
        with pytest.raises(TypeError) as caught:
            call()
        message = str(caught.value)
        assert "expected" in message and "incompatible" not in message and "_core" not in message


def test_tables_of_a_model_are_not_changed_in_vain(pendulum):
    bodies = pendulum["bodies"]
    for change in (lambda: bodies["rod"].__setitem__("mass", 50), lambda: bodies.update(a=1),
                   lambda: pendulum["bodies.rod.position"].append(1), lambda: bodies.pop("rod")):
        with pytest.raises(TypeError, match="set it in the model"):
            change()
    assert bodies["rod"]["mass"] == 1 and isinstance(bodies, dict)
    free = copy.deepcopy(bodies)
    free["rod"]["mass"] = 50
    assert json.loads(json.dumps(bodies)) == bodies == pickle.loads(pickle.dumps(bodies))
    pendulum["bodies"] = free
    assert pendulum["bodies.rod.mass"] == 50


def test_a_key_has_a_depth(pendulum):
    with pytest.raises(ValueError, match="at most 64 parts, got 100000"):
        pendulum[["a"] * 100000] = 1
    assert pendulum.copy() == pendulum


def test_values_of_parts_are_deleted(pendulum):
    del pendulum.bodies["rod"]["mass"]
    assert "bodies.rod.mass" not in pendulum
    with pytest.raises(KeyError):
        del pendulum.bodies["rod"]["mass"]


def test_models_are_equal_if_their_functions_are(pendulum):
    def pull(t, state):
        return 0.0
    one, other = pendulum.copy(), pendulum.copy()
    one["forces.motor.moment"] = pull
    assert one != pendulum
    other["forces.motor.moment"] = lambda t, state: 0.0
    assert one != other
    other["forces.motor.moment"] = pull
    assert one == other == one.copy()


def test_shapes_take_what_bodies_take():
    m = mb.Model("shapes", gravity=(0, -9.81))
    m.body("one", mb.Box(length=1, width=0.1, thickness=0.1, density=7850, angle="30 deg"))
    m.body("two", mb.Cylinder(radius=0.1, width=0.2, mass=3))
    text = m.toml()
    assert "density" in text and m["bodies.two.mass"] == 3
    assert m.run("assembly")["one.angle"][0] == pytest.approx(np.pi / 6)


def test_a_torque_in_space_has_an_axis():
    m = mb.Model("space", gravity=(0, 0, 0))
    m.body("rod", mass=1, inertia=(2, 1, 1))
    m.torque("turn", "rod", value=4.0, axis=(1, 0, 0))
    assert m.run(end=1)["rod.wx"][-1] == pytest.approx(2, rel=1e-9)  # t M / J


def test_failed_points_of_a_sweep_have_no_numbers(pendulum):
    pendulum["analysis"] = {"end": 0.1}
    rows = mb.sweep(pendulum, {"bodies.rod.mass": [-1, 1]}, ["rod.angle"])
    assert list(rows["outcome"]) == ["failed", "good"]
    for name in ("violation", "energy_residual", "rod.angle"):
        assert np.isnan(rows[name][0]) and np.isfinite(rows[name][1])


def test_data_files_are_found_from_another_folder(tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "pull.csv").write_text("t,value\n0,1\n1,1\n2,1\n3,1\n")
    (tmp_path / "there" / "model.toml").write_text("""
[bodies.rod]
mass = 1
inertia = 1
[forces.pull]
type = "moment"
body = "rod"
moment = {type = "spline", data = "pull.csv"}
[analysis]
end = 0.1
""")
    monkeypatch.chdir(tmp_path)
    model = mb.read("there/model.toml")
    os.chdir("/")
    assert model.run(estimate=False)["pull.moment"][-1] == pytest.approx(1)
    model.save(tmp_path / "copy.toml")
    assert (tmp_path / "pull.csv").exists()


def test_an_interrupted_batch_says_so(pendulum):
    batch = mb.Batch(pendulum, 4, threads=2, outputs=["rod.angle"])

    def press():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(mb.Interrupted) as caught:
        batch.advance(1e6)
    thread.join()
    assert caught.value.results.shape == (4, 1) and not batch.failed.any()
    batch.advance(1e-3)


def test_a_stepper_refuses_what_is_no_number():
    m = mb.Model("pendulum", gravity=(0, -9.81))
    rod = m.body("rod", mass=1, inertia=1 / 12, position=(0.5, 0))
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    stepper = m.precompute().stepper()
    with pytest.raises(ValueError, match="finite"):
        stepper.input = [float("nan")]
    stepper.input = [1e300]
    before = stepper.variables, stepper.rates, stepper.time
    with pytest.raises(mb.Failed, match="no sensible numbers|range"):
        stepper.step(1e-3)
    assert (stepper.variables, stepper.rates, stepper.time) == before
    stepper.input = [0.0]
    stepper.step(1e-3)


def test_modes_take_inputs_by_the_names_of_simulations(pendulum):
    pendulum.push("wind", "rod")
    sim = pendulum.simulation()
    asked = {"about": "equilibrium", "output": {"channels": ["rod.angle"]}}
    for name, short in (("motor.moment", "motor"), ("wind.force.x", "wind.x")):
        assert name in sim.inputs
        by_name = pendulum.modes(inputs=[name], **asked).state_space[1]
        assert np.array_equal(by_name, pendulum.modes(inputs=[short], **asked).state_space[1])


def test_an_interrupted_comparison_ends_at_once(pendulum):
    def press():
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    begin = time.monotonic()
    with pytest.raises(mb.Interrupted):
        pendulum.compare(end=1e5)
    thread.join()
    assert time.monotonic() - begin < 20
