"""FMUs in FMPy: its validator has no remark, and its simulations are those of the module."""
from pathlib import Path

import numpy as np
import pytest

import mubody as mb

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
TWELVE = {"four_bar": ["crank.angle", "coupler.x"], "bricard": ["rod1.x", "rod3.vx"], "bouncing_ball": ["ball.y"],
          "slider_crank_driven": ["slider.x"], "spatial_slider_crank": ["slider.x"], "stick_slip": ["block.x"],
          "cart_pole": ["cart.x", "pole.angle"], "crane": ["trolley.x"], "double_pendulum": ["A.angle"],
          "heavy_top": ["top.x"], "rolling_disc": ["disc.x"], "stewart_platform": ["platform.z"]}
STOP, STEP = 1.0, 0.02


def native(model, names):
    sim = model.simulation()
    rows = [[sim[name] for name in names]]
    for k in range(round(STOP / STEP)):
        sim.advance_to(k * STEP + STEP)
        rows.append([sim[name] for name in names])
    return np.array(rows)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("example", TWELVE)
def test_co_simulation(example, version, tmp_path):
    model, file = mb.read(ROOT / "examples" / example), str(tmp_path / "one.fmu")
    known = set(model.simulation().outputs)
    names = [name for name in TWELVE[example] if name in known]
    assert names
    model.fmu(file, version=version)
    assert validate_fmu(file) == []
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=STEP, output=names)
    expected = native(model, names)
    for k, name in enumerate(names):
        np.testing.assert_allclose(result[name], expected[:, k], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("example", ["four_bar", "bricard", "bouncing_ball", "cart_pole", "stick_slip"])
def test_model_exchange(example, version, tmp_path):
    model, file, names = mb.read(ROOT / "examples" / example), str(tmp_path / "one.fmu"), TWELVE[example]
    model.fmu(file, version=version, kind="me")
    assert validate_fmu(file) == []
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=STEP, output=names, relative_tolerance=1e-10)
    expected = native(model, names)
    for k in range(len(expected)):
        # At an event there are two rows; the state behind it counts.
        at = np.flatnonzero(np.abs(result["time"] - k * STEP) < 1e-9)[-1]
        for n, name in enumerate(names):
            assert abs(result[name][at] - expected[k, n]) < 1e-6


def test_parameters(tmp_path):
    file = str(tmp_path / "one.fmu")
    model = mb.read(ROOT / "examples/four_bar")
    model.fmu(file, outputs=["crank.angle"])
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=STEP, start_values={"b": 4.2})
    changed = model.copy()
    changed["parameters", "b"] = 4.2
    np.testing.assert_allclose(result["crank.angle"], native(changed, ["crank.angle"])[:, 0], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("example", ["four_bar", "double_pendulum", "spatial_slider_crank"])
def test_sources_alone_are_compiled(example, tmp_path):
    import zipfile

    from fmpy.build import build_platform_binary
    model, file, names = mb.read(ROOT / "examples" / example), str(tmp_path / "one.fmu"), TWELVE[example]
    model.fmu(file, engine="compiled")
    assert validate_fmu(file) == []
    folder = tmp_path / "sources"
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if not name.startswith("binaries/")])
    build_platform_binary(folder)
    expected = native(model, names)
    for unit in (str(folder), file):
        result = fmpy.simulate_fmu(unit, stop_time=STOP, output_interval=STEP, output=names)
        for k, name in enumerate(names):
            np.testing.assert_allclose(result[name], expected[:, k], rtol=1e-7, atol=1e-7)
