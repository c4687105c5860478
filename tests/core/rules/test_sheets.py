"""`add` and `set`: dice in numbers, fields of other systems, short forms, maxima, arrivals, aliases."""

from __future__ import annotations

from itertools import permutations

import pytest
from msgspec.structs import replace

from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.rules import transfer
from tui.core.rules.fields import readable
from tui.systems import Registry


def one(t: Table, name: str) -> Combatant:
    return next(c for c in t.encounter.combatants.values() if c.name == name)


def test_numbers_of_creatures_may_be_dice_thrown_for_each_in_roster_order() -> None:
    t = Table("classic")
    t.do("add 2d2 Bat hp=1d6 ac=1d4", dice=[1, 1, 5, 2, 4, 3])
    assert [(c.hp, c.max_hp, c.ac) for c in t.encounter.combatants.values()] == [(5, 5, 4), (2, 2, 3)]
    t.do("set bat* mod=1d4+1", dice=[3, 1])
    assert [c.fields["mod"] for c in t.encounter.combatants.values()] == [4, 2]


@pytest.mark.parametrize(
    "line", ["add Bat hp=1d6-9", "add Bat hp=d", "set Ana hp=99d99d", "add 0d6 Bat", "add Bat hp=3.5"]
)
def test_a_number_that_cannot_be_is_refused(line: str) -> None:
    t = Table("classic", dice=None)
    t.do("add Ana")
    t.refuse(line, dice=[1])


def test_a_field_of_another_system_is_kept_for_it() -> None:
    t = Table("classic")
    t.do("add Ana kind=pc per=4 int=3 size=large", "set Ana rank=leader")
    assert one(t, "Ana").fields == {"kind": "pc", "per": 4, "int": 3, "size": "large", "rank": "leader"}
    t.refuse("add Bo prr=4", "no system has prr", "did you mean per?")
    t.refuse("add Bo size=vast", "size=")
    t.refuse("set Ana mod=much", "mod=")


@pytest.mark.parametrize(
    ("fields", "text", "says"),
    [
        ([Field("size", "size", "choice", ("small", "large"))], "large", ""),
        ([Field("size", "size", "choice", ("small", "large"))], "vast", "small or large"),
        ([Field("size", "size", "choice", ("small", "large")), Field("size", "size")], "4", ""),
        (
            [Field("size", "size"), Field("size", "size", "choice", ("small", "large"))],
            "vast",
            "small or large",
        ),
        (
            [Field("size", "size", "choice", ("small",)), Field("size", "size", "bool")],
            "vast",
            "true or false",
        ),
        ([Field("hp", "hit points")], "2d6+1", ""),
        ([Field("hp", "hit points")], "many", "whole number"),
        ([Field("hp", "hit points")], "", ""),
        ([Field("side", "side", "name")], "a,b", "no comma"),
    ],
)
def test_a_text_is_readable_when_one_of_the_fields_reads_it(
    fields: list[Field], text: str, says: str
) -> None:
    if not says:
        readable(fields, text)
        return
    with pytest.raises(RuleError) as refused:
        readable(fields, text)
    assert says in f"{refused.value.message} {refused.value.hint}"


@pytest.mark.parametrize(
    ("system", "field"),
    [("classic", "mod"), ("dungeon-track", "per"), ("dungeon-universalis", "per"), ("chaos", "bonus")],
)
def test_a_modifier_is_the_field_that_the_system_declares_for_it(system: str, field: str) -> None:
    t = Table(system)
    t.do("add Ana +3 18 ac15")
    assert (one(t, "Ana").fields[field], one(t, "Ana").hp, one(t, "Ana").ac) == (3, 18, 15)
    t.refuse(f"add Bo +3 {field}=2", "there twice")


@pytest.mark.parametrize("system", ["dynamic", "unbound"])
def test_a_system_without_a_modifier_says_so(system: str) -> None:
    Table(system).refuse("add Ana +3", "no modifier")


def test_one_creature_with_bare_hit_points_is_answered_with_how_to_add_many() -> None:
    t = Table("classic")
    said = [x.text for x in t.do("add Orc 6").lines]
    assert any("`add 6 Orc` makes six" in x or "`add 6 Orc` makes 6" in x for x in said)
    assert not any("makes" in x.text for x in t.do("add 2 Orc 6").lines)


