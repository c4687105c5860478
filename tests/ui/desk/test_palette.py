"""The palette finds all that can be typed by its words, says what it would do, and why it cannot be done."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.keyboard import FIGHT, PARTY, Player
from tui.core.language.grammar import verbs
from tui.core.rules.creature_fields import attributes
from tui.systems import Registry
from tui.ui.desk.ports import ProgramWord, Services
from tui.ui.desk.reading import list_findable, trial
from tui.ui.modes.manual import Manual
from tui.ui.modes.menu import Menu
from tui.ui.modes.texts import MOMENT
from tui.ui.state.commands import COMMANDS, list_idle
from tui.ui.text.menu import Item


def found(p: Player) -> list[str]:
    """What the palette shows, best first."""
    mode = p.desk.view.mode
    assert isinstance(mode, Menu)
    return [item.label or item.line for item in mode.visible_items]


def over(p: Player) -> str:
    return "\n".join(p.picture()["over"])


@pytest.mark.parametrize("system", Registry().ids())
def test_every_verb_system_option_and_own_word_is_in_it(system: str) -> None:
    p = Player(system, PARTY)
    items = list_findable(p.desk.scene, p.store, p.desk.settings.commands, [("open NAME", "another fight")])
    told = {(i.label or i.line).split(" ")[0] for i in items} | {i.line.split(" ")[0] for i in items}
    own = p.store.system
    never = {*list_idle(own)} & {*verbs()}
    assert set(verbs()) - never <= told | {c.words.split(" ")[0] for c in COMMANDS}
    assert not never & told, "what the system can never do"
    assert {v.name for v in own.verbs} <= {(i.label or i.line).split(" ")[0] for i in items}
    assert {f"system {name}" for name in Registry().ids()} <= {i.line for i in items}
    assert {f"option {f.key}=" for f in own.options} <= {i.line for i in items}
    assert any(i.label == "open NAME" for i in items)


@pytest.mark.parametrize("system", Registry().ids())
def test_the_word_that_is_typed_comes_first(system: str) -> None:
    menu = Player(system, PARTY).press("ctrl+p").desk.view.mode
    assert isinstance(menu, Menu)
    own = {(i.label or i.line).split(" ")[0] for i in menu.items if not i.by_name}
    for word in sorted(own):
        first = replace(menu, search=word).visible_items[0]
        assert (first.label or first.line).split(" ")[0] == word


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("end of the fight", "finish [rest=none|short|long] [foes=stay|go]"),
        ("hp", "damage WHO N"),
        ("encounter", "load FIGHT"),
        ("mistake", "undo mine=yes"),
        ("die", "out WHO"),
        ("jump", "goto STEP"),
        ("house rule", "option classic.tie"),
        ("another system", "system chaos"),
        ("library", "party ..."),
    ],
)
def test_people_find_it_by_their_own_words(typed: str, first: str) -> None:
    p = Player(lines=FIGHT).press("ctrl+p", f"'{typed}'")
    assert first in found(p)[:3]


ANYWHERE = {
    "out": "flee retreat surrender kill dead resurrect revive",
    "add": "spawn summon reinforcements wave horde boss minion companion",
    "condition": "bless curse buff exhaust duration stun",
    "higher": "reorder swap",
    "heal": "hitpoints regain",
    "set": "armour resist vulnerable immune owner side",
    "filter": "search find",
    "help": "manual glossary",
    "react": "opportunity counterspell",
    "group": "squad swarm mob",
    "hide": "ambush stealth",
}
"""Words that people type, by what they look for."""


@pytest.mark.parametrize("system", Registry().ids())
def test_a_word_that_people_use_is_found_in_every_system(system: str) -> None:
    p = Player(system, PARTY)
    items = list_findable(p.desk.scene, p.store, p.desk.settings.commands, ())
    for first, words in ANYWHERE.items():
        for word in words.split():
            assert first in _found(items, word), word
    for verb in p.store.system.verbs:
        assert all(verb.name in _found(items, word) for word in verb.also.split()), verb.name
    for field in attributes(p.store.system):
        assert "set" in _found(items, field.key), field.key


def _found(items: tuple[Item, ...], word: str) -> set[str]:
    """Return the first words of what is listed for a word."""
    return {(i.label or i.line).split(" ")[0] for i in items if i.rank((word,)) is not None}


def test_a_line_is_tried_without_dice_and_without_a_record() -> None:
    store = Player(lines=[*PARTY, "begin"]).store
    before = store.encounter, store.record
    assert trial(store, "roll").preview == "Dice are rolled for it"
    assert trial(store, "next").refused
    assert trial(store, "damage Ana 3").preview == "Ana takes 3 damage: 15 left"
    assert trial(store, "undo 9").refused.startswith("there are 4 steps")
    assert (store.encounter, store.record) == before


def test_a_word_of_the_program_without_an_argument_is_done_at_once() -> None:
    heard: list[str] = []

    def start(rest: str) -> str:
        heard.append(rest)
        return ""

    word = ProgramWord(start, "start", "back to the list of fights")
    p = Player(lines=FIGHT, services=Services(words={"start": word}))
    p.press("ctrl+p", "'list of fights'", "enter")
    assert heard == [""]


class TestHelp:
    """Letters search keys, words and rules at once."""

    def test_without_letters_it_is_the_whole_help(self) -> None:
        p = Player(lines=FIGHT).press("?")
        seen = set()
        for _ in range(400):
            seen |= {row.strip() for row in p.picture()["over"]}
            p.press("down")
        mode = p.desk.view.mode
        assert isinstance(mode, Manual)
        assert {e.part for e in mode.entries} <= seen

    def test_it_begins_with_ten_keys_that_work_now_and_takes_the_whole_screen(self) -> None:
        p = Player(lines=FIGHT)
        before = p.picture()
        opened = p.press("?").picture()
        assert len(opened["over"]) >= p.size[1] - 6
        assert not {"log", "track", "roster", "card"} & set(opened)
        mode = p.desk.view.mode
        assert isinstance(mode, Manual)
        first = [e.head for e in mode.visible_entries if e.part == MOMENT]
        assert len(first) == 10
        assert first[:3] == ["n", "d", "-"]
        assert [e.part for e in mode.visible_entries[:11]] == [MOMENT] * 10 + ["Keys: Playing"]
        chapter = p.press("'lines'", "enter").picture()
        assert len(chapter["over"]) == len(opened["over"])
        assert p.press("escape", "escape").picture() == before
