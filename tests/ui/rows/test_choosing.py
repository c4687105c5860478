"""Where members are chosen their conditions stay, who is hidden is never cut, and no list is empty."""

from __future__ import annotations

import pytest

from tests.kit.keyboard import FIGHT, Player
from tests.samples import EXAMPLES, NAMES
from tui.core.fight.encounter import members
from tui.store.opening import open_for_reading
from tui.systems import Registry
from tui.ui.desk.desk import Desk
from tui.ui.text.press import Press
from tui.ui.text.rows import words


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
def test_the_order_stays_in_sight_whichever_pane_has_the_keys(size: tuple[int, int]) -> None:
    p = Player(lines=[*FIGHT, "condition Ana poisoned rounds=2", "condition Ana blessed rounds=3"])
    p.size = size
    before, track = p.desk.boxes(*size), p.picture()["track"][1:]
    for _ in range(3):
        boxes = p.press("tab").desk.boxes(*size)
        kept = ("track", "log")
        assert [boxes[part] for part in kept] == [before[part] for part in kept]
        assert [row.replace(">", " ", 1) for row in p.picture()["track"][1:]] == [
            row.replace(">", " ", 1) for row in track
        ]
    assert "roster" not in before
    p.desk.dismiss(focus=None, rows=None)
    shown = p.press("tab").picture()["roster"]
    assert any("poisoned 2"[: size[0] // 14] in line for line in shown if " Ana " in line)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [(80, 24), (60, 18), (120, 40)], ids=str)
def test_hidden_is_whole_in_the_list_of_everybody(name: str, size: tuple[int, int]) -> None:
    desk = Desk(open_for_reading(str(EXAMPLES / f"{name}.toml"), "", Registry()))
    secret = [c for c in desk.store.encounter.combatants.values() if c.hidden]
    for keys in ((), ("tab",)):
        for key in keys:
            desk.press(Press(key))
        drawn = desk.draw(desk.boxes(*size))
        lines = [words(line) for line in drawn.get("roster", [])]
        for c in secret:
            mine = [line for line in lines if f" {c.name} " in line]
            assert all("HIDDEN" in line for line in mine), mine


@pytest.mark.parametrize("system", Registry().ids())
def test_the_roster_with_the_keys_marks_who_acts_and_who_may(system: str) -> None:
    p = Player(system, lines=["add Ana kind=pc side=heroes", "add Bo kind=pc side=heroes", "add 2 Orc"])
    for line in ("begin", "lock missing=empty", "roll", "ok", "next"):
        p.desk.run(line)
    p.desk.dismiss(focus="roster", rows="roster")
    e, glyphs = p.store.encounter, p.desk.settings.glyphs
    sign = glyphs.acting if e.turn else glyphs.may
    marked = [row for row in p.picture()["roster"][1:] if row[2:3] == sign]
    keys = e.turn.members if e.turn else [a.who for a in p.store.system.offer(e).acts]
    creatures = [c for key in keys for c in members(e, key)]
    assert len(marked) == len(creatures) > 0
    assert all(any(c.name in row for row in marked) for c in creatures)
