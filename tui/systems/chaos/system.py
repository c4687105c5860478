"""Chaos Initiative: everybody writes orders, then d20 + bonus, then the orders are resolved from the top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.base.errors import RuleError
from tui.core.base.text import quote
from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, Choice, Field, Sentence
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import Encounter, is_awaited, key_of
from tui.core.language.creature_actions import OwnVerb
from tui.core.rules.draft import Draft, fallen_state, finish_round, is_round_over, start_round, stops_at_saves
from tui.core.rules.now import MOST_ACTS
from tui.systems import Texts
from tui.systems.chaos import readied, slots, words
from tui.systems.chaos.order_text import read_reactions
from tui.systems.chaos.targets import find_target, target_choices, target_form, target_line
from tui.systems.chaos.track import seats
from tui.systems.chaos.words import READY, WRITING, chaos_notes, is_head_to_head, order_of
from tui.systems.chaos.writing import Writing, join_rows, turn_ends


class Chaos(Writing):
    """A round: orders, the lock, dice, the board of reactions, then one slot after the other."""

    id = "chaos"
    once_rule = "CHA-16"
    instead_of_delays = ("an order may ready an action", "CHA-16")
    title = "Chaos Initiative"
    is_d20 = True
    summary = "secret orders, then a d20 each, every round"
    credit = (
        "Chaos Initiative is a part of D20 Tactics, told here in our own words and made into a program. "
        'This work includes material from the System Reference Document 5.2.1 ("SRD 5.2.1") by Wizards of '
        "the Coast LLC, available at https://www.dndbeyond.com/srd. The SRD 5.2.1 is licensed under the "
        "Creative Commons Attribution 4.0 International License, available at "
        "https://creativecommons.org/licenses/by/4.0/legalcode. Additionally it includes material from D20 "
        "Tactics v0.2 by Creation Games LLC, available at https://github.com/creationgamesllc/d20-tactics. "
        "D20 Tactics is licensed under the Creative Commons Attribution 4.0 International License, "
        "available at https://creativecommons.org/licenses/by/4.0/legalcode."
    )
    turn_edges = "round"
    upkeep_edges = "round"
    grouped = True
    modifier = "bonus"
    fields = words.FIELDS
    options = words.OPTIONS
    verbs = words.VERBS
    marks = words.MARKS
    phases = words.PHASES
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return the forms and the lock, then dice, then the board."""
        if e.phase == WRITING:
            return self.order_forms(e)
        if asks := self.roll_asks(e):
            return asks
        return (self.board_ask(e),) if e.phase == "board" else ()

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks on doubtful orders, the resolving player, and impossible parts of the order."""
        return (*slots.slot_remarks(e), *self.doubtful_orders(e))

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return the whole lines that a verb could begin now."""
        match verb:
            case "else":
                return slots.alternative_choices(e)
            case "fire":
                return readied.fire_choices(e)
            case "react":
                return slots.reaction_choices(e)
            case "target" | "redirect":
                return target_choices(e, verb)
            case _:
                return ()

    def form(self, e: Encounter, verb: str) -> tuple[Field, ...]:
        """Return the form of `target` or `redirect`."""
        return target_form(e, verb)

    def lines(self, e: Encounter, verb: str, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Return the line that a filled form stands for."""
        return (target_line(e, verb, texts),)

    # --- the round

    def begin(self, d: Draft) -> None:
        """Begin the first round: orders are written. Raises RuleError."""
        if is_head_to_head(d.encounter):
            _check_opponents(d.encounter)
            d.announce("Orders are resolved in good faith, as they were meant", rule="CHA-26")
        start_round(d, edges=True, upkeep=True)
        d.emit(ev.PhaseEntered(WRITING))

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Take an answer: the board was read, or dice and ties as on every track."""
        if isinstance(ask, AcknowledgeAsk):
            if not is_head_to_head(d.encounter):
                d.announce("The reactions have been read", rule="CHA-15")
            d.emit(ev.PhaseEntered("turns"))
        else:
            super().answer(d, ask, answer)

    def took(self, d: Draft, act: Act) -> None:
        """Open a slot, or begin the next round."""
        if act.kind == "turn":
            slots.open_slot(d, self.entry(d.encounter, act.who), self.acting_order(d.encounter))
        else:
            self._next_round(d)
            # Nobody is here to write: the round is over at once.
            for _ in range(MOST_ACTS):
                if self.entries(d.encounter) or not is_awaited(d.encounter) or is_round_over(d.encounter):
                    break
                self._next_round(d)

    def _next_round(self, d: Draft) -> None:
        """End all turns, start all turns, and open the writing again; owed saves come in between."""
        # This comes before the edges: a condition that ends with the round is still named with its save.
        for line in turn_ends(d.encounter) if not is_round_over(d.encounter) else ():
            d.announce(line.text, *line.about, rule=line.rule)
        if stops_at_saves(d):
            return
        finish_round(d, edges=True)
        self.forget_order(d)
        if d.encounter.orders or d.encounter.past:
            d.emit(ev.OrdersForgotten())
        d.emit(*map(ev.Forgot, words.ROUND_NOTES))
        ready = {key_of(c) for c in d.encounter.combatants.values() if READY in c.marks}
        d.emit(*(ev.Forgot("held", key) for key in chaos_notes(d.encounter).held if key not in ready))
        # Between two rounds is the only moment at which a formation may change (CHA-A14).
        join_rows(d)
        start_round(d, edges=True, upkeep=True)
        d.emit(ev.PhaseEntered(WRITING))

    # --- inside the round

    def settle(self, d: Draft) -> None:
        """Drop the readied actions of dying creatures, and settle the track."""
        people = d.encounter.combatants.values()
        readied.drop_readied(d, [c.id for c in people if c.dying])
        super().settle(d)

    def react(self, d: Draft, who: str, text: str) -> None:
        """Spend the one reaction that a creature has in a round. Raises RuleError."""
        slots.spend_reaction(d, d.encounter.combatants[who], text)

    def no_reaction(self, e: Encounter, c: Combatant) -> str:
        """Return why a creature has no reaction, such as a kept readied action (CHA-10, CHA-A8); or ""."""
        if c.dying:
            return fallen_state(e, c.id)
        if readied.is_maintaining(e, c):
            return "keeps the readied action"
        unwritten = READY in c.marks and not read_reactions(order_of(e, key_of(c)))
        if e.phase == "turns" and unwritten and not self.option(e, "cha.ready_keeps_oa"):
            return "has readied"
        return super().no_reaction(e, c)

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run `else`, `fire`, `target` or `redirect`."""
        match request.verb:
            case "else":
                slots.use_alternative(d, request)
            case "fire":
                readied.run_fire(d, request)
            case _:
                find_target(d, self.acting_order(d.encounter), request)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Drop the readied actions of creatures that are out; announce that their open orders are void."""
        slots.void_orders(d, who)


def _check_opponents(e: Encounter) -> None:
    """Raise RuleError if all players are on one side, or two own one creature (CHA-24)."""
    if shared := next((c for c in e.combatants.values() if c.co_owners and c.owner), None):
        line = f"`set {quote(shared.name)} owner={quote(shared.owner)}`"
        raise RuleError(f"{shared.name} has several players, and here one", line, "CHA-24")
    table = seats(e)
    if len(set[str]().union(*table.values())) != 1:
        return
    if len(table) == 1:
        hint = "`add NAME owner=PLAYER` adds an opponent"
        raise RuleError(f"only {next(iter(table))} plays: nobody could resolve the orders", hint, "CHA-24")
    mine = next(c for c in reversed(e.combatants.values()) if c.owner)
    hint = f"`set {quote(mine.name)} side={quote(mine.owner)}` gives {mine.owner} a side"
    raise RuleError("all players are on one side: nobody could resolve another's orders", hint, "CHA-24")
