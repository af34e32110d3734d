"""`mubody fmu --check`: our own FMUs and those of others, honest and hostile."""
import csv
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from conftest import PROGRAM, ROOT, program

if not (Path(PROGRAM).parent / "mubody_fmu.so").is_file():
    pytest.skip("the library of FMUs is not built", allow_module_level=True)

TWELVE = ["four_bar", "bricard", "bouncing_ball", "slider_crank_driven", "spatial_slider_crank", "stick_slip", "cart_pole",
          "crane", "double_pendulum", "heavy_top", "rolling_disc", "stewart_platform"]


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("example", TWELVE)
def test_our_fmus_have_nothing_to_object_to(example, version, tmp_path):
    file, out, native = tmp_path / "one.fmu", tmp_path / "fmu.out", tmp_path / "native.out"
    assert program("fmu", ROOT / "examples" / example, "-o", file, "--version", version, "--outputs", "*").returncode == 0
    checked = program("fmu", "--check", file, "-o", out)
    assert checked.returncode == 0, checked.stdout
    assert "nothing to object to" in checked.stdout
    assert program("run", ROOT / "examples" / example, "-o", native, "--quiet", "--no-estimate").returncode in (0, 5)
    agreed = program("agree", native, out, "--format", "csv")
    assert agreed.returncode == 0, agreed.stderr
    rows = list(csv.DictReader(agreed.stdout.splitlines()))
    largest = {}
    for file in native.glob("*.csv"):
        table = list(csv.reader(file.open()))
        if table[0][0] == "time[s]" and file.name != "events.csv":
            for k, title in enumerate(table[0]):
                largest[title.split("[")[0]] = max(abs(float(row[k])) for row in table[1:])
    assert len(rows) > 10
    for row in rows:
        # Accelerations and reactions of contacts and joints follow states of 1e-9.
        size = max(largest[row["channel"]], 1)
        assert float(row["max"]) < 1e-6 * size, row["channel"]
        if row["unit"] in ("m", "rad", "m/s", "rad/s"):
            assert float(row["max"]) < 1e-8 * size, row["channel"]


def test_precomputed_models(tmp_path):
    tables, file = tmp_path / "four_bar.rt", tmp_path / "one.fmu"
    assert program("fmu", ROOT / "examples/four_bar", "-o", file, "--engine", "tables").returncode == 2
    assert program("precompute", ROOT / "examples/four_bar", "-o", tables).returncode == 0
    assert program("fmu", tables, "-o", file, "--engine", "tables").returncode == 0
    assert program("run", tables, "-o", tmp_path / "native", "--quiet").returncode in (0, 5)
    tables.unlink()
    checked = program("fmu", "--check", file, "-o", tmp_path / "out")
    assert checked.returncode == 0, checked.stdout
    assert program("agree", tmp_path / "native", tmp_path / "out", "--tolerance", "1e-12").returncode == 0


def test_generated_code(tmp_path):
    file = tmp_path / "one.fmu"
    assert program("fmu", ROOT / "examples/four_bar", "-o", file, "--engine", "compiled").returncode == 0
    assert program("fmu", ROOT / "examples/four_bar", "-o", tmp_path / "two.fmu", "--engine", "compiled").returncode == 0
    assert file.read_bytes() == (tmp_path / "two.fmu").read_bytes()
    checked = program("fmu", "--check", file, "-o", tmp_path / "out")
    assert checked.returncode == 0, checked.stdout
    assert program("run", ROOT / "examples/four_bar", "-o", tmp_path / "native", "--quiet", "--no-estimate").returncode in (0, 5)
    # Both take steps of 1 ms, with corrections of different kinds.
    assert program("agree", tmp_path / "native", tmp_path / "out", "--channels", "crank.angle,coupler.x,tip.x", "--tolerance",
                   "5e-8").returncode == 0
    refused = program("fmu", ROOT / "examples/bouncing_ball", "--engine", "compiled", "-o", tmp_path / "ball.fmu")
    assert refused.returncode == 2 and "floor" in refused.stderr


