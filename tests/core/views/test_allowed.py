"""What becomes of a player's line before the rules decide it: the same by true names, or a refusal."""

from __future__ import annotations

from msgspec.structs import replace

from tests.core.views.moments import duel, moment
from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.standpoint import Standpoint, roll_fingerprint
from tui.core.fight.viewer import viewer_of
from tui.core.language.grammar import parse
from tui.core.language.grammar import write_line as written
from tui.core.views.rights import allowed, may_end, open_acts, translated
from tui.core.views.seen import seen


def cats() -> Table:
    """Before the first roll: two Cats and Ana, Mia's, and Bo, Jon's, who is read as Bruno."""
    t = Table("classic")
    t.do("add 2 Cat owner=Mia group=Cats", "add Ana owner=Mia", "add Bo owner=Jon", "alias Bo Bruno")
    t.do("add 2 Imp group=Imps side=dark", "begin")
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


def shown(t: Table, player: str, line: str) -> Standpoint:
    """What this player's terminal shows, with the roll that the line answers."""
    saw = moment(t, player)
    for due in t.state(player)["due"]:
        if line.startswith("roll") and "dice" in due and due["who"].lower()[:3] in line.lower():
            saw = replace(saw, due=roll_fingerprint(due["who"], due["dice"], due["rule"]))
    return saw


def becomes(t: Table, player: str, line: str) -> str:
    system, words = t.store.system, {v.name for v in t.store.system.verbs}
    try:
        action = parse(line, words)
        return written(allowed(t.encounter, system, viewer_of(player), action, shown(t, player, line)))
    except RuleError as error:
        return "! " + " | ".join(filter(None, (error.message, error.hint)))


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
