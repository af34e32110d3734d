"""Simulations that are advanced from Python."""
import threading

import numpy as np
import pytest
from conftest import mb


def test_a_motor_turns_the_rod_to_where_it_shall_be(pendulum):
    sim = pendulum.simulation()
    while sim.time < 5:
        weight = 9.81 * 0.5 * np.cos(sim["rod.angle"])
        sim["motor"] = weight - 60 * (sim["rod.angle"] - 0.52) - 8 * sim["rod.omega"]
        sim.advance(1e-2)
    assert sim.time == 5
    assert abs(sim["rod.angle"] - 0.52) < 1e-4


def test_steps_give_what_a_run_gives(pendulum):
    r = pendulum.run(end=0.5, output={"step": 0.05}, estimate=False)
    sim = pendulum.simulation(record=0.05)
    for _ in range(10):
        sim.advance(0.05)
    found = sim.finish()
    assert np.array_equal(found.time, r.time)
    assert np.allclose(found["rod.angle"], r["rod.angle"], rtol=0, atol=1e-8)
    assert found.trusted


def test_copies_and_snapshots_go_the_same_way(pendulum):
    sim = pendulum.simulation()
    sim.advance(0.2)
    here, other = sim.save(), sim.copy()
    sim["motor"] = 3
    sim.advance(0.2)
    pushed = sim["rod.angle"]
    other.advance(0.2)
    assert other["rod.angle"] != pushed
    sim.restore(here)
    assert sim.time == here.time == 0.2 and sim["motor"] == 0
    sim.advance(0.2)
    assert sim["rod.angle"] == other["rod.angle"]


def test_inputs_and_outputs_have_names(pendulum):
    sim = pendulum.simulation()
    assert sim.inputs == ["motor.moment"]
    assert sim.outputs["rod.angle"] == "rad"
    with pytest.raises(mb.ModelError, match="did you mean"):
        sim["rod.angel"]
    with pytest.raises(mb.ModelError, match="no input"):
        sim["engine"] = 1


def test_two_threads_run_two_simulations(pendulum):
    sims = [pendulum.simulation() for _ in range(2)]
    threads = [threading.Thread(target=sim.advance, args=(1.0,)) for sim in sims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sims[0]["rod.angle"] == sims[1]["rod.angle"]


def test_one_simulation_is_not_for_two_threads(pendulum):
    sim = pendulum.simulation(max_step=1e-4)
    refused = []

    def work():
        try:
            sim.advance(0.5)
        except RuntimeError as error:
            refused.append(str(error))
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sim.time in (0.5, 1.0)
    assert refused in ([], ["this simulation is being used by another thread"])


def test_a_driver_is_given_its_rate_too():
    m = mb.Model(gravity=(0, 0))
    rod = m.body("rod", mass=1, inertia=1)
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    m.driver("turn", mb.Angle(m.ground, rod, value=0))
    sim = m.simulation()
    sim["turn"] = (0.0, 2.0, 0.0)
    sim.advance(0.5)
    assert sim["rod.angle"] == pytest.approx(1.0, abs=1e-9)


def test_copies_in_threads_raise_their_own_exceptions(pendulum):
    def fails(t, state):
        if t > 0.2:
            raise ValueError(threading.current_thread().name)
        return 0.0
    pendulum["forces.motor.moment"] = fails
    first = pendulum.simulation()
    told = {}

    def work(sim):
        try:
            sim.advance(1)
        except mb.Failed as error:
            told[threading.current_thread().name] = str(error.__cause__)
    threads = [threading.Thread(target=work, args=(sim,)) for sim in [first, *(first.copy() for _ in range(3))]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 4 and all(name == why for name, why in told.items())


@pytest.mark.parametrize("dt", [-0.1, float("nan"), float("inf")])
def test_a_wrong_time_is_refused_and_the_simulation_goes_on(pendulum, dt):
    sim = pendulum.simulation()
    sim.advance(0.1)
    with pytest.raises(mb.Failed, match="time goes forward only"):
        sim.advance(dt)
    sim.advance(0.1)
    assert sim.time == 0.2
    batch = mb.Batch(pendulum, 2, inputs=["motor"], outputs=["rod.angle"])
    with pytest.raises(ValueError, match="time goes forward only"):
        batch.advance(dt)
    assert np.isfinite(batch.advance(0.1)).all()


def test_sampled_signals_meet_the_ends_of_advances(pendulum):
    pendulum.signal("v", "= -8*rod.omega", sample=0.01)
    pendulum["forces.motor.moment"] = "= v"
    sim = pendulum.simulation()
    for _ in range(10):
        sim.advance(0.1)
    assert sim.time == 1


def test_derivatives_beside_a_motion():
    """An oscillator, x = a cos w t + v / w sin w t with w = 5."""
    m = mb.parse("""
[parameters]
k = 50
[bodies]
block = {mass = 2, inertia = 1, position = [0.3, 0], velocity = [0.4, 0]}
[joints]
guide = {type = "translational", bodies = ["ground", "block"], at = [0, 0], axis = [1, 0]}
[forces]
spring = {type = "spring", bodies = ["ground", "block"], i = [-1, 0], j = [0, 0], stiffness = "= k", free_length = 1}
push = {type = "force", body = "block", at = [0, 0], force = [0, 0]}
[analysis]
type = "forward"
end = 2
""")
    sim = m.tangents("k", "block.vx", inputs=["push.force.x"], integrator="verner", rtol=1e-12)
    assert sim.variables == ["k", "block.vx"] and sim.inputs == ["push.force.x"]
    for _ in range(4):
        sim.advance(0.1)
    t, w = 0.4, 5.0
    c, s = np.cos(w * t), np.sin(w * t)
    by_w = -0.3 * t * s - 0.4 / w**2 * s + 0.4 / w * t * c
    assert sim.time == t
    assert abs(sim["block.x"] - (0.3 * c + 0.4 / w * s)) < 1e-10
    assert abs(sim.slope("block.x", "block.vx") - s / w) < 1e-10
    assert abs(sim.slope("block.x", "k") - by_w / (2 * w * 2)) < 1e-10
    sim["push.force.x"] = 3
    assert sim["push.force.x"] == 3
    assert abs(sim["block.ax"] - (3 - 50 * sim["block.x"]) / 2) < 1e-9
    with pytest.raises(mb.ModelError, match="not taken by 'm'"):
        sim.slope("block.x", "m")
    with pytest.raises(mb.ModelError, match="no parameter"):
        m.tangents("blok.x")
