"""Every element of every registry: constructed, printed, written as TOML and read back."""
import inspect

import pytest
from conftest import mb, program
from sample import ALL, add, sample, scene


@pytest.mark.parametrize("category, cls", ALL, ids=lambda x: x if isinstance(x, str) else x.kind)
def test_is_written_and_read_back(category, cls):
    element, dim = sample(category, cls)
    assert repr(element).startswith(cls.__name__ + "(")
    assert cls.kind in element.toml()
    m = scene(dim)
    add(m, category, element, dim)
    m._document.check()
    again = mb.parse(m.toml())
    assert again == m
    again._document.check()


@pytest.mark.parametrize("category, cls", ALL, ids=lambda x: x if isinstance(x, str) else x.kind)
def test_has_its_manual(category, cls):
    assert cls.__doc__.startswith(cls.kind + ": ")
    assert set(inspect.signature(cls).parameters) >= {key for key in cls.fields if key.isidentifier()} - {"in", "from"}
    for key, field in cls.fields.items():
        assert field["meaning"].split(";")[0][:60] in " ".join(cls.__doc__.split()), key


def test_classes_are_those_of_the_program():
    names = {line.split('"')[3] for line in program("list", "--format", "json").stdout.splitlines()
             if '"name"' in line and line.startswith("      ") and not line.startswith("       ")}
    assert {cls.kind for _, cls in ALL} <= names


def test_a_misspelt_key_is_told():
    with pytest.raises(TypeError, match="Revolute has no 'att'; did you mean 'at'"):
        mb.Revolute("ground", "rod", att=(0, 0))


def test_positional_arguments_attach():
    m = scene(2)
    a, b = m.bodies["a"], m.bodies["b"]
    assert mb.Revolute(a.at(1, 0), b.at(-1, 0)).tree() == {
        "type": "revolute", "bodies": ["a", "b"], "i": [1, 0], "j": [-1, 0]}
    frame = m.marker("frame", a, at=(1, 0), angle="30 deg")
    assert mb.Fixed(frame, b.at(0, 0, angle=1)).tree() == {
        "type": "fixed", "bodies": ["a", "b"], "i": "frame", "j": {"at": [0, 0], "angle": 1}}
    assert mb.Force(a.at(0, 1), force=(1, 0)).tree() == {"type": "force", "body": "a", "at": [0, 1], "force": [1, 0]}
    assert mb.TorsionSpring(m.joints["hinge_a"], stiffness=2).tree() == {
        "type": "torsion_spring", "joint": "hinge_a", "stiffness": 2}
    assert mb.Coupler(m.joints["hinge_a"], m.joints["hinge_b"], ratios=[1, 2]).tree()["joints"] == ["hinge_a", "hinge_b"]
    with pytest.raises(TypeError, match="expected its keys only"):
        mb.Harmonic(1)
