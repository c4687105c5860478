"""Files of other tools are read whole or passed over by name; what is too much is refused before it costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tui.store.library import importing
from tui.store.library.importing import (
    Harvest,
    Progress,
    describe_import,
    describe_unread,
    read_files,
    read_text,
)
from tui.store.library.importing import describe_stocking as told
from tui.store.problems import BadFile


def creature(name: str, hp: int | None = 15) -> str:
    """A creature as Improved Initiative writes it."""
    points = {"Value": "?" if hp is None else hp, "Notes": ""}
    return json.dumps({"Name": name, "InitiativeModifier": 1, "AC": {"Value": 13, "Notes": ""}, "HP": points})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two creatures, a broken file, two unknown ones, and hidden ones that nobody means."""
    for name, text in (
        ("orc.json", creature("Orc")), ("in/elf.json", creature("Elf", None)), ("bad.json", "[\n\n{"),
        ("a.txt", "words"), ("b.txt", "words"), (".hidden.json", "{"), (".in/no.json", "{"),
    ):  # fmt: skip
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path / "mine"


def harvest(*paths: Path) -> Harvest:
    return read_files([str(path) for path in paths], lambda _: None)


def test_a_folder_is_read_through_and_each_file_that_is_passed_over_is_told(folder: Path) -> None:
    pulses: list[Progress] = []
    found = read_files([str(folder)], pulses.append)
    assert [str(x) for x in dict.fromkeys(pulses)] == [
        f"{number} of 5 files: {name}"
        for number, name in enumerate(("a.txt", "b.txt", "bad.json", "orc.json", "elf.json"), 1)
    ]
    assert [b.name for b in found.gathered.blocks] == ["Orc", "Elf"]
    assert found.stem == "improved-initiative"
    assert describe_import(found)[0] == "Improved Initiative: 2 creatures"
    assert "without hit points: Elf" in describe_import(found)
    assert describe_unread(found) == [
        "2 files skipped: " + ", ".join(f"mine/{x}.txt: this is text without a stat block" for x in "ab"),
        "mine/bad.json, line 3: this is not valid JSON",
    ]
    for name in "cde":
        (folder / f"{name}.txt").write_text("words")
    assert describe_unread(harvest(folder))[0].startswith("5 files skipped: mine/a.txt: this is text")
    assert "without hit points: Elf" not in describe_import(harvest(folder / "orc.json"))
    assert describe_unread(harvest(folder / "orc.json")) == []
    cut = read_text(creature("Hag").replace('"HP"', f'"Text": "{"word " * 9_000}", "HP"'), "a paste")
    assert describe_import(cut)[-1] == "cards cut because they are too long: Hag"


def test_a_file_that_was_named_is_refused_and_not_passed_over(folder: Path) -> None:
    with pytest.raises(BadFile) as refused:
        harvest(folder / "orc.json", folder / "bad.json")
    assert (refused.value.line, refused.value.path) == (3, str(folder / "bad.json"))
    with pytest.raises(BadFile, match=r"^\[\]: .*not valid|nothing in it|empty") as pasted:
        read_text("[]", "[]")
    assert pasted.value.path == "[]"
    assert [b.name for b in read_text(creature("Orc"), "a paste").gathered.blocks] == ["Orc"]
    (folder / "orc.json").unlink()
    (folder / "in" / "elf.json").unlink()
    with pytest.raises(BadFile, match="no file here has creatures") as nothing:
        harvest(folder)
    assert nothing.value.hint == "mine/a.txt: this is text without a stat block"


def test_what_is_too_much_at_once_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = folder / "orc.json", folder / "in" / "elf.json"
    together = one.stat().st_size + two.stat().st_size
    monkeypatch.setattr(importing, "MOST_BYTES", together)
    assert len(harvest(one, two).gathered.blocks) == 2
    monkeypatch.setattr(importing, "MOST_BYTES", together - 1)
    with pytest.raises(BadFile, match="together they are larger"):
        harvest(one, two)
    monkeypatch.undo()
    monkeypatch.setattr(importing, "MOST_FILES", 5)
    assert len(harvest(folder).gathered.blocks) == 2
    monkeypatch.setattr(importing, "MOST_FILES", 4)
    with pytest.raises(BadFile, match="more than 4 files"):
        harvest(folder)


def test_what_the_library_did_is_told_line_by_line() -> None:
    pairs = [(f"Orc {n}", f"a.toml, line {n}") for n in range(1, 3)]
    assert told([], [], []) == []
    assert told(pairs, [], []) == [
        "2 creatures not taken: the library has others of the same name; --over replaces them",
        "  Orc 1: a.toml, line 1",
        "  Orc 2: a.toml, line 2",
    ]
    assert told([], pairs[:1], []) == ["1 replaced others of the same name", "  Orc 1: was in a.toml, line 1"]
    bare = "with nothing but a name, which the library does not keep"
    assert told([], pairs[:1], ["Ana"])[2:] == [f"1 {bare}: Ana"]
    assert told([], [], list("abcdef")) == [f"6 {bare}: a, b, c, d, e and 1 more"]
    assert told([], [], list("abcde")) == [f"5 {bare}: a, b, c, d, e"]
    many = [(str(n), "x") for n in range(200)]
    assert len(told(many[:199], [], [])) == 200
    assert told(many, [], [])[199:] == ["  198: x", "and 1 more; --json lists them"]
