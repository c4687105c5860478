"""What a page offers is taken, nothing else is, and no refusal tells what its player may not know."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from tests.core.views.room import line_of
from tests.kit.table import Table
from tests.kit.tiers import cases, third_of
from tests.kit.two_fights import UNLIKE, Differs, policy
from tests.serve.room import KINDS, PageRoom, offered_lines
from tui.core.fight.viewer import viewer_of
from tui.core.page import Offers
from tui.core.views.offers import offers_for
from tui.serve.judge import Judged, PageJudge
from tui.serve.letter import LineReply, Posted, SentLine
from tui.store.problems import NotSaved

ROOMS = [pytest.param(x, o, id=f"{x} {'duel' if o else ''}".strip()) for x, o in KINDS]
UNSEEN = ("that cannot be done now", "the GM goes on first")
"""The answers to lines that the page offers while something unseen is in the way."""

OPEN_TO_NOBODY = {
    "add", "set", "remove", "rename", "alias", "group", "hide", "reveal", "begin", "finish", "next", "lock",
    "ok", "undo", "redo", "goto", "option", "system", "note", "area", "condition", "clear", "out", "back",
    "stable", "rest", "hold", "act", "move", "attack", "save", "load", "party", "dice", "apply", "skip",
}  # fmt: skip
"""Verbs that no page offers."""


def send(judge: PageJudge, line: str, *, id_: str = "", name: str = "Mia", moment: int = 1) -> LineReply:
    """Return the answer to a line of a player."""
    send.count += 1  # type: ignore[attr-defined]
    id_ = id_ or f"line-{send.count:08}"  # type: ignore[attr-defined]
    return judge.judge(SentLine(name.lower(), "key", Posted(id_, moment, line), lambda _: None), name).reply


send.count = 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(("system", "options"), third_of(ROOMS, 0))
@cases(10)
@given(seed=st.integers(0, 10**6), points=st.booleans())
def test_what_a_page_offers_is_taken_and_other_verbs_are_not(
    system: str, options: dict[str, str], seed: int, points: bool
) -> None:
    room, chance = PageRoom(system, seed, 1, "Warg", options), Random(seed)
    room.say("count Ana luck 2")
    if points:
        room.say("option players.points=own")
    try:
        for _ in range(10):
            room.stir()
            room.catch_up()
            offers = room.offers
            for line in offered_lines(offers, chance):
                reply = room.send(line)
                assert reply.became == "taken" or reply.why in UNSEEN, (line, reply)
            for _ in range(8):
                line = line_of(chance)
                verb = line.split()[0].lower()
                reply = room.send(line)
                if reply.became == "taken":
                    assert verb in offers.verbs - OPEN_TO_NOBODY, (line, offers.verbs)
                    assert "Bo" not in line, line
            room.say(policy(room.state(), chance))
    except Differs:
        pass


@pytest.mark.parametrize(("system", "options"), third_of(ROOMS, 1))
@cases(10)
@given(seed=st.integers(0, 10**6), unseen=UNLIKE)
def test_a_refusal_says_nothing_of_what_is_not_known(
    system: str, options: dict[str, str], seed: int, unseen: tuple[int, int]
) -> None:
    one = PageRoom(system, seed, unseen[0], "Warg", options)
    two = PageRoom(system, seed + 1, unseen[1], "Worg", options)
    chance = Random(seed)
    try:
        for _ in range(10):
            for fight in (one, two):
                fight.stir()
                fight.catch_up()
            if one.left() != two.left():
                return
            assert one.offers == two.offers
            for _ in range(10):
                line, read = line_of(chance), chance.random() < 0.2
                here, there = one.send(line, read=read), two.send(line, read=read)
                assert "bug" not in here.why + there.why, (line, here, there)
                if here.became == there.became:
                    assert here == there, line
                else:
                    assert {here.why, there.why} & {*UNSEEN}, (line, here, there)
            line = policy(one.state(), chance)
            if one.say(line) != two.say(line):
                return
    except Differs:
        pass


def chaos() -> tuple[Table, PageJudge]:
    table = Table("chaos")
    table.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "add Orc hp=7", "begin")
    return table, PageJudge(table.store)


def offers(table: Table, name: str) -> Offers:
    return offers_for(table.encounter, table.store.system, viewer_of(name))


def test_a_line_runs_once_however_often_it_is_sent_also_after_undo() -> None:
    table, judge = chaos()
    assert send(judge, "order Ana action=run", id_="first-line").became == "taken"
    assert send(judge, "order Ana action=hide", id_="first-line").became == "taken"
    assert table.store.done(5).line == "order Ana action=run"
    assert table.store.step == 5
    again = SentLine("mia", "key", Posted("first-line", 1, "end"), lambda _: None)
    assert judge.judge(again, "Mia").record == table.store.record, "it too is answered from the disk"
    table.do("undo")
    assert send(judge, "order Ana action=run", id_="first-line").became == "taken"
    assert table.store.step == 4
    assert send(judge, "order Bo action=run", id_="first-line", name="Jon").became == "taken"
    assert table.store.step == 5, "an id belongs to its player"


def test_a_refused_line_is_answered_alike_while_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.serve.judge.MOST_REFUSED", 2)
    table, judge = chaos()
    for id_ in ("early-roll-1", "early-roll-2", "early-roll-3"):
        first = send(judge, "roll Ana", id_=id_)
        assert (first.became, first.why) == ("refused", "Ana owes no roll")
    table.do("lock missing=empty")
    for id_ in ("early-roll-2", "early-roll-3"):
        assert send(judge, "roll Ana", id_=id_) == first
    assert send(judge, "roll Bo 4", id_="early-roll-2", name="Jon").became == "taken"
    assert send(judge, "roll Ana 12", id_="early-roll-1").became == "taken"


def test_a_line_that_only_the_page_before_offered_came_too_late() -> None:
    table, judge = chaos()
    judge.showed("mia", 1, offers(table, "Mia"))
    table.do("lock missing=empty")
    judge.showed("mia", 2, offers(table, "Mia"))
    late = send(judge, "order Ana action=run", moment=1)
    assert (late.became, late.why) == ("refused", "the fight has moved on")
    assert send(judge, "order Ana action=run", moment=2).why == "order Ana is not offered to you now"
    assert send(judge, "roll Ana 9", moment=1).became == "taken", "a line is judged by the page of now"


WAIT = "your page says when it is your moment"
FORM = "it has movement, action, bonus, object, reaction, reaction2, ready"
REFUSED = {
    "classic": {
        "roll": "roll: whose dice?; `roll Ana`",
        "roll Orc": "Orc owes no roll; `roll Ana`",
        "roll Ana 21": "21 is not on a d20; Ana owes d20",
        "roll Ana 3 4": "Ana owes d20; give 1 face, not 2",
        "total Ana 9 Orc 3": "Orc owes no roll; `roll Ana`",
        "made Ana": "Ana owes no save; `roll Ana`",
        "failed Bo": "Bo owes no save; `roll Ana`",
        "pick Ana": f"pick Ana is not offered to you now; {WAIT}",
        "turn Ana": f"turn is not offered to you now; {WAIT}",
        "react Orc": 'react is not offered to you now; `react Ana` or `react "Old Bo"`',
        "order Ana action=run": f"order Ana is not offered to you now; {WAIT}",
        "damage Orc 3": 'damage is not offered to you now; `damage Ana 1` or `damage "Old Bo" 1`',
        "heal Ana,Orc 1": 'heal is not offered to you now; `heal Ana 1` or `heal "Old Bo" 1`',
        "damage Ana 1d4": "damage takes a creature of yours and a number here; `damage NAME 5`",
        "damage Ana 3 type=fire": "damage takes a creature of yours and a number here; `damage NAME 5`",
        "temp Ana -1": "temp takes a creature of yours and a number here; `temp NAME 5`",
        "temp Ana 1234567": "temp takes a creature of yours and a number here; `temp NAME 5`",
        "count Ana luck 3 max=9": "count takes a creature of yours and a number here; `count NAME COUNTER 5`",
        "count Orc luck 3": "count is not offered to you now; `count Ana luck 1`",
        "count Ana gold 1": "Ana has no counter gold; it has luck",
        'count "Old Bo" luck 1': "Old Bo has no counter luck; ",
        "undo": f"undo is not offered to you now; {WAIT}",
        "xyzzy": f"unknown word xyzzy; {WAIT}",
        "fire Ana": f"fire belongs to chaos; {WAIT}",
        "roll Ana \x07": "the line contains characters that cannot be shown; write it without them",
    },
    "chaos": {
        "order Ana action=run again=yes zz=1": f"the form has no zz=; {FORM}",
        "order Orc action=run": 'order Orc is not offered to you now; `order Ana` or `order "Old Bo"`',
        "roll Ana": f"Ana owes no roll; {WAIT}",
    },
}


@pytest.mark.parametrize("system", REFUSED)
def test_a_refusal_says_what_is_wrong_and_what_works(system: str) -> None:
    table = Table(system)
    table.do("add Ana owner=Mia hp=9", 'add "Old Bo" owner=Mia,Jon', "add Orc hp=7", "count Ana luck 2")
    table.do("option players.points=own", "begin")
    if system == "classic":
        table.do('total "Old Bo" 4 Orc 3')
    judge, step = PageJudge(table.store), table.store.step
    replies = {line: send(judge, line) for line in REFUSED[system]}
    assert {line: f"{x.why}; {x.hint}" for line, x in replies.items()} == REFUSED[system]
    assert {x.became for x in replies.values()} == {"refused"}
    assert table.store.step == step


FAULT = "a bug in tocsin (KeyError)"


@pytest.mark.parametrize(
    ("error", "judged"),
    [
        (NotSaved("disk full"), Judged(LineReply("again", "not saved: disk full", "send it again"))),
        (KeyError(), Judged(LineReply("refused", FAULT, "nothing has changed"), fault=f"Mia: {FAULT}")),
    ],
)
def test_what_the_program_cannot_do_is_said(
    error: Exception, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **_more: object) -> None:
        raise error

    table, judge = chaos()
    monkeypatch.setattr(table.store, "run", fail)
    assert (
        judge.judge(SentLine("mia", "", Posted("abcdefgh", 1, "order Ana action=x"), print), "Mia") == judged
    )


def test_a_line_with_the_number_of_a_page_that_never_was_is_refused() -> None:
    table, judge = chaos()
    assert send(judge, "order Ana action=run", moment=2**53).became == "refused"
    judge.showed("mia", 7, offers(table, "Mia"))
    never = send(judge, "order Ana action=run", moment=8)
    assert (never.became, never.why) == ("refused", "no page of this fight has that number")
    assert send(judge, "order Ana action=run", moment=7).became == "taken"


def test_everything_wrong_with_an_order_is_read_out_with_its_remedy() -> None:
    _, judge = chaos()
    line = 'order Ana action="if it comes, strike" reaction=hide bonus="a or else b or else c"'
    words = judge.judge(
        SentLine("mia", "key", Posted("read-it-1", 1, line, read=True), print), "Mia"
    ).reply.words
    assert words == {
        "errors": (
            "bonus: more than one 'or else'; one alternative for each component",
            "reaction: no trigger; write TRIGGER => WHAT, or: WHAT if TRIGGER",
        ),
        "warnings": ("action: reads like a condition",),
        "notes": (),
    }
    refused = send(judge, line)
    assert refused.why == "Ana: bonus: more than one 'or else'; reaction: no trigger"
    assert (
        refused.hint == 'one alternative for each component; reaction="an enemy comes adjacent => step back"'
    )


def test_what_an_order_costs_is_read_out_before_it_is_sent() -> None:
    table = Table("dynamic")
    table.do("add Ana owner=Mia hp=9", "add Orc hp=7", "begin")
    judge, step = PageJudge(table.store), table.store.step
    for line, wanted in {
        "order Ana weapon=d8 move=yes": {"errors": (), "warnings": (), "notes": ("pool d8 + d4: 2 to 12",)},
        "order Orc move=yes": {"errors": ("order Orc is not offered to you now",)},
        "order Ana zz=1": {"errors": ("the form has no zz=",)},
        "damage Ana 3": UNSET,
    }.items():
        letter = SentLine("mia", "key", Posted("read-it-1", 1, line, read=True), print)
        assert judge.judge(letter, "Mia").reply.words == wanted, line
    assert table.store.step == step


def test_a_number_for_one_roll_is_never_taken_for_another() -> None:
    table = Table("classic")
    table.do("add Ana owner=Mia hp=9 con=2", "add Cy owner=Mia", "add Orc hp=7", "begin")
    judge = PageJudge(table.store)
    judge.showed("mia", 1, offers(table, "Mia"))
    table.do("total Ana 17 Cy 12 Orc 3", "area Ana damage=3 dc=12 save=dex")
    judge.showed("mia", 2, offers(table, "Mia"))
    assert send(judge, "total Ana 17", moment=1).why == "the fight has moved on"
    assert send(judge, "total Ana 17", moment=2).became == "taken"
    table.do("next")
    judge.showed("mia", 3, offers(table, "Mia"))
    table.do("next")
    judge.showed("mia", 4, offers(table, "Mia"))
    for moment, became in ((3, "refused"), (4, "taken")):  # nor an end of one turn for that of the next
        assert send(judge, "end", moment=moment).became == became


def test_an_end_that_the_page_offers_when_the_turn_is_over_is_written_and_changes_nothing() -> None:
    table = Table("classic")
    table.do("add Ana owner=Mia hp=9", "add Lurk hp=7 hidden=yes", "begin", "total Ana 17 Lurk 3", "next")
    store, judge, mia = table.store, PageJudge(table.store), viewer_of("Mia")
    assert send(judge, "end", id_="own-end-line").became == "taken"
    table.do("next", "damage Ana 4")
    shown = store.table(mia)
    assert (shown.acting, shown.combatants[0].hp) == ("Ana", 5), "wounds are shown at once, turns are not"
    assert "Ana's turn ends" not in [x for moment in store.heard(mia, 9) for x in moment.text]
    at = store.step
    assert send(judge, "end", id_="late-line-1").became == "taken"
    assert (store.step, table.encounter.acting) == (at, "c2")
    assert "Mia: end (Ana's turn was over)" in [x.text for x in store.messages(at)]

    def mine() -> list[str]:
        found = store.table(mia).mine
        assert found
        return [x.id for x in found.lines]

    table.do("note the wind howls")
    assert mine() == ["own-end-line", "late-line-1"]
    table.do("next")
    assert mine() == ["own-end-line"], "the marker has moved"
    table.do("undo 2")
    assert (store.table(mia).acting, store.step) == ("Ana", at), "undo passes over it"


def test_a_side_is_done_when_all_who_are_left_of_it_are_the_players() -> None:
    table = Table("side-initiative")
    table.do("add Ana owner=Mia", "add Bo owner=Jon", "add Orc", "begin", "roll heroes 6", "roll dark 1")
    judge = PageJudge(table.store)
    for line in ("end", "done"):
        assert send(judge, line).why == f"{line} is not offered to you now"
    table.do("turn Bo", "end")
    assert send(judge, "done").became == "taken"


def test_an_end_waits_while_a_turn_that_is_not_seen_interrupts() -> None:
    table = Table("classic")
    table.do("add Ana owner=Mia hp=9", "add Lurk hp=7 hidden=yes", "begin", "total Ana 7 Lurk 13", "next")
    table.do("hold Lurk", "next", "act Lurk")
    judge = PageJudge(table.store)
    assert table.store.table(viewer_of("Mia")).acting == "Ana"
    assert send(judge, "end", id_="end-line-1").became == "again"
    table.do("end")
    assert send(judge, "end", id_="end-line-1").became == "taken"


def test_what_a_side_may_do_waits_while_somebody_unseen_of_it_acts() -> None:
    side = ["add Ana owner=Mia", "add Lurk side=heroes hidden=yes", "add 9 Orc", "begin"]
    table, other = Table("side-initiative"), Table("unbound")
    table.do(*side, "roll heroes 6", "roll dark 1", "turn Lurk")
    judge = PageJudge(table.store)
    for line in ("turn Ana", "done", "end"):
        assert send(judge, line, id_=f"line-{line[:4].strip()}").became == "again", line
    table.do("end")
    assert send(judge, "end", id_="line-end").became == "taken"
    assert table.store.system.turn_side(table.encounter) == "dark"
    other.do(*side, "total heroes 9 dark 1", "turn Lurk")
    assert send(PageJudge(other.store), "pass").became == "taken"
    assert "Mia: pass (The heroes' turn was over)" in [x.text for x in other.store.messages(other.store.step)]


def test_each_player_of_a_creature_writes_its_order_and_the_later_one_counts() -> None:
    table = Table("chaos")
    table.do("add Bear owner=Mia,Jon hp=9 hidden=yes", "add Orc hp=7", "begin")
    judge = PageJudge(table.store)
    for name, action in (("Mia", "bite"), ("Jon", "growl"), ("Mia", "claw"), ("jon", "roar")):
        assert send(judge, f"order Bear action={action}", name=name).became == "taken"
    for name in ("Mia", "Jon"):
        state = table.state(name)
        assert [c["owners"] for c in state["combatants"] if c["name"] == "Bear"] == [["Mia", "Jon"]]
        assert [o["text"] for o in state["orders"] if o["who"] == "Bear"] == [{"action": "roar"}]
    assert send(judge, "order Bear action=run", name="Kim").became == "refused"
    assert [c["name"] for c in table.state("Kim")["combatants"]] == ["Orc"]
    assert table.state()["orders"][0]["text"] == {"action": "roar"}
    table.do("lock missing=empty", "set Bear owner=Jon")
    assert send(judge, "roll Bear", name="Mia").became == "refused"


def test_own_lines_that_count_are_listed_and_those_taken_back_are_not() -> None:
    table, judge = chaos()
    send(judge, 'order Ana action=run reaction="it comes => hide"', id_="order-one")
    send(judge, "order Bo action=run", id_="order-two", name="Jon")
    mine = table.store.table(viewer_of("Mia")).mine
    assert mine
    assert [(x.id, x.who, x.text) for x in mine.lines] == [
        ("order-one", "Ana", {"action": "run", "reaction": "it comes => hide"})
    ]
    table.do("undo 2")
    gone = table.store.table(viewer_of("Mia")).mine
    assert gone
    assert gone.lines == ()
