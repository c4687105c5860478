"""Every lesson is played to its end with exactly what it asks for, and whoever strays finds back."""

from __future__ import annotations

from itertools import cycle, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tui.systems
from tests.kit.keyboard import Player
from tests.kit.tiers import cases, one_of, share, third_of
from tests.samples import NAMES as EXAMPLES
from tests.samples import scripts
from tui.core.base.errors import RuleError
from tui.core.rules.upkeep import rules_of_new_fights
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.state.commands import COMMANDS
from tui.ui.state.settings import Settings
from tui.ui.text.rows import wrap_text
from tui.ui.tutor import HELP, Coached, list_lessons, read_lesson

NAMES = list_lessons(Registry())
REMAPPED = Settings(
    keys={"next": ("N",), "note": ("n",), "damage": ("ctrl+d",), "up": ("ctrl+u",), "rule": ("F",)}
)


class Pupil(Player):
    """One who does what the lesson says."""

    def __init__(self, name: str, wanted: Settings | None = None) -> None:
        told = read_lesson(name, Registry())
        options = rules_of_new_fights(Registry().get(told.system)) | told.options
        super().__init__(told.system, told.lines, dice=SeededDice(told.seed), options=options)
        self.coached = Coached(told, self.store, wanted, None)
        self.desk = self.coached

    def obey_to(self, place: int) -> None:
        """Step after step, each of which must lead on."""
        while self.coached.at < place:
            at = self.coached.at
            self.obey()
            assert self.coached.at > at, (at, self.message(), self.asked(), self.desk.view.mode)

    def obey_to_the_end(self) -> None:
        """All that is left of the lesson."""
        self.obey_to(len(self.coached.lesson.steps) - 1)
        assert self.coached.over

    def help(self) -> Pupil:
        """The lesson does the step."""
        return self.press(HELP)

    def obey(self) -> Pupil:
        """One step of the lesson."""
        self.press(*self.coached.pressed())
        return self


def test_every_lesson_that_lies_beside_a_system_is_found() -> None:
    """A stranger's system needs none."""
    files = list(Path(tui.systems.__file__).parent.rglob("*.lesson.toml"))
    assert len(NAMES) == len(files) > 0
    assert [scripts(Registry())[name] for name in EXAMPLES if scripts(Registry())[name] not in NAMES] == []


@pytest.mark.law
@pytest.mark.parametrize("name", third_of(NAMES, 0))
def test_a_lesson_is_played_to_its_end_by_keys_of_ones_own(name: str) -> None:
    Pupil(name, REMAPPED).obey_to_the_end()


@pytest.mark.parametrize("name", NAMES)
def test_each_step_is_shown_at_every_size_and_not_done_before_its_keys_are_pressed(name: str) -> None:
    """Other keys that change nothing, and looking about, do not end a step either."""
    p = Pupil(name)
    while True:
        at, said = p.coached.at, " ".join(p.coached.instructions().split())
        for p.size in (*one_of([(60, 18), (120, 40)], at), (80, 24)):
            shown = " ".join(p.text().split())
            assert said in shown, at
            assert (" → " in shown) != p.coached.over, at
        # In the smallest screen with four panes the words have room in the log's.
        panel = p.picture()["log"]
        assert len(wrap_text(p.coached.instructions(), 78)) <= 3, said
        assert f"{at + 1} of {len(p.coached.lesson.steps)}" in panel[0]
        assert said in " ".join(" ".join(panel).split())
        if p.coached.over:
            break
        if p.desk.view.mode is None and not p.coached.step.focus:
            p.press("ctrl+t", "ctrl+t", "z", "z")
            assert p.coached.at == at
        p.obey()
        assert p.coached.at == at + 1, (at, p.message(), p.asked())


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_speaks_of_keys_by_their_commands(name: str) -> None:
    told = read_lesson(name, Registry())
    own = {v.name for v in Registry().get(told.system).verbs}
    known = own | {c.id for c in COMMANDS}
    assert {key[1:] for step in told.steps for key in step.keys if key.startswith("@")} <= known
    assert Pupil(name).coached.instructions().count("{") == 0
    assert all(step.wants or step.mode or step.focus or step.selected for step in told.steps[:-1])
    assert not told.steps[-1].keys


