"""Run Unbound: factions take turns, and each chooses one of its creatures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.fight import events as ev
from tui.core.fight.agenda import (
    Act,
    Ask,
    Choice,
    Field,
    Lazy,
    Mark,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    Verb,
)
from tui.core.fight.encounter import SIDE, DiceRoll, Encounter, Entry, side_of
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft, start_turn
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import OwnSaves
from tui.core.rules.system import next_round, offer_of
from tui.systems import Texts
from tui.systems.shared.numbering import BY_HAND, SURPRISED_MARK
from tui.systems.shared.surprise import surprised_verb
from tui.systems.unbound import surprise
from tui.systems.unbound.order import AGAIN, is_to_act, sentences_about, unbound_notes
from tui.systems.unbound.surprise import Surprise

FIELDS = (
    KIND,
    Field("per", "Perception", default=0, help="added to 2d10 against a faction that sneaks up",
          rule="UNB-15"),
    Field("stealth", "Stealth", default=0, help="a faction is noticed from its lowest Stealth + 10 on",
          rule="UNB-14"),
)  # fmt: skip

OPTIONS = (
    Field("unb.pass", "the right to pass", "choice", ("combined", "each", "two_sides_only", "never"),
        "combined",
          "fewer left than half; combined: of all others together; each: of each other side; two_sides_only: "
              "of the other side, if there are two; never: nobody may pass", "UNB-8"),
    Field("unb.next_round", "the next round", "choice", ("restart", "continue"), "restart",
          "restart: from the first faction; continue: after the last one", "UNB-11"),
    Field("unb.late_faction", "a late faction", "choice", ("roll", "last"), "roll",
          "roll: it rolls against the remembered dice; last: it comes last", "UNB-1"),
    Field("unb.tie_notices", "an equal check notices", "bool", default=True, rule="UNB-15"),
    Field("unb.reset", "another turn", "choice", ("everyone", "own_faction"), "everyone",
          "everyone: once everybody has had a turn; own_faction: once its own faction has", "UNB-10"),
    BY_HAND,
)  # fmt: skip

VERBS = (
    Verb("surprise", "surprise SIDE by=SIDE", "lets one side sneak up on another: Stealth against Perception",
        "S",
         "UNB-14", takes=("side",), keys=(Field("by", "who sneaks up", "side"),),
         idle="a side sneaks up between begin and the first turn; later type :surprised WHO",
         also="ambush stealth sneak perception"),
    surprised_verb("", "UNB-20"),
)  # fmt: skip

MARKS = (SURPRISED_MARK, Mark("again"))


class Unbound(Surprise, OnScreen, OwnSaves):
    """A d12 for each faction, once; then each in turn chooses a creature that has not acted."""

    id = "unbound"
    title = "Unbound"
    passes = True
    instead_of_delays = ("a faction waits by passing", "UNB-9")
    summary = "factions choose who acts next; the few may pass"
    credit = (
        "After the initiative page of the Unbound rules, by tailkinker, in our own words. The page that we "
        "have names no licence."
    )
    once_rule = "UNB-10"
    reaction_rule = "UNB-17"
    reaction_returns = "it returns with its turn"
    reaction_until = "fight"
    fields = FIELDS
    options = OPTIONS
    verbs = VERBS
    marks = MARKS
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)

    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return a d12 for each faction, then Perception checks, then ties."""
        is_due = any(self.number(e, x) is None for x in self.entries(e))
        first = self.roll_asks(e)
        # The system asks for first rolls or for ties, never both: checks come after the first rolls and
        # before the ties.
        return (*first, *self.owed_checks(e)) if is_due else (*self.owed_checks(e), *first)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row for each faction, with number 0 (UNB-6)."""
        place = {key: i for i, key in enumerate(self.faction_order(e))}
        order = sorted(self.entries(e), key=lambda x: place.get(x.key, len(place)))
        chooser = "" if e.turn or self.due(e) else offer_of(e, self).chooser
        counts = self.counts_to_act(e)
        rolling = {ask.who for ask in self.due(e)}

        def row(x: Entry) -> TrackRow:
            state = self._state(e, x.key, chooser, counts)
            return TrackRow(x.key, x.members, 0, state, Lazy(self.why, (e, x)), ranked=x.key in rolling)

        return tuple(map(row, order))

    def value_of(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """Return 0: a row shows no number."""
        return 0

    def _state(self, e: Encounter, key: str, chooser: str, counts: Mapping[str, int]) -> RowState:
        if e.turn and key == SIDE + side_of(e, e.acting):
            return "now"
        if key == chooser:
            return "may"
        return "waits" if counts.get(key) else "done"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Explain a row: the die, moves by hand, and the turns had in this round (UNB-7, UNB-10)."""
        acted = [c for c in (e.combatants[k] for k in entry.members) if not is_to_act(c)]
        return (*super().why(e, entry), *sentences_about("had a turn: %s", acted, "UNB-10"))

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return a line for each side that could sneak up on another, for `surprise`."""
        return self.sneak_choices(e) if verb == "surprise" else ()

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """Settle a check of Perception as `made` or failed, without dice (UNB-15)."""
        surprise.settle_check(d, ask, made=made)

    # --- play

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """Take an answer: a check, or a roll for the order."""
        if ask.purpose == "notice":
            self.take_check(d, ask, answer)
            return
        super().answer(d, ask, answer)
        if d.encounter.phase == "rolls" and not self.roll_asks(d.encounter):
            self.announce_order(d, self.acting_order(d.encounter))

    def side_rolls(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the dice of the factions and the checks."""
        return (*self.rolled_asks(e), *self.rolled_checks(e))

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct the die of a faction, or a check of Perception."""
        if ask.purpose == "notice":
            self.correct_check(d, ask, new[0], old)
        else:
            super().correct(d, ask, new, old)

    def settle(self, d: Draft) -> None:
        """Enter the turns once nothing is owed; by house rule a late faction comes last."""
        super().settle(d)
        if d.encounter.phase == "rolls" and not self.due(d.encounter):
            d.emit(ev.PhaseEntered("turns"))
        if d.encounter.phase == "turns" and self.option(d.encounter, "unb.late_faction") == "last":
            for x in self.entries(d.encounter):
                values = unbound_notes(d.encounter).values
                if x.key not in values:
                    # Below every number so far: each later faction is placed after the ones before.
                    d.emit(ev.Noted("values", min(0, *values.values(), 0) - 1, x.key))
                    self.announce_order(d, self.acting_order(d.encounter))

    def took(self, d: Draft, act: Act) -> None:
        """Carry out an offered act: a turn, the next round or a pass."""
        n = unbound_notes(d.encounter)
        if act.kind == "pass":
            d.emit(ev.Passed(act.who), ev.Noted("last", act.who), ev.Noted("passed", [*n.passed, act.who]))
        elif act.kind == "turn":
            self._turn(d, act.who)
        else:
            next_round(d, self)
            d.emit(ev.Forgot("passed"))
            if self.option(d.encounter, "unb.next_round") == "restart":
                d.emit(ev.Forgot("last"))

    def _turn(self, d: Draft, who: str) -> None:
        c = d.encounter.combatants[who]
        if "acted" in c.marks and self.option(d.encounter, "unb.reset") == "own_faction":
            faction = [x.id for x in self.in_play(d.encounter) if x.side == c.side]
            # AGAIN keeps what UNB-10 counts: these creatures had a turn, although they may have another.
            d.unmark(faction, "acted")
            d.mark(faction, AGAIN)
        d.emit(ev.Noted("last", SIDE + c.side), ev.Forgot("passed"))
        d.emit(ev.Noted("begun", True), ev.Noted("had", True, who))
        if "surprised" not in c.marks:
            d.unmark((who,), "reaction")
        elif not c.dying:
            d.announce("{0} is surprised: it may move but not act", who, rule="UNB-17")
        start_turn(d, who, (who,))

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run `surprise` or `surprised`."""
        if request.verb == "surprise":
            self.run_surprise(d, request)
        else:
            self.run_surprised(d, request)
