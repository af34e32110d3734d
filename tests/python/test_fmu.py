"""FMUs by another route: the archive is read by Python's zipfile, and the functions are called through ctypes."""
import ctypes as c
import math
import os
import struct
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from conftest import PROGRAM, ROOT, mb, program

if not (Path(PROGRAM).parent / "mubody_fmu.so").is_file():
    pytest.skip("the library of FMUs is not built", allow_module_level=True)

OK, WARNING, DISCARD, ERROR = range(4)
LOGGER = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_int, c.c_char_p, c.c_char_p)


class Callbacks(c.Structure):
    _fields_ = [("logger", LOGGER), ("allocate", c.c_void_p), ("release", c.c_void_p), ("finished", c.c_void_p),
                ("environment", c.c_void_p)]


class Fmu2:
    """An unpacked FMU 2.0 and its library."""

    def __init__(self, file, folder):
        with zipfile.ZipFile(file) as z:
            assert z.testzip() is None
            z.extractall(folder)
            self.names = z.namelist()
        import xml.etree.ElementTree as xml
        self.root = xml.parse(folder / "modelDescription.xml").getroot()
        self.refs = {v.get("name"): int(v.get("valueReference")) for v in self.root.iter("ScalarVariable")}
        self.kinds = {v.get("name"): v.get("causality") for v in self.root.iter("ScalarVariable")}
        identifier = next(e for e in self.root if e.get("modelIdentifier")).get("modelIdentifier")
        self.path = folder / "binaries" / "linux64" / f"{identifier}.so"
        self.lib = c.CDLL(str(self.path))
        self.lib.fmi2Instantiate.restype = c.c_void_p
        self.resources = (folder / "resources").as_uri()

    def instance(self, **more):
        return Instance2(self, **more)


class Instance2:
    def __init__(self, fmu, guid=None, start=0.0, parameters=None, initialize=True, exchange=False, stop=None):
        self.fmu, self.lib, self.messages = fmu, fmu.lib, []
        self.log = LOGGER(lambda env, name, status, category, text: self.messages.append((status, category, text)))
        self.callbacks = Callbacks(self.log, None, None, None, None)
        guid = guid if guid is not None else fmu.root.get("guid")
        self.c = self.lib.fmi2Instantiate(b"one", 0 if exchange else 1, guid.encode(), fmu.resources.encode(), c.byref(self.callbacks), 0, 1)
        if not self.c or not initialize:
            return
        self.c = c.c_void_p(self.c)
        assert self.lib.fmi2SetupExperiment(self.c, 0, c.c_double(0), c.c_double(start), stop is not None, c.c_double(stop or 0)) == OK
        for name, value in (parameters or {}).items():
            self[name] = value
        assert self.lib.fmi2EnterInitializationMode(self.c) == OK
        assert self.lib.fmi2ExitInitializationMode(self.c) == OK, self.messages

    def __getitem__(self, name):
        value = c.c_double()
        assert self.lib.fmi2GetReal(self.c, c.byref(c.c_uint(self.fmu.refs[name])), c.c_size_t(1), c.byref(value)) == OK
        return value.value

    def set(self, name, value):
        return self.lib.fmi2SetReal(self.c, c.byref(c.c_uint(self.fmu.refs[name])), c.c_size_t(1), c.byref(c.c_double(value)))

    def __setitem__(self, name, value):
        assert self.set(name, value) == OK, self.messages

    def step(self, t, h):
        return self.lib.fmi2DoStep(self.c, c.c_double(t), c.c_double(h), 1)

    def outputs(self):
        return {name: self[name] for name, kind in self.fmu.kinds.items() if kind == "output"}

    def run(self, to, h):
        for k in range(round(to / h)):
            assert self.step(k * h, h) == OK, self.messages
        return self.outputs()

    def free(self):
        self.lib.fmi2FreeInstance(self.c)


def bits(values):
    return {name: struct.pack("d", x) for name, x in values.items()}


def made(model, folder, *options, name="unit"):
    """The FMU of a model, unpacked."""
    file = folder / f"{name}.fmu"
    done = program("fmu", model, "-o", file, "--quiet", *options)
    assert done.returncode == 0, done.stderr
    (folder / name).mkdir()
    return Fmu2(file, folder / name)




