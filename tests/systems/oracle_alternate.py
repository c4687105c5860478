"""The rules of alternating sides, stated a second time: plain lists, no code of the program.

It reads the public state as JSON, the dice as they fell and the lines as they were typed, and says who rolls
or names, which side chooses among whom, and how the track stands.
"""

from __future__ import annotations

import shlex
from typing import Any

from tests.systems.oracle_late import Late

State = dict[str, Any]
Row = tuple[str, str]
"""Name and side of a creature or group."""


def here(state: State) -> list[State]:
    return [c for c in state["combatants"] if not c["out"] and c["arrives"] <= state["round"]]


def rows(state: State, late: Late | None = None) -> list[Row]:
    """Creatures and groups in roster order, with the side of the first of them.

    With `late` only those of which somebody still has a turn.
    """
    found: dict[str, Row] = {}
    waiting: set[str] = set()
    for c in here(state):
        name = c["group"] or c["name"]
        found.setdefault(name, (name, c["side"]))
        if late and late.open(c):
            waiting.add(name)
    return [row for name, row in found.items() if not late or name in waiting]


class Oracle:
    """What is known of the fight so far."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.joined: list[str] = []
        self.die = 0
        self.named = ""
        self.first = ""
        self.last = ""
        self.late = Late()

    # --- what happens

    def step(self, line: str, old: State, dice: list[tuple[str, str, list[int]]], new: State) -> None:
        words = shlex.split(line)
        if old["phase"] == "setup":
            self.forget()
        self.late.step(old, new)
        for c in here(new):
            if c["side"] not in self.joined:
                self.joined.append(c["side"])
        fallen = [faces for _, who, faces in dice if who == "@heroes"]
        if fallen:
            self.die = fallen[0][0] if fallen[0] else int(words[-1])
        if words[0] == "pick":
            self.named = words[1]
        if new["phase"] == "turns" and (old["phase"] != "turns" or fallen):
            self.first = self.begins(new)
        if new["round"] > max(old["round"], 1):
            if new["options"]["alt.next"] == "other" and self.last:
                at = self.joined.index(self.last) + 1
                self.first = [*self.joined[at:], *self.joined][0]
            self.last = ""
        if words[0] in ("next", "turn") and new["acting"]:
            self.last = dict(rows(new))[new["acting"]]

    # --- what must be

    def begins(self, state: State) -> str:
        """The side that begins the fight."""
        sides = self.present(state)
        others = [side for side in sides if side != "heroes"]
        if not sides:
            return ""
        if not others:
            return "heroes"
        first = state["options"]["alt.first"]
        if first == "gm" and self.named in sides:
            return self.named
        ahead = first == "heroes" or (first == "roll" and self.die in (6, 7, 8, 9, 10))
        return "heroes" if ahead and "heroes" in sides else others[0]

    def present(self, state: State) -> list[str]:
        return [side for side in self.joined if side in {c["side"] for c in here(state)}]

    def owed(self, state: State) -> list[tuple[str, str, list[Any]]]:
        """Who owes a roll or a choice: its kind, who, and the dice or the names."""
        sides, first = self.present(state), state["options"]["alt.first"]
        if state["phase"] != "rolls":
            return []
        if first == "roll" and "heroes" in sides and not self.die:
            return [("roll", "heroes", [10])]
        if first == "gm" and len(sides) > 1 and self.named not in sides:
            return [("pick", "GM", sides)]
        return []

    def turned(self, first: str) -> list[str]:
        """All sides in order of joining, beginning with one of them."""
        at = self.joined.index(first) if first in self.joined else 0
        return self.joined[at:] + self.joined[:at]

    def offer(self, state: State) -> tuple[str, list[str]]:
        """The side that chooses, and among whom; "" when all have acted."""
        waiting = rows(state, self.late)
        order = self.turned(self.first)
        if self.last:
            order = self.turned(self.last)
            order = order[1:] + order[:1]
        for side in order:
            if names := [name for name, own in waiting if own == side]:
                return side, names
        return "", []

    def spent(self, state: State, name: str) -> str:
        """The state of a row without a turn: barred if nobody in it has had one."""
        people = [c for c in here(state) if (c["group"] or c["name"]) == name]
        return "done" if any("acted" in c["marks"] for c in people) else "barred"

    def track(self, state: State) -> list[tuple[str, str]]:
        """Names and states, side by side from the one that begins."""
        side, names = ("", []) if self.owed(state) or state["phase"] != "turns" else self.offer(state)
        left = [name for name, _ in rows(state, self.late)]
        said = []
        for key in self.turned(self.first):
            for name, own in rows(state):
                if own == key:
                    may = not state["acting"] and own == side and name in names
                    what = "may" if may else "waits" if name in left else self.spent(state, name)
                    said.append((name, "now" if name == state["acting"] else what))
        return said
