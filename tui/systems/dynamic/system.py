"""Run the Dynamic Initiative System: the declared actions are the dice; low first, every round anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, Field, FormAsk, OrderRow, Sentence
from tui.core.fight.combatant import Combatant, OwedSave
from tui.core.fight.encounter import GM, Encounter, key_of
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels
from tui.core.rules.draft import Draft, start_turn, stops_at_saves
from tui.core.rules.newcomers import group_line
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import Orders, OwnSaves
from tui.systems import Texts
from tui.systems.dynamic import advice, declarations, rounds
from tui.systems.dynamic import text as texts
from tui.systems.dynamic.advice import Advice
from tui.systems.dynamic.rows import is_before_dice, is_declaring
from tui.systems.dynamic.text import dynamic_notes
from tui.systems.shared.placing import added_in, members_to_act
from tui.systems.shared.surprise import run_surprised


class Dynamic(Advice, OnScreen, Orders, OwnSaves):
    """A round: surprise, declarations, dice, turns."""

    id = "dynamic"
    once_rule = "DIS-9"
    reaction_rule = "DIS-28"
    reaction_returns = "wait for the next round"
    title = "Dynamic Initiative System"
    instead_of_delays = ("who switches in the own turn goes later", "DIS-7")
    short = "Dynamic Initiative"
    is_d20 = True
    summary = "what you declare sets your dice; low acts first"
    credit = (
        "After an article on the Dynamic Initiative System (DIS), in our own words. The article was inspired "
        "by Matt Colville's take on the Greyhawk initiative; its author and licence are not known to us."
    )
    grouped = True
    fields = texts.FIELDS
    options = texts.OPTIONS
    verbs = texts.VERBS
    marks = texts.MARKS
    phases = texts.PHASES
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the owed declarations; after the last, dice for effects, then rolls and ties."""
        return declarations.declaration_forms(e) or declarations.die_choices(e) or self.roll_asks(e)

    def orders(self, e: Encounter) -> tuple[OrderRow, ...]:
        """Return declarations and enemies' intents."""
        return declarations.declaration_rows(e)

    def order_left(self, e: Encounter, who: str, text: Mapping[str, str]) -> Mapping[str, str]:
        """Return a declaration without the spells that all of its creatures have lost (DIS-17)."""
        return declarations.without_lost_spells(e, who, text)

    def order_fields(self, e: Encounter, key: str) -> tuple[Field, ...]:
        """Return the form of a declaration before the first die, or of an intent before the turn is over."""
        return declarations.form_of(e, key)

    def asked_first(self, e: Encounter) -> tuple[FormAsk, ...]:
        """Return the forms of missing intents, which players are told before they declare (DIS-3)."""
        return advice.intent_forms(e)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return the limits of the acting creature; before the dice, remarks on surprise."""
        return advice.turn_remarks(e)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the actions for a switch, or the types that could roll as one (DIS-20)."""
        if verb == "group":
            kinds = advice.single_kinds(e)
            return tuple(Choice(group_line(e, kind), kind.names(e), "one roll") for kind in kinds)
        return self.switch_choices(e) if verb == "switch" else ()

    # --- the round

    def begin(self, d: Draft) -> None:
        """Ask for positions, then begin round 1."""
        d.announce("Say where everybody is", GM, rule="DIS-1", own=True)
        self.announce_fixed(d)
        self.open_round(d)

    def took(self, d: Draft, act: Act) -> None:
        """Begin the turn of a row's members that may act, or the next round after clearing this one."""
        if act.kind == "round":
            if stops_at_saves(d):
                return
            self.clear_round(d)
            self.open_round(d)
            return
        row = next(x for x in self.entries(d.encounter) if x.key == act.who)
        start_turn(d, act.who, [c.id for c in members_to_act(d.encounter, row)], edges=False)

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Take an answer: a die for an effect, or a roll for the order."""
        if ask.purpose == "resize":
            picked = dynamic_notes(d.encounter).resize.get(ask.who, [])
            d.emit(ev.Noted("resize", [*picked, int(answer[0].removeprefix("d"))], ask.who))
        else:
            super().answer(d, ask, answer)

    # --- what people say

    def order(self, d: Draft, key: str, text: Mapping[str, str]) -> None:
        """Write a declaration before the first face, or an enemy's intent before its turn is over."""
        if is_declaring(d.encounter, key):
            declarations.write_declaration(d, key, text)
            self.reopen_round(d)
        else:
            declarations.write_intent(d, key, text)

    def lock(self, d: Draft, *, missing: bool) -> None:
        """With `missing`, write an empty declaration for all that owe one; there is no lock.

        Raises RuleError.
        """
        keys = [ask.who for ask in declarations.declaration_forms(d.encounter)]
        if not keys:
            raise RuleError("nobody owes a declaration: there is nothing to lock", "", "DIS-5")
        if not missing:
            owe = "owes a declaration" if len(keys) == 1 else "owe declarations"
            hint = "`lock missing=empty` declares nothing for the rest"
            raise RuleError(f"{labels(d.encounter, keys)} {owe}", hint, "DIS-4")
        for key in keys:
            declarations.write_declaration(d, key, {})

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run `switch`, `surprised` or `notice`."""
        if request.verb == "switch":
            self.switch(d, request)
            return
        rounds.check_surprise(d.encounter)
        if request.verb == "surprised":
            run_surprised(d, request, "DIS-2")
        else:
            rounds.run_notice(d)
        self.reopen_round(d)

    def react(self, d: Draft, who: str, text: str) -> None:
        """Spend the one reaction of a round; surprised creatures have none, and the order stays."""
        c = d.encounter.combatants[who]
        if "surprised" in c.marks:
            raise RuleError(f"{c.name} is surprised: no reaction until the round ends", "", "DIS-24")
        super().react(d, who, text)

    def no_reaction(self, e: Encounter, c: Combatant) -> str:
        """Return why a creature has no reaction: it is spent, or the creature is surprised (DIS-24)."""
        return "surprised" if "surprised" in c.marks else super().no_reaction(e, c)

    # --- what happens on the way

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar creatures that join after the first die, or without a number, until the next round."""
        if not is_before_dice(d.encounter):
            added = added_in(d, who)
            d.mark((k for k in who if k in added or rounds.has_missed_round(d.encounter, k)), "barred")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Move declarations and switches along with the number."""
        super().regrouped(d, before)
        for who, old in before.items():
            e = d.encounter
            new, later = key_of(e.combatants[who]), dynamic_notes(e).later
            # An intent is that of the creature that stands there: nobody takes over the intent of a fallen
            # one.
            stands = is_declaring(e, new) or not e.combatants[who].out
            if new not in e.orders and old in e.orders and stands:
                d.emit(ev.Ordered(new, dict(e.orders[old])))
            if new not in later and old in later:
                d.emit(ev.Noted("later", later[old], new))

    def saved(self, d: Draft, who: str, save: OwedSave, *, made: bool) -> None:
        """Settle a save against disruption (DIS-17)."""
        if save.cause == declarations.DISRUPTION:
            declarations.settle_disruption(d, who, made=made)

    def owes(self, e: Encounter, who: str, save: OwedSave) -> bool:
        """Return whether the creature has a spell to lose in this round, so that it owes a save."""
        return save.cause == declarations.DISRUPTION and declarations.is_owed(e, who)

    def damaged(self, d: Draft, who: str, amount: int) -> None:  # noqa: ARG002
        """Let damage before a spell disrupt it, or make its caster owe a save."""
        declarations.owe_disruption(d, who)
