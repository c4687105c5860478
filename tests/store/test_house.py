"""House rules of a table: what `:house` writes is what the next fight has; other lines stay."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.program import Program
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.language import values
from tui.core.rules.upkeep import rules_of_new_fights
from tui.store.house import house_fields, keep_house, load_house
from tui.systems import Registry

SYSTEMS = Registry()
OTHERS = (
    "",
    'theme = "light"\n',
    'theme = "light"\n\n[keys]\nnext = "enter"\n',
    '[options]\n# of all evenings\nzero.pc = "out"\n"strange" = 1\n[keys]\nnext = "enter"\n',
    "[options]",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("config")


@pytest.mark.parametrize("system", SYSTEMS.ids())
@cases(30)
@given(data=st.data(), before=st.sampled_from(OTHERS))
def test_what_is_written_is_read_again_and_every_other_line_stays(
    system: str, data: st.DataObject, before: str, place: Path
) -> None:
    path = place / "config.toml"
    path.write_text(before)
    fields = {f.key: f for f in house_fields(SYSTEMS.get(system)) if f.kind in ("choice", "bool")}
    rules = {}
    for key in data.draw(st.lists(st.sampled_from(sorted(fields)), unique=True, max_size=4)):
        words = fields[key].choices or ("true", "false")
        rules[key] = values.read_value(fields[key], data.draw(st.sampled_from(words)))
    keep_house(str(place), SYSTEMS.get(system), rules)
    text = path.read_text()
    read = load_house(str(place), SYSTEMS)
    usual = rules_of_new_fights(SYSTEMS.get(system))
    meant = {key: fields[key].default for key in usual} | rules
    made = {k: values.spell(v) for k, v in usual.items()} | dict(read.rules)
    assert made == {k: values.spell(v) for k, v in meant.items()}, "the next fight has what this one has"
    assert not [k for k, v in usual.items() if read.rules.get(k) == values.spell(v)], "what it has anyway"
    old, new = tomllib.loads(before), tomllib.loads(text)
    assert old | {"options": 0} == new | {"options": 0}
    assert [x for x in before.splitlines() if "zero.pc" not in x and x not in text.splitlines()] == []
    assert any("strange" in fault and "line" in fault for fault in read.faults) == ("strange" in before)


def test_a_table_that_cannot_be_kept_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for text in ('[options.zero]\npc = "out"\n', 'options = { "zero.pc" = "out" }\n'):
        path.write_text(text)
        with pytest.raises(RuleError, match="not one plain table"):
            keep_house(str(tmp_path), SYSTEMS.get("classic"), {"zero.pc": "dying"})
        assert path.read_text() == text
        assert load_house(str(tmp_path), SYSTEMS).rules == {"zero.pc": "out"}


def test_a_new_fight_takes_what_its_system_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOCSIN_CONFIG", str(tmp_path))
    (tmp_path / "config.toml").write_text(
        '[options]\n"zero.pc" = "nothing"\n"trk.tie" = "heroes_first"\n"zero.pcs" = "out"\n"zero.npc" = 3\n'
    )

    def made(name: str, *words: str) -> tuple[dict[str, object], str]:
        program = Program(tmp_path, name)
        ended = program.call("new", *words)
        assert ended.code == 0
        options = program.state()[0]["options"]
        return {key: options[key] for key in ("zero.pc", "trk.tie") if key in options}, ended.err

    options, told = made("a")
    assert options == {"zero.pc": "nothing"}
    assert "config.toml, line 4: there is no house rule zero.pcs; did you mean zero.pc?" in told
    assert "config.toml, line 5: zero.npc" in told
    assert made("b", "--system", "dungeon-track")[0] == {"zero.pc": "nothing", "trk.tie": "heroes_first"}
    assert made("c", "--option", "zero.pc=out")[0] == {"zero.pc": "out"}
    assert made("d", "--no-house") == ({"zero.pc": "dying"}, "")
