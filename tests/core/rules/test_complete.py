"""Completion: every offer goes on from what was typed, and leads to lines that the grammar reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.core.language.grammar import parse
from tui.core.rules.complete import complete, last_word
from tui.ui.state.scene import write_who

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


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("set Orc owner=", ["owner=Mia", "owner=Jon"]),
        ("made O", ["Ohm", "Obi", "Orc"]),  # not who owes a die that is neither made nor failed
        ("attack Orc B", ["Bow", "Bite"]),
        ("attack Orc T", ["Twice"]),
    ],
)
def test_all_players_and_attacks_are_known_and_who_owes_or_acts_comes_first(
    line: str, words: list[str]
) -> None:
    t = Table("classic")
    t.do("add Obi", 'add Ohm owner=Mia,Jon hp=9 attacks="Bite +4 1d6; Twice: 2 Bite; Tale: long"')
    t.do('add Orc attacks="Bow +2 1d8"', "count Orc war 0 max=1 reset=1d6>=5", "condition Ohm concentration")
    t.do("begin", "total Obi 1 Orc 5 Ohm 9", "next 2", "damage Ohm 1")
    assert [last_word(x) for x in complete(line, t.encounter, t.store.system)] == words


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


NAMES = (
    "Orc", "Orc 1", "Orc 12", "Orc Boss", "Shadow", "Shadow Assassin", "Assassin", "Sister Agnes", "Agnes",
    "Goblin", "Hobgoblin", "Goblin Boss", "Out of Luck", "Gmork",
)  # fmt: skip
ROSTERS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique_by=str.lower)


def _pieces(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return texts that people type for these names: in full, beginnings, words, parts, and other texts."""
    name = st.sampled_from(names)
    part = st.builds(
        lambda n, a, b: n[min(a, b) : max(a, b) + 1], name, st.integers(0, 14), st.integers(0, 14)
    )
    word = st.builds(lambda n, i: n.split()[i % len(n.split())], name, st.integers(0, 3))
    return st.one_of(name, part, word).map(str.strip).filter(bool) | st.sampled_from(
        ["out", "gm", "boss", "1"]
    )


def _table(names: list[str], out: set[int]) -> Table:
    t = Table("classic")
    t.do(*(f'add "{n}" hp=50' for n in names))
    gone = [n for i, n in enumerate(names) if i in out]
    for n in gone:
        t.do(f'out "{n}"')
    return t


def _meant(people: list[Combatant], typed: str) -> list[Combatant]:
    """Return the creatures that a typed name may mean: the rule again, in one place and by hand."""
    low = typed.lower()
    if whole := [c for c in people if c.name.lower() == low]:
        return whole
    if low in ("out", "gm", "none"):
        return []
    begin = [c for c in people if c.name.lower().startswith(low)]
    word = [c for c in people if f" {low} " in f" {c.name.lower()} "]
    part = [c for c in people if low in c.name.lower()] if sum(x.isalpha() for x in low) > 2 else []
    fitting = begin or word or part
    return [c for c in fitting if not c.out] or fitting


@cases(400)
@given(ROSTERS, st.sets(st.integers(0, 5), max_size=3), _pieces(NAMES), st.booleans())
def test_a_name_hits_one_creature_and_the_one_that_the_answer_names(
    names: list[str], out: set[int], typed: str, quoted: bool
) -> None:
    t = _table(names, out)
    before = t.encounter.combatants
    try:
        lines = t.store.run(f'set "{typed}" ac=9' if quoted else f"set {typed} ac=9").lines
    except RuleError:
        hit = []
    else:
        hit = [c for k, c in before.items() if t.encounter.combatants[k] != c]
        assert lines[0].text == f"{hit[0].name}: armour class set to 9"
    meant = _meant(list(before.values()), typed)
    whole = [c for c in before.values() if c.name.lower() == typed.lower()]
    assert len(hit) <= 1
    if quoted or " " not in typed:
        assert hit == (meant if len(meant) == 1 else [])
    else:
        assert hit in ([], whole)


def test_a_line_that_a_key_writes_quotes_a_name_with_which_a_longer_one_begins() -> None:
    t = Table("classic")
    t.do("add Orc hp=9", 'add "Orc 5" hp=9', "add Ana hp=9")
    assert [write_who(t.encounter, [k]) for k in ("c1", "c2", "c3")] == ['"Orc"', '"Orc 5"', "Ana"]
    t.do(f"damage {write_who(t.encounter, ['c1'])} 5")
    assert [c.hp for c in t.encounter.combatants.values()] == [4, 9, 9]
