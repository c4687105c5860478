"""The Dynamic Initiative System: what you do decides when you do it; low first, rolled anew every round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, Field, OrderRow, Preview, RollAsk, Sentence
from tui.core.fight.encounter import Encounter, key_of, unacted
from tui.core.fight.errors import RuleError
from tui.core.language.actions import OwnVerb
from tui.core.rules.draft import Draft, start_turn
from tui.core.rules.system import names, next_round
from tui.systems.dynamic import orders
from tui.systems.dynamic import round as rounds
from tui.systems.dynamic import surprise as unaware
from tui.systems.dynamic import switch as switches
from tui.systems.dynamic import text as texts
from tui.systems.dynamic.open import bar, is_open
from tui.systems.dynamic.track import DynamicTrack
from tui.systems.shared.rolling import roll_asks
from tui.systems.shared.ties import fresh


class Dynamic(DynamicTrack):
    """Surprise, declarations, dice, turns; and round again."""

    id = "dynamic"
    title = "Dynamic Initiative System"
    summary = "declared actions are the dice, low first, every round; switching costs time"
    credit = "After the Dynamic Initiative System (DIS), a variant for fifth-edition games; in our own words."
    grouped = True
    fields = texts.FIELDS
    options = texts.OPTIONS
    verbs = texts.VERBS
    marks = texts.MARKS
    phases = texts.PHASES
    clauses = texts.CLAUSES

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Declarations, then dice for effects, then rolls and ties; in turns the saves of casters."""
        if e.phase == "turns":
            return (*rounds.saves(self, e), *roll_asks(self, e))
        return orders.forms(self, e) or orders.picks(self, e) or tuple(roll_asks(self, e))

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Declarations, and what enemies mean to do."""
        return orders.order_rows(self, e)

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        """A declaration may be changed until the first die of the round."""
        return orders.rewritable(self, e, key)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Limits of who acts; before the dice, who is surprised."""
        return rounds.remarks(self, e)

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        """The pool of a declaration; in one's own turn the price of a switch and where it leads."""
        return switches.preview(self, e, key, text)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """The actions that whoever acts could switch to."""
        return switches.choices(self, e) if verb == "switch" else ()

    # --- the round

    def begin(self, d: Draft) -> None:
        """Positions, then round 1."""
        d.announce("Say where everybody stands", rule="DIS-1")
        next_round(d, self)
        rounds.open_round(self, d)

    def took(self, d: Draft, act: Act) -> None:
        """A turn of whoever in the row may act; or the next round, in which nothing is left of this one."""
        if act.kind == "round":
            rounds.sweep(self, d)
            next_round(d, self)
            rounds.open_round(self, d)
            return
        row = next(x for x in self.entries(d.encounter) if x.key == act.who)
        start_turn(d, act.who, [c.id for c in fresh(d.encounter, row)], edges=False)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """A die for an effect, a save, or a roll for the order."""
        if ask.key.startswith("resize"):
            picked = self.track_notes(d.encounter).resize.get(ask.who, [])
            d.emit(ev.Noted("resize", [*picked, int(answer[0].removeprefix("d"))], ask.who))
        elif isinstance(ask, RollAsk) and ask.key.startswith("save"):
            rounds.saved(self, d, ask.who, answer[0])
        else:
            super().answer(d, ask, answer)

    def settle(self, d: Draft) -> None:
        """From declarations to rolls to turns, as soon as nothing stands in the way."""
        rounds.settle(self, d)

    # --- what people say

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """A declaration until the first face; an enemy's intent at any time before its turn."""
        if self.declares(d.encounter, key):
            orders.declare(self, d, key, text)
        else:
            orders.intend(d, key, text)

    def lock(self, d: Draft, *, missing: bool) -> None:
        """There is no lock; `missing=empty` declares nothing for the rest."""
        owing = [ask.who for ask in orders.forms(self, d.encounter)]
        if not owing:
            raise RuleError("nobody owes a declaration", "there is no lock: `roll`", "DIS-5")
        if not missing:
            hint = "`lock missing=empty` declares nothing for the rest"
            raise RuleError(f"{names(d.encounter, owing)} owes a declaration", hint, "DIS-4")
        for key in owing:
            orders.declare(self, d, key, {})

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`switch`, `surprised`, `notice`."""
        match request.verb:
            case "switch":
                switches.switch(self, d, request)
            case "surprised":
                unaware.surprise(self, d, request)
            case _:
                unaware.notice(self, d, request)

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
        raise RuleError(
            f"{names(d.encounter, [key])} cannot delay", "`switch` in one's own turn goes later", "DIS-7"
        )

    def act(self, d: Draft, key: str) -> None:
        """Nobody delays here."""
        raise RuleError(f"{names(d.encounter, [key])} acts when its number comes", "`next`", "DIS-6")

    # --- what happens on the way

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Who is added after the first face, or missed the dice, acts from the next round."""
        if not is_open(self, d.encounter):
            added = {x.c.id for x in d.events if isinstance(x, ev.Added)}
            bar(d, [k for k in who if k in added or rounds.missed(self, d.encounter, k)])

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Declarations and switches go along with the number."""
        super().regrouped(d, before)
        for who, old in before.items():
            new, n = key_of(d.encounter.combatants[who]), self.track_notes(d.encounter)
            if (
                new not in d.encounter.orders
                and old in d.encounter.orders
                and self.declares(d.encounter, new)
            ):
                d.emit(ev.Ordered(new, dict(d.encounter.orders[old]), sealed=True))
            if new not in n.later and old in n.later:
                d.emit(ev.Noted("later", n.later[old], new))

    def damaged(self, d: Draft, who: str, amount: int) -> None:  # noqa: ARG002
        """Damage before a spell may disrupt it."""
        c, mode = d.encounter.combatants[who], self.option(d.encounter, "dis.disruption")
        running = d.encounter.turn is not None and who in d.encounter.turn.members
        if (
            mode == "off"
            or d.encounter.phase != "turns"
            or running
            or c.out
            or not unacted([c])
            or "cantrips" in c.marks
        ):
            return
        asked, done = self.track_notes(d.encounter).saves.get(who, (0, 0))
        if orders.casts(self, d.encounter, who) and (mode == "each_hit" or not asked):
            d.emit(ev.Noted("saves", [asked + 1, done], who))
