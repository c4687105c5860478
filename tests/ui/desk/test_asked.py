"""What is asked before it is done: empty orders, dice before the intents, another system in a fight."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player
from tui.core.rules.now import now as now_line
from tui.ui.modes.form import Form
from tui.ui.modes.page import Page
from tui.ui.modes.prompt import Prompt

CHAOS = ("add Ana side=red owner=Mia hp=18", "add Orc side=blue", "begin")
DYNAMIC = (
    "add Fay owner=Lu hp=9",
    "add Ogre hp=30 side=dark",
    "add 2 Gnoll hp=9 side=dark group=Gnolls",
    "begin",
)


def now(p: Player) -> str:
    return " ".join(" ".join(p.picture()["now"]).split())


def test_an_order_without_a_word_is_sent_by_y_alone() -> None:
    p = Player("chaos", CHAOS).press("o", "enter")
    assert "does nothing at all this round? [y]" in now(p)
    step = p.store.step
    p.press("enter", "enter")
    assert p.store.step == step, "Enter out of habit says neither yes nor no"
    p.press("escape")
    assert isinstance(p.desk.view.mode, Form), "the form is as it was"
    p.press("enter", "y")
    assert p.asked() == ["order Ana"]
    assert isinstance(p.desk.view.mode, Form), "the next who owes an order"


def test_dis_3_intents_are_asked_for_before_declarations_and_dice() -> None:
    p = Player("dynamic", DYNAMIC)
    assert "What will Ogre do this round? then Gnolls" in now(p)
    p.press("o", "'charges'", "enter")
    assert p.asked() == ["order Ogre intent=charges"]
    assert "Gnolls" in p.text().split("[Order: ")[1][:10]
    p.press("enter")
    assert p.asked() == ["order Ogre intent=charges"], "nothing to say is no step"
    assert "[Order: Fay" in p.text()
    p.press("'1d8'", "enter")
    assert "[r] roll" in now(p), "what was left empty is not asked for again in this round"


def test_dis_3_dice_before_the_intents_are_asked_about() -> None:
    p = Player("dynamic", [*DYNAMIC, "order Fay weapon=1d8"]).press("r")
    assert p.asked() == ["order Fay weapon=1d8"]
    assert "What will Ogre do this round?" in p.text()
    p.press("escape").press("r", "y")
    assert p.asked() == ["roll"]


def test_the_key_that_now_names_does_what_now_says_wherever_the_cursor_is() -> None:
    p = Player("dynamic", [*DYNAMIC, "order Ogre intent=charges", "order Gnolls intent=waits"])
    p.press("g", "j").press("o")
    assert "[Order: Fay" in p.text()
    p.press("escape")
    p.desk.show(track="c2")
    assert "[Order: Ogre, rewritten" in p.press("enter").text(), "the row's own is the row's Enter"


@pytest.mark.parametrize(
    "keys", [(":", "'system chaos'", "enter"), ("ctrl+p", "'system chaos'", "enter", "enter")]
)
def test_another_system_is_asked_about_while_a_fight_runs(keys: tuple[str, ...]) -> None:
    p = Player(lines=[*FIGHT, "condition Ana blessed rounds=2", "set Ana mod=4"]).press(*keys)
    assert p.store.encounter.system == "classic"
    shown = " ".join(p.text().split())
    assert "ends round 1, the turn of" in shown
    assert "blessed (Ana)" in shown
    assert "have no initiative bonus here, only Classic's modifier; set Ana bonus=4 gives one" in shown
    assert "End round 1 for Chaos Initiative? [y] changes" in now(p)
    p.press("enter")
    assert p.store.encounter.system == "classic"
    p.press("y")
    assert p.store.encounter.system == "chaos"


def test_between_fights_another_system_is_taken_at_once() -> None:
    p = Player(lines=["add Ana"]).press(":", "'system chaos'", "enter")
    assert p.store.encounter.system == "chaos"


def test_an_enter_behind_a_counted_hit_ends_no_turn() -> None:
    p = Player(lines=FIGHT).press("5", "d")
    acting = p.store.encounter.acting
    p.press("enter")
    assert p.store.encounter.acting == acting
    assert "done already" in p.message()
    assert "done already" not in Player().press("enter").message(), "an empty save has no step either"
    p.press("enter")
    assert p.store.encounter.acting != acting


def test_esc_on_the_board_leaves_the_cursor_where_it_is() -> None:
    p = Player(lines=FIGHT).press("j", "j")
    here = p.desk.view.track
    assert p.press("escape", "escape").desk.view.track == here != ""


@pytest.mark.parametrize(("keys", "stem"), [(("a", "'Bo +3'"), ":add "), (("c", "'prone'"), ":condition ")])
def test_ctrl_u_keeps_the_words_that_the_key_has_written(keys: tuple[str, ...], stem: str) -> None:
    p = Player(lines=FIGHT).press(*keys, "ctrl+u")
    assert p.picture()["hints"][0].startswith(stem)
    assert keys[1].strip("'") not in p.picture()["hints"][0]


def test_ctrl_u_then_takes_what_was_proposed_and_the_word_last() -> None:
    p = Player().press("a", "'Bo'")
    lines = []
    for _ in range(3):
        p.press("ctrl+u")
        mode = p.desk.view.mode
        assert isinstance(mode, Prompt)
        lines.append(mode.editor.text)
    assert lines == ["add  kind=pc", "add ", ""]


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
def test_a_long_refusal_leaves_what_now_says_above_it(size: tuple[int, int]) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    log = p.picture()["log"]
    acting = p.picture()["now"][0]
    p.press(":", "'condition Ana prone, poisoned and a good deal more'", "enter")
    now = p.picture()["now"]
    assert now[0] == acting
    assert "one word too many" in " ".join(now)
    assert len(now) + len(p.picture()["log"]) == 2 + len(log)


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (60, 18), (80, 24)])
def test_a_notice_never_covers_now(size: tuple[int, int]) -> None:
    p = Player(lines=FIGHT)
    p.size = size
    acting = p.picture()["now"][0].split()[1]
    p.press("L")
    assert p.message()
    assert acting in p.picture()["now"][0]


def test_a_refusal_offers_no_key_that_does_less_than_it_says() -> None:
    p = Player("chaos", CHAOS).press("L")
    assert "[L] lock missing" not in p.text()
    assert ":lock missing=empty" in p.text()


def test_perception_and_intelligence_stay_beside_armour_class() -> None:
    p = Player(
        "dungeon-universalis",
        ["add Ana kind=pc per=5 int=3 ac=15", "add Orc per=1 int=2 ac=13 distance=2", "begin"],
    )
    head = next(row for row in p.text().splitlines() if "Roster" in row)
    assert head.split()[-3:] == ["AC", "Per", "Int"]


def test_the_rule_is_read_from_the_reasons_of_a_row() -> None:
    p = Player(lines=FIGHT).press("w", "W")
    assert isinstance(p.desk.view.mode, Page)
    assert p.desk.view.mode.title != "Ana"
    assert p.press("W").desk.view.mode is None


@pytest.mark.parametrize(("key", "verb"), [("c", "condition "), ("d", "damage "), ("f", "react ")])
def test_ctrl_u_keeps_the_verb_when_others_are_meant_than_the_row(key: str, verb: str) -> None:
    p = Player(lines=FIGHT).press(key, "ctrl+u")
    mode = p.desk.view.mode
    assert isinstance(mode, Prompt)
    assert mode.editor.text == verb
    p.press("ctrl+u")
    assert " ".join(p.picture()["hints"][0].split()) == ": Tab complete Up earlier lines Esc back"


def test_nothing_is_offered_in_an_empty_fight_that_needs_somebody() -> None:
    p = Player()
    assert {"begin", "edit", "undo"}.isdisjoint(p.picture()["hints"][0].split())
    assert "undo" in Player(lines=("add Ana", "remove Ana")).picture()["hints"][0]


def test_where_now_cites_no_rule_that_of_the_row_that_acts_is_read() -> None:
    p = Player(lines=FIGHT)
    assert not now_line(p.store.encounter, p.store.system).rule
    p.press("W")
    assert isinstance(page := p.desk.view.mode, Page)
    assert page.title in p.store.system.clauses


def test_a_reason_of_which_a_few_letters_would_be_left_gives_way_whole() -> None:
    lines = ("add Hilda kind=pc", "add Rolf kind=pc", "add Mira kind=pc", "begin")
    p = Player("dungeon-universalis", lines)
    p.size = (60, 18)
    rows = p.press("n").text()
    assert "choose who goes, Hilda, Rolf or Mira: [Enter] on Hilda" in rows
    assert "(nex" not in rows


def test_after_the_fight_a_rest_is_offered_to_who_is_only_hurt() -> None:
    p = Player(lines=("add Ana kind=pc hp=9", "begin", "roll", "damage Ana 2", "finish"))
    assert "Q rest" in p.picture()["hints"][0]
    assert "Q rest" not in p.press("u", "u", ":", "'finish'", "enter").picture()["hints"][0]
