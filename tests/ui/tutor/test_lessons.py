"""Every lesson is played to its end with exactly what it asks for, and whoever strays finds back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tui.systems
from tests.samples import NAMES as EXAMPLES
from tests.samples import scripts
from tests.ui.keyboard import Player
from tui.core.fight.errors import RuleError
from tui.store.dice import SeededDice
from tui.systems import Registry
from tui.ui.keys.services import Settings
from tui.ui.state.commands import COMMANDS, with_keys
from tui.ui.state.glyphs import ASCII, spoken
from tui.ui.state.rows import wrapped
from tui.ui.tutor.coach import Coached
from tui.ui.tutor.lesson import lesson, lessons

NAMES = lessons(Registry())
REMAPPED = with_keys(
    {"next": ("N",), "note": ("n",), "damage": ("ctrl+d",), "up": ("ctrl+u",), "rule": ("F",)}
)


class Pupil(Player):
    """One who does what the lesson says."""

    def __init__(self, name: str, wanted: Settings | None = None) -> None:
        told = lesson(name, Registry())
        super().__init__(told.system, told.lines, dice=SeededDice(told.seed), options=dict(told.options))
        self.coached = Coached(told, self.store, wanted, None)
        self.desk = self.coached

    def obey(self) -> Pupil:
        """One step of the lesson."""
        self.press(*self.coached.pressed())
        return self


def test_every_lesson_that_lies_beside_a_system_is_found() -> None:
    """A stranger's system needs none."""
    files = list(Path(tui.systems.__file__).parent.rglob("*.lesson.toml"))
    assert len(NAMES) == len(files) > 0
    assert [scripts(Registry())[name] for name in EXAMPLES if scripts(Registry())[name] not in NAMES] == []


@pytest.mark.parametrize("wanted", [Settings(), Settings(REMAPPED)], ids=["keys", "remapped"])
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_played_to_its_end(name: str, wanted: Settings) -> None:
    p = Pupil(name, wanted)
    steps = p.coached.lesson.steps
    for at in range(len(steps) - 1):
        assert p.coached.at == at
        p.obey()
        assert p.coached.at == at + 1, (at, p.message(), p.asked())
    assert p.coached.over
    assert steps[-1].say == lesson(name, Registry()).steps[-1].say


@pytest.mark.parametrize("name", NAMES)
def test_a_step_is_done_only_by_what_it_asks_for(name: str) -> None:
    """Other keys that change nothing, and looking about, do not end a step."""
    p = Pupil(name)
    while not p.coached.over:
        at = p.coached.at
        if p.desk.view.mode is None and not p.coached.step.focus:
            p.press("ctrl+t", "ctrl+t", "z", "z")
            assert p.coached.at == at
        p.obey()
        assert p.coached.over or p.coached.at == at + 1


@pytest.mark.parametrize("name", NAMES)
def test_the_words_have_room_in_the_smallest_screen_with_four_panes(name: str) -> None:
    p = Pupil(name)
    while True:
        assert len(wrapped(p.coached.said(), 78)) <= 3, p.coached.said()
        shown = p.picture()["log"]
        assert f"{p.coached.at + 1} of {len(p.coached.lesson.steps)}" in shown[0]
        assert " ".join(p.coached.said().split()) in " ".join(" ".join(shown).split())
        if p.coached.over:
            break
        assert any(line.startswith(" →") for line in shown)
        p.obey()


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_speaks_of_keys_by_their_commands(name: str) -> None:
    told = lesson(name, Registry())
    own = {v.name for v in Registry().get(told.system).verbs}
    known = own | {c.id for c in COMMANDS}
    assert {key[1:] for step in told.steps for key in step.keys if key.startswith("@")} <= known
    assert Pupil(name).coached.said().count("{") == 0
    assert all(step.by or step.mode or step.focus or step.selected for step in told.steps[:-1])
    assert not told.steps[-1].keys


def test_whoever_strays_is_led_back() -> None:
    p = Pupil("chaos").press(":", "'note a storm comes up'", "enter")
    assert p.coached.at == 0
    assert p.message() == "u leads back to the lesson"
    p.press("u")
    assert p.coached.at == 0
    p.obey()
    assert p.coached.at == 1
    p.press("u")
    assert p.message() == "back at step 3: add 4 Wolf hp=6 bonus=2 group=Wolves"
    p.press("j")
    assert p.message() == "ctrl+r leads back to the lesson"
    p.press("ctrl+r").obey()
    assert p.coached.at == 2


def test_a_small_screen_says_what_to_press_where_the_hints_are() -> None:
    p = Pupil("classic")
    p.size = (40, 12)
    assert p.picture()["hints"][0].startswith(" → [a] 3 Goblin hp=7 mod=2 [Enter]")
    p.size = (20, 5)
    assert p.picture()["hints"] == [" → [a] 3 Goblin hp=…"]


def test_one_pane_alone_has_the_lesson_at_its_foot() -> None:
    p = Pupil("classic")
    p.size = (58, 24)
    assert p.picture()["roster"][-1] == " → [a] 3 Goblin hp=7 mod=2 [Enter] [Enter]"
    assert "Lesson: the keys" in "\n".join(p.picture()["roster"])
    p = Pupil("classic", Settings(glyphs=spoken(ASCII)))
    assert p.picture()["roster"][-1].strip() == "[a] 3 Goblin hp=7 mod=2 [Enter] [Enter]"
    p.obey().press("?")
    assert "hero of her" in p.text()


def test_a_lesson_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(RuleError) as refused:
        lesson("../../secret", Registry())
    assert "classic" in refused.value.hint


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(
        st.sampled_from([*"abdjknoruwxRGWX:3?", "enter", "escape", "tab", "space", "ctrl+r", "obey"]),
        max_size=30,
    ),
)
def test_whatever_is_pressed_the_lesson_goes_on_or_waits(name: str, keys: list[str]) -> None:
    p = Pupil(name)
    for key in keys:
        at = p.coached.at
        p.press(*(p.coached.pressed() if key == "obey" else (key,)))
        assert p.coached.at >= at
        assert p.text()
