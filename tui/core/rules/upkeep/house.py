"""The house rules that every system has: what 0 hit points do, concentration, what others see of hit points."""

from __future__ import annotations

from tui.core.fight.agenda import Field
from tui.core.fight.combatant import Combatant, Plain, is_pc
from tui.core.fight.encounter import Encounter

_ZERO = ("nothing", "out", "dying")
COMMON_OPTIONS = (
    *(
        Field(f"zero.{kind}", f"0 hit points of {whom}", "choice", _ZERO, "nothing", "what they do; dying: death saves")
        for kind, whom in (("pc", "players' characters"), ("npc", "allies and others"), ("monster", "monsters"))
    ),
    Field("zero.massive", "massive damage", "choice", ("none", "dead"), "none",
          "dead: what is left over after 0 kills when it is the maximum or more"),
    Field("concentration.dc", "damage and concentration", "choice", ("damage", "none"), "damage",
          "damage: 10, or half of it when that is more"),
    Field("view.health", "what others see of hit points", "choice", ("word", "none", "numbers"), "word",
          "a word, nothing, or the numbers"),
    Field("library.hp", "hit points from the library", "choice", ("average", "rolled"), "average"),
)  # fmt: skip
_DEFAULTS = {f.key: f.default for f in COMMON_OPTIONS}


def house(e: Encounter, key: str) -> Plain:
    """A house rule of every system: as set, else its default."""
    return e.options.get(key, _DEFAULTS[key])


def at_zero(e: Encounter, c: Combatant) -> str:
    """What 0 hit points do to a creature: nothing, out or dying."""
    kind = "pc" if is_pc(c) else "npc" if c.word("kind") == "npc" else "monster"
    return str(house(e, f"zero.{kind}"))
