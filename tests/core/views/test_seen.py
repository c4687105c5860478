"""What a viewer is told of the moment: one Now line everywhere, and the choices that are the viewer's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest
from msgspec import UNSET, Struct

from tests.core.views.told import log
from tests.kit.table import Table
from tui.core import table
from tui.core.fight.viewer import GAME_MASTER, viewer_of
from tui.core.views.table_for import say_now
from tui.serve.page import make_page


@pytest.mark.parametrize("hidden", ["", "hidden=yes"])
def test_the_now_line_is_the_one_of_the_state(hidden: str) -> None:
    t = Table("classic")
    t.do("add Ana owner=Lia hp=9", f"add 2 Orc {hidden}", "begin")
    t.do("roll", dice=[5, 9, 3])
    line = say_now(t.encounter, t.store.system)
    assert line
    assert line == t.state(None)["now"].replace("`", "")
    assert all(t.state(viewer)["now"] for viewer in ("Lia", "Mia", ""))


def test_dis_29_a_choice_is_told_to_whose_it_is_and_to_the_game_master() -> None:
    t = Table("dynamic", {"dis.resize": "ask"})
    t.do("add Sela kind=pc owner=Lia", "add Oren kind=pc owner=Mia", "begin", "set Sela bonus=1,1")
    t.do("order Sela weapon=1d8 move=yes", "order Oren move=yes")
    seen = {v: [d["who"] for d in t.state(v)["due"] if d["kind"] == "pick"] for v in (None, "Lia", "Mia")}
    assert seen == {None: ["Sela"], "Lia": ["Sela"], "Mia": []}


def told_to(t: Table, viewer: str) -> str:
    """All that a viewer reads in the state and in the log."""
    found = [str(t.state(viewer))]
    found += [text for moment in t.store.heard(viewer_of(viewer), 60) for text in moment.text]
    return "\n".join(found)


def test_a_players_words_are_the_players_whatever_names_stand_in_them() -> None:
    t = Table("chaos")
    t.do(
        "add Ana owner=Mia",
        "add Bo owner=Jon",
        "add Lurk hidden=yes",
        "add Gruumsh side=dark",
        "add Orc side=dark",
    )
    t.do("alias Gruumsh Chief", "begin")
    t.do('order Ana action="strike the Lurk" reaction="Gruumsh near => kick the Lurk"')
    t.do('order Orc action="guard the Lurk"', "lock missing=empty")
    order = {"action": "strike the Lurk", "reaction": "Gruumsh near => kick the Lurk"}
    assert [o["text"] for o in t.state("Mia")["orders"]] == [order]
    assert [o["text"] for o in t.state("Jon")["orders"]] in ([], [{}])
    t.do("roll Ana 20", "roll Bo 2", "roll Lurk 3", "roll Gruumsh 5", "roll Orc 1")
    assert any("kick the Lurk" in line for due in t.state("Mia")["due"] for line in due.get("lines", ()))
    t.do("ok", "next", "react Ana with kick")
    for viewer in ("Mia", "Jon", ""):
        told = told_to(t, viewer)
        assert "strike the Lurk" in t.state(viewer)["now"]
        assert "Ana acts: action strike the Lurk; reaction Gruumsh near => kick the Lurk" in told
        assert "Ana reacts: Gruumsh near => kick the Lurk" in told
        assert "guard the" not in told
    while t.state()["acting"] != "Orc":
        t.do("next")
    assert "guard the Lurk" not in told_to(t, "Mia"), (
        "what the GM wrote for its own creature names what is hidden"
    )


READ = {
    "Table": "format save step can_undo can_redo system options round phase acting actors now sides outcome "
    "area due offer track combatants orders last mine difficulty",
    "MineView": "since lines fight",
    "MineLine": "id who text",
    "SideView": "name turn left of in_combat whose",
    "OutcomeView": "kind winner loser by totals caught order who target style",
    "AreaView": "damage type dc key half more who made failed",
    "DealtView": "damage type",
    "SaveView": "for name key",
    "FieldView": "key title kind default choices",
    "BaseDue": "who why rule",
    "RollDue": "who why rule dice save shows",
    "PickDue": "who why rule names least most",
    "FormDue": "who why rule fields",
    "LockDue": "who why rule",
    "ReadDue": "who why rule lines about",
    "EffectDue": "who why rule name damage type heal",
    "ActView": "kind who",
    "OfferView": "chooser acts why rule",
    "TableRow": "entry members state place owed inner outer value face ranked why",
    "RowView": "entry members place value state tags why face",
    "ConditionView": "name rounds until of conc key at damage type heal fresh hidden",
    "Creature": "id name alias side group owner owners out hidden arrives dead conditions marks health",
    "OrderView": "who state text default warnings instead wording open sealed",
    "Told": "step text",
}
"""What players may read of a foe: a new value of a row, or of anything else that they are shown, is put here
only if it may be read, and else into `OWN`."""

OWN = {
    "Table": "does interrupts",
    "DifficultyView": "word xp steps heroes foes no_level no_rating text",
    "SaveView": "bonus dc",
    "ConditionView": "note dc",
    "Creature": "note card hp max_hp temp_hp temp_max resist vulnerable immune save_bonus counters attacks "
    "ac fields saves unable fixed",
    "CounterView": "name n max reset",
    "DamageView": "dice type",
    "AttackView": "name bonus damage dc key half text",
    "DeathSavesView": "successes failures stable",
    "InterruptView": "verb who title note",
    "OrderView": "sealed",
}
"""What only the owner or the game master may read; of a foe it is absent or empty."""


def test_of_every_value_it_is_said_whether_players_read_it_of_a_foe() -> None:
    shapes = [
        x for x in vars(table).values() if isinstance(x, type) and issubclass(x, Struct) and x is not Struct
    ]
    decided = {name: {*READ.get(name, "").split(), *OWN.get(name, "").split()} for name in {*READ, *OWN}}
    assert {shape.__name__: {*shape.__struct_encode_fields__} for shape in shapes} == decided


def own_values(shown: object) -> Iterator[str]:
    """The names of the values of `OWN` that are not empty, outside what is Mia's."""
    if isinstance(shown, tuple):
        for x in shown:
            yield from own_values(x)
    elif isinstance(shown, Struct) and "Ana" not in (getattr(shown, "name", ""), getattr(shown, "who", "")):
        shape, kept = type(shown), OWN.get(type(shown).__name__, "").split()
        for name, key in zip(shape.__struct_fields__, shape.__struct_encode_fields__, strict=True):
            value = getattr(shown, name)
            # A condition with the DC 0 is one without a save.
            empty = value is UNSET or value in ("", {}, ()) or (key == "dc" and value == 0)
            if key in kept and not empty:
                yield f"{shape.__name__}.{key}"
            yield from own_values(value)


