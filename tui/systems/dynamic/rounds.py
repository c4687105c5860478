"""Run a round of the Dynamic Initiative System from its surprise and declarations to its turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from msgspec import to_builtins

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import RollAsk, Sentence, say
from tui.core.fight.combatant import Combatant, EntryKey, Plain
from tui.core.fight.encounter import GM, DiceRoll, Encounter, Entry, active
from tui.core.rules.draft import Draft
from tui.core.rules.saving_throws import drop_saves
from tui.core.rules.system import due_of, next_round
from tui.systems.dynamic import rows as row_rules
from tui.systems.dynamic.declarations import DISRUPTION, declaration_forms, die_choices
from tui.systems.dynamic.pool import counting_faces, sum_faces
from tui.systems.dynamic.text import OF_A_ROUND, dis_rule, dynamic_notes, price_paid
from tui.systems.shared.placing import find_late_members
from tui.systems.shared.surprise import set_surprised
from tui.systems.shared.track import TrackSystem


def check_surprise(e: Encounter) -> None:
    """Raise RuleError after the round's dice, or if a house rule allows no surprise in this round."""
    if not row_rules.is_before_dice(e):
        raise RuleError("surprise comes before the dice of a round", "`undo` leads back", "DIS-2")
    if not row_rules.may_surprise(e):
        hint = "`option dis.surprise_each_round=ask`"
        raise RuleError("surprise belongs to the first round by house rule", hint, "DIS-A2")


def run_notice(d: Draft) -> None:
    """Run `notice`: compare Stealth of hiding creatures with passive Perception. Raises RuleError."""
    people = active(d.encounter)
    caught = {c.id for c in people if _is_unaware(d.encounter, c, people)}
    if not any("stealth" in c.fields for c in people):
        d.announce("Nobody hides: everybody notices everybody", rule="DIS-21")
    elif not caught:
        # Only the game master reads this: players must not learn that somebody hides.
        d.announce("Everybody notices an enemy: nobody is surprised", GM, own=True, rule="DIS-22")
    set_surprised(d, caught)


def _is_unaware(e: Encounter, c: Combatant, people: Iterable[Combatant]) -> bool:
    """Return whether a creature notices none of its enemies, or by house rule not all of them."""
    hidden = [_is_hidden(e, threat, c) for threat in people if threat.side != c.side]
    return bool(hidden) and (any(hidden) if dis_rule(e, "notice") == "any" else all(hidden))


def _is_hidden(e: Encounter, threat: Combatant, c: Combatant) -> bool:
    """Return whether an enemy is hidden from a creature; an enemy without Stealth does not hide."""
    if "stealth" not in threat.fields:
        return False
    excess = threat.number("stealth") - c.number("passive", 10)
    return excess > 0 or (excess == 0 and dis_rule(e, "stealth_tie") == "hidden")


def ids_apart(e: Encounter) -> tuple[str, ...]:
    """Return the ids with a row of their own in this round: surprised members of a group (DIS-23)."""
    groups: dict[str, list[Combatant]] = {}
    for c in active(e):
        if c.group:
            groups.setdefault(c.group, []).append(c)
    caught = {name: [c.id for c in some if "surprised" in c.marks] for name, some in groups.items()}
    return tuple(k for name, some in caught.items() if len(some) < len(groups[name]) for k in some)


