"""Now: who, the key in its column, why; no order that a pane shows anyway, and no half of a remark."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import PARTY, Player
from tests.rendering import desk_of
from tests.samples import NAMES
from tui.core.language.tokens import quote
from tui.core.rules.optional import orders_of
from tui.systems import Registry
from tui.ui.panes.keyed import keyed_text
from tui.ui.text.rows import words

UNBOUND = (
    "add Ana side=heroes",
    "add Bo side=heroes",
    "add 5 Orc side=dark",
    "begin",
    "roll dark 12",
    "roll heroes 1",
)


def rows(p: Player) -> list[str]:
    return p.picture()["now"]


def test_the_key_stands_in_the_same_column_whoever_acts() -> None:
    p = Player(lines=[*PARTY, "begin", "roll", "next"])
    places = set()
    for _ in range(12):
        places.add(rows(p)[0].index("[n] next when done"))
        p.press("n")
    assert len(places) == 1


def test_of_a_choice_enter_names_the_current_row() -> None:
    p = Player("unbound", UNBOUND)
    first = rows(p)[0]
    assert "The dark side chooses: Orc 1, Orc 2 and 3 more" in first
    assert "[Enter] Orc 1 acts" in first
    p.press("j")
    assert "[Enter] Orc 2 acts" in rows(p)[0]
    assert "may not pass: 5 left against 2" in rows(p)[1]
    p.press("tab", "tab", "tab")
    assert "[Enter]" not in rows(p)[0] or "chooses" in rows(p)[0]


@pytest.mark.parametrize("name", NAMES)
def test_now_does_not_repeat_the_order_that_a_pane_shows(name: str) -> None:
    desk = desk_of(name)
    drawn = desk.draw(desk.boxes(80, 24))
    told = " ".join(text for row in drawn["now"] for text, _ in row)
    for order in orders_of(desk.store.system, desk.store.encounter):
        assert not any(text and text in told for text in order.text.values() if len(text) > 3)


@pytest.mark.parametrize("width", [80, 90, 100, 120])
def test_a_remark_that_has_no_room_is_left_out_whole(width: int) -> None:
    desk = desk_of("cellar")
    second = words(desk.draw(desk.boxes(width, 30))["now"][1])
    assert "Cultist 3 may be moved one square ([s] moved)" in second
    assert second.rstrip().endswith(("; …", ")", "all pass"))
    assert second.count("[") == second.count("]")
    assert second.count("(") == second.count(")")


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (60, 18)])
def test_on_a_small_screen_who_and_key_are_still_said(size: tuple[int, int]) -> None:
    p = Player(lines=[*PARTY, "begin", "roll", "next"])
    p.size = size
    said = " ".join(" ".join(rows(p)).split())
    assert " acts" in said
    assert "[n]" in said or size == (20, 5)


def test_a_notice_takes_the_second_row_and_the_first_stays_as_it_is() -> None:
    p = Player(lines=[*PARTY, "begin", "roll", "next"])
    before = rows(p)[0]
    p.press("!")
    assert p.message()
    assert rows(p)[0] == before


def test_while_a_menu_has_the_keys_now_names_none_that_would_not_work() -> None:
    p = Player("dynamic", ["add Fay kind=pc", "add Ogre", "begin", "order Fay weapon=1d6", "roll", "next"])
    while p.store.encounter.combatants[p.store.encounter.acting].name != "Fay":
        p.press("n")
    assert "[n] next" in rows(p)[0]
    p.press("s")
    assert "[n]" not in rows(p)[0]


def test_a_key_in_now_is_named_with_its_word_alone_and_does_what_now_says() -> None:
    """CLASSIC-3: whoever delays acts by the key, whatever row is looked at."""
    p = Player(lines=[*PARTY, "begin", "roll", "next"])
    delays = p.store.encounter.combatants[p.store.encounter.acting].name
    p.press(",", "n")
    assert f"{delays} delays: [.] act (CLASSIC-3)" in rows(p)[1]
    p.press(".")
    assert p.asked() == [f"act {quote(delays)}"]


def test_what_a_key_does_not_know_stays_behind_it() -> None:
    p = Player("dungeon-universalis", ("add Ana side=heroes", "add Orc", "begin", "meet Ana"))
    assert "[i] set Orc int=3" in rows(p)[1] or "[i] set Ana int=3" in rows(p)[1]


def test_while_who_acts_owes_a_roll_the_hints_begin_with_the_roll() -> None:
    p = Player(
        lines=[*PARTY, "option zero.pc=dying", "begin", "roll Ana 20", "roll", "damage Ana 18", "next"]
    )
    assert rows(p)[0].startswith("▶ Ana owes a death save")
    assert p.picture()["hints"][0].startswith(" r roll  # totals  R faces")


SWITCHING = (
    "add Ana kind=pc",
    "add Orc",
    "begin",
    "order Ana weapon=1d6 move=yes",
    "roll Ana 2 1",
    "roll Orc 5",
    "next",
)


def test_a_menu_of_verbs_shows_how_each_is_written() -> None:
    assert rows(Player("chaos", ["add Ana", "begin"]).press("v"))[0][2:].startswith(":")


def test_dis_7_before_a_switch_both_ways_are_told() -> None:
    p = Player("dynamic", SWITCHING).press("v", "s")
    assert rows(p)[0][2:] == "Then: Ana gives up weapon 1d6 for weapon 1: 3 + 1 = 4, first"
    assert rows(p)[1] == "  [Enter] takes it · [Esc] Ana keeps 3"
    p.press("right")
    assert "weapon 1d4: 3 + 4 = 7, after Orc" in rows(p)[0]
    p.press("enter")
    assert p.asked() == ["switch Ana weapon=1d4"]


def test_what_a_system_knows_is_listed_by_what_it_does() -> None:
    p = Player("dynamic", SWITCHING).press("v")
    listed = "\n".join(p.picture()["orders"])
    assert "switches to an action that was not declared" in listed
    assert "WHO" not in listed
    assert ":switch WHO" in rows(p)[0]


def test_dun_19_a_question_stands_in_a_row_with_its_key_and_ends_as_one() -> None:
    lines = (
        "add Ana side=heroes int=3",
        "add Bo side=heroes",
        "add 4 Goblin",
        "begin",
        "meet Ana vs 'Goblin 1'".replace("'", '"'),
    )
    p = Player("dungeon-universalis", [*lines, "roll Ana 1 2", 'roll "Goblin 1" 5 6'])
    assert "squares of Goblin 1, and so caught by surprise?" in rows(p)[0]
    assert "[Enter] pick" in rows(p)[0]
    assert p.picture()["orders"][0].startswith("── Choice")
    p.size = (48, 20)
    assert "?;" not in " ".join(rows(p))


def test_what_would_happen_is_not_cut_for_its_clause() -> None:
    ready = "shoot the very first orc that comes near the old gate or dodge"
    lines = (
        "add Odo owner=Max hp=9",
        "add Orc",
        "begin",
        f'order Odo ready="{ready}"',
        "order Orc action=x",
        "lock",
    )
    p = Player("chaos", (*lines, "roll Odo 19", "roll Orc 3", "ok", "next", "next")).press("F")
    now = "\n".join(p.picture()["now"])
    assert ready in " ".join(now.split())
    assert "Enter take" in " ".join(p.picture()["hints"])


def test_a_long_remark_begins_with_its_key_and_is_cut_behind_it() -> None:
    p = Player(
        "dungeon-track",
        (
            "add Ana owner=Mia per=9 int=9",
            *("add 4 Skeleton", "add 2 Zombie", "add Ghoul", "add Wight rank=leader"),
            *("begin", 'meet Ana vs "Skeleton 1" with=Skeleton*,Zombie*,Ghoul', "roll Ana 6 6"),
            *('roll "Skeleton 1" 1 2', "pick Skeleton*,Zombie*,Ghoul", "roll"),
        ),
    )
    below = p.picture()["now"][1]
    assert below.startswith("  [s] moved: Skeleton 1 to 4, Zombie 1, Zombie 2")
    assert "[M] place" in below
    p.size = (60, 18)
    below = p.picture()["now"][1]
    # A reason gives way before a key that means something now.
    assert "[s] moved" in below
    assert "[M] place" in below


def test_behind_whose_turn_it_is_stands_why_a_roll_is_owed_cut_where_it_must_be() -> None:
    p = Player(
        "dungeon-track",
        (
            "add Ana kind=pc per=3 int=2",
            "add Bo kind=pc per=1 int=1",
            "add 3 Archer per=2 int=1 group=Archers distance=4",
            *("begin", "meet Ana", "roll Ana 1 2", 'roll "Archer 1" 6 6', "pick none", "roll", "next"),
            *('add "Skeleton of the old guard" per=4 int=1', 'place "Skeleton of the old guard" vs Bo'),
        ),
    )
    below = p.picture()["now"][1]
    assert below.startswith("  Archers are acting; Bo rolls 2d6 + Perception against Skeleton of the")


def test_a_backtick_in_a_name_of_an_older_save_is_shown_as_it_is() -> None:
    remark = 'a card: `place "`; 1"`'
    assert keyed_text(remark, {"place": "M"}) == 'a card: :place "; 1"`'


@pytest.mark.parametrize("system", Registry().ids())
def test_a_new_name_has_no_backtick(system: str) -> None:
    p = Player(system, ("add Ana owner=Mia hp=9", "add 3 `; hp=5", "rename Ana a`b", "begin"))
    assert "`" not in p.text()
    assert [c.name for c in p.store.encounter.combatants.values()] == ["a'b", "'; 1", "'; 2", "'; 3"]


def test_what_a_creature_bears_has_no_backtick() -> None:
    p = Player("classic", ("add Ana hp=9", "condition Ana a`b", "count Ana c`d 1 max=3"))
    (ana,) = p.store.encounter.combatants.values()
    assert [x.name for x in ana.conditions] == ["a'b"]
    assert [x.name for x in ana.counters] == ["c'd"]
