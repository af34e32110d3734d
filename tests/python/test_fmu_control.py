"""FMUs as controllers: the cart and its pole, controlled by an FMU made of C, and by the same controller inside of the model."""
import csv
import os
import shutil
import subprocess

import pytest

from conftest import PROGRAM, ROOT, program

FOLDER = ROOT / "examples/cart_pole/fmu"
pytestmark = pytest.mark.skipif(not shutil.which("cc") or not shutil.which("make"), reason="needs a C compiler and make")


@pytest.fixture
def folder(tmp_path):
    """A copy of the example with the controller made."""
    shutil.copytree(ROOT / "examples/cart_pole", tmp_path / "cart_pole", ignore=shutil.ignore_patterns("*.out"))
    there = tmp_path / "cart_pole/fmu"
    subprocess.run(["make", "-s", "controller.fmu", "OUT=."], cwd=there, check=True, capture_output=True,
                   env={**os.environ, "MUBODY": PROGRAM})
    return there


def columns(folder):
    found = {}
    for file in folder.glob("*.csv"):
        rows = list(csv.reader(file.open()))
        if rows[0][0] == "time[s]" and file.name not in ("events.csv", "extremes.csv"):
            for k, title in enumerate(rows[0]):
                found[title.split("[")[0]] = [float(row[k]) for row in rows[1:]]
    return found


def test_the_loop_is_the_same_as_inside_of_the_model(folder):
    fixed = ["--set", "analysis.integrator=rk4", "--set", "analysis.step=1e-3", "--no-estimate", "--quiet"]
    done = program("run", folder / "controlled.toml", "--allow-fmu", "-o", folder / "a", *fixed)
    assert done.returncode in (0, 5), done.stderr
    assert program("run", folder / "sampled.toml", "-o", folder / "b", *fixed).returncode in (0, 5)
    a, b = columns(folder / "a"), columns(folder / "b")
    assert max(abs(x) for x in a["push"]) > 1  # it works
    for name in ("cart.x", "cart.vx", "pole.angle", "pole.omega", "push", "error"):
        assert len(a[name]) == len(b[name]) == 251
        assert max(abs(x - y) for x, y in zip(a[name], b[name])) < 1e-12, name


def test_parameters_and_mistakes(folder):
    text = (folder / "controlled.toml").read_text()
    model = folder / "other.toml"
    model.write_text(text.replace('outputs = {force', 'parameters = {kp = 55, kd = 7}, outputs = {force'))
    assert program("run", model, "--allow-fmu", "-o", folder / "c", "--quiet").returncode in (0, 5)
    refused = program("run", folder / "controlled.toml")
    assert refused.returncode == 2 and "--allow-fmu" in refused.stderr
    for verb in (["check"], ["fmu"], ["report"]):
        assert program(*verb, folder / "controlled.toml").returncode == 2
    assert program("run", folder / "controlled.toml", "--allow-fmu", "--untrusted").returncode == 2
    for old, new, words in (("force =", "farce =", "no real variable 'farce'"), ('"push"}', '"posh"}', "no input 'posh'"),
                            ("controller.fmu", "none.fmu", "none.fmu"), ("step =", "stop =", "stop"),
                            ('{error = "error"}', '{force = "error"}', "is no input"),
                            ('{error = "error"}', '{error = "eror"}', "in the model there is no output 'eror'; did you mean 'error'?"),
                            ("outputs = {force", "parameters = {error = 3}, outputs = {force", "'error' is no parameter")):
        model.write_text(text.replace(old, new))
        wrong = program("run", model, "--allow-fmu", "-o", folder / "d")
        assert wrong.returncode == 2 and words in wrong.stderr, (new, wrong.stderr)
        line = 1 + model.read_text()[:model.read_text().index(new)].count("\n")
        assert f"other.toml:{line}:" in wrong.stderr, wrong.stderr


def test_our_controller_has_nothing_to_object_to(folder):
    checked = program("fmu", "--check", folder / "controller.fmu")
    assert checked.returncode == 0, checked.stdout


def test_a_controller_may_step_past_the_end_and_its_words_are_told(tmp_path):
    (tmp_path / "controller.toml").write_text("""[inputs]
torque = {value = 0, unit = "N m"}
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[forces]
motor = {type = "moment", bodies = ["ground", "rod"], moment = "= torque"}
[outputs]
angle = {value = "= pin.angle", unit = "rad"}
""")
    assert program("fmu", tmp_path / "controller.toml", "-o", tmp_path / "controller.fmu").returncode == 0
    text = """[inputs]
push = {value = 0, unit = "N"}
[bodies]
block = {mass = 2, inertia = 1, velocity = [1, 0]}
[forces]
motor = {type = "force", body = "block", force = ["= push", 0]}
[controllers]
servo = {fmu = "controller.fmu", step = 0.3, inputs = {torque = "block.x"}, outputs = {angle = "push"}}
[analysis]
end = 1
"""
    (tmp_path / "model.toml").write_text(text)
    done = program("run", tmp_path / "model.toml", "--allow-fmu", "--no-estimate", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (tmp_path / "model.toml").write_text(text.replace("velocity = [1, 0]", "velocity = [1e300, 0]"))
    wrong = program("run", tmp_path / "model.toml", "--allow-fmu", "--no-estimate", "-o", tmp_path / "out")
    assert wrong.returncode == 2 and "model.toml:8:" in wrong.stderr
    assert "t = 0.3 s: not finite: the rates are not finite" in wrong.stderr, wrong.stderr


def test_python_refuses_controllers(folder):
    from conftest import mb
    with pytest.raises(mb.ModelError, match="--allow-fmu"):
        mb.read(folder / "controlled.toml").run()
    model = mb.read(ROOT / "examples/pendulum")
    model["controllers"] = {"pid": {"fmu": "controller.fmu"}}
    with pytest.raises(mb.ModelError, match="--allow-fmu"):
        model.run()