class Rounds(TrackSystem):
    """A round: its steps (declarations, dice, turns) and the order of its rows."""

    after_rolls = ""
    high_first = False
    turn_edges: ClassVar[Literal["turn", "round"]] = "round"
    roll_rule = "DIS-5"
    rolloff_rule = "DIS-6"
    tie_option = "dis.tie"
    turn_rule = "DIS-6"
    round_rule = "DIS-9"
    join_rule = "DIS-26"

    # --- steps

    def open_round(self, d: Draft) -> None:
        """Begin the next round, and ask the GM for surprise and intents (DIS-9)."""
        next_round(d, self)
        asking = any(
            row_rules.is_declaring(d.encounter, x.key) for x in row_rules.entries_with_roll(d.encounter)
        )
        d.emit(ev.PhaseEntered("orders" if asking else "rolls"))
        who = "Who is surprised? " if row_rules.may_surprise(d.encounter) else ""
        d.announce(f"{who}What are the enemies about to do?", GM, rule="DIS-2" if who else "DIS-3", own=True)

    def clear_round(self, d: Draft) -> None:
        """Clear all notes of a round (DIS-26) except declarations, which the next forms suggest."""
        self.forget_order(d)
        for who in d.encounter.combatants:
            drop_saves(d, who, DISRUPTION)
        notes = d.encounter.notes
        d.emit(*(ev.Forgot(key) for key in OF_A_ROUND if notes.get(key)))
        if d.encounter.orders:
            d.emit(ev.OrdersForgotten())

    def reopen_round(self, d: Draft) -> None:
        """Reopen a round that needed no dice, because a declaration changes."""
        if d.encounter.phase == "turns":
            self.forget_order(d)
            d.emit(ev.PhaseEntered("orders"))

    def settle(self, d: Draft) -> None:
        """Enter the rolls once all have declared, and the turns once all is rolled."""
        super().settle(d)
        if row_rules.is_before_dice(d.encounter):
            # After every line: without the comparison each line would write a note and become a step.
            if (alone := ids_apart(d.encounter)) != dynamic_notes(d.encounter).apart:
                d.emit(ev.Noted("apart", list(alone)))
            # A newcomer before the dice reopens a round that had nothing to roll and was ready for its first
            # turn.
            if row_rules.entries_without_number(d.encounter) or declaration_forms(d.encounter):
                self.reopen_round(d)
        if d.encounter.phase == "turns":
            self._number_the_diceless(d)
            return
        forms = declaration_forms(d.encounter)
        phase = "orders" if forms else "rolls"
        if d.encounter.phase != phase:
            d.emit(ev.PhaseEntered(phase))
        if forms or die_choices(d.encounter):
            return
        self._number_the_diceless(d)
        if not due_of(d.encounter, self):
            d.emit(ev.PhaseEntered("turns"))
            self.announce_order(d, self.acting_order(d.encounter))

    def _number_the_diceless(self, d: Draft) -> None:
        """Record the numbers of entries without dice after the last die."""
        entries = row_rules.entries_without_number(d.encounter)
        if not any(row_rules.pool_of(d.encounter, x).rolled for x in entries):
            for x in entries:
                self.record_roll(d, x, ())

    # --- order

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Bar creatures that joined a group after its turn; the mark says it in the log."""
        d.mark(find_late_members(d.encounter, who), "barred")

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the rows: groups are split by surprise, or if a type acts one by one."""
        return row_rules.rows(e)

    def entry(self, e: Encounter, key: str) -> Entry:
        """Return the entry of a key with the members that take part in this round."""
        if key in e.combatants:
            return Entry(EntryKey(key), (key,))
        return next((x for x in row_rules.entries_with_roll(e) if x.key == key), None) or super().entry(
            e, key
        )

    def row_of(self, e: Encounter, key: str) -> Entry | None:
        """Return the entry of a key; None for a creature of a group and for a key that is not in play."""
        return next((x for x in self.entries(e) if x.key == key), None)

    def entries_to_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries that need a number, also those without dice, which owe no roll."""
        return row_rules.entries_with_roll(e)

    def corrected_numbers(
        self,
        d: Draft,
        entry: Entry,
        new: tuple[tuple[int, ...], int],
        old: DiceRoll | None,  # noqa: ARG002
    ) -> dict[EntryKey, int]:
        """Return the right numbers of a roller's rows; prices are kept (DIS-16)."""
        return row_rules.right_numbers(d.encounter, entry, new)

    def correct(self, d: Draft, ask: RollAsk, new: tuple[tuple[int, ...], int], old: DiceRoll | None) -> None:
        """Correct a pool, and the sum that its row explains."""
        entry = self.entry(d.encounter, ask.who)
        if row_rules.has_switched(d.encounter, entry) and d.encounter.rolls[ask.key].total is None:
            row_rules.check_adds_up(d.encounter, entry, old)
        fits = d.encounter.rolls[ask.key].faces and ask.dice == self.dice_for(d.encounter, entry)
        root = dynamic_notes(d.encounter).kin.get(entry.key, entry.key)
        formula = row_rules.roll_formula(d.encounter, Entry(root, ()), new[0]) if fits else "as called"
        d.emit(ev.Noted("sums", formula, root))
        super().correct(d, ask, new, old)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return the dice of a pool, both of the die that is rolled twice."""
        return row_rules.pool_rolled(e, entry).rolled

    def overrule(self, d: Draft, ask: RollAsk, number: int) -> None:
        """Record a number that the dice of a pool cannot give; all rows of its roller change by as much."""
        e, entry = d.encounter, self.entry(d.encounter, ask.who)
        by = number - dynamic_notes(e).values[row_rules.shown_row(e, entry).key]
        d.emit(*(ev.Noted("values", n, k) for k, n in row_rules.shifted_numbers(e, entry, by).items()))

    def makings(self, e: Encounter, entry: Entry) -> dict[str, Plain]:
        """Return the pool, and the points of each row for its creatures and for surprise."""
        made: dict[str, Plain] = to_builtins(row_rules.makings_now(e, entry))
        return made

    def record_number(self, d: Draft, entry: Entry, faces: Sequence[int]) -> None:
        """Record the number of each row of the roller: sum, type and cap, then surprise."""
        row_rules.record_numbers(d, d.encounter, entry, faces)

    def total_of(self, e: Encounter, roll: ev.Rolled) -> tuple[int, tuple[int, ...]] | None:
        """Return the sum of a pool before type and surprise (DIS-10)."""
        pool = row_rules.pool_rolled(e, self.entry(e, roll.who))
        fits = roll.ask.startswith("init ") and roll.dice == pool.rolled
        return (sum_faces(pool, roll.faces), counting_faces(pool, roll.faces)) if fits else None

    def number_of(self, e: Encounter, ask: RollAsk, faces: tuple[int, ...]) -> int:
        """Return the number on the track, with type and surprise."""
        entry = self.entry(e, ask.who)
        if ask.purpose != "init" or not entry.members:
            return super().number_of(e, ask, faces)
        if row_rules.has_switched(e, entry) and (old := e.rolls.get(ask.key)):
            before = sum(old.faces) if old.total is None else old.total
            return dynamic_notes(e).values[entry.key] + sum(faces) - before
        return row_rules.shown_number(e, entry, faces)

    def answer_total(self, d: Draft, ask: RollAsk, faces: tuple[int, ...], total: int) -> None:
        """Take a pool by its total alone."""
        super().answer_total(d, ask, faces, total)
        d.emit(ev.Noted("sums", "as called", ask.who))

    def late_rank(self, e: Encounter, key: EntryKey) -> int:
        """Return the number of an entry's latest switch: of equal entries later ones come after."""
        return dynamic_notes(e).later.get(key, (0,))[0]

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Return the value that breaks ties by house rule: players first, or fewest dice first (DIS-6)."""
        match rule:
            case "players_first":
                return int(row_rules.is_declaring(e, entry.key))
            case "fewest_dice":
                return -len(row_rules.pool_of(e, self.entry(e, row_rules.roller_key(e, entry.key))).dice)
            case _:
                return 0

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the dice, without surprise and switches."""
        return row_rules.explain_number(
            e, entry, self.entry(e, dynamic_notes(e).kin.get(entry.key, entry.key))
        )

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Explain a row: dice, surprise, switches, roll-offs and moves."""
        sentences = super().why(e, entry)
        place = self.fixed_place(e, entry)
        if place is not None:
            text = f"a fixed place at {place}; the lowest number acts first"
            return (say(text, entry.key, rule="DIS-A23"), *sentences[1:])
        if self.number(e, entry) is None:
            late_reason = say("came after the dice: acts from the next round on", entry.key, rule="DIS-26")
            return (
                (late_reason,) if all("barred" in e.combatants[k].marks for k in entry.members) else sentences
            )
        paid = price_paid(e, entry.key)
        more = [say("+10: surprised", entry.key, rule="DIS-24")] if row_rules.is_surprised(e, entry) else []
        more += [say(f"+{paid} for switching", entry.key, rule="DIS-16")] if paid else []
        return (sentences[0], *more, *sentences[1:])


def has_missed_round(e: Encounter, who: str) -> bool:
    """Return whether a creature that came back has no number and cannot get one in this round."""
    row = next(x for x in row_rules.rows(e) if who in x.members)
    if row.key in dynamic_notes(e).values or any(e.combatants[k].value is not None for k in row.members):
        return False
    key = row_rules.roller_key(e, row.key)
    return e.phase == "turns" or (row_rules.is_declaring(e, key) and key not in e.orders)
