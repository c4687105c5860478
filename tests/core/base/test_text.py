from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui.core.base.text import (
    NAME_LIMIT,
    REPLACEMENT,
    TEXT_LIMIT,
    clean,
    clean_name,
    clusters,
    cut_text,
    nearest,
    quote,
    runs,
    series,
)

AWKWARD = [
    "\x00", "\x1b[2J", "\x1b]52;c;aGk=\x07", "\x9b", "\x7f", "\x85", "\r\n", "\t", "\u2028", "\u00a0",
    "\u200b", "\u200c", "\u200d", "\u202e", "\u2066", "\ufeff", "\u00ad", "\U000e0041", "\ud800", "\ue000",
    "\u3164", "\uffa0", "\u115f", "\u1160", "\u1161", "\u11a8", "\u1112", "\u2800", "\u034f", "\ufe0f",
    "\ufe0e",
    "\U000e0100", "\u0301", "\u0323", "\u0345", "\u0e33", "\u09be", "\u09c7", "e", "A", "7", " ", "  ", "-",
    "[/]",
    "☠", "❤", "👩", "💋", "👍", "🏽", "🇩", "🇪", "中", "한", "Å", "\u212b", "é", "\ufffd",
]  # fmt: skip
evil = st.one_of(
    st.text(st.characters()),
    st.lists(st.sampled_from(AWKWARD), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(AWKWARD), st.characters()), max_size=40).map("".join),
)
limits = st.integers(1, 80)


@given(evil, limits)
@example("👩" + "\u200d👩" * 40, 3)
@example("e" + "\u0301\u0323" * 40, 5)
def test_clean_is_idempotent(text: str, limit: int) -> None:
    once = clean(text, limit)
    assert clean(once, limit) == once


def by_characters(text: str, limit: int) -> str:
    """Return what `clean` says of ASCII, judged character by character."""
    start = text.strip()[: limit * 4]
    shown = "".join(" " if c in " \t\n\v\f\r" else c if c.isprintable() else REPLACEMENT for c in start)
    return cut_text(" ".join(shown.split()), limit)


@given(st.text(st.sampled_from(" \t\n\v\f\r\x1c\x1f\x00\x1b\x7fab*_-|>"), max_size=60), limits)
@example("a\tb", 80)
@example("a\tb\x1c c", 80)
def test_ascii_is_cleaned_as_character_by_character_whichever_road_it_takes(text: str, limit: int) -> None:
    assert clean(text, limit) == by_characters(text, limit)


@given(evil, limits)
def test_clean_text_is_one_tidy_line_in_nfc_within_its_limit(text: str, limit: int) -> None:
    kept = clean(text, limit)
    assert len(kept) <= limit
    assert kept == unicodedata.normalize("NFC", kept)
    assert kept == " ".join(kept.split())


