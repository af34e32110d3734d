"""Functions of Python, and compiled ones, in the place of formulas."""
import ctypes
import gc
import weakref

import numpy as np
import pytest
from conftest import mb

SPRING = "= -3*rod.angle - 0.5*rod.omega"


def with_motor(pendulum, value, **more):
    del pendulum["forces.motor"]
    pendulum.torque("motor", pendulum.ground, pendulum.bodies["rod"], value, **more)
    return pendulum


def spring(t, state):
    return -3 * state["rod.angle"] - 0.5 * state["rod.omega"]


def test_a_torque_is_that_of_the_formula(pendulum):
    by_formula = with_motor(pendulum, SPRING).run(end=0.5, estimate=False)
    by_function = with_motor(pendulum, spring).run(end=0.5, estimate=False)
    assert np.allclose(by_function["rod.angle"], by_formula["rod.angle"], rtol=0, atol=1e-12)
    assert by_function.trusted  # its power is in the balance of energy, which closes


def test_a_force_has_functions_for_its_components(pendulum):
    rod = pendulum.bodies["rod"]
    pendulum.push("gust", rod.at(0.5, 0), force=[lambda t, state: np.sin(t), lambda t, state: 2 * state["tip.vy"]])
    pendulum.point("tip", rod.at(0.5, 0))
    r = pendulum.run(end=0.3, estimate=False)
    assert np.allclose(r["gust.fx"], np.sin(r.time), atol=1e-14)
    assert np.allclose(r["gust.fy"], 2 * r["tip.vy"], atol=1e-12)


def test_signals_and_joints_are_read_by_name(pendulum):
    pendulum.input("target", 0.2)
    pendulum.signal("error", lambda t, state: state["target"] - state["pin.angle"], unit="rad")
    pendulum.signal("pull", lambda t, state: 5 * state["error"] - state["pin.angle_rate"], unit="N m")
    del pendulum["forces.motor"]
    pendulum.torque("motor", pendulum.ground, "rod", "= pull")
    r = pendulum.run(end=0.2, estimate=False)
    assert np.allclose(r["pull"], 5 * (0.2 - r["pin.angle"]) - r["pin.angle_rate"], atol=1e-12)


def test_a_compiled_function_runs_without_the_interpreter(pendulum):
    """libm's fmax takes two numbers; here a function of one address and what it reads is enough: cos(t)."""
    cos = ctypes.CDLL("libm.so.6").cos
    cos.restype, cos.argtypes = ctypes.c_double, [ctypes.c_double]
    r = with_motor(pendulum, cos, reads=["rod.angle"]).run(end=0.3, estimate=False)
    assert np.allclose(r["motor.moment"], np.cos(r.time), atol=1e-14)


def test_a_driver_follows_a_function(pendulum):
    pendulum.driver("turn", mb.Angle(pendulum.ground, "rod",
                                     value=lambda t: (np.sin(2 * t), 2 * np.cos(2 * t), -4 * np.sin(2 * t))))
    r = pendulum.kinematic(end=1, output={"step": 0.1})
    assert np.allclose(r["rod.angle"], np.sin(2 * r.time), atol=1e-12)
    assert np.allclose(r["rod.alpha"], -4 * np.sin(2 * r.time), atol=1e-10)
    pendulum["drivers.turn.value"] = lambda t: np.sin(t)
    with pytest.raises(TypeError, match="value, rate, acceleration"):
        pendulum.kinematic(end=1)


def test_other_values_are_no_functions(pendulum):
    pendulum["bodies.rod.mass"] = lambda t, state: 1.0
    with pytest.raises(mb.ModelError, match="bodies.rod.mass"):
        pendulum.run()


def test_what_a_function_raises_is_the_cause(pendulum):
    def broken(t, state):
        if t > 0.1:
            raise ZeroDivisionError("too late")
        return 0.0
    with pytest.raises(mb.Failed) as caught:
        with_motor(pendulum, broken).run(end=0.5, estimate=False, output={"step": 0.01})
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert caught.value.outcome == "call failed" and len(caught.value.results.time) > 1


def test_a_function_that_fails_at_the_start_raises_what_it_raises(pendulum):
    with pytest.raises(KeyError, match="did you mean 'rod.angle'"):
        with_motor(pendulum, lambda t, state: state["rod.angel"]).run(end=0.5)
    with pytest.raises(TypeError, match="number"):
        with_motor(pendulum, lambda t, state: "much").run(end=0.5)


def test_simulations_call_functions_too(pendulum):
    sim = with_motor(pendulum, spring).simulation()
    other = sim.copy()
    sim.advance(0.1)
    other.advance(0.1)
    assert sim["rod.angle"] == other["rod.angle"]


def test_a_state_lasts_as_long_as_the_call(pendulum):
    kept = []

    def keeps(t, state):
        kept.append(state)
        return 0.0
    with_motor(pendulum, keeps).run(end=0.01, estimate=False)
    with pytest.raises(ValueError, match="during the call"):
        kept[0]["rod.angle"]


