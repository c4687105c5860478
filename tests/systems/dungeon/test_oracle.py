"""The program against a second, naive telling of the order rules, over random fights with every house
rule."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.systems.dungeon.oracle_track import Numbers
from tests.systems.dungeon.oracle_universalis import Sides
from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote
from tui.systems import Registry

NAMES = ("Ana", "Bo", "Cy")


class Duel:
    """One fight told to the program and to the oracle; they must agree after every line."""

    def __init__(
        self, system: str, random: Random, oracle: type[Sides], skipped: tuple[str, ...] = ()
    ) -> None:
        self.random, self.said = random, list[str]()
        options: dict[str, Any] = {}
        for f in Registry().get(system).options:
            if f.key in skipped or random.random() < 0.5:
                continue
            options[f.key] = random.choice(
                f.choices or ((0, 3, 6, 9) if f.key == "dun.radius" else (True, False))
            )
        self.table, self.oracle = Table(system, options), oracle(options)
        self.fresh, self.dog = 0, True

    # --- saying

    def say(self, line: str) -> bool:
        """Whether the program takes a line; the oracle then knows the creatures as they are now."""
        try:
            self.table.do(line)
        except RuleError:
            return False
        self.said.append(line)
        self.look()
        return True

    def look(self) -> None:
        self.state = self.table.state()
        self.oracle.people = {c["name"]: c for c in self.state["combatants"]}

    def agree(self) -> None:
        told = "\n".join([str(self.oracle.options), *self.said])
        state, oracle = self.state, self.oracle
        due = {d["who"] for d in state["due"]}
        acting = {n for n in oracle.acting if not oracle.people[n]["out"]}
        if oracle.kind and not due:
            raise AssertionError(f"the oracle waits for dice:\n{told}")
        assert bool(state["acting"]) == bool(acting), (
            f"acting {state['acting']}, not {oracle.acting}:\n{told}"
        )
        row = next(
            (r for r in state["track"] if r["entry"] == state["acting"]), {"members": [state["acting"]]}
        )
        assert acting <= set(row["members"]), f"acting {row}, not {acting}:\n{told}"
        offered = {a["who"] for a in state["offer"].get("acts", ()) if a["kind"] == "turn"}
        assert offered == (oracle.may() if not due else set()), (
            f"offer {offered}, not {oracle.may()}:\n{told}"
        )
        assert state["round"] == oracle.round, f"round {state['round']}, not {oracle.round}:\n{told}"
        barred = {c["name"] for c in state["combatants"] if "barred" in c["marks"]}
        assert barred == set(oracle.barred) & set(oracle.people), (
            f"barred {barred}, not {oracle.barred}:\n{told}"
        )
        if not due and oracle.outcome:
            found = {k: state["outcome"][k] for k in oracle.outcome}
            assert found == oracle.outcome, f"{found}, not {oracle.outcome}:\n{told}"
        self.agree_more(told)

    def agree_more(self, told: str) -> None:
        left = {s["name"]: (s["left"], s["turn"]) for s in self.state["sides"]}
        for side in ("heroes", "dark"):
            here = [n for n in self.oracle.here(side) if n not in self.oracle.acted]
            turn = side == self.oracle.side and not self.oracle.closed
            assert left[side] == (len(here), turn), f"{side} {left[side]}, not {len(here), turn}:\n{told}"

    # --- playing

    def creature(self, name: str, side: str) -> str:
        r = self.random
        keys = {
            k: r.randint(*span)
            for k, span in {"per": (0, 4), "int": (1, 5), "mod": (-2, 1)}.items()
            if r.random() < 0.7
        }
        return f"add {name} side={side} " + " ".join(f"{k}={v}" for k, v in keys.items())

    def begin(self) -> None:
        for name in NAMES[: self.random.randint(1, 3)]:
            self.say(self.creature(name, "heroes"))
        if self.dog and self.random.random() < 0.4:
            self.say(self.creature("Dog", "heroes") + " acts_with=Ana")
        for _ in range(self.random.randint(1, 3)):
            self.newcomers()
        assert self.say("begin")
        self.agree()

    def newcomers(self) -> None:
        self.fresh += 1
        name, many = f"Foe{self.fresh}", self.random.randint(1, 2)
        group = f" group=Foes{self.random.randint(1, 3)}" if self.random.random() < 0.5 else ""
        self.say(self.creature(f"{many} {name}", "dark") + self.rank() + group)

    def rank(self) -> str:
        return ""

    def play(self, steps: int) -> None:
        self.begin()
        for _ in range(steps):
            self.step()
            self.agree()

    def step(self) -> None:
        r = self.random
        due = self.state["due"]
        if r.random() < 0.1:
            self.edit()
        elif r.random() < 0.2:
            self.correct()
        elif due:
            self.answer(due)
        elif r.random() < 0.25:
            self.oracle.decided = None
            self.happen()
        elif self.state["acting"]:
            self.oracle.decided = None
            self.go_on()
        else:
            acts = self.state["offer"].get("acts", [])
            self.oracle.decided = None
            act = r.choice(acts) if acts else {"kind": "round"}
            if act["kind"] == "turn":
                assert self.say(f"turn {quote(act['who'])}")
                self.oracle.turn(act["who"])
            elif act["kind"] == "pass":
                assert self.say("pass")
                self.oracle.decline()
                self.oracle.settle()
            else:
                self.go_on()

    def edit(self) -> None:
        """What a roll was made with changes after it."""
        oracle, r = self.oracle, self.random
        rolled = [n for n in oracle.faces or oracle.outcome.get("totals", {}) if n in oracle.people]
        if names := rolled if oracle.kind or oracle.decided else list(oracle.people):
            self.say(f"set {quote(r.choice(names))} {r.choice(['per', 'mod', 'int'])}={r.randint(0, 5)}")

    def correct(self) -> None:
        """A roll of the contest is said again."""
        oracle, owing = self.oracle, {d["who"] for d in self.state["due"]}
        said = oracle.decided.faces if oracle.decided else oracle.faces
        names = [n for n in said if n in oracle.here() and oracle.entry(n) not in owing and n not in owing]
        if not names or not set(said) <= set(oracle.here()):
            return
        who = self.random.choice(names)
        faces = [self.random.randint(1, 6) for _ in range(2)]
        people, fresh = dict(oracle.people), faces != said[who]
        assert self.say(f"roll {quote(who)} {faces[0]} {faces[1]}") is fresh, "\n".join(self.said)
        if fresh:
            after, oracle.people = oracle.people, people
            oracle.corrected(who, faces)
            oracle.people = after
            oracle.settle()

    def go_on(self) -> None:
        line = self.random.choice(["next", "end"])
        if self.say(line) or (line == "end" and self.say("next")):
            if self.said[-1] == "next":
                self.oracle.next()
            elif self.oracle.acting:
                self.oracle.end()
                self.oracle.settle()
            else:
                self.oracle.over_side()

    def answer(self, due: list[dict[str, Any]]) -> None:
        ask = self.random.choice([d for d in due if d["kind"] == due[0]["kind"]])
        if ask["kind"] == "pick":
            names = self.random.sample(ask["names"], self.random.randint(ask["least"], ask["most"]))
            before = dict(self.oracle.people)
            assert self.say("pick " + (" ".join(map(quote, names)) or "none"))
            after, self.oracle.people = self.oracle.people, before
            self.oracle.surprise(names)
            self.oracle.people = after
            return
        faces = [self.random.randint(1, self.random.choice((2, s))) if s > 1 else 1 for s in ask["dice"]]
        before = dict(self.oracle.people)
        assert self.say(f"roll {quote(ask['who'])} {' '.join(map(str, faces))}")
        after, self.oracle.people = (
            self.oracle.people,
            before,
        )  # distances are cleared by the roll that decides
        self.oracle.rolled(ask["who"], faces)
        self.oracle.people = after
        self.oracle.settle()

    def happen(self) -> None:
        r = self.random
        people = [n for n, c in self.oracle.people.items() if not c["out"]]
        foes = [n for n in people if self.oracle.people[n]["side"] == "dark" and n not in self.oracle.met]
        heroes = self.oracle.here("heroes")
        match r.choice(["meet", "meet", "place", "place", "out", "distance", "calm", "new"]):
            case "meet" if heroes and foes:
                self.meet(r.choice(heroes), foes)
            case "place" if heroes and foes:
                some = r.sample(foes, r.randint(1, len(foes)))
                versus, joins = r.choice([*heroes, "", ""]), self.oracle.joins(some)
                if self.say("place " + quote(",".join(some)) + (f" vs {quote(versus)}" if versus else "")):
                    groups = {n: self.oracle.people[n]["group"] for n in some}
                    assert groups == joins, "\n".join(self.said)
                    self.oracle.place(sorted(some, key=list(self.oracle.people).index), versus)
            case "out":
                self.leave(r.choice(people))
            case "distance":
                self.say(f"set {quote(r.choice(people))} distance={r.randint(1, 12)}")
            case "calm":
                if self.say("calm"):
                    self.oracle.calm()
                    self.oracle.settle()
            case _:
                self.newcomers()

    def meet(self, hero: str, foes: list[str]) -> None:
        r = self.random
        some = r.choice([foes, r.sample(foes, r.randint(1, len(foes)))])
        finder, versus = (
            (hero, r.choice([*foes, "", ""])) if r.random() < 0.8 else (r.choice(foes), r.choice([hero, ""]))
        )
        door = r.random() < 0.2
        line = f"meet {quote(finder)}" + (f" vs {quote(versus)}" if versus else "")
        if self.say(f"{line} with={quote(','.join(some))}{' door=broken' if door else ''}"):
            batch = sorted(some, key=list(self.oracle.people).index)
            self.oracle.meet(finder, versus, batch, door=door)
            self.oracle.settle()

    def leave(self, name: str) -> None:
        if len(self.oracle.here("heroes")) == 1 and self.oracle.people[name]["side"] == "heroes":
            return
        if self.oracle.kind:
            return
        if self.say(f"out {quote(name)}"):
            self.oracle.settle()


class TrackDuel(Duel):
    """The same with numbers, commanders, hits and kills."""

    oracle: Numbers

    def __init__(self, random: Random) -> None:
        super().__init__("dungeon-track", random, Numbers)
        self.dog = False

    def begin(self) -> None:
        if self.random.random() < 0.3:
            self.oracle.fixed = {"Lair": self.random.randint(2, 16)}
            self.say(self.creature("Lair", "dark") + f" value={self.oracle.fixed['Lair']}")
        super().begin()

    def rank(self) -> str:
        return " rank=leader" if self.random.random() < 0.12 else ""

    def agree_more(self, told: str) -> None:
        oracle, state = self.oracle, self.state
        if oracle.by != "track":
            assert {r["value"] for r in state["track"]} <= {0}, f"numbers by sides:\n{told}"
            super().agree_more(told)
            return
        if state["due"]:
            return
        values = {r["entry"]: r["value"] for r in state["track"]}
        expected = {x: n for x, n in oracle.value.items() if oracle.members(x)}
        assert values == expected, f"numbers {values}, not {expected}:\n{told}"
        order = [r["entry"] for r in state["track"]]
        mine = [x for x in oracle.track if oracle.members(x)]
        if not oracle.known:
            assert sorted(order) == sorted(mine), f"rows {order}, not {mine}:\n{told}"
            oracle.read(order)
        assert order == mine or not oracle.known, f"order {order}, not {mine}:\n{told}"

    def agree(self) -> None:
        oracle = self.oracle
        if oracle.ranks:
            told = "\n".join([str(oracle.options), *self.said])
            due = {d["who"] for d in self.state["due"]}
            missing = set(oracle.missing())
            assert not missing or due == missing, f"{due} roll, not {missing}:\n{told}"
            if not due:
                oracle.insert()
                if not oracle.known:
                    oracle.read([r["entry"] for r in self.state["track"]])
                if oracle.kind:
                    oracle.ranked()
                else:
                    oracle.ranks = False
                    oracle.insert()
                oracle.settle()
        if not oracle.known and not self.state["due"] and oracle.by == "track":
            oracle.read([r["entry"] for r in self.state["track"]])
        super().agree()

    def answer(self, due: list[dict[str, Any]]) -> None:
        if due[0]["kind"] == "pick" and self.oracle.ranks:
            names = self.random.sample(due[0]["names"], len(due[0]["names"]))
            assert self.say("pick " + " ".join(map(quote, names)))
            self.oracle.picked(names)
            return
        super().answer(due)

    def correct(self) -> None:
        """A roll of the contest or for the track is said again."""
        oracle, r, owing = self.oracle, self.random, {d["who"] for d in self.state["due"]}
        # Which places the turn has passed goes by the numbers of that moment, which the oracle does not keep.
        had = {*oracle.acted, *oracle.acting, *(n for waiting, _ in oracle.frames for n in waiting)}
        names = [x for x in oracle.dice if x in oracle.value and oracle.members(x)]
        names = [x for x in names if not had & set(oracle.members(x))]
        # Their names mean the roll that is owed, or the contest's.
        other = {*owing, *oracle.faces, *oracle.outcome.get("totals", ())}
        names = [x for x in names if not other & {x, *oracle.members(x)}]
        undecided = oracle.kind and not oracle.ranks
        if oracle.by != "track" or not names or undecided or r.random() < 0.5:
            super().correct()
            return
        who, faces = r.choice(names), [r.randint(1, 6) for _ in range(2)]
        fresh = sum(faces) != oracle.dice[who]
        assert self.say(f"roll {quote(who)} {faces[0]} {faces[1]}") is fresh, "\n".join(self.said)
        if fresh:
            oracle.renumbered(who, faces)

    def happen(self) -> None:
        r = self.random
        here = self.oracle.here()
        if self.oracle.by != "track" or r.random() < 0.5 or self.oracle.kind:
            super().happen()
        elif r.random() < 0.7:
            who = r.choice(here)
            if self.say(f"hit {quote(who)}"):
                self.oracle.report(who, "hit")
        else:
            self.kill(r.choice(here), r.choice(here))

    def kill(self, victim: str, by: str) -> None:
        if len(self.oracle.here("heroes")) == 1 and self.oracle.people[victim]["side"] == "heroes":
            return
        before = dict(self.oracle.people)
        if self.say(f"kill {quote(victim)} by={quote(by)}"):
            after, self.oracle.people = self.oracle.people, before
            if self.oracle.option("trk.variable", default=False):
                self.oracle.report(by, "kill")
            self.oracle.people = after
            self.oracle.settle()


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_fights_by_sides_go_as_the_oracle_says(seed: int) -> None:
    Duel("dungeon-universalis", Random(seed), Sides).play(60)


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_fights_on_a_track_go_as_the_oracle_says(seed: int) -> None:
    TrackDuel(Random(seed)).play(60)
