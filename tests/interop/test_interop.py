"""The installed module together with other packages: numba, Gymnasium, scipy, pandas, matplotlib, mypy, notebooks."""
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mubody as mb

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "docs/python/notebooks").glob("*.ipynb"))


def pendulum():
    m = mb.Model("pendulum", gravity=(0, -9.81), parameters={"length": 1.0})
    rod = m.body("rod", mass=1, inertia="= length^2/12", position=("= length/2", 0))
    m.joint("pin", mb.Revolute(m.ground.at(0, 0), rod.at("= -length/2", 0)))
    return m


def test_numba_functions_are_forces():
    from numba import cfunc, types

    @cfunc(types.double(types.double, types.CPointer(types.double)))
    def brake(t, x):
        return -0.3 * x[0] - x[1]
    compiled, formula = pendulum(), pendulum()
    compiled.torque("brake", compiled.ground, "rod", brake, reads=["rod.omega", "rod.angle"])
    formula.torque("brake", formula.ground, "rod", "= -0.3*rod.omega - rod.angle")
    a, b = compiled.run(end=1), formula.run(end=1)
    assert np.allclose(a["rod.angle"], b["rod.angle"], rtol=0, atol=1e-10) and a.trusted


def test_the_environment_keeps_the_protocol():
    from gymnasium.utils.env_checker import check_env
    sys.path.insert(0, str(ROOT / "docs/python"))
    from cart_pole_env import CartPole
    check_env(CartPole())


def test_the_environment_can_be_balanced():
    """A controller keeps the pole up for all 500 steps; without one it falls."""
    sys.path.insert(0, str(ROOT / "docs/python"))
    from cart_pole_env import CartPole
    counts = []
    for gains in (np.zeros(4), np.array([-1.0, 40.0, -2.0, 8.0])):
        env = CartPole()
        state, _ = env.reset(seed=3)
        ended = truncated = False
        while not ended and not truncated:
            state, _, ended, truncated, _ = env.step(np.array([-gains @ state], np.float32))
        counts.append(env.steps)
    assert counts[0] < 200 and counts[1] == 500


def test_scipy_fits_a_length():
    from scipy.optimize import least_squares
    m = pendulum()
    m["analysis"] = {"end": 1}
    m["output"] = {"times": np.linspace(0, 1, 21)}

    def motion(x):
        return m.run(changes={"parameters.length": float(x[0])}, estimate=False)["rod.angle"]
    measured = motion([1.3]) + np.random.default_rng(5).normal(0, 1e-3, 21)
    found = least_squares(lambda x: motion(x) - measured, [1.0], diff_step=1e-6)
    assert found.x[0] == pytest.approx(1.3, abs=5e-3)


def test_scipy_has_the_state_space():
    linear = pendulum().modes(about="equilibrium", inputs=["rod.angle"], output={"channels": ["rod.angle"]})
    system = linear.scipy()
    assert max(abs(system.poles.imag)) == pytest.approx(np.sqrt(1.5 * 9.81), rel=1e-9)


def test_pandas_and_matplotlib():
    import matplotlib
    matplotlib.use("Agg")
    r = pendulum().run(end=0.5)
    frame = r.frame()
    assert frame["rod.angle"].iloc[-1] == r["rod.angle"][-1]
    assert r.plot("rod.angle").get_ylabel() == "rod.angle [rad]"
    rows = mb.sweep(pendulum(), {"length": [1, 2]}, "rod.angle").frame()
    assert list(rows["length"]) == [1, 2]


@pytest.mark.parametrize("analysis", ["forward", "modes"])
def test_arrow_keeps_the_results(tmp_path, analysis):
    import pyarrow.feather
    r = pendulum().run(analysis, end=0.5) if analysis == "forward" else pendulum().modes(about="equilibrium")
    r.save(tmp_path / "r.arrow")
    again = mb.load(tmp_path / "r.arrow")
    assert again.channels == r.channels and again.units == r.units and again.summary == r.summary
    for name, rows in r.tables.items():
        assert np.array_equal(again.tables[name], rows, equal_nan=True), name
    if analysis == "forward":
        frame = pyarrow.feather.read_feather(tmp_path / "r.arrow")
        assert frame["rod.angle"].to_numpy().tolist() == r["rod.angle"].tolist()
        table = pyarrow.feather.read_table(tmp_path / "r.arrow")
        assert table.schema.field("rod.angle").metadata[b"unit"] == b"rad"
    (tmp_path / "other.arrow").write_bytes(b"ARROW1 or so")
    with pytest.raises(ValueError, match="no results of mubody"):
        mb.load(tmp_path / "other.arrow")


def test_mypy_knows_the_keys(tmp_path):
    good = 'import mubody as mb\nm = mb.Model()\nm.joint("p", mb.Revolute("a", "b", at=(0, 0)))\nx: mb.Results = m.modes()\n'
    for text, code in ((good, 0), (good + 'mb.Revolute("a", "b", att=1)\n', 1)):
        file = tmp_path / "program.py"
        file.write_text(text)
        told = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)],
                              capture_output=True, text=True, check=False)
        assert told.returncode == code, told.stdout
        assert code == 0 or '"at"' in told.stdout


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_executed(notebook):
    import nbformat
    from nbclient import NotebookClient
    book = nbformat.read(notebook, as_version=4)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(notebook.parent)}}).execute()
    shown = [output for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    assert shown


def test_a_vector_environment_of_gymnasium_runs_as_compiled_code(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs/python"))
    from cart_pole_vector import CartPoles
    envs = CartPoles(5, device="compiled")
    states, _ = envs.reset(seed=1)
    assert states.shape == (5, 4) and envs.observation_space.shape == (5, 4)
    push = np.linspace(-10, 10, 5)[:, None]
    lengths = np.zeros(5)
    for _ in range(100):
        states, rewards, fallen, late, _ = envs.step(push)
        lengths += rewards
        if fallen.any():
            break
    assert fallen.any() and not fallen.all() and not late.any() and lengths.min() > 5
    again, rewards, fallen_next, _, _ = envs.step(push)
    assert (rewards[fallen] == 0).all() and not fallen_next[fallen].any()
