"""Judge the lines of players' pages, on the thread that owns the store: at most once each, by its id."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import is_clean
from tui.core.fight.agenda import say
from tui.core.fight.encounter import Encounter, side_of
from tui.core.fight.viewer import Viewer, text
from tui.core.language.actions import Action, Done, End, Order, Pass, Pick, TakeTurn
from tui.core.language.grammar import write_line
from tui.core.language.select import resolve_entry
from tui.core.page import Offers
from tui.core.rules.decide import Rules
from tui.core.rules.on_screen import on_screen
from tui.core.views.gate import GONE_ON, WAIT_HINT, Permit, allow, compare, refuse_as_known
from tui.core.views.offers import offers_for
from tui.core.views.seen import visible_fight
from tui.serve.letter import SEND_AGAIN, LineReply, Posted, SentLine
from tui.store.problems import NotSaved
from tui.store.sources import SeededDice
from tui.store.store import Store

MOST_PAGES: Final = 32
"""How many pages of a viewer are remembered, to tell a line that came too late."""

MOST_REFUSED: Final = 2_000
"""How many refused lines are remembered, so that a repeated one gets the same answer."""


class Judged(Struct, frozen=True):
    """The reply to a line; `record` is the record that must be on the disk before it is sent, 0 for none."""

    reply: LineReply
    record: int = 0
    fault: str = ""
    """An error for the game master."""


_WAITS: Final = Judged(LineReply("again", "the GM goes on first", "it is tried again when the page moves"))


class PageJudge:
    """Runs the lines of players on one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._pages: dict[str, deque[tuple[int, Offers]]] = {}
        self._refused: dict[tuple[str, str], LineReply] = {}

    def showed(self, viewer: str, moment: int, offers: Offers) -> None:
        """Remember what a viewer's page with this number offers."""
        self._pages.setdefault(viewer, deque(maxlen=MOST_PAGES)).append((moment, offers))

    def judge(self, letter: SentLine, name: str) -> Judged:
        """Run or refuse a line of the player `name`, or answer it again if it was answered before."""
        sent = letter.sent
        if sent.read:
            return self._run(letter, name)
        if self.store.is_known(name, sent.id):
            return Judged(LineReply("taken"), self.store.record)
        if before := self._refused.get((letter.viewer, sent.id)):
            return Judged(before)
        judged = self._run(letter, name)
        if judged.reply.became == "refused":
            self._refused[letter.viewer, sent.id] = judged.reply
            if len(self._refused) > MOST_REFUSED:
                del self._refused[next(iter(self._refused))]
        return judged

    def _run(self, letter: SentLine, name: str) -> Judged:
        viewer = Viewer(name, gm=False)
        try:
            if letter.sent.read:
                return Judged(self._read(letter.sent, viewer))
            return self._decide(letter, viewer)
        except RuleError as error:
            return Judged(LineReply("refused", error.reason, error.hint))
        except NotSaved as error:
            return Judged(LineReply("again", f"not saved: {error.message}", SEND_AGAIN))
        except Exception as error:  # noqa: BLE001  # a player's line must not end the writer
            fault = f"a bug in tocsin ({type(error).__name__})"
            return Judged(LineReply("refused", fault, "nothing has changed"), fault=f"{name}: {fault}")

    def _decide(self, letter: SentLine, viewer: Viewer) -> Judged:
        """Compare a line with the offers, and run it. Raises RuleError, NotSaved."""
        store, e, line = self.store, self.store.encounter, letter.sent.line
        request, marker = _parse(store, line), self.store.marker(viewer)
        offers = offers_for(marker.encounter, store.system, viewer)
        permit = self._compare(letter, request, offers)
        if marker.is_held and isinstance(request, End | Pass | TakeTurn | Pick | Done):
            return self._came_late(letter, viewer, request, marker.encounter)
        action = allow(e, store.system, viewer, request, permit, marker.encounter)
        try:
            store.run(write_line(action), by=viewer.name, id_=letter.sent.id)
        except RuleError:
            rules = Rules(store.systems, SeededDice(0))
            error = refuse_as_known(marker.encounter, rules, viewer, request, offers)
            if isinstance(request, TakeTurn | Pick | Done) and error.hint == WAIT_HINT:
                return _WAITS
            raise error from None
        return Judged(LineReply("taken"), store.record)

    def _compare(self, letter: SentLine, request: Action, offers: Offers) -> Permit:
        """Return how the page of now offers a line, if the page of the line's moment meant the same."""
        own = [v.name for v in self.store.system.verbs]
        pages, moment = self._pages.get(letter.viewer, ()), letter.sent.moment
        # A page of an earlier run of the program has a number from the clock too.
        if moment > (pages[-1][0] if pages else time.time_ns() // 1_000_000):
            raise RuleError("no page of this fight has that number", "reload the page")
        shown = dict(pages).get(moment, offers)
        then: Permit | None = None
        try:
            then = compare(shown, request, own)
            now = compare(offers, request, own)
        except RuleError:
            if then is not None:
                raise RuleError(GONE_ON, WAIT_HINT) from None
            if shown is offers:
                raise
            return compare(offers, request, own)
        if now.contexts != then.contexts:
            raise RuleError(GONE_ON, WAIT_HINT)
        return now

    def _came_late(
        self, letter: SentLine, viewer: Viewer, request: End | Pass | TakeTurn | Pick | Done, shown: Encounter
    ) -> Judged:
        """Judge a line of a moment that is over, and that the page still offers.

        An end or a pass of a turn that is over is written down and changes nothing; all else waits.
        """
        if not isinstance(request, End | Pass):
            return _WAITS
        store, e, system = self.store, self.store.encounter, self.store.system
        whose = shown.acting or visible_fight(shown, system, viewer).offer.chooser
        # The turn of a side goes on while a member of it that the viewer does not see acts.
        goes_on = shown.turn in e.paused if shown.turn else system.turn_side(e) == side_of(shown, whose)
        if isinstance(request, End) and goes_on:
            return _WAITS
        over = text(e, say("{0}'s turn was over", whose))
        store.keep_late(f"{write_line(request)} ({over})", viewer.name, letter.sent.id)
        return Judged(LineReply("taken"), store.record)

    def _read(self, sent: Posted, viewer: Viewer) -> LineReply:
        """Return how an order of the viewer's would read; nothing for any other line."""
        store = self.store
        shown = store.marker(viewer).encounter
        e = visible_fight(shown, store.system, viewer).encounter
        try:
            request = _parse(store, sent.line)
            offers = offers_for(shown, store.system, viewer)
            if not isinstance(request, Order) or not offers.forms:
                return LineReply("read")
            compare(offers, request, ())
            key = resolve_entry(e, request.who, store.system.entries(e))
        except RuleError as error:
            return LineReply("read", words={"errors": (error.reason,)})
        parts = {k: text for k, text in request.keys.items() if text}
        seen = on_screen(store.system).preview(e, key, parts)
        return LineReply(
            "read", words={"errors": seen.refusals, "warnings": seen.doubts, "notes": seen.notes}
        )


def _parse(store: Store, line: str) -> Action:
    """Return the action of a line. Raises RuleError."""
    if not is_clean(line):
        raise RuleError("the line contains characters that cannot be shown", "write it without them")
    try:
        return store.parse(line)
    except RuleError as error:
        if error.kind in ("unknown_word", "elsewhere"):
            raise RuleError(error.reason, WAIT_HINT) from None
        raise
