"""Random fights with every house rule, compared step by step with the oracle's naive statement of the
rules."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.table import Table
from tests.kit.tiers import cases
from tests.systems.dynamic import oracle
from tui.core.fight.viewer import GAME_MASTER, viewer_of

WORDS: dict[str, list[Any]] = {
    "dis.switch_pays": ["new", "old", "higher"], "dis.switch_level": [True, False],
    "dis.multi_dice": ["all", "one"],
    "dis.floor": [1, 2, 3, 4], "dis.resize": ["largest", "ask"], "dis.group": ["shared", "staggered", "off"],
    "dis.tie": ["rolloff", "players_first", "fewest_dice", "by_hand"], "dis.stealth_tie": ["noticed",
        "hidden"],
    "dis.notice": ["none", "any"],
}  # fmt: skip
WEAPONS = ["1d4", "1d6", "1d8", "2d6", "1d10", "1d12", "1d20", "1d8+1d6", "1", "3"]


class Match:
    """One fight, played by lines and by the oracle. `rows` are the oracle's; `said` is what was played."""

    def __init__(self, seed: int) -> None:
        self.r = r = Random(seed)
        self.rules: dict[str, Any] = {key: r.choice(found) for key, found in WORDS.items()}
        self.table = Table("dynamic", self.rules)
        self.said: list[str] = []
        self.fixed: dict[str, int] = {}
        self.rows: list[dict[str, Any]] = []
        self.switches = 0
        self.made: dict[str, tuple[list[int], int, list[dict[str, Any]]]] = {}
        self.base: dict[str, int] = {}
        self.called: set[str] = set()  # by one face of a die that was rolled twice

    def do(self, line: str) -> None:
        self.said.append(line)
        self.table.do(line)

    def agree(self, mine: object, theirs: object, about: str) -> None:
        assert mine == theirs, f"{about}: {self.rules}\n" + "\n".join(self.said)

    # --- the roster and the declarations

    def people(self) -> None:
        r = self.r
        for i in range(r.randint(1, 3)):
            self.do(f"add Hero{i} kind=pc {self.fields()}")
        for i in range(r.randint(1, 3)):
            size = r.choice(list(oracle.SIZES))
            group = f" group=Pack{i}" if r.random() < 0.6 else ""
            count = f" count={r.randint(2, 4)}" if r.random() < 0.3 else ""
            die = f" die={r.choice(['d10', '1d12', '2d6'])}" if r.random() < 0.2 else ""
            many = f"{r.randint(2, 4)} " if group else ""
            self.do(f"add {many}Beast{i} size={size}{group}{count}{die} {self.fields()}")
        if r.random() < 0.3:
            self.fixed = {"Lair": r.randint(1, 15)}
            self.do(f"add Lair value={self.fixed['Lair']}")
        self.do("begin")

    def fields(self) -> str:
        r = self.r
        found = [f"adv={r.choice(['adv', 'dis'])}"] if r.random() < 0.3 else []
        if r.random() < 0.4:
            found.append("bonus=" + ",".join(str(r.choice([-2, -1, 1, 3])) for _ in range(r.randint(1, 4))))
        found += [f"stealth={r.randint(8, 14)}"] if r.random() < 0.3 else []
        return " ".join([*found, f"passive={r.randint(8, 14)}"])

    def declare(self) -> None:
        r = self.r
        if r.random() < 0.5:
            people = [c for c in self.table.state()["combatants"] if not c["out"]]
            mine = oracle.unaware(people, self.rules)
            self.do("notice")
            self.agree(mine, self.table.state()["outcome"]["caught"], "who is surprised")
        elif r.random() < 0.5:
            who = r.choice([c["name"] for c in self.table.state()["combatants"] if not c["out"]])
            self.do(f'surprised "{who}"')
        for due in [d for d in self.table.state()["due"] if d["kind"] == "form"]:
            parts = []
            if r.random() < 0.6:
                parts.append("weapon=" + ",".join(r.sample(WEAPONS, r.randint(1, 2))))
            parts += [f"spell={r.randint(0, 3)}"] if r.random() < 0.4 else []
            parts += ["action=1"] if r.random() < 0.3 else []
            parts += ["move=yes"] if r.random() < 0.5 else []
            self.do(f"order {due['who']} {' '.join(parts)}")

    # --- the dice

    def roll(self) -> None:
        state = self.table.state()
        picks = self.choose_dice()
        self.rows = []
        texts = {o["who"]: o["text"] for o in state["orders"]}
        bunches: dict[str, list[dict[str, Any]]] = {}
        for c in state["combatants"]:
            if not c["out"]:
                bunches.setdefault(c["group"] or c["name"], []).append(c)
        owed = {d["who"]: d["dice"] for d in self.table.state()["due"]}
        for name, members in bunches.items():
            if name in self.fixed:
                self.rows.append(
                    {
                        "name": name,
                        "roller": name,
                        "members": [name],
                        "number": self.fixed[name],
                        "late": 0,
                        "fixed": True,
                        "ties": [],
                        "pc": False,
                    }
                )
                continue
            dice, flat = oracle.pool(members, texts.get(name, {}), self.rules, picks.get(name, []))
            falling = oracle.falling(dice, members)
            self.agree(falling, owed.get(name, []), f"the dice of {name}")
            faces = [self.r.randint(1, min(d, 3) if self.r.random() < 0.6 else d) for d in falling]
            if faces:
                self.do(f'roll "{name}" {" ".join(map(str, faces))}')
            self.made[name] = dice, flat, members
            self.called.discard(name)
            base = oracle.total(dice, flat, members, faces)
            self.rows += [row | {"dice": len(dice)} for row in self.rows_for(name, base)]
            self.base[name] = self.numbers(name, base).get(name, base)
        places = {c["name"]: i for i, c in enumerate(state["combatants"])}
        self.rows.sort(key=lambda row: min(places[m] for m in row["members"]))
        self.settle_ties()

    def rows_for(self, name: str, base: int) -> list[dict[str, Any]]:
        """The rows of a roll for a sum of its dice, as they were when it was rolled."""
        dice, flat, members = self.made[name]
        return oracle.rows(members, name, base, sum(dice) + flat, self.rules)

    def numbers(self, name: str, base: int) -> dict[str, int]:
        return {row["name"]: row["number"] for row in self.rows_for(name, base)}

    def correct(self) -> None:
        """DIS-10: what was heard wrongly is said again, its faces or a total; what it was made with stays."""
        r, mine = self.r, [row for row in self.rows if not row["fixed"]]
        name = r.choice([row["roller"] for row in mine])
        dice, flat, members = self.made[name]
        rows, falling = [row for row in mine if row["roller"] == name], oracle.falling(dice, members)
        if not falling:
            return
        # A total says what the face that counts was; it alone is corrected after that.
        if name in self.called:
            falling = falling[:1]
        faces, most = [r.randint(1, d) for d in falling], sum(dice) + flat
        line = f'roll "{name}" {" ".join(map(str, faces))}'
        faces *= 1 + (name in self.called)
        base, beyond, several = oracle.total(dice, flat, members, faces), 0, len(self.numbers(name, 0)) > 1
        if rows[0]["late"] or r.random() < 0.5:
            # The number of one row may come from several faces, and those of the others are unknown then.
            beyond = 150 if several else r.choice([0, 150])
            base = most if several else base
            called = self.numbers(name, base)
            line = f'total "{name}" {called.get(name, next(iter(called.values()))) + beyond}'
        numbers = {row: number + beyond for row, number in self.numbers(name, base).items()}
        told = numbers.get(name, base + beyond)
        had = next((row["number"] for row in rows if row["name"] == name), self.base[name])
        if had == told:
            self.said.append(line)
            self.table.refuse(line, "already")
            return
        self.do(line)
        if line.startswith("total"):
            once = len(faces) == 2 and oracle.twice(dice, members)[0] >= 0 and not (beyond or rows[0]["late"])
            (self.called.add if once else self.called.discard)(name)
        self.base[name], before = told, {row["number"] for row in rows}
        for row in rows:
            row["ties"] = row["ties"] if row["number"] == numbers[row["name"]] else []
            row["number"] = numbers[row["name"]]
        for number in before:
            left = [row for row in self.rows if row["number"] == number]
            if len({row["roller"] for row in left}) == 1:
                left[0]["ties"] = []
        self.settle_ties()

    def choose_dice(self) -> dict[str, list[int]]:
        picks: dict[str, list[int]] = {}
        while due := [d for d in self.table.state()["due"] if d["kind"] == "pick"]:
            chosen = self.r.choice(due[0]["names"])
            picks.setdefault(due[0]["who"], []).append(int(chosen[1:]))
            self.do(f"pick {chosen}")
        return picks

    def settle_ties(self) -> None:
        while tied := oracle.tied(self.rows, self.rules):
            due = self.table.state()["due"]
            if self.rules["dis.tie"] == "by_hand":
                rivals = tied[0][1]
                self.agree(rivals, due[0]["names"], "the tied")
                chosen = self.r.sample(rivals, len(rivals))
                self.do("pick " + ",".join(f'"{name}"' for name in chosen))
                oracle.put(self.rows, chosen)
            else:
                self.agree(
                    [who for some, _ in tied for who in some], [d["who"] for d in due], "who rolls off"
                )
                faces = {d["who"]: self.r.randint(1, 6) for d in due}
                for name, face in faces.items():
                    self.do(f'roll "{name}" {face}')
                for name, face in faces.items():
                    oracle.rolled_off(self.rows, name, face)
        self.compare()

    def compare(self) -> None:
        state = self.table.state()
        self.agree([], state["due"], "nothing is due")
        mine = [(row["name"], row["number"]) for row in oracle.order(self.rows, self.rules)]
        theirs = [(row["entry"], row["value"]) for row in state["track"]]
        self.agree(mine, theirs, "the order")

    # --- the turns

    def turns(self) -> None:
        left = oracle.order(self.rows, self.rules)
        for _ in range(60):
            if not left:
                break
            if self.r.random() < 0.3:
                who = self.r.choice([m for row in self.rows for m in row["members"]])
                self.do(f'set "{who}" {self.fields()} size={self.r.choice(list(oracle.SIZES))}')
            if self.r.random() < 0.2 and any(not row["fixed"] for row in self.rows):
                self.correct()
            elif len(left) > 1 and self.r.random() < 0.1:
                self.goes(self.r.choice(left)["members"][-1])
            else:
                self.do("next")
                acting = self.table.state()["acting"]
                self.agree(left[0]["name"], acting, "who acts next")
                if not (left[0]["pc"] and self.r.random() < 0.6 and self.switch(left[0])):
                    left[0]["acted"] = True
            left = [row for row in oracle.order(self.rows, self.rules) if not row.get("acted")]
        self.do("next")
        self.agree(2 if self.table.encounter.round == 2 else 3, self.table.encounter.round, "the round")

    def goes(self, who: str) -> None:
        self.do(f'out "{who}"')
        for row in self.rows:
            row["members"] = [m for m in row["members"] if m != who]
        self.rows = [row for row in self.rows if row["members"]]
        self.compare()

    def switch(self, row: dict[str, Any]) -> bool:
        r = self.r
        orders = {o["who"]: o["text"] for o in self.table.state()["orders"]}
        new = r.choice(
            [("weapon", r.choice(WEAPONS)), ("spell", str(r.randint(0, 4))), ("action", "1"), ("move", "yes")]
        )
        give = r.choice(["", "none", "weapon", "spell", "action", "move"])
        plan = oracle.switched(orders[row["name"]], new, give, self.rules)
        line = f"switch {row['name']} {new[0]}={new[1]}" + (f" from={give}" if give else "")
        if plan is None:
            self.table.refuse(line)
            return False
        after, price = plan
        self.do(line)
        self.switches += 1
        row["number"] += price
        row["late"], row["ties"] = self.switches, []
        text = next(o["text"] for o in self.table.state()["orders"] if o["who"] == row["name"])
        self.agree(sorted(after), sorted(oracle.actions(text)), "what is declared now")
        self.compare()
        return True

    def play(self) -> None:
        self.people()
        for _ in range(2):
            self.switches = 0
            self.declare()
            self.roll()
            self.turns()


@cases(50)
@given(seed=st.integers(0, 10**6))
def test_the_program_agrees_with_the_oracle(seed: int) -> None:
    Match(seed).play()


def test_dis_22_that_nobody_is_surprised_is_told_to_the_game_master_alone() -> None:
    t = Table("dynamic")
    t.do("add Ana owner=Mia", "add Orc side=dark", "add Spy side=dark hidden=yes stealth=14")
    t.do("begin", "notice")
    told = [m.text for m in t.store.messages(t.store.step, GAME_MASTER)]
    assert told == ["Everybody notices an enemy: nobody is surprised"]
    assert list(t.store.messages(t.store.step, viewer_of("Mia"))) == []
