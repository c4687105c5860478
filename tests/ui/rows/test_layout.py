"""What the table needs to know of who acts and of the current row is on the screen without a key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.keyboard import Player
from tests.rendering import desk_of
from tests.samples import NAMES
from tui.core.table import Creature
from tui.ui.desk.desk import Desk
from tui.ui.panes.card import describe_condition
from tui.ui.state.layout import LEAST_LOG, LEAST_LOG_LINES, Claim, arrange
from tui.ui.state.scene import Scene, creatures, current, filter_rows, offer, row_name, write_who
from tui.ui.text.held import points
from tui.ui.text.rows import words

SIZE = (80, 24)
PEOPLE = (
    "add Ana owner=Mia side=heroes hp=18 ac=15 note=limping",
    "add Bo owner=Tom side=heroes hp=22 ac=17",
    "add 3 Orc side=dark hp=7 ac=13 group=Orcs",
    "add Ogre side=dark hp=40 ac=11",
)
STATE = (
    "temp Ana 5",
    "damage Bo 9",
    "damage Ogre 12",
    "condition Ana stunned rounds=2",
    "condition Bo blessed",
    "condition Ogre prone rounds=3 until=start of=Ana",
    'damage "Orc 1" 4',
)
ORDER = 'order {} action="hold the bridge or else burn it" reaction="an orc passes me => strike it down"'
BEGUN = {
    "classic": ("begin", "roll", "next"),
    "dungeon-universalis": ("begin", "turn Ana"),
    "unbound": ("begin", "roll", "turn Ana"),
    "dynamic": ("begin", "order Ana weapon=1d8", "order Bo spell=2 move=yes", "roll", "next"),
    "chaos": (
        "begin",
        *(ORDER.format(who) for who in ("Ana", "Bo", "Orcs", "Ogre")),
        "lock",
        "roll",
        "ok",
        "next",
    ),
}


def fight(system: str) -> Player:
    """A fight in which there is something to be told of everybody."""
    p = Player(system, [*PEOPLE, *BEGUN[system], *STATE])
    p.desk.rest()
    return p


def text_of(desk: Desk) -> str:
    """All that is on the screen, part by part, each in one line."""
    boxes = desk.boxes(*SIZE)
    return "\n".join(
        " ".join(" ".join(words(row) for row in rows).split()) for rows in desk.draw(boxes).values()
    )


def row_of(desk: Desk, key: str) -> str:
    """The row of the track on which an entry stands."""
    rows = [words(row) for row in desk.draw(desk.boxes(*SIZE))["track"]]
    shown = [x.entry for x in filter_rows(desk.scene)]
    return rows[1 + shown.index(key)] if len(rows) > 1 + shown.index(key) else ""


def must_stand(scene: Scene, key: str) -> Iterator[str]:
    """What must be on the screen of somebody who is acting or current."""
    people = [c for c in creatures(scene, key) if not c.out]
    yield points(people, scene.glyphs)[0]
    armour = {c.ac for c in people}
    yield f"AC {armour.pop()}" if len(armour) == 1 and None not in armour else ""
    for c in people:
        yield from _of(scene, c, alone=len(people) == 1)
    unable = [c for c in people if c.unable]
    yield "" if not unable else "no reaction" if unable == people else " react"
    order = next((o for o in scene.table.orders if o.who == row_name(scene, key)), None)
    for part, value in order.text.items() if order and order.state != "done" else ():
        yield from (part,) if order and part in order.wording else value.split(" or else ")


def _of(scene: Scene, c: Creature, *, alone: bool) -> Iterator[str]:
    yield points((c,), scene.glyphs)[0]
    if c.ac is not None and alone:
        yield f"AC {c.ac}"
    if c.note:
        yield c.note
    for x in c.conditions:
        yield describe_condition(x, by_round=scene.system.turn_edges == "round") if alone else x.name.lower()


def missing(desk: Desk, key: str) -> list[str]:
    """What ought to be on the screen and is not."""
    shown = text_of(desk)
    return [x for x in must_stand(desk.scene, key) if x and " ".join(x.split()) not in shown]


def goes_on(p: Player) -> bool:
    """The next turn, of the first who may have it; whether there is one."""
    p.press("n")
    turns = [a.who for a in offer(p.desk.scene).acts if a.kind == "turn"]
    if turns and not p.store.encounter.acting:
        p.desk.run(f"turn {write_who(p.store.encounter, turns[:1])}")
        p.desk.rest()
    return bool(p.store.encounter.acting)


@pytest.mark.parametrize("system", BEGUN)
def test_all_that_is_known_of_who_acts_and_of_every_current_row_is_on_the_screen(system: str) -> None:
    p = fight(system)
    assert p.store.encounter.acting
    for _ in range(4):
        acting = p.store.encounter.acting
        assert missing(p.desk, acting) == []
        p.press("g")
        for _ in filter_rows(p.desk.scene):
            assert missing(p.desk, acting) == []
            assert missing(p.desk, current(p.desk.scene)) == [], p.text()
            p.press("j")
        if not goes_on(p):
            break


@pytest.mark.parametrize("sample", NAMES)
def test_in_the_samples_nothing_is_missing_without_a_key(sample: str) -> None:
    desk = desk_of(sample)
    keys = {desk.store.encounter.acting, current(desk.scene)} - {""}
    assert {key: missing(desk, key) for key in keys} == {key: [] for key in keys}


@pytest.mark.parametrize("sample", NAMES)
def test_hit_points_and_conditions_stand_in_the_rows_of_the_track(sample: str) -> None:
    desk = desk_of(sample)
    for spot in filter_rows(desk.scene):
        row = row_of(desk, spot.entry)
        people = [c for c in desk.scene.table.combatants if c.id in spot.members]
        if not row or spot.outer:
            continue
        assert points(people, desk.scene.glyphs)[0] in row
        assert all(c.ac is None or f" {c.ac} " in f"{row} " for c in people[:1])
        held = [x.name.lower() for c in people for x in c.conditions if not c.out]
        assert not held or any(name in row or "◎" in row or "…" in row for name in held)


def test_what_stands_in_two_columns_never_touches() -> None:
    for size in ((80, 24), (100, 30), (120, 40)):
        desk = desk_of("gate")
        boxes = desk.boxes(*size)
        drawn = desk.draw(boxes)
        left = boxes["coming"]
        assert all(len(words(row).rstrip()) < left.width for row in drawn["coming"])


@pytest.mark.parametrize("height", range(18, 30))
def test_now_grows_for_a_notice_as_long_as_the_log_keeps_its_least(height: int) -> None:
    parts = [Claim("track", "left", 30), Claim("log", "log", 9, LEAST_LOG_LINES), Claim("hints", "bottom", 1)]
    usual, *grown = (arrange([Claim("now", "bottom", n, 2), *parts], 80, height) for n in range(2, 7))
    for more, boxes in enumerate(grown, 1):
        taken = more if usual["log"].height - more >= LEAST_LOG else 0
        assert (boxes["now"].height, boxes["log"].height) == (2 + taken, usual["log"].height - taken)
        assert boxes["log"].y + boxes["log"].height == boxes["now"].y


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("system", BEGUN)
def test_a_fight_shows_the_last_of_the_log_and_the_roster_for_one_key(
    system: str, size: tuple[int, int]
) -> None:
    p = fight(system)
    p.size = size
    boxes = p.desk.boxes(*size)
    assert boxes["log"].height >= 4
    assert "roster" not in boxes
    assert "roster" in p.press("tab").desk.boxes(*size)
    assert "roster" not in p.press("shift+tab").desk.boxes(*size)
