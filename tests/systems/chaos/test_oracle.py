"""Random fights with every option, in which the program and the oracle must agree after every line."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.examples import examples
from tests.kit.tiers import cases
from tests.kit.transcript import PLACES
from tests.systems.chaos.duel import Duel
from tui.systems.chaos.system import Chaos


@cases(50)
@given(number=st.integers(0, 10**6))
def test_program_and_oracle_agree(number: int) -> None:
    assert Duel(f"chaos oracle {number}").play(60) > 10


def test_every_clause_is_told_and_tested() -> None:
    here = Path(__file__).parent
    names = re.findall(r"def (test_\w+)", "".join(p.read_text() for p in here.glob("test_*.py")))
    named = {f"CHA-{number.upper()}" for name in names for number in re.findall(r"cha_(a?\d+)_", name)}
    titles = re.findall(
        r"^# .*$", "\n".join(p.read_text("utf-8") for p in PLACES if p.stem == "chaos"), re.MULTILINE
    )
    played = set(re.findall(r"\bCHA-A?\d+\b", "\n".join(titles)))
    tested = named | played | {rule for v in examples("chaos") for rule in v["rules"]}
    assert set(Chaos.clauses) - tested == set()
    assert {f"CHA-{n}" for n in range(1, 30)} <= set(Chaos.clauses)
    assert {f.rule for f in (*Chaos.options, *Chaos.verbs, *Chaos.fields) if f.rule} <= set(Chaos.clauses)
