"""Write at a seat: the keys in an order, a line or a choice, and the results of sent lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from tui.core.base.text import clean
from tui.core.language.grammar import usage
from tui.core.language.typed_order import Reader
from tui.core.published_page import SeatChoice
from tui.store.players.page_reader import PageReader
from tui.ui.players.modes import (
    Choosing,
    Ended,
    Mode,
    Typing,
    choosing,
    is_over,
    other_roll,
    typed,
)
from tui.ui.players.outbox import LineResult, Outbox, Outgoing, Post
from tui.ui.players.page import FrameState, PlayerPage, turn_of
from tui.ui.players.panel import (
    SeatNotice,
    forms,
    next_forms,
    owed_forms,
    standpoint,
    written,
)
from tui.ui.players.player_loop import Loop
from tui.ui.players.returned import LINE_DRAFT, ORDER, ReturnedDrafts
from tui.ui.players.table_screen import order_text
from tui.ui.players.viewer import Taste, Viewing
from tui.ui.players.writing import (
    OrderForm,
    ask_doubt,
    open_order,
    paste_text,
    press_key,
    read,
    to_part,
)
from tui.ui.settings.drafts import Drafts
from tui.ui.text.editor import Editor
from tui.ui.text.form import without_old
from tui.ui.text.menu import Item
from tui.ui.text.press import Press

FADE = 4.0
"""How long the notice "taken" stays, and how long other notices count as news, in seconds."""


class SeatWriting(Viewing):
    """The writing at a seat, and sending."""

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
        super().__init__(reader, loop, look, taste)
        self._readers = readers
        self._seen: Mode = None
        """The mode that was drawn last. A question may be answered only after it was drawn."""
        self._count = ""
        self._post, self._drafts = post, drafts
        self._mode: Mode = None
        self._outbox = Outbox(post)
        self._returned = ReturnedDrafts(drafts)
        self._from_before = {
            name for name, text in drafts.load().items() if text and name.startswith((ORDER, LINE_DRAFT))
        }
        self._notice = self._old = SeatNotice()
        self._word = self._given_up = ""
        self._masked = False
        self._later_notice = SeatNotice()
        self._refused_at = turn_of(None)

    def paste(self, text: str) -> None:
        """Insert pasted text if something is being typed; it is never handled as keys."""
        text = clean(text)
        match self._mode:
            case OrderForm() as form:
                self._write(paste_text(form, text))
            case Typing() as typing:
                self._retype(replace(typing, editor=typing.editor.insert(text)))
            case _:
                self._notice = SeatNotice("nothing is being typed: the paste was left out", "warning")
        self._loop.show()

    def _take(self, choice: Item) -> None:
        """Send the line of a choice, or open it for typing if words are missing; "" opens the order form."""
        begun, gap, after = choice.line.partition("  ")
        if gap:
            self._type(Editor(f"{begun} {after and ' ' + after}", len(begun) + 1))
        elif choice.line.endswith(" "):
            self._line(choice.line)
        elif choice.line:
            self._send(choice.line)
        elif self.look.page:
            self._mode = None
            self._open(self.look.page, choice.text)

    def _order(self, *, first: bool = False) -> None:
        """Open the form that is owed first; unless `first`, offer a choice if another order has a draft."""
        page = self.look.page
        # A sent form is no longer owed, though the page does not show it yet: Enter means the next one.
        texts = next_forms(page, {x.removeprefix(ORDER) for x in self._outbox.drafts}) if page else []
        if page and not first:
            waiting = {name for name, text in self._drafts.load().items() if text} - self._outbox.drafts
            texts += [who for who in forms(page) if ORDER + who in waiting and who not in texts]
        if not page or not texts:
            self._notice = SeatNotice("no order of yours can be written now", "hint")
        elif len(texts) == 1:
            self._open(page, texts[0])
        else:
            orders = [o for o in page.state.orders if o.state != "owed"]
            known = {o.who: "unseen" if self._masked else order_text(o) for o in orders}
            choices = (SeatChoice("", who, known.get(who, "")) for who in texts)
            self._mode = choosing(ORDER.strip(), tuple(choices))

    def _open(self, page: PlayerPage, who: str) -> None:
        """Open the form of an order, with its draft."""
        if fields := forms(page).get(who):
            draft = self._drafts.load().get(ORDER + who, "")
            self._from_before.discard(ORDER + who)
            stood = written(page, who)
            form = open_order(who, fields, stood, draft, masked=self._masked)
            self._mode = self._read(replace(form, round=page.state.round, stood=stood))

    def _read(self, form: OrderForm) -> OrderForm:
        """Return the form with the preview of its texts."""
        page = self.look.page
        return read(form, page, self._readers(page.state.system)) if page else form

    def _line(self, begun: str = "") -> None:
        if self.look.page is None:
            return  # nothing of it would be shown, and it would take every other key
        if begun:
            self._type(Editor.from_text(begun))
        else:
            self._mode = Typing(Editor.from_text(self._returned.first_line()))

    def _type(self, editor: Editor) -> None:
        """Open a line that a key has begun, with the syntax of its verb, or its draft."""
        if draft := self._returned.first_line(editor.text):
            editor = Editor.from_text(draft)
        self._mode = Typing(editor, usage=usage(editor.text.partition(" ")[0]))

    # --- keys while something is written

    def _handle_key(self, mode: OrderForm | Typing | Choosing | Ended, key: str) -> None:
        if isinstance(mode, OrderForm) and mode.doubt:
            self._answer_doubt(mode, key)
            return
        if key == "escape":
            # A line that was left comes back with Up; an order that was left becomes a draft.
            if isinstance(mode, Typing):
                self._drafts.save(LINE_DRAFT, "")
                self._given_up = mode.line or self._given_up
            self._mode, self._notice = None, SeatNotice()
            return
        match mode:
            case OrderForm():
                if key == "enter":
                    self._send_order(mode)
                else:
                    self._write(press_key(mode, key))
            case Typing():
                if key == "enter":
                    self._send(mode.line, mode, LINE_DRAFT)
                elif mode.dice and key in ("tab", "shift+tab") and self.look.page:
                    self._mode = other_roll(mode, self.look.page, 1 if key == "tab" else -1)
                elif key == "up" and self._given_up and not mode.start:
                    self._retype(replace(mode, editor=Editor.from_text(self._given_up)))
                else:
                    self._retype(typed(mode, Press.with_name(key)))
            case Ended():
                # Letters that were meant for the form must not do something else.
                if key == "enter":
                    self._mode, self._notice = None, SeatNotice()
            case Choosing():
                by_digit = next((item for item in mode.visible_items if item.key == key), None)
                if key == "enter" or by_digit:
                    self._take(by_digit or mode.visible_items[mode.place])
                else:
                    self._mode = mode.press_key(Press.with_name(key)) or mode

    def _send_order(self, form: OrderForm) -> None:
        """Send an order if it is valid; ask first if it is doubtful, show the reason if it is wrong."""
        if form.reads.errors:
            self._mode = to_part(form)
            # The form shows the reason.
            where = "ctrl+t shows it and the reason" if form.masked else "the form says why"
            self._notice = SeatNotice(f"this cannot be sent: {where}", "error")
        elif question := ask_doubt(form):
            self._mode = question
        else:
            self._go_on(form)

    def _answer_doubt(self, form: OrderForm, key: str) -> None:
        """Handle the key that answers the question before an order is sent.

        y and n count only if the question was drawn before.
        """
        plain = replace(form, doubt=None)
        kind = form.doubt.kind if form.doubt else "words"
        if self._seen is not form and key in ("y", "n"):
            self._notice = SeatNotice("that key came before the question: press it again to answer", "hint")
        elif kind == "words" and key == "y":
            self._go_on(plain)
        elif kind == "old" and key in ("y", "n"):
            shortened = replace(plain, fresh=frozenset()) if key == "y" else self._read(without_old(plain))
            self._send_order(shortened)
        else:
            self._mode = plain
            if key not in ("escape", "enter", "n"):
                self._handle_key(plain, key)  # the player goes on writing: nothing typed is lost

    def _go_on(self, form: OrderForm) -> None:
        """Send an order, and open the next owed order."""
        self._send(form.line, form, ORDER + form.who)
        page = self.look.page
        if page and self._mode is None and self._notice.role != "error":
            sent = {x.removeprefix(ORDER) for x in self._outbox.drafts}
            if names := [who for who in owed_forms(page) if who not in sent]:
                self._open(page, names[0])

    def _mask(self, *, masked: bool | None = None) -> None:
        """Hide the viewer's own orders, or show them together with the notice withheld meanwhile."""
        self._masked = not self._masked if masked is None else masked
        self.look = replace(self.look, masked=self._masked)
        if not self._masked and self._later_notice.text:
            self._notice, self._later_notice = self._later_notice, SeatNotice()

    def _write(self, form: OrderForm) -> None:
        if isinstance(self._mode, OrderForm) and form.texts != self._mode.texts:
            self._notice = SeatNotice()  # the old one was about the text before this edit
            form = self._read(form)
        self._mode = form
        self._mask(masked=form.masked)
        self._drafts.save(ORDER + form.who, form.draft)

    def _retype(self, typing: Typing) -> None:
        self._mode = typing
        if not typing.start:
            self._drafts.save(LINE_DRAFT, typing.editor.text)

    # --- sending and replies

    def _send(self, line: str, mode: Mode = None, draft: str = "") -> None:
        page, line = self.look.page, clean(line, len(line))
        if line and page is None:
            self._mode, self._notice = mode, SeatNotice("not sent: the table is not there yet", "error")
            return
        self._mode = None
        if not line or page is None:
            return
        self._returned.sent(line)
        # The step on the screen at the time of the key is sent along: a second `next` must not skip a turn.
        saw = standpoint(page, line)
        if draft.startswith(ORDER) and draft in self._outbox.drafts:
            saw = replace(saw, due="")  # the one before was written here, and the page does not show it yet
        self._show_result(self._outbox.put(Outgoing(line, saw, mode, draft)))

    def _show_result(self, result: LineResult | None) -> None:
        """Show the result of a line; a refused line returns to the mode in which it was written."""
        if result is None:
            return
        if result.taken:
            self._drafts.save(result.taken, "")
        # Something else may be written already, which is kept; and what the line answered may be undone.
        if not (self.look.page and is_over(result.mode, self.look.page)):
            self._mode = self._mode or result.mode
        if self._mode is result.mode and isinstance(form := result.mode, OrderForm) and self.look.page:
            # The refusal says it if the order has changed meanwhile: the form goes on from there.
            self._mode = replace(form, stood=written(self.look.page, form.who))
        self._notice, self._refused_at = result.notice, turn_of(self.look.page)
        self._later_notice = SeatNotice()
        if result.notice.role == "error" and isinstance(result.mode, OrderForm) and result.mode.masked:
            # A reason may quote the order.
            self._later_notice = result.notice
            self._notice = SeatNotice("refused: ctrl+t shows the order and the reason", "error")
        self._loop.later(
            FADE, partial(self._fade if result.notice.role == "ok" else self._age, result.notice)
        )
        self._loop.show()

    def _age(self, notice: SeatNotice) -> None:
        """Let the next page clear a notice, because it has been on the screen for `FADE` seconds."""
        self._old = notice

    def _fade(self, notice: SeatNotice) -> None:
        """Clear a notice if it is still the one shown."""
        if self._notice is notice:
            self._notice = SeatNotice()
            self._loop.show()
