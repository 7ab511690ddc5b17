"""Examples in docstrings and in examples/ run; the package is typed."""
import doctest
import importlib
import pathlib
import pkgutil
import runpy
import sys
import typing

import pytest

import megadapt

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [m.name for m in pkgutil.iter_modules(megadapt.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(f"megadapt.{name}")
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", [n for n in megadapt.__all__ if n[0].isupper()])
def test_every_class_has_an_example(name):
    assert ">>>" in getattr(megadapt, name).__doc__
    assert "{parameters}" not in getattr(megadapt, name).__doc__


@pytest.mark.parametrize("script", sorted(p.name for p in (ROOT / "examples").glob("*.py")))
def test_examples(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [script, "--output", str(tmp_path / "plot.png")])
    runpy.run_path(str(ROOT / "examples" / script), run_name="__main__")
    assert capsys.readouterr().out
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_type_hints():
    assert (pathlib.Path(megadapt.__file__).parent / "py.typed").exists()
    for name in megadapt.__all__:
        thing = getattr(megadapt, name)
        if isinstance(thing, type) and hasattr(thing, "fit"):
            assert typing.get_type_hints(thing.fit)
            assert typing.get_type_hints(thing.__init__)
