"""Results: views, units, digits, files and pages."""
import gc
import pickle

import numpy as np
import pytest
from conftest import ROOT, mb


@pytest.fixture(scope="module")
def results():
    m = mb.Model("pendulum", gravity=(0, -9.81))
    rod = m.body("rod", mass=1, inertia=1 / 12, position=(0.5, 0))
    m.joint("pin", mb.Revolute(m.ground, rod, at=(0, 0)))
    return m.run(end=1)


def test_columns_are_views(results):
    angle = results["rod.angle"]
    assert not angle.flags.owndata and not angle.flags.writeable
    assert np.shares_memory(angle, results.tables["bodies"])
    assert angle is results["rod.angle"]


def test_a_view_outlives_the_results(pendulum):
    r = pendulum.run(end=0.1)
    expected = r["rod.angle"].copy()
    angle = r["rod.angle"]
    del r
    gc.collect()
    assert np.array_equal(angle, expected)


def test_a_pendulum_that_is_dropped_has_the_speed_of_its_fall(results):
    """Energy: 1/2 (m l²/3) ω² = m g l/2 sin|φ| for a rod of length l = 1 that starts level."""
    omega, fall = results["rod.omega"], -results["rod.angle"]
    assert np.allclose(omega ** 2, 3 * 9.81 * np.sin(fall), atol=1e-7)


def test_names_units_and_verdict(results):
    assert results.units["rod.angle"] == "rad" and results.units["pin.on_rod.fy"] == "N"
    assert "rod.angle" in results and "rod.angel" not in results
    with pytest.raises(KeyError, match="did you mean 'rod.angle'"):
        results["rod.angel"]
    assert results.trusted and results.verdict.startswith("good") and results.outcome == "reached end"
    assert results.digits["rod.angle"] > 6
    assert results.summary["model"] == "pendulum"
    assert len(results.time) == len(results["rod.angle"]) and results.columns("bodies")[0] == "time"
    assert "pendulum" in repr(results)


def test_without_an_estimate_there_are_no_digits(pendulum):
    with pytest.raises(KeyError, match="rod.angle"):
        pendulum.run(end=0.1, estimate=False).digits["rod.angle"]


def test_events_are_told():
    r = mb.read(ROOT / "examples/slider_crank_singular").run(end=2)
    assert "singular position" in {event.kind for event in r.events}
    assert all(0 <= event.time <= 2 and event.what for event in r.events)


def test_contacts_are_listed():
    """A ball that falls by 1 m arrives with the speed √(2 g h)."""
    r = mb.read(ROOT / "examples/bouncing_ball").run(end=1)
    assert r.contacts[0].speed_in == pytest.approx((2 * 9.81 * 1) ** 0.5, rel=1e-6)
    assert {x.channel for x in r.extremes} >= {"ball.y"}


@pytest.mark.parametrize("name", ["folder", "results.npz"])
def test_saved_results_are_the_same(results, tmp_path, name):
    results.save(tmp_path / name)
    again = mb.load(tmp_path / name)
    same(again, results)
    assert again.digits.keys() == results.digits.keys()
    assert again.digits["rod.angle"] == pytest.approx(results.digits["rod.angle"], abs=0.05)


@pytest.fixture
def binary(pendulum, tmp_path):
    """The folder of a run whose tables are binary, and the run."""
    r = pendulum.run(end=0.5, output={"step": 0.01, "format": "npy"})
    r.save(tmp_path / "binary")
    return tmp_path / "binary", r


def test_binary_tables_are_mapped_and_not_copied(binary):
    folder, r = binary
    rows = np.load(folder / "bodies.npy", mmap_mode="r")
    assert isinstance(rows, np.memmap) and rows.dtype == np.dtype("<f8") and rows.flags.c_contiguous
    assert np.array_equal(rows, r.tables["bodies"])
    angle = rows[:, 3]
    assert np.shares_memory(angle, rows) and np.array_equal(angle, r["rod.angle"])


def test_binary_tables_name_their_columns(binary):
    folder, r = binary
    with open(folder / "bodies.npy", "rb") as file:
        rows, titles = np.load(file), np.char.decode(np.load(file))
    assert rows.shape == (51, len(titles))
    assert list(titles[:4]) == ["time[s]", "rod.x[m]", "rod.y[m]", "rod.angle[rad]"]
    assert list(titles) == r.summary["files"][0]["columns"]