def test_model_exchange_has_nothing_to_object_to(tmp_path):
    for version in ("2.0", "3.0"):
        file = tmp_path / f"{version}.fmu"
        assert program("fmu", ROOT / "examples/bouncing_ball", "-o", file, "--kind", "both", "--version", version).returncode == 0
        checked = program("fmu", "--check", file)
        assert checked.returncode == 0, checked.stdout
        # Contacts and the projection set states anew: every state says so, and nothing else does.
        text = zipfile.ZipFile(file).read("modelDescription.xml").decode()
        states = [line for line in text.splitlines() if 'name="state[' in line]
        assert len(states) > 2 and all('reinit="true"' in line for line in states)
        assert text.count("reinit=") == len(states)


def test_names_of_the_run_are_those_of_the_model(tmp_path):
    model = tmp_path / "model.toml"
    model.write_text('''gravity = [0, -9.81]
bodies.left-rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
joints.the-pin = {type = "revolute", bodies = ["ground", "left-rod"], at = [0, 0]}
''')
    assert program("fmu", model, "-o", tmp_path / "one.fmu").returncode == 0
    assert program("fmu", "--check", tmp_path / "one.fmu", "-o", tmp_path / "out").returncode == 0
    assert program("run", model, "-o", tmp_path / "native", "--quiet").returncode == 0
    agreed = program("agree", tmp_path / "native", tmp_path / "out", "--channels", "left-rod.x,the-pin.angle", "--tolerance", "1e-8")
    assert agreed.returncode == 0, agreed.stdout + agreed.stderr


def test_a_run_with_inputs(tmp_path):
    model = tmp_path / "model.toml"
    model.write_text("""[inputs]
push = {value = 0, unit = "N"}
[bodies]
block = {mass = 2, inertia = 1}
[joints]
rail = {type = "translational", bodies = ["ground", "block"], at = [0, 0], axis = [1, 0]}
[forces]
motor = {type = "force", body = "block", force = ["= push", 0]}
[analysis]
end = 1
rtol = 1e-10
""")
    file, out = tmp_path / "one.fmu", tmp_path / "out"
    assert program("fmu", model, "-o", file).returncode == 0
    (tmp_path / "push.csv").write_text("time[s],push[kN]\n0,0.004\n1,0.004\n")
    checked = program("fmu", "--check", file, "-o", out, "--input", tmp_path / "push.csv", "--step", "0.1 s")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    rows = list(csv.DictReader((out / "signals.csv").open()))
    assert len(rows) == 11
    assert abs(float(rows[-1]["block.x[m]"]) - 0.5 * 4 / 2) < 1e-9  # half the acceleration times the square of the time
    wrong = program("fmu", "--check", file, "--set", "nothing=1")
    assert wrong.returncode == 2 and "no variable 'nothing'" in wrong.stderr