@given(evil)
def test_clean_text_holds_nothing_that_steers_or_hides(text: str) -> None:
    for char in clean(text):
        assert unicodedata.category(char) not in {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
        assert unicodedata.category(char) != "Cf" or char == "\u200d"
        assert char not in "\u3164\uffa0\u115f\u1160\u2800\u034f"


@given(evil)
def test_a_joiner_stands_between_two_pictures_only(text: str) -> None:
    kept = clean(text)
    for place, char in enumerate(kept):
        if char == "\u200d":
            assert 0 < place < len(kept) - 1
            assert kept[place - 1] in "☠❤👩💋👍🏽\ufe0e\ufe0f" or ord(kept[place - 1]) > 0xA8
            assert unicodedata.category(kept[place + 1]).startswith(("S", "P"))


@given(evil)
def test_no_base_carries_more_than_three_marks_and_no_mark_stands_alone(text: str) -> None:
    run = 0
    previous = " "
    for char in clean(text):
        if unicodedata.category(char).startswith("M") and char not in "\ufe0e\ufe0f":
            assert previous != " "
            run += 1
        else:
            run = 0
        assert run <= 3
        previous = char


@given(st.text(st.characters(max_codepoint=127, categories=["L", "N", "P"])))
def test_plain_words_come_through_unchanged(word: str) -> None:
    assert clean(word) == word


@pytest.mark.parametrize(
    "pieces",
    [
        ["x", "e\u0323\u0301", "y"],
        ["\u0301", "e"],
        ["🇩🇪", "🇩"],
        ["👩‍💋‍👩", "👍🏽", "☠\ufe0f"],
        ["中\u0301", "a\u200d", "한"],
    ],
)
def test_a_cluster_is_what_a_reader_takes_for_one_character(pieces: list[str]) -> None:
    assert clusters("".join(pieces)) == pieces


@given(evil, st.integers(0, 40))
def test_clusters_are_a_partition_and_a_cut_falls_between_them(text: str, limit: int) -> None:
    pieces = clusters(text)
    assert "".join(pieces) == text
    assert all(pieces)
    kept = clean(text)
    shorter = cut_text(kept, limit)
    whole = clusters(kept)
    assert any("".join(whole[:count]).rstrip() == shorter for count in range(len(whole) + 1))


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("  Ana\tthe\r\nBold  ", "Ana the Bold"),
        ("Orc\u00a01", "Orc 1"),
        ("\x1b[31mred", f"{REPLACEMENT}[31mred"),
        ("e\u0301", "é"),
        ("\u0301alone", f"{REPLACEMENT}alone"),
        ("q\u0301\u0301\u0301\u0301\u0301q", "q\u0301\u0301\u0301q"),
        ("\u0301\u0301\u0301\u0301\u0301\u0301", f"{REPLACEMENT}\u0301\u0301\u0301"),
        ("\u202eevil", f"{REPLACEMENT}evil"),
        ("a\u200db", f"a{REPLACEMENT}b"),
        ("a\ufe0f", f"a{REPLACEMENT}"),
        ("👩\u200d❤\ufe0f\u200d💋\u200d👨", "👩\u200d❤\ufe0f\u200d💋\u200d👨"),
        ("👍🏽", "👍🏽"),
        ("🏽", REPLACEMENT),
        ("\u3164", REPLACEMENT),
        ("Гром 中村 한", "Гром 中村 한"),
    ],
)
def test_examples(raw: str, kept: str) -> None:
    assert clean(raw) == kept


def test_limits_of_names_and_texts() -> None:
    assert clean_name("x" * 500) == "x" * NAME_LIMIT
    assert clean("x" * 5000) == "x" * TEXT_LIMIT
    assert len(clean_name("👩" + "\u200d👩" * 500)) <= NAME_LIMIT


@given(st.text("abcdefgh", min_size=3, max_size=12), st.data())
def test_one_slip_is_found_among_strangers(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(word) - 1))
    typed = word[:place] + data.draw(st.sampled_from(["", "z", word[place] + "z"])) + word[place + 1 :]
    assert nearest(typed, ["xyxyxyxyxyxyxyxy", word, "0000"]) == word


NUMBERED = st.builds(
    lambda stem, number: f"{stem} {number}" if number else stem,
    st.sampled_from(["Orc", "Orc to", "Wolf"]),
    st.integers(0, 9),
)


@given(st.lists(NUMBERED))
def test_a_series_says_each_name_once_in_its_order(names: list[str]) -> None:
    told: list[str] = []
    for part, many in runs(names):
        first, _, last = part.rpartition(" to ")
        stem, _, number = first.rpartition(" ")
        if many == 1:
            told.append(part)
        else:
            assert many > 2
            told += [f"{stem} {n}" for n in range(int(number), int(last) + 1)]
    assert told == names
    assert [part for part, _ in runs(names)] == series(names)


def test_names_that_count_on_are_one_and_two_of_a_kind_are_two() -> None:
    names = ["Ana", "Orc 1", "Orc 2", "Orc 3", "Wolf 1", "Wolf 2", "Orc 5"]
    assert series(names) == ["Ana", "Orc 1 to 3", "Wolf 1", "Wolf 2", "Orc 5"]


@pytest.mark.parametrize("name", ["a`b", "`", "``x``"])
def test_a_backtick_in_a_name_is_an_apostrophe(name: str) -> None:
    assert clean_name(name) == name.replace("`", "'")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Ana", "Ana"),
        ("Orc 1", '"Orc 1"'),
        ("a=b", '"a=b"'),
        ("#1", '"#1"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("a\\b", '"a\\\\b"'),
        ("", '""'),
    ],
)
def test_a_word_is_quoted_where_a_line_would_read_it_otherwise(text: str, word: str) -> None:
    assert quote(text) == word
