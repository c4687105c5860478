"""Chaos Initiative: everybody writes orders, then d20 + bonus, then the orders are resolved from the top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.fight import events as ev
from tui.core.fight.agenda import AcknowledgeAsk, Act, Ask, Choice, Sentence, literal, say
from tui.core.fight.encounter import GM, Encounter, entries, key_of, label, members
from tui.core.fight.errors import RuleError
from tui.core.fight.memo import remembered
from tui.core.language.actions import OwnVerb
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft, finish_round, living, start_round, start_turn
from tui.core.rules.system import names
from tui.systems.chaos import ready as holding
from tui.systems.chaos.board import board, open_alternatives, turn_ends
from tui.systems.chaos.numbers import LOCKED, pending
from tui.systems.chaos.orders import WRITING, ChaosOrders, moved
from tui.systems.chaos.reports import use_alternative, wanted
from tui.systems.chaos.seats import resolver
from tui.systems.chaos.targets import aim, positions, redirect
from tui.systems.chaos.words import CLAUSES, FIELDS, MARKS, OPTIONS, PHASES, VERBS
from tui.systems.shared.numbering import number
from tui.systems.shared.placing import decided, forget_order

_OF_A_ROUND = ("warn", "used", "missing", "let_go", "fell")


class Chaos(ChaosOrders):
    """A round: orders, the lock, dice, the board of reactions, one slot after the other."""

    id = "chaos"
    title = "Chaos Initiative"
    summary = "orders written before the dice; d20 + bonus, high first, every round anew"
    credit = "Chaos Initiative by the D20 Tactics authors; described here in our own words."
    turn_edges = "round"
    grouped = True
    modifier = "bonus"
    fields = FIELDS
    options = OPTIONS
    verbs = VERBS
    marks = MARKS
    phases = PHASES
    clauses = CLAUSES

    # --- the round

    def turn_begun(self, e: Encounter, key: str) -> bool:  # noqa: ARG002
        """All turns last the whole round (CHA-14, CHA-18)."""
        return e.running

    def begin(self, d: Draft) -> None:
        """The first round: orders are open."""
        if self.open_sheets(d.encounter):
            d.announce("Orders are resolved in good faith, as they were meant", rule="CHA-26")
        start_round(d, edges=True)
        d.emit(ev.PhaseEntered(WRITING))

    @remembered  # 200 creatures: 0.3 of 1.5 ms a key while orders are written, 0.8 of 2.2 at a roll
    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Orders and the lock; then dice; then the board; then nothing."""
        if e.phase == WRITING:
            return self.forms(e)
        if asks := self.undecided(e):
            return tuple(asks)
        if e.phase == "board":
            lines = board(
                e,
                self.standing(e),
                self.track_notes(e),
                chosen=self.option(e, "cha.reaction") == "owner_chooses",
                keeps_oa=self.option(e, "cha.ready_keeps_oa"),
            )
            why = say("Read all reactions before the first slot", rule="CHA-15")
            return (AcknowledgeAsk("board", GM, why, lines),)
        return ()

    def settle(self, d: Draft) -> None:
        """With the last die the order stands and the board is due; at an open table nobody is hidden."""
        if self.open_sheets(d.encounter):
            d.emit(*(ev.Revealed(c.id) for c in d.encounter.combatants.values() if c.hidden))
        if d.encounter.phase == "rolls" and not self.owing(d.encounter) and not self.undecided(d.encounter):
            decided(self, d, self.standing(d.encounter))
            d.emit(ev.PhaseEntered("board"))

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """The board has been read; or dice and ties as on every track."""
        if isinstance(ask, AcknowledgeAsk):
            d.emit(ev.PhaseEntered("turns"))
        else:
            super().answer(d, ask, answer)

    def took(self, d: Draft, act: Act) -> None:
        """A slot opens, or the next round."""
        if act.kind == "turn":
            self._slot(d, act.who)
        else:
            self._next_round(d)

    def _slot(self, d: Draft, key: str) -> None:
        if self.track_notes(d.encounter).begun != d.encounter.round:
            d.emit(ev.Noted("begun", d.encounter.round))
        who = pending(d.encounter, self.entry(d.encounter, key))
        start_turn(d, key, who, edges=False)
        holding.slot(d, key, who, own_slot=self.option(d.encounter, "cha.maintain_until") == "own_slot")
        if name := self._resolver(d.encounter, key):
            d.announce(literal(name) + " resolves the order of {0}", key, rule="CHA-24")
        if self.together(d.encounter):
            value = number(self, d.encounter, self.entry(d.encounter, key))
            for x in self.waiting(d.encounter):
                if x.key != key and number(self, d.encounter, x) == value:
                    d.announce("{0} and {1} act in the same moment", key, x.key, rule="CHA-A1")

    def _resolver(self, e: Encounter, key: str) -> str:
        if not self.open_sheets(e):
            return ""
        return resolver(e, key, by_hand=self.option(e, "cha.resolver") == "by_hand")

    def _next_round(self, d: Draft) -> None:
        """All turns end, all turns start, orders are open again."""
        for line in turn_ends(d.encounter.combatants.values()):
            d.announce(line.text, *line.about, rule=line.rule)
        finish_round(d, edges=True)
        forget_order(d)
        if d.encounter.orders or d.encounter.past:
            d.emit(ev.OrdersForgotten())
        d.emit(*(ev.Forgot(key) for key in _OF_A_ROUND if key in d.encounter.notes))
        ready = {key_of(c) for c in d.encounter.combatants.values() if "ready" in c.marks}
        d.emit(*(ev.Forgot("held", key) for key in self.track_notes(d.encounter).held if key not in ready))
        start_round(d, edges=True)
        d.emit(ev.PhaseEntered(WRITING))

    # --- inside the round

    def react(self, d: Draft, who: str, text: str) -> None:
        """The reaction of the round is spent (CHA-7, CHA-10, CHA-21)."""
        holding.react(
            d, d.encounter.combatants[who], text, keeps_oa=self.option(d.encounter, "cha.ready_keeps_oa")
        )

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`else`, `fire`, `target`, `redirect`."""
        n = self.track_notes(d.encounter)
        match request.verb:
            case "else":
                use_alternative(d, n, request)
            case "fire":
                holding.fire(d, n, wanted(d.encounter, request))
            case _:
                self._aim(d, request)

    def _aim(self, d: Draft, request: OwnVerb) -> None:
        """Equal targets, and where the rest of a multiattack goes."""
        order = positions(self.standing(d.encounter))
        if d.encounter.phase not in ("board", "turns") or not order:
            raise RuleError("the order of this round is not known yet", "lock and roll first", "CHA-22")
        find = aim if request.verb == "target" else redirect
        outcome, said = find(
            d.encounter, order, request, latest=self.option(d.encounter, "cha.lowest") == "latest"
        )
        d.emit(ev.Decided(outcome))
        d.announce(said.text, *said.about, rule=said.rule)

    def left(self, d: Draft, who: tuple[str, ...]) -> None:
        """Who is out holds nothing, and an order that was still to come is void (CHA-16)."""
        holding.lost(d, who)
        fallen = [d.encounter.combatants[k] for k in who if k in d.encounter.combatants]
        waited = [c for c in fallen if LOCKED in c.marks and "acted" not in c.marks]
        for key in dict.fromkeys(key_of(c) for c in waited):
            if living(d.encounter, key):
                continue
            if self._same_moment(d.encounter, key):
                d.emit(
                    ev.Noted(
                        "fell",
                        [*self.track_notes(d.encounter).fell, *(c.id for c in members(d.encounter, key))],
                    )
                )
                d.announce(
                    "{0} falls in the moment of its own slot: resolve its order too", key, rule="CHA-A1"
                )
            else:
                d.announce("The order of {0} is void", key, rule="CHA-16")

    def _same_moment(self, e: Encounter, key: str) -> bool:
        """Whether the running slot is this entry's own, because equals act together."""
        values = self.track_notes(e).values
        return self.together(e) and bool(e.turn) and key in values and values[key] == values.get(e.acting)

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Who comes after the lock acts from the next round (CHA-A13)."""
        late = [k for k in who if LOCKED not in d.encounter.combatants[k].marks]
        if d.encounter.phase != WRITING:
            d.mark(late, "barred")
            for key in dict.fromkeys(key_of(d.encounter.combatants[k]) for k in late):
                d.announce("{0} acts from the next round", key, rule="CHA-A13")

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Numbers, orders and readied actions go along; a running slot keeps its members."""
        n = self.track_notes(d.encounter)
        super().regrouped(d, before)
        moved(d, before, n)
        turn = d.encounter.turn
        if turn and not members(d.encounter, turn.who):
            heir = next((k for k in turn.members if k in d.encounter.combatants), "")
            if heir:
                d.emit(ev.TurnBegan(key_of(d.encounter.combatants[heir]), turn.members))

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Who resolves, and the word for an instruction that has become impossible (CHA-6)."""
        if not e.turn:
            return ()
        key, said = e.acting, []
        if name := self._resolver(e, key):
            said.append(say(literal(name) + " resolves the order of {0}", key, rule="CHA-24"))
        if parts := open_alternatives(e.orders.get(key, {}), self.track_notes(e).used.get(key, ())):
            said.append(say(f"impossible? `else {{0}} {' or '.join(parts)}`", key, rule="CHA-6"))
        return tuple(said)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """The alternatives of the running order; the readied actions that are held."""
        n = self.track_notes(e)
        if verb == "else" and e.turn:
            parts = open_alternatives(e.orders.get(e.acting, {}), n.used.get(e.acting, ()))
            name = label(e, e.acting)
            return tuple(
                Choice(f"else {quote(name)} {key}", f"{name}: {key}", text) for key, text in parts.items()
            )
        if verb == "fire":
            return tuple(
                Choice(f"fire {quote(label(e, x.key))}", label(e, x.key), n.held.get(x.key, ""))
                for x in entries(c for c in e.combatants.values() if {"ready", "holding"} & set(c.marks))
            )
        return ()

    def hold(self, d: Draft, key: str) -> None:
        """Nobody delays: orders resolve at their slots."""
        raise RuleError(
            f"{names(d.encounter, [key])} cannot delay in {self.title}",
            "a readied action waits: ready=",
            "CHA-16",
        )

    def act(self, d: Draft, key: str) -> None:
        """Nobody has delayed."""
        raise RuleError(
            f"{names(d.encounter, [key])} cannot delay in {self.title}",
            "`fire` uses a readied action",
            "CHA-16",
        )
