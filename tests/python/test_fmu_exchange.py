"""Model exchange of FMUs: what an integrator outside sees before, at and after events."""
import ctypes as c
import struct

import pytest

from conftest import ROOT
from test_fmu import BLOCK, DRIVEN, ERROR, OK, bits, made

SWITCHED = """[inputs]
extra = {value = 0, unit = "N"}
[bodies]
block = {mass = 2, inertia = 1}
[forces]
motor = {type = "force", body = "block", force = ["= if(t < 0.5, 1, 3) + extra", 0]}
"""


class EventInfo(c.Structure):
    _fields_ = [(name, c.c_int) for name in ("again", "ends", "nominals", "values", "has_next")] + [("next", c.c_double)]


class Motion:
    """An integrator outside, reduced to its calls."""

    def __init__(self, fmu, **more):
        self.one = fmu.instance(exchange=True, **more)
        self.lib, self.c, self.n = self.one.lib, self.one.c, sum(name.startswith("der(") for name in fmu.refs)

    def numbers(self, function):
        values = (c.c_double * self.n)()
        assert getattr(self.lib, function)(self.c, values, c.c_size_t(self.n)) == OK, self.one.messages
        return list(values)

    def states(self):
        return self.numbers("fmi2GetContinuousStates")

    def rates(self):
        return self.numbers("fmi2GetDerivatives")

    def go_to(self, t, states):
        assert self.lib.fmi2SetTime(self.c, c.c_double(t)) == OK, self.one.messages
        assert self.lib.fmi2SetContinuousStates(self.c, (c.c_double * self.n)(*states), c.c_size_t(self.n)) == OK

    def complete(self):
        event, ends = c.c_int(), c.c_int()
        assert self.lib.fmi2CompletedIntegratorStep(self.c, 1, c.byref(event), c.byref(ends)) == OK, self.one.messages
        return bool(event.value)

    def update(self):
        info = EventInfo()
        assert self.lib.fmi2NewDiscreteStates(self.c, c.byref(info)) == OK, self.one.messages
        return info

    def at_event(self, **values):
        assert self.lib.fmi2EnterEventMode(self.c) == OK, self.one.messages
        for name, value in values.items():
            self.one[name.replace("__", ".")] = value
        info = self.update()
        assert self.lib.fmi2EnterContinuousTimeMode(self.c) == OK
        return info


def motion(text, folder, **more):
    (folder / "model.toml").write_text(text)
    return Motion(made(folder / "model.toml", folder, "--kind", "both"), **more)


def test_rates_before_an_announced_event_are_those_of_its_left_side(tmp_path):
    m = motion(SWITCHED, tmp_path)
    assert m.update().next == pytest.approx(0.5, rel=1e-14) and m.lib.fmi2EnterContinuousTimeMode(m.c) == OK
    at = [0.0625, 0, 0, 0.25, 0, 0]
    m.go_to(0.5000000000000001, at)
    assert m.rates()[3] == m.one["block.ax"] == 0.5
    assert m.complete()  # the event is due
    assert m.rates()[3] == m.one["block.ax"] == 0.5
    assert not m.at_event().has_next
    assert m.rates()[3] == m.one["block.ax"] == 1.5
    assert m.states() == pytest.approx(at, abs=1e-9)


def test_classical_steps_that_end_at_events_are_exact(tmp_path):
    m = motion(SWITCHED, tmp_path)
    m.update(), m.lib.fmi2EnterContinuousTimeMode(m.c)
    t, h, x = 0.0, 0.25, m.states()
    for _ in range(4):
        rates = []
        for share in (0, 0.5, 0.5, 1):
            m.go_to(t + share * h, [a + share * h * b for a, b in zip(x, rates[-1] if rates else x)])
            rates.append(m.rates())
        x = [a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4) for a, k1, k2, k3, k4 in zip(x, *rates)]
        t += h
        m.go_to(t, x)
        if m.complete():
            m.at_event()
            x = m.states()
    assert x[0] == pytest.approx(0.375, abs=1e-9) and x[3] == pytest.approx(1, abs=1e-9)


