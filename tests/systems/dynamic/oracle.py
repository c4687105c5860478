"""The order rules of the Dynamic Initiative System, stated a second time and naively.

Nothing of `tui` is used here: what is read is the JSON that everybody may read, and the faces of the dice. A
row is a dict: `name`, `roller`, `members` (names), `number`, `late` (0, or the number of its switch in the
round), `fixed` and `ties` (roll-offs so far).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

SIZES = {"tiny": 4, "small": 6, "medium": 8, "large": 10, "huge": 12, "gargantuan": 20}
LADDER = [1, 2, 3, 4, 6, 8, 10, 12, 20]

Json = dict[str, Any]


def is_pc(c: Json) -> bool:
    return bool(c["owner"]) or c["fields"].get("kind") == "pc"


def actions(text: Json) -> list[tuple[str, str]]:
    """DIS-4: the declared actions, in the order they stand in."""
    return [(kind, one) for kind, value in text.items() if kind != "intent" for one in value.split(",")]


def dice_of(kind: str, value: str, rules: Json) -> tuple[list[int], int]:
    """DIS-12 to DIS-15: the dice and the points of an action."""
    if kind == "weapon":
        dice = [int(s) for n, s in re.findall(r"(\d*)d(\d+)", value) for _ in range(int(n or 1))]
        return ([max(dice)] if rules["dis.multi_dice"] == "one" else dice, 0) if dice else ([], int(value))
    return {"spell": [8], "action": [6], "move": [4]}[kind], int(value) if kind == "spell" else 0


def pool(members: Sequence[Json], text: Json, rules: Json, picks: Sequence[int]) -> tuple[list[int], int]:
    """DIS-10, DIS-19, DIS-29, DIS-30: dice after bonuses and penalties, and points."""
    flat, dice = 0, list[int]()
    if any(map(is_pc, members)):
        for kind, value in actions(text):
            more, points = dice_of(kind, value, rules)
            dice, flat = dice + more, flat + points
    else:
        given = [
            (
                dice_of("weapon", c["fields"]["die"], {"dis.multi_dice": "all"})
                if "die" in c["fields"]
                else ([SIZES[c["fields"].get("size", "medium")]], 0)
            )[0]
            for c in members
        ]
        dice = max(given, key=sum)
    bonus: list[int] = next((c["fields"]["bonus"] for c in members if c["fields"].get("bonus")), [])
    steps = sum(n < 0 for n in bonus) - sum(n > 0 for n in bonus)
    left = list(picks)
    for _ in range(abs(steps)):
        if steps > 0:
            able = [d for d in dice if d < 20]
        else:
            able = [d for d in dice if d > max(1, rules["dis.floor"])]
        if not able:
            break
        chosen = left.pop(0) if left and len(set(able)) > 1 else max(able)
        where = LADDER.index(chosen)
        dice[dice.index(chosen)] = LADDER[where + 1 if steps > 0 else where - 1]
    return dice, flat


def twice(dice: Sequence[int], members: Sequence[Json]) -> tuple[int, str]:
    """DIS-31: which die is rolled twice (-1: none), and which face of it counts."""
    found = {c["fields"]["adv"] for c in members if c["fields"].get("adv")}
    if len(found) != 1 or max(dice, default=1) == 1:
        return -1, ""
    return dice.index(max(dice)), found.pop()


def falling(dice: Sequence[int], members: Sequence[Json]) -> list[int]:
    """The dice that really fall: a d1 does not, one die may fall twice."""
    at, _ = twice(dice, members)
    return [d for i, d in enumerate(dice) for _ in range(1 + (i == at)) if d > 1]


def total(dice: Sequence[int], flat: int, members: Sequence[Json], faces: Sequence[int]) -> int:
    """DIS-10: everything added up."""
    at, which = twice(dice, members)
    left, found = list(faces), flat
    for i, d in enumerate(dice):
        if d == 1:
            found += 1
        elif i == at:
            found += (min if which == "adv" else max)(left.pop(0), left.pop(0))
        else:
            found += left.pop(0)
    return found


def rows(members: Sequence[Json], name: str, base: int, most: int, rules: Json) -> list[Json]:
    """DIS-20, DIS-23, DIS-24: the rows that go by one roll, with the number of each."""
    declares = any(map(is_pc, members))
    caught = [c["name"] for c in members if c["marks"].get("surprised")]
    apart = caught if len(caught) < len(members) else []
    single = rules["dis.group"] == "staggered" and not declares and bool(members[0]["group"])
    found: dict[str, list[Json]] = {}
    for c in members:
        found.setdefault(c["name"] if single or c["name"] in apart else name, []).append(c)
    count = {c["name"]: max(1, c["fields"].get("count", 1)) for c in members}
    so_far, made = 0, list[Json]()
    for row, people in found.items():
        so_far += sum(count[c["name"]] for c in people)
        plus = {"shared": sum(count.values()) - 1, "staggered": so_far - 1, "off": 0}[rules["dis.group"]]
        number = base if declares else min(base + plus, most)
        late = 10 if all(c["marks"].get("surprised") for c in people) else 0
        made.append(
            {
                "name": row,
                "roller": name,
                "members": [c["name"] for c in people],
                "number": number + late,
                "late": 0,
                "fixed": False,
                "ties": [],
                "pc": declares,
            }
        )
    return made


def rank(row: Json, rules: Json) -> tuple[Any, ...]:
    """DIS-6, DIS-A17: low first; who switched later behind equals; fixed places lose; then the house's tie
    rule."""
    prefers = {"players_first": not row["pc"], "fewest_dice": row.get("dice", 0)}.get(rules["dis.tie"], 0)
    return (row["number"], row["late"], row["fixed"], 0 if row["fixed"] else prefers)


def order(found: Sequence[Json], rules: Json) -> list[Json]:
    return sorted(found, key=lambda row: (*rank(row, rules), [-t for t in row["ties"]]))


def tied(found: Sequence[Json], rules: Json) -> list[tuple[list[str], list[str]]]:
    """Who rolls off, and against whom, front to back: never two rows of one roll.

    Who came to a number later rolls against what those who were tied there rolled then.
    """
    result: list[tuple[list[str], list[str]]] = []
    for first in order(found, rules):
        level = [x for x in found if rank(x, rules) == rank(first, rules) and not x["fixed"]]
        ties = first["ties"]
        rivals = [x for x in level if x["ties"][: len(ties)] == ties]
        heads = [
            list({x["roller"]: x["name"] for x in reversed(some)}.values())[::-1]
            for some in ([x for x in rivals if x["ties"] == ties], rivals)
        ]
        if len(heads[1]) > 1 and (heads[0], heads[1]) not in result:
            result.append((heads[0], heads[1]))
    return result


def put(found: Sequence[Json], names: Sequence[str]) -> None:
    """The GM's order counts after as many roll-offs as all of them have."""
    before = min((row["ties"] for row in found if row["name"] in names), key=len)
    for place, name in enumerate(names):
        head = next(row for row in found if row["name"] == name)
        same = (head["roller"], head["number"], head["late"], list(head["ties"]))
        for row in found:
            if (row["roller"], row["number"], row["late"], row["ties"]) == same:
                row["ties"] = [*before, -place]


