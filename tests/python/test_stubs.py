"""The type stubs: sound Python, with every class and every key of the package."""
import ast
import inspect
from pathlib import Path

from conftest import mb
from mubody import _stubs


def test_stubs_have_everything():
    text = _stubs.stubs()
    tree = ast.parse(text)
    defined = {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    defined |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert set(mb.__all__) <= defined
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for name, cls in mb.elements.CLASSES.items():
        init = next(node for node in classes[name].body if isinstance(node, ast.FunctionDef))
        keys = {argument.arg for argument in init.args.kwonlyargs}
        assert keys == set(inspect.signature(cls).parameters) - {"attached_to"}, name


def test_stubs_are_beside_the_module():
    file = Path(mb.__file__).with_name("__init__.pyi")
    assert file.exists() and file.read_text(encoding="utf-8") == _stubs.stubs()
