"""What players may not see is nowhere in what they get: not in the state, not in the log."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tui
from tests.table import Table
from tests.tiers import cases
from tui.cli.show import chronicle
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import Viewer, is_plural, leaks, secrets, text, viewer_of
from tui.core.views.log import story
from tui.store.history import History
from tui.store.sources import SeededDice
from tui.systems import Registry

SECRET = "Zyxomma"
LINES = [
    "begin", "roll", "next", "next", "next", "end", f"turn {SECRET}", "turn Ana", f"damage {SECRET} 3",
    "damage Ana 2", "pass",
    f"out {SECRET}", f"back {SECRET}", f"condition Ana Charmed of={SECRET} rounds=2",
    f"condition {SECRET} Prone rounds=1",
    f"note {SECRET} waits in the dark", f"hold {SECRET}", f"act {SECRET}", f"move {SECRET} before Ana",
    "undo", "redo",
    f"react {SECRET}", f"set {SECRET} ac=3", f"group {SECRET},Orc Gang", "ungroup Gang",
    f'order {SECRET} action="bite {SECRET}"',
    'order Ana action="wait"', "order Bo", "lock missing=empty", "ok", "meet Ana", f"meet Ana vs {SECRET}",
    "calm", f"surprised {SECRET}",
    f"place {SECRET}", f"kill Ana by={SECRET}",
]  # fmt: skip
SYSTEMS = Registry().ids()


def texts(table: Table, name: str) -> str:
    viewer = Viewer(name, gm=False)
    start = table.store.at(0)
    told = [c.text for c in chronicle(History(start), table.ledger.steps, viewer, table.store.systems)]
    return (json.dumps(table.state(name)) + json.dumps(told)).lower()


@pytest.mark.parametrize("system", SYSTEMS)
@cases(12)
@given(lines=st.lists(st.sampled_from(LINES), min_size=5, max_size=40), seed=st.integers(0, 99))
def test_hidden_creatures_leak_nowhere(system: str, lines: list[str], seed: int) -> None:
    table = Table(system, dice=SeededDice(seed))
    table.do(
        "add Ana owner=Lia hp=9", "add Bo owner=Max hp=8", "add Orc hp=7", f"add {SECRET} hidden=yes hp=66"
    )
    for line in lines:
        try:
            table.do(line)
        except RuleError:
            continue
        for viewer in ("Lia", "nobody"):
            assert SECRET.lower() not in texts(table, viewer), line


def test_numbers_of_others_are_words() -> None:
    table = Table("classic")
    table.do("add Ana owner=Lia hp=9 mod=7", "add Orc hp=10 ac=13 note=weak", "damage Orc 6")
    orc = next(c for c in table.state("Lia")["combatants"] if c["name"] == "Orc")
    assert orc["health"] == "bloodied"
    assert not {"hp", "max_hp", "temp_hp", "fields", "ac"} & set(orc)
    assert orc["note"] == ""
    assert table.state("Lia")["combatants"][0]["hp"] == 9
    assert "4 left" not in json.dumps(table.state("Lia")["last"])
    assert "4 left" in json.dumps(table.state()["last"])


def test_owners_see_their_own_hidden_creature() -> None:
    table = Table("classic")
    table.do("add Cat owner=Lia hidden=yes hp=3")
    assert [c["name"] for c in table.state("lia")["combatants"]] == ["Cat"]
    assert table.state("Max")["combatants"] == []


def test_places_and_counts_are_made_without_the_hidden() -> None:
    table = Table("classic")
    table.do("add Ana owner=Lia", "add Orc", "add Bat hidden=yes", "begin")
    table.do("roll", dice=[5, 10, 20])
    assert [(r["entry"], r["place"]) for r in table.state("Lia")["track"]] == [("Orc", 1), ("Ana", 2)]
    dark = next(s for s in table.state("Lia")["sides"] if s["name"] == "dark")
    assert (dark["left"], dark["of"]) == (1, 1)


def test_a_reveal_is_told_and_a_hiding_is_not() -> None:
    table = Table("classic")
    table.do("add Bat hidden=yes")
    lia = Viewer("Lia", gm=False)
    for line, told in [("reveal Bat", ["Bat appears"]), ("hide Bat", [])]:
        before = table.encounter
        table.do(line)
        events = table.ledger.steps[-1].events
        assert [x.text for x in story(before, events, lia, table.store.system)] == told


@pytest.mark.parametrize(
    ("line", "names", "leaking"),
    [
        ("Orc acts", ["orc"], True),
        ("Orc 1 acts", ["orc"], False),
        ("the force", ["orc"], False),
        ("O'Hara (Bat)", ["bat"], True),
        ("", ["bat"], False),
    ],
)
def test_the_net_catches_names_as_words(line: str, names: list[str], leaking: bool) -> None:
    assert leaks(line, names) is leaking


def test_sentences_agree_with_a_group() -> None:
    table = Table("classic")
    table.do("add 2 Archer group=Archers", "add Boss", "begin", "roll Archers 9", "roll Boss 3")
    said = [line.text for word in ("next", "next", "end") for line in table.do(word).lines]
    assert "Archers act" in said
    assert "Archers' turn ends" in said
    assert "Boss acts" in said
    assert "Boss's turn ends" in said


def test_many_who_join_do_so_in_one_line() -> None:
    table = Table("classic")
    said = [
        [line.text for line in table.do(word).lines]
        for word in (
            "add Ana",
            "add 2 Rat",
            "add 5 Orc",
            'group "Orc 1,Orc 2" Gang',
            "note Bo joins the dark",
        )
    ]
    assert said == [
        ["Ana joins the dark side"],
        ["Rat 1 and Rat 2 join the dark side"],
        ["Orc 1 to 5 join the dark side"],
        ["Orc 1 and Orc 2 join the group Gang"],
        ["Bo joins the dark"],
    ]


@pytest.mark.parametrize(("count", "plural"), [(1, False), (2, True)])
def test_a_group_of_one_is_no_plural(count: int, plural: bool) -> None:
    table = Table("classic")
    table.do(f"add {count} Orc group=Gang", "add Ana side=heroes")
    assert is_plural(table.encounter, "@Gang") is plural
    assert is_plural(table.encounter, "@heroes")
    assert not is_plural(table.encounter, "@dark")
    assert not is_plural(table.encounter, "c1")


def test_the_die_of_a_choice_does_not_count_the_hidden() -> None:
    table = Table("dungeon-universalis")
    table.do("add Ana owner=Mia per=3", "add 3 Rat per=2 distance=4", 'hide "Rat 3"', "begin", "meet Ana")
    told = table.store.table(viewer_of("Mia"))
    assert told.due == ()
    assert told.now == "The GM goes on"
    assert table.state()["due"][0]["dice"] == [3]
    table.do("roll GM 1")
    texts = [line.text for line in table.store.messages(table.store.step, viewer_of("Mia"))]
    assert not any("d3" in text for text in texts)
    assert any("d3: 1" in line.text for line in table.store.messages(table.store.step))


# --- the net under every text

_NAMES = st.sampled_from(["Orc", "Spy", "Ana", "Brute", "Gang", "pack"])
_PEOPLE = st.lists(
    st.builds(
        Combatant,
        id=st.just(""),
        name=_NAMES,
        alias=st.just("") | _NAMES,
        group=st.sampled_from(["", "Gang", "Pack"]),
        side=st.sampled_from(["heroes", "dark"]),
        owner=st.sampled_from(["", "Mia", "Tom"]),
        hidden=st.booleans(),
    ),
    max_size=5,
)


@given(_PEOPLE, _PEOPLE, st.sampled_from(["Mia", ""]))
def test_secret_are_the_unseen_their_company_and_true_names(
    here: list[Combatant], gone: list[Combatant], name: str
) -> None:
    viewer = Viewer(name, gm=False)
    e = Encounter(
        combatants={f"c{i}": c for i, c in enumerate(here)}, gone={f"x{i}": c for i, c in enumerate(gone)}
    )
    read = {(c.alias or c.name).lower() for c in here if viewer.sees(c)}
    kept = {c.name for c in (*here, *gone) if not viewer.sees(c)} | {c.name for c in here if c.alias}
    for of in ("group", "side"):
        for word in {getattr(c, of) for c in here}:
            kept |= set() if viewer.knows(e, f"@{word}") else {word}
    assert set(secrets(e, viewer)) == {n.lower() for n in kept if n} - read
    assert secrets(e, Viewer()) == ()


def test_names_that_count_on_are_one_in_words_and_all_of_them_in_a_line_to_be_typed() -> None:
    table = Table("classic")
    table.do("add 4 Orc", "add Ana")
    ids = tuple(table.encounter.combatants)
    told = Sentence("{0}, {1}, {2} and {4} wait: `out {0},{1},{2}`; {3} acts", ids)
    assert text(table.encounter, told) == 'Orc 1 to 3 and Ana wait: `out "Orc 1","Orc 2","Orc 3"`; Orc 4 acts'


def test_every_verb_behind_a_name_has_a_plural() -> None:
    behind = re.compile(r"\{\{?\d\}\}? ([a-z]+s)\b")
    words = {
        word
        for file in Path(tui.__file__).parent.rglob("*.py")
        for word in behind.findall(file.read_text(encoding="utf-8"))
    }
    table = Table("classic")
    table.do("add 2 Orc group=Gang")
    unchanged = {w for w in words if text(table.encounter, say(f"{{0}} {w}", "@Gang")) == f"Gang {w}"}
    assert {"acts", "does", "wins"} <= words
    assert not unchanged
