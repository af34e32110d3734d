"""Mistakes and failures: exceptions that say where, and keep what there is."""
import os
import pickle
import signal
import threading
import warnings

import pytest
from conftest import mb

TEXT = '''gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = -1}
bob = {mass = "1 m", inertia = 1}
[joints]
pin = {type = "revolut", bodies = ["ground", "rod"], at = [0, 0]}
'''


def test_a_mistake_in_a_file_has_its_place(tmp_path):
    (tmp_path / "model.toml").write_text(TEXT)
    with pytest.raises(mb.ModelError, match="inertia") as caught:
        mb.read(tmp_path).run()
    e = caught.value
    assert (e.file, e.line, e.column) == (str(tmp_path / "model.toml"), 3, 28)
    assert (e.element, e.key) == ("rod", "inertia")
    assert [(other.element, other.key, other.line) for other in e.others] == [("bob", "mass", 4)]
    assert "a mass" in str(e)
    assert pickle.loads(pickle.dumps(e)).line == 3


def test_a_text_that_is_no_toml():
    with pytest.raises(mb.ModelError) as caught:
        mb.parse("gravity = [0,\n[bodies", "some.toml")
    assert caught.value.file == "some.toml" and caught.value.line == 2


def test_a_mistake_in_a_program_has_its_line(pendulum):
    pendulum.body("bob", mass=-1)
    with pytest.raises(mb.ModelError) as caught:
        pendulum.run()
    e = caught.value
    assert os.path.basename(e.file) == "test_errors.py" and e.line > 30 and e.column is None
    assert (e.element, e.key) == ("bob", "mass")


def test_names_are_given_once(pendulum):
    with pytest.raises(mb.ModelError, match="already"):
        pendulum.body("rod", mass=1)


def test_wrong_options_are_told(pendulum):
    with pytest.raises(mb.ModelError, match="rtl"):
        pendulum.run(rtl=1e-9)
    with pytest.raises(mb.ModelError, match="integrator"):
        pendulum.run(integrator="rk5")
    with pytest.raises(mb.ModelError, match="no such file"):
        mb.read("there/is/none.toml")


def test_a_failure_keeps_the_results(pendulum):
    pendulum["forces.motor.moment"] = "= sqrt(0.5 - t)"
    with pytest.raises(mb.Failed) as caught:
        pendulum.run(end=5, output={"step": 1e-2})
    e = caught.value
    assert e.outcome in e.results.outcome and e.at == pytest.approx(0.5, abs=0.02)
    assert e.results.time[-1] <= e.at + 1e-12 and len(e.results["rod.angle"]) > 40
    sim = pendulum.simulation(record=0.01)
    with pytest.raises(mb.Failed) as caught:
        sim.advance(5)
    assert len(caught.value.results["rod.angle"]) > 40


def test_remarks_are_warnings():
    m = mb.Model(gravity=(0, -9.81))
    m.body("free", mass=1, inertia=-0.0)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        r = m.run(end=0.1, integrator="euler", step=0.05)
    assert {str(w.message) for w in told} == set(r.remarks) | ({r.verdict} if not r.trusted else set())
    assert all(issubclass(w.category, mb.Remark) and w.filename == __file__ for w in told)
    assert not r.trusted and any(issubclass(w.category, mb.Doubtful) for w in told)


def test_an_interruption_keeps_the_results(pendulum):
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(mb.Interrupted) as caught:
        pendulum.run(end=1e3, max_steps=10 ** 9, max_step=1e-4, output={"step": 0.01})
    timer.join()
    assert isinstance(caught.value, KeyboardInterrupt)
    assert len(caught.value.results.time) > 1
    assert caught.value.results.outcome == "interrupted"


