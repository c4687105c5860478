"""What a start image gives is what importing gives; one that does not fit is as if it were not there."""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.scripted_play import until
from tests.terminal import tocsin
from tui.image import Image

SCRIPT = """
import json, sys
from importlib.machinery import PathFinder
asked, find = [], PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: (asked.append(name), find(name, *rest))[1]
import tui.__main__
sys.argv = ["tocsin", *{words!r}]
code = tui.__main__.main()

def told(name, module):
    parent, _, leaf = name.rpartition(".")
    spec = module.__spec__
    inside = spec.submodule_search_locations
    return [
        sorted({{*vars(module)}} - {{"__cached__"}}), module.__file__, module.__package__, spec.name, spec.origin, spec.parent,
        spec.cached, [*inside] if inside is not None else None, getattr(module, "__path__", None) is not None,
        getattr(sys.modules[parent], leaf) is module, type(module.__loader__.path).__name__, spec.has_location,
    ]

found = {{n: told(n, m) for n, m in sys.modules.items() if n.startswith("tui.") and n != "tui.__main__"}}
asked = [name for name in asked if name.startswith("tui.")]
print(json.dumps([code, asked, found]), file=sys.stderr)
"""
"""A call of the program; which of its modules were looked for, and all that is known of those that it has then."""


class Run:
    """How a call went."""

    def __init__(self, folder: Path, *words: str, **environ: str) -> None:
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        env |= {"PYTHONPYCACHEPREFIX": str(folder / "cache"), "TOCSIN_CONFIG": str(folder), **environ}
        script = SCRIPT.format(words=[*words, "--saves", str(folder)])
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=env
        )
        self.out = done.stdout
        last = done.stderr.splitlines()[-1]
        self.code: int
        self.asked: list[str]
        self.modules: dict[str, Any]
        self.code, self.asked, self.modules = json.loads(last)


def images(folder: Path) -> dict[str, Path]:
    """The images that were written, by their ways in."""
    return {path.name.split(".cpython")[0]: path for path in (folder / "cache").rglob("start-*")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a fight, whose log has been called for once."""
    assert Run(tmp_path, "new", "mill").code == 0
    assert Run(tmp_path, "do", "mill", "add 3 Orc hp=9", "begin", "roll").code == 0
    assert Run(tmp_path, "log", "mill").code == 0
    return tmp_path


def test_a_second_call_loads_from_the_image_what_the_first_has_imported(folder: Path) -> None:
    for words in (("log", "mill"), ("log", "mill", "--json"), ("do", "mill", "note again"), ("show", "mill")):
        for path in images(folder).values():
            path.unlink()
        without = Run(folder, *words)
        assert set(images(folder)) == {f"start-{words[0]}", "start-tui.systems.classic"}
        with_image = Run(folder, *words)
        assert len(without.asked) > 60
        assert len(with_image.asked) < 10
        assert with_image.modules == without.modules
        assert with_image.out == without.out


def spoilt(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    """An image one of whose modules is another; `change` makes it."""

    def spoil(path: Path) -> None:
        trusted, standard, ours = marshal.loads(path.read_bytes())
        path.write_bytes(marshal.dumps((trusted, standard, [*ours[:30], change(ours[30]), *ours[31:]])))

    return spoil


RAISES = compile("raise LookupError", "x", "exec")
DAMAGE: dict[str, Callable[[Path], Any]] = {
    "another time": spoilt(lambda one: (*one[:3], one[3] + 1, *one[4:])),
    "another size": spoilt(lambda one: (*one[:4], one[4] + 1, *one[5:])),
    "no such source": spoilt(lambda one: (one[0], "/nowhere/at/all.py", *one[2:])),
    "raises": spoilt(lambda one: (*one[:5], RAISES)),
    "no code": spoilt(lambda one: (*one[:5], 7)),
    "no module": spoilt(lambda _: "module"),
    "another Python": lambda path: path.write_bytes(
        marshal.dumps(((0, 0), *marshal.loads(path.read_bytes())[1:]))
    ),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1000]),
    "bits": lambda path: path.write_bytes(bytes(range(256)) * 9),
    "nothing": lambda path: path.write_bytes(b""),
    "other data": lambda path: path.write_bytes(marshal.dumps([1, 2])),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_one_that_does_not_fit_is_not_believed_and_written_anew(folder: Path, damage: str) -> None:
    good, path = Run(folder, "log", "mill"), images(folder)["start-log"]
    written = path.read_bytes()
    DAMAGE[damage](path)
    again = Run(folder, "log", "mill")
    assert (again.code, again.out, again.modules) == (0, good.out, good.modules)
    assert len(again.asked) > 60
    assert len(path.read_bytes()) == pytest.approx(len(written), rel=0.01)
    assert Run(folder, "log", "mill").asked == good.asked


def test_one_that_cannot_be_written_is_none(folder: Path) -> None:
    path = images(folder)["start-log"]
    path.unlink()
    path.mkdir()
    assert Run(folder, "log", "mill").code == 0
    assert [p for p in path.parent.iterdir() if p.name.startswith("start-log")] == [path]


def test_nothing_is_written_where_compiled_code_is_not(tmp_path: Path) -> None:
    assert Run(tmp_path, "new", "mill").code == 0
    assert Run(tmp_path, "log", "mill", PYTHONDONTWRITEBYTECODE="1").code == 0
    assert images(tmp_path) == {}


def test_what_is_not_called_for_often_has_none(folder: Path) -> None:
    before = set(images(folder))
    for words in (("systems",), ("check", "mill"), ("export", "mill")):
        assert Run(folder, *words).code == 0
    assert set(images(folder)) == before


def test_the_screen_has_one_too_and_is_the_same_with_it(folder: Path) -> None:
    pictures = []
    for found in ({"start-tui.systems.classic"}, {"start-open", "start-tui.systems.classic"}):
        assert {*images(folder)} - {"start-do", "start-log"} == found
        t = tocsin(folder, "mill", PYTHONPYCACHEPREFIX=str(folder / "cache"), PYTHONDONTWRITEBYTECODE="")
        pictures.append(t.wait("next", "saved"))
        # Written behind the screen, when Textual has been loaded.
        until(lambda: "start-open" in images(folder), 20)
        pictures.append(t.press("?", "Esc"))
        t.press("\x1b", "saved")
        t.type("q")
        assert t.end() == 0
    assert pictures[:2] == pictures[2:]


def test_a_call_that_was_refused_leaves_none(tmp_path: Path) -> None:
    assert Run(tmp_path, "new", "mill").code == 0
    for words in (("show", "nobody"), ("do", "mill", "fly"), ("nobody",), ("mill",)):
        Run(tmp_path, *words)
        assert not {"start-open", "start-show", "start-do"} & {*images(tmp_path)}


def test_parts_are_for_the_first_thread_until_the_image_is_whole() -> None:
    """Their modules are loaded without the locks of imports."""
    image = Image("open")
    name = "tui.systems.classic"
    with ThreadPoolExecutor() as pool:
        assert pool.submit(image.part, name).result() is import_module(name)
    assert image._parts == []
    assert image.part(name) is import_module(name)
    assert len(image._parts) == 1
    image.whole()
    assert image.part(name) is import_module(name)
    assert len(image._parts) == 1
