"""All examples: a model that is read or built in Python gives the same bytes as the program."""
import pytest
from conftest import EXAMPLES, mb, program
from rebuild import rebuilt

# What takes long is run for a shorter time here; every byte is compared nevertheless.
SHORT = {
    "geneva": {"analysis.end": 0.05},
    "ratchet": {"analysis.end": 0.1},
    "front_suspension": {"analysis.end": 0.1},
    "bricard": {"analysis.end": 1},
    "struck_sphere": {"analysis.end": 0.1},
    "four_bar_in_space": {"analysis.end": 2},
    "double_pendulum": {"analysis.end": 2},
    "car": {"analysis.end": 1},
}


def files_in(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def written(model, folder, changes):
    """The folder that a run leaves, whether it reached its end or not."""
    try:
        results = model.run(changes=changes)
    except mb.Failed as failed:
        results = failed.results
    results.save(folder)
    return files_in(folder)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_results_are_those_of_the_program(example, tmp_path):
    changes = SHORT.get(example.name, {})
    file = next(example.glob("model.*"))
    settings = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    program("run", file, "--out", tmp_path / "program", "--quiet", *settings)
    expected = files_in(tmp_path / "program")
    assert "summary.json" in expected
    models = {"read": mb.read(file)}
    if file.suffix == ".toml":
        models["built"] = rebuilt(file)
        named = models["read"].copy()
        named["name"] = named.name  # a file need not say it
        assert models["built"] == named
    for name, model in models.items():
        found = written(model, tmp_path / name, changes)
        assert found.keys() == expected.keys()
        for file_name, content in expected.items():
            assert found[file_name] == content, f"{name}: {file_name}"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_text_reads_back_equal(example):
    model = mb.read(example)
    model["name"] = model.name  # a change, so that the text is not that of the file
    again = mb.parse(model.toml(), model.file)
    assert again == model
    again._document.check()
