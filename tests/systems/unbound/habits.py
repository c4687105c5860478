"""How Unbound is played at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from tests.kit.random_play import Game, Habits
from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote
from tui.systems.unbound.system import Unbound

SIDES = ("heroes", "dark", "pack")


def _keys(r: Random) -> str:
    return r.choice(["per=2", "stealth=3", "per=-1 stealth=2", ""])


def _extra(r: Random, e: Encounter) -> Sequence[str]:
    who = quote(r.choice([c.name for c in e.combatants.values()] or ["Nobody"]))
    options = [
        f"{f.key}={r.choice(f.choices)}" for f in Unbound.options if f.choices and f.key != "unb.reset"
    ]
    return [
        f"surprised {who}", "surprised none", *[f"surprise {r.choice(SIDES)} by={r.choice(SIDES)}"] * 3,
        "pass", "pass",
        f"option {r.choice(options)}", f"set {who} side={r.choice(SIDES)}",
        f"move @{r.choice(SIDES)} before @dark",
    ]  # fmt: skip


def play_options(r: Random) -> dict[str, str | bool]:
    found: dict[str, str | bool] = {f.key: r.choice(f.choices) for f in Unbound.options if f.choices}
    return found | {"unb.tie_notices": r.random() < 0.5, "tie.by_hand": r.random() < 0.2}


def _anew(event: ev.Event) -> bool:
    """A round, or by house rule a faction all of whom have acted."""
    return isinstance(event, ev.RoundBegan) or (isinstance(event, ev.Unmarked) and event.mark == "acted")


HABITS = Habits(keys=_keys, extra=_extra, sides=SIDES, waits=False, options=play_options)
LOOSE = replace(HABITS, new_span=_anew)


def play(random: Random, options: dict[str, str | bool], steps: int) -> Game:
    """Play a fight under the laws that its house rules leave."""
    game = Game("unbound", LOOSE if options.get("unb.reset") == "own_faction" else HABITS, random, options)
    game.play(steps)
    return game
