"""What a system declares beside its fields, options and verbs: the marks of its creatures, the phases of its round."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Edge = Literal["turn", "round", "fight"]


class Mark(Struct, frozen=True):
    """A creature's state for a while, as `name` in the journal.

    `word` is a predicate that stands behind the creature's name: "holds a readied action"; a mark without one is the
    system's own bookkeeping, shown to nobody. `tag` is the mark's word
    in the JSON of a row ("" for one that a row does not carry), `short` its word on rows of the screen ("" for none).
    A mark that is `told` goes into the log when it is given; an `alarming` one is drawn to be seen. Of a `sealed` one
    only the game master and the creature's owner know. Whoever bears one that `delays` has put off its turn. It ends
    with the creature's own `turn`, with the `round` or with the `fight`, unless whoever gives it says otherwise.
    """

    name: str
    word: str = ""
    tag: str = ""
    short: str = ""
    told: bool = False
    alarming: bool = False
    sealed: bool = False
    delays: bool = False
    until: Edge = "round"

    @property
    def key(self) -> str:
        """The mark's name in JSON."""
        return self.tag or self.name


class Phase(Struct, frozen=True):
    """A part of the fight: its `name`, and the `sentence` that the log says when it begins ("" for none).

    While it is `closed` nobody is grouped or ungrouped.
    """

    name: str
    sentence: str = ""
    closed: bool = False


ACTED = Mark("acted", "has acted")
REACTION = Mark("reaction", "has reacted", tag="reaction", short="reacted")
COMMON_MARKS = (ACTED, REACTION)
"""The marks that the core itself gives, in every system."""

SETUP = Phase("setup")
ROLLS = Phase("rolls")
TURNS = Phase("turns")
COMMON_PHASES = (SETUP, ROLLS, TURNS)
"""The phases that every system may enter without a word: before the fight, dice for the order, turns."""
