"""A value stays under its key when the system changes, unless the new system would misread it."""

from __future__ import annotations

import shutil
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.table import Table
from tests.kit.tiers import cases
from tui.core.fight.agenda import Field
from tui.core.rules.system import InitiativeSystem
from tui.systems import Registry

REGISTRY = Registry()
SYSTEMS = tuple(REGISTRY.known())
TEXTS = {"ints": ["2,-1", "3"], "dice": ["d8"], "bool": ["yes"], "name": ["Ana"], "rating": ["1/4", "3"]}


def texts_of(field: Field) -> list[str]:
    """Return some values of a field as a line writes them."""
    if field.kind == "int":
        return [str(n) for n in (-2, 0, 1, 3) if field.least <= n <= field.most]
    return list(field.choices) or TEXTS.get(field.kind, ["word"])


@cases(60)
@given(st.sampled_from(SYSTEMS), st.sampled_from(SYSTEMS), st.data())
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
    for system in SYSTEMS:
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
