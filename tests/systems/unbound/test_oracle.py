"""Unbound against a second, naive statement of its rules, over random fights with every option."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.tiers import cases
from tests.kit.watched import State, Watched, due_for_order
from tests.systems.unbound.fights import table
from tests.systems.unbound.habits import HABITS, LOOSE, play_options
from tests.systems.unbound.oracle import Oracle
from tui.core.rules.on_screen import on_screen
from tui.systems.unbound.order import may_pass


class Unbound(Watched[Oracle]):
    """Who chooses, among whom, who may pass, who owes which dice and who is surprised is what must be."""

    def compare(self, new: State, said: str) -> None:
        caught = {c["id"] for c in new["combatants"] if "surprised" in c["marks"]}
        assert caught == {k for k in self.oracle.surprised if k in {c["id"] for c in new["combatants"]}}, said
        due, owed = (
            [(d["who"], d["dice"]) for d in due_for_order(new) if d["kind"] == "roll"],
            self.oracle.owed(new),
        )
        if new["options"]["tie.by_hand"] and len(due) < len(due_for_order(new)):
            assert [who for who, dice in owed if dice == [12]], said
        else:
            assert due == owed, said
        if new["due"]:
            return
        assert [t["entry"] for t in new["track"]] == [k for k in self.oracle.line(new) if k in _sides(new)], (
            said
        )
        if not new["acting"]:
            acts = new["offer"].get("acts", [])
            turns = [a["who"] for a in acts if a["kind"] == "turn"]
            passing = any(a["kind"] == "pass" for a in acts)
            chooser, *_ = expected = self.oracle.offer(new)
            assert (new["offer"].get("chooser", ""), turns, passing) == expected, said
            may = [t["entry"] for t in new["track"] if t["state"] == "may"]
            assert may == [chooser] * (chooser in _sides(new)), said


def _sides(state: dict[str, Any]) -> set[str]:
    return {t["entry"] for t in state["track"]}


def compared(seed: int) -> int:
    random = Random(seed)
    options = dict(play_options(random)) if seed % 3 else {}
    habits = LOOSE if options.get("unb.reset") == "own_faction" else HABITS
    game = Unbound("unbound", habits, random, options, Oracle())
    game.play(40, edits=0.5)
    return game.compared


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_random_fights_go_as_the_second_statement_says(seed: int) -> None:
    compared(seed)


def test_random_fights_are_compared_often() -> None:
    assert sum(compared(seed) for seed in range(5)) > 100


# --- surprise


def test_unb_14_who_could_sneak_up_on_whom_is_listed_with_the_number() -> None:
    t = table()
    found = on_screen(t.store.system).choices(t.encounter, "surprise")
    assert [(x.line, x.note) for x in found] == [
        ("surprise foes by=crew", "11 or more notices them"),
        ("surprise crew by=foes", "10 or more notices them"),
    ]
    t.do(found[0].line)
    t.do("surprised none", 'turn "Raider 1"')
    assert on_screen(t.store.system).choices(t.encounter, "surprise") == ()


@given(st.dictionaries(st.sampled_from("ABCDE"), st.integers(0, 9), min_size=1))
def test_readings_agree_with_two_sides_and_never_let_all_pass_but_by_laps(counts: dict[str, int]) -> None:
    """UNB-8: with two sides all readings but `never` are one; the largest never may pass against its
    equal."""
    for side, own in counts.items():
        combined = may_pass(counts, side, "combined")
        assert not may_pass(counts, side, "never")
        assert not may_pass(counts, side, "each") or combined
        assert not may_pass(counts, side, "two_sides_only") or combined
        if len(counts) == 2:
            assert may_pass(counts, side, "each") == may_pass(counts, side, "two_sides_only") == combined
            assert not (combined and own == max(counts.values()))
