"""How the Dynamic Initiative System is played at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.kit.random_play import Habits
from tui.core.fight.agenda import FormAsk
from tui.core.fight.encounter import Encounter, label
from tui.core.language.tokens import quote
from tui.systems.dynamic.system import Dynamic

DECLARATIONS = [
    "weapon=1d8", "weapon=1d4", "weapon=1", "spell=0", "spell=2 move=yes", "action=1", "move=yes", "",
]  # fmt: skip


def _keys(r: Random) -> str:
    return " ".join(
        r.sample(["size=small", "adv=adv", "bonus=1,-1,2", "stealth=12", "passive=11", "count=2"], 2)
        + (["value=3"] if r.random() < 0.05 else [])
    )


def _write(r: Random, ask: FormAsk) -> str:
    return r.choice(DECLARATIONS)


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    names = [c.name for c in e.combatants.values()] or ["Nobody"]
    who, acting = quote(r.choice(names)), quote(label(e, e.acting) or "Nobody")
    switch = r.choice(["action=1", "weapon=1d4", "spell=0", "move=yes from=none"])
    options = [f"{f.key}={r.choice(f.choices)}" for f in Dynamic.options if f.choices]
    return [
        *[f"switch {acting} {switch}"] * (9 if e.turn else 0), f"damage {who} 1", f"damage {who} 1",
        f"surprised {who}", "surprised none", "notice",
        f"order {who} {r.choice(DECLARATIONS)}", f'order {who} intent="bites" spell=1', f"set {who} kind=pc",
        f"set {who} kind=monster", f"set {who} value={r.choice(['', '4'])}", f"option {r.choice(options)}",
        f"set {who} bonus=1,1", f"set {who} die=d10",
    ]  # fmt: skip


def _options(r: Random) -> dict[str, str | bool | int]:
    found: dict[str, str | bool | int] = {f.key: r.choice(f.choices) for f in Dynamic.options if f.choices}
    return found | {"dis.floor": r.randint(1, 4), "tie.by_hand": r.random() < 0.2}


HABITS = Habits(keys=_keys, write=_write, extra=_extra, firm=True, options=_options)