def test_archives_are_the_same_bytes(tmp_path):
    files = []
    for k in range(2):
        files.append(tmp_path / f"{k}.fmu")
        assert program("fmu", ROOT / "examples/four_bar", "-o", files[k]).returncode == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    changed = tmp_path / "changed.fmu"
    assert program("fmu", ROOT / "examples/four_bar", "-o", changed, "--set", "parameters.a=2.1").returncode == 0
    tokens = {zipfile.ZipFile(f).read("modelDescription.xml").split(b'guid="')[1][:38] for f in (*files, changed)}
    assert len(tokens) == 2


def test_a_picture_and_a_page_lie_where_programs_look(tmp_path):
    for version, picture in (("2.0", "model.png"), ("3.0", "terminalsAndIcons/icon.png")):
        file = tmp_path / f"{version}.fmu"
        assert program("fmu", ROOT / "examples/four_bar", "-o", file, "--version", version).returncode == 0
        archive = zipfile.ZipFile(file)
        assert archive.read(picture).startswith(b"\x89PNG") and b"crank" in archive.read("documentation/index.html")


def test_the_library_is_small_and_needs_libc_and_libm_alone(tmp_path):
    fmu = made(ROOT / "examples/pendulum", tmp_path)
    assert fmu.path.stat().st_size < 12e6
    needed = subprocess.run(["readelf", "-d", str(fmu.path)], capture_output=True, text=True, check=True).stdout
    libraries = {line.split("[")[1].split("]")[0] for line in needed.splitlines() if "(NEEDED)" in line}
    assert {name.split(".so")[0] for name in libraries} <= {"libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"}
    exported = subprocess.run(["nm", "-D", "--defined-only", str(fmu.path)], capture_output=True, text=True, check=True).stdout
    assert all(line.split()[2].startswith(("fmi2", "fmi3")) for line in exported.splitlines())


@pytest.mark.parametrize("example", ["four_bar", "bouncing_ball", "bricard", "cart_pole", "stick_slip"])
def test_steps_are_those_of_a_simulation_to_the_last_bit(example, tmp_path):
    model = ROOT / "examples" / example
    fmu = made(model, tmp_path)
    one = fmu.instance()
    sim = mb.read(str(model)).simulation()
    h = 0.02
    for k in range(20):
        assert one.step(k * h, h) == OK, one.messages
        sim.advance_to(k * h + h)
    assert bits(one.outputs()) == bits({name: sim[name.replace("'", "")] for name in one.outputs()})
    one.free()


def test_saved_states_give_equal_bits_again(tmp_path):
    one = made(ROOT / "examples/bouncing_ball", tmp_path).instance()
    one.run(0.4, 0.02)
    state = c.c_void_p()
    assert one.lib.fmi2GetFMUstate(one.c, c.byref(state)) == OK
    go_on = lambda: [one.step(0.4 + 0.02 * k, 0.02) for k in range(30)] and bits(one.outputs())
    first = go_on()
    assert one.lib.fmi2SetFMUstate(one.c, state) == OK
    assert go_on() == first
    assert one.lib.fmi2FreeFMUstate(one.c, c.byref(state)) == OK and not state.value
    one.free()


GO_ON = """
import sys
sys.path[:0] = [{tests!r}]
from pathlib import Path
import ctypes as c
from test_fmu import Fmu2, Instance2, bits, OK
fmu = Fmu2({file!r}, Path({folder!r}))
one = fmu.instance()
bytes_ = Path({state!r}).read_bytes()
state = c.c_void_p()
assert one.lib.fmi2DeSerializeFMUstate(one.c, bytes_, c.c_size_t(len(bytes_)), c.byref(state)) == OK, one.messages
assert one.lib.fmi2SetFMUstate(one.c, state) == OK, one.messages
for k in range(30):
    assert one.step(0.4 + 0.02 * k, 0.02) == OK
print(sorted((name, b.hex()) for name, b in bits(one.outputs()).items()))
"""