def test_hit_points_never_stand_above_the_maximum() -> None:
    t = Table("classic")
    t.do("add Ana 18")
    error = t.refuse("set Ana hp=20", "maximum", "18")
    t.do(error.hint.split("`")[1])
    assert (one(t, "Ana").hp, one(t, "Ana").max_hp) == (20, 20)
    t.do("set Ana max_hp=12")
    assert (one(t, "Ana").hp, one(t, "Ana").max_hp) == (12, 12)
    t.refuse("add Bo hp=9 max_hp=8", "maximum")


def test_who_acts_cannot_be_staged_for_a_later_round() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "begin")
    t.do("roll", dice=[15, 5])
    t.do("next")
    t.refuse("set Ana round=3", "ana is acting")
    t.do("set Bo round=3", "next")
    assert t.state()["acting"] == "Ana"
    assert t.order() == ["Ana"]
    t.do("next")
    assert [d["who"] for d in t.state()["due"]] in ([], ["Bo"])


def test_a_new_system_leaves_alone_what_it_cannot_read_and_names_it() -> None:
    t = Table("dynamic")
    t.do("add Ana bonus=3,1")
    said = [x.text for x in t.do("system chaos").lines]
    assert said[1:] == ["Ana: bonus=3,1 stays Dynamic Initiative System's, Chaos Initiative cannot read it"]
    assert one(t, "Ana").fields == {"dynamic.bonus": [3, 1]}
    assert [x.text for x in t.do("system dynamic").lines][1:] == ["Ana: bonus=3,1 is back"]
    assert one(t, "Ana").fields == {"bonus": [3, 1]}


@pytest.mark.parametrize("new", ["dungeon-track", "dungeon-universalis"])
def test_a_new_system_adds_nothing_that_meant_another_thing_in_the_one_before(new: str) -> None:
    t = Table("classic")
    t.do("add Ana +3 per=3", "add Bo per=1", "add Cy mod=0")
    told = [x.text for x in t.do(f"system {new}").lines]
    title = Registry().get(new).title
    assert [x for x in told if "stays" in x] == [
        f"Ana: mod=3 stays Classic's, {title} would take Classic's modifier for its bonus"
    ]
    assert one(t, "Ana").fields == {"per": 3, "classic.mod": 3}
    t.do("set Ana mod=-2", "system classic")
    assert one(t, "Ana").fields == {"per": 3, "mod": 3, f"{new}.mod": -2}


def test_nor_does_who_comes_from_a_fight_of_another_system() -> None:
    old, new = Table("classic"), Table("dungeon-universalis")
    old.do("add Ana +3 per=1")
    people = transfer.chosen(old.encounter, "")
    systems = Registry()
    dungeon, classic = systems.get("dungeon-universalis"), systems.get("classic")
    came = transfer.entered(new.encounter, people, dungeon, classic, systems)
    assert [c.fields for c in came.encounter.combatants.values()] == [{"per": 1, "classic.mod": 3}]
    back = transfer.entered(
        old.encounter,
        [replace(c, name="Bo") for c in came.encounter.combatants.values()],
        classic,
        dungeon,
        systems,
    )
    assert [c.fields for c in back.encounter.combatants.values()] == [{"mod": 3, "per": 1}] * 2


_TYPICAL = {
    "int": "3",
    "ints": "2,1",
    "bool": "yes",
    "dice": "1d8",
    "text": "strike",
    "creature": "Bo",
    "name": "Bo",
}


def _sheet(system: str) -> str:
    """A value for every field of a system."""
    fields = Registry().get(system).fields
    return " ".join(
        f"{f.key}={f.choices[-1] if f.choices else _TYPICAL[f.kind]}" for f in fields if f.key != "kind"
    )


