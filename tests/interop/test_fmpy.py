"""FMUs in FMPy: its validator has no remark, and its simulations are those of the module."""
import zipfile
from pathlib import Path

import numpy as np
import pytest

import mubody as mb

fmpy = pytest.importorskip("fmpy")
from fmpy.validation import validate_fmu  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
TWELVE = {"four_bar": ["crank.angle", "coupler.x"], "bricard": ["rod1.x", "rod3.vx"], "bouncing_ball": ["ball.y"],
          "slider_crank_driven": ["slider.x"], "spatial_slider_crank": ["slider.x"], "stick_slip": ["block.x"],
          "cart_pole": ["cart.x", "pole.angle"], "crane": ["load_at"], "double_pendulum": ["A.angle"],
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


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("kind", ["cs", "me"])
def test_inputs(kind, version, tmp_path):
    (tmp_path / "model.toml").write_text("""gravity = [0, 0]
[inputs]
push = {value = 0, unit = "N"}
[bodies]
block = {mass = 2, inertia = 1}
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[drivers]
turn = {type = "angle", bodies = ["ground", "rod"], value = 0}
[forces]
motor = {type = "force", body = "block", force = ["= push", 0]}
""")
    file, times = str(tmp_path / "one.fmu"), np.linspace(0, STOP, 1001)
    mb.read(tmp_path / "model.toml").fmu(file, kind=kind, version=version)
    assert validate_fmu(file) == []
    given = {"time": times, "push": times, "turn.value": 0.7 * times, "turn.value_rate": 0.7 + 0 * times}
    signals = np.array(list(zip(*given.values())), dtype=[(name, float) for name in given])
    result = fmpy.simulate_fmu(file, fmi_type={"cs": "CoSimulation", "me": "ModelExchange"}[kind], stop_time=STOP,
                               output_interval=1e-3, input=signals, output=["block.x", "rod.angle"], relative_tolerance=1e-9)
    # FMPy holds a value that it has set until the next of its steps.
    np.testing.assert_allclose(result["block.x"], result["time"] ** 3 / 12, atol=3e-4)
    np.testing.assert_allclose(result["rod.angle"], 0.7 * result["time"], atol=1e-6)


def test_contacts_that_stay_closed_do_not_chatter(tmp_path):
    model, file = mb.read(ROOT / "examples/geneva"), str(tmp_path / "one.fmu")
    model.fmu(file, kind="me", report=False)
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=STEP, output=["wheel.angle"], relative_tolerance=1e-9)
    _, rows = np.unique(result["time"].round(9), return_counts=True)
    assert len(result) < 2000 and rows.max() < 10
    assert abs(result["wheel.angle"][-1] - native(model, ["wheel.angle"])[-1, 0]) < 1e-6


def test_turns_are_counted_between_distant_outputs(tmp_path):
    model, file, names = mb.read(ROOT / "examples/heavy_top"), str(tmp_path / "one.fmu"), ["O.angle_x", "O.angle_z"]
    model.fmu(file, kind="me", report=False)
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=0.25, output=names, relative_tolerance=1e-9)
    expected = native(model, names)
    for n, name in enumerate(names):
        assert abs(result[name][-1] - expected[-1, n]) < 1e-5


