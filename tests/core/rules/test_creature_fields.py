"""Fields of creatures: values, signs, cards, files, and what becomes of them when the system changes."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.strategies import any_text
from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, clean_page
from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter
from tui.core.language.creature_actions import Add
from tui.core.rules.creature_fields import attributes
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.transfer import write_tables
from tui.systems import Registry


def one(t: Table, name: str) -> Combatant:
    return next(c for c in t.encounter.combatants.values() if c.name == name)


REGISTRY = Registry()
KNOWN = tuple(REGISTRY.known())
TEXTS = {"ints": ["2,-1", "3"], "dice": ["d8"], "bool": ["yes"], "name": ["Ana"], "rating": ["1/4", "3"]}


def texts_of(field: Field) -> list[str]:
    """Return some values of a field as a line writes them."""
    if field.kind == "int":
        return [str(n) for n in (-2, 0, 1, 3) if field.least <= n <= field.most]
    return list(field.choices) or TEXTS.get(field.kind, ["word"])


@cases(60)
@given(st.sampled_from(KNOWN), st.sampled_from(KNOWN), st.data())
def test_a_value_keeps_its_key_or_is_dropped_and_named(
    one: InitiativeSystem, other: InitiativeSystem, data: st.DataObject
) -> None:
    if one.id == other.id:
        return
    t = Table(one.id)
    fields = {f.key: data.draw(st.sampled_from(texts_of(f)), f.key) for f in one.fields}
    fields.pop("acts_with", None)
    t.do("add Ana", *(f"set Ana {key}={text}" for key, text in fields.items()))
    before = dict(next(iter(t.encounter.combatants.values())).fields)
    t.do(f"system {other.id}")
    after = dict(next(iter(t.encounter.combatants.values())).fields)
    theirs = {f.key: f.title for f in other.fields}
    ours = {f.key: f.title for f in one.fields}
    dropped = {key for key in before if ours.get(key) != theirs.get(key, ours.get(key))}
    assert after == {key: value for key, value in before.items() if key not in dropped}
    told = "\n".join(m.text for m in t.store.messages(t.store.step))
    assert {key for key in dropped if before[key]} == {key for key in before if f"Ana: {key}=" in told}
    t.do("undo")
    assert dict(next(iter(t.encounter.combatants.values())).fields) == before


def test_only_two_keys_mean_different_things() -> None:
    titles: dict[str, set[str]] = {}
    for system in KNOWN:
        for field in system.fields:
            titles.setdefault(field.key, set()).add(field.title)
    assert {key for key, some in titles.items() if len(some) > 1} == {"adv", "bonus"}


def test_a_value_that_1_1_kept_apart_comes_back_and_none_is_kept_apart_again(tmp_path: Path) -> None:
    saves = Path(__file__).parents[2] / "store" / "saves" / "version_1_1"
    shutil.copy(saves / "keys.toml", tmp_path)
    program = Program(tmp_path, "keys")
    held = {c["name"]: c["fields"] for c in program.state()[0]["combatants"]}
    assert held["Bo"] == {"chaos.bonus": 2, "dynamic.bonus": [2, -1], "mod": 2}
    ended = program.call("do", "system chaos")
    assert "bonus is back" in ended.out
    held = {c["name"]: c["fields"] for c in program.state()[0]["combatants"]}
    assert held["Bo"] == {"bonus": 2, "dynamic.bonus": [2, -1], "mod": 2}
    assert "Bo: bonus=2,-1 is back" in program.call("do", "system dynamic").out
    held = {c["name"]: c["fields"] for c in program.state()[0]["combatants"]}
    assert held["Bo"] == {"bonus": [2, -1], "mod": 2}
    written = (tmp_path / "keys.toml").read_bytes()[len((saves / "keys.toml").read_bytes()) :].decode()
    assert '.bonus",\tvalue' not in written
    program.call("do", "undo 2")
    held = {c["name"]: c["fields"] for c in program.state()[0]["combatants"]}
    assert held["Bo"] == {"chaos.bonus": 2, "dynamic.bonus": [2, -1], "mod": 2}


def test_a_file_of_another_system_leaves_out_what_would_be_misread_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "parties").mkdir()
    (tmp_path / "parties" / "four.toml").write_text(
        'system = "chaos"\n[[combatant]]\nname = "Ana"\nbonus = 3\n"classic.mod" = 2\n"dynamic.count" = 4\n'
    )
    fields = {}
    for system in ("dynamic", "classic", "chaos"):
        program = Program(tmp_path, system)
        program.call("new", "--system", system)
        ended = program.call("do", "party four")
        assert ("left out of four: bonus" in ended.out + ended.err) == (system == "dynamic"), ended
        fields[system] = program.state()[0]["combatants"][0]["fields"]
    assert fields == {
        "dynamic": {"mod": 2, "count": 4},
        "classic": {"bonus": 3, "mod": 2, "count": 4},
        "chaos": {"bonus": 3, "mod": 2, "count": 4},
    }


@pytest.mark.parametrize("system", REGISTRY.ids())
@cases(40)
@given(st.data(), st.integers(0, 9))
def test_a_number_that_has_no_sign_takes_none(system: str, data: st.DataObject, number: int) -> None:
    fields = [
        f for f in attributes(REGISTRY.get(system)) if f.kind == "int" and (f.least >= 0 or f.key == "ac")
    ]
    key = data.draw(st.sampled_from([f.key for f in fields]))
    t = Table(system)
    t.do("add Thora hp=30")
    before = t.state()
    for line in (f"set Thora {key}=+{number}", f"add Bo {key}=+{number}", f"set Thora {key}=+{number}d4"):
        with pytest.raises(RuleError, match="takes the number itself"):
            t.store.run(line)
    assert t.state() == before


def tables(t: Table, *, full: bool = False) -> list[dict[str, Any]]:
    """Everybody as a file has them."""
    e, systems = t.encounter, Registry()
    return write_tables(e.combatants.values(), e, t.store.system, systems, full=full)


def test_a_file_has_what_a_creature_holds_and_no_key_of_what_it_does_not() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia kind=pc +3 hp=18 ac=15 hidden=yes", "add 2 Orc hp=7", "damage Ana 4")
    t.do("condition Ana blessed rounds=2", "condition Ana held save=wis dc=15", "condition Ana prone")
    assert tables(t) == [
        {
            "name": "Ana",
            "hp": 14,
            "max_hp": 18,
            "ac": 15,
            "owner": "Mia",
            "kind": "pc",
            "hidden": True,
            "mod": 3,
            "conditions": ["blessed rounds=2 until=end", "held save=wis dc=15", "prone"],
        },
        {"name": "Orc", "count": 2, "hp": 7},
    ]
    assert "conditions" not in tables(t, full=True)[0]
    assert tables(t, full=True)[0]["hp"] == 18


CARD = "Goblin\n\nScimitar. +4 to hit.\nNimble Escape."


@given(any_text(max_size=300))
def test_a_page_that_was_cleaned_is_clean(text: str) -> None:
    page = clean_page(text)
    assert clean_page(page) == page
    assert all(c == "\n" or c.isprintable() for c in page)
    assert "\n\n\n" not in page
    assert page == page.strip()


@given(any_text(max_size=300), st.integers(1, 40))
def test_a_page_is_cut_where_it_is_too_long(text: str, limit: int) -> None:
    assert len(clean_page(text, limit)) <= limit


@given(st.lists(st.sampled_from(["", "  ", "a", "b  c"])))
def test_of_blank_lines_between_lines_one_is_kept(lines: list[str]) -> None:
    page = clean_page("\n".join(lines))
    assert [x for x in page.split("\n") if x] == [" ".join(x.split()) for x in lines if x.strip()]
    assert "\n\n\n" not in page


def test_a_long_line_of_a_page_is_not_cut_before_the_page_is() -> None:
    assert clean_page("a" * PAGE_LIMIT) == "a" * PAGE_LIMIT


def test_a_card_keeps_its_lines_and_stands_once_in_the_journal() -> None:
    add = Add("Goblin", "6", keys={"hp": "7", "card": CARD})
    d = draft(Encounter(), add, Rules(Registry(), Table("classic").dice))
    people = d.encounter.combatants.values()
    assert [c.card for c in people] == [CARD] * 6
    assert msgspec.json.encode(d.events).count(b"Scimitar") == 1