def test_of_a_foe_players_are_told_nothing_that_is_the_owners() -> None:
    t = Table("classic")
    sheet = 'hp=20 ac=13 cr=1 resist=fire saves="dex+2" attacks="Bite +4 1d6" note=secret card=secret'
    t.do("add Ana owner=Mia hp=9 level=3", f"add Orc {sheet}", f"add Wolf {sheet} owner=Jon", "begin")
    t.do("roll", dice=[5, 9, 7])
    t.do("damage Orc,Wolf 3", "count Orc Rage 2 max=2", "set Orc value=17")
    t.do("condition Orc,Wolf burning at=end damage=1d6 type=fire note=whisper dc=13 save=con of=Ana conc=yes")
    told = set[str]()
    for line in ("next", "end", "area Ana,Orc,Wolf damage=10 dc=13 save=dex type=fire"):
        t.do(line)
        assert [*own_values(t.store.table(viewer_of("Mia")))] == []
        told |= {x.partition(".")[0] for x in own_values(t.store.table(GAME_MASTER))}
    # The game master reads them, so that they are empty for Mia shows something.
    assert told == OWN.keys() - {"DeathSavesView", "InterruptView", "OrderView"}


def test_only_the_game_master_reads_that_an_order_is_sealed() -> None:
    t = Table("chaos")
    t.do("add Ana owner=Mia", "add Bo owner=Jon", "begin")
    t.store.run("order Bo action=run", by="Jon")
    sealed = {name: t.store.table(viewer_of(name)).orders for name in ("Mia", "Jon")}
    assert not any(x.sealed for orders in sealed.values() for x in orders)
    assert any(x.sealed for x in t.store.table(GAME_MASTER).orders)


FIGHT = ("add Ana owner=Mia hp=90", "add Bo owner=Jon hp=90", "add Orc hp=90", "begin")
DC = 17
SAVES = (
    ("area {} damage=3 dc=17 save=dex",),
    ("condition {} slow save=wis dc=17",),
    ("condition {} concentration", "damage {} 35"),
)


def told(fight: Table, name: str | None) -> str:
    """Return everything that a viewer is shown."""
    viewer = GAME_MASTER if name is None else viewer_of(name)
    page = make_page(fight.store, name)[0].decode() if name is not None else ""
    return json.dumps([fight.state(name), page, log(fight, viewer)])


def played(lines: Sequence[str], who: str, *more: str) -> Table:
    fight = Table("classic")
    fight.do(*FIGHT, "roll Ana 15", "roll Bo 10", "roll Orc 5", *more, *(line.format(who) for line in lines))
    return fight


@pytest.mark.parametrize("lines", SAVES)
@pytest.mark.parametrize("who", ["Ana", "Orc"])
def test_only_the_creatures_player_reads_the_dc_of_its_save(lines: Sequence[str], who: str) -> None:
    fight = played(lines, who)
    assert str(DC) in told(fight, None)
    assert (str(DC) in told(fight, "Mia")) == (who == "Ana")
    for name in ("Jon", ""):
        assert str(DC) not in told(fight, name)
    hidden = played(lines, who, "option view.dc=false")
    assert str(DC) not in told(hidden, "Mia")
    assert str(DC) in told(hidden, None)


