"""The Dynamic Initiative System: what you do decides when you do it; low first, rolled anew every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, Field, OrderRow, Preview, RollAsk, Sentence
from tui.core.fight.combatant import OwedSave
from tui.core.fight.encounter import Encounter, key_of
from tui.core.language.actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft, start_turn
from tui.core.rules.newcomers import group_line
from tui.core.rules.system import names
from tui.systems.dynamic import (
    advice,
    declarations,
    rounds,
    switching,
)
from tui.systems.dynamic import (
    advice as remarks,
)
from tui.systems.dynamic import (
    declarations as disruption,
)
from tui.systems.dynamic import rounds as unaware
from tui.systems.dynamic import text as texts
from tui.systems.dynamic.rows import bar, before_dice, declares, other_action
from tui.systems.dynamic.text import CLAUSES, notes_of
from tui.systems.dynamic.track import DynamicTrack
from tui.systems.shared.placing import fresh
from tui.systems.shared.rolling import roll_asks
from tui.systems.shared.track import announce_fixed


class Dynamic(DynamicTrack):
    """Surprise, declarations, dice, turns; and round again."""

    id = "dynamic"
    once_rule = "DIS-9"
    title = "Dynamic Initiative System"
    short = "Dynamic Initiative"
    summary = "the dice are what you declare; the low go first"
    credit = "After the Dynamic Initiative System (DIS), a variant for fifth-edition games; in our own words."
    grouped = True
    fields = texts.FIELDS
    options = texts.OPTIONS
    verbs = texts.VERBS
    marks = texts.MARKS
    phases = texts.PHASES
    clauses = CLAUSES
    glossary = texts.GLOSSARY

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """The saves of casters; then declarations, then dice for effects, then rolls and ties."""
        return (
            *disruption.saves(e),
            *(declarations.forms(e) or declarations.picks(e) or tuple(roll_asks(self, e))),
        )

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Declarations, and what enemies mean to do."""
        return declarations.order_rows(e)

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        """A declaration may be changed until the first die of the round, an intent until the turn is over."""
        return declarations.form_of(e, key)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """What limits who acts; before the dice, intents and surprise."""
        return remarks.remarks(e)

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        """The pool of a declaration; in one's own turn the price of a switch and where it leads."""
        return advice.preview(self, e, key, text)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """The actions that whoever acts could switch to; the types that could still roll as one (DIS-20)."""
        if verb == "group":
            found = remarks.single_kinds(e)
            return tuple(Choice(group_line(e, kind), kind.names(e), "one roll") for kind in found)
        return advice.choices(self, e) if verb == "switch" else ()

    # --- the round

    def begin(self, d: Draft) -> None:
        """Positions, then round 1."""
        d.announce("Say where everybody stands", rule="DIS-1")
        announce_fixed(d, self)
        rounds.open_round(self, d)

    def took(self, d: Draft, act: Act) -> None:
        """A turn of whoever in the row may act; or the next round, in which nothing is left of this one."""
        if act.kind == "round":
            rounds.sweep(d)
            rounds.open_round(self, d)
            return
        row = next(x for x in self.entries(d.encounter) if x.key == act.who)
        start_turn(d, act.who, [c.id for c in fresh(d.encounter, row)], edges=False)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """A die for an effect, a save, or a roll for the order."""
        if ask.key.startswith("resize"):
            picked = notes_of(d.encounter).resize.get(ask.who, [])
            d.emit(ev.Noted("resize", [*picked, int(answer[0].removeprefix("d"))], ask.who))
        elif isinstance(ask, RollAsk) and ask.key.startswith("save"):
            disruption.rolled(d, ask.who, answer[0])
        else:
            super().answer(d, ask, answer)

    def settle(self, d: Draft) -> None:
        """From declarations to rolls to turns, as soon as nothing stands in the way."""
        rounds.settle(self, d)

    # --- what people say

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """A declaration until the first face; an enemy's intent at any time before its turn is over."""
        if declares(d.encounter, key):
            declarations.declare(d, key, text)
            rounds.reopen(d)
        else:
            declarations.intend(d, key, text)

    def lock(self, d: Draft, *, missing: bool) -> None:
        """There is no lock; `missing=empty` declares nothing for the rest."""
        owing = [ask.who for ask in declarations.forms(d.encounter)]
        if not owing:
            raise RuleError("nobody owes a declaration, and there is no lock", "", "DIS-5")
        if not missing:
            owe = "owes a declaration" if len(owing) == 1 else "owe declarations"
            hint = "`lock missing=empty` declares nothing for the rest"
            raise RuleError(f"{names(d.encounter, owing)} {owe}", hint, "DIS-4")
        for key in owing:
            declarations.declare(d, key, {})

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`switch`, `surprised`, `notice`."""
        if request.verb == "switch":
            switching.switch(self, d, request)
            return
        said = unaware.surprise if request.verb == "surprised" else unaware.notice
        said(d, request)
        rounds.reopen(d)

    def react(self, d: Draft, who: str, text: str) -> None:
        """One reaction a round, none for the surprised; the order stays."""
        c = d.encounter.combatants[who]
        if "surprised" in c.marks:
            raise RuleError(f"{c.name} is surprised: no reaction until the round ends", "", "DIS-24")
        if "reaction" in c.marks:
            raise RuleError(f"{c.name} has spent its reaction", "the next round brings another", "DIS-28")
        super().react(d, who, text)

    def hold(self, d: Draft, key: str) -> None:
        """Nobody delays here."""
        name = names(d.encounter, [key])
        line = other_action(d.encounter, key, quote(name))
        own = declarations.in_own_turn(d.encounter, key)
        hint = f"`{line}` goes later" if own else f"in its own turn it can go later: {line}"
        if not declares(d.encounter, key):
            rows = [x.key for x in self.standing(d.encounter)]
            last = next((k for k in reversed(rows) if k != key), "") if key in rows else ""
            line = f"move {quote(name)} after {quote(names(d.encounter, [last]))}" if last else ""
            hint = f"`{line}` puts its row elsewhere" if line else ""
        raise RuleError(f"{name} cannot delay", hint, "DIS-7")

    def act(self, d: Draft, key: str) -> None:
        """Nobody delays here."""
        raise RuleError(f"{names(d.encounter, [key])} acts when its number comes", "", "DIS-6")

    # --- what happens on the way

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """A creature added after the first die, or without a number when the dice are over, acts from the next round."""
        if not before_dice(d.encounter):
            added = {x.c.id for x in d.events if isinstance(x, ev.Added)}
            bar(d, [k for k in who if k in added or rounds.missed(d.encounter, k)])

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Declarations and switches go along with the number."""
        super().regrouped(d, before)
        for who, old in before.items():
            e = d.encounter
            new, later = key_of(e.combatants[who]), notes_of(e).later
            if new not in e.orders and old in e.orders and declares(e, new):
                d.emit(ev.Ordered(new, dict(e.orders[old])))
            if new not in later and old in later:
                d.emit(ev.Noted("later", later[old], new))

    def saved(self, d: Draft, who: str, save: OwedSave, *, made: bool) -> None:
        """A save against disruption (DIS-17)."""
        if save.cause == disruption.DISRUPTION:
            disruption.saved(d, who, made=made)

    def owes(self, e: Encounter, who: str, save: OwedSave) -> bool:
        """A save against disruption is owed while the creature has a spell to lose in this round."""
        return save.cause == disruption.DISRUPTION and disruption.is_owed(e, who)

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """The same, of one that an earlier version asked for."""
        disruption.saved(d, ask.who, made=made)

    def damaged(self, d: Draft, who: str, amount: int) -> None:  # noqa: ARG002
        """Damage before a spell may disrupt it."""
        disruption.hurt(d, who)
