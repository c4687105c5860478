"""Played fights through the real program: the files of tests/scenarios, expectation by expectation."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.kit.program import Program

FILES = sorted((Path(__file__).parent / "scenarios").glob("*.toml"))
VOLATILE = {"step", "last", "now", "can_undo", "can_redo"}
State = dict[str, Any]


def _acts(s: State, kind: str) -> list[str]:
    return [x.get("who", "") for x in s["offer"].get("acts", []) if x["kind"] == kind]


def _due(s: State, kind: str) -> list[State]:
    return [d for d in s["due"] if d["kind"] == kind]


def _fits(want: Any, got: Any) -> bool:
    if want == {"empty": True}:
        return not got
    if isinstance(want, dict):
        return all(k in got and _fits(v, got[k]) for k, v in want.items())
    if isinstance(want, list):
        return len(want) == len(got) and all(map(_fits, want, got))
    return type(want) is type(got) and bool(want == got)


def _by(items: list[State], key: str, want: State) -> bool:
    return _fits(want, {x[key]: x for x in items})


def _names(s: State) -> set[str]:
    found = (
        {c["name"] for c in s["combatants"]} | {o["who"] for o in s["orders"]} | {d["who"] for d in s["due"]}
    )
    for row in s["track"]:
        found |= {row["entry"], *row["members"]}
    return found | set(_acts(s, "turn"))


def _settled(s: State) -> State:
    return {k: v for k, v in s.items() if k not in VOLATILE}


Check = Callable[[Any, State, str], bool]
CHECKS: dict[str, Check] = {
    "order": lambda w, s, _: w == [r["entry"] for r in s["track"] if r["state"] != "out"],
    "may": lambda w, s, _: sorted(w) == sorted(_acts(s, "turn")),
    "may_pass": lambda w, s, _: w == bool(_acts(s, "pass")),
    "rolls": lambda w, s, _: w == {d["who"]: d["dice"] for d in _due(s, "roll")},
    "rolls_in_order": lambda w, s, _: w == [[d["who"], *d["dice"]] for d in _due(s, "roll")],
    "owes": lambda w, s, _: sorted(w) == sorted(d["who"] for d in _due(s, "form")),
    "due_kinds": lambda w, s, _: sorted(w) == sorted({d["kind"] for d in s["due"]}),
    "picks": lambda w, s, _: sorted(w) == sorted(n for d in _due(s, "pick") for n in d["names"]),
    "value": lambda w, s, _: _by(s["track"], "entry", {k: {"value": v} for k, v in w.items()}),
    "states": lambda w, s, _: _by(s["track"], "entry", {k: {"state": v} for k, v in w.items()}),
    "who": lambda w, s, _: _by(s["combatants"], "name", w),
    "side": lambda w, s, _: _by(s["sides"], "name", w),
    "orders_of": lambda w, s, _: _by(s["orders"], "who", w),
    "orders_seen": lambda w, s, _: sorted(w) == sorted(o["who"] for o in s["orders"]),
    "caught": lambda w, s, _: sorted(w) == sorted(s["outcome"].get("caught", [])),
    "absent": lambda w, s, _: not set(w) & _names(s),
    "silent": lambda w, _, text: not any(t.lower() in text.lower() for t in w),
    "says": lambda w, _, text: all(t.lower() in text.lower() for t in w),
}


def _expect(step: State, state: State, text: str, marks: dict[str, State]) -> None:
    for key, want in step.get("expect", {}).items():
        if key == "same":
            assert _settled(state) == _settled(marks[want])
        elif key in CHECKS:
            assert CHECKS[key](want, state, text), (step, key, want, state)
        else:
            assert _fits(want, state[key]), (step, key, want, state[key])


def _refused(program: Program, step: State) -> None:
    rule = step["refused"] if isinstance(step["refused"], dict) else {}
    lines = step["do"]
    if "line" not in rule and lines[:-1]:
        assert program.do(*lines[:-1]).code == 0
    before = program.state()[0]
    ended = program.do(*(lines if "line" in rule else lines[-1:]), dice=step.get("dice"))
    assert ended.code == 1, (step, ended)
    assert "line" in rule or program.state()[0] == before
    said = f"{ended.error['message']} {ended.error['hint']}".lower()
    assert all(t.lower() in said for t in rule.get("message_has", [])), (step, said)
    assert all(ended.error[k] == rule[k] for k in ("line", "kind") if k in rule), (step, ended.error)


@pytest.mark.parametrize("file", FILES, ids=[f.stem for f in FILES])
def test_a_played_fight_goes_as_written(file: Path, tmp_path: Path) -> None:
    scenario = tomllib.loads(file.read_text())
    program = Program(tmp_path)
    usual = {"zero.pc": "nothing", "zero.monster": "nothing"}
    usual |= {"classic.tie": "rolloff"} if scenario["system"] == "classic" else {}
    rules = usual | scenario.get("options", {})  # the scenarios are older than the rules of new fights
    options = [f"{k}={str(v).lower() if isinstance(v, bool) else v}" for k, v in rules.items()]
    made = program.call("new", "--system", scenario["system"], *(w for o in options for w in ("--option", o)))
    assert made.code == 0, made.err
    marks: dict[str, State] = {}
    for step in scenario["step"]:
        if "refused" in step:
            _refused(program, step)
        elif step.get("do"):
            ended = program.do(*step["do"], dice=step.get("dice"))
            assert ended.code == 0, (step, ended.err)
        state, text = program.state(step.get("as"))
        _expect(step, state, text, marks)
        if "remember" in step:
            marks[step["remember"]] = state