def test_binary_tables_of_many_columns_are_loaded_by_default(tmp_path):
    """numpy refuses heads of more than 10 000 bytes, which names of a thousand columns would fill."""
    m = mb.Model("many", gravity=(0, -9.81))
    for k in range(120):
        m.body(f"a_body_with_a_name_{k}", mass=1, inertia=1, position=(k, 0))
    m.run(end=0.01, estimate=False, output={"times": [0.01], "format": "npy"}).save(tmp_path / "r")
    assert np.load(tmp_path / "r/bodies.npy", mmap_mode="r").shape == (1, 1 + 120 * 9)


def test_binary_folders_are_loaded_as_those_of_text(binary):
    folder, r = binary
    same(mb.load(folder), r)
    assert mb.load(folder, untrusted=True).time[-1] == 0.5


def test_results_of_a_stranger_read_nothing_elsewhere(tmp_path):
    example = ROOT / "examples/mesh_pendulum"
    mb.read(example).run(end=0.1, estimate=False).save(tmp_path / "r.npz")
    assert mb.load(tmp_path / "r.npz").picture().startswith("<svg")
    with pytest.raises(mb.ModelError, match="without their model"):
        mb.load(tmp_path / "r.npz", untrusted=True).picture()
    (tmp_path / "bracket.stl").write_bytes((example / "bracket.stl").read_bytes())
    assert mb.load(tmp_path / "r.npz", untrusted=True).picture().startswith("<svg")


def test_a_folder_of_a_stranger_has_no_links(results, tmp_path):
    results.save(tmp_path / "there")
    assert mb.load(tmp_path / "there", untrusted=True).digits
    (tmp_path / "there/accuracy.csv").rename(tmp_path / "accuracy.csv")
    (tmp_path / "there/accuracy.csv").symlink_to(tmp_path / "accuracy.csv")
    assert mb.load(tmp_path / "there").digits
    with pytest.raises(ValueError, match="leads out"):
        mb.load(tmp_path / "there", untrusted=True)


def test_files_that_are_no_results_are_told(tmp_path):
    (tmp_path / "text.npz").write_text("no numbers")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    np.savez_compressed(tmp_path / "large.npz", about=np.zeros(9 * 10 ** 6))
    for name, words in (("text", "no file of numpy"), ("other", "no results of mubody"), ("large", "larger than 64 MB")):
        with pytest.raises(ValueError, match=words):
            mb.load(tmp_path / f"{name}.npz")


def test_arrow_needs_its_package(results, tmp_path):
    try:
        import pyarrow  # noqa: F401
        pytest.skip("it is there")
    except ImportError:
        with pytest.raises(ImportError, match="pip install pyarrow"):
            results.save(tmp_path / "r.arrow")


def same(again, results):
    assert again.channels == results.channels and again.units == results.units
    for channel in results:
        assert np.array_equal(again[channel], results[channel]), channel
    assert (again.verdict, again.trusted, again.events) == (results.verdict, results.trusted, results.events)
    for key in ("model", "analysis", "outcome", "freedom"):
        assert again.summary[key] == results.summary[key]


def test_pickled_results_are_the_same(results):
    again = pickle.loads(pickle.dumps(results))
    same(again, results)
    assert again.digits == results.digits
    assert again.report() == results.report()


def test_the_report_is_inline_in_a_notebook(results):
    page = results._repr_html_()
    assert page.startswith("<iframe srcdoc=") and "&lt;html" in page and "<html" not in page


def test_plot_has_names_and_units(results):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    above, below = results.plot("rod.angle", "pin.on_rod.fy")
    assert above.get_ylabel() == "rod.angle [rad]" and below.get_ylabel() == "pin.on_rod.fy [N]"
    assert below.get_xlabel() == "time [s]"


def test_frame_has_the_channels(results):
    pytest.importorskip("pandas")
    frame = results.frame("rod.angle", "rod.omega")
    assert list(frame.columns) == ["rod.angle", "rod.omega"] and frame.index.name == "time"
