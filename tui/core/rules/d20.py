"""Declare what creatures of d20 games have besides the fields of an initiative system."""

from __future__ import annotations

from tui.core.fight.agenda import Field

FIELDS = (
    Field("level", "level", help="a hero's, for the difficulty of a fight", least=1, most=20),
    Field("cr", "challenge rating", "rating", help="a foe's, for the difficulty: 1/4, 2, 17"),
    Field("passive", "passive Perception", default=10, help="Perception: what it notices without a roll"),
)
"""The fields of the creatures of a system that `is_d20`, besides its own."""

BODY_KEYS = ("per", "int", "mod", "mod_dice", "bonus", "con", "stealth", "passive", "size", "die", "cr")
"""The fields that describe a kind of creature, which one creature of the kind lends to another."""
