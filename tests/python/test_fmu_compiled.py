"""FMUs of generated code: what they say of themselves, and what they refuse, by calls through ctypes."""
import ctypes as c
import os
import subprocess
import xml.etree.ElementTree as xml
import zipfile

import pytest

from conftest import ROOT, mb, program
from test_fmu import DISCARD, ERROR, OK, WARNING, made

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


def test_derivatives_of_inputs_are_refused_where_they_are_not_followed(blocks, tmp_path):
    for engine, follows in (("full", OK), ("compiled", ERROR)):
        fmu = made(blocks, tmp_path, "--engine", engine, name=engine)
        assert (fmu.root.find("CoSimulation").get("canInterpolateInputs") == "true") == (follows == OK)
        one = fmu.instance()
        reference, order, value = c.c_uint(fmu.refs["push"]), c.c_int(1), c.c_double(1)
        assert one.lib.fmi2SetRealInputDerivatives(one.c, c.byref(reference), c.c_size_t(1), c.byref(order), c.byref(value)) == follows
        assert one.lib.fmi2SetRealInputDerivatives(one.c, None, c.c_size_t(0), None, None) == OK
        one.free()


def fresh(fmu):
    one = fmu.instance(initialize=False)
    one.c = c.c_void_p(one.c)
    return one


def set_up(one, start, stop):
    return one.lib.fmi2SetupExperiment(one.c, 0, c.c_double(0), c.c_double(start), int(stop is not None), c.c_double(stop or 0))


@pytest.fixture(name="unit")
def _unit(blocks, tmp_path):
    return made(blocks, tmp_path, "--engine", "compiled")


def test_the_step_of_the_integration_is_fixed_in_the_end(unit):
    one = fresh(unit)
    assert one.set("integration_step", 0.002) == OK
    assert one.lib.fmi2EnterInitializationMode(one.c) == OK
    assert one.set("integration_step", 0.003) == OK
    assert one.lib.fmi2ExitInitializationMode(one.c) == OK
    assert one.set("integration_step", 0.004) == ERROR
    assert one["integration_step"] == 0.003
    assert one.set("push", 2.0) == OK
    one.free()


def test_states_are_whole_and_of_this_fmu(unit, tmp_path):
    one = unit.instance()
    state, size, other = c.c_void_p(), c.c_size_t(), c.c_void_p()
    assert one.lib.fmi2SetFMUstate(one.c, None) == ERROR
    assert one.lib.fmi2GetFMUstate(one.c, c.byref(state)) == OK
    assert one.lib.fmi2SerializedFMUstateSize(one.c, state, c.byref(size)) == OK
    stored = c.create_string_buffer(size.value)
    assert one.lib.fmi2SerializeFMUstate(one.c, state, stored, c.c_size_t(size.value - 1)) == ERROR
    assert one.lib.fmi2SerializeFMUstate(one.c, None, stored, size) == ERROR
    assert one.lib.fmi2SerializeFMUstate(one.c, state, stored, size) == OK

    def read(bytes_, into=one):
        return into.lib.fmi2DeSerializeFMUstate(into.c, bytes_, c.c_size_t(len(bytes_)), c.byref(other))

    for length in (0, 5, 39, 40, size.value // 2, size.value - 1):
        assert read(stored.raw[:length]) == ERROR, length
    assert read(stored.raw + b"x") == ERROR
    assert read(b"x" + stored.raw[1:]) == ERROR
    assert not other.value
    assert one.step(0, 0.1) == OK
    assert read(stored.raw) == OK and one.lib.fmi2SetFMUstate(one.c, other) == OK
    assert one.step(0, 0.1) == OK
    for free_it in (None, c.byref(other), c.byref(other)):
        assert one.lib.fmi2FreeFMUstate(one.c, free_it) == OK
    assert not other.value
    different = made(tmp_path / "model.toml", tmp_path, "--engine", "compiled", "--set", "parameters.heavy=4", name="different").instance()
    assert read(stored.raw, different) == ERROR
    one.free()


def test_chosen_categories_are_told_and_errors_always(unit):
    one = unit.instance()

    def listens(on, *names):
        return one.lib.fmi2SetDebugLogging(one.c, int(on), c.c_size_t(len(names)), (c.c_char_p * len(names))(*names))

    def fails():
        one.messages.clear()
        assert one.set("place", 1.0) == ERROR
        return {category for _, category, _ in one.messages}

    def diverges():
        """A force without bounds makes numbers that are not finite, which discards the step."""
        state = c.c_void_p()
        assert one.lib.fmi2GetFMUstate(one.c, c.byref(state)) == OK
        one["push"] = 1e308
        one.messages.clear()
        assert one.step(0, 1e3) == DISCARD
        assert one.lib.fmi2SetFMUstate(one.c, state) == OK
        return {category for _, category, _ in one.messages}

    assert fails() == {b"logStatusError"} and diverges() == {b"logStatusDiscard"}
    assert listens(True, b"logEvents") == OK and fails() == {b"logStatusError"} and diverges() == set()
    assert listens(True, b"logStatusDiscard") == OK and diverges() == {b"logStatusDiscard"}
    assert listens(False) == OK and fails() == {b"logStatusError"} and diverges() == {b"logStatusDiscard"}
    one.messages.clear()
    assert listens(True, b"nonsense") == WARNING and one.messages[-1][1] == b"logStatusWarning"
    one.free()


def test_a_stop_that_is_set_is_kept(unit):
    one = fresh(unit)
    assert set_up(one, 1.0, 0.5) == ERROR
    assert set_up(one, 0.0, float("nan")) == ERROR
    assert set_up(one, 0.0, 0.3) == OK
    assert one.lib.fmi2EnterInitializationMode(one.c) == OK
    assert one.lib.fmi2ExitInitializationMode(one.c) == OK
    assert one.step(0, 0.31) == ERROR
    for k in range(3):
        assert one.step(k * 0.1, 0.1) == OK  # three times 0.1 is more than 0.3 by round-off
    assert one.step(0.3, 0.1) == ERROR and one.step(0.3, 1e-6) == ERROR
    assert one["time"] == pytest.approx(0.3, abs=1e-12)
    assert one.lib.fmi2Reset(one.c) == OK
    assert set_up(one, 0.0, None) == OK
    assert one.lib.fmi2EnterInitializationMode(one.c) == OK
    assert one.lib.fmi2ExitInitializationMode(one.c) == OK
    assert one.step(0, 5.0) == OK
    one.free()


LOG3 = c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.c_char_p, c.c_char_p)


