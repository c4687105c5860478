"""Unbound: factions take turns, each chooses who of it acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tui.core.base.cache import remembered
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Choice, Lazy, Offer, RollAsk, Sentence, TrackRow
from tui.core.fight.encounter import SIDE, Encounter, Entry, side_of
from tui.core.language.actions import OwnVerb
from tui.core.odds.race import Race
from tui.core.rules.draft import Draft, start_turn
from tui.core.rules.system import names, next_round
from tui.systems.shared.numbering import number
from tui.systems.shared.placing import decided
from tui.systems.shared.rolling import roll_asks
from tui.systems.shared.track import announce_fixed
from tui.systems.unbound import passing as passes
from tui.systems.unbound import racing, surprise
from tui.systems.unbound import text as texts
from tui.systems.unbound.order import AGAIN, Factions, line, of_all, unbound_notes, waits


class Unbound(Factions):
    """One d12 a faction, once; then faction by faction, each naming one of its own who has not acted."""

    id = "unbound"
    title = "Unbound"
    summary = "factions choose who acts next; the few may pass"
    credit = "After the initiative page of the Unbound rules, by tailkinker; in our own words."
    once_rule = "UNB-10"
    fields = texts.FIELDS
    options = texts.OPTIONS
    verbs = texts.VERBS
    marks = texts.MARKS
    clauses = texts.CLAUSES
    glossary = texts.GLOSSARY
    # --- questions

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """A d12 for each faction, then Perception where somebody sneaks, then ties."""
        owing = any(number(self, e, x) is None for x in self.entries(e))
        first = roll_asks(self, e)
        # Asked for are first rolls or ties, never both: the checks go behind the one and before the other.
        return (*first, *surprise.asks(self, e)) if owing else (*surprise.asks(self, e), *first)

    def offer(self, e: Encounter) -> Offer:
        """The faction whose turn it is chooses, and may pass if it is outnumbered."""
        return passes.offered(self, e)

    @remembered  # 200 creatures: 0.7 of 1.7 ms a key
    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """A row for each faction; its number means nothing any more (UNB-6)."""
        place = {key: i for i, key in enumerate(line(self, e))}
        order = sorted(self.entries(e), key=lambda x: place.get(x.key, len(place)))
        chooser = "" if e.turn or self.due(e) else self.offer(e).chooser
        counts = passes.left(self, e)
        return tuple(
            TrackRow(x.key, x.members, 0, self._state(e, x.key, chooser, counts), Lazy(self.why, (e, x)))
            for x in order
        )

    def value_of(self, e: Encounter, key: str) -> int:  # noqa: ARG002
        """Return 0: a row shows no number."""
        return 0

    def _state(self, e: Encounter, key: str, chooser: str, counts: Mapping[str, int]) -> str:
        if e.turn and key == SIDE + side_of(e, e.acting):
            return "now"
        if key == chooser:
            return "may"
        return "waits" if counts.get(key) else "done"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """The die, moves by hand, and who has had a turn in this round (UNB-7, UNB-10)."""
        acted = [c for c in (e.combatants[k] for k in entry.members) if not waits(c)]
        return (*super().why(e, entry), *of_all("had a turn: %s", acted, "UNB-10"))

    def turn_side(self, e: Encounter) -> str:
        """The faction that acts or chooses."""
        if e.turn:
            return side_of(e, e.acting)
        return passes.current(self, e).removeprefix(SIDE) if e.phase == "turns" and not self.due(e) else ""

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Limits of the surprised, favour against them."""
        return surprise.remarks(self, e)

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Who could sneak up on whom."""
        return surprise.choices(self, e) if verb == "surprise" else ()

    def ticked(self, d: Draft, ask: RollAsk, *, made: bool) -> None:
        """A check of Perception was made or failed (UNB-15)."""
        surprise.ticked(d, ask, made=made)

    def race(self, e: Encounter) -> Race | None:
        """The turns of a round, faction by faction, each creature's."""
        return racing.race(self, e)

    # --- play

    def begin(self, d: Draft) -> None:
        """Round 1, and every faction rolls."""
        next_round(d, self)
        announce_fixed(d, self)
        d.emit(ev.PhaseEntered("rolls"))

    def answer(self, d: Draft, ask: Ask, answer: tuple[Any, ...]) -> None:
        """A check, or a roll for the order."""
        if ask.key.startswith("notice "):
            surprise.checked(self, d, ask, answer)
            return
        super().answer(d, ask, answer)
        if d.encounter.phase == "rolls" and not roll_asks(self, d.encounter):
            decided(self, d, self.standing(d.encounter))

    def settle(self, d: Draft) -> None:
        """On to the turns when nothing is owed; a late faction comes last, if the house rule says so."""
        if d.encounter.phase == "rolls" and not self.due(d.encounter):
            d.emit(ev.PhaseEntered("turns"))
        if d.encounter.phase == "turns" and self.option(d.encounter, "unb.late_faction") == "last":
            for x in self.entries(d.encounter):
                values = unbound_notes(d.encounter).values
                if x.key not in values:
                    # Below every number so far: each later faction stands behind the one before.
                    d.emit(ev.Noted("values", min(0, *values.values(), 0) - 1, x.key))
                    decided(self, d, self.standing(d.encounter))

    def took(self, d: Draft, act: Act) -> None:
        """A turn, a pass, or the next round."""
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
            # AGAIN keeps what UNB-10 counts: they had a turn, although they may have another.
            d.unmark(faction, "acted")
            d.mark(faction, AGAIN)
        d.emit(ev.Noted("last", SIDE + c.side), ev.Forgot("passed"))
        d.emit(ev.Noted("begun", True), ev.Noted("had", True, who))
        if "surprised" in c.marks:
            d.announce("{0} is surprised: it may move but not act", who, rule="UNB-17")
        else:
            d.unmark((who,), "reaction")
        start_turn(d, who, (who,))

    def react(self, d: Draft, who: str, text: str) -> None:
        """A reaction comes back at the start of the own turn, but not of a surprised one."""
        c = d.encounter.combatants[who]
        if "reaction" in c.marks:
            raise RuleError(f"{c.name} has spent its reaction", "it comes back with its turn", "UNB-17")
        d.emit(ev.Reacted(who, text))
        d.mark((who,), "reaction", "fight")

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`surprise`, `surprised`."""
        if request.verb == "surprise":
            surprise.sneak(self, d, request)
        else:
            surprise.mandate(self, d, request)

    def hold(self, d: Draft, key: str) -> None:
        """Nobody delays here."""
        raise RuleError(f"{names(d.encounter, [key])} cannot delay: a faction waits by passing", "", "UNB-9")

    def act(self, d: Draft, key: str) -> None:
        """Nobody delays here."""
        raise RuleError(f"{names(d.encounter, [key])} acts when its faction chooses it", "", "UNB-7")