def test_parameters(tmp_path):
    file = str(tmp_path / "one.fmu")
    model = mb.read(ROOT / "examples/four_bar")
    model.fmu(file, outputs=["crank.angle"])
    result = fmpy.simulate_fmu(file, stop_time=STOP, output_interval=STEP, start_values={"b": 4.2})
    changed = model.copy()
    changed["parameters", "b"] = 4.2
    np.testing.assert_allclose(result["crank.angle"], native(changed, ["crank.angle"])[:, 0], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("example", ["four_bar", "double_pendulum", "spatial_slider_crank"])
def test_sources_alone_are_compiled(example, version, tmp_path):
    from fmpy.build import build_platform_binary
    model, file, names = mb.read(ROOT / "examples" / example), str(tmp_path / "one.fmu"), TWELVE[example]
    model.fmu(file, engine="compiled", version=version)
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


def slave_of(file, folder):
    """An initialized instance for co-simulation."""
    from fmpy import extract, instantiate_fmu, read_model_description
    description = read_model_description(file)
    fmu = instantiate_fmu(extract(file, folder), description, fmi_type="CoSimulation")
    if description.fmiVersion == "2.0":
        fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    return description, fmu


def real(fmu, references):
    return np.array(getattr(fmu, "getReal", None)(references) if hasattr(fmu, "getReal") else fmu.getFloat64(references))


def set_real(fmu, references, values):
    (fmu.setReal if hasattr(fmu, "setReal") else fmu.setFloat64)(references, values)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_directional_derivatives_of_generated_code(version, tmp_path):
    model, file = mb.read(ROOT / "examples/cart_pole"), str(tmp_path / "one.fmu")
    model.fmu(file, engine="compiled", version=version)
    description, fmu = slave_of(file, str(tmp_path / "unpacked"))
    with zipfile.ZipFile(file) as archive:
        said = b'providesDirectionalDerivative="true"' if version == "2.0" else b'providesDirectionalDerivatives="true"'
        assert said in archive.read("modelDescription.xml")
    outputs = [v.valueReference for v in description.modelVariables if v.causality == "output"]
    inputs = [v.valueReference for v in description.modelVariables if v.causality == "input"]
    fmu.doStep(0.0, 0.3)
    at = real(fmu, inputs)
    for known, was in zip(inputs, at):
        exact = np.array(fmu.getDirectionalDerivative(outputs, [known], [1.0]))
        h = 0.5
        set_real(fmu, [known], [was + h])
        ahead = real(fmu, outputs)
        set_real(fmu, [known], [was - h])
        behind = real(fmu, outputs)
        set_real(fmu, [known], [was])
        # A force enters the equations linearly, and powers by its square at most: these differences have round-off alone.
        np.testing.assert_allclose(exact, (ahead - behind) / (2 * h), rtol=1e-9, atol=1e-9)
    assert np.any(np.abs(fmu.getDirectionalDerivative(outputs, inputs, [1.0] * len(inputs))) > 1e-3)


@pytest.mark.parametrize("example", ["four_bar", "bricard", "cart_pole", "double_pendulum", "heavy_top"])
def test_dependencies_hold_all_that_changes(example, tmp_path):
    from fmpy import extract, read_model_description
    from fmpy.fmi2 import FMU2Model
    file = str(tmp_path / "one.fmu")
    mb.read(ROOT / "examples" / example).fmu(file, kind="me")
    d = read_model_description(file)
    fmu = FMU2Model(guid=d.guid, unzipDirectory=extract(file, str(tmp_path / "unpacked")),
                    modelIdentifier=d.modelExchange.modelIdentifier, instanceName="one")
    fmu.instantiate()
    fmu.setupExperiment(startTime=0.0)
    fmu.enterInitializationMode()
    fmu.exitInitializationMode()
    fmu.enterContinuousTimeMode()
    states = [u.variable.derivative.valueReference for u in d.derivatives]
    unknowns = list(d.outputs) + list(d.derivatives)
    references = [u.variable.valueReference for u in unknowns]
    said = [None if u.dependencies is None else {v.valueReference for v in u.dependencies} for u in unknowns]
    assert all(known is not None for known in said[-len(states):])

    def all_at(x):
        import ctypes
        fmu.setContinuousStates(np.ascontiguousarray(x).ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(x))
        return np.array(fmu.getReal(references))
    start = np.array(fmu.getReal(states))
    random = np.random.default_rng(1)
    x = start + 1e-3 * random.standard_normal(len(start))
    there = all_at(x)
    independent = 0
    for k, reference in enumerate(states):
        moved = x.copy()
        moved[k] += 1e-3
        changes = np.abs(all_at(moved) - there) > 1e-9 * np.maximum(1, np.abs(there))
        for known, changed in zip(said, changes):
            if known is None or reference in known:
                continue
            assert not changed
            independent += 1
    assert independent > 0
