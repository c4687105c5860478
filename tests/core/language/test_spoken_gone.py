"""Each thing that 2.0 took out is answered in one line that names what works now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.program import Program
from tests.kit.shapes import packed, read
from tui.cli.commands import COMMANDS
from tui.core.language.grammar import ACTIONS
from tui.core.language.spoken import GONE
from tui.exchange.document import Unreadable
from tui.exchange.story.story import load_writers

COPY = {"name": "Bog Mage", "source": "X", "_copy": {"name": "Mage", "source": "MM"}}
BOG = {"name": "Bog Mage", "source": "X", "hp": {"average": 9}, "ac": [12], "dex": 12}
ACTOR = {"name": "Bog", "type": "npc", "system": {"attributes": {"hp": {"max": 9}}}, "items": []}
SHAPES: dict[str, list[object]] = {
    "5e-bits": [[{"index": "bog", "name": "Bog", "hit_points": 9, "armor_class": [{"value": 12}]}]],
    "_copy of 5etools": [{"monster": [COPY]}, [COPY]],
    "Foundry": [
        ACTOR,
        [ACTOR, ACTOR],
        {"name": "Bog", "type": "npc", "data": {"attributes": {}}, "img": "x"},
        {"name": "Hoard", "type": "loot", "system": {}, "_stats": {}},
    ],
}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    found = Program(tmp_path, "fight")
    found.call("new")
    return found


def test_what_is_gone_is_not_there_as_well() -> None:
    assert not set(GONE["command"]) & set(COMMANDS)
    assert not set(GONE["line"]) & set(ACTIONS)
    assert not set(GONE["export"]) & set(load_writers())
    assert set(GONE["import"]) == set(SHAPES)


@pytest.mark.parametrize("word", GONE["command"])
@pytest.mark.parametrize("rest", [[], ["fight"], ["fight", "next"], ["--json", "fight"]])
def test_a_command_that_is_gone_is_answered(program: Program, word: str, rest: list[str]) -> None:
    for words in ([word, *rest], ["--saves", str(program.folder), word, *rest]):
        ended = program.bare(*words)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert f"{word} was removed in tocsin 2.0; {GONE['command'][word]}" in ended.err


def test_a_fight_that_is_called_like_a_command_that_is_gone_still_opens(tmp_path: Path) -> None:
    program = Program(tmp_path, "odds")
    program.call("new")
    with pytest.raises(AssertionError, match="a screen was asked for"):
        program.bare("odds", "--saves", str(tmp_path))


@pytest.mark.parametrize("word", GONE["line"])
def test_a_line_that_is_gone_is_answered(program: Program, word: str) -> None:
    for line in (word, f"{word} Ana cellar", word.upper()):
        ended = program.call("do", line)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert f"{word} was removed in tocsin 2.0; {GONE['line'][word]}" in ended.err


def test_a_key_that_names_its_system_is_answered(program: Program) -> None:
    program.call("do", "add Ana")
    for line in ("add Zed classic.mod=3", "set Ana chaos.bonus=2", "set Ana dynamic.count="):
        ended = program.call("do", line)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert GONE["key"]["SYSTEM.KEY"] in ended.err


@pytest.mark.parametrize("word", GONE["export"])
def test_a_format_of_export_that_is_gone_is_answered(program: Program, word: str) -> None:
    out = program.folder / f"story.{word}"
    for words in (["--format", word], ["--out", str(out)]):
        ended = program.call("export", *words)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert GONE["export"][word] in ended.err
        assert not out.exists()


@pytest.mark.parametrize(("word", "value"), [(word, value) for word in SHAPES for value in SHAPES[word]])
def test_a_file_of_another_tool_that_is_gone_is_answered(program: Program, word: str, value: object) -> None:
    with pytest.raises(Unreadable) as refused:
        read(packed(value))
    told = f"{refused.value.message}; {refused.value.hint}"
    assert f"the import of {word} was removed in tocsin 2.0; {GONE['import'][word]}" in told
    (program.folder / "a.json").write_bytes(packed(value))
    ended = program.bare("import", str(program.folder / "a.json"), "--saves", str(program.folder))
    assert (ended.code, ended.err.count("\n")) == (3, 1)
    assert GONE["import"][word] in ended.err


def test_entries_that_copy_others_are_counted_and_the_rest_is_read() -> None:
    found = read(packed({"monster": [COPY, BOG, COPY]}))
    assert [x.block.name for x in found.entries] == ["Bog Mage"]
    ((_, why),) = found.problems
    assert why.startswith("2 left out: the import of _copy of 5etools was removed")
