"""The players' screen: laws over fights of every system and size, and the samples as a player reads them."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.kit.two_fights import Differs, Fight, policy
from tests.ui.players.samples import SYSTEMS, sample, shown
from tui.core.fight.viewer import viewer_of
from tui.store.opening import open_for_reading
from tui.store.players.publisher import make_page
from tui.ui.players.page import FrameState, PlayerPage, read_page
from tui.ui.players.plain_lines import moment
from tui.ui.players.table_screen import point, screen, scrolled
from tui.ui.players.viewer import Taste, rings
from tui.ui.text.glyphs import ASCII, UNICODE, glyphs_for_screen_reader
from tui.ui.text.rows import cells, hint_row, words

MOMENTS = 24


@cache
def pages(system: str, seed: int) -> tuple[PlayerPage, ...]:
    """What Mia's terminal is given in the course of a fight."""
    fight, chance = Fight(system, seed, seed % 3), Random(seed)
    found = []
    for _ in range(MOMENTS):
        with suppress(Differs):  # the law of the two fights, of which this is one, is not asked here
            fight.catch_up()
        fight.say(policy(fight.state(), chance))
        page = read_page(make_page(fight.table.store, viewer_of("Mia")))
        assert page
        found.append(page)
    return tuple(found)


sizes = st.tuples(st.integers(1, 130), st.integers(1, 45))


@pytest.mark.parametrize("system", SYSTEMS.ids())
@cases(30)
@given(
    size=sizes,
    at=st.integers(0, MOMENTS - 1),
    seed=st.integers(0, 3),
    by=st.integers(-9, 9),
    glyphs=st.sampled_from([UNICODE, ASCII, glyphs_for_screen_reader(UNICODE)]),
    standing=st.sampled_from(["waiting", "written", "unwritten", "gone", "damaged", "shut"]),
    helps=st.booleans(),
)
def test_every_size_is_filled_and_nothing_is_wider(
    system: str, size: tuple[int, int], at: int, seed: int, by: int, **more: object
) -> None:
    width, height_ = size
    more["help"] = more.pop("helps")
    known = replace(FrameState(page=pages(system, seed)[at], save="mill", viewer="Mia"), **more)
    known = replace(known, top=scrolled(known, by, 5))
    rows = screen(known, width, height_)
    assert len(rows) == height_
    assert all(cells(words(row)) <= width for row in rows)
    x, y = point(known, width, height_)
    assert 0 <= x < width
    assert 0 <= y < max(2, height_)


@pytest.mark.parametrize("system", SYSTEMS.ids())
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12), (20, 5)])
def test_whoever_acts_is_on_the_screen_in_every_size(system: str, size: tuple[int, int]) -> None:
    acted = 0
    for page in (page for seed in range(4) for page in pages(system, seed)):
        if entry := page.state.acting:
            acted += 1
            lines = shown(page, size).split("\n")
            # Its row, and what is said, unless something is owed first.
            assert sum(entry in line for line in lines) >= 1 + (page.now.kind == "acts"), lines
    assert acted


def test_a_page_of_a_later_form_and_what_is_no_page_are_not_read() -> None:
    assert read_page(b"") is None
    assert read_page(b"{") is None
    assert read_page(b"[" * 100_000) is None
    assert read_page(b'{"format":2,"viewer":"","state":{}}') is None


# --- as a player reads it


def test_the_samples_say_who_acts_and_who_comes_next() -> None:
    told = {name: moment(sample(name))[0] for name in ("mill", "bridge", "gate", "station", "cellar")}
    assert told == {
        "mill": "Archers act, then Ogre, Goblin 4, Ana, Bo and 3 more",
        "bridge": "Fay acts, then Hyenas, Gnolls, Sela, Ettin and 2 more",
        "gate": "Thane acts, then Brynn, Elia, Hound, Corvo",
        "station": "Station chooses who acts",
        "cellar": "The dark side chooses who acts",
    }


def test_ones_own_points_are_numbers_and_those_of_others_words() -> None:
    lines = shown(sample("mill", "Mia")).split("\n")
    assert "14/18" in next(line for line in lines if "● Ana " in line)
    assert "bloodied" in next(line for line in lines if "Goblin 1" in line)
    assert "burning 1" in next(line for line in lines if "● Bo " in line)


@pytest.mark.parametrize(("rule", "expected"), [("none", ""), ("numbers", "21/30"), ("word", "hurt")])
def test_the_house_rule_says_how_others_are_told(tmp_path: Path, rule: str, expected: str) -> None:
    from tests.kit.program import Program

    program = Program(tmp_path)
    assert program.call("new", "--system", "classic").code == 0
    assert (
        program.do(f"option view.health={rule}", "add Ogre +1 30", "damage Ogre 9", "begin", dice=[]).code
        == 0
    )
    page = read_page(make_page(open_for_reading(str(tmp_path / "fight.toml"), "", SYSTEMS), viewer_of("")))
    line = next(
        line for line in shown(page).split("\n") if ("Ogre" in line and "●" in line) or "○ Ogre" in line
    )
    assert ("21" in line, "hurt" in line) == ("21" in expected, expected == "hurt")


