"""Models built in Python, changed, copied, pickled, written and read."""
import copy
import pickle

import numpy as np
import pytest
from conftest import ROOT, mb


def test_values_are_set_by_key(pendulum):
    pendulum["bodies.rod.mass"] = "1200 g"
    assert pendulum["bodies.rod.mass"] == "1200 g"
    rod = pendulum.bodies["rod"]
    rod["mass"] = 2
    assert rod["mass"] == 2 and "inertia" in rod and "angle" not in rod
    del pendulum["bodies.rod.mass"]
    with pytest.raises(KeyError):
        pendulum["bodies.rod.mass"]


def test_quantities_with_units_are_those_of_files():
    """A rod of 1 m turned by 60 degrees: its energy is that of the same numbers in SI."""
    ends = []
    for mass, angle in ((1.5, np.pi / 3), ("1500 g", "60 deg")):
        m = mb.Model(gravity=(0, -9.81))
        rod = m.body("rod", mass=mass, inertia=0.2, position=(0, 0), angle=angle)
        m.joint("pin", mb.Revolute(m.ground, rod.at(-0.5, 0)))
        ends.append(m.run(end=0.1, estimate=False)["rod.angle"][-1])
    assert ends[0] == ends[1]


def test_arrays_of_numpy_are_values():
    m = mb.Model(gravity=np.array([0, -9.81]))
    m.body("a", mass=np.float64(2), inertia=np.int64(1), position=np.zeros(2))
    assert m["bodies.a"] == {"mass": 2.0, "inertia": 1, "position": [0.0, 0.0]}


def test_text_is_a_model_file(pendulum, tmp_path):
    assert mb.parse(pendulum.toml()) == pendulum
    pendulum.save(tmp_path / "model.toml")
    again = mb.read(tmp_path)
    assert again == pendulum
    assert np.array_equal(again.run(end=0.2)["rod.angle"], pendulum.run(end=0.2)["rod.angle"])


def test_saving_takes_data_files_along(tmp_path):
    m = mb.read(ROOT / "examples/mesh_pendulum")
    m.save(tmp_path / "model.toml")
    assert mb.read(tmp_path) == m
    assert (tmp_path / "bracket.stl").exists()


def test_copies_do_not_share(pendulum):
    for other in (pendulum.copy(), copy.copy(pendulum), copy.deepcopy(pendulum), pickle.loads(pickle.dumps(pendulum))):
        assert other == pendulum
        other["bodies.rod.mass"] = 5
        assert other != pendulum and pendulum["bodies.rod.mass"] == 1


def test_places_markers_shapes_and_signals():
    m = mb.Model(gravity=(0, -9.81))
    m.place("A", (0, 0))
    m.place("B", (1, 0))
    m.place("M", between=["A", "B"], share=0.5)
    bar = m.body("bar", mb.Rod(through=["A", "B"]), mass=2)
    m.body("wheel", mb.Cylinder(radius=0.1, width=0.05), density=900, position=(3, 0))
    m.joint("A", mb.Revolute(m.ground, bar))
    tip = m.marker("tip", bar, at="B")
    m.point("end", tip)
    m.signal("lean", "= bar.angle", unit="rad")
    m.signal("filtered", mb.Lag(input="= lean", time="10 ms"), unit="rad")
    m.input("target", 0.5, unit="rad")
    m.output("swing", "A.angle")
    r = m.run(end=0.1, output={"step": 0.01})
    assert np.allclose(r["lean"], r["bar.angle"], atol=1e-14)
    assert np.array_equal(r["swing"], r["A.angle"])
    assert np.allclose(np.hypot(r["end.x"], r["end.y"]), 1, atol=1e-12)
    assert mb.parse(m.toml()) == m


def test_parameters_keep_their_ranges():
    m = mb.Model("pendulum", gravity=(0, -9.81))
    length = m.parameter("length", "2 m", min=1, max="300 cm")
    rod = m.body("rod", mass=1, inertia=1 / 12, position=(f"= {length}", 0))
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    assert 'length = {value = "2 m", min = 1, max = "300 cm"}' in m.toml()
    m.run(end=0.01, changes={"parameters.length": 2.5})
    with pytest.raises(mb.ModelError, match="3.5 is outside of the range: expected from 1 to 300 cm"):
        m.run(end=0.01, changes={"parameters.length": 3.5})


def test_every_analysis_is_a_method():
    m = mb.read(ROOT / "examples/four_bar")
    for name in ("assembly", "equilibrium", "forward", "inverse", "kinematic", "modes", "sensitivity"):
        assert callable(getattr(m, name))
    assert m.assembly().summary["analysis"] == "assembly"


def test_changes_are_told_in_the_summary():
    m = mb.read(ROOT / "examples/pendulum")
    r = m.run(end=0.1, changes={"output.step": 0.05})
    assert r.summary["changes"] == ["analysis.end=0.1", "output.step=0.05"]
    assert list(r.time) == [0, 0.05, 0.1]


def test_check_says_what_the_mechanism_is():
    found = mb.read(ROOT / "examples/four_bar").check()
    assert found["freedom"]["actual"] == 1


def test_a_model_of_a_stranger_reads_nothing_elsewhere(tmp_path):
    example = ROOT / "examples/mesh_pendulum"
    (tmp_path / "bracket.stl").write_bytes((example / "bracket.stl").read_bytes())
    (tmp_path / "sub").mkdir()
    text = (example / "model.toml").read_text().replace("bracket.stl", "../bracket.stl")
    (tmp_path / "sub/model.toml").write_text(text)
    mb.read(tmp_path / "sub").check()
    m = mb.read(tmp_path / "sub", untrusted=True)
    changed = m.copy()
    changed["name"] = "another"
    for model in (m, changed, pickle.loads(pickle.dumps(m)), mb.parse(text, tmp_path / "sub/model.toml", untrusted=True)):
        with pytest.raises(mb.ModelError, match="lies outside"):
            model.check()