def rolled_off(found: Sequence[Json], who: str, face: int) -> None:
    """A roll-off counts for every row of that roll which stands at the same place."""
    head = next(row for row in found if row["name"] == who)
    place = (head["number"], head["late"], list(head["ties"]))
    for row in found:
        if row["roller"] == head["roller"] and (row["number"], row["late"], row["ties"]) == place:
            row["ties"] = [*row["ties"], face]


def switched(
    text: Json, new: tuple[str, str], give: str, rules: Json
) -> tuple[list[tuple[str, str]], int] | None:
    """DIS-7, DIS-16: the actions after a switch and its price; None: it cannot be."""
    have = actions(text)
    fits = [a for a in have if a[0] == (give or new[0])]
    if give not in ("", "none") and not fits:
        return None
    others = [] if give else [a for a in have if a[0] != "move"]
    old = None if give == "none" else next(iter(fits or others), None)
    after = [*have, new] if old is None else [*have[: have.index(old)], new, *have[have.index(old) + 1 :]]
    if sum(kind == "move" for kind, _ in after) > 1 or sorted(after) == sorted(have):
        return None

    def most(action: tuple[str, str]) -> int:
        dice, points = dice_of(*action, rules)
        return sum(dice) + (points if action[0] != "spell" or rules["dis.switch_level"] else 0)

    pays = {"new": most(new), "old": most(old or new), "higher": max(most(new), most(old or new))}
    return after, pays[rules["dis.switch_pays"]]


def unaware(people: Sequence[Json], rules: Json) -> list[str]:
    """DIS-22, DIS-A18, DIS-A19: who notices none (or not all) of the other side."""
    found = []
    for c in people:
        hidden = []
        for threat in people:
            if threat["side"] != c["side"]:
                over = threat["fields"].get("stealth", -99) - c["fields"].get("passive", 10)
                hidden.append(over > 0 or (over == 0 and rules["dis.stealth_tie"] == "hidden"))
        if hidden and (any(hidden) if rules["dis.notice"] == "any" else all(hidden)):
            found.append(c["name"])
    return found