def test_the_rest_of_a_save_is_told() -> None:
    fight = played(("condition {} slow save=wis dc=17",), "Orc")
    assert "Orc: slow until a save ends it (wis)" in log(fight)
    fight.do("area Orc damage=3 dc=17 save=dex")
    assert "Orc owes the save: dex, 3 damage" in log(fight)
    (due,) = fight.state("Mia")["due"]
    assert due["save"] == {"for": "area", "name": "", "key": "dex"}
    assert due["why"] == "Orc owes a save"


@pytest.mark.parametrize(
    ("keys", "lines", "word"),
    [
        ("hp=9", (), "unhurt"),
        ("hp=9", ("damage Orc 1",), "hurt"),
        ("hp=9", ("damage Orc 5",), "bloodied"),
        ("hp=9", ("damage Orc 9",), "down"),
        ("hp=9", ("damage Orc 2", "out Orc"), "down"),
        ("hp=9", ("out Orc",), "out"),
        ("", (), ""),
        ("", ("damage Orc 3",), ""),
        ("", ("out Orc",), "out"),
    ],
)
def test_players_read_a_word_for_the_health(keys: str, lines: Sequence[str], word: str) -> None:
    fight = Table("classic")
    fight.do("add Ana owner=Mia", f"add Orc {keys}", *lines)
    assert fight.state("Mia")["combatants"][1]["health"] == word


PARTY = ("add Ana owner=Mia", "add Bo kind=pc", "add 2 Orc hp=5")
DUNGEONS = ("dungeon-universalis", "dungeon-track")


@pytest.mark.parametrize("system", DUNGEONS)
def test_enemies_behind_a_door_are_nowhere_until_they_are_met(system: str) -> None:
    fight = Table(system)
    fight.do(*PARTY, "begin", "add Dragon hp=40 rank=leader")
    for name in ("Mia", ""):
        seen = told(fight, name)
        assert [x for x in ("Orc", "Dragon", "reserve", "`meet", "`place") if x in seen] == []
    fight.do('meet Ana with="Orc 1,Orc 2"')
    assert [x["name"] for x in fight.state("Mia")["combatants"]] == ["Ana", "Bo", "Orc 1", "Orc 2"]
    assert log(fight).count("Orc 1 and Orc 2 join the dark side") == 1
    assert "Dragon" not in told(fight, "Mia")


@pytest.mark.parametrize("system", DUNGEONS)
@pytest.mark.parametrize("line", ['meet Ana with="Orc 1,Orc 2"', 'place "Orc 1" "Orc 2"'])
def test_who_is_hidden_stays_hidden_when_it_is_met_or_placed(system: str, line: str) -> None:
    fight = Table(system)
    fight.do(*PARTY, 'hide "Orc 2"', "begin")
    notices = [x.text for x in fight.do(line).notices]
    assert notices == ['Orc 2 stays hidden from the players; `reveal "Orc 2"`']
    assert "Orc 1 joins the dark side" in log(fight)
    assert "Orc 2" not in told(fight, "Mia")
    fight.do('reveal "Orc 2"')
    assert "Orc 2" in told(fight, "Mia")


def test_who_arrives_in_a_later_round_is_told_of_then() -> None:
    fight = Table("classic")
    fight.do(*PARTY[:2], "add Wolf round=2", "begin", "roll Ana 9", "roll Bo 8")
    assert "Wolf" not in told(fight, "Mia")
    fight.do("next 3")
    assert log(fight)[-3:] == ["Round 2 begins", "Wolf joins the dark side", "Wolf arrives"]
    fight.do("undo")
    assert "Wolf" not in json.dumps(fight.state("Mia"))


@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ("kind=pc", ["Jon", "Mia"]),
        ("owner=Jon", ["Jon", "Mia"]),
        ("owner=Jon kind=monster", ["Jon"]),
        ("kind=npc side=heroes", []),
        ("", []),
    ],
)
def test_only_characters_and_own_creatures_are_seen_before_they_arrive(keys: str, seen: list[str]) -> None:
    fight = Table("classic")
    fight.do(*PARTY, f"add Late {keys} round=3", "begin")
    assert [name for name in ("Jon", "Mia", "") if "Late" in told(fight, name)][: len(seen)] == seen
    assert ("Late" in told(fight, "")) == (len(seen) == 2)


def test_a_creature_that_left_the_reserve_stays_unknown() -> None:
    fight = Table("classic")
    fight.do(*PARTY[:2], "add Wolf round=2", "condition Ana cursed of=Wolf", "remove Wolf")
    fight.do("begin", "roll Ana 9", "roll Bo 8", "next 3")
    assert "cursed" in told(fight, "Mia")
    assert "Wolf" not in told(fight, "Mia")


def test_without_a_game_master_the_reserve_is_open() -> None:
    fight = Table("chaos", {"cha.mode": "head-to-head"})
    fight.do("add Ana owner=Mia", "add Bo owner=Jon", "add Wolf owner=Jon kind=monster round=2")
    assert "Wolf" in told(fight, "Mia")