def test_members_stand_below_their_side() -> None:
    lines = shown(sample("station")).split("\n")
    at = next(i for i, line in enumerate(lines) if "○ Raiders" in line)
    assert "Raider 2" in lines[at + 1]
    assert "stunned 1" in lines[at + 1]


# --- the bell


def test_the_bell_is_for_a_turn_that_comes_and_rings_once() -> None:
    mill = sample("mill", "Mia")
    own = replace(mill, now=replace(mill.now, lead="Ana acts: it is your turn", who="Ana", mine=True))
    own_taste, every = Taste((), own=True), Taste((), own=False, every=True)
    assert rings(mill, own, own_taste)
    assert not rings(own, own, own_taste)
    assert not rings(own, mill, own_taste)
    assert not rings(mill, own, Taste((), own=False))
    assert rings(own, mill, every)
    assert not rings(mill, replace(mill, log=()), every)


def test_what_is_asked_of_the_viewer_is_said_to_it() -> None:
    asked = [(page.now, page) for system in SYSTEMS.ids() for page in pages(system, 2)]
    own = [said.lead for said, page in asked if said.mine and said.kind == "asked" and page.state.due]
    assert any(lead.startswith("You roll") for lead in own)
    assert any(lead.startswith("You write for Ana") for lead in own)
    assert all(any(page.mine(d.who) for d in page.state.due) for said, page in asked if said.lead in own)


# --- pages that nobody of ours has written


def _bent(value: object, chance: Random) -> object:
    """The same shape with some leaves exchanged for others of their kind."""
    if isinstance(value, dict):
        return {key: _bent(x, chance) for key, x in value.items()}
    if isinstance(value, list):
        kept = [_bent(x, chance) for x in value if chance.random() > 0.1]
        return kept + kept[:1] if chance.random() < 0.1 else kept
    if chance.random() > 0.2 or isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return chance.choice([0, -1, 10**9, value])
    evil = [
        "",
        "x" * 5000,
        "漢字" * 40,
        "\x1b[2J\x07",
        "e\u0301" * 70,
        "\u202eabc",
        "\U0001f9d9\u200d\u2640\ufe0f" * 9,
    ]
    return chance.choice(evil)


@pytest.mark.parametrize("system", SYSTEMS.ids())
@cases(25)
@given(seed=st.integers(0, 10**6), size=sizes)
def test_no_page_that_can_be_read_ends_the_screen(system: str, seed: int, size: tuple[int, int]) -> None:
    chance = Random(seed)
    whole = json.loads(msgspec.json.encode(chance.choice(pages(system, 1))))
    whole["state"], whole["log"] = _bent(whole["state"], chance), _bent(whole["log"], chance)
    page = read_page(json.dumps(whole).encode())
    if page is not None:
        rows = screen(FrameState(page=page, save="mill", viewer="Mia", standing="written"), *size)
        assert len(rows) == size[1]
        assert all(cells(words(row)) <= size[0] for row in rows)
        assert moment(page)


@given(
    st.lists(st.tuples(st.text("jk+/", min_size=1, max_size=4), st.text("abc d", max_size=9)), max_size=12),
    st.integers(0, 90),
)
def test_the_way_out_is_the_last_hint_to_go(keys: list[tuple[str, str]], width: int) -> None:
    row = words(hint_row((*keys, ("q", "quit")), width, "~"))
    assert len(row) <= width
    assert row.endswith(" q quit ") == (width >= len(" q quit "))


def test_without_a_game_master_it_says_who_resolves_the_running_turn() -> None:
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Mia side=red", "add Bo owner=Jon side=blue", "add Cay owner=Lu side=green", "begin")
    t.do("lock missing=empty", "roll Ana 20", "roll Bo 10", "roll Cay 5", "ok", "next")
    said = {}
    for viewer in ("Mia", "Jon", "Lu"):
        page = read_page(make_page(t.store, viewer_of(viewer)))
        assert page
        said[viewer] = page.now.lead
    assert said == {
        "Mia": "Ana acts: an opponent resolves it",
        "Jon": "Ana acts: you resolve it",
        "Lu": "Ana acts",
    }


def test_a_companion_stands_by_name_in_the_row_of_its_hero() -> None:
    t = Table("dungeon-universalis")
    t.do("add Ana owner=Mia kind=pc per=4 int=3 hp=18", "add Rex owner=Mia kind=npc acts_with=Ana hp=6")
    t.do(
        "add Orc per=2 int=2 hp=6", "begin", "meet Ana", "damage Rex 4", "condition Rex prone save=con dc=12"
    )
    t.do("condition Ana blessed")
    rows = {}
    for viewer in ("Mia", "Jon"):
        page = read_page(make_page(t.store, viewer_of(viewer)))
        rows[viewer] = next(line for line in shown(page).split("\n") if "● Ana " in line)
    assert "18/18 " in rows["Mia"]
    assert "blessed, Rex 2/6 prone dc12" in rows["Mia"]
    assert "unhurt" in rows["Jon"]
    assert "blessed, Rex bloodied prone" in rows["Jon"]


