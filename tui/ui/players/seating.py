"""A player's seat as a surface: the table as in `view`, and the player's tasks and writing below."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from msgspec.structs import replace

from tui.core.base.text import quote
from tui.core.language.typed_order import Reader
from tui.core.published_page import SeatChoice
from tui.store.players.page_reader import PageReader
from tui.ui.players.modes import (
    Ended,
    by_hand,
    choosing,
    faces,
    over_words,
    rolls,
)
from tui.ui.players.outbox import Post
from tui.ui.players.page import FrameState, PlayerPage, turn_of, undone_words
from tui.ui.players.panel import (
    ALONE_KEYS,
    COUNTED,
    NOT_NOW,
    TURN_KEYS,
    SeatNotice,
    caret,
    forms,
    free_to_react,
    owed_forms,
    owned,
    panel,
    seat_keys,
    targets,
    tasks,
    written,
)
from tui.ui.players.player_loop import Loop
from tui.ui.players.returned import LINE_DRAFT, ORDER
from tui.ui.players.seat_writing import FADE, SeatWriting
from tui.ui.players.table_screen import screen
from tui.ui.players.viewer import Taste
from tui.ui.players.writing import OrderForm, void_words
from tui.ui.settings.drafts import Drafts
from tui.ui.text.palette import Role
from tui.ui.text.press import DIGITS
from tui.ui.text.rows import Row

SETTLED = 0.5
"""How long steps have to be gone until they are reported as undone, in seconds."""

MOST_DIGITS = 4
"""The most digits of a count."""


class Seating(SeatWriting):
    """What a seat shows, and its keys."""

    def __init__(
        self,
        reader: PageReader,
        loop: Loop,
        look: FrameState,
        taste: Taste,
        post: Post,
        drafts: Drafts,
        readers: Callable[[str], Reader | None] = lambda _system: None,
    ) -> None:
        super().__init__(reader, loop, look, taste, post, drafts, readers)
        self._low: list[Row] = []
        self._undone: tuple[SeatNotice, PlayerPage | None] = (SeatNotice(), None)
        """The latest notice of an undone step, and the page before that."""
        self._whole = (80, 24)
        self._keys |= {
            "enter": self._do_first,
            "o": self._order,
            "r": self._roll,
            "R": partial(self._roll, fell=True),
            "f": self._react,
            "ctrl+t": self._mask,
            ":": self._line,
        }

    # --- for the loop

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the view, and below it what is being written or the player's tasks."""
        self._whole, self._seen = (width, height), self._mode
        writable = None if self._mode else forms(self.look.page) if self.look.page else ()
        word = "; ".join(filter(None, (self._returned.text(writable), self._word)))
        drafts = {name for name, text in self._drafts.load().items() if text} - self._outbox.drafts
        begun = frozenset(name.removeprefix(ORDER) for name in drafts if name.startswith(ORDER))
        look = replace(self.look, begun=begun)
        low = panel(look, self._mode, self._notice, word, width, max(1, height * 2 // 3))
        if self.look.help or self.look.page is None:
            return super().rows(width, height)
        above, self._low = height - len(low), low
        self._size = (width, above + 1)
        # The last row of the table's screen has its keys; the seat's keys replace it.
        table = screen(self.look, width, above + 1)[:above] if above >= 5 else screen(self.look, width, above)
        return [*table, *low]

    def point(self) -> tuple[int, int] | None:
        """Return the cell for a screen reader: of the typed text, the notice, or the acting row."""
        pair = super().point()
        if pair is None:
            return None
        if self._mode or self._notice.text:
            column, row = caret(self._low, self._notice) or (0, 0)
            pair = column, self._size[1] - 1 + row
        width, height = self._whole
        return min(pair[0], width - 1), min(pair[1], height - 1)

    def press(self, key: str) -> None:
        """Handle a key."""
        # A refusal stays with its line until that is sent or left.
        if self._mode is None or self._notice.role != "error":
            self._notice = SeatNotice()
        if key == "escape":
            self._returned.dismiss()
        if self._mode is None and self._type_count(key):
            pass
        elif self._mode is None:
            if key in self._keys or not self._send_word(key):
                super().press(key)
                if key in NOT_NOW and self.look.page and self.look.page.running:
                    self._notice = SeatNotice(NOT_NOW[key], "hint")
                elif key not in self._keys:
                    self._notice = SeatNotice(f"{key} does nothing here: ? shows the keys", "hint")
            self._count = ""
        elif key == "ctrl+c":
            super().press(key)
        else:
            self._handle_key(self._mode, key)
        self._loop.show()

    def _refuse_suspend(self) -> None:
        self._notice = SeatNotice("there is no shell to return to", "warning")

    def news(self) -> None:
        """Read the published page and the replies."""
        before = self.look.page
        super().news()
        if self.look.page is not before:
            sent = self._outbox.drafts
            self._outbox.new_page()
            self.look = replace(self.look, keys=seat_keys(self.look.page))
            # A notice about the page before is cleared; a refusal stays with its line until the next turn.
            stays = self._mode and self._notice.role != "ok" and self._refused_at == turn_of(self.look.page)
            read = self._notice is self._old and not stays
            if self._notice.role == "hint" or read:
                self._notice = SeatNotice()
            self._say_returned(before)
            self._end_mode(before, sent)
        self._say_drafts()
        if not self._post.stands:  # closed: the lines of this seat are shown no more
            self.look = replace(self.look, page=None, standing="closed")
            self._mode = None
            self._outbox.empty()
            self._loop.show()
            return
        reply = self._post.reply()
        word = reply.word
        self._show_result(self._outbox.answered(reply))
        if word != self._word:
            self._word = word
            self._loop.show()

    # --- keys at the table

    def _send_word(self, key: str) -> bool:
        """Send or begin the line of a key; return whether the key has a line now."""
        page = self.look.page
        if page is None:
            return False
        for verb in page.seat.verbs:
            if verb.key == key:
                self._begin(page, verb.name)
                return True
        turn, _ = TURN_KEYS.get(key, ("", ""))
        if choices := page.seat.choices.get(turn):
            if len(choices) == 1:
                self._send(choices[0].line)
            else:
                self._mode = choosing(turn, choices, is_asked=True)
            return True
        if not page.seat.gmless or key not in ALONE_KEYS:
            return False
        line, _ = ALONE_KEYS[key] if key != "n" or page.running else ("begin", "")
        if line.endswith(" "):
            some = targets(page, key, self._count)
            if len(some) == 1:
                self._take(choosing(line, some).items[0])
            elif some:
                self._mode = choosing(line.strip(), some)
            else:
                self._notice = SeatNotice(f"there is no creature to {line.strip()}", "hint")
        else:
            self._send(f"{line} {self._count}".strip() if line in COUNTED else line)
        return True

    def _type_count(self, key: str) -> bool:
        """Handle a digit of a count, if players play without a GM; return whether it was one.

        `4d` deals four points of damage.
        """
        page = self.look.page
        if not page or not page.seat.gmless or key not in DIGITS or (key == "0" and not self._count):
            return False
        self._count = (self._count + key)[:MOST_DIGITS]
        self._notice = SeatNotice(f"{self._count}: d damage, + heal, n turns, u steps", "hint")
        return True

    def _next_palette(self) -> None:
        """Change the colours, unless an order is owed: then the key was probably meant for its text."""
        if self.look.page and owed_forms(self.look.page):
            self._notice = SeatNotice("an order of yours is owed: o writes it", "hint")
        else:
            super()._next_palette()

    def _begin(self, page: PlayerPage, verb: str) -> None:
        """Begin a verb of the system: open its choices if there are any, else a line."""
        if choices := page.seat.choices.get(verb):
            sealed = self._masked and verb == _REACTION
            self._mode = choosing(verb, tuple(map(_conceal, choices)) if sealed else choices, is_asked=True)
        else:
            # The player who carries out a turn decides what happens to the acting creature.
            leads = page.seat.resolves and page.state.acting
            who = [page.state.acting] if leads else owned(page)
            self._line(f"{verb} {quote(who[0])} " if len(who) == 1 else f"{verb} ")

    def _do_first(self) -> None:
        """Do the player's first task."""
        waiting = tasks(self.look.page) if self.look.page else []
        if not waiting:
            self._notice = SeatNotice("you have nothing to do now", "hint")
        elif waiting[0].line:
            self._send(waiting[0].line)
        elif waiting[0].choose == "end":
            self._notice = SeatNotice("e ends the turn", "hint")
        elif waiting[0].choose and self.look.page:
            self._begin(self.look.page, waiting[0].choose)
        else:
            self._order(first=True)

    def _say_drafts(self) -> None:
        """Report drafts of an earlier start once, when they can be opened."""
        page = self.look.page
        if not self._from_before or not page or self.look.standing != "written" or self._mode:
            return
        drafts, told = self._drafts.load(), self._returned.drafts()
        waiting = {ORDER + who: who for who in forms(page)} | {LINE_DRAFT: ""}
        still_open = self._from_before & waiting.keys()
        self._from_before -= still_open
        still = {name for name in still_open if drafts.get(name) and (name, drafts[name]) not in told}
        said = ["a line; : continues it"] if LINE_DRAFT in still else []
        if orders := [who for name, who in waiting.items() if name in still and who]:
            said.insert(0, f"the order of {', '.join(orders)}; o continues it")
        if said:
            self._notice = SeatNotice(f"unfinished from before: {'; '.join(said)}", "warning")
            self._loop.show()

    def _say_returned(self, before: PlayerPage | None) -> None:
        """Report undone and redone lines; remove "taken" or "it counts again" if the line was undone."""
        page = self.look.page
        if page is None:
            return
        notice, since = self._undone
        if since and self._notice is notice and not undone_words(since, page):
            self._notice = SeatNotice()  # it was done again
        known = before.seat.returned if before else ()
        went = not {x.number for x in page.seat.returned} <= {x.number for x in known}
        head = "a step was undone" if page.seat.gmless else "the game master undid a step"
        orders = {o.who: o.text for o in page.state.orders if o.state != "owed"}
        undone = undone_words(before, page) if before else ""
        counting = self._returned.news(page.seat, orders, undone or head)
        if counting or (went and self._notice.role == "ok"):
            self._announce(counting, "ok")
        elif before and undone and not went:
            # A sealed order that is rewritten is undone and written again: that is nobody's undo.
            self._loop.later(SETTLED, partial(self._say_undone, before))

    def _say_undone(self, before: PlayerPage) -> None:
        """Report what was undone since the page `before`, unless it is there again or a refusal is shown."""
        undone = undone_words(before, self.look.page) if self.look.page else ""
        if undone and self._notice.role != "error":
            self._announce(undone, "warning")
            self._undone = self._notice, before

    def _announce(self, text: str, role: Role) -> None:
        """Show a notice for `FADE` seconds at least, unless a key is pressed."""
        self._notice = SeatNotice(text, role)
        self._loop.later(FADE, partial(self._age, self._notice))
        self._loop.show()

    def _end_mode(self, before: PlayerPage | None, sent: Collection[str]) -> None:
        """Put a notice in place of a form or choice that has become void; an order's text stays as a draft.

        `before` is the page before; `sent` names the drafts of orders that the page may show because they
        were sent from here.
        """
        page, mode = self.look.page, self._mode
        if page is None:
            return
        reason = over_words(mode, page, before)
        if isinstance(mode, OrderForm):
            if ORDER + mode.who in sent:
                self._mode = mode = replace(mode, stood=written(page, mode.who))
            has_draft = bool(self._drafts.load().get(ORDER + mode.who))
            reason = void_words(mode, page, forms(page), has_draft=has_draft)
        if reason:
            self._mode = Ended(reason)
            if self._notice.role == "error":
                self._notice = SeatNotice()  # it was about what was typed in the form

    def _roll(self, *, fell: bool = False) -> None:
        """Roll the first owed roll by the app, or with `fell` ask for the faces rolled at the table."""
        due = rolls(self.look.page) if self.look.page else []
        mine = by_hand(self.look.page) if fell and self.look.page else due
        if not mine:
            words = f"r lets the app deal {due[0].shows}" if due else "no roll of yours is due"
            self._notice = SeatNotice(words, "hint")
        elif fell:
            self._mode = faces(mine[0].who, mine[0].dice)
        else:
            self._send(f"roll {quote(mine[0].who)}")

    def _react(self) -> None:
        """Begin a reaction: choose one that is offered, else type one."""
        page = self.look.page
        if page is None:
            return
        if page.seat.choices.get(_REACTION):
            self._begin(page, _REACTION)
            return
        lines = [SeatChoice(f"{_REACTION} {quote(name)} with ", name) for name in free_to_react(page)]
        if len(lines) == 1:
            self._line(lines[0].line)
        elif lines:
            self._mode = choosing(_REACTION, lines)
        else:
            self._notice = SeatNotice("no creature of yours has its reaction left", "hint")


def _conceal(choice: SeatChoice) -> SeatChoice:
    """Return a choice of a reaction that shows only its creature."""
    return replace(choice, title=choice.title.partition(": ")[0], note="unseen", meaning="")


_REACTION = "react"
"""The verb whose choices quote sealed orders."""
