"""What becomes of a player's line before the rules decide it: the same by true names, or a refusal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.core.views.test_rights import duel, moment
from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.standpoint import Standpoint, owed
from tui.core.fight.viewer import viewer_of
from tui.core.language.grammar import parse
from tui.core.language.grammar import words as written
from tui.core.views.rights import allowed, may_end, open_acts, translated
from tui.core.views.seen import seen

TAKEN = ""
"""The line stays as it was written."""

LED = "order, roll, total, made, failed, react, turn, pass, end; the rest is for the GM"
SWITCHING = "order, roll, total, made, failed, react, turn, pass, end, switch; the rest is for the GM"
TABLE = (
    "order, roll, total, made, failed, react, fire, begin, ok, area, temp, apply, skip, undo, finish, "
    "in a turn that you resolve also next, damage and the like; the rest is for the host"
)
JONS = "! the turn of Ana is not yours to resolve | Jon does it: `next` there begins and ends it"


def cats() -> Table:
    """Before the first roll: two Cats and Ana, Mia's, and Bo, Jon's, who is read as Bruno."""
    t = Table("classic")
    t.do("add 2 Cat owner=Mia group=Cats", "add Ana owner=Mia", "add Bo owner=Jon", "alias Bo Bruno")
    t.do("add 2 Imp group=Imps side=dark", "begin")
    return t


def cats_first() -> Table:
    """The Cats are next, then Ana."""
    t = cats()
    t.do("roll Cats 20", "roll Ana 10", "roll Bo 8", "roll Imps 5")
    return t


def between() -> Table:
    """After Ana's turn, where Mia carries out the next."""
    t = duel()
    t.do("end")
    return t


def turn_of_bo() -> Table:
    """Bo's turn, which Mia carries out."""
    t = between()
    t.do("next")
    return t


def five() -> Table:
    """A side of five that goes first."""
    t = Table("unbound")
    t.do("add 5 Ana owner=Mia", "add Orc side=dark", "begin")
    t.do("roll", dice=[9, 3])
    return t


def few() -> Table:
    """A side that goes first, and may pass because it is the smaller one."""
    t = Table("unbound")
    t.do("add Ana owner=Mia", "add 3 Orc side=dark", "begin")
    t.do("roll", dice=[9, 3])
    return t


def sides() -> Table:
    """The heroes choose who of them goes; the Dog has no player."""
    t = Table("unbound")
    t.do(
        "add Ana owner=Mia",
        "add Bo owner=Jon",
        "add Dog side=heroes",
        "add Orc side=dark",
        "add Imp side=dark",
    )
    t.do("begin")
    t.do("roll", dice=[9, 3])
    return t


def dog() -> Table:
    """The Dog's turn."""
    t = sides()
    t.do("turn Dog")
    return t


def orc() -> Table:
    """The turn of a foe."""
    t = sides()
    t.do("turn Ana", "end", "turn Orc")
    return t


def pcs() -> Table:
    """While orders are written."""
    t = Table("dynamic")
    t.do("add Ana owner=Mia", "add Bo owner=Jon", "add Orc", "begin")
    return t


FIGHTS: dict[str, Callable[[], Table]] = {
    "cats": cats, "duel": duel, "between": between, "sides": sides, "dog": dog, "orc": orc, "pcs": pcs,
    "turn of Bo": turn_of_bo, "five": five, "few": few, "cats first": cats_first,
}  # fmt: skip

