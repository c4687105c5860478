"""What every opened fight can do, and what a file can say no with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

from tui.core.base.errors import RuleError
from tui.store.opening import SaveExists
from tui.store.problems import BadFile, InUse, NotSaved
from tui.store.saves import BadName
from tui.store.session import DiskListener
from tui.ui.keys.desk import Desk

Kind = Literal["written", "looked", "lesson"]


class Opened(Protocol):
    """A fight that is on the screen."""

    @property
    def kind(self) -> Kind:
        """What may be done with it."""

    @property
    def desk(self) -> Desk:
        """What the keys go to."""

    @property
    def path(self) -> str:
        """Its file."""

    def shown(self) -> None:
        """It is on the screen now."""

    def may_close(self) -> None:
        """Raises RuleError while something of it is not on the disk."""

    def close(self) -> None:
        """Gives the file and its lock back."""


class DiskNews:
    """A callback for whatever the disk tells, from its own thread; it may be set after the disk is at work."""

    def __init__(self) -> None:
        # The disk is at work before there is a desk to tell, so news may come with nobody to listen.
        self._synced: Callable[[], None] = lambda: None

    def listen(self, synced: Callable[[], None]) -> None:
        """Sets the callback; it is called from the disk's own thread."""
        self._synced = synced

    @property
    def listener(self) -> DiskListener:
        """What a session is given."""
        return DiskListener(lambda _number: self._synced(), lambda _fault: self._synced())


@contextmanager
def refusals() -> Iterator[None]:
    """A context in which whatever a file, a name or the disk says no with becomes a RuleError."""
    try:
        yield
    except (BadName, SaveExists, InUse) as error:
        raise RuleError(error.message, error.hint) from None
    except NotSaved as error:
        raise RuleError(f"not saved: {error.message}", error.hint) from None
    except BadFile as error:
        raise RuleError(str(error), error.hint) from None
    except OSError as error:
        raise RuleError(error.strerror or "the system says no") from None