def test_ones_own_row_says_what_the_game_masters_row_says() -> None:
    t = Table("classic")
    t.do(
        "option zero.pc=dying",
        "add Ana owner=Mia kind=pc hp=9 temp_max=3",
        "count Ana slots 2 max=3",
        "add Bo owner=Jon hp=9",
    )
    t.do("begin", "roll Ana 9", "roll Bo 3")
    rows = {}
    for viewer in ("Mia", "Jon"):
        page = read_page(make_page(t.store, viewer_of(viewer)))
        rows[viewer] = next(line for line in shown(page).split("\n") if "● Ana " in line)
    assert "9/12" in rows["Mia"]
    assert "slots 2/3" in rows["Mia"]
    assert "slots" not in rows["Jon"]
    t.do("damage Ana 9")
    page = read_page(make_page(t.store, viewer_of("Mia")))
    assert "dying +0 -0" in shown(page)
    page = read_page(make_page(t.store, viewer_of("Jon")))
    assert "dying" not in shown(page).split("Log")[0]


def test_rows_stand_as_the_game_master_has_them_without_the_unseen() -> None:
    t = Table("classic")
    t.do(
        "add Bo hp=9",
        "add Ana owner=Mia hp=9",
        "add 2 Rat group=Rats round=3 kind=pc side=dark",
        "add Lurk hidden=yes",
        "begin",
    )
    t.do("roll Lurk 20", "roll Ana 15")
    lines = shown(page_of(t, "Mia")).split("\n")
    ana, bo, rats = (
        next(line for line in lines if f"{name} " in line) for name in ("● Ana", "○ Bo", "○ Rats")
    )
    assert " 1  15 " in ana
    assert UNICODE.owed in bo.split("○")[0]
    assert f"{UNICODE.times}2" in rats
    assert "reserve" in rats
    t.do("roll Bo 3", "next", "next", "hold Ana")
    assert "delays" in next(line for line in shown(page_of(t, "Mia")).split("\n") if "● Ana " in line)


def page_of(t: Table, viewer: str) -> PlayerPage:
    page = read_page(make_page(t.store, viewer_of(viewer)))
    assert page
    return page


def test_what_the_system_adds_is_read_by_everybody_but_for_the_lines_of_the_gm() -> None:
    t = Table("unbound")
    t.do("add Ana owner=Mia", "add Orc side=dark", "begin")
    assert "if a side sneaks up" not in shown(read_page(make_page(t.store, viewer_of("Mia"))))
    t.do("surprised Ana", "roll Ana 9", "roll dark 3", "turn Ana")
    limits = "surprised: only a move, no reaction back"
    assert limits in shown(read_page(make_page(t.store, viewer_of("Mia"))))
    t = Table("dungeon-universalis")
    t.do("add Ana owner=Mia per=2 int=2", "add Orc per=1 int=1 distance=3", "begin", "meet Ana")
    t.do("roll Ana 6 5", "roll Orc 1 2")
    page = read_page(make_page(t.store, viewer_of("Mia")))
    assert page
    assert page.now.remarks == ("Orc may be moved one square",)


def test_what_others_have_declared_is_read_until_their_turn() -> None:
    t = Table("dynamic")
    t.do("add Fay owner=Mia", "add Bo owner=Jon", "add Ogre", "add Lurk hidden=yes", "begin")
    t.do("order Ogre intent=charge", "order Lurk intent=pounce", "order Bo weapon=1d8 move=yes")
    for line in ("order Fay spell=1", "roll Fay 1", "roll Bo 4 2", "roll Ogre 8", "roll Lurk 7", "next"):
        t.do(line)
        for viewer in ("", "Mia"):
            said = shown(page_of(t, viewer))
            assert "Ogre: intent charge" in said, line
            assert "Bo: weapon 1d8; move" in said, line
            assert "pounce" not in said, line
    t.do("next", "next")
    assert "Bo: weapon" not in shown(page_of(t, "Mia"))
    t = Table("chaos", {"cha.reveal": "all_at_start"})
    t.do("add Ana owner=Mia", "add Bo owner=Jon", "begin", "order Ana action=hide", "order Bo action=stab")
    assert "stab" not in shown(page_of(t, "Mia"))
    t.do("lock", "roll Ana 20", "roll Bo 10", "ok", "next")
    assert "Bo: action stab" in shown(page_of(t, "Mia"))


def test_also_who_only_looks_on_reads_of_no_game_master_where_there_is_none() -> None:
    t = Table("chaos", {"cha.mode": "head-to-head"})
    t.do("add Ana owner=Mia side=red", "add Bo owner=Jon side=blue", "begin")
    for line in ("lock missing=empty", "roll Ana 20", "roll Bo 10", "ok", "next", "next"):
        t.do(line)
        for viewer in ("", "Lu", "Mia"):
            page = read_page(make_page(t.store, viewer_of(viewer)))
            assert "GM" not in shown(page), (line, viewer)