class Unit3:
    """An instance of an FMU 3.0 for co-simulation."""

    def __init__(self, model, folder):
        file = folder / "three.fmu"
        assert program("fmu", model, "-o", file, "--engine", "compiled", "--version", "3.0").returncode == 0
        zipfile.ZipFile(file).extractall(folder / "three")
        root = xml.parse(folder / "three/modelDescription.xml").getroot()
        library = next((folder / "three/binaries").glob("*/*.so"))
        self.refs = {v.get("name"): int(v.get("valueReference")) for v in root.find("ModelVariables")}
        self.lib, self.messages = c.CDLL(str(library)), []
        self.log = LOG3(lambda env, status, category, text: self.messages.append((status, category, text)))
        self.lib.fmi3InstantiateCoSimulation.restype = c.c_void_p
        self.c = c.c_void_p(self.lib.fmi3InstantiateCoSimulation(
            b"one", root.get("instantiationToken").encode(), None, False, True, False, False, None, c.c_size_t(0), None, self.log, None))
        assert self.c

    def call(self, name, *arguments):
        return getattr(self.lib, "fmi3" + name)(self.c, *arguments)

    def begin(self, start, stop):
        return self.call("EnterInitializationMode", c.c_bool(False), c.c_double(0), c.c_double(start), c.c_bool(stop is not None),
                         c.c_double(stop or 0))

    def step(self, t, h):
        event, ends, early, last = c.c_bool(), c.c_bool(), c.c_bool(), c.c_double()
        return self.call("DoStep", c.c_double(t), c.c_double(h), c.c_bool(True), c.byref(event), c.byref(ends), c.byref(early),
                         c.byref(last))

    def set(self, name, value):
        return self.call("SetFloat64", c.byref(c.c_uint(self.refs[name])), c.c_size_t(1), c.byref(c.c_double(value)), c.c_size_t(1))


def test_modes_of_3_come_in_their_order(blocks, tmp_path):
    one = Unit3(blocks, tmp_path)
    modes = ("EnterEventMode", "EnterStepMode", "EnterConfigurationMode", "ExitConfigurationMode", "EvaluateDiscreteStates")

    def refuses_modes():
        for mode in modes:
            one.messages.clear()
            assert one.call(mode) == ERROR, mode
            assert one.messages[0][1] == b"logStatusError"

    refuses_modes()
    assert one.step(0, 0.1) == ERROR
    assert one.begin(1.0, 0.0) == ERROR
    assert one.begin(0.0, 1.0) == OK
    assert one.begin(0.0, 1.0) == ERROR
    refuses_modes()
    assert one.step(0, 0.1) == ERROR
    assert one.set("integration_step", 0.01) == OK
    assert one.call("ExitInitializationMode") == OK
    refuses_modes()
    assert one.set("integration_step", 0.01) == ERROR
    assert one.call("SetFMUState", None) == ERROR
    assert one.step(0, 0.5) == OK and one.step(0.5, 0.6) == ERROR and one.step(0.5, 0.5) == OK
    assert one.call("SetDebugLogging", c.c_bool(True), c.c_size_t(1), (c.c_char_p * 1)(b"nonsense")) == WARNING
    assert one.call("Terminate") == OK and one.call("Terminate") == ERROR
    one.lib.fmi3FreeInstance(one.c)


def test_the_sources_compile_without_warnings(blocks, tmp_path):
    for version in ("2.0", "3.0"):
        file, folder = tmp_path / "one.fmu", tmp_path / version
        assert program("fmu", blocks, "-o", file, "--engine", "compiled", "--version", version).returncode == 0
        zipfile.ZipFile(file).extractall(folder)
        for source in (folder / "sources").glob("*.c"):
            done = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-c", str(source), "-o", os.devnull], capture_output=True,
                                  text=True, check=False)
            assert done.returncode == 0 and not done.stderr, done.stderr


def test_jumps_that_steps_do_not_meet_are_told(tmp_path):
    text = TWO_BLOCKS.replace('["= push", "= 0"]', '["= if(t < 0.7, 1, 3)", "= 0"]')
    for k, (model, told) in enumerate(((TWO_BLOCKS, False), (text, True))):
        (tmp_path / "model.toml").write_text(model)
        done = program("fmu", tmp_path / "model.toml", "-o", tmp_path / f"{k}.fmu", "--engine", "compiled")
        assert done.returncode == 0 and ("jumps at t = 0.7 s: steps of the C do not end there" in done.stdout) == told, done.stdout
