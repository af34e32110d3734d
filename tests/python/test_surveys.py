"""What the command line offers besides runs."""
import json
import math
import subprocess

import numpy as np
import pytest
from conftest import ROOT, mb, program

FOUR_BAR = ROOT / "examples/four_bar"


def test_modes_of_a_pendulum(pendulum):
    """A rod of length l = 1 about its end: ω² = 3 g / (2 l)."""
    r = pendulum.modes(about="equilibrium", inputs=["motor"], output={"channels": ["rod.angle", "rod.omega"]})
    A, B, C, D = r.state_space
    assert A.shape == (2, 2) and B.shape == (2, 1) and C.shape == (2, 2) and D.shape == (2, 1)
    assert np.max(np.abs(np.linalg.eigvals(A).imag)) == pytest.approx(math.sqrt(1.5 * 9.81), rel=1e-9)
    # From the torque to the angle at rest: 1 / (m g l/2).
    assert (D - C @ np.linalg.solve(A, B))[0, 0] == pytest.approx(1 / (9.81 / 2), rel=1e-9)


def test_equilibrium_and_inverse(pendulum):
    assert pendulum.equilibrium()["rod.angle"][-1] == pytest.approx(-math.pi / 2, abs=1e-9)
    pendulum.driver("turn", mb.Angle(pendulum.ground, "rod", value="= 0.5*t^2"))
    r = pendulum.kinematic(end=1, output={"step": 0.1})
    assert np.allclose(r["rod.angle"], 0.5 * r.time ** 2, atol=1e-10)


def test_topology_is_that_of_the_program():
    found = mb.read(FOUR_BAR).topology(chords=["D"])
    assert found == json.loads(program("topology", FOUR_BAR, "--chords", "D", "--format", "json").stdout)
    assert str(found) == program("topology", FOUR_BAR, "--chords", "D").stdout
    assert found.picture.startswith("<svg") and found._repr_svg_() == found.picture


def test_independent_variables_are_those_of_the_program():
    assert mb.read(FOUR_BAR).independent() == json.loads(program("independent", FOUR_BAR, "--format", "json").stdout)


def test_methods_are_compared():
    found = mb.read(FOUR_BAR).compare(["standard", mb.Baumgarte(alpha=20, beta=20)], integrators=["rk4", "heun"],
                                      steps=[1e-2], end=0.5)
    runs = found["runs"]
    assert [run["treatment"] for run in runs] == ["standard", "baumgarte(alpha=20,beta=20)"] * 2
    assert {run["integrator"] for run in runs} == {"rk4", "heun"} and all(run["steps"] == 50 for run in runs)
    assert "<html" in found.page


def test_stability_is_that_of_the_program():
    found = mb.stability("rk4", 1000, 1000, 1e-3)
    assert found["verdict"] == "stable"
    assert found["largest"] == pytest.approx(abs(1 - 1 + 1 / 2 - 1 / 6 + 1 / 24), rel=1e-6)
    assert mb.stability(mb.Euler(), 1000, 1000, 3e-3)["verdict"] == "unstable"
    with pytest.raises(ValueError, match="rk5"):
        mb.stability("rk5", 1, 1, 1e-3)


def test_agreement_of_results(tmp_path):
    m = mb.read(FOUR_BAR)
    a, b = m.run(end=0.5, estimate=False), m.run(end=0.5, integrator="dormand-prince", estimate=False)
    a.save(tmp_path / "a")
    for pair in ((a, b), (tmp_path / "a", b)):
        found = {row["channel"]: row for row in mb.agree(*pair, channels=["crank.angle"])}
        assert list(found) == ["crank.angle"]
        assert found["crank.angle"]["max"] == np.max(np.abs(a["crank.angle"] - b["crank.angle"]))


def test_a_precomputed_model_moves_as_the_model_does(tmp_path):
    m = mb.read(FOUR_BAR)
    tables = m.precompute(bound=1e-8)
    sim, whole = tables.simulation(), m.simulation()
    for s in (sim, whole):
        s.advance(0.5)
    assert sim["crank.angle"] == pytest.approx(whole["crank.angle"], abs=1e-6)
    tables.save(tmp_path / "four_bar.rt")
    stepper = mb.read_real_time(tmp_path / "four_bar.rt").stepper()
    for _ in range(500):
        stepper.step(1e-3)
    assert stepper.time == pytest.approx(0.5) and len(stepper.names) == 1
    before = stepper.rates[0]
    stepper.input = [10.0]
    stepper.step(1e-3)
    assert stepper.rates[0] != before
    with pytest.raises(ValueError):
        stepper.input = [1, 2]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/link.rt").symlink_to(tmp_path / "four_bar.rt")
    assert mb.read_real_time(tmp_path / "sub/link.rt").bytes == tables.bytes
    with pytest.raises(mb.ModelError, match="leads out of its folder"):
        mb.read_real_time(tmp_path / "sub/link.rt", untrusted=True)


def test_emitted_c_is_that_of_the_program(tmp_path):
    m = mb.read(FOUR_BAR)
    files = m.emit_c(tmp_path / "python", step=m["analysis.step"])
    program("precompute", FOUR_BAR, "--emit-c", tmp_path / "program", "--quiet")
    for name, text in files.items():
        assert (tmp_path / "program" / name).read_text() == text == (tmp_path / "python" / name).read_text()
    compiled = subprocess.run(["gcc", "-std=c99", "-fsyntax-only", str(tmp_path / "python" / "four_bar.c")], check=False)
    assert compiled.returncode == 0


def test_pictures():
    m = mb.read(FOUR_BAR)
    r = m.run(end=1, estimate=False)
    for picture in (m.picture(), r.picture(0.5, trace=["B"]), r.picture(strobe=4), r.svg("crank.angle", "A.on_crank.fx"),
                    r.svg("crank.angle", "crank.omega", phase=True)):
        assert picture.startswith("<svg") and picture._repr_svg_() == picture
    with pytest.raises(mb.ModelError, match="view"):
        r.picture(view="sideways")


def test_an_animation_is_a_file_of_gltf(tmp_path):
    mb.read(ROOT / "examples/heavy_top").run(end=0.1, estimate=False).animation(tmp_path / "top.glb")
    assert (tmp_path / "top.glb").read_bytes()[:4] == b"glTF"


def test_sensitivity_of_an_equilibrium(pendulum):
    """A torque T holds the rod at the angle φ with m g l/2 cos φ = T, so that dφ/dT = -1 / (m g l/2 sin φ)."""
    pendulum["parameters"] = {"torque": 2.0}
    pendulum["forces.motor.moment"] = "= torque"
    found = pendulum.sensitivity()
    angle = found["rod.angle"][-1]
    assert found["rod.angle/torque"][-1] == pytest.approx(-1 / (9.81 / 2 * math.sin(angle)), rel=1e-6)
