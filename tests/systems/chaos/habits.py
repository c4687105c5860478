"""How Chaos is played at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.kit.random_play import Habits
from tui.core.fight.agenda import FormAsk
from tui.core.fight.encounter import Encounter, label
from tui.core.language.tokens import quote
from tui.systems.chaos.system import Chaos

ORDERS = [
    'movement="to the gate" action="attack or else Dodge"',
    'action="readies: once clear, shoot or else hide"',
    'ready="when it comes, bite"',
    'reaction="hit => Shield" reaction2="Counterspell if an enemy casts"',
    'action="attack or else readies a javelin" object="open the door"',
    'bonus="drink on a hit"',
    "",
]


def _keys(r: Random) -> str:
    some = ["bonus=2", "bonus=-1", "adv=adv", "adv=dis", "formation=5", "affected=2", "value=9"]
    return " ".join(x for x in some if r.random() < 0.2)


def _write(r: Random, ask: FormAsk) -> str:
    if any(f.key == "maintain" for f in ask.fields) and r.random() < 0.6:
        return 'action="wait" maintain=yes'
    return r.choice(ORDERS)


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    names = [c.name for c in e.combatants.values()] or ["Nobody"]
    who, other, acting = quote(r.choice(names)), quote(r.choice(names)), quote(label(e, e.acting) or "Nobody")
    switches = [f"{f.key}={r.choice(f.choices)}" for f in Chaos.options if f.choices]
    return [
        *[f"fire {who}"] * 4, *[f"react {who}"] * 2, f"react {who} with Shield",
        f"react {who} with a shout", "lock", "unlock", "lock missing=empty", f"order {who} again=yes",
        *[f"else {acting} {r.choice(['action', 'ready', 'movement'])}"] * 3,
        f"order {who} {r.choice(ORDERS)}", f"option {r.choice(switches)}",
        f"target {who} among={other}", f'redirect {who} melee="{other.strip(chr(34))}:2"',
        f"set {who} value={r.choice(['', '7'])}",
        f"set {who} bonus={r.randint(-2, 4)}", f"set {who} adv={r.choice(['adv', 'dis', ''])}",
        f"add Wolf round={e.round + r.randint(0, 2)}",
    ]  # fmt: skip


def _options(r: Random) -> dict[str, Any]:
    found: dict[str, Any] = {f.key: r.choice(f.choices) for f in Chaos.options if f.choices}
    return found | {"tie.by_hand": r.random() < 0.2, "cha.ready_keeps_oa": r.random() < 0.5}


HABITS = Habits(keys=_keys, write=_write, extra=_extra, sides=("red", "blue"), waits=False, options=_options)
