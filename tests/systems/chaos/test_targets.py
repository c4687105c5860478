"""Equal targets and the rest of a multiattack (CHA-19, CHA-20, CHA-22)."""

from __future__ import annotations

import pytest

from tests.kit.table import Table
from tui.core.base.errors import RuleError
from tui.core.rules.complete import complete
from tui.core.rules.on_screen import on_screen


def two_sides() -> Table:
    """The Ogre and its Gob against Ana and Bo; Ana acts first, then the Ogre, Bo, the Gob."""
    t = Table("chaos")
    t.do("add Ogre", "add Gob", "add Ana kind=pc", "add Bo kind=pc", "begin", "lock missing=empty")
    t.do("roll", dice=[15, 5, 20, 10])
    t.do("ok", "next", "next")
    assert t.state()["acting"] == "Ogre"
    return t


def test_the_form_of_target_lists_the_enemies_of_who_acts() -> None:
    t = two_sides()
    form = on_screen(t.store.system).form(t.encounter, "target")
    ((key, listed),) = [(f.key, f.choices) for f in form]
    assert [t.encounter.combatants[k].name for k in listed] == ["Ana", "Bo"]
    lines = on_screen(t.store.system).lines
    assert lines(t.encounter, "target", {key: ",".join(listed)}) == ("target Ogre among=Ana,Bo",)
    assert lines(t.encounter, "target", {key: listed[1]}) == ("target Ogre among=Bo",)
    with pytest.raises(RuleError, match="no creature is ticked"):
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
