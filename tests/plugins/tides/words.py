"""What the system is called and declares."""

from __future__ import annotations

from tui.core.fight.agenda import Field, Mark, Phase, Verb
from tui.core.language.values import KIND

DRENCHED = Mark(
    "drenched", "is drenched", tag="drenched", short="wet", logged=True, alarming=True, until="fight"
)
EBB = Phase("ebb", "The tide goes out")
FIELDS = (KIND, Field("lee_of", "in the lee of", "creature", help="who is first in the water", rule="TIDE-2"))
SPLASH = Verb("splash", "splash WHO", "a wave goes over somebody", "S", "TIDE-1", takes=("who",))
