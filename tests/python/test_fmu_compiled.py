"""FMUs of generated code: what they say of themselves, and what they refuse, by calls through ctypes."""
import shutil
import xml.etree.ElementTree as xml
import zipfile

import pytest

from conftest import ROOT, mb, program
from test_fmu import made

if not shutil.which("cc"):
    pytest.skip("needs a C compiler", allow_module_level=True)

TWO_BLOCKS = """gravity = [0, -9.81]
[parameters]
heavy = 3
away = 2
[inputs]
push = {value = 1, unit = "N"}
pull = {value = 0, unit = "N"}
[bodies]
block = {mass = "= heavy", inertia = 1}
other = {mass = 1, inertia = 1, position = [0, "= away"]}
[forces]
motor = {type = "force", body = "block", force = ["= push", "= 0"]}
brake = {type = "force", body = "other", force = ["= pull", "= 0"]}
[outputs]
faster = "block.ax"
slower = "other.ax"
place = "block.x"
both = {value = "= push + 2*pull", unit = "N"}
late = "= 3*t"
"""
FOLLOWED = {"faster": {"push"}, "slower": {"pull"}, "place": set(), "both": {"push", "pull"}, "late": {"time"}}


@pytest.fixture(name="blocks")
def _blocks(tmp_path):
    (tmp_path / "model.toml").write_text(TWO_BLOCKS)
    return tmp_path / "model.toml"


def dependencies(file):
    """Names of the variables on which outputs depend, and the names of all variables in their order."""
    root = xml.fromstring(zipfile.ZipFile(file).read("modelDescription.xml"))
    variables = list(root.find("ModelVariables"))
    if root.get("fmiVersion") == "2.0":
        names = {str(k + 1): v.get("name") for k, v in enumerate(variables)}
        outputs, key = root.findall("ModelStructure/Outputs/Unknown"), "index"
    else:
        names = {v.get("valueReference"): v.get("name") for v in variables}
        outputs, key = root.findall("ModelStructure/Output"), "valueReference"
    return {names[o.get(key)]: {names[k] for k in o.get("dependencies").split()} for o in outputs}


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("engine", ["full", "compiled"])
def test_dependencies_are_the_variables_that_act(engine, version, blocks, tmp_path):
    file = tmp_path / "one.fmu"
    assert program("fmu", blocks, "-o", file, "--engine", engine, "--version", version).returncode == 0
    assert dependencies(file) == FOLLOWED
    checked = program("fmu", "--check", file)
    assert checked.returncode == 0, checked.stdout


def test_outputs_change_with_their_dependencies_alone(blocks, tmp_path):
    fmu = made(blocks, tmp_path, "--engine", "compiled")
    one = fmu.instance()
    for known in ("push", "pull"):
        before = one.outputs()
        one[known] += 1
        after = one.outputs()
        assert {name for name in before if before[name] != after[name]} == {n for n, on in FOLLOWED.items() if known in on}
    one.free()


@pytest.mark.parametrize("engine", ["full", "compiled"])
def test_channels_by_another_name_are_outputs(engine, tmp_path):
    text = (ROOT / "examples/pendulum/model.toml").read_text() + '\n[outputs]\nhere = "bob.x"\nturned = "bob.angle"\n'
    assert text.count("[outputs]") == 1
    (tmp_path / "model.toml").write_text(text)
    fmu = made(tmp_path / "model.toml", tmp_path, "--engine", engine)
    assert [n for n, kind in fmu.kinds.items() if kind == "output"] == ["here", "turned"]
    one, sim = fmu.instance(), mb.read(str(tmp_path / "model.toml")).simulation()
    one.run(0.2, 0.01)
    sim.advance_to(0.2)
    assert one["here"] == pytest.approx(sim["bob.x"], abs=1e-7)
    assert one["turned"] == pytest.approx(sim["bob.angle"], abs=1e-7)
    one.free()