def test_outputs_follow_inputs_without_a_step(tmp_path):
    m = motion(SWITCHED, tmp_path)
    for extra in (0.0, 2.0, -3.0):
        m.one["extra"] = extra
        assert m.one["block.ax"] == (1 + extra) / 2


def test_a_driver_that_is_set_at_an_event_gives_new_states(tmp_path):
    m = motion(DRIVEN, tmp_path)
    assert not m.update().values and m.lib.fmi2EnterContinuousTimeMode(m.c) == OK
    m.go_to(0.1, m.states())
    assert not m.complete()
    assert m.at_event(turn__value=0.25).values
    assert m.states()[2] == pytest.approx(0.25, abs=1e-9)
    # What the integrator has not read yet is kept in states that are saved, and written as bytes.
    assert m.lib.fmi2EnterEventMode(m.c) == OK
    m.one["turn.value"] = -0.5
    state, size = c.c_void_p(), c.c_size_t()
    assert m.lib.fmi2GetFMUstate(m.c, c.byref(state)) == OK
    assert m.lib.fmi2SerializedFMUstateSize(m.c, state, c.byref(size)) == OK
    stored, other = c.create_string_buffer(size.value), c.c_void_p()
    assert m.lib.fmi2SerializeFMUstate(m.c, state, stored, size) == OK
    assert m.lib.fmi2DeSerializeFMUstate(m.c, stored, size, c.byref(other)) == OK, m.one.messages
    for saved in (state, other):
        assert m.lib.fmi2SetFMUstate(m.c, saved) == OK
        assert m.update().values and m.states()[2] == pytest.approx(-0.5, abs=1e-9)


def test_a_state_from_before_the_motion_begins_it_anew(tmp_path):
    fmu = made(ROOT / "examples/four_bar", tmp_path)
    one = fmu.instance(initialize=False)
    one.c = c.c_void_p(one.c)
    state = c.c_void_p()
    assert one.lib.fmi2GetFMUstate(one.c, c.byref(state)) == OK

    def runs():
        assert one.lib.fmi2SetupExperiment(one.c, 0, c.c_double(0), c.c_double(0), 0, c.c_double(0)) == OK
        assert one.lib.fmi2EnterInitializationMode(one.c) == one.lib.fmi2ExitInitializationMode(one.c) == OK
        return bits(one.run(0.2, 0.01))

    first = runs()
    assert one.lib.fmi2SetFMUstate(one.c, state) == OK
    assert one.step(0.2, 0.01) == ERROR
    assert runs() == first