def test_a_state_goes_on_in_another_process(tmp_path):
    fmu = made(ROOT / "examples/bouncing_ball", tmp_path)
    one = fmu.instance()
    one.run(0.4, 0.02)
    state, size = c.c_void_p(), c.c_size_t()
    assert one.lib.fmi2GetFMUstate(one.c, c.byref(state)) == OK
    assert one.lib.fmi2SerializedFMUstateSize(one.c, state, c.byref(size)) == OK
    stored = c.create_string_buffer(size.value)
    assert one.lib.fmi2SerializeFMUstate(one.c, state, stored, size) == OK
    (tmp_path / "state").write_bytes(stored.raw)
    for k in range(30):
        assert one.step(0.4 + 0.02 * k, 0.02) == OK
    here = str(sorted((name, b.hex()) for name, b in bits(one.outputs()).items()))
    (tmp_path / "other").mkdir()
    script = GO_ON.format(tests=str(Path(__file__).parent), file=str(tmp_path / "unit.fmu"),
                          folder=str(tmp_path / "other"), state=str(tmp_path / "state"))
    there = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                           env={**os.environ, "MUBODY_PROGRAM": PROGRAM})
    assert there.stdout.strip() == here, there.stderr
    for at in (45, 60, 100, len(stored.raw) // 2, len(stored.raw) - 1):
        broken = bytearray(stored.raw)
        broken[at] ^= 1
        other = c.c_void_p()
        assert one.lib.fmi2DeSerializeFMUstate(one.c, bytes(broken), size, c.byref(other)) == ERROR, at
        assert "no whole state" in one.messages[-1][2].decode()


def test_categories_of_messages_are_chosen(tmp_path):
    one = made(ROOT / "examples/bouncing_ball", tmp_path).instance()

    def listens(on, *names):
        return one.lib.fmi2SetDebugLogging(one.c, int(on), c.c_size_t(len(names)), (c.c_char_p * len(names))(*names))

    def heard(first, steps=20):
        one.messages.clear()
        for k in range(steps):
            assert one.step((first + k) * 0.05, 0.05) == OK
        return {category for _, category, _ in one.messages}

    assert heard(0) == {b"logEvents"}
    assert listens(True, b"logStatusError", b"logStatusDiscard") == OK and heard(20) == set()
    assert listens(True, b"logEvents") == OK and heard(40) == {b"logEvents"}
    assert listens(False) == OK and heard(60) == set()
    assert one.set("ball.y", 1.0) == ERROR and one.messages[-1][1] == b"logStatusError"
    assert listens(True, b"nonsense") == WARNING and "categories" in one.messages[-1][2].decode()


def test_parameters_assemble_the_mechanism_anew(tmp_path):
    fmu = made(ROOT / "examples/four_bar", tmp_path)
    one = fmu.instance(parameters={"b": 4.2})
    assert one["b"] == 4.2
    changed = made(ROOT / "examples/four_bar", tmp_path, "--set", "parameters.b=4.2", name="changed").instance()
    assert bits(one.run(0.5, 0.01)) == bits(changed.run(0.5, 0.01))
    assert one.set("b", 4.1) == ERROR
    assert "fixed once" in one.messages[-1][2].decode()
    assert one.lib.fmi2Reset(one.c) == OK
    assert one["b"] == 4.0
    impossible = fmu.instance(initialize=False)
    impossible.c = c.c_void_p(impossible.c)
    assert impossible.set("b", 40.0) == OK
    assert impossible.lib.fmi2EnterInitializationMode(impossible.c) == OK
    assert impossible.lib.fmi2ExitInitializationMode(impossible.c) == ERROR
    assert impossible.messages[-1][0] == ERROR and len(impossible.messages[-1][2]) > 20


def test_inputs_act(tmp_path):
    model = tmp_path / "model.toml"
    model.write_text("""gravity = [0, -9.81]
[inputs]
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
    fmu = made(model, tmp_path)
    assert [n for n, k in fmu.kinds.items() if k == "input"] == ["torque"]
    assert [n for n, k in fmu.kinds.items() if k == "output"] == ["angle"]
    one, sim = fmu.instance(), mb.read(str(model)).simulation()
    for k in range(50):
        one["torque"] = sim["torque"] = 3.0 * (k % 7) - 1
        assert one.step(0.01 * k, 0.01) == OK
        sim.advance_to(0.01 * k + 0.01)
    assert bits(one.outputs()) == bits({"angle": sim["angle"]})
    assert one.set("torque", float("nan")) == ERROR
    assert one.set("angle", 1.0) == ERROR
    assert one.step(0.7, 0.01) == ERROR  # it is elsewhere
    assert not Instance2(fmu, guid="{no}").c


BLOCK = """[inputs]
push = {value = 0, unit = "N"}
[bodies]
block = {mass = 2, inertia = 1}
[forces]
motor = {type = "force", body = "block", force = ["= push", 0]}
"""

DRIVEN = """gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[drivers]
turn = {type = "angle", bodies = ["ground", "rod"], value = 0}
"""


def test_inputs_act_in_model_exchange(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    one = made(tmp_path / "model.toml", tmp_path, "--kind", "both").instance(exchange=True)
    rates = (c.c_double * 6)()
    for push in (0.0, 3.0, -1.0):
        one["push"] = push
        assert one.lib.fmi2GetDerivatives(one.c, rates, c.c_size_t(6)) == OK, one.messages
        assert list(rates) == [0, 0, 0, push / 2, 0, 0]


def test_drivers_move_in_model_exchange(tmp_path):
    (tmp_path / "model.toml").write_text(DRIVEN)
    fmu = made(tmp_path / "model.toml", tmp_path, "--kind", "both")
    one = fmu.instance(exchange=True, parameters={"turn.value": 0.3, "turn.value_rate": 0.7})
    rates = (c.c_double * 6)()
    for acceleration in (0.0, 2.0):
        one["turn.value_acceleration"] = acceleration
        assert one.lib.fmi2GetDerivatives(one.c, rates, c.c_size_t(6)) == OK, one.messages
        expected = [-0.35 * math.sin(0.3), 0.35 * math.cos(0.3), 0.7]
        assert list(rates)[:3] == pytest.approx(expected, abs=1e-12)
        assert rates[5] == pytest.approx(acceleration, abs=1e-12)


def test_an_fmu_is_only_what_its_description_says(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    for kind, named in (("cs", "co-simulation"), ("me", "model exchange")):
        fmu = made(tmp_path / "model.toml", tmp_path, "--kind", kind, name=kind)
        assert fmu.instance(exchange=kind == "me", initialize=False).c
        other = fmu.instance(exchange=kind == "cs", initialize=False)
        assert not other.c and f"for {named} only" in other.messages[-1][2].decode()


@pytest.mark.parametrize("engine", ["full", "compiled"])
def test_functions_are_called_in_their_order(engine, tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    one = made(tmp_path / "model.toml", tmp_path, "--engine", engine).instance(initialize=False)
    one.c = c.c_void_p(one.c)

    calls = {"setup": lambda: one.lib.fmi2SetupExperiment(one.c, 0, c.c_double(0), c.c_double(0), 0, c.c_double(0)),
             "enter": lambda: one.lib.fmi2EnterInitializationMode(one.c),
             "leave": lambda: one.lib.fmi2ExitInitializationMode(one.c),
             "step": lambda: one.step(0, 0.1),
             "end": lambda: one.lib.fmi2Terminate(one.c)}
    for name in ("fmi2EnterInitializationMode", "fmi2ExitInitializationMode", "fmi2Terminate"):
        assert getattr(one.lib, name)(None) == ERROR
    saved = c.c_void_p()
    for allowed in (["setup", "enter"], ["leave"], ["step", "end"], []):
        for name in set(calls) - set(allowed):
            assert calls[name]() == ERROR, (allowed, name)
            assert engine == "compiled" or "out of order" in one.messages[-1][2].decode()
        if "step" in allowed:
            assert one.lib.fmi2GetFMUstate(one.c, c.byref(saved)) == OK
        for name in allowed:
            assert calls[name]() == OK, one.messages
    assert one.lib.fmi2Reset(one.c) == OK
    assert calls["step"]() == ERROR
    assert one.lib.fmi2SetFMUstate(one.c, saved) == OK
    assert one.step(0.5, 0.1) == ERROR  # the motion is elsewhere
    assert calls["step"]() == OK


def test_data_files_and_included_files_travel_along(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "own").mkdir()
    (tmp_path / "parts/base.toml").write_text("""gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
""")
    (tmp_path / "parts/push.csv").write_text("time,push\\n0,0\\n1,5\\n2,0\\n".replace("\\n", "\n"))
    model = tmp_path / "own/model.toml"
    model.write_text("""include = "../parts/base.toml"
[forces]
push = {type = "moment", bodies = ["ground", "rod"], moment = {type = "spline", data = "../parts/push.csv"}}
""")
    fmu = made(model, tmp_path)
    assert {"resources/model/own/model.toml", "resources/model/parts/base.toml",
            "resources/model/parts/push.csv"} <= set(fmu.names)
    sim = mb.read(str(model)).simulation()
    for k in range(10):
        sim.advance_to(k * 0.05 + 0.05)
    for used in ("own/model.toml", "parts/base.toml", "parts/push.csv"):
        (tmp_path / used).unlink()
    one = fmu.instance()
    assert bits(one.run(0.5, 0.05)) == bits({name: sim[name] for name in one.outputs()})


def test_a_model_that_asks_for_compiled_code_does_without(tmp_path):
    one = made(ROOT / "examples/four_bar", tmp_path, "--set", "analysis.compiled=true").instance()
    other = made(ROOT / "examples/four_bar", tmp_path, name="other").instance()
    assert bits(one.run(0.2, 0.01)) == bits(other.run(0.2, 0.01))


def test_a_hundred_instances_in_four_threads(tmp_path):
    fmu = made(ROOT / "examples/four_bar", tmp_path)
    alone = bits(fmu.instance().run(0.2, 0.01))
    wrong = []

    def work():
        for _ in range(25):
            one = fmu.instance()
            if bits(one.run(0.2, 0.01)) != alone:
                wrong.append(one)
            one.free()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_models_of_python_are_fmus_too(tmp_path):
    m = mb.Model("pendulum", gravity=(0, -9.81), parameters={"length": 1.0})
    rod = m.body("rod", mass=1, inertia="= length^2/12", position=("= length/2", 0))
    m.joint("pin", mb.Revolute(m.ground.at(0, 0), rod.at("= -length/2", 0)))
    token = m.fmu(tmp_path / "one.fmu", outputs=["rod.angle"])
    fmu = Fmu2(tmp_path / "one.fmu", tmp_path / "one")
    assert fmu.root.get("guid") == token
    one = fmu.instance(parameters={"length": 1.5})
    sim = m.simulation(changes={"parameters.length": 1.5})
    for k in range(10):
        assert one.step(0.1 * k, 0.1) == OK
        sim.advance_to(0.1 * k + 0.1)
    assert bits(one.outputs()) == bits({"rod.angle": sim["rod.angle"]})
    # A file that is read and not changed gives the same bytes as the program does.
    mb.read(ROOT / "examples/four_bar").fmu(tmp_path / "read.fmu", version="3.0", kind="both")
    assert program("fmu", ROOT / "examples/four_bar", "-o", tmp_path / "made.fmu", "--version", "3.0", "--kind", "both").returncode == 0
    assert (tmp_path / "read.fmu").read_bytes() == (tmp_path / "made.fmu").read_bytes()
    with pytest.raises(ValueError):
        m.fmu(tmp_path / "wrong.fmu", version="1.0")
    # Our own files are replaced, those of others on request alone.
    assert m.fmu(tmp_path / "one.fmu", outputs=["rod.angle"]) == token
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(OSError, match="it is there already"):
        m.fmu(tmp_path / "thesis.txt")
    assert (tmp_path / "thesis.txt").read_text() == "years of work"
    m.fmu(tmp_path / "thesis.txt", force=True)
    assert zipfile.is_zipfile(tmp_path / "thesis.txt")
    with pytest.raises(mb.ModelError, match=r"^analysis\.foo=1: analysis: unknown key 'foo'"):
        m.fmu(tmp_path / "one.fmu", foo=1)


def test_drivers_take_a_rate_and_an_acceleration(tmp_path):
    (tmp_path / "model.toml").write_text(DRIVEN)
    fmu = made(tmp_path / "model.toml", tmp_path)
    assert [n for n, k in fmu.kinds.items() if k == "input"] == ["turn.value", "turn.value_rate", "turn.value_acceleration"]
    one = fmu.instance()
    h, rate, acceleration = 0.1, 0.7, 2.0
    angle = lambda t: rate * t + acceleration * t * t / 2
    for k in range(10):
        t = k * h
        one["turn.value"], one["turn.value_rate"], one["turn.value_acceleration"] = angle(t), rate + acceleration * t, acceleration
        assert one.step(t, h) == OK, one.messages
        assert abs(one["rod.angle"] - angle(t + h)) < 1e-9
        assert abs(one["rod.omega"] - rate - acceleration * (t + h)) < 1e-9
    # The same through derivatives of the input.
    other = fmu.instance()
    for k in range(10):
        t = k * h
        other["turn.value"] = angle(t)
        refs, orders = (c.c_uint * 2)(fmu.refs["turn.value"], fmu.refs["turn.value"]), (c.c_int * 2)(1, 2)
        values = (c.c_double * 2)(rate + acceleration * t, acceleration)
        assert other.lib.fmi2SetRealInputDerivatives(other.c, refs, c.c_size_t(2), orders, values) == OK
        assert other.step(t, h) == OK
    assert bits(other.outputs()) == bits(one.outputs())
