"""Strangers' files: refused in one line, never an error of ours, and in no time."""

from __future__ import annotations

import random
import tracemalloc
from contextlib import suppress
from encodings.aliases import aliases

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.shapes import FORMATS, LURKER, NAMES, blocks, packed, read, sample, samples
from tests.kit.strategies import any_text
from tests.kit.tiers import cases, share
from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.exchange import document, gathering, registry
from tui.exchange.document import LONGEST_ROW, MOST_LISTS, MOST_TEXT_BYTES, MOST_VALUES, Unreadable
from tui.exchange.foreign_values import dice, passive, size, strip_markup, whole
from tui.exchange.gathering import Source, gather_creatures
from tui.exchange.mapping import Imported, clean_creature_name, write_card_lines


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "it is empty"),
        (b"PK\x03\x04" + b"\0" * 40, "zip archive"),
        (b"\x1f\x8b" + b"\0" * 40, "gzip archive"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"a\0b", "not text"),
        (b'{"a": ', "JSON"),
        (b'{"a": 1} x', "JSON"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "JSON"),
        (b"[" * 10_000, "nested too deep"),
        (b'{"a":' * 10_000, "nested too deep"),
        (b"a: &x [1]\nb: *x\n", "anchors"),
        (b"- " * 3_000 + b"1", "deep"),
        (b'[[creature]]\nname = "x"\nhp = ' + b"[" * 100, "deep"),
        (b"Level,HP,AC\n3,3,4\n", "the first row has Level, HP, AC, and no column called name"),
        (b'name,hp\n"Orc,3\n', "table"),
        (
            b'<!DOCTYPE a [<!ENTITY b "c">]>\n<compendium><monster><name>&b;</name></monster></compendium>',
            "DOCTYPE",
        ),
        (b'<?xml version="1.0"?><!DOCTYPE compendium SYSTEM "file:///etc/passwd"><compendium/>', "DOCTYPE"),
        (b"<compendium><monster></compendium>", "not valid XML: mismatched tag"),
        (b"<compendium>" + b"<a>" * 100, "nested too deep"),
        (b"just some words", "this is text without a stat block"),
        (b"Orc\nArmor Class 13\nSpeed 30 ft.\n", "with an armour class but without hit points"),
        (b"Orc\nHit Points 15\nSpeed 30 ft.\n", "with hit points but without an armour class"),
        (b"<!doctype html><html><body>Orc</body></html>", "this is a web page"),
        (
            b"<compendium><spell><name>Mire</name></spell></compendium>",
            "<compendium> with <spell>, and no <monster>",
        ),
        (b"Party\nBram - Fighter 3 - AC 18, HP 28\nMira - AC 12, mage\n", "line 2: fighter is not kept"),
        (b'{"name": "x"}', "this is JSON with names, and without hit points"),
        (b'{"results": [{"hp": 3, "title": 1}]}', "this is JSON with hit points, and without names"),
        (b"- Goblin\n- Ogre\n", "this is YAML with names alone, and no hit points"),
        (b"creatures: Goblin\n", "this is YAML with creatures, and without hit points"),
        (b"```statblock\nname: Knight\nhp: [180\n```\nArmor Class 20\nHit Points 52 (8d8)\n", "not YAML"),
    ],
)
def test_it_is_told_what_is_wrong(data: bytes, says: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(data)
    assert says in refused.value.message


def test_the_line_is_named() -> None:
    with pytest.raises(Unreadable) as refused:
        read(b'[\n{"name": "Orc"},\n{"name": "Elf" "hp": 3}]')
    assert refused.value.line == 3


def test_the_good_ones_of_a_file_are_kept_and_the_others_named_by_line() -> None:
    rows = [
        LURKER,
        {"name": "Bog Ghost", "armor_class": 11},
        {**LURKER, "name": "Bog Troll"},
        {"desc": "Nameless"},
    ]
    found = read(b"[\n" + b",\n".join(map(packed, rows)) + b"\n]")
    assert [x.block.name for x in found.entries if isinstance(x, Imported)] == ["Bog Lurker", "Bog Troll"]
    assert found.problems == ((3, "Bog Ghost has no hit points"), (5, "an entry has no name"))


def test_json_with_an_object_on_each_line_is_a_list_of_them() -> None:
    rows = [{**LURKER, "name": f"Orc {n}"} for n in range(3)]
    assert [b.name for b in blocks(b"\n".join(map(packed, rows)) + b"\n\n")] == ["Orc 0", "Orc 1", "Orc 2"]


def test_too_much_at_once_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for data, words in (
        (b"[" + b"1," * MOST_VALUES + b"1]", "has more than 2,000,000 values"),
        (b"[" + b"[]," * MOST_LISTS + b"1]", "has more than 400,000 lists"),
        (b"<compendium>" + b"<a/>" * MOST_VALUES, "has more than 2,000,000 elements"),
        (b"name,hp\n" + b"x" * (LONGEST_ROW + 1), "has a row of more than 500,000 characters"),
        (b"word " * (MOST_TEXT_BYTES // 5 + 1), "is larger than 5 MB"),
    ):
        with pytest.raises(Unreadable, match=words):
            read(data)
    rows = b"name,hp,ac\nA,1,1\nB,2,2\nC,3,3\n"
    for module in (gathering, registry, document):
        with monkeypatch.context() as patched:
            patched.setattr(module, "MOST_CREATURES", 3)
            assert [b.name for b in blocks(rows)] == ["A", "B", "C"]
            patched.setattr(module, "MOST_CREATURES", 2)
            with pytest.raises(Unreadable, match=r"more than .* (creatures|rows)"):
                blocks(rows)


@pytest.mark.parametrize(
    "text",
    [
        "```statblock\nname: Orc\nhp: 15\nac: 13",
        "---\na: [\n---\nOrc\nArmor Class 13\nHit Points 15\n",
        "[[Fin City]]\nOrc\nArmor Class 13\nHit Points 15\n",
    ],
)
def test_a_note_that_is_half_broken_gives_its_creature(text: str) -> None:
    assert [(b.hp, b.ac) for b in blocks(text.encode())] == [(15, 13)]


def test_half_a_character_in_json_is_replaced() -> None:
    (b,) = blocks(packed(LURKER).replace(b"Bog Lurker", b"Bog \\ud800"))
    assert b.name == "Bog \ufffd"


def test_a_name_that_a_line_could_not_write_is_made_one() -> None:
    assert [clean_creature_name(n) for n in ('A, "B"', "@all", " ", None, "none", 7)] == [
        "A 'B'",
        "all",
        "",
        "",
        "The none",
        "7",
    ]


@given(
    st.dictionaries(
        any_text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | any_text(max_size=20),
            lambda inside: (
                st.lists(inside, max_size=3) | st.dictionaries(any_text(max_size=8), inside, max_size=3)
            ),
            max_leaves=12,
        ),
        max_size=4,
    )
)
def test_a_card_is_made_of_anything(entry: dict[str, object]) -> None:
    page = write_card_lines(entry)
    assert clean_page(page, 200_000) == page


@given(any_text(max_size=200))
def test_markup_of_any_kind_is_read(text: str) -> None:
    assert isinstance(strip_markup(text), str)
    assert whole(text) is None or isinstance(whole(text), int)
    assert size(text) in (None, "tiny", "small", "medium", "large", "huge", "gargantuan")
    assert (passive(text), dice(text)) is not None


@given(st.sampled_from(NAMES), st.data())
def test_a_damaged_file_is_read_or_refused(name: str, data: st.DataObject) -> None:
    """Every value of every shape may be of any other type."""
    raw = bytearray(sample(name))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 6))] = data.draw(
            st.sampled_from([b"", b"[", b"{}", b"null", b"-1", b'"x"', b"\xff"])
        )
    try:
        found = read(bytes(raw))
    except Unreadable:
        return
    assert all(x.block.name for x in found.entries if isinstance(x, Imported))


