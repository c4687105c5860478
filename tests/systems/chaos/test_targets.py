"""Equal targets and the rest of a multiattack (CHA-19, CHA-20, CHA-22)."""

from __future__ import annotations

import pytest

from tests.systems.chaos.fights import fight, said, turns
from tests.table import Table
from tui.core.base.errors import RuleError
from tui.core.rules.complete import complete
from tui.core.rules.on_screen import on_screen


def test_cha_22_of_equals_the_last_in_the_order() -> None:
    t = turns()
    t.do("target Orc among=Ana,Bo")
    assert t.state()["outcome"] == {"kind": "target", "who": "Orc", "target": "Bo", "style": ""}
    assert said(t) == ["Orc attacks Bo: the last of them in the order (CHA-22)"]
    t.do("out Bo", "target Orc among=@red")
    assert t.state()["outcome"]["target"] == "Ana"
    assert t.refuse("target Orc among=Bo", "nobody").rule == "CHA-22"
    assert t.refuse("target Orc", "among=").rule == "CHA-22"
    assert t.refuse("target Orc among=Orc,Ana", "own target").rule == "CHA-22"
    t.refuse("target among=Ana", "WHO")
    assert fight().refuse("target Orc among=Ana", "not known").rule == "CHA-22"


def test_cha_22_a_row_of_several_can_be_the_target() -> None:
    t = Table("chaos")
    t.do("add 2 Wolf group=Pack", "add Ana", "add Bo", "begin", "lock missing=empty")
    t.do("roll", dice=[5, 18, 12])
    t.do("ok", "target Ana among=Bo,Pack")
    assert t.state()["outcome"]["target"] == "Pack"
    t.do('out "Wolf 2"', "target Ana among=wolf*")
    assert t.state()["outcome"]["target"] == "Wolf 1"
    assert t.refuse('target "Wolf 1" among=Pack', "own target").rule == "CHA-22"


def test_cha_20_without_melee_ranged_without_both_lost() -> None:
    t = turns()
    t.do("out Ana", 'redirect Orc melee="Ana:1" ranged="Bo:30"')
    assert t.state()["outcome"] == {"kind": "target", "who": "Orc", "target": "Bo", "style": "ranged"}
    assert said(t)[-1].endswith("(CHA-20)")
    t.do("redirect Orc")
    assert t.state()["outcome"] == {"kind": "target", "who": "Orc", "target": "", "style": "lost"}
    assert said(t) == ["Orc has nobody in reach: the remaining attacks are lost (CHA-20)"]


@pytest.mark.parametrize(
    "line",
    [
        "redirect Orc melee=Ana",
        "redirect Orc melee=Ana:near",
        "redirect Orc far=Ana:1",
        "redirect Orc melee=Ghost:1",
        "redirect Orc melee=Ana:-1",
    ],
)
def test_cha_19_distances_must_be_said(line: str) -> None:
    turns().refuse(line)


def two_sides() -> Table:
    """The Ogre and its Gob against Ana and Bo; Ana acts first, then the Ogre, Bo, the Gob."""
    t = Table("chaos")
    t.do("add Ogre", "add Gob", "add Ana kind=pc", "add Bo kind=pc", "begin", "lock missing=empty")
    t.do("roll", dice=[15, 5, 20, 10])
    t.do("ok", "next", "next")
    assert t.state()["acting"] == "Ogre"
    return t


def test_cha_19_the_rest_goes_to_enemies_only() -> None:
    t = two_sides()
    error = t.refuse('redirect Ogre melee="Gob:5,Ana:10"', "Gob is on the side of Ogre")
    assert (error.rule, error.hint) == ("CHA-19", "`redirect Ogre melee=Ana:10`")
    t.do(error.hint.strip("`"))
    assert t.state()["outcome"]["target"] == "Ana"


def test_cha_22_friends_may_be_equals_but_not_beside_enemies() -> None:
    t = two_sides()
    error = t.refuse("target Ogre among=Gob,Ana", "Gob is on the side of Ogre")
    assert (error.rule, error.hint) == ("CHA-22", "`target Ogre among=Ana`")
    t.do("target Ogre among=Gob")
    assert t.state()["outcome"]["target"] == "Gob"
    t.do("target Ana among=Gob,Ogre")
    assert t.state()["outcome"]["target"] == "Gob"


def test_the_form_of_target_lists_the_enemies_of_who_acts() -> None:
    t = two_sides()
    form = on_screen(t.store.system).form(t.encounter, "target")
    ((key, listed),) = [(f.key, f.choices) for f in form]
    assert [t.encounter.combatants[k].name for k in listed] == ["Ana", "Bo"]
    lines = on_screen(t.store.system).lines
    assert lines(t.encounter, "target", {key: ",".join(listed)}) == ("target Ogre among=Ana,Bo",)
    assert lines(t.encounter, "target", {key: listed[1]}) == ("target Ogre among=Bo",)
    with pytest.raises(RuleError, match="nobody is ticked"):
        lines(t.encounter, "target", {})
    t.do("end")
    assert on_screen(t.store.system).form(t.encounter, "target") == ()


def test_the_form_of_redirect_sorts_distances_by_reach() -> None:
    t = two_sides()
    t.do('rename Bo "Bo Two"')
    form = on_screen(t.store.system).form(t.encounter, "redirect")
    assert [f.title for f in form] == ["melee reach", "range", "Ana", "Bo Two"]
    (ana, bo) = [f.key for f in form[2:]]
    lines = on_screen(t.store.system).lines
    near = {"melee": "2", "ranged": "", ana: "2", bo: "3"}
    assert lines(t.encounter, "redirect", near) == ("redirect Ogre melee=Ana:2",)
    far = {"melee": "1", "ranged": "30", ana: "30", bo: "24"}
    assert lines(t.encounter, "redirect", far) == ('redirect Ogre ranged="Ana:30,Bo Two:24"',)
    t.do(*lines(t.encounter, "redirect", far))
    assert t.state()["outcome"] == {"kind": "target", "who": "Ogre", "target": "Bo Two", "style": "ranged"}
    assert lines(t.encounter, "redirect", {"melee": "1", ana: "", bo: "9"}) == ("redirect Ogre",)


@pytest.mark.parametrize(
    ("begun", "line"),
    [
        ("target ", "target Ogre among=Ana,Bo"),
        ("target Ogre among=", "target Ogre among=Ana,Bo"),
        ("redirect Ogre", "redirect Ogre melee=Ana:1,Bo:1"),
        ("react Ana with s", "react Ana with seen => strike"),
        ("else Ogre ", "else Ogre action"),
        ("fire ", "fire Ana"),
    ],
)
def test_what_the_verbs_could_mean_completes_the_line(begun: str, line: str) -> None:
    t = Table("chaos")
    t.do("add Ogre", "add Gob", "add Ana kind=pc", "add Bo kind=pc", "begin")
    t.do('order Ana ready=shoot reaction="seen => strike"', 'order Ogre action="bite or else claw"')
    t.do("lock missing=empty")
    t.do("roll", dice=[15, 5, 20, 10])
    t.do("ok", "next", "next")
    found = complete(begun, t.encounter, t.store.system)
    assert found[0] == line
    assert len({x.strip() for x in found}) == len(found)
    t.do(line)