LINES: dict[tuple[str, str], dict[str, str]] = {
    ("turn of Bo", "Mia"): {"else Bruno action": "else Bo action"},
    ("five", "Mia"): {
        "turn Orc": '! Orc cannot act now | `turn "Ana 1"` or `turn "Ana 2"` or `turn "Ana 3"` or 2 more',
    },
    ("few", "Mia"): {
        "pass": TAKEN,
        'turn "Orc 1"': "! Orc 1 cannot act now | `turn Ana` or `pass`",
        "total Ana 5": "! Ana owes no roll | no roll of yours is due",
    },
    ("cats", "Mia"): {
        "order Cats x=1": TAKEN,
        "order Imps x=1": '! Imps are not yours | yours: "Cat 1", "Cat 2", Ana',
        "roll Cats 5": TAKEN,
        "roll Cats": TAKEN,
        "roll cat 5": "roll Cats 5",
        "roll Imps 5": '! Imps are not yours | yours: "Cat 1", "Cat 2", Ana',
        "roll Bruno 5": '! Bruno is not yours | yours: "Cat 1", "Cat 2", Ana',
        "roll 3": '! no combatant is called "3" | there are: Cat 1, Cat 2, Ana, Bruno, Imp 1, Imp 2',
        "total Ana 5": TAKEN,
        "total Ana 5 Cats 6": TAKEN,
        "total Bruno 5": '! Bruno is not yours | yours: "Cat 1", "Cat 2", Ana',
        "made Ana": "! Ana owes no save | `roll Cats`, then Ana",
        "react Ana": TAKEN,
        "react Cats": '! "Cats" names 2 creatures | name one: Cat 1, Cat 2',
        "react Bruno": '! Bruno is not yours | yours: "Cat 1", "Cat 2", Ana',
        "roll Cats 21": "! 21 is not on a d20 | Cats owe d20",
        "roll ana 5": "roll Ana 5",
        "undo": LED,
        "damage Bruno 3": LED,
    },
    ("cats", "Jon"): {
        "roll Bruno 4": "roll Bo 4",
        "roll Bo 4": '! no combatant is called "Bo" | there are: Cat 1, Cat 2, Ana, Bruno, Imp 1, Imp 2',
        "total Bruno 4": "total Bo 4",
        "react Bruno": "react Bo",
        "roll": "! roll: whose dice? | `roll Bruno`",
    },
    ("cats", "Lia"): {
        "roll Ana 3": "! Ana is not yours | nobody here is yours: ask the GM who you play",
        "react Ana": "! Ana is not yours | nobody here is yours: ask the GM who you play",
    },
    ("duel", "Mia"): {
        "fire Ana": TAKEN,
        "fire Bruno": "! Bruno is not yours | yours: Ana",
        "fire": TABLE,
        "else Ana action": JONS,
        "damage Bruno 2": JONS,
        "end": JONS,
        "next": JONS,
        "order Ana action=x": TAKEN,
        "undo": TAKEN,
        "undo 2": "! from seats one step is undone at a time | `undo`",
        "ok": TAKEN,
        "finish": TAKEN,
        "begin": TAKEN,
    },
    ("duel", "Jon"): {
        "fire Bruno": "fire Bo",
        "fire Bruno now": "fire Bo now",
        "else Ana action": TAKEN,
        "target Ana among=Bruno": "target Ana among=Bo",
        'redirect Ana melee="Bruno:1"': "redirect Ana melee=Bruno:1",
        "damage Bruno 2": "damage Bo 2",
        "damage Ana,Bruno 2": "damage Ana,Bo 2",
        "temp Bruno 3": "temp Bo 3",
        "area Bruno,Ana damage=2": "area Bo,Ana damage=2",
        "next": TAKEN,
        "next 2": "! from a seat one turn follows the other | `next`",
        "end": TAKEN,
        "turn Ana": TABLE,
        "pass": TABLE,
        "condition Ana prone of=Bruno": "condition Ana prone of=Bo",
        "heal Bo 1": '! no combatant is called "Bo" | there are: Ana, Bruno',
    },
    ("duel", "Lia"): {
        "damage Ana 1": TABLE,
        "else Ana action": TABLE,
        "fire Ana": "! Ana is not yours | nobody here is yours: ask the GM who you play",
        "undo": "! nobody here is Lia's | nobody here is yours: ask the GM who you play",
    },
    ("between", "Mia"): {
        "next": TAKEN,
        "end": "! no turn is being resolved | `next` starts one",
        "damage Bruno 2": "! no turn is being resolved | `next` starts one",
        "turn Ana": TABLE,
        "fire Ana": TAKEN,
    },
    ("between", "Jon"): {
        "next": "! the turn of Bruno is not yours to resolve | Mia does it: `next` there begins and ends it",
        "end": "! no turn is being resolved | `next` starts one",
        "damage Ana 2": "! no turn is being resolved | `next` starts one",
    },
    ("sides", "Mia"): {
        "turn Ana": TAKEN,
        "turn Bo": TAKEN,
        "turn Dog": TAKEN,
        "turn Orc": "! Orc cannot act now | `turn Ana` or `turn Bo` or `turn Dog`",
        "turn heroes": '! no combatant is called "heroes" | `@heroes` means the whole side',
        "pass": "! no pass is offered to you now | `turn Ana` or `turn Bo` or `turn Dog`",
        "end": TAKEN,
        "roll heroes 4": "! heroes owe no roll | no roll of yours is due",
    },
    ("sides", "Jon"): {
        "turn Ana": TAKEN,
        "turn Dog": TAKEN,
    },
    ("cats first", "Mia"): {
        "turn Cats": TAKEN,
        "turn @Cats": "turn Cats",
        "turn cat*": "turn Cats",
        'turn "Cat 1"': "turn Cats",
        "turn *": "turn Cats",
        "turn Ana": "! Ana cannot act now | `turn Cats`",
        "turn Imps": "! Imps cannot act now | `turn Cats`",
    },
    ("sides", "Lia"): {
        "turn Ana": LED,
        "pass": LED,
        "end": LED,
    },
    ("dog", "Mia"): {
        "end": TAKEN,
        "turn Ana": "! Ana cannot act now | nothing is offered to you now",
        "pass": "! no pass is offered to you now | nothing is offered to you now",
    },
    ("dog", "Jon"): {
        "end": TAKEN,
    },
    ("dog", "Lia"): {
        "end": LED,
    },
    ("orc", "Mia"): {
        "end": "! the turn of Orc is not yours to end | yours: Ana",
        "turn Ana": "! Ana cannot act now | nothing is offered to you now",
        "turn Orc": "! Orc cannot act now | nothing is offered to you now",
        "pass": "! no pass is offered to you now | nothing is offered to you now",
    },
    ("orc", "Jon"): {
        "end": "! the turn of Orc is not yours to end | yours: Bo",
        "turn Bo": "! Bo cannot act now | nothing is offered to you now",
    },
    ("pcs", "Mia"): {
        "switch Ana": TAKEN,
        "switch Bo": "! Bo is not yours | yours: Ana",
        "switch": SWITCHING,
        "order Ana move=yes": TAKEN,
        "turn Ana": "! Ana cannot act now | nothing is offered to you now",
        "end": "! no turn of yours is running | nothing is offered to you now",
    },
}
"""By fight and player: what becomes of each line."""