ODD: tuple[object, ...] = (
    None, True, -1, 10**30, 1.5, "", "x", "(((1d6", "@abilities.str.mod", "[[/attack extended]]", [], [[]],
    [None], {}, {"a": []}, {"value": {}}, ["x", 1], [{"name": {}}],
)  # fmt: skip
"""Values that few places of a file expect."""
FILES = {
    str(path.relative_to(FORMATS)): msgspec.json.decode(path.read_bytes())
    for name in NAMES
    for path in samples(name)
    if path.suffix == ".json"
}
"""The samples whose values are plain data."""


def read_or_refused(value: object) -> None:
    """Whatever stands where: creatures with names, or one line that says why not."""
    with suppress(Unreadable):
        found = gather_creatures([Source("it", read(packed(value)))])
        assert all(b.name and len(b.card) <= PAGE_LIMIT for b in found.blocks)


@pytest.mark.law
@pytest.mark.parametrize("name", FILES)
def test_any_odd_value_may_stand_in_each_place(name: str) -> None:
    """Every place in turn, and each value about as often."""
    rng, places = random.Random(name), _places(FILES[name])
    for place in rng.sample(places, min(len(places), share(150))):
        read_or_refused(_changed(FILES[name], place, rng.choice(ODD)))


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
def test_random_bytes_cost_little_memory(start: bytes, kind: str) -> None:
    rng = random.Random(len(start))
    pool = {"bytes": bytes(range(256)), "ascii": bytes(range(32, 127)) + b"\n\n\n", "spaces": b" \n\t*_|>-"}[
        kind
    ]
    data = start + bytes(rng.choices(pool, k=share(100_000)))
    tracemalloc.start()
    with suppress(Unreadable):
        read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000 + 400 * len(data)


def _text(data: bytes) -> str:
    with suppress(UnicodeDecodeError):
        return data.decode()
    return ""


CODECS = sorted({*aliases.values(), "utf-8-sig", "unknown", "x" * 300})
TEXTS = {name: text for name in NAMES if (text := _text(sample(name)))}


@cases(300)
@given(
    st.sampled_from(sorted(TEXTS)), st.sampled_from(CODECS), st.sampled_from(CODECS), st.binary(max_size=9)
)
def test_no_bytes_and_no_encoding_of_any_format_are_an_error_of_ours(
    name: str, written: str, named: str, junk: bytes
) -> None:
    """A text in one encoding that names another, and bytes that are no text at all."""
    text = TEXTS[name]
    try:
        data = text.encode(written, "replace")
    except (LookupError, UnicodeError, TypeError, ValueError):
        data = text.encode()
    prolog = f'<?xml version="1.0" encoding="{named}"?>'.encode()
    bare = text.removeprefix(text[: text.find("?>") + 2] if text.startswith("<?xml") else "").encode()
    middle = len(data) // 2
    for odd in (data, junk, junk + data, data[:middle] + junk + data[middle:], prolog + bare):
        with suppress(Unreadable):
            assert all(b.name for b in blocks(odd))
