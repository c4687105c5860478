"""What can have happened at the table: what the rules say, house rules, the system, free dice, notes."""

from tui.core.fight.combatant import Plain
from tui.core.fight.events.base import BaseEvent, Sides


class Announced(BaseEvent, frozen=True):
    """The rules say something: a sentence whose `{0}`, `{1}` … stand for the keys in `about`.

    An `own` one is part of something sealed: only the game master and the owner of the first of them hear it.
    """

    text: str
    about: tuple[str, ...] = ()
    rule: str = ""
    own: bool = False


class OptionSet(BaseEvent, frozen=True):
    """A house rule was set."""

    key: str
    value: Plain


class SystemChanged(BaseEvent, frozen=True):
    """Another initiative system runs the fight."""

    system: str


class DiceThrown(BaseEvent, frozen=True):
    """Somebody rolled for no rule: `expression` came to `total`; `open` rolls are everybody's to read."""

    expression: str
    total: int
    dice: tuple[Sides, ...]
    faces: tuple[Sides, ...]
    how: str = "app"
    text: str = ""
    open: bool = False


class NoteTaken(BaseEvent, frozen=True):
    """Somebody wrote a line into the log."""

    text: str


TableEvent = Announced | OptionSet | SystemChanged | DiceThrown | NoteTaken