def pressed_after(seconds):
    """Ctrl-C, so many seconds from now."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_a_simulation_that_was_stopped_goes_on(pendulum):
    sim = pendulum.simulation(max_step=1e-4, max_steps=10 ** 9, record=0.01)
    timer = pressed_after(0.3)
    with pytest.raises(mb.Interrupted, match="stopped by the user") as caught:
        sim.advance(1e6)
    timer.join()
    reached = sim.time
    assert 0 < reached < 1e6 and caught.value.results.time[-1] == reached
    sim.advance(0.5)
    other = pendulum.simulation(max_step=1e-4, max_steps=10 ** 9)
    other.advance_to(sim.time)
    assert sim.time == reached + 0.5 and sim["rod.angle"] == pytest.approx(other["rod.angle"], abs=1e-6)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_that_was_stopped_goes_on(pendulum, threads):
    batch = mb.Batch(pendulum, 4, outputs=["rod.angle"], threads=threads, max_step=1e-4, max_steps=10 ** 9)
    timer = pressed_after(0.3)
    with pytest.raises(KeyboardInterrupt):
        batch.advance(1e6)
    timer.join()
    assert batch.time.max() > 0 and not batch.failed.any()
    reached = batch.time
    batch.advance(0.1)
    assert batch.time.tolist() == pytest.approx(reached + 0.1, abs=1e-12)


@pytest.mark.parametrize("lanes", [False, True])
def test_a_sweep_that_was_stopped_keeps_its_rows(pendulum, lanes):
    pendulum["analysis"] = {"end": 0.2, "max_step": 1e-4}
    timer = pressed_after(1)
    with pytest.raises(mb.Interrupted) as caught:
        mb.sweep(pendulum, {"bodies.rod.mass": [1 + 1e-4 * k for k in range(100000)]}, "rod.angle", lanes=lanes)
    timer.join()
    rows = caught.value.results
    assert 0 < len(rows) < 100000 and set(rows["outcome"]) == {"good"}


def test_a_function_that_is_stopped_stops_all(pendulum):
    def slow(t, state):
        raise KeyboardInterrupt
    pendulum["forces.motor.moment"] = slow
    sim = pendulum.simulation
    with pytest.raises(KeyboardInterrupt):
        sim().advance(1)
    with pytest.raises(KeyboardInterrupt):
        mb.Batch(pendulum, 3, inputs=[], outputs=["rod.angle"]).advance(1)


def test_wrong_types_are_told(pendulum):
    sim = pendulum.simulation()
    for work, words in ((lambda: sim.__setitem__("motor", "much"), "an input is a number, got str"),
                        (lambda: sim.__setitem__("motor", (0, None)), "number, got NoneType"),
                        (lambda: sim.__setitem__(3, 1), "name of an input is a text, got int"),
                        (lambda: sim[3], "is a text, got int"),
                        (lambda: pendulum.run(end=0.1).picture(size=("a", "b")), ".")):
        with pytest.raises(TypeError, match=words) as caught:
            work()
        assert "C++" not in str(caught.value) and "Unable to cast" not in str(caught.value)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf")])
def test_pictures_have_a_size(pendulum, bad):
    r = pendulum.run(end=0.1)
    for work in (lambda: r.picture(size=(bad, 100)), lambda: r.picture(size=(100, bad)), lambda: r.svg("rod.angle", width=bad)):
        with pytest.raises(ValueError, match="positive"):
            work()
    with pytest.raises(ValueError, match="finite"):
        r.picture(float("nan"))
    with pytest.raises(ValueError, match="two channels"):
        r.svg("rod.angle", phase=True)


@pytest.mark.parametrize("argument", [None, object(), {1: 2}, {"a": object()}, float("nan"), 10 ** 400, "\0", [[[]]]])
def test_no_argument_crashes(pendulum, argument):
    for work in (lambda: pendulum.body("x", mass=argument), lambda: mb.Model(gravity=argument),
                 lambda: pendulum.joint("x", argument), lambda: pendulum.run(end=argument, rtol=1e-3),
                 lambda: pendulum.simulation(record=argument), lambda: pendulum.run(changes=argument),
                 lambda: mb.parse(argument), lambda: mb.read(argument), lambda: mb.load(argument),
                 lambda: pendulum.simulation().advance(argument), lambda: pendulum[argument],
                 lambda: mb.Revolute(argument, argument), lambda: pendulum.run(argument)):
        try:
            work()
            pendulum.toml()
        except (ValueError, TypeError, KeyError, OverflowError, AttributeError, OSError, mb.Failed):
            pass
