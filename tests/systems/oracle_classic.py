"""The order rules of the common d20 game, stated a second time: plain lists, no code of the program.

It reads the public state as JSON, the dice as they fell and the lines as they were typed, and says what the
track, the dice that are owed and the offer must be. Rows are ids, or `@group`.
"""

from __future__ import annotations

import shlex
from typing import Any

State = dict[str, Any]


def row_of(c: State) -> str:
    return f"@{c['group']}" if c["group"] else str(c["id"])


def here(state: State) -> dict[str, list[State]]:
    """The rows of those who are here, in roster order."""
    rows: dict[str, list[State]] = {}
    for c in state["combatants"]:
        if not c["out"] and c["arrives"] <= state["round"]:
            rows.setdefault(row_of(c), []).append(c)
    return rows


def coming(state: State) -> bool:
    """Whether a later round brings somebody."""
    return any(not c["out"] and c["arrives"] > state["round"] for c in state["combatants"])


class Oracle:
    """What the fight has rolled and moved so far."""

    def __init__(self) -> None:
        self.forget()
        self.fixed: dict[str, int] = {}

    def forget(self) -> None:
        self.number: dict[str, int] = {}
        self.bonus: dict[str, int] = {}  # the modifier of that moment
        self.ours: dict[str, bool] = {}  # on a side with a player's character
        self.edge: dict[str, str] = {}  # and the advantage
        self.thrown: dict[str, list[int]] = {}  # in roll-offs
        self.rolled_by: dict[str, str] = {}  # rows that came out of another row share its roll
        self.rule: dict[int, str] = {}
        self.moves: list[tuple[str, str, str]] = []
        self.seats: dict[str, int] = {}  # where a row's first creature stands in the roster, also of one gone
        self.lent: set[int] = set()  # moves to another's fixed place, as long as both stand at one

    # --- what happens

    def step(self, line: str, old: State, dice: list[tuple[str, str, list[int]]], new: State) -> None:
        words = shlex.split(line)
        everybody, option = {c["name"]: row_of(c) for c in old["combatants"]}, new["options"]
        if words[0] == "begin" or old["phase"] == "setup":
            self.forget()
        self._regrouped(old, new)
        if words[0] == "reroll":
            self.forget()
        for purpose, who, faces in dice:
            self._fell(purpose, who, faces or [int(words[-1])], old, called=not faces)
        if words[0] == "move":
            self._move(everybody[words[1]], words[2], everybody[words[3]])
        if words[0] == "pick":
            self._picked([{**everybody, **{k[1:]: k for k in here(old)}}[w] for w in words[1:]])
        self._delayed(words[0], old, new)
        if option["classic.reroll"] == "each_round" and new["round"] > max(old["round"], 1):
            self.forget()
        gone = {k: v for k, v in self.fixed.items() if k not in here(new)}
        self.fixed = {**gone, **self._fixed_now(new)}
        if new["phase"] == "turns" and not self.owed(new):
            self._keep_rules(new)

    def _fixed_now(self, state: State) -> dict[str, int]:
        told = {t["entry"]: int(t["value"]) for t in state["track"] if t["why"].startswith("a fixed place")}
        return {k: told[self._label(state, k)] for k in here(state) if self._label(state, k) in told}

    def _fell(self, purpose: str, who: str, faces: list[int], old: State, *, called: bool) -> None:
        if purpose.startswith("tie"):
            for k in self._one_roll(who):
                self.thrown[k] = [*self.thrown.get(who, []), faces[0]] if k != who else self.thrown.get(k, [])
            self.thrown[who] = [*self.thrown.get(who, []), faces[0]]
        elif purpose.startswith("init"):
            if not (again := who in self.number):
                members = here(old)[who]
                self.edge[who] = self._edge(members, old)
                heroes = {
                    c["side"] for c in old["combatants"] if c["owner"] or c["fields"].get("kind") == "pc"
                }
                self.ours[who] = any(c["side"] in heroes for c in members)
                self.bonus[who] = max(c["fields"].get("mod", 0) for c in members)
            edge = self.edge[self.rolled_by.get(who, who)]
            face = (min(faces) if edge == "dis" else max(faces)) + self.bonus[who] * (not called)
            if again:
                self._corrected(who, face)
            else:
                self.number[who] = face

    def _corrected(self, who: str, number: int) -> None:
        """All rows of one roll go along; roll-offs count among those that stand level."""
        was, roll = self.number[who], self.rolled_by.get(who, who)
        for k in [k for k in self.number if self.rolled_by.get(k, k) == roll]:
            self.number[k] += number - was
            self.thrown.pop(k, None)
        equals = [k for k, value in self.number.items() if value == was]
        if len({self.rolled_by.get(k, k) for k in equals}) <= 1:
            self.rule.pop(was, None)
            for k in equals:
                self.thrown.pop(k, None)

    def _one_roll(self, who: str) -> list[str]:
        """The rows that share a roll and stand level."""
        roll = self.rolled_by.get(who, who)
        return [k for k in self.number if self.rolled_by.get(k, k) == roll and self._key(k) == self._key(who)]

    def _edge(self, members: list[State], state: State) -> str:
        said = {c["fields"]["adv"] for c in members if c["fields"].get("adv")}
        edge = said.pop() if len(said) == 1 else ""
        caught = state["options"]["classic.surprise"] == "slow" and all(
            "surprised" in c["marks"] for c in members
        )
        return {"adv": ""}.get(edge, "dis") if caught else edge

    def _picked(self, rows: list[str]) -> None:
        base = min((self.thrown.get(k, []) for k in rows), key=len)
        for place, k in enumerate(rows):
            for same in self._one_roll(k):
                self.thrown[same] = [*base, -place]

    def _move(self, who: str, where: str, other: str) -> None:
        self.moves.append((who, where, other))

    def _regrouped(self, old: State, new: State) -> None:
        """A row that is new has number and place of the best who came into it."""
        was = {c["id"]: row_of(c) for c in old["combatants"]}
        came: dict[str, list[str]] = {}
        for c in new["combatants"]:
            if c["id"] in was and was[c["id"]] != row_of(c):
                came.setdefault(row_of(c), []).append(c["id"])
        for row, ids in came.items():
            others = [c for c in new["combatants"] if row_of(c) == row and c["id"] not in ids]
            place, numbered, bunch = self._fixed_now(new).get(row), row in self.number, row[0] == "@"
            if (bunch and others and (place is not None or numbered)) or (numbered and not bunch):
                continue
            if place is not None:
                same = [
                    k for k in self.line(old) if k in {was[i] for i in ids} and self.fixed.get(k) == place
                ]
                if same and self.moves:
                    self.lent.add(len(self.moves))
                    self._stand_in(row, same[0], new)
                continue
            best = next((k for k in self.line(old) if k in {was[i] for i in ids} and k in self.number), None)
            if best is not None:
                self.number[row], self.bonus[row] = self.number[best], self.bonus[best]
                self.ours[row] = self.ours[best]
                self.thrown[row] = list(self.thrown.get(best, []))
                self.rolled_by[row] = self.rolled_by.get(best, best)
                if self.moves:  # else numbers alone put it there, rows of one roll in roster order
                    self._stand_in(row, best, new)

    def _stand_in(self, row: str, other: str, new: State) -> None:
        rows = [row_of(c) for c in new["combatants"]]
        behind = other in here(new) and rows.index(row) > rows.index(other)
        self._move(row, "after" if behind else "before", other)

    def _delayed(self, verb: str, old: State, new: State) -> None:
        """Who had delayed and acts now stands from now on where the round has come to."""
        delayed = [c for c in old["combatants"] if "delays" in c["marks"]]
        started = {row_of(c) for c in delayed} & {
            k for k in here(new) if self._label(new, k) == new["acting"]
        }
        for k in started if not self._still(delayed, new) else ():
            before = [x for x in self.line(old) if x in here(old) and x != k]
            cut = [x for x in before if verb == "act" and self._label(old, x) == old["acting"]]
            waits = {x for x, some in here(new).items() if self._open(some)} - {row_of(c) for c in delayed}
            ahead = [x for x in before if x in waits]
            at = before.index((cut or ahead)[0]) if cut or ahead else len(before)
            if [*before[:at], k, *before[at:]] != [x for x in self.line(old) if x in here(old)]:
                beside = before[at] if cut or not at else before[at - 1]
                self._move(k, "before" if cut or not at else "after", beside)

    def _still(self, delayed: list[State], new: State) -> bool:
        ids = {c["id"] for c in delayed}
        acting = [
            c for c in new["combatants"] if c["id"] in ids and self._label(new, row_of(c)) == new["acting"]
        ]
        return any("delays" in c["marks"] for c in acting)

    def _keep_rules(self, state: State) -> None:
        """A tie that is settled stays settled by the rule of that moment."""
        found: dict[int, set[str]] = {}
        for k in here(state):
            if k in self.number and k not in self.fixed:
                found.setdefault(self.number[k], set()).add(self.rolled_by.get(k, k))
        for value, rolls in found.items():
            if len(rolls) > 1:
                self.rule.setdefault(value, state["options"]["classic.tie"])
        self.option = state["options"]["classic.tie"]

    # --- what must be

    def _key(self, k: str, option: str = "") -> tuple[Any, ...]:
        if k in self.fixed:
            return (-self.fixed[k], 1, 0, ())
        rule = self.rule.get(self.number[k], option)
        return (
            -self.number[k],
            0,
            {"mod": -self.bonus[k], "heroes": -2 * self.bonus[k] - self.ours[k]}.get(rule, 0),
            tuple(-x for x in self.thrown.get(k, [])),
        )

    def line(self, state: State) -> list[str]:
        """All rows that ever had a number, first to act first; who is gone keeps the place for the others."""
        option = state["options"]["classic.tie"]
        self.seats |= {row_of(c): int(c["id"][1:]) for c in reversed(state["combatants"])}
        known = dict.fromkeys([*here(state), *self.number, *self.fixed])  # who is gone stands behind equals
        rows = [k for k in known if k in self.number or k in self.fixed]
        rows.sort(key=lambda k: self.seats.get(k, int(k[1:]) if k[0] == "c" else 0))
        rows.sort(key=lambda k: self._key(k, option))
        for number, (who, where, other) in enumerate(self.moves):
            if who in rows and other in rows and (number not in self.lent or {who, other} <= {*self.fixed}):
                rows.remove(who)
                rows.insert(rows.index(other) + (where == "after"), who)
        return rows

    def track(self, state: State) -> list[str]:
        return [self._label(state, k) for k in self.line(state) if k in here(state)]

    def owed(self, state: State) -> list[tuple[str, list[int]]]:
        """Who owes which dice; in a tie who has thrown as little as another who began like that."""
        rows = here(state)
        first = [k for k in rows if k not in self.number and k not in self.fixed]
        if first:
            return [(self._label(state, k), [20, 20] if self._edge(rows[k], state) else [20]) for k in first]
        option, level = state["options"]["classic.tie"], dict[str, Any]()
        for k in rows:
            kept = self.rule.get(self.number.get(k, 0), "")
            by_roster = "heroes" in (kept, "" if kept or state["options"]["tie.by_hand"] else option)
            if k not in self.fixed and not by_roster:
                level[k] = self._key(k, option)
        found: dict[tuple[Any, ...], list[str]] = {}
        for k, (*number, thrown) in level.items():
            rivals = [
                o for o, (*same, more) in level.items() if same == number and more[: len(thrown)] == thrown
            ]
            if len({self.rolled_by.get(o, o) for o in rivals}) > 1:
                found.setdefault(level[k], []).append(k)
        owing = []
        for _, some in sorted(found.items()):
            owing += list({self.rolled_by.get(k, k): k for k in reversed(some)}.values())[::-1]
        return [(self._label(state, k), [20]) for k in owing]

    def next(self, state: State) -> str:
        """Who must act next; "" when the round is over."""
        rows = here(state)
        waiting = [k for k in self.line(state) if k in rows and self._open(rows[k])]
        held = [k for k in waiting if any("delays" in c["marks"] for c in rows[k])]
        left = [k for k in waiting if k not in held] + held
        return self._label(state, left[0]) if left else ""

    def _open(self, members: list[State]) -> bool:
        return any(not {"acted", "barred"} & set(c["marks"]) for c in members)

    def _label(self, state: State, k: str) -> str:
        return next((str(c["name"]) for c in state["combatants"] if c["id"] == k), k.removeprefix("@"))
