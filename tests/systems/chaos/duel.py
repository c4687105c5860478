"""A random fight of Chaos beside its oracle."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.kit.table import Table
from tests.systems.chaos.oracle import Oracle, alive, rows
from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote

OPTIONS: dict[str, tuple[str, ...]] = {
    "cha.mode": ("gm", "gm", "head-to-head"),
    "cha.tie": ("rolloff", "bonus", "by_hand", "simultaneous"),
    "cha.lowest": ("latest", "earliest"),
    "cha.strict_conditionals": ("warn", "refuse"),
    "cha.reaction": ("first", "owner_chooses"),
    "cha.ready_keeps_oa": ("true", "false"),
    "cha.maintain_until": ("own_slot", "round_end"),
    "cha.missing": ("nothing", "dodge"),
    "cha.reveal": ("at_slot", "all_at_start"),
    "cha.resolver": ("seat_order", "by_hand"),
    "tie.by_hand": ("false", "false", "false", "true"),
}


NAMES = ("Ana", "Bo", "Orc 1", "Orc 2", "Wolf", "Rat 1", "Rat 2", "Militia")


class Duel:
    """The program under a random player, and the oracle beside it."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)
        options = {key: self.random.choice(values) for key, values in OPTIONS.items()}
        self.table = Table("chaos", options)
        self.state = self.table.state()
        self.oracle = Oracle(self.state["options"])
        self.log: list[str] = []
        self.compared = 0

    # --- saying

    def say(self, line: str) -> bool:
        """Whether a line is accepted; the oracle hears of it, and must agree with what is then."""
        before = self.state
        try:
            self.table.do(line)
        except RuleError as error:
            self.log.append(f"{line}  # {error}")
            return False
        self.log.append(line)
        self.state = self.table.state()
        self._heard(before)
        return True

    def _heard(self, before: dict[str, Any]) -> None:
        """The round, the lock and the running slot, as they are told."""
        now, oracle = self.state, self.oracle
        if now["phase"] == "orders":
            self.oracle = Oracle(now["options"])
            return
        if before["phase"] == "orders":
            oracle.here = {c["id"] for c in alive(now)}
        if now["acting"]:
            oracle.taken.add(now["acting"])

    def agree(self) -> None:
        """Dice, order, who is next, and what has become of every order."""
        now, oracle, said = self.state, self.oracle, "\n".join(self.log)
        if now["phase"] in ("orders", "setup"):
            return
        self.compared += 1
        rolls = {d["who"]: d["dice"] for d in now["due"] if d["kind"] == "roll"}
        assert rolls == oracle.owed(now), said
        picks = [d["names"] for d in now["due"] if d["kind"] == "pick"]
        if picks or (oracle.by_hand and not rolls):
            assert set(picks[0] if picks else ()) <= set(oracle.rivals(now)), said
            assert bool(picks) is bool(oracle.tied(now)), said
        if not rolls:
            track = [r["entry"] for r in now["track"] if r["state"] != "barred"]
            assert [k for k in track if k in oracle.playing(now)] == oracle.order(now), said
            assert {r["entry"]: r["value"] for r in now["track"] if r["entry"] in oracle.playing(now)} == {
                k: oracle.totals[k] for k in oracle.order(now)
            }, said
        if now["phase"] == "turns" and not now["due"] and not now["acting"]:
            offered = [a.get("who", "") for a in now["offer"].get("acts", [])]
            assert offered in ([oracle.next(now)], [] if not alive(now) else [oracle.next(now)]), said
        if now["phase"] in ("board", "turns"):
            told = {o["who"]: o["state"] for o in now["orders"]}
            assert told == {k: oracle.order_state(now, k) for k in told}, said

    # --- playing

    def start(self) -> None:
        r = self.random
        for name in NAMES[: r.randint(2, len(NAMES))]:
            self.say(f"add {quote(name)} side={r.choice(['red', 'blue'])} {self._fields()}")
        for stem in ("orc", "rat"):
            if r.random() < 0.4:
                self.say(f"set {stem}* side=red") and self.say(f"group {stem}* {stem.title()}s")
        # Players on one side cannot play against each other.
        self.say("begin") or (self.say("option cha.mode=gm") and self.say("begin"))

    def _fields(self) -> str:
        some = (
            "bonus=3", "bonus=-1", "bonus=1", "adv=adv", "adv=dis", "formation=5", "affected=2",
            "affected=3", "owner=Lia", "owner=Max",
        )  # fmt: skip
        found = {x.split("=")[0]: x for x in self.random.choices(some, k=3)}
        return " ".join(found.values())

    def go_on(self) -> None:
        due, r = self.state["due"], self.random
        if not due:
            assert self.say("next") or not alive(self.state), "\n".join(self.log)
            return
        match due[0]["kind"]:
            case "form":
                who = quote(r.choice([d["who"] for d in due if d["kind"] == "form"]))
                self.say(
                    r.choice([f'order {who} action="strike or else flee" ready=shoot', "lock missing=empty"])
                )
            case "lock":
                self.say("lock")
            case "acknowledge":
                self.say("ok")
            case "roll":
                self._roll(r.choice([d for d in due if d["kind"] == "roll"]))
            case "pick":
                names = r.sample(due[0]["names"], len(due[0]["names"]))
                self.oracle.picked(names)
                assert self.say("pick " + " ".join(map(quote, names)))

    def _roll(self, ask: dict[str, Any]) -> None:
        faces = [self.random.choice([7, 7, 8, self.random.randint(1, 20)]) for _ in ask["dice"]]
        self.oracle.rolled(self.state, ask["who"], faces)
        assert self.say(f"roll {quote(ask['who'])} {' '.join(map(str, faces))}"), "\n".join(self.log)

    def disturb(self) -> None:
        r = self.random
        people = [c["name"] for c in self.state["combatants"]]
        who, other = r.choice(people), r.choice(people)
        a, b = quote(who), quote(other)
        match r.randrange(13):
            case 0 | 1:
                self._out(who)
            case 2:
                self.say(f"back {a}")
            case 3:
                values = ["bonus=9", "bonus=-9", "adv=adv", "adv=", "affected=1", "affected="]
                self.say(f"set {a} {r.choice(values)}")
            case 4:
                self._move(who, r.choice(["before", "after"]), other)
            case 5:
                self.say(
                    r.choice(
                        [
                            "add 1 Late side=blue bonus=9",
                            "unlock",
                            f"group {a},{b} Mix",
                            f"ungroup {a}",
                            "end",
                        ]
                    )
                )
            case 6:
                self._target(who)
            case 7:
                self._redirect(who)
            case 8 | 9 | 10 | 11:
                self._correct()
            case _:
                self.say(r.choice([f"react {a}", f"fire {a}", f"damage {a} 2", f"remove {a}"]))

    def _out(self, who: str) -> None:
        """Whoever falls in the moment of its own slot is done, where equals act together."""
        now, oracle = self.state, self.oracle
        row = next(r for r in rows(now["combatants"]).values() if who in [c["name"] for c in r])
        key, ids = row[0]["group"] or who, [c["id"] for c in row if c["name"] == who]
        last = [c["id"] for c in row if c in alive(now)] == ids
        waited = last and oracle.waits(row)
        level = key in oracle.totals and oracle.totals[key] == oracle.totals.get(now["acting"])
        if self.say(f"out {quote(who)}") and waited and level and oracle.together:
            oracle.fell.add(key)

    def _correct(self) -> None:
        """A number that was heard wrongly is said again, with its faces or as it is on the track."""
        r, now, oracle = self.random, self.state, self.oracle
        owing = {d["who"] for d in now["due"]}
        if not (names := [k for k in oracle.totals if k in oracle.playing(now) and k not in owing]):
            return
        who = r.choice(names)
        # A total says what the face that counts was; it alone is corrected after that.
        one = who in oracle.called or not oracle.made[who][1]
        faces = [r.randint(5, 10) for _ in range(2 - one)]
        number, beyond = oracle.number(who, faces), r.choice([0, 0, 30])
        line = f"roll {quote(who)} {' '.join(map(str, faces))}"
        if called := r.random() < 0.5:
            number += beyond
            line = f"total {quote(who)} {number}"
        changes = number != oracle.totals[who]
        if changes:
            oracle.corrected(who, number)
        if changes and called:
            (oracle.called.discard if beyond else oracle.called.add)(who)
        assert self.say(line) is changes, "\n".join(self.log)

    def _move(self, who: str, where: str, other: str) -> None:
        named = {c["name"]: c["group"] or c["name"] for c in self.state["combatants"]}
        move = (named[who], where, named[other])
        if {move[0], move[2]} <= set(self.oracle.order(self.state)) and move[0] != move[2]:
            self.oracle.moves.append(move)
            if not self.say(f"move {quote(who)} {where} {quote(other)}"):
                self.oracle.moves.pop()

    def _sides(self, who: str, names: list[str]) -> set[bool]:
        """Whether there are friends of WHO among these, whether enemies."""
        side = {c["name"]: c["side"] for c in self.state["combatants"]}
        return {side[n] == side[who] and len(set(side.values())) > 1 for n in names}

    def _target(self, who: str) -> None:
        names = self._others(who, 3)
        there = [n for n in names if n in [c["name"] for c in alive(self.state)]]
        if self.say(f"target {quote(who)} among={quote(','.join(names))}"):
            assert self.state["outcome"]["target"] == self.oracle.lowest(self.state, there), "\n".join(
                self.log
            )
            assert len(self._sides(who, there)) == 1, "\n".join(self.log)
        elif self.state["phase"] == "turns" and self.oracle.order(self.state):
            assert len(self._sides(who, there)) != 1, "\n".join(self.log)

    def _redirect(self, who: str) -> None:
        away = {n: self.random.randint(1, 3) for n in self._others(who, 4)}
        if "Nobody" in away:
            return
        near, far = ({n: d for n, d in away.items() if (d < 3) is melee} for melee in (True, False))
        keys = [
            f"{k}={quote(','.join(f'{n}:{d}' for n, d in x.items()))}"
            for k, x in (("melee", near), ("ranged", far))
            if x
        ]
        here = [c["name"] for c in alive(self.state)]
        near, far = ({n: d for n, d in x.items() if n in here} for x in (near, far))
        if self.say(f"redirect {quote(who)} {' '.join(keys)}"):
            outcome = self.state["outcome"]
            assert (outcome["target"], outcome["style"]) == self.oracle.redirected(self.state, near, far), (
                "\n".join(self.log)
            )
            assert True not in self._sides(who, [*near, *far]), "\n".join(self.log)
        elif self.state["phase"] == "turns" and self.oracle.order(self.state):
            assert True in self._sides(who, [*near, *far]), "\n".join(self.log)

    def _others(self, who: str, most: int) -> list[str]:
        """Some names that are not in WHO's row."""
        row = {c["name"]: c["group"] or c["name"] for c in self.state["combatants"]}
        others = [n for n in row if row[n] != row[who]]
        return self.random.sample(others, min(len(others), self.random.randint(1, most))) or ["Nobody"]

    def play(self, steps: int) -> int:
        """A fight of so many lines; how often program and oracle were compared."""
        self.start()
        for _ in range(steps):
            if self.random.random() < 0.35 and self.state["combatants"]:
                self.disturb()
                self.agree()
            self.go_on()
            self.agree()
        return self.compared
