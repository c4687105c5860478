"""A line of a seat is judged: whether it may be sent, then whatever the rules say. What is said back is for that seat alone."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.viewer import Viewer, keeps_nothing, players
from tui.core.language.actions import Action, Order, Undo
from tui.core.language.grammar import words
from tui.core.rules.decide import Rules, draft
from tui.core.rules.system import without_gm
from tui.core.views.rights import allowed, known_refusal, rehearse
from tui.store.dice import SeededDice
from tui.store.problems import NotSaved
from tui.store.seats.answer import SeatAnswer
from tui.store.seats.reply import Reply
from tui.store.store import Store


class Ruling(Struct, frozen=True):
    """What a line came to: the record it wrote, 0 for none, and the reply. `words` are for the other seats."""

    reply: Reply
    record: int = 0
    words: dict[str, str] = {}
    fault: str = ""


class Judge:
    """Hears the seats' lines on one store, on the thread that owns it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._undo: tuple[int, frozenset[str]] = (-1, frozenset())
        self._written = (-1, "", "")
        """The record of the order that a seat wrote last, that seat, and whose order it is."""

    def hear(self, answer: SeatAnswer, by: str) -> Ruling:
        """The line is run, or refused. `by` goes into the journal with it."""
        viewer = Viewer(answer.seat, gm=False)
        try:
            return self._hear(answer, viewer, by)
        except RuleError as error:
            return Ruling(Reply(answer.number, "refused", error.message, error.hint))
        except NotSaved as error:
            return Ruling(Reply(answer.number, "refused", f"not saved: {error.message}", "send it again"))
        except Exception as error:  # noqa: BLE001  # a player's line must not end the program of whoever writes
            fault = f"a fault of tocsin's own ({type(error).__name__})"
            return Ruling(Reply(answer.number, "refused", fault, "nothing has changed"), fault=fault)

    def _hear(self, answer: SeatAnswer, viewer: Viewer, by: str) -> Ruling:
        store, e = self._store, self._store.encounter
        said = store.parse(answer.line)
        action = allowed(e, store.system, viewer, said, answer.moment)
        if isinstance(action, Undo):
            return self._agree(answer, viewer, action, by)
        rules = Rules(store.systems, SeededDice(0))
        if not keeps_nothing(e) and without_gm(store.system, e):
            # Where players lead the fight they may name anybody: only whom they know.
            rehearse(e, rules, viewer, said)
        try:
            if isinstance(action, Order):
                return self._write(answer, action, by)
            return self._run(answer.number, action, by)
        except RuleError:
            raise known_refusal(e, rules, viewer, said) from None

    def _write(self, answer: SeatAnswer, action: Order, by: str) -> Ruling:
        """An order. Written again before anybody else has done anything it is the same step: one undo takes all back."""
        store, whose = self._store, (answer.seat.lower(), action.who)
        if self._written == (store.record, *whose):
            draft(store.at(store.step - 1), action, Rules(store.systems, SeededDice(0)))
            # Without the seat's number: if we die behind this, the letter is there still, and is run again.
            store.run("undo")
            try:
                ruling = self._run(answer.number, action, by)
            except Exception:
                store.run("redo")
                raise
        else:
            ruling = self._run(answer.number, action, by)
        self._written = (store.record, *whose)
        return ruling

    def _run(self, number: int, action: Action, by: str) -> Ruling:
        self._store.run(words(action), by=by)
        self._undo = (-1, frozenset())
        return Ruling(Reply(number, "taken"), self._store.record)

    def _agree(self, answer: SeatAnswer, viewer: Viewer, action: Undo, by: str) -> Ruling:
        """A step is taken back when everybody who plays has asked for it."""
        store = self._store
        if answer.moment.step != store.state(viewer)["step"]:
            raise RuleError("more has happened since you asked to undo", "ask again if it is still meant")
        everybody = {name.lower(): name for name in players(store.encounter)}
        record, asked = self._undo
        asked = (asked if record == store.record else frozenset()) | {viewer.name.lower()}
        missing = [name for key, name in everybody.items() if key not in asked]
        if not missing:
            return self._run(answer.number, action, by)
        self._undo = (store.record, asked)
        word = (
            f"{everybody.get(viewer.name.lower(), viewer.name)} asks to undo the last step; `undo` (u) agrees"
        )
        waits = f"waits for {_listed(missing)} to agree"
        return Ruling(Reply(answer.number, "waits", waits), words={name.lower(): word for name in missing})


def _listed(names: Iterable[str]) -> str:
    return " and ".join(names)
