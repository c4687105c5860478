"""The order rules of Unbound, stated a second time: plain lists, no code of the program.

It reads the public state as JSON, the dice as they fell and the lines as they were typed, and says whose turn
it is to choose, among whom, who may pass, who owes which dice and who is surprised.
"""

from __future__ import annotations

import shlex
from typing import Any

State = dict[str, Any]


def here(state: State) -> dict[str, list[State]]:
    """The factions of those who are here, in roster order."""
    sides: dict[str, list[State]] = {}
    for c in state["combatants"]:
        if not c["out"] and c["arrives"] <= state["round"]:
            sides.setdefault(c["side"], []).append(c)
    return sides


class Oracle:
    """Dice, moves and whose turn it was."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.rank: dict[str, list[int]] = {}  # the d12 and the roll-offs of a faction
        self.moves: list[tuple[str, str, str]] = []
        self.acted: set[str] = set()  # ids
        self.again: set[str] = set()  # had a turn, and may have another (unb.reset)
        self.last = ""
        self.passed: set[str] = set()
        self.had: set[str] = set()  # a first turn, in this combat
        self.surprised: set[str] = set()
        self.checks: dict[tuple[str, str], int] = {}
        self.made: dict[tuple[str, str], tuple[int, bool]] = {}  # checks that were rolled: missed or not

    # --- what happens

    def step(self, line: str, old: State, dice: list[tuple[str, str, list[int]]], new: State) -> None:
        words = shlex.split(line)
        if old["phase"] == "setup":
            self.forget()
        names = {c["name"]: c for c in old["combatants"]}
        called = int(words[-1]) if words[0] == "total" else 0
        for purpose, who, faces in dice:
            self._fell(purpose, who, faces, called, old)
        if words[0] == "pick":
            base = min((self.rank[k] for k in words[1:]), key=len)
            for place, k in enumerate(words[1:]):
                self.rank[k] = [*base, -place]
        if words[0] == "move":
            who, other = (w[1:] if w[0] == "@" else names[w]["side"] for w in (words[1], words[3]))
            self.moves.append((who, words[2], other))
        if words[0] == "surprise":
            self._sneak(words[1], words[2].removeprefix("by="), old)
        if words[0] == "surprised":
            self._mandate(words[1:], old)
        self._turns(words[0], old, new)
        self._late(new)

    def _fell(self, purpose: str, who: str, faces: list[int], called: int, old: State) -> None:
        if purpose.startswith("init"):
            self.rank[who[1:]] = [faces[0] if faces else called]
        elif purpose.startswith("tie"):
            self.rank[who[1:]] = [*self.rank[who[1:]], faces[0]]
        elif purpose.startswith("notice"):
            by = purpose.split("@", 1)[1].rsplit(" ", 1)[0]
            again = (by, who) not in self.checks
            hard = self.made[by, who][0] if again else self.checks.pop((by, who))
            per = next(c["fields"].get("per", 0) for c in old["combatants"] if c["id"] == who)
            # Of a total that was called no faces are known, and Perception is in it.
            total = sum(faces) + per if faces else called
            missed = total < hard or (total == hard and not old["options"]["unb.tie_notices"])
            self.made[by, who] = hard, missed
            if missed:
                self.surprised.add(who)
            elif again and not any(m for (_, k), (_, m) in self.made.items() if k == who):
                self.surprised.discard(who)

    def _sneak(self, caught: str, by: str, old: State) -> None:
        hard = min(c["fields"].get("stealth", 0) for c in here(old)[by]) + 10
        self.checks |= {(by, c["id"]): hard for c in here(old)[caught]}

    def _mandate(self, words: list[str], old: State) -> None:
        if words == ["none"]:
            self.surprised, self.checks, self.made = set(), {}, {}
            return
        for some in here(old).values():
            caught = {c["id"] for c in some if c["name"] in words and c["id"] not in self.had}
            self.made |= {("GM", k): (0, True) for k in caught - self.surprised}
            self.surprised |= caught

    def _turns(self, verb: str, old: State, new: State) -> None:
        """Whose turn ended, who passed, whose began, whether the round is another."""
        was = next((c["id"] for c in old["combatants"] if c["name"] == old["acting"]), "")
        now = next((c for c in new["combatants"] if c["name"] == new["acting"]), None)
        gone = was not in {c["id"] for c in new["combatants"]}
        ended = was and (verb in ("next", "turn", "end") or not new["acting"] or gone)
        if ended:
            self.acted.add(was)
            self.surprised.discard(was)
        if verb == "pass":
            chooser = old["offer"]["chooser"]
            self.last, self.passed = chooser, {*self.passed, chooser}
        if new["round"] > max(old["round"], 1):
            self.acted, self.again, self.passed = set(), set(), set()
            if new["options"]["unb.next_round"] == "restart":
                self.last = ""
        if now is not None and (ended or not was):
            if now["id"] in self.acted:
                faction = {c["id"] for c in here(new)[now["side"]]}
                self.acted, self.again = self.acted - faction, self.again | faction
            self.last, self.passed = now["side"], set()
            self.had.add(now["id"])

    def _late(self, new: State) -> None:
        """By house rule a late faction comes last."""
        if new["phase"] == "turns" and new["options"]["unb.late_faction"] == "last":
            for side in here(new):
                if side not in self.rank:
                    self.rank[side] = [min(0, *(x[0] for x in self.rank.values()), 0) - 1]

    # --- what must be

    def line(self, state: State) -> list[str]:
        """All factions that ever rolled, first to last; one that is gone keeps its place."""
        sides = [*here(state), *(k for k in self.rank if k not in here(state))]
        order = sorted((k for k in sides if k in self.rank), key=lambda k: [-x for x in self.rank[k]])
        for who, where, other in self.moves:
            order.remove(who)
            order.insert(order.index(other) + (where == "after"), who)
        return order

    def owed(self, state: State) -> list[tuple[str, list[int]]]:
        """Dice for the order, else checks and then roll-offs; checks come behind first rolls."""
        sides, ids = here(state), [c["id"] for some in here(state).values() for c in some]
        name = {c["id"]: c["name"] for c in state["combatants"]}
        order = [c["id"] for c in state["combatants"] if c["id"] in ids]
        checks = [(name[k], [10, 10]) for k in order for by, who in self.checks if who == k]
        first = [(k, [12]) for k in sides if k not in self.rank]
        if first:
            return [*first, *checks]
        off = []
        for own in sorted((self.rank[k] for k in sides), key=lambda rank: [-x for x in rank]):
            rivals = [k for k in sides if self.rank[k][: len(own)] == own]
            off += [
                (k, [12]) for k in sides if self.rank[k] == own and len(rivals) > 1 and (k, [12]) not in off
            ]
        return [*checks, *off]

    def offer(self, state: State) -> tuple[str, list[str], bool]:
        """Who chooses, among whom, and whether passing is offered; "" when the round is over."""
        sides, reset = here(state), state["options"]["unb.reset"] == "own_faction"
        left = {k: sum(c["id"] not in self.acted | self.again for c in some) for k, some in sides.items()}
        if not any(left.values()):
            return "", [], False
        order = self.line(state)
        at = order.index(self.last) + 1 if self.last in order else 0
        for side in [*order[at:], *order[:at]]:
            some = [c["name"] for c in sides.get(side, []) if c["id"] not in self.acted]
            if not some and reset and not left.get(side):
                some = [c["name"] for c in sides.get(side, [])]
            if some:
                others = {k: n for k, n in left.items() if k != side}
                waiting = {k for k, n in others.items() if n}
                may = self._may_pass(left[side], list(others.values()), state["options"]["unb.pass"])
                return side, some, may and not waiting <= self.passed
        return "", [], False

    def _may_pass(self, own: int, others: list[int], reading: str) -> bool:
        if not own or not others or reading == "never":
            return False
        if reading == "each":
            return all(own < n / 2 for n in others)
        if reading == "two_sides_only" and len(others) != 1:
            return False
        return own < sum(others) / 2
