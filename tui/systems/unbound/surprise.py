"""Surprise in Unbound: the lowest Stealth of a sneaking side against each watcher's Perception."""

from __future__ import annotations

from collections.abc import Iterable

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Ask, Choice, RollAsk, Sentence, say
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import GM, SIDE, DiceRoll, Encounter, SurpriseOutcome
from tui.core.fight.viewer import text
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels, resolve, resolve_side
from tui.core.language.tokens import quote
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.optional import announce_correction
from tui.systems.shared.surprise import refuse_absent
from tui.systems.unbound.order import Factions, sentences_about, unbound_notes


class Surprise(Factions):
    """Sneaking sides, checks of Perception, and surprised creatures."""

    def run_surprise(self, d: Draft, request: OwnVerb) -> None:
        """Run `surprise SIDE by=SIDE`: each creature of SIDE owes a Perception check. Raises RuleError."""
        self._check_early(d.encounter)
        if not (by := request.keys.get("by", "")):
            raise RuleError(
                "surprise: by= is missing, the side that sneaks up", self._example(d.encounter), "UNB-14"
            )
        caught, sneaking = resolve_side(d.encounter, request.words[0]), resolve_side(d.encounter, by)
        if caught == sneaking:
            raise RuleError(f"{caught} cannot sneak up on itself", self._example(d.encounter), "UNB-14")
        party = [c for c in self.in_play(d.encounter) if c.side == sneaking]
        watchers = [c for c in self.in_play(d.encounter) if c.side == caught]
        if not party or not watchers:
            missing = caught if party else sneaking
            raise RuleError(f"none of {missing} is here", self._example(d.encounter), "UNB-14")
        ids_due = _ids_owing(d.encounter, SIDE + sneaking)
        if any(c.id in ids_due for c in watchers):
            raise RuleError(f"{caught} already owes these checks", "`roll`", "UNB-15")
        # The number is fixed when the party sneaks: later changes of Stealth do not touch a check already
        # owed.
        number = _notice_number(party)
        text = f"{{0}} sneaks up on {{1}}: {number} or more notices them"
        d.announce(text, SIDE + sneaking, SIDE + caught, rule="UNB-14")
        d.emit(*(ev.Noted("checks", number, f"{SIDE}{sneaking} {c.id}") for c in watchers))
        d.emit(ev.PhaseEntered("rolls"))

    def _check_early(self, e: Encounter) -> None:
        if unbound_notes(e).begun:
            line = self._surprising_line(e)
            hint = f"{line}: a first turn may still be a surprised one" if line else ""
            raise RuleError("this belongs before the first turn", hint, "UNB-12")

    def _surprising_line(self, e: Encounter) -> str:
        """Return the line for a creature that can still be surprised, in backticks; "" if there is none."""
        creatures = (c for c in self.in_play(e) if not _has_had_a_turn(e, c) and "surprised" not in c.marks)
        return next((f"`surprised {quote(c.name)}`" for c in creatures), "")

    def _example(self, e: Encounter) -> str:
        """Return a line that would work, or with fewer than two sides a line that adds a creature."""
        options = self.sneak_choices(e)
        return f"`{options[0].line}`" if options else "`add 1 Ghast side=undead`"

    def sneak_choices(self, e: Encounter) -> tuple[Choice, ...]:
        """Return a line for each side that could sneak up on another, with the number to reach."""
        if not e.running or unbound_notes(e).begun:
            return ()
        sides = {x.key.removeprefix(SIDE): x.members for x in self.entries(e)}
        hard = {by: _notice_number(e.combatants[k] for k in members) for by, members in sides.items()}
        return tuple(
            Choice(
                f"surprise {quote(on)} by={quote(by)}",
                text(e, say("{0} sneaks up on {1}", SIDE + by, SIDE + on)),
                f"{number} or more notices them",
            )
            for by, number in hard.items()
            for on, members in sides.items()
            if on != by and _ids_owing(e, SIDE + by).isdisjoint(members)
        )

    def owed_checks(self, e: Encounter) -> list[Ask]:
        """Return the checks that are owed, in roster order."""
        checks: dict[str, list[tuple[str, int]]] = {}
        for key, number in unbound_notes(e).checks.items():
            by, _, who = key.rpartition(" ")
            checks.setdefault(who, []).append((by, number))
        more = 0 if self.option(e, "unb.tie_notices") else 1
        return [
            _check_ask(c.id, *check, (check[1] + more, c.number("per")))
            for c in (self.in_play(e) if checks else ())
            for check in checks.get(c.id, ())
        ]

    def take_check(self, d: Draft, ask: Ask, faces: Iterable[int]) -> None:
        """Settle a check with its faces: below the number the watcher is surprised."""
        number = d.noted("checks", ask.subject)
        noticed, text = self._compare_check(d, ask, faces, number)
        settle_check(d, ask, made=noticed, text=text)

    def _compare_check(self, d: Draft, ask: Ask, faces: Iterable[int], number: int) -> tuple[bool, str]:
        """Return whether a check reaches the number, and both numbers in words."""
        total = sum(faces) + d.encounter.combatants[ask.who].number("per")
        noticed = total > number or (total == number and bool(self.option(d.encounter, "unb.tie_notices")))
        return noticed, f": {total} against {number}"

    def rolled_checks(self, e: Encounter) -> tuple[RollAsk, ...]:
        """Return the checks that were rolled, as `owed_checks` returned them, failed ones first.

        Of several checks of one creature a correction means the first: the one that surprises it.
        """
        present, asks = {c.id for c in self.in_play(e)}, list[RollAsk]()
        for key, (number, _) in sorted(unbound_notes(e).made.items(), key=lambda item: not item[1][1]):
            by, _, who = key.rpartition(" ")
            if who in present and f"notice {key}" in e.rolls:
                asks.append(_check_ask(who, by, number, (0, 0)))
        return tuple(asks)

    def correct_check(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], old: DiceRoll | None) -> None:
        """Correct a check; a watcher that then notices is no longer surprised."""
        key = ask.subject
        number, _ = unbound_notes(d.encounter).made[key]
        was, total = (self.number_of(d.encounter, ask, x) for x in (_faces_standing(d, ask, old), faces))
        announce_correction(d, ask, was, total)
        noticed, text = self._compare_check(d, ask, faces, number)
        _record_check(d, ask.who, key, (number, not noticed), text)
        failed = [k for k, (_, missed) in unbound_notes(d.encounter).made.items() if missed]
        if noticed and not any(k.rpartition(" ")[2] == ask.who for k in failed):
            d.unmark((ask.who,), "surprised")
        if not _has_open_check(d):
            _record_surprise(d)

    def run_surprised(self, d: Draft, request: OwnVerb) -> None:
        """Run `surprised WHO`, or `surprised none`, which also clears owed checks. Raises RuleError."""
        if [w.lower() for w in request.words] == ["none"]:
            self._check_early(d.encounter)
            d.unmark(tuple(d.encounter.combatants), "surprised")
            d.emit(ev.Forgot("checks"), ev.Forgot("made"))
            _record_surprise(d)
            d.announce("Nobody is surprised", rule="UNB-20")
            return
        ids = [k for word in request.words for k in resolve(d.encounter, word)]
        present = [c for c in self.in_play(d.encounter) if c.id in ids]
        fresh = [c for c in present if not _has_had_a_turn(d.encounter, c)]
        caught = [c.id for c in fresh if "surprised" not in c.marks]
        if not caught:
            if not present:
                raise refuse_absent(d.encounter, ids, "UNB-20")
            about = labels(d.encounter, [c.id for c in fresh or present])
            reason = "surprised already" if fresh else "only a first turn is a surprised one"
            raise RuleError(f"{about}: {reason}", "", "UNB-20")
        d.mark(caught, "surprised", "turn")
        d.emit(*(ev.Noted("made", [0, True], f"{GM} {k}") for k in caught))
        _record_surprise(d)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return remarks on the limits of surprised creatures and on attacks on them."""
        caught = [c for c in self.in_play(e) if "surprised" in c.marks]
        # Now names the acting creature already; a dying one does not even move.
        limits = Sentence("surprised: only a move, no reaction back", (e.acting,), "UNB-17")
        acting = any(c.id == e.acting and not c.dying for c in caught)
        return (
            *([limits] if acting else []),
            *sentences_about(
                "attacks on %s have favour",
                [c for c in caught if c.id != e.acting],
                "UNB-18",
            ),
        )


def _has_had_a_turn(e: Encounter, c: Combatant) -> bool:
    """Return whether a creature has begun a turn in this combat (UNB-17)."""
    return c.id in unbound_notes(e).had or "acted" in c.marks


def _notice_number(party: Iterable[Combatant]) -> int:
    """Return the number that a check against this sneaking party must reach (UNB-14)."""
    return min(c.number("stealth") for c in party) + 10


def _ids_owing(e: Encounter, by: str) -> set[str]:
    """Return the ids that owe a check against this sneaking side."""
    return {k.removeprefix(f"{by} ") for k in unbound_notes(e).checks if k.startswith(f"{by} ")}


def _check_ask(who: str, by: str, number: int, needed: tuple[int, int]) -> RollAsk:
    text = f"{{0}} rolls 2d10 + Perception against {number}, as {{1}} sneaks up"
    reason = say(text, who, by, rule="UNB-15")
    return RollAsk(f"notice {by} {who}", who, (10, 10), reason, ticks=True, needed=needed)


def _faces_standing(d: Draft, ask: RollAsk, old: DiceRoll | None) -> tuple[int, ...]:
    """Return faces that add up to the recorded total of a check."""
    if old is None or old.total is None:
        return old.faces if old else ()
    return (old.total - d.encounter.combatants[ask.who].number("per"),)


def settle_check(d: Draft, ask: Ask, *, made: bool, text: str = "") -> None:
    """Record a check as made or failed; `text` has the numbers if they are known, else ""."""
    key = ask.subject
    number = d.noted("checks", key)
    d.emit(ev.Forgot("checks", key))
    _record_check(d, ask.who, key, (number, not made), text)
    if not _has_open_check(d):
        _record_surprise(d)


def _record_check(d: Draft, who: str, key: str, answer: tuple[int, bool], text: str) -> None:
    missed = answer[1]
    d.announce(("{0} notices nothing" if missed else "{0} notices them") + text, who, rule="UNB-15")
    d.emit(ev.Noted("made", list(answer), key))
    if missed:
        d.mark((who,), "surprised", "turn")


def _has_open_check(d: Draft) -> bool:
    """Return whether a creature in play owes a check."""
    watchers = (key.rpartition(" ")[2] for key in unbound_notes(d.encounter).checks)
    return any(members_in_play(d.encounter, k) for k in watchers)


def _record_surprise(d: Draft) -> None:
    caught = tuple(c.id for c in d.encounter.combatants.values() if "surprised" in c.marks and not c.out)
    d.emit(ev.Decided(SurpriseOutcome(caught)))