def test_functions_are_not_written(pendulum):
    with pytest.raises(mb.ModelError, match="forces.motor.moment"):
        with_motor(pendulum, spring).toml()


def test_a_function_gives_way_to_a_formula(pendulum):
    with_motor(pendulum, spring)
    pendulum["forces.motor.moment"] = 0
    assert pendulum.toml() and np.all(pendulum.run(end=0.01)["motor.moment"] == 0)


def test_functions_are_released(pendulum):
    class Torque:
        def __call__(self, t, state):
            return 0.0
    torque = Torque()
    alive = weakref.ref(torque)
    results = with_motor(pendulum.copy(), torque).run(end=0.01, estimate=False)
    del torque, results
    gc.collect()
    assert alive() is None


def test_what_failed_is_released(pendulum):
    def broken(t, state):
        if t > 0.01:
            raise ZeroDivisionError("too late")
        return 0.0
    alive = weakref.ref(broken)
    model = with_motor(pendulum, broken)
    try:
        model.run(end=0.5, estimate=False)
    except mb.Failed as failed:
        results = failed.results
    assert len(results.time) >= 1
    del pendulum["forces.motor"], model, results, broken
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("changes, moment", [({"forces.motor.moment": 0.25}, 0.25),
                                             ({"forces.motor.moment": "= 2*t"}, 0.02),
                                             ({"forces.motor": {"type": "moment", "bodies": ["ground", "rod"],
                                                                "moment": 3}}, 3)])
def test_a_change_takes_the_place_of_a_function(pendulum, changes, moment):
    model = with_motor(pendulum, lambda t, state: 5.0)
    r = model.run(end=0.01, estimate=False, changes=changes)
    assert r["motor.moment"][-1] == pytest.approx(moment, abs=1e-14)
    sim = model.simulation(changes=changes)
    sim.advance(0.01)
    assert sim["motor.moment"] == pytest.approx(moment, abs=1e-14)
    assert model.run(end=0.01, estimate=False)["motor.moment"][-1] == 5


def test_a_change_takes_the_place_of_a_signal_and_a_motion(pendulum):
    pendulum.signal("pull", lambda t, state: 5.0)
    for key in ("signals.pull", "signals.pull.value"):
        assert pendulum.run(end=0.01, estimate=False, changes={key: "= 7"})["pull"][-1] == 7
    pendulum.driver("turn", mb.Angle(pendulum.ground, "rod", value=lambda t: (t, 1, 0)))
    assert pendulum.kinematic(end=1, changes={"drivers.turn.value": "= 2*t"})["rod.angle"][-1] == pytest.approx(2)


def test_a_signal_reads_those_before_it_only(pendulum):
    pendulum.signal("a", lambda t, state: 2 * state["b"])
    pendulum.signal("b", "= 3*t")
    with pytest.raises(mb.ModelError, match="declare 'b' before 'a'"):
        pendulum.run(end=0.1)
    pendulum["signals"] = {}
    pendulum.signal("b", "= 3*t")
    pendulum.signal("a", lambda t, state: 2 * state["b"])
    r = pendulum.run(end=0.1, estimate=False)
    assert np.allclose(r["a"], 6 * r.time, atol=1e-15)


def test_signals_that_depend_on_each_other_are_refused(pendulum):
    pendulum.signal("a", lambda t, state: state["b"] + 1)
    pendulum.signal("b", lambda t, state: state["a"] + 1)
    with pytest.raises(mb.ModelError, match="signals depend on each other"):
        pendulum.run(end=0.1)
    pendulum["signals"] = {}
    pendulum.signal("a", lambda t, state: state["a"] + 1)
    with pytest.raises(mb.ModelError, match="reads itself"):
        pendulum.run(end=0.1)


def test_a_compiled_signal_reads_those_before_it_only(pendulum):
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.POINTER(ctypes.c_double))(lambda t, x: x[0])
    pendulum.signal("a", function, reads=["b"])
    pendulum.signal("b", "= 3*t")
    with pytest.raises(mb.ModelError, match="declare 'b' before 'a'"):
        pendulum.run(end=0.1)


def test_a_sensitivity_calls_functions(pendulum):
    pendulum.parameter("k", 1.0)
    pendulum["bodies.rod.mass"] = "= k"
    with_motor(pendulum, lambda t, state: 4.905 / 2)
    by_function = pendulum.sensitivity()
    pendulum["forces.motor.moment"] = "= 4.905/2"
    by_formula = pendulum.sensitivity()
    assert by_function["rod.angle/k"][-1] == pytest.approx(by_formula["rod.angle/k"][-1], rel=1e-6)


def test_a_signal_reads_joints_of_the_same_instant(pendulum):
    """A function and a formula of the same words move the pendulum alike, to the last bit."""
    angles = []
    for value in ("= -3*pin.angle - pin.angle_rate", lambda t, state: -3 * state["pin.angle"] - state["pin.angle_rate"]):
        model = pendulum.copy()
        model.signal("pull", value)
        model["forces.motor.moment"] = "= pull"
        angles.append(model.run(end=1, estimate=False)["rod.angle"])
    assert np.array_equal(*angles)
