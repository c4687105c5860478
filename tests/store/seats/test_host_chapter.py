"""The walk of the players' chapter through a fight without a game master, from `new` to `finish`."""

from __future__ import annotations

import re
from pathlib import Path

from tests.kit.program import Program
from tests.kit.seats import Hall
from tests.manual.calls import calls
from tui.core.fight.viewer import viewer_of
from tui.manual import read_chapter
from tui.store.players.publisher import make_page
from tui.store.seats.host import auto_play
from tui.ui.players.page import read_page
from tui.ui.players.table_screen import orders_to_read

WALK = read_chapter("players").text.partition("## Without a game master")[2]


def test_the_chapter_walks_through_a_fight_without_a_game_master(tmp_path: Path) -> None:
    program = Program(tmp_path, "duel")
    for words in calls(WALK):
        assert words[0] == "tocsin"
        ended = program.bare(*words[1:], "--saves", str(tmp_path))
        assert (ended.code, ended.err) == (0, ""), words
    hall = Hall(tmp_path, path=str(tmp_path / "duel.toml"))
    lines = re.findall(r"^(Lia|Max)  (.*?) *(?:#.*)?$", WALK, re.MULTILINE)
    assert [line.split(" ")[0] for _, line in lines][:: len(lines) - 1] == ["begin", "finish"]
    for player, line in lines:
        page = read_page(make_page(hall.store, viewer_of(player)))
        assert page
        if page.state.acting:
            # Nobody carries out an order of their own, and both read all orders.
            assert {"Ana": "Lia", "Bo": "Max"}[page.state.acting] != player
            texts = " ".join([*page.read(), *orders_to_read(page, masked=False)])
            assert "strike Bo" in texts
            assert "flee" in texts
        reply = hall.send(player, line)
        assert reply.became == ("waits" if (player, line) == ("Lia", "finish") else "taken"), (line, reply)
        auto_play(hall.store)
    e = hall.store.encounter
    assert (e.running, [c.hp for c in e.combatants.values()]) == (False, [9, 4])
    assert {c.side for c in e.combatants.values()} == {"Lia", "Max"}
    hall.close()