def test_states_can_be_read_in_co_simulation_too(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    fmu = made(tmp_path / "model.toml", tmp_path, "--kind", "both")
    one = fmu.instance()
    one["push"] = 4.0
    assert one.step(0, 0.5) == OK
    states = [name for name in fmu.refs if name.startswith("state")]
    assert len(states) == 6
    assert [one[name] for name in states] == pytest.approx([0.25, 0, 0, 1, 0, 0], abs=1e-9)
    assert [one[f"der({name})"] for name in states] == pytest.approx([1, 0, 0, 2, 0, 0], abs=1e-9)
    assert one.lib.fmi2GetReal(one.c, c.byref(c.c_uint(99)), c.c_size_t(1), c.byref(c.c_double())) == ERROR


def test_nothing_goes_beyond_the_stop(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    fmu = made(tmp_path / "model.toml", tmp_path, "--kind", "both")
    one = fmu.instance(stop=0.3)
    for k in range(3):
        assert one.step(k * 0.1, 0.1) == OK, one.messages
    assert one.step(0.30000000000000004, 0.1) == ERROR and "was to stop at t = 0.3" in one.messages[-1][2].decode()
    m = Motion(fmu, stop=0.3)
    assert not m.update().values and m.lib.fmi2EnterContinuousTimeMode(m.c) == OK
    m.go_to(0.4, m.states())  # an integrator may look further ...
    assert m.lib.fmi2CompletedIntegratorStep(m.c, 1, c.byref(c.c_int()), c.byref(c.c_int())) == ERROR  # ... but not go there
    new = fmu.instance(initialize=False)
    new.c = c.c_void_p(new.c)
    for tolerance, start, stop in ((1e-6, 1.0, 0.5), (float("nan"), 0.0, 1.0), (-1.0, 0.0, 1.0), (1e-6, float("inf"), 1.0)):
        assert new.lib.fmi2SetupExperiment(new.c, 1, c.c_double(tolerance), c.c_double(start), 1, c.c_double(stop)) == ERROR


def test_functions_of_the_other_kind_are_refused(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    fmu = made(tmp_path / "model.toml", tmp_path, "--kind", "both")
    m, one = Motion(fmu), fmu.instance()
    assert m.one.step(0, 0.1) == ERROR and "model exchange" in m.one.messages[-1][2].decode()
    for function in ("fmi2EnterEventMode", "fmi2EnterContinuousTimeMode"):
        assert getattr(one.lib, function)(one.c) == ERROR
    assert one.lib.fmi2NewDiscreteStates(one.c, c.byref(EventInfo())) == ERROR
    assert m.lib.fmi2CompletedIntegratorStep(m.c, 1, c.byref(c.c_int()), c.byref(c.c_int())) == ERROR  # at an event
    callbacks = c.byref(m.one.callbacks)
    assert not fmu.lib.fmi2Instantiate(b"x", 7, fmu.root.get("guid").encode(), fmu.resources.encode(), callbacks, 0, 1)
    assert "no kind 7" in m.one.messages[-1][2].decode()


def test_modes_of_version_3_are_kept(tmp_path):
    (tmp_path / "model.toml").write_text(BLOCK)
    from conftest import program
    import xml.etree.ElementTree as xml
    import zipfile
    assert program("fmu", tmp_path / "model.toml", "-o", tmp_path / "m.fmu", "--version", "3.0").returncode == 0
    zipfile.ZipFile(tmp_path / "m.fmu").extractall(tmp_path / "m")
    root = xml.parse(tmp_path / "m/modelDescription.xml").getroot()
    library = next((tmp_path / "m/binaries").glob("*/*.so"))
    lib = c.CDLL(str(library))
    lib.fmi3InstantiateCoSimulation.restype = c.c_void_p
    token, resources = root.get("instantiationToken").encode(), str(tmp_path / "m/resources").encode() + b"/"

    def instance(uses_events):
        made_ = lib.fmi3InstantiateCoSimulation(b"one", token, resources, c.c_bool(False), c.c_bool(True), c.c_bool(uses_events),
                                                c.c_bool(False), None, c.c_size_t(0), None, None, None)
        assert made_
        return c.c_void_p(made_)

    def step(one, t):
        flags = [c.c_bool() for _ in range(3)]
        return lib.fmi3DoStep(one, c.c_double(t), c.c_double(0.1), c.c_bool(True), *map(c.byref, flags), c.byref(c.c_double()))

    for uses_events in (False, True):
        one = instance(uses_events)
        for function in ("fmi3EnterEventMode", "fmi3EnterStepMode", "fmi3EnterContinuousTimeMode", "fmi3EnterConfigurationMode"):
            assert getattr(lib, function)(one) == 3, function
        nothing = (c.c_bool(False), c.c_double(0), c.c_double(0), c.c_bool(False), c.c_double(0))
        assert lib.fmi3EnterInitializationMode(one, *nothing) == OK and lib.fmi3ExitInitializationMode(one) == OK
        assert lib.fmi3EnterContinuousTimeMode(one) == 3
        if uses_events:
            assert step(one, 0.0) == 3 and lib.fmi3EnterStepMode(one) == OK
        else:
            assert lib.fmi3EnterEventMode(one) == 3 and lib.fmi3EnterStepMode(one) == 3
        assert step(one, 0.0) == OK
        if uses_events:
            assert lib.fmi3EnterEventMode(one) == OK and step(one, 0.1) == 3 and lib.fmi3EnterStepMode(one) == OK
        assert step(one, 0.1) == OK
        lib.fmi3FreeInstance(one)
