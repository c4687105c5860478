"""Strangers' files: refused in one line, never an error of ours, and in no time."""

from __future__ import annotations

import random
import time
import tracemalloc
from contextlib import suppress
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exchange import samples
from tests.exchange.samples import SHAPES
from tests.exchange.test_formats import blocks, held
from tests.tiers import share
from tui.core.base.text import clean_page
from tui.exchange.document import Unreadable
from tui.exchange.mapping import Imported, card, name_of
from tui.exchange.values import dice, passive, plain, size, whole

LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    b"<compendium><monster><name>&b;</name></monster></compendium>"
)
FETCH = b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><monster><name>x</name></monster>'


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is empty"),
        (b"PK\x03\x04" + b"\0" * 40, "zip archive"),
        (b"\x1f\x8b" + b"\0" * 40, "gzip archive"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"a\0b", "no text"),
        (b'{"a": ', "JSON"),
        (b"[" * 10_000, "nested too deep"),
        (b'{"a":' * 10_000, "nested too deep"),
        (LAUGHS, "document type"),
        (FETCH, "document type"),
        (b"<a>" * 500, "deep"),
        (b"<a><b></a>", "XML"),
        (b"a: &x [1]\nb: *x\n", "anchors"),
        (b"- " * 3_000 + b"1", "deep"),
        (b'[[creature]]\nname = "x"\nhp = ' + b"[" * 100, "deep"),
        (b"name,hp\n=cmd|'/c calc'!A1,3\n", "formula"),
        (b"name,hp\nOrc,@SUM(A1)\n", "formula"),
        (b'name,hp\n"Orc,3\n', "table"),
        (b"just some words", "no known format"),
        (b'{"name": "x"}', "no known format"),
        (b'{"results": []}', "no known format"),
    ],
)
def test_it_is_told_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable) as refused:
        held(data)
    assert says in refused.value.message


def test_the_line_is_named() -> None:
    with pytest.raises(Unreadable) as refused:
        held(b"name,hp\nOrc,3\nWolf,=1+1\n")
    assert refused.value.line == 3


def test_a_name_that_a_line_could_not_write_is_made_one() -> None:
    assert [name_of(n) for n in ('A, "B"', "@all", " ", None, "none", 7)] == [
        "A 'B'",
        "all",
        "",
        "",
        "The none",
        "7",
    ]


@given(
    st.dictionaries(
        st.text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
            lambda inside: (
                st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside, max_size=3)
            ),
            max_leaves=12,
        ),
        max_size=4,
    )
)
def test_a_card_is_made_of_anything(entry: dict[str, object]) -> None:
    page = card(entry)
    assert clean_page(page, 200_000) == page


@given(st.text(max_size=200))
def test_markup_of_any_kind_is_read(text: str) -> None:
    assert isinstance(plain(text), str)
    assert whole(text) is None or isinstance(whole(text), int)
    assert size(text) in (None, "tiny", "small", "medium", "large", "huge", "gargantuan")
    assert (passive(text), dice(text)) is not None


@given(st.sampled_from(sorted(SHAPES)), st.data())
def test_a_damaged_file_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Every value of every shape may be of any other type."""
    raw = bytearray(SHAPES[name].data)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 6))] = data.draw(
            st.sampled_from([b"", b"[", b"{}", b"null", b"-1", b'"x"', b"\xff"])
        )
    try:
        found = held(bytes(raw))
    except Unreadable:
        return
    assert all(x.block.name for x in found.entries if isinstance(x, Imported))


@pytest.mark.law
def test_any_value_may_stand_in_any_place() -> None:
    odd: list[object] = [
        None,
        True,
        -1,
        10**30,
        1.5,
        "",
        "x",
        [],
        [[]],
        [None],
        {},
        {"a": []},
        {"value": {}},
        ["x", 1],
    ]
    for name in (
        "open5e v1",
        "open5e v2",
        "5e-bits",
        "improved initiative",
        "foundry dnd5e",
        "foundry pf2e",
        "5etools",
        "tetra-cube",
        "critterdb",
        "D&D Beyond",
        "5etools encounter",
        "5etools copies",
    ):
        entry = OTHERS[name] if name in OTHERS else samples.unpacked(SHAPES[name].data)
        for number, place in enumerate(_places(entry)):
            for value in islice(cycle(odd), number, number + share(len(odd))):
                changed = _changed(entry, place, value)
                try:
                    held(samples.packed(changed))
                except Unreadable:
                    continue


OTHERS: dict[str, object] = {
    "D&D Beyond": samples.BEYOND,
    "5etools encounter": {"items": [{"h": "goblin_mm", "c": "2"}]},
    "5etools copies": {
        "monster": [
            {
                "name": "Ogre",
                "source": "X",
                "hp": 9,
                "dex": 8,
                "ac": 11,
                "trait": [{"name": "Big"}],
                "spellcasting": [{"spells": {"1": {"spells": ["bane"]}}, "daily": {"1": ["fly"]}}],
            },
            {
                "name": "Ogress",
                "source": "X",
                "_copy": {
                    "name": "Ogre",
                    "source": "X",
                    "_templates": [{"name": "T"}],
                    "_mod": {
                        "*": {"mode": "replaceTxt", "replace": "\\bbig", "with": "$1tall", "flags": "i"},
                        "trait": [
                            {"mode": "insertArr", "index": 1, "items": [{"name": "A"}]},
                            {"mode": "replaceArr", "replace": {"index": 0}, "items": "B"},
                        ],
                        "_": [
                            {"mode": "addSkills", "skills": {"arcana": 1}},
                            {"mode": "setProp", "prop": "ac", "value": 1},
                            {"mode": "addSpells", "spells": {"1": {"spells": ["web"]}}, "will": ["jump"]},
                            {"mode": "replaceSpells", "daily": {"1": [{"replace": "fly", "with": "aid"}]}},
                        ],
                    },
                },
            },
        ]
    },
}


def _places(value: object, at: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, inside in items for place in [(*at, key), *_places(inside, (*at, key))]]


def _changed(value: object, at: tuple[object, ...], new: object) -> object:
    if not at:
        return new
    if isinstance(value, dict):
        return {k: _changed(v, at[1:], new) if k == at[0] else v for k, v in value.items()}
    assert isinstance(value, list)
    return [_changed(v, at[1:], new) if i == at[0] else v for i, v in enumerate(value)]


@pytest.mark.parametrize(
    "start",
    [
        b"",
        b"{",
        b"[",
        b"<a>",
        b"name,hp\n",
        b"name: x\n",
        b"[[creature]]\n",
        b"Armor Class 1\nHit Points 2\n",
    ],
)
@pytest.mark.parametrize("kind", ["bytes", "ascii", "spaces"])
@pytest.mark.law
def test_a_million_random_bytes_cost_little(start: bytes, kind: str) -> None:
    rng = random.Random(len(start))
    pool = {"bytes": bytes(range(256)), "ascii": bytes(range(32, 127)) + b"\n\n\n", "spaces": b" \n\t*_|>-"}[
        kind
    ]
    data = start + bytes(rng.choices(pool, k=share(1_000_000)))
    began = time.process_time()
    with suppress(Unreadable):
        held(data)
    assert time.process_time() - began < 2
    tracemalloc.start()
    with suppress(Unreadable):
        held(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000_000


def test_a_long_card_is_cut_and_that_is_told() -> None:
    found = held(samples.packed({**samples.V1, "desc": "word " * 20_000}))
    assert [x.cut for x in found.entries if isinstance(x, Imported)] == [True]
    assert len(blocks(samples.packed({**samples.V1, "desc": "word " * 20_000}))[0].card) <= 32_000
