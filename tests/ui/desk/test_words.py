"""Every word of the screen is there, also one whose module is loaded when it is first said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.language.grammar import parse, verbs
from tui.core.language.spoken import GONE, SYNONYMS
from tui.systems import Registry
from tui.ui.desk.board import WORDS
from tui.ui.modes.menu import Menu
from tui.ui.modes.page import Page
from tui.ui.modes.prompt import Prompt

REGISTRY = Registry()


@pytest.mark.parametrize("word", [w for w in WORDS if w not in ("quit", "q", "suspend")])
def test_a_word_can_be_said(word: str) -> None:
    p = Player()
    p.desk.run("add 2 Orc hp=9")
    p.press(":", f"'{word}'", "enter")
    p.picture()


def _changed(before: Encounter, after: Encounter) -> set[str]:
    """Return the names of those about whom something has changed."""
    names = {c.name for k, c in after.combatants.items() if before.combatants.get(k) != c}
    if before.acting != after.acting:
        names |= {e.combatants[e.acting].name for e in (before, after) if e.acting}
    if before.shifts != after.shifts:
        names |= {after.combatants[x.who].name for x in after.shifts}
    return names


FIRST = ("Wren side=heroes", "Bram side=heroes", "Thora side=heroes", "Orc", "Imp")
MEETING = ("begin", "meet Wren", "roll Wren 6 5", "roll Orc 2 3", "pick none")
USUALLY = ("begin", "roll", "next", "turn Wren")
RUNNING = {
    "alternate": ("option alt.first=heroes", "begin", "turn Wren"),
    "classic": ("begin", "roll", "next"),
    "dungeon-universalis": (*MEETING, "turn Wren"),
    "dungeon-track": ("option trk.variable=yes", *MEETING, "roll", "turn Wren"),
    "chaos": ("begin", 'order Wren action="I wait"', "lock missing=empty", "roll", "ok", "next"),
    "unbound": ("begin", "roll", "turn Wren"),
    "dynamic": ("begin", "roll", "next"),
}
"""How a fight comes to a moment in which somebody acts; every other one `USUALLY`."""
OTHERS_TOO = {
    "turn": "it ends the turn that runs",
    "pick": "all that is chosen is one answer",
    "meet": "it reveals those whom WHO discovers",
    "kill": "who acts is the one that killed",
}
"""Words that mean more than the name after them."""
SAID = [
    (system, word)
    for system in REGISTRY.ids()
    for word in dict.fromkeys([
        *(w for w in WORDS if w not in ("quit", "q", "suspend", "line", "filter", "import")),
        *verbs(),
        *(v.name for v in REGISTRY.get(system).verbs),
    ])
    if word not in ("undo", "redo", "goto")
]  # fmt: skip


@cases(600)
@given(st.sampled_from(SAID), st.booleans(), st.sampled_from(["Bram", "Thora", "Orc"]))
def test_in_every_system_a_word_acts_on_its_name_or_on_nobody(
    said: tuple[str, str], running: bool, name: str
) -> None:
    system, word = said
    p = Player(system=system)
    for line in (
        *(f"add {person} hp=9" for person in FIRST),
        *(RUNNING.get(system, USUALLY) if running else ()),
    ):
        p.desk.run(line)
    p.desk.run("count Wren,Bram Ki 2")
    before, selected = p.desk.store.encounter, set(p.desk.view.selected)
    assert bool(before.acting) == running
    if running and before.combatants[before.acting].name == name:
        return
    p.desk.submit(f"{word} {name}")
    changed = _changed(before, p.desk.store.encounter)
    if word in OTHERS_TOO:
        assert name in changed or not changed
    else:
        assert changed <= {name}
    assert p.desk.store.encounter.round == before.round
    assert {before.combatants[k].name for k in {*p.desk.view.selected} - selected} <= {name}
    mode = p.desk.view.mode
    if isinstance(mode, Menu) and word == "counters":
        assert all("Wren" not in f"{mode.title} {item.line}" for item in mode.items)
    if isinstance(mode, Prompt) and word == "counters":
        assert name in mode.editor.text
    if isinstance(mode, Page) and word == "why":
        assert name in mode.title


@pytest.mark.parametrize(
    "word", ["go", "select", "fallen", "higher", "why", "card", "counters", "zoom", "up", "left"]
)
def test_a_word_with_an_unknown_name_does_nothing(word: str) -> None:
    p = Player(
        lines=("add Wren hp=9", "add Bram hp=9", "count Wren Ki 2", "begin", "total Wren 20 Bram 10", "next")
    )
    before, view = p.desk.store.encounter, p.desk.view
    assert not p.desk.submit(f"{word} Nobody")
    assert p.desk.store.encounter is before
    assert p.desk.view.mode == view.mode
    assert p.desk.view.selected == view.selected
    assert p.desk.view.notice is not None


def test_every_word_that_the_palette_knows_is_answered_with_the_word_for_it() -> None:
    known = {word for words in SYNONYMS.values() for word in words.split()}
    typed = known | {"dmg", "hp", "cond", "delay", "skip", "ready", "kill"}
    for word in sorted(typed - {*WORDS, *verbs()}):
        with pytest.raises(RuleError) as refused:
            parse(f"{word} Wren 3")
        gone = GONE["line"].get(word)
        assert "the word is " in refused.value.hint if gone is None else refused.value.hint == gone, word


def test_every_word_that_lists_what_it_could_mean_says_what_is_missing() -> None:
    registry = Registry()
    for name in registry.ids():
        for verb in registry.get(name).verbs:
            asked = bool(verb.key) and not verb.whole and verb.name != "surprised"
            assert bool(verb.idle) == asked, (name, verb.name)
