"""Completion: every offer goes on from what was typed, and leads to lines that the grammar reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.language.grammar import parse
from tui.core.rules.complete import complete, last_word

LINES = (
    "add Ana owner=Mia hp=18",
    'add "Bo the Bold" owner=Tom hp=9',
    "add 3 Orc hp=7 group=Orcs",
    "condition Ana prone",
)


def table(*more: str) -> Table:
    t = Table("classic")
    t.do(*LINES, *more)
    return t


def offers(line: str, *more: str) -> list[str]:
    t = table(*more)
    return complete(line, t.encounter, t.store.system, ("help", "quit"))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("damage ", "damage"),
        ("damage Ana ", "Ana"),
        ('damage "Bo the Bold" ', '"Bo the Bold"'),
        ('condition "Orc 1" prone ', "prone"),
        ("add Zed side=dark", "side=dark"),
    ],
)
def test_the_last_word_of_an_offer_is_named_whole(line: str, word: str) -> None:
    assert last_word(line) == word


def test_who_is_owed_comes_first() -> None:
    assert offers("roll ", "begin", "roll Ana 5")[0] == 'roll "Bo the Bold" '


@given(st.text(alphabet='dam oreAnB"@,=1 p', max_size=14))
def test_offers_begin_like_the_line_and_never_fail(line: str) -> None:
    for offer in offers(line):
        assert offer.split(" ")[0].startswith(line.lstrip().split(" ")[0].lower())


@given(
    st.sampled_from(["damage", "heal", "hide", "out", "remove", "turn", "hold", "set"]),
    st.sampled_from(["", "a", "o", '"b', "@"]),
)
def test_a_completed_name_is_one_word_of_the_grammar(verb: str, begun: str) -> None:
    t = table()
    rest = {"damage": "3", "heal": "3", "set": "ac=3"}.get(verb, "")
    for offer in complete(f"{verb} {begun}", t.encounter, t.store.system):
        if not offer.endswith("="):
            try:
                parse(f"{offer}{rest}")
            except RuleError as error:
                raise AssertionError(offer) from error


def stock(kind: str, begun: str) -> list[str]:
    """What a library knows: one name of each kind, and what was begun with one word."""
    known = [f"A {kind}"] if f"a {kind}".startswith(begun.lower()) else []
    return [*known, *([f"{begun}!"] if begun and " " not in begun else [])]


@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("add ", ['add "A creature" ']),
        ("add a", ['add "A creature" ', "add a! "]),
        ("add 3 ", ['add 3 "A creature" ']),
        ("add 2d4 a", ['add 2d4 "A creature" ', "add 2d4 a! "]),
        ("add 3 Zed ", []),
        ("add 3 A cr", ['add 3 "A creature" ']),
        ("party ", ['party "A party" ']),
        ("load a", ['load "A fight" ', "load a! "]),
        ("condition Ana a", ['condition Ana "A condition" ', "condition Ana a! "]),
    ],
)
def test_the_library_gives_names_where_a_line_takes_one(line: str, offers: list[str]) -> None:
    t = table()
    found = complete(line, t.encounter, t.store.system, (), stock)
    assert [x for x in found if "=" not in x] == offers