# --- the wrong ways

WRONG = {
    "another key": (":", "'note a storm comes up'", "enter"),
    "undo": ("u", "u"),
    "undo to the beginning": ("escape", "escape", ":", "'undo 2'", "enter", ":", "'goto 1'", "enter"),
    "the app rolls": ("escape", ":", "'roll'", "enter"),
    "somebody else joins": ("escape", ":", "'add Zoe owner=Zed'", "enter"),
    "the fight is over": ("escape", ":", "'finish'", "enter"),
    "a form is left open": ("o",),
    "another system": (
        "escape",
        ":",
        "'system classic'",
        "enter",
        ":",
        "'begin'",
        "enter",
        ":",
        "'roll'",
        "enter",
    ),
    "everybody goes": ("escape", ":", "'remove *'", "enter"),
}


@pytest.mark.law
@pytest.mark.parametrize("name", third_of(NAMES, 1))
def test_after_every_wrong_way_one_key_leads_back_and_the_lesson_ends(name: str) -> None:
    many = share(len(WRONG))
    first = NAMES.index(name) * many
    for wrong in islice(cycle(WRONG.values()), first, first + many):
        stray(Pupil(name), wrong)


def stray(p: Pupil, wrong: tuple[str, ...]) -> None:
    """Go a wrong way at the beginning and in the middle of a lesson, and be led back by one key."""
    for place in sorted({0, (len(p.coached.lesson.steps) - 1) // 2}):
        p.obey_to(place)
        at = p.coached.at
        p.press(*wrong)
        assert p.coached.at >= at
        if p.coached.astray:
            assert "[ctrl+g] puts the fight right" in p.text()
            left = p.coached.at
            p.press(HELP)
            assert (p.coached.at, p.coached.astray) == (left, False)
        else:  # a form may be open, or a step be done: the key brings its own screen along
            p.press(HELP)
        assert not p.coached.astray
        assert p.desk.view.mode is None or p.coached.at > at
    p.obey_to_the_end()


@pytest.mark.law
@pytest.mark.parametrize("name", third_of(NAMES, 2))
def test_put_right_the_fight_is_as_if_nothing_had_gone_wrong(name: str) -> None:
    right, wrong = Pupil(name), Pupil(name)
    steps = len(right.coached.lesson.steps)
    every = steps // share(steps)
    while not right.coached.over:
        if right.coached.step.mode != "board" and not right.coached.at % every:  # there Esc is no wrong way
            wrong.press("escape", "escape", ":", "'add Zoe'", "enter", HELP)
        assert wrong.store.encounter == right.store.encounter
        assert wrong.coached.pressed() == right.coached.pressed()
        at = right.coached.at
        right.obey()
        wrong.obey()
        assert wrong.coached.at == right.coached.at > at
        assert wrong.store.encounter == right.store.encounter, "also the dice are the lesson's"


def test_dice_that_fell_astray_do_not_count() -> None:
    """The slip that once ended the lesson: the app rolls where faces should be typed, and that is undone."""
    p = Pupil("classic").obey().obey().obey()
    p.press("escape", ":", "'roll'", "enter", "u")
    assert (p.coached.at, p.coached.astray) == (3, False)
    p.obey().obey()
    assert [row.value for row in p.store.table().track] == [11, 7, 6, 5]


@pytest.mark.parametrize(
    "lines",
    [
        ("add 3 goblins", "add Ana +3 18 ac15 owner=Mia"),
        ("add 3 Goblin as=goblin", "add Ana owner=Mia mod=3 hp=18 ac=15"),
        (
            "add 3 Goblin hp=7",
            'set Goblin* mod=+2 attacks="Scimitar +4 1d6+2"',
            "add Ana side=heroes owner=Mia hp=18 ac=15",
            "set Ana mod=3",
        ),
    ],
)
def test_any_line_that_means_the_same_counts(lines: tuple[str, ...]) -> None:
    p = Pupil("classic")
    for line in lines:
        p.press("escape", ":", f"'{line}'", "enter")
    assert p.coached.at == 2
    p.obey_to_the_end()


def test_steps_in_another_order_count_as_done() -> None:
    p = Pupil("classic")
    for line in ("add Ana +3 18 owner=Mia", "add 3 goblin"):
        p.press("escape", ":", f"'{line}'", "enter")
    assert p.coached.at == 2
    p.press("b", ":", "'roll'", "enter")
    assert p.coached.at == 4, "Goblin 1 has rolled something else: astray, but not stuck"
    p.press(HELP).obey_to_the_end()


def test_an_order_in_words_of_ones_own_counts() -> None:
    p = Pupil("chaos").obey()
    p.press("escape", ":", "'order Brynn action=\"wait and see\"'", "enter")
    assert p.coached.at == 2


def test_what_was_half_written_is_gone_when_a_lesson_is_put_right() -> None:
    right, wrong = Pupil("chaos").obey(), Pupil("chaos").obey()
    wrong.press(wrong.coached.pressed()[0], "'flee'", "escape", ":", "'add Zoe'", "enter")
    wrong.press(HELP)
    assert wrong.obey().store.encounter == right.obey().store.encounter


@pytest.mark.law
@pytest.mark.parametrize("name", third_of(NAMES, 0))
def test_a_lesson_that_was_left_in_the_middle_is_put_right_when_it_is_opened_again(name: str) -> None:
    p = Pupil(name).obey().obey()
    p.coached = p.desk = Coached(read_lesson(name, Registry()), p.store, None, None)
    assert p.coached.astray
    p.press(HELP)
    p.obey_to_the_end()


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_key_that_helps_plays_the_whole_lesson(name: str) -> None:
    p = Pupil(name)
    for at in range(len(p.coached.lesson.steps) - 1):
        assert p.coached.at == at
        p.help()
    assert p.coached.over
    p.press(HELP)
    assert p.coached.over


def test_a_small_screen_says_what_to_press_where_the_hints_are() -> None:
    p = Pupil("classic")
    p.size = (40, 12)
    assert p.picture()["hints"][0].startswith(" → [a] 3 goblin [Enter]")
    p.size = (20, 5)
    assert p.picture()["hints"] == [" → [a] 3 goblin [En…"]


def test_one_pane_alone_has_the_lesson_at_its_foot() -> None:
    p = Pupil("classic")
    p.size = (58, 24)
    assert p.picture()["roster"][-1].startswith(" → [a] 3 goblin [Enter] [Enter]")
    assert "Lesson: the keys" in "\n".join(p.picture()["roster"])
    p = Pupil("classic", Settings(ascii=True, a11y=True))
    assert p.picture()["roster"][-1].strip().startswith("[a] 3 goblin [Enter] [Enter]")
    p.obey().press("?")
    assert "hero of her" in p.text()


def test_a_lesson_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(RuleError) as refused:
        read_lesson("../../secret", Registry())
    assert "classic" in refused.value.hint


@cases(40)
@given(
    st.sampled_from(NAMES),
    st.lists(
        st.sampled_from(
            [*"abdjknoruwxRGWX:3?", "enter", "escape", "tab", "space", "ctrl+r", "ctrl+g", "obey"]
        ),
        max_size=30,
    ),
)
def test_whatever_is_pressed_nobody_is_ever_stuck(name: str, keys: list[str]) -> None:
    p = Pupil(name)
    for key in keys:
        at = p.coached.at
        p.press(*(p.coached.pressed() if key == "obey" else (key,)))
        assert p.coached.at >= at
        assert p.text()
    if not p.coached.over:
        at = p.coached.at
        p.press(*[HELP] * (1 + p.coached.astray))
        assert p.coached.at == at + 1