def archive(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, content in entries.items():
            z.writestr(name, content)


def complaint(file, *options):
    done = program("fmu", "--check", file, *options)
    assert done.returncode == 2, done.stdout
    return done.stdout


MINIMAL = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g">
  <CoSimulation modelIdentifier="m"/>
  <ModelVariables>
    <ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="t" valueReference="2" causality="independent"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs><InitialUnknowns><Unknown index="1"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>
"""


@pytest.mark.parametrize("name, words", [("../../evil", "leads upwards"), ("/etc/evil", "is absolute"),
                                         ("a\\..\\b", "backslash"), ("a/../../b", "leads upwards")])
def test_names_that_lead_elsewhere(name, words, tmp_path):
    archive(tmp_path / "x.fmu", {"modelDescription.xml": MINIMAL, name: "x"})
    assert words in complaint(tmp_path / "x.fmu")
    assert not (tmp_path.parent.parent / "evil").exists()


def test_huge_and_broken_archives(tmp_path):
    file = tmp_path / "x.fmu"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("modelDescription.xml", MINIMAL)
        with z.open("resources/bomb", "w") as bomb:
            for _ in range(1100):
                bomb.write(bytes(1_000_000))
    assert "unpacks to more than" in complaint(file)
    archive(file, {"modelDescription.xml": MINIMAL})
    whole = file.read_bytes()
    file.write_bytes(whole[:-30])
    assert "ZIP archive" in complaint(file)
    file.write_bytes(whole.replace(struct.pack("<I", len(MINIMAL)), struct.pack("<I", len(MINIMAL) + 1)))
    assert "does not unpack" in complaint(file)
    file.write_bytes(b"something else")
    assert "ZIP archive" in complaint(file)
    archive(file, {"other.xml": MINIMAL})
    assert "no modelDescription.xml" in complaint(file)
    link = zipfile.ZipInfo("resources/link")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("modelDescription.xml", MINIMAL)
        z.writestr(link, "/etc/passwd")
    assert "is a link" in complaint(file)


def test_any_byte_may_be_wrong(tmp_path):
    """Broken archives end with words, never with a crash."""
    file = tmp_path / "x.fmu"
    archive(file, {"modelDescription.xml": MINIMAL, "resources/a.txt": "abc" * 30})
    whole = file.read_bytes()
    for at in range(0, len(whole), 7):
        broken = bytearray(whole)
        broken[at] ^= 0x55
        file.write_bytes(bytes(broken))
        assert program("fmu", "--check", file, "--no-run").returncode in (0, 2), at


@pytest.mark.parametrize("old, new, words", [
    ("<fmiModelDescription", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><fmiModelDescription', "document type"),
    ("</ModelVariables>", "", "mismatched tag"),
    ('fmiVersion="2.0"', 'fmiVersion="1.0"', "versions 2.0 and 3.0"),
    (' guid="g"', "", "has no guid"),
    ('modelIdentifier="m"', 'modelIdentifier="1 m"', "no name in C"),
    ('causality="output"', 'causality="input"', "start value is missing"),
    ('causality="output"', 'causality="output" variability="fixed"', "do not go together"),
    ("<Real/>", '<Real unit="m"/>', "unit 'm' is not defined"),
    ("<Real/>", '<Real start="1"/>', "has no start value"),
    ('index="1"', 'index="9"', "is no variable"),
    ("<Outputs><Unknown index=\"1\"/></Outputs>", "", "does not list it"),
    ('<InitialUnknowns><Unknown index="1"/></InitialUnknowns>', "", "as an initial unknown"),
    ('guid="g"', 'guid="g" variableNamingConvention="structured" xmlns:a="b" a:y="2"', None),
    ('guid="g"', 'guid="g" x="1"', "unknown attribute 'x'"),
    ("<ModelStructure>", "<ModelStructure><Nothing/>", "unknown element <Nothing>"),
    ("<ModelVariables>", '<VendorAnnotations><Tool name="a"><Any thing="1"/></Tool></VendorAnnotations><ModelVariables>', None),
    ('modelIdentifier="m"', 'modelIdentifier="m" canInterpolateInputs="1"', None),
    ('modelIdentifier="m"', 'modelIdentifier="m" canInterpolateInputs="yes"', "neither true nor false: 'yes'"),
    ('<Outputs><Unknown index="1"', '<Outputs><Unknown index="1" dependencies="2" dependenciesKind="constant"', None),
    ('<Outputs><Unknown index="1"', '<Outputs><Unknown index="1" dependenciesKind="dependent"', "dependenciesKind has 1 entries, dependencies 0"),
    ('<Outputs><Unknown index="1"', '<Outputs><Unknown index="1" dependencies="2" dependenciesKind="maybe"', "dependenciesKind 'maybe'"),
    ('causality="output"><Real/>', 'causality="input"><Real start="nan"/>', "no number: 'nan'"),
    ('causality="output"><Real/>', 'causality="input"><Real start="inf"/>', "no number: 'inf'"),
    ("<Real/>", '<Real derivative="1"/>', None),
    ("<Real/>", '<Real derivative="9"/>', "derivative of no continuous variable"),
    ("<Real/>", '<Integer derivative="1"/>', "<Integer> has an unknown attribute 'derivative'"),
    ('causality="output"', 'causality="output" derivative="1"', "<ScalarVariable> has an unknown attribute 'derivative'"),
    ("<Real/>", '<Real reinit="true"/>', "reinit is for continuous states alone"),
    ('name="y"', 'name="y z" ', None),
    ("<Outputs>", '<Outputs><Unknown index="1" dependencies="7"/>', "which is no variable"),
    ('<Outputs><Unknown index="1"', '<Outputs><Unknown index="1" dependencies="1"', "output depends on 'y', which is neither an input nor a state"),
    ('<InitialUnknowns><Unknown index="1"', '<InitialUnknowns><Unknown index="1" dependencies="2 1"', "depends on 'y', which is neither"),
])
def test_rules_of_descriptions(old, new, words, tmp_path):
    archive(tmp_path / "x.fmu", {"modelDescription.xml": MINIMAL.replace(old, new, 1), "sources/m.c": ""})
    if words is None:
        assert program("fmu", "--check", tmp_path / "x.fmu").returncode == 0
    else:
        assert words in complaint(tmp_path / "x.fmu")


FOREIGN = r"""
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef void* C; typedef unsigned R;
static double y; static int ended;
#define N(name) int name(C c, const R* r, size_t n, void* v) { return 0; }
const char* fmi2GetTypesPlatform(void) { return "default"; }
const char* fmi2GetVersion(void) { return "2.0"; }
int fmi2SetDebugLogging(C c, int on, size_t n, const char* const* s) { return 0; }
C fmi2Instantiate(const char* name, int type, const char* id, const char* where, const void* f, int v, int l) { y = 1; return &y; }
void fmi2FreeInstance(C c) {}
int fmi2SetupExperiment(C c, int a, double b, double s, int d, double e) { return 0; }
int fmi2EnterInitializationMode(C c) { return 0; }
int fmi2ExitInitializationMode(C c) { return 0; }
int fmi2Terminate(C c) { return 0; }
int fmi2Reset(C c) { y = 1; return 0; }
int fmi2GetReal(C c, const R* r, size_t n, double* v) { for (size_t k = 0; k < n; ++k) v[k] = y; return 0; }
N(fmi2GetInteger) N(fmi2GetBoolean) N(fmi2GetString) N(fmi2SetReal) N(fmi2SetInteger) N(fmi2SetBoolean) N(fmi2SetString)
int fmi2GetFMUstate(C c, void** s) { return 3; }
int fmi2SetFMUstate(C c, void* s) { return 3; }
int fmi2FreeFMUstate(C c, void** s) { return 3; }
int fmi2SerializedFMUstateSize(C c, void* s, size_t* n) { return 3; }
int fmi2SerializeFMUstate(C c, void* s, char* b, size_t n) { return 3; }
int fmi2DeSerializeFMUstate(C c, const char* b, size_t n, void** s) { return 3; }
int fmi2GetDirectionalDerivative(C c, const R* a, size_t b, const R* d, size_t e, const double* f, double* g) { return 3; }
int fmi2SetRealInputDerivatives(C c, const R* r, size_t n, const int* o, const double* v) { return 3; }
int fmi2GetRealOutputDerivatives(C c, const R* r, size_t n, const int* o, double* v) { return 3; }
#ifndef MISSING
int fmi2DoStep(C c, double t, double h, int k) { y *= 1 - h; STEP; return 0; }
#endif
int fmi2CancelStep(C c) { return 3; }
int fmi2GetStatus(C c, int k, int* v) { return 2; }
int fmi2GetRealStatus(C c, int k, double* v) { return 2; }
int fmi2GetIntegerStatus(C c, int k, int* v) { return 2; }
int fmi2GetBooleanStatus(C c, int k, int* v) { *v = ended; return ended ? 0 : 2; }
int fmi2GetStringStatus(C c, int k, const char** v) { return 2; }
"""


def foreign(folder, step, version='"2.0"'):
    """An FMU that somebody has compiled, which does that in each step."""
    (folder / "m.c").write_text(FOREIGN.replace('return "2.0"', f"return {version}"))
    flags = ["-DMISSING"] if step == "MISSING" else [f"-DSTEP={step}"]
    subprocess.run(["cc", "-shared", "-fPIC", "-w", *flags, str(folder / "m.c"), "-o", str(folder / "m.so")], check=True)
    platform = "linux64" if subprocess.run(["uname", "-m"], capture_output=True, text=True, check=True).stdout.strip() == "x86_64" \
        else "aarch64-linux"
    archive(folder / "x.fmu", {"modelDescription.xml": MINIMAL, f"binaries/{platform}/m.so": (folder / "m.so").read_bytes()})


needs_compiler = pytest.mark.skipif(not shutil.which("cc") or sys.platform != "linux", reason="needs a C compiler")


@needs_compiler
@pytest.mark.parametrize("step, words", [
    ("(void)0", None), ("abort()", "crashed in fmi2DoStep"), ("*(volatile int*)0 = 1", "crashed in fmi2DoStep: Segm"),
    ("_exit(0)", "ended its process in fmi2DoStep"), ("return 3", "fmi2DoStep returned error"), ("y = 0.0 / 0.0", "is not finite"),
    ("for (;;) {}", "not come to its end"), ("MISSING", "does not have all functions: fmi2DoStep")])
def test_code_of_others(step, words, tmp_path):
    foreign(tmp_path, step)
    if words is None:
        done = program("fmu", "--check", tmp_path / "x.fmu", "-o", tmp_path / "out", "--step", "0.5 s", "--stop", "1 s")
        assert done.returncode == 0, done.stdout
        rows = list(csv.reader((tmp_path / "out/signals.csv").open()))
        assert [float(row[1]) for row in rows[1:]] == [1, 0.5, 0.25]
    else:
        assert words in complaint(tmp_path / "x.fmu", "--limit", "2 s")


@needs_compiler
@pytest.mark.parametrize("stop, step, rows", [(0.7, 0.1, 8), (1, 0.3, 5), (1, 0.4, 4), (1e-3, 1e-4, 11), (2, 5, 2)])
def test_the_last_step_ends_where_the_run_does(stop, step, rows, tmp_path):
    foreign(tmp_path, f"if (t + h > {stop}) return 3")
    done = program("fmu", "--check", tmp_path / "x.fmu", "-o", tmp_path / "out", "--step", f"{step} s", "--stop", f"{stop} s")
    assert done.returncode == 0, done.stdout
    times = [float(row[0]) for row in list(csv.reader((tmp_path / "out/signals.csv").open()))[1:]]
    assert len(times) == rows and times[-1] == stop


@needs_compiler
def test_an_fmu_may_end_its_motion(tmp_path):
    foreign(tmp_path, "if (t > 0.4) { ended = 1; return 2; }")
    done = program("fmu", "--check", tmp_path / "x.fmu", "-o", tmp_path / "out", "--step", "0.1 s")
    assert done.returncode == 0, done.stdout
    assert "note: the FMU asks to end the motion at t = 0.5 s" in done.stdout
    assert len(list(csv.reader((tmp_path / "out/signals.csv").open()))) == 1 + 6
    foreign(tmp_path, "if (t > 0.4) return 2")
    assert "fmi2DoStep returned discard" in complaint(tmp_path / "x.fmu")


@needs_compiler
@pytest.mark.parametrize("status", [0, 2])
def test_an_fmu_of_3_may_end_its_motion(status, tmp_path):
    """The sources of our own one, changed."""
    file, folder = tmp_path / "one.fmu", tmp_path / "unpacked"
    assert program("fmu", ROOT / "examples/four_bar", "-o", file, "--engine", "compiled", "--version", "3.0", "--no-report").returncode == 0
    zipfile.ZipFile(file).extractall(folder)
    source, library = folder / "sources/fmi3.c", next((folder / "binaries").glob("*/*.so"))
    text = source.read_text()
    ends = "*ends = wrong != NULL;"
    assert text.count(ends) == 1
    source.write_text(text.replace(ends, f"*ends = now > 0.5;\n  if (*ends) return {status};"))
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", *map(str, (folder / "sources").glob("*.c")), "-lm", "-o", str(library)], check=True)
    archive(file, {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()})
    done = program("fmu", "--check", file)
    assert done.returncode == 0 and "note: the FMU asks to end the motion at t = 0.5" in done.stdout, done.stdout


SCHEDULED = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="g">
  <ScheduledExecution modelIdentifier="m"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Clock name="clock" valueReference="1" causality="input" variability="discrete" intervalVariability="constant" intervalDecimal="1"/>
    <Int32 name="ticks" valueReference="2" causality="output" variability="discrete" clocks="1"/>
  </ModelVariables>
  <ModelStructure><Output valueReference="2" dependencies="1"/></ModelStructure>
</fmiModelDescription>
"""


def test_scheduled_execution_is_not_run(tmp_path):
    archive(tmp_path / "x.fmu", {"modelDescription.xml": SCHEDULED})
    done = program("fmu", "--check", tmp_path / "x.fmu")
    assert done.returncode == 0, done.stdout
    assert "FMI 3.0, scheduled execution" in done.stdout
    assert "note: it is for scheduled execution alone, which cannot be run here" in done.stdout


@needs_compiler
@pytest.mark.parametrize("files, words", [
    (["resources", "resources/y"], "the entry 'resources' is a file, but 'resources/y' lies in it"),
    (["a/b", "a/b/c/d"], "the entry 'a/b' is a file, but 'a/b/c/d' lies in it"),
    (["resources"], "the entry 'resources' is a file, and not a folder"), (["x" * 300], "is too long")])
def test_files_that_lie_in_files(files, words, tmp_path):
    foreign(tmp_path, "(void)0")
    with zipfile.ZipFile(tmp_path / "x.fmu", "a") as z:
        for name in files:
            z.writestr(name, "x")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = subprocess.run([PROGRAM, "fmu", "--check", str(tmp_path / "x.fmu")], env={**os.environ, "TMPDIR": str(temporary)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 2 and words in done.stdout, done.stdout + done.stderr
    assert list(temporary.iterdir()) == []


@needs_compiler
def test_code_of_others_takes_neither_all_memory_nor_all_of_the_disk(tmp_path):
    foreign(tmp_path, "void* p = malloc(2300000000u); if (!p) abort(); free(p)")
    assert "crashed in fmi2DoStep" in complaint(tmp_path / "x.fmu")
    assert program("fmu", "--check", tmp_path / "x.fmu", "--stop", "0.01", "--memory-limit", "8GB").returncode == 0
    foreign(tmp_path, f'if (truncate("{tmp_path}/large", 1100000000)) abort()')
    (tmp_path / "large").touch()
    assert "crashed in fmi2DoStep: File size" in complaint(tmp_path / "x.fmu")
    foreign(tmp_path, "(void)0", version="0")
    assert "no version: its function returns a null pointer" in complaint(tmp_path / "x.fmu")


def running(folder):
    """Processes whose current folder that is."""
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").resolve() == folder.resolve():
                found.append(process.name)
        except OSError:
            pass
    return found


@needs_compiler
def test_processes_of_others_end_with_the_check(tmp_path):
    foreign(tmp_path, "if (fork() == 0) for (;;) pause()")
    here = tmp_path / "here"
    here.mkdir()
    done = subprocess.run([PROGRAM, "fmu", "--check", "../x.fmu"], cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    until = time.monotonic() + 5
    while running(here) and time.monotonic() < until:
        time.sleep(0.01)
    assert running(here) == []


@needs_compiler
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_check_leaves_nothing_behind(number, code, tmp_path):
    foreign(tmp_path, "for (;;) {}")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    check = subprocess.Popen([PROGRAM, "fmu", "--check", str(tmp_path / "x.fmu")], env={**os.environ, "TMPDIR": str(temporary)},
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=temporary)
    until = time.monotonic() + 10
    while not list(temporary.glob(".fmu*/binaries/*/m.so")) and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.2)
    check.send_signal(number)
    assert check.wait(10) == code
    assert list(temporary.iterdir()) == []
    assert running(temporary) == []
