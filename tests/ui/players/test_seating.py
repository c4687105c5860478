"""A seat at the keyboard with a real fight and no terminal: what keys send, where the cursor stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.kit.seats import DUEL, Hall
from tests.kit.tiers import cases
from tests.ui.players.chair import HEIGHT, WIDTH, Chair
from tui.core.fight.viewer import viewer_of
from tui.ui.text.glyphs import UNICODE
from tui.ui.text.rows import words


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Chair]:
    """Without a GM, Mia against Jon."""
    hall = Hall(tmp_path, options=DUEL)
    hall.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin")
    yield Chair(hall)
    hall.close()


@pytest.fixture
def chair(tmp_path: Path) -> Iterator[Chair]:
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin")
    yield Chair(hall)
    hall.close()


def test_the_cursor_of_a_screen_reader_is_where_the_next_letter_goes(chair: Chair) -> None:
    chair.press("o")
    chair.type("over the wall")
    assert chair.pointed.strip() == ""
    chair.press("left", "left", "left", "left")
    assert chair.pointed.rstrip() == "wall"
    chair.press("tab")
    chair.type("hit")
    chair.press("home")
    assert chair.pointed.rstrip() == "hit"
    chair.press("escape", ":")
    chair.type("damage Bo 3")
    chair.press("left")
    assert chair.pointed.rstrip() == "3"


def test_the_cursor_reads_what_became_of_a_line_that_was_sent(chair: Chair) -> None:
    chair.press("o")
    chair.type("hold")
    chair.press("enter")
    assert chair.pointed.strip() == "taken"
    chair.press("j")
    assert "taken" not in chair.pointed
    chair.press("r")
    assert chair.pointed.strip() == "no roll of yours is due"


@cases(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    keys=st.lists(
        st.sampled_from(
            [
                *"o:rRfxjk?b",
                "enter",
                "escape",
                "tab",
                "up",
                "left",
                "end",
                "backspace",
                "ctrl+t",
                "space",
                "ä",
                "界",
            ]
        ),
        max_size=14,
    ),
    size=st.tuples(st.integers(1, 130), st.integers(1, 40)),
)
def test_the_cursor_is_never_off_the_screen(chair: Chair, keys: list[str], size: tuple[int, int]) -> None:
    width, height = size
    for key in keys:
        chair.press(key)
        rows = chair.seating.rows(width, height)
        x, y = chair.seating.point() or (0, 0)
        assert len(rows) == height
        assert 0 <= y < height
        assert 0 <= x < width
    chair.press("escape", "escape")


def test_a_line_that_is_left_is_forgotten_and_an_order_that_is_left_is_kept(chair: Chair) -> None:
    chair.press(":")
    chair.type("damage Bo 3")
    assert chair.drafts["line"] == "damage Bo 3"  # for a line that drops
    shown = chair.press("enter")
    assert any("refused: damage is not sent from a player's seat" in row for row in shown)
    assert any(":damage Bo 3" in row for row in shown)
    chair.press("escape")
    assert not any("damage" in row for row in chair.press(":"))
    chair.press("escape", "o")
    chair.type("over")
    assert any("[o] go on with the order of Ana" in row for row in chair.press("escape"))
    chair.press("o")
    assert any("over" in row for row in chair.press("tab"))


def test_from_a_seat_that_is_closed_nothing_more_is_seen_or_sent(chair: Chair) -> None:
    chair.press("o")
    chair.stands = False
    shown = chair.press("x")
    assert any("this seat was closed" in row for row in shown)
    assert not any("Ana" in row for row in shown)
    chair.press(":", "x", "enter", "o", "enter", "r")
    assert chair.hall.lying("Mia") == []
    before = chair.loop.asked.count("leave")
    chair.press(":", "q")
    assert chair.loop.asked.count("leave") == before + 1, "a line that is not shown takes the key that leaves"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Chair]:
    """Mia has two creatures."""
    hall = Hall(tmp_path)
    hall.do("add Ana owner=Mia hp=9", "add Alf owner=Mia hp=9", "add Bo owner=Jon hp=9", "begin")
    yield Chair(hall)
    hall.close()


def test_whoever_is_quicker_than_the_page_writes_for_the_next_creature(pair: Chair) -> None:
    page = pair.seating.look.page
    pair.press("enter")
    pair.type("left")
    pair.seating.press("enter")
    assert pair.seating.look.page is page  # the line is on its way, and nothing has come back
    assert any("Order of Alf" in row for row in pair.press("x"))


def test_of_several_orders_that_stand_one_is_chosen_to_be_written_anew(pair: Chair) -> None:
    pair.press("enter")
    for text in ("left", "right"):
        pair.type(text)  # the form of the second opens by itself
        pair.press("enter")
    shown = pair.press("o")
    assert any("1 Ana  movement left" in row for row in shown)
    assert any("2 Alf  movement right" in row for row in shown)
    pair.press("down", "enter")
    pair.type("!")
    pair.press("enter")
    assert pair.hall.store.encounter.orders["c2"] == {"movement": "right!"}


def test_what_is_doubtful_in_an_order_is_said_to_whoever_wrote_it(chair: Chair) -> None:
    chair.press("enter", "tab")
    chair.type("hit if near")
    chair.press("enter")  # a question
    shown = " ".join(row.strip() for row in chair.press("y"))
    assert "your order, Ana: action hit if near (action: reads like a condition)" in shown


def test_that_a_line_was_taken_is_said_for_a_while(chair: Chair) -> None:
    shown = chair.send_order("hold")
    assert any(row.strip() == "taken" for row in shown)
    chair.loop.calls.pop()()
    assert not any(row.strip() == "taken" for row in chair.press())
    chair.send_order("stay")
    chair.press(":", "escape", "r")
    chair.loop.calls.pop()()
    assert any("no roll of yours" in row for row in chair.press())


def test_without_a_gm_nothing_speaks_of_one(duel: Chair) -> None:
    duel.hall.do("order Ana action=a", "order Bo action=b", "lock", "roll Ana 9", "roll Bo 12")
    shown = duel.press()
    assert any("All have rolled: any player goes on to the open orders" in row for row in shown)
    duel.hall.do("ok")
    assert any("You go on with the turn of Bo, then Ana" in row for row in duel.press())
    assert not any("Next" in row for row in duel.press())
    duel.hall.do("next", "next")
    assert not any("GM" in row for row in duel.press())


def test_a_verb_of_who_resolves_begins_with_who_acts_and_the_usual_keys_are_named_first(duel: Chair) -> None:
    duel.hall.do("order Ana action=a", "order Bo action=b", "lock", "roll Ana 9", "roll Bo 12", "ok", "next")
    duel.press()
    assert any(row.strip() == ":else Bo" for row in duel.press("E"))
    hints = [words(row) for row in duel.seating.rows(100, HEIGHT)]
    duel.press("escape")
    hints = [words(row) for row in duel.seating.rows(100, HEIGHT)]
    assert hints[-1].index("d damage") < hints[-1].index("x out") < hints[-1].index("E else")


def test_keys_of_who_resolves_ask_whom(duel: Chair) -> None:
    assert any("Ana" in row for row in duel.press("d"))
    duel.press("enter")
    assert any("damage " in row for row in duel.press())
    duel.press("escape")
    duel.press("4", "d", "enter")
    assert duel.sent[-1].startswith("damage ")
    assert duel.sent[-1].endswith(" 4")
    duel.press("2", "c", "enter")
    duel.type("prone")
    duel.press("enter")
    assert duel.sent[-1].startswith("condition ")
    assert duel.sent[-1].endswith(" prone rounds=2")


def test_a_choice_is_taken_by_its_digit_and_found_by_its_letter(duel: Chair) -> None:
    names = [c["name"] for c in duel.hall.sees("Mia")["combatants"]]
    duel.press("3", "d", "1")
    first = duel.sent[-1]
    duel.press("3", "d", next(name[0].lower() for name in names if name not in first), "enter")
    assert duel.sent[-1] != first


def test_a_hint_about_the_moment_before_goes_with_it(chair: Chair) -> None:
    chair.send_order("hold")
    assert any("you have nothing to do now" in row for row in chair.press("enter"))
    chair.hall.do("order Bo action=x", "lock")
    shown = chair.press()
    assert not any("nothing waits" in row for row in shown)
    assert any("[r]" in row for row in shown)
    refused = chair.press("R", "9", "9", "enter")
    assert any("refused" in row for row in refused)
    chair.hall.do("roll Bo")
    assert any("refused" in row for row in chair.press()), "a refusal stays until it is read"


def test_what_is_written_can_be_hidden_and_shown_without_opening_it(chair: Chair) -> None:
    chair.send_order("hold")
    assert any("hold" in row for row in chair.press())
    hidden = chair.press("ctrl+t")
    assert not any("hold" in row for row in hidden)
    assert any("your order, Ana: unseen" in row for row in hidden)
    assert any("hold" in row for row in chair.press("ctrl+t"))


def test_a_roll_is_asked_for_with_its_reason_and_a_condition_shows_its_dc(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "classic")
    hall.do("add Ana owner=Mia hp=20", "add Orc hp=5", "begin", "roll Ana 20", "roll Orc 1")
    hall.do("condition Ana frightened save=wis dc=15", "next", "next")
    chair = Chair(hall)
    shown = [words(row) for row in chair.seating.rows(80, 24)]
    assert any("[r] roll d20: Ana owes a save against frightened: DC 15 wis" in row for row in shown)
    assert any("frightened dc15" in row for row in shown)
    assert "R faces" in shown[-1]
    hall.close()


def test_a_switch_says_what_it_gives_up_and_tab_gives_up_something_else(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "dynamic")
    hall.do("add Fay owner=Mia hp=9", "add Ogre hp=9 size=large", "begin", "order Fay weapon=1d8 move=yes")
    hall.do("roll Fay 1 1", "roll Ogre 9", "next")
    chair = Chair(hall)

    def pressed(*keys: str) -> str:
        chair.press(*keys)
        return "\n".join(words(row) for row in chair.seating.rows(80, 24))

    shown = pressed("s")
    assert "gives up: the same kind, or the first" in shown
    assert "Fay gives up weapon 1d8 for other action: 2 + 6 = 8, first" in shown
    assert "Left/Right changes it  Tab gives up" in shown
    # A row for each kind, as in the game master's menu; a weapon is one that she might have.
    assert "1d10" in shown
    titles = [shown, *(pressed("tab") for _ in range(3))]
    assert len(set(titles)) == 4
    assert "gives up: move" in titles[2]
    assert "gives up: nothing, it is added" in titles[3]
    assert pressed("tab") == shown
    # The rows are sorted anew, and the focus stays on the same one.
    focused = [
        next(row for row in pressed(key).split("\n") if row[:1] == ">") for key in ("down", *4 * ["tab"])
    ]
    assert {row[:9] for row in focused} == {"> spell, "}, focused
    pressed("escape", "s", "tab", "tab", "enter")
    assert hall.store.encounter.orders["c1"].keys() == {"weapon", "action"}
    hall.close()


def test_faces_are_given_for_any_roll_that_is_owed(pair: Chair) -> None:
    pair.hall.do("order Ana action=a", "order Alf action=b", "order Bo action=c", "lock")
    pair.press()
    assert any("faces of d20 for Ana" in row for row in pair.press("R"))
    shown = pair.press("tab")
    assert any("faces of d20 for Alf" in row for row in shown)
    assert "Tab next roll" in shown[-1]
    assert any("faces of d20 for Ana" in row for row in pair.press("tab"))
    shown = pair.press("shift+tab", "1", "7", "enter")
    assert any("Alf rolls 17 at the table" in row for row in shown)
    assert "Tab" not in pair.press("R")[-1]
    pair.hall.do("roll Ana 5")
    shown = pair.press("9")
    assert any("Alf rolls" not in row and "Ana rolls 5 at the table" in row for row in shown)
    assert any("what you typed is not sent" in row for row in shown)
    sent = len(pair.sent)
    pair.press("r", "enter")
    assert len(pair.sent) == sent


def test_a_refusal_goes_with_its_turn_and_the_line_stays(pair: Chair) -> None:
    pair.hall.do("order Ana action=a", "order Alf action=b", "order Bo action=c", "lock")
    pair.press(":")
    pair.type("react Ana with hit")
    shown = pair.press("enter")
    assert any("nothing can be reacted to yet" in row for row in shown)
    for call in pair.loop.calls:
        call()  # it can be read by now
    pair.hall.do("roll Alf 3")
    assert any("nothing can be reacted to yet" in row for row in pair.press())
    pair.hall.do("roll")
    shown = pair.press()
    assert not any("nothing can be reacted" in row for row in shown)
    assert any(":react Ana with hit" in row for row in shown)


def test_a_key_of_turns_says_when_nothing_is_offered(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "unbound")
    hall.do("add Ana owner=Mia hp=9", "add 4 Orc side=dark hp=9", "begin", "roll Ana 3", "roll dark 9")
    chair = Chair(hall)
    for key, said in (
        ("n", "no turn is yours to"),
        ("p", "no pass is offered"),
        ("e", "no turn is yours to end"),
    ):
        assert any(said in row for row in chair.press(key))
    assert dict(chair.seating.look.keys)["e"] == "ends your turn, if the rules leave it to you"
    hall.do('turn "Orc 1"', "end")
    assert any("[p] pass" in row for row in chair.press("x"))
    assert any("The heroes pass" in row for row in chair.press("p"))
    hall.close()


def test_who_resolves_reads_the_keys_of_it_in_80_columns(duel: Chair) -> None:
    duel.hall.do('order Ana action="a or else b" ready=c', "order Bo action=b", "lock", "roll Ana 9")
    duel.hall.do("roll Bo 12", "ok", "next")
    duel.press()
    hints = words(duel.seating.rows(80, HEIGHT)[-1])
    assert [x for x in hints.split() if len(x) == 1] == ["d", "+", "c", "x", "f", "u", "E", "?"]


def test_players_without_a_gm_are_told_when_one_side_is_left_and_end_it_together(duel: Chair) -> None:
    duel.hall.do("order Ana action=a", "order Bo action=b", "lock", "roll Ana 9", "roll Bo 12", "ok", "next")
    assert not any("finish" in row for row in duel.press())
    duel.hall.do("out Bo")
    shown = duel.press()
    assert any("only red left: `finish` ends the fight" in row for row in shown)
    assert any("waits for Jon to agree" in row for row in duel.press("Q"))
    duel.hall.send("Jon", "finish")
    shown = duel.press()
    assert any("No fight is running" in row for row in shown)
    assert not any("[n]" in row for row in shown), "one side alone begins no fight by Enter"
    duel.hall.do("back Bo")
    assert any("[n] begin the fight" in row for row in duel.press())
    assert any("write the order of Ana" in row for row in duel.press("n"))


def test_what_is_long_is_read_whole_or_shows_that_it_goes_on(tmp_path: Path, duel: Chair) -> None:
    hall = Hall(tmp_path / "other", "dungeon-track")
    hall.do("add Ana owner=Mia per=2 int=2 hp=9", "add Bat per=2 int=2 hp=9", "begin", "meet Ana")
    chair = Chair(hall)
    for height, least in ((HEIGHT, 2), (4, 1)):
        rows = [words(row) for row in chair.seating.rows(WIDTH, height)]
        (at,) = [i for i, row in enumerate(rows) if "[r]" in row]
        assert " ".join(row.strip() for row in rows[at : at + least]).endswith(
            "against Bat (the most perceptive)" if least > 1 else UNICODE.ellipsis
        )
    hall.close()
    duel.press(":")
    duel.type("hide Ana")
    shown = duel.press("enter")
    (at,) = [i for i, row in enumerate(shown) if "refused: hide is not sent" in row]
    assert shown[at + 2].endswith(UNICODE.ellipsis), "three rows are not enough, and the last says so"


def test_the_help_names_the_keys_of_the_seat_and_is_read_whole(duel: Chair) -> None:
    duel.hall.do("lock missing=empty", "roll Ana 9", "roll Bo 12", "ok", "next")
    seen = {row.strip() for row in duel.press("?")}
    for _ in range(40):
        shown = duel.press("j")
        assert len(shown) == HEIGHT
        seen |= {row.strip() for row in shown}
    said = " ".join(seen)
    for told in ("writes an order", "undoes a step", "uses the alternative of a part", "at 0, or out of"):
        assert told in said
    assert "Nothing here changes the fight" not in said
    assert shown[-2].strip() or shown[-3].strip()  # the last row of the page is on the screen
    duel.press("?")
    assert any("Track" in row for row in duel.press())


def test_a_line_that_cannot_be_sent_comes_back_with_what_was_to_follow_it(pair: Chair) -> None:
    pair.full = True
    shown = pair.send_order("over the wall")
    assert any("not sent: No space left on device" in row for row in shown)
    assert any("over the wall" in row for row in shown)  # the form is there again
    pair.full = False
    pair.press("enter")
    assert pair.hall.store.encounter.orders["c1"] == {"movement": "over the wall"}


def test_while_nobody_writes_lines_wait_and_it_is_said(pair: Chair) -> None:
    pair.deaf = True
    assert any("sent, not answered yet" in row for row in pair.send_order("left"))
    assert any("sent as soon as the line before it is answered" in row for row in pair.send_order("right"))
    assert pair.sent == ["order Ana movement=left"]
    assert pair.drafts["order Alf"]  # for whoever leaves now


def test_a_player_to_whom_nobody_belongs_is_told_who_can_change_that(chair: Chair) -> None:
    chair.hall.do("set Ana owner=Pia")
    assert any("no creature in this fight is Mia's: ask the game master" in row for row in chair.press())


def test_an_empty_part_says_what_goes_into_it(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "dynamic")
    hall.do("add Fay owner=Mia hp=9", "add Ogre hp=9", "begin")
    chair = Chair(hall)
    assert any("its dice: 1d8" in row for row in chair.press("o"))
    assert chair.pointed.strip() == "its dice: 1d8; several with commas"
    assert not any("its dice" in row for row in chair.type("1"))
    assert any("0 for a cantrip" in row for row in chair.press("tab"))
    chair.press("shift+tab", "enter", "o")
    assert any("its dice" in row for row in chair.press("ctrl+u"))  # written anew
    hall.close()


@pytest.fixture
def faction(tmp_path: Path) -> Iterator[Chair]:
    hall = Hall(tmp_path, "unbound")
    hall.do(
        "add Ana owner=Mia hp=9 side=heroes",
        "add Bo side=heroes hp=9",
        *(f"add Orc{n} side=dark" for n in range(5)),
        "begin",
    )
    hall.do("roll heroes 12", "roll dark 3")
    yield Chair(hall)
    hall.close()


def test_whoever_sits_there_chooses_for_the_side_passes_and_ends_by_keys(faction: Chair) -> None:
    shown = "\n".join(faction.press("?", "?"))
    assert "[n] choose who acts: Ana or Bo" in shown
    assert "[p] pass" in shown
    faction.press("n", "down", "enter")
    assert faction.hall.store.table().acting == "Bo"
    shown = "\n".join(faction.press("enter"))
    assert faction.hall.store.table().acting == "Bo", "a second Enter ends nothing"
    assert "e ends the turn" in shown
    faction.press("e")
    assert faction.hall.store.table().acting == ""
    faction.hall.do("turn Orc0", "end")
    faction.seating.news()
    faction.press("p")
    assert faction.sent == ["turn Bo", "end", "pass"]
    assert faction.hall.store.table().offer.chooser == "dark"


def test_the_log_says_who_wrote_an_order_again(chair: Chair) -> None:
    store = chair.hall.store
    chair.send_order("hold")
    chair.press("o", "end")
    chair.type(" the door")
    chair.press("enter")
    assert store.encounter.orders["c1"] == {"movement": "hold the door"}
    chair.hall.do("order Ana movement=away")
    told = [m.text for m in store.messages(store.step, viewer_of("Mia"))]
    assert told == ["The GM rewrote Ana's order"]
    assert not any("GM" in m.text for m in store.messages(store.step - 1, viewer_of("Mia")))


WRITTEN = (
    {"movement": "to the altar", "reaction": "orc near => kick", "ready": "when wolf near => bite"},
    {"action": "hit if near"},
    {"reaction": "x => y", "bonus": "sing"},
)


def test_until_its_turn_a_masked_order_is_nowhere_on_the_screen(tmp_path: Path) -> None:
    """The order, its warnings, its reactions on the board and among the choices: all look like any other."""

    def pictures(number: int, text: dict[str, str]) -> list[list[str]]:
        folder = tmp_path / str(number)
        folder.mkdir()
        hall = Hall(folder)
        hall.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9 side=dark", "begin")
        chair = Chair(hall)
        result = [chair.press(), chair.press("o", "ctrl+t")]
        for field in ("movement", "action", "bonus", "object", "reaction", "reaction2", "ready"):
            chair.type(text.get(field, ""))
            result.append(chair.press("tab"))
        result += [chair.press("enter"), chair.press("o"), chair.press("escape")]
        for line in ("order Bo", "lock", "roll Bo 12", "roll Ana 9", "ok", "next"):
            hall.do(line)
            result += [chair.press(), chair.press("f"), chair.press("escape")]
        hall.close()
        return result

    shown = [pictures(number, text) for number, text in enumerate(WRITTEN)]
    assert shown[0] == shown[1] == shown[2]
    assert any("your reactions: unseen" in row for picture in shown[0] for row in picture)
    assert any("Ana  unseen" in row for picture in shown[0] for row in picture)


@pytest.mark.parametrize("typed", ["62", "6 2", "6,2"])
def test_faces_of_two_dice_may_be_typed_without_a_gap(tmp_path: Path, typed: str) -> None:
    hall = Hall(tmp_path, "dungeon-universalis")
    hall.do("add Ana owner=Mia hp=9 per=3 int=3", "add Orc hp=9 side=dark per=1 int=2", "begin", "meet Ana")
    chair = Chair(hall)
    chair.press("R")
    chair.type(typed)
    chair.press("enter")
    assert chair.sent[-1] == "roll Ana 6 2"
    assert any("Ana rolls 11 (6+2+3)" in m.text for m in hall.store.messages(hall.store.step))
    hall.close()


def test_cards_are_dealt_at_a_seat_not_typed(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "cards")
    hall.do("add Ana owner=Mia hp=9", "add Orc hp=9", "add Imp hp=9 hidden=yes", "begin", "roll Imp joker")
    chair = Chair(hall)
    shown = [words(row) for row in chair.seating.rows(80, 24)]
    assert any("You draw: a card for Ana" in row for row in shown)
    assert "R faces" not in shown[-1]
    assert any("r lets the app deal a card" in row for row in chair.press("R"))
    hall.do("roll Orc 10h")
    chair.press("r")
    assert chair.sent[-1] == "roll Ana"
    shown = chair.press()
    assert any("10♥" in row for row in shown)
    assert not any("joker" in row for row in shown)
    hall.close()


def test_a_reaction_in_own_words_says_how_it_is_written(tmp_path: Path) -> None:
    hall = Hall(tmp_path, "dynamic")
    hall.do("add Ana owner=Mia kind=pc hp=9", "add Bo owner=Mia kind=pc hp=9", "add Orc hp=9", "begin")
    hall.do("order Ana weapon=1d4", "order Bo weapon=1d6", "roll Ana 1", "roll Bo 2", "roll Orc 3", "next")
    chair = Chair(hall)
    # Whose, then what: the line shows what follows.
    assert any("Bo" in row for row in chair.press("f"))
    shown = chair.press("down", "enter")
    assert any("react WHO [with TEXT]" in row for row in shown)
    assert any(":react Bo with" in row for row in shown)
    chair.press("enter")
    assert chair.sent == ["react Bo with"]
    assert any(":react Ana with" in row for row in chair.press("f"))
    chair.type("a shield")
    chair.press("enter")
    assert chair.sent[-1] == "react Ana with a shield"
    assert any("no creature of yours has its reaction left" in row for row in chair.press("f"))
    hall.close()


def test_what_is_typed_is_seen_beside_its_refusal_on_the_smallest_screen(chair: Chair) -> None:
    chair.press(":")
    chair.type("damage Orc 3")
    chair.press("enter")
    rows = [words(row) for row in chair.seating.rows(20, 5)]
    assert any(":damage Orc 3" in row for row in rows)
    assert any("refused: damage is" in row for row in rows)
    chair.press("escape")
    chair.hall.do("undo", "begin")
    chair.send_order("up")
    chair.hall.do("undo mine=yes", "begin")
    chair.press("j", "enter", "tab", "y")
    rows = [words(row) for row in chair.seating.rows(20, 5)]
    assert any("the order of Ana" in row for row in rows)
    assert any(row.strip() == "y" for row in rows)


def test_a_key_without_a_meaning_says_so(chair: Chair) -> None:
    assert "d does nothing here: ? shows the keys" in " ".join(chair.press("d"))
    assert "does nothing" not in " ".join(chair.press("j"))
