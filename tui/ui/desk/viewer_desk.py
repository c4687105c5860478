"""The game master's panes over what one viewer may know: nothing here changes or asks for anything."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace

from tui.core.fight.viewer import Viewer
from tui.core.views.seen import visible_fight
from tui.store.store import Store
from tui.ui.desk import board
from tui.ui.desk.base import BaseDesk
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import Services
from tui.ui.state.commands import Keys
from tui.ui.state.messages import Chronicle, HeardChronicle
from tui.ui.state.scene import Scene, Viewed
from tui.ui.state.settings import Settings
from tui.ui.state.view import PromptKind
from tui.ui.text.press import Press

WORDS: Final = (
    "panes", "left", "right", "up", "down", "pageup", "pagedown", "top", "bottom", "zoom", "escape", "filter",
    "repaint", "suspend", "quit", "theme",
)  # fmt: skip
"""The words of the screen that only look at the panes."""


class ViewerDesk(Desk):
    """The panes as one viewer reads them; its keys only look."""

    def __init__(
        self, store: Store, viewer: Viewer, settings: Settings | None = None, services: Services | None = None
    ) -> None:
        self.viewer = viewer
        # The program's words would open other fights, as the game master sees them.
        super().__init__(store, settings, replace(services or Services(), words={}))
        self._acting = self.scene.acting

    def _make_chronicle(self, store: Store) -> Chronicle:
        return HeardChronicle(store, self.viewer)

    @property
    def words(self) -> Mapping[str, Callable[[BaseDesk, str], None]]:
        """The functions of the words that only look."""
        return {word: board.WORDS[word] for word in WORDS}

    @property
    def scene(self) -> Scene:
        """What this viewer may know, and nothing else."""
        store, number = self.store, self.past.current
        shown = store.marker(self.viewer).encounter
        known = visible_fight(shown, store.system, self.viewer).encounter
        return replace(
            super().scene,
            # Orders are drawn from the table, which says who may read them.
            encounter=replace(known, orders={}, past={}),
            step=number,
            steps=number,
            redoable=0,
            verbs={},
            group_line="",
            past=self.past,
            viewed=Viewed(self.viewer, shown),
        )

    @property
    def group_line(self) -> str:
        """Nothing: a viewer is not asked to group creatures."""
        return ""

    def _changed(self, since: int) -> None:
        """Handle a change of the fight: scrolled texts return to their first row."""
        self.past.changed(since)
        self.show(tops={})
        acting = self.scene.acting
        if self.settings.bell and acting != self._acting and self._concerns(acting):
            self.services.bell()
        self._acting = acting

    def _concerns(self, key: str) -> bool:
        """Return whether a turn is the viewer's own; for everybody, whether it is a turn at all."""
        return bool(key) and (not self.viewer.name or self.viewer.owns(self.store.encounter, key))

    # --- the keys

    def _make_keys(self) -> Keys:
        keys = super()._make_keys()
        words = {k: keys.by_id[k].words.partition(" ")[0] for k in keys.shown}
        return replace(keys, shown={k: key for k, key in keys.shown.items() if words[k] in WORDS}, verbs={})

    def _only_looks(self, command: str) -> bool:
        row = self.keys.by_id.get(command)
        return row is not None and row.words.partition(" ")[0] in WORDS

    def _refuse(self) -> bool:
        whose = self.viewer.name or "everybody"
        self.notify(f"this screen only shows what {whose} may know; `tocsin {self.store.name}` plays", "hint")
        return False

    def submit(self, line: str) -> bool:
        """Run a word that only looks, and return whether it is one."""
        return super().submit(line) if line.strip().partition(" ")[0] in WORDS else self._refuse()

    def open_prompt(self, line: str, kind: PromptKind = "line", members: tuple[str, ...] = ()) -> None:
        """Refuse: nothing is typed here."""
        del line, kind, members
        self._refuse()

    def takes(self, command: str) -> bool:
        """Return whether every key of a command that only looks runs it now."""
        return self._only_looks(command) and super().takes(command)

    def takes_verb(self, system: str, verb: str) -> bool:
        """Return False: no verb is sent from here."""
        del system, verb
        return False

    def perform(self, command: str) -> None:
        """Run a command that only looks."""
        if self._only_looks(command):
            super().perform(command)
        else:
            self.act(self._refuse_key)

    def say_verb(self, verb: str) -> None:
        """Refuse: no verb is sent from here."""
        del verb
        self.act(self._refuse_key)

    def unbound(self, key: Press) -> None:
        """Refuse a key without a command."""
        del key
        self._refuse_key()

    def _refuse_key(self) -> None:
        self._refuse()
        self.show(count="")

    def paste(self, text: str) -> None:
        """Insert pasted text into the filter, and nowhere else."""
        if self.mode:
            super().paste(text)
        else:
            self._refuse()
