"""In any fight, at any size: nothing is wider than its place, who acts is in sight, and cuts are marked."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.keyboard import Player
from tests.kit.tiers import cases
from tui.core.fight.encounter import label
from tui.systems import Registry
from tui.ui.panes.orders import takes_full_width
from tui.ui.state.scene import filter_rows
from tui.ui.state.settings import Settings

SYSTEMS = Registry().ids()
NAMES = ("Ana", "Bo", "Orc", "Skeleton Warrior", "Archduke Ferdinand of the Marsh", "龍の子")
LINES = st.sampled_from(
    [
        "next",
        "roll",
        "ok",
        "lock missing=empty",
        "damage * 3",
        "damage * 40",
        "temp * 5",
        "condition * prone rounds=2",
        "condition * concentration",
        "hide *",
        "undo",
        "out Ana",
        "add 9 Wolf hp=4 group=Pack",
        "add Late round=3 hp=2",
        "group @dark Foes",
        "react Ana",
    ]
)
KEYS = st.sampled_from(["j", "k", "g", "G", "tab", "n", "space", "z"])
CUT = re.compile("\N{HORIZONTAL ELLIPSIS}|~|[0-9]+[\N{EN DASH}-][0-9]+ of [0-9]+|in reserve|[0-9]+ out")


@st.composite
def fights(draw: st.DrawFn) -> Player:
    """A fight of any system in the middle of something, on a screen of any size from 20 by 5 on."""
    p = Player(draw(st.sampled_from(SYSTEMS)), settings=Settings(ascii=draw(st.booleans())))
    for name in draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6)):
        p.desk.run(f'add {draw(st.integers(1, 4))} "{name}" hp={draw(st.integers(1, 300))} ac=13')
    for line in ("begin", "lock missing=empty", "roll", "roll", "ok", "next"):
        p.desk.run(line)
    for line in draw(st.lists(LINES, max_size=14)):
        p.desk.run(line)
    p.size = (draw(st.integers(20, 140)), draw(st.integers(5, 50)))
    return p


def squeezed(text: str) -> str:
    """The letters alone: columns and cuts change blanks."""
    return re.sub(r"\s+", "", text)


@cases(60)
@given(fights(), st.lists(KEYS, max_size=6))
def test_who_acts_is_in_sight_whatever_was_pressed(p: Player, keys: list[str]) -> None:
    p.desk.dismiss()
    p.press(*keys)
    drawn, e = p.picture(), p.store.encounter
    if not e.acting or "track" not in drawn or p.desk.view.filter:
        return
    sign = p.desk.settings.glyphs.acting
    rows = [row for row in drawn["track"] if row[2:3] == sign or row[4:5] == sign]
    assert rows, (label(e, e.acting), drawn["track"])
    # Who was put into a group in its own turn acts in the group's row.
    acting = set(e.turn.members) if e.turn else set()
    names = [label(e, x.entry) for x in filter_rows(p.desk.scene) if acting & set(x.members)]
    assert any(squeezed(name)[:1] in squeezed(row) for name in names for row in rows), (names, rows)


@cases(60)
@given(fights())
def test_rows_that_have_no_room_are_told_of(p: Player) -> None:
    p.desk.dismiss()
    if takes_full_width(p.desk.scene):
        return  # a summary of the wounded stands there, which counts no rows
    drawn, found = p.picture(), filter_rows(p.desk.scene)
    track = drawn.get("track", [])
    shown = [row for row in track if row.strip() and not re.match("^(──|--) ", row)]
    if not found or len(shown) >= len(found):
        return
    small = p.size[0] < 60 or p.size[1] < 18
    assert small or CUT.search("\n".join(track)), track


@cases(60)
@given(fights())
def test_no_rule_is_named_by_its_number(p: Player) -> None:
    clauses = p.desk.scene.system.clauses
    shown = " ".join(row for rows in p.picture().values() for row in rows)
    assert [x for x in re.findall(r"[A-Z]+-A?[0-9]+", shown) if x in clauses] == []
