"""Sweeps and batches."""
import numpy as np
import pytest
from conftest import ROOT, mb, program


def test_a_sweep_gives_the_rows_of_the_program(tmp_path):
    example = ROOT / "examples/four_bar"
    masses = [1.0, 1.5, 2.0]
    found = mb.sweep(mb.read(example), {"bodies.crank.mass": masses, "analysis.end": [0.5, 1.0]},
                     ["crank.angle", "max(crank.omega)"])
    program("sweep", example, "--vary", "bodies.crank.mass=1,1.5,2", "--vary", "analysis.end=0.5,1",
            "--keep", "crank.angle,max(crank.omega)", "--out", tmp_path / "rows.csv", "--quiet")
    lines = (tmp_path / "rows.csv").read_text().splitlines()[2:]
    rows = np.array(sorted(([float(x) for x in line.split(",")[:6]] for line in lines)))
    assert np.array_equal(rows[:, 1:], np.array([list(row)[:5] for row in found.rows]))
    assert found.units["crank.angle"] == "rad" and set(found["outcome"]) == {"good"}


def test_values_may_change_together_or_be_drawn(pendulum):
    pendulum["analysis"] = {"end": 0.1}
    found = mb.sweep(pendulum, {"bodies.rod.mass": [1, 2], "bodies.rod.inertia": [0.1, 0.3]}, "rod.angle", together=True)
    assert found["bodies.rod.inertia"].tolist() == [0.1, 0.3]
    drawn = mb.sweep(pendulum, {"bodies.rod.mass": "normal(1, 0.1)"}, "rod.angle", sample="random", points=5, seed=3)
    again = mb.sweep(pendulum, {"bodies.rod.mass": "normal(1, 0.1)"}, "rod.angle", sample="random", points=5, seed=3)
    assert len(drawn) == 5 and np.array_equal(drawn.rows, again.rows)


def test_a_parameter_is_called_as_it_was_given(pendulum):
    pendulum["analysis"] = {"end": 0.1}
    pendulum.parameter("heavy", 1.0)
    pendulum["bodies.rod.mass"] = "= heavy"
    found = mb.sweep(pendulum, {"heavy": [1, 2]}, "rod.angle")
    assert found.varied == ["heavy"] and found["heavy"].tolist() == [1, 2]


def test_a_point_that_fails_says_why(pendulum):
    pendulum["analysis"] = {"end": 0.1}
    found = mb.sweep(pendulum, {"bodies.rod.inertia": [0.1, -1]}, "rod.angle")
    assert found["outcome"].tolist() == ["good", "failed"] and "inertia" in found.messages[1]
    assert np.isnan(found["rod.angle"][1])


def test_mistakes_of_a_sweep_are_told(pendulum):
    with pytest.raises(mb.ModelError, match="bob"):
        mb.sweep(pendulum, {"bodies.bob.mass": [1]}, "rod.angle")
    with pytest.raises(ValueError, match="sample"):
        mb.sweep(pendulum, {"bodies.rod.mass": [1]}, "rod.angle", sample="some")
    with pytest.raises(ValueError, match="rod.angel"):
        mb.sweep(pendulum, {"bodies.rod.mass": [1]}, "rod.angel")


def test_a_batch_goes_as_its_simulations_go(pendulum):
    torques = np.array([0.0, 1.0, -2.0, 3.0])
    batch = mb.Batch(pendulum, 4, inputs=["motor"], outputs=["rod.angle", "rod.omega"])
    for _ in range(5):
        y = batch.advance(0.01, torques[:, None])
    for k, torque in enumerate(torques):
        sim = pendulum.simulation()
        sim["motor"] = torque
        for _ in range(5):
            sim.advance(0.01)
        assert y[k].tolist() == [sim["rod.angle"], sim["rod.omega"]]
    assert np.array_equal(batch.outputs, y) and np.allclose(batch.time, 0.05)
    batch.reset(np.array([True, False, False, True]))
    assert batch.time.tolist() == [0, 0.05, 0.05, 0]


def test_a_batch_in_threads_is_the_same(pendulum):
    torques = np.linspace(-1, 1, 6)
    one, two = (mb.Batch(pendulum, 6, inputs=["motor"], outputs=["rod.angle"], threads=n) for n in (1, 2))
    assert np.array_equal(one.advance(0.05, torques), two.advance(0.05, torques))


def test_what_fails_in_a_batch_is_marked(pendulum):
    pendulum["forces.motor.moment"] = "= sqrt(0.05 - t)"
    batch = mb.Batch(pendulum, 2, inputs=[], outputs=["rod.angle"])
    y = batch.advance(0.2)
    assert batch.failed.all() and np.isnan(y).all() and all(batch.messages)
    batch.reset()
    assert not batch.failed.any() and batch.messages == ["", ""] and np.isfinite(batch.advance(0.01)).all()


def test_inputs_of_a_batch_have_their_shape(pendulum):
    with pytest.raises(ValueError, match="2 simulations by 1 inputs"):
        mb.Batch(pendulum, 2, inputs=["motor"]).advance(0.01, np.zeros((3, 1)))


def test_functions_that_fail_in_a_batch_are_marked(pendulum):
    def fails(t, state):
        if t > 0.05:
            raise ValueError("too late")
        return 0.0
    pendulum["forces.motor.moment"] = fails
    for threads in (1, 2):
        batch = mb.Batch(pendulum, 4, inputs=[], outputs=["rod.angle"], threads=threads)
        batch.advance(0.2)
        assert batch.failed.all() and all("too late" in why for why in batch.messages)


def test_a_batch_runs_as_compiled_code():
    m = mb.Model("cart_pole", gravity=(0, -9.81))
    cart = m.body("cart", mass=1, inertia=1)
    pole = m.body("pole", mass=0.1, inertia=0.1 / 12, position=(0, 0.5))
    m.joint("rail", mb.Translational(m.ground.at(0, 0, axis=(1, 0)), cart.at(0, 0)))
    m.joint("pin", mb.Revolute(cart.at(0, 0), pole.at(0, -0.5)))
    m.push("motor", cart)
    names = {"inputs": ["motor.force.x"], "outputs": ["rail.slide", "pin.angle_rate"]}
    batch = mb.Batch(m, 4, device="compiled", step=1e-3, **names)
    push = np.array([0.0, 1, 2, 3])
    y = batch.advance(0.05, push)
    one = m.simulation(integrator="rk4", step=1e-3)
    one["motor.force.x"] = 2.0
    one.advance(0.05)
    assert y.shape == (4, 2) and np.allclose(y[2], [one["rail.slide"], one["pin.angle_rate"]], atol=1e-12)
    assert batch.input_names == names["inputs"] and batch.output_names == names["outputs"]
    assert np.allclose(batch.time, 0.05) and not batch.failed.any()
    batch.reset(np.array([False, False, True, False]))
    assert batch.outputs[2, 0] == 0 and batch.outputs[3, 0] > 0
    assert np.array_equal(batch.advance(0.01, push.astype(np.float32)[:, None]), batch.outputs)
    with pytest.raises(ValueError, match="4 simulations by 1 input"):
        batch.advance(0.01, np.zeros(3))
    with pytest.raises(ValueError, match="device is"):
        mb.Batch(m, 4, device="tpu", **names)