def shown(t: Table, player: str, line: str) -> Standpoint:
    """What this player's terminal shows, with the roll that the line answers."""
    saw = moment(t, player)
    for due in t.state(player)["due"]:
        if line.startswith("roll") and "dice" in due and due["who"].lower()[:3] in line.lower():
            saw = replace(saw, due=owed(due["who"], due["dice"], due["rule"]))
    return saw


def becomes(t: Table, player: str, line: str) -> str:
    system, words = t.store.system, {v.name for v in t.store.system.verbs}
    try:
        action = parse(line, words)
        return written(allowed(t.encounter, system, viewer_of(player), action, shown(t, player, line)))
    except RuleError as error:
        return "! " + " | ".join(filter(None, (error.message, error.hint)))


@pytest.mark.parametrize(("fight", "player"), LINES)
def test_a_line_of_a_player_is_handed_on_by_true_names_or_refused(fight: str, player: str) -> None:
    t = FIGHTS[fight]()
    lines = LINES[fight, player]
    refusals = {line: f"! {line.split()[0]} is not sent from a player's seat | you may send {words}"
        for line, words in lines.items() if words in (LED, SWITCHING, TABLE)}  # fmt: skip
    expected = {line: refusals.get(line, words) or line for line, words in lines.items()}
    assert {line: becomes(t, player, line) for line in lines} == expected


def test_where_all_is_known_a_line_is_handed_on_as_it_is() -> None:
    e = sides().encounter
    line = parse("damage Ana 3")
    assert translated(e, e, line) is line
    renamed = cats().encounter
    for unnamed in ("next", "ok"):
        action = parse(unnamed)
        assert translated(renamed, renamed, action) is action
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin", "order Ana action=a")
    t.do("order Bo action=b", "lock", "roll Ana 15", "roll Bo 5", "ok", "next")
    assert becomes(t, "Jon", "target Ana among=Bo") == "target Ana among=Bo"


def test_turns_are_chosen_and_ended_by_players_only_beside_a_game_master() -> None:
    mia = viewer_of("Mia")
    for fight, acts, ends in (
        (sides, 3, False),
        (dog, 0, True),
        (orc, 0, False),
        (few, 2, False),
        (duel, 0, False),
    ):
        t = fight()
        left = seen(t.encounter, t.store.system, mia)
        assert len(open_acts(t.store.system, left, mia)) == acts
        assert may_end(t.store.system, left, mia) is ends
        assert open_acts(t.store.system, left, viewer_of("Lia")) == ()
        assert not may_end(t.store.system, left, viewer_of("Lia"))
