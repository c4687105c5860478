"""What a player may send from a seat, and in which words all else is refused; a fight without files."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.core.views.moments import duel, moment
from tests.kit.table import Table
from tui.core.fight.standpoint import Standpoint, roll_fingerprint
from tui.store.seats.inbox import Reply, SeatAnswer
from tui.store.seats.intake import Judge


def send(t: Table, player: str, line: str, saw: Standpoint | None = None) -> Reply:
    """What a player is answered to a line."""
    saw = moment(t, player) if saw is None else saw
    return Judge(t.store).hear(SeatAnswer(t.store.name, player, 1, saw, line, "", 1), f"{player} 1").reply


def turns(system: str = "classic") -> Table:
    """Ana, Mia's, acts first; then Bo, Jon's, and an orc."""
    t = Table(system)
    t.do("add Ana owner=Mia hp=20", "add Bo owner=Jon hp=20", "add Orc hp=9", "begin")
    if system == "classic":
        t.do("roll", dice=[20, 15, 5])
        t.do("next")
    return t


def test_a_line_that_was_sent_in_one_turn_does_nothing_in_the_next() -> None:
    t = turns()
    then = moment(t, "Mia")
    t.do("next")
    assert send(t, "Mia", "end", then).why == "Ana acted when you sent that; Bo acts now"
    t.do("end")
    assert send(t, "Mia", "turn Ana", then).why == "Ana acted when you sent that; nobody acts now"
    between = moment(t, "Mia")
    t.do("next")
    assert send(t, "Mia", "end", between).why == "nobody acted when you sent that; Orc acts now"


@pytest.mark.parametrize(
    "line",
    ["order Ana action=x", "react Ana", "total Ana 5", "made Ana", "failed Ana", "turn Ana", "pass", "end"],
)
def test_a_line_of_a_player_that_was_sent_in_another_round_is_late(line: str) -> None:
    t = turns()
    before, late = t.encounter, replace(moment(t, "Mia"), round=9)
    reply = send(t, "Mia", line, late)
    assert (reply.became, reply.why) == ("refused", "that was for round 9; it is round 1 now")
    assert t.encounter is before


@pytest.mark.parametrize(
    "line",
    [
        "fire Bruno", "else Ana action", "target Ana among=Bruno", "damage Bruno 4", "next", "end",
        "area Bruno damage=2", "temp Ana 3", "begin", "ok", "finish",
    ],
)  # fmt: skip
def test_without_a_gm_too_a_line_that_was_sent_in_another_round_is_late(line: str) -> None:
    t = duel()
    before, late = t.encounter, replace(moment(t, "Jon"), round=9)
    reply = send(t, "Jon", line, late)
    assert (reply.became, reply.why) == ("refused", "that was for round 9; it is round 1 now")
    assert t.encounter is before
    assert send(t, "Jon", "undo", late).became != "refused", "what was last done may be undone at any time"


def test_a_player_of_nobody_is_told_who_can_change_that() -> None:
    t = turns()
    reply = send(t, "Lia", "order Ana action=x")
    assert (reply.why, reply.hint) == (
        "Ana is not yours",
        "no creature here is yours: ask the GM which one you play",
    )
    assert send(t, "Lia", "turn Ana").why == "turn is not sent from a player's seat"


def test_without_a_gm_whoever_resolves_says_names_as_they_are_read() -> None:
    t = duel()
    assert t.state("Jon")["acting"] == "Ana"
    assert send(t, "Mia", "damage Bruno 4").why == "the turn of Ana is not yours to resolve"
    assert send(t, "Jon", "damage Bruno 4").became == "taken"
    assert send(t, "Jon", "condition Ana prone of=Bruno").became == "taken"
    assert send(t, "Jon", "target Ana among=Bruno").became == "taken"
    bo = t.encounter.combatants["c2"]
    assert bo.hp == 5
    assert t.encounter.combatants["c1"].conditions[0].of == bo.id


def test_without_a_gm_everybody_who_plays_may_damage_many() -> None:
    t = duel()
    assert send(t, "Mia", "area Bruno damage=2").became == "taken"
    assert send(t, "Mia", "temp Ana 3").became == "taken"
    assert send(t, "Lia", "temp Ana 3").why == "nobody here is Lia's"
    assert send(t, "Jon", "next 2").why == "a seat starts one turn at a time"
    assert send(t, "Jon", "undo 2").why == "a seat undoes one step at a time"
    reply = send(t, "Jon", "rest long")
    assert reply.hint == (
        "you may send order, roll, total, made, failed, react, fire, begin, ok, area, temp, apply, skip, "
        "undo, finish "
        "(in a turn that you resolve, also next, damage and such lines); the rest is for the host"
    )
    assert t.encounter.combatants["c2"].hp == 7


@pytest.mark.parametrize(
    "line",
    [
        "damage Ana 2", "heal Ana 1", "condition Ana prone", "clear Ana prone", "out Ana", "stable Ana",
        "end", "else Ana action", "target Ana among=Bruno", 'redirect Ana melee="Bruno:1"', "next",
    ],
)  # fmt: skip
def test_without_a_gm_all_that_a_turn_needs_is_sent_by_its_resolver_and_by_no_other(line: str) -> None:
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("option zero.pc=dying", "add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue")
    t.do("alias Bo Bruno", "begin")
    t.do('order Ana action="a or else b"', "order Bo action=b", "lock", "roll Ana 15", "roll Bo 5", "ok")
    t.do("next", "condition Ana prone", "damage Ana 9" if line.startswith("stable") else "damage Ana 1")
    assert send(t, "Mia", line).why == "the turn of Ana is not yours to resolve"
    before = t.encounter
    assert send(t, "Jon", line).became == "taken"
    assert t.encounter is not before


def test_a_side_or_group_of_ones_own_that_owes_nothing_is_told_so() -> None:
    t = Table("unbound")
    t.do("add Ana owner=Mia", "add Orc side=dark", "add Imp side=dark", "begin")
    t.do("roll", dice=[9, 3])
    reply = send(t, "Mia", "roll heroes 5")
    assert (reply.why, reply.hint) == ("heroes owe no roll", "no roll of yours is due")
    assert send(t, "Mia", "roll dark 5").why == send(t, "Mia", "roll cold 5").why.replace("cold", "dark")
    t = Table("classic")
    t.do("add 2 Cat owner=Mia group=Cats", "add Orc", "begin")
    t.do("roll Cats 5")
    assert send(t, "Mia", "roll cats 5").why == "Cats owe no roll"


def test_a_roll_of_a_whole_side_is_thrown_by_one_of_it() -> None:
    t = Table("unbound")
    t.do("add Ana owner=Mia", "add Orc side=dark", "begin")
    due = t.state("Mia")["due"][0]
    saw = replace(moment(t, "Mia"), due=roll_fingerprint(due["who"], due["dice"], due["rule"]))
    assert send(t, "Mia", "roll Orc 5", saw).why == "Orc is not yours"
    assert send(t, "Mia", "roll Ana 5", saw).became == "taken"


def test_unb_a_pass_is_sent_by_whom_it_is_offered_to_and_by_nobody_else() -> None:
    t = Table("unbound")
    t.do("add Boss side=b owner=Mia", "add 3 Orc side=a owner=Jon", "add 2 Elf side=c", "begin")
    t.do("roll b 12", "roll a 6", "roll c 3")
    refused = send(t, "Jon", "pass")
    assert (refused.became, refused.why) == ("refused", "no pass is offered to you now")
    assert send(t, "Mia", "pass").became == "taken"
    assert [t.state("Jon")["offer"]["chooser"], t.state()["offer"]["chooser"]] == ["a", "a"]
    refused = send(t, "Mia", "pass")
    assert (refused.became, refused.why) == ("refused", "no pass is offered to you now")
