"""The files of creatures: written as they are read, cut into pieces, and found through an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import NoDice
from tests.store.library.shelf import table
from tui.core.base.text import clean_name, clean_page
from tui.core.fight.combatant import StatBlock
from tui.store.library import creatures
from tui.store.problems import BadFile

# --- stat blocks as text

_text = st.text(max_size=60)
BLOCKS = st.builds(
    StatBlock,
    name=_text.map(clean_name).filter(lambda n: bool(n) and not set(n) & set(',"') and not n.startswith("@")),
    source=_text.map(clean_page),
    hp=st.none() | st.integers(0, 999),
    hp_dice=st.sampled_from(["", "2d6", "3d8+4"]),
    ac=st.none() | st.integers(0, 30),
    initiative=st.none() | st.integers(-9, 20),
    fields=st.dictionaries(st.sampled_from(["per", "int", "stealth"]), st.integers(-9, 30)),
    card=(_text | st.just('a\n[[creature]]\nname = "x"') | st.just('"""\n\\')).map(clean_page),
)


@given(st.lists(BLOCKS, min_size=1, max_size=4))
def test_what_is_written_is_read_again(blocks: list[StatBlock]) -> None:
    data = "".join(map(creatures.write_creature, blocks)).encode()
    found = list(creatures.slice_creatures(data, "x.toml"))
    read = [creatures.read_creature(data[s.start : s.end], "x.toml", s.line, lambda *_: None) for s in found]
    assert read == blocks
    assert [s.name for s in found] == [b.name for b in blocks]


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: f"[[creature]]\n{t}".encode()))
def test_bytes_of_any_kind_are_refused_and_nothing_else(data: bytes) -> None:
    try:
        for s in creatures.slice_creatures(data, "x.toml"):
            creatures.read_creature(data[s.start : s.end], "x.toml", s.line, lambda *_: None)
    except BadFile:
        pass


def test_nothing_is_read_before_it_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_: object) -> None:
        raise AssertionError("the library was touched")

    monkeypatch.setattr(os, "scandir", reached)
    t = table(tmp_path)
    t.store.run("note nobody is added")
    assert not isinstance(t.dice, NoDice)
