"""A tiny system that asks everything a system can ask.

Forms, a lock, a choice, dice, a board, and who goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Act,
    Ask,
    Choice,
    Field,
    FormAsk,
    Lazy,
    LockAsk,
    Offer,
    OrderRow,
    Phase,
    PickAsk,
    Preview,
    RollAsk,
    RowState,
    TrackRow,
    Verb,
    say,
)
from tui.core.fight.encounter import GM, Encounter, active, unacted
from tui.core.language.creature_actions import OwnVerb
from tui.core.rules.draft import Draft
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Orders
from tui.core.rules.system import InitiativeSystem, next_round, notes
from tui.systems.shared.numbering import SURPRISED_MARK

FORM = (
    Field("move", "movement", "text"),
    Field("stance", "stance", "choice", ("bold", "calm")),
    Field("shield", "shield", "bool", default=False),
    Field("dice", "weapon", "dice", default="1d6"),
)


class Notes(Struct, frozen=True):
    done: list[str] = []


class Toy(InitiativeSystem, OnScreen, Orders):
    id = "toy"
    title = "Toy"
    summary = "asks everything"
    passes = True
    credit = "nobody's"
    marks = (SURPRISED_MARK,)
    phases = (Phase("orders", "Orders are open"),)
    verbs = (
        Verb("shout", "shout", "makes a noise", "m", "TOY-1"),
        Verb("dance", "dance WHO", "steps", "y", takes=("who",)),
        Verb("call", "call TIMES", "calls out", "Q", takes=("text",)),
    )
    clauses: ClassVar[dict[str, str]] = {"TOY-1": "Whoever writes, moves."}

    def _done(self, e: Encounter) -> list[str]:
        return notes(e, Notes).done

    def begin(self, d: Draft) -> None:
        next_round(d, self)
        d.emit(ev.PhaseEntered("orders"))

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        done = self._done(e)
        forms = [
            FormAsk(f"form {c.id}", c.id, FORM, say("{0} writes", c.id, rule="TOY-1"))
            for c in active(e)
            if c.id not in e.orders
        ]
        if "lock" not in done:
            return (*forms, LockAsk("lock", GM, say("All is written", rule="TOY-1")))
        if "pick" not in done:
            keys = tuple(c.id for c in active(e))
            return (PickAsk("pick", GM, keys, say("Who is caught?", rule="TOY-1"), 0, len(keys)),)
        if "roll" not in done:
            return (RollAsk("roll", GM, (6, 6), say("Two dice", rule="TOY-1")),)
        if "board" not in done:
            board = tuple(say("{0} waits", key) for key in [*e.combatants][:1])
            return (AcknowledgeAsk("board", GM, say("Read", rule="TOY-1"), board),)
        return ()

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        if ask.kind == "pick":
            d.mark(answer, "surprised")
        self._note(d, {"acknowledge": "board"}.get(ask.kind, ask.kind))

    def _note(self, d: Draft, word: str) -> None:
        d.emit(ev.Noted("done", [*self._done(d.encounter), word]))

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        if text.get("move") == "fly":
            raise RuleError("nobody flies", "walk", "TOY-1")
        d.emit(ev.Ordered(key, dict(text)))

    def lock(self, d: Draft, *, missing: bool) -> None:
        if len(self.due(d.encounter)) > 1 and not missing:
            raise RuleError("orders are missing")
        self._note(d, "lock")

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        errors = ("one jump is enough",) if text.get("move", "").count("jump") > 1 else ()
        return Preview(
            errors, ("unclear",) if "maybe" in text.get("move", "") else (), (f"{len(text)} said",)
        )

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        return FORM if key in e.orders and "lock" not in self._done(e) else ()

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:
        return (
            (Field("how", "how", "choice", ("Loud", "Low"), "Loud"), Field("times", "times"))
            if verb == "call"
            else ()
        )

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        if texts.get("times") == "0":
            raise RuleError("not at all is not a call")
        return (f"note {texts.get('how', '')}", f"{verb} {texts.get('times', '1')}")

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        return tuple(OrderRow(k, "written", text) for k, text in e.orders.items())

    def offer(self, e: Encounter) -> Offer:
        left = unacted(active(e))
        if not left:
            return Offer((Act("round"),), say("All have acted"))
        acts = tuple(Act("turn", c.id) for c in left)
        return Offer(
            (*acts, Act("pass", "@heroes")) if len(acts) > 1 else acts,
            say("anybody", rule="TOY-1"),
            "@heroes",
        )

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        may = {a.who for a in self.offer(e).acts} if not e.turn and not self.due(e) else set()
        why = Lazy(lambda: (say("as they sit", rule="TOY-1"),), ())
        return tuple(TrackRow(c.id, (c.id,), 1, _state(e, c.id, may), why) for c in active(e))

    def report(self, d: Draft, request: OwnVerb) -> None:
        d.announce(f"{request.verb}!")

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        return (
            (Choice("dance Ana", "a waltz", "+3, place 2"), Choice("dance Bo", "a jig"))
            if verb == "dance"
            else ()
        )


def _state(e: Encounter, key: str, may: set[str]) -> RowState:
    if e.acting == key:
        return "now"
    return "done" if "acted" in e.combatants[key].marks else "may" if key in may else "waits"