@pytest.mark.parametrize("through", [1, 2])
@pytest.mark.parametrize("first", Registry().ids())
def test_each_system_finds_its_own_values_again(first: str, through: int) -> None:
    for between in permutations([x for x in Registry().ids() if x != first], through):
        t = Table(first)
        t.do("add Bo", f"add Ana {_sheet(first)}")
        before = one(t, "Ana").fields
        for name in between:
            t.do(f"system {name}", *([f"set Ana {_sheet(name)}"] if _sheet(name) else []))
            own = {f.key for f in Registry().get(name).fields}
            shown = {k: v for k, v in one(t, "Ana").fields.items() if k in own}
        t.do(f"system {first}")
        titles = {f.key: f.title for name in between for f in Registry().get(name).fields}
        theirs = {f.key for f in Registry().get(first).fields if titles.get(f.key) == f.title}
        after = one(t, "Ana").fields
        # What both call the same is one value, and the last that was set.
        assert {k: v for k, v in after.items() if k in before and k not in theirs} == {
            k: v for k, v in before.items() if k not in theirs
        }
        t.do(f"system {between[-1]}")
        assert {k: v for k, v in one(t, "Ana").fields.items() if k in shown} == shown


def test_a_key_may_name_its_system() -> None:
    t = Table("chaos")
    t.do("add Ana classic.mod=3 chaos.bonus=1 dungeon-track.per=2")
    assert one(t, "Ana").fields == {"classic.mod": 3, "bonus": 1, "per": 2}
    t.do("system dungeon-track", "set Ana dungeon-universalis.mod=1")
    assert one(t, "Ana").fields == {"classic.mod": 3, "chaos.bonus": 1, "per": 2, "mod": 1}
    t.do("set Ana classic.mod=", "system classic")
    assert "mod" not in one(t, "Ana").fields
    t.refuse("set Ana nothing.mod=3", "no system has nothing.mod")
    t.refuse("set Ana classic.per=3", "no system has classic.per")


def test_what_two_systems_call_the_same_stays() -> None:
    t = Table("dungeon-track")
    t.do("add Ana +3 mod=2 int=12 rank=leader", "system dungeon-universalis")
    assert one(t, "Ana").fields == {"per": 3, "mod": 2, "int": 12, "rank": "leader"}
    t.do("system unbound")
    assert one(t, "Ana").fields["per"] == 3


def test_players_read_an_alias_everywhere_and_the_game_master_the_name() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia", "add Strahd hp=9", "alias Strahd Stranger", "begin")
    t.do("roll", dice=[5, 15])
    t.do("next", "damage Stranger 2", "condition Strahd prone")
    assert "Strahd" not in str(t.state("Mia"))
    assert "Stranger acts" in t.state("Mia")["now"] or "Stranger" in str(t.state("Mia")["track"])
    assert "Strahd" in str(t.state())
    t.do("alias Strahd none")
    t.refuse("damage Stranger 2", "no combatant")


def test_a_new_name_tells_the_old_one() -> None:
    t = Table("classic")
    t.do("add Ana")
    assert [x.text for x in t.do("rename Ana Zed").lines] == ["Ana is now called Zed"]
    t.do("add Bo")
    assert "numbers" not in str(t.refuse("rename Bo Zed", "already there"))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("add Cult side=cult", "name of a creature"),
        ("add Zed side=Ana", "name of a creature"),
        ("add Zed group=dark", "it is a side"),
    ],
)
def test_a_name_in_use_is_refused_with_who_has_it(line: str, says: str) -> None:
    t = Table("classic")
    t.do("add Ana")
    t.refuse(line, says)


def test_the_dice_of_a_creature_are_the_game_masters() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia")
    t.do("add Lurk hidden=yes hp=2d6", dice=[3, 4])
    assert "d6" not in str(t.state("Mia"))


def told(t: Table, *lines: str) -> str:
    return " ".join(x.text for x in t.do(*lines).lines)


def test_whose_modifier_the_new_system_does_not_read_is_said_with_the_line_that_gives_it() -> None:
    t = Table("chaos")
    t.do("add Ana +3", "add Bo", "add 3 Orc +1", "add Cy bonus=0 classic.mod=0", "add Di +2 classic.mod=1")
    only = "Ana, Orc 1 to 3 have no modifier here, only Chaos Initiative's initiative bonus"
    assert f"{only}; `set Ana mod=3` gives one" in told(t, "system classic")
    t.do("set Ana,orc* mod=1", "system chaos")
    assert "no modifier" not in told(t, "system classic")


@pytest.mark.parametrize("new", ["dynamic", "unbound", "dungeon-track"])
def test_nothing_is_said_where_the_new_system_has_no_such_modifier(new: str) -> None:
    t = Table("chaos")
    t.do("add Ana +3")
    assert "only Chaos" not in told(t, f"system {new}")
