"""How the classic system is played at random."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.kit.random_play import Habits
from tui.core.fight.encounter import Encounter
from tui.core.language.tokens import quote


def extra(r: Random, e: Encounter) -> Sequence[str]:
    acting = [quote(e.combatants[k].name) for k in (e.turn.members if e.turn else ()) if k in e.combatants]
    waiting = [quote(c.name) for c in e.combatants.values() if "held" in c.marks]
    options = [
        "classic.tie=mod",
        "classic.tie=rolloff",
        "classic.tie=heroes",
        "classic.surprise=still",
        "tie.by_hand=true",
        "tie.by_hand=false",
        "classic.reroll=each_round",
    ]
    return [
        *(f"hold {who}" for who in acting * 4), *(f"act {who}" for who in waiting * 4),
        "reroll", "surprised none",
        *(f"surprised {quote(c.name)}" for c in e.combatants.values() if e.phase == "rolls"),
        f"option {r.choice(options)}",
    ]  # fmt: skip


def play_options(r: Random) -> dict[str, str | bool]:
    return {
        "classic.tie": r.choice(["rolloff", "mod", "heroes"]),
        "classic.reroll": r.choice(["never", "each_round"]),
        "tie.by_hand": r.random() < 0.3,
    }  # fmt: skip


HABITS = Habits(
    keys=lambda r: r.choice(["mod=2", "mod=-1", "", "value=5", "adv=adv", "adv=dis mod=1"]),
    extra=extra,
    options=play_options,
)
