"""How the customs of many tables are played at random: sides, popcorn, alternating, cards."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.kit.random_play import Habits
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote

SIDES = ("heroes", "dark", "pack")


def _somebody(r: Random, e: Encounter) -> str:
    return quote(r.choice([c.name for c in e.combatants.values()] or ["Nobody"]))


def _sides(r: Random, e: Encounter) -> Sequence[str]:
    return [
        "end", "end", f"set {_somebody(r, e)} side={r.choice(SIDES)}",
        f"roll {r.choice(SIDES)} {r.randint(1, 6)}",
        f"option sid.roll={r.choice(['each_round', 'once'])}",
        f"option sid.tie={r.choice(['reroll', 'together'])}",
    ]  # fmt: skip


SIDE_INITIATIVE = Habits(
    extra=_sides,
    sides=SIDES,
    options=lambda r: {
        "sid.roll": r.choice(["each_round", "once"]),
        "sid.tie": r.choice(["reroll", "together"]),
    },
)

POPCORN = Habits(
    extra=lambda r, e: [
        f"option pop.first={r.choice(['gm', 'heroes'])}",
        f"set {_somebody(r, e)} side={r.choice(SIDES)}",
    ],
    sides=SIDES,
    options=lambda r: {"pop.first": r.choice(["gm", "heroes"])},
)

ALTERNATE = Habits(
    extra=lambda r, e: [
        f"option alt.first={r.choice(['roll', 'heroes', 'others', 'gm'])}",
        f"option alt.next={r.choice(['same', 'other'])}",
        f"set {_somebody(r, e)} side={r.choice(SIDES)}",
        f"roll heroes {r.randint(1, 10)}",
    ],
    sides=SIDES,
    options=lambda r: {
        "alt.first": r.choice(["roll", "heroes", "others", "gm"]),
        "alt.next": r.choice(["same", "other"]),
    },
)


def _card(r: Random) -> str:
    return r.choice(["joker", r.choice("23456789TJQKA").replace("T", "10") + r.choice("shdc")])


def _cards(r: Random, e: Encounter) -> Sequence[str]:
    who = [_somebody(r, e) for _ in "abc"]
    return [
        f"roll {who[0]} {_card(r)}", f"roll {who[0]} {_card(r)}", f"roll {who[1]}", f"hold {who[2]}",
        f"hold {who[1]}", f"act {who[0]}", f"act {who[1]}",
        *(f"act {quote(c.name)}" for c in e.combatants.values() if "holds" in c.marks),
    ]  # fmt: skip


CARDS = Habits(extra=_cards, sides=SIDES)
