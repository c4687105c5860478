"""Run the initiative of Chaos: d20 + bonus for every row in every round, high first; play without a GM."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Offer, Sentence, say
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter, Entry, entries, is_awaited, members
from tui.core.rules.draft import Draft, is_round_over
from tui.core.rules.system import Gmless
from tui.systems.chaos.words import LOCKED, chaos_rule, ids_waiting, is_head_to_head
from tui.systems.shared.numbering import BY_HAND, kept_tie_breaks
from tui.systems.shared.track import TrackSystem

_EDGE = {"adv": 1, "dis": -1}


def bonus_and_edge(e: Encounter, entry: Entry) -> tuple[int, int]:
    """Return the bonus on an entry's d20, and 1 for advantage, -1 for disadvantage (CHA-12, CHA-28)."""
    people = [e.combatants[k] for k in entry.members]
    if len(people) == 1:
        return _own_bonus_and_edge(people[0])
    pairs = [(_own_bonus_and_edge(c), _size(c)) for c in people]
    bonus = _shared_value((bonus, n) for (bonus, _), n in pairs)
    return bonus, _shared_value((edge, n) for (_, edge), n in pairs)


def ignored_bonus(e: Encounter, entry: Entry) -> int:
    """Return the bonus that is ignored because less than half of a formation has it; 0 for none."""
    for c in (e.combatants[k] for k in entry.members):
        if c.number("bonus") and not _has_half(c):
            return c.number("bonus")
    return 0


def _own_bonus_and_edge(c: Combatant) -> tuple[int, int]:
    """Return bonus and edge of one combatant; 0 if they do not count."""
    return (c.number("bonus"), _EDGE.get(c.word("adv"), 0)) if _has_half(c) else (0, 0)


def _has_half(c: Combatant) -> bool:
    """Return whether at least half of the formation has the bonus; True if `affected` is not given."""
    return "affected" not in c.fields or 2 * c.number("affected") >= _size(c)


def _size(c: Combatant) -> int:
    """Return how many creatures one combatant represents."""
    return max(1, c.number("formation", 1))


def _shared_value(weighted: Iterable[tuple[int, int]]) -> int:
    """Return the value that at least half of the creatures have, from pairs of value and creatures.

    Bonuses and penalties are counted separately.
    """
    pairs = list(weighted)
    up = _best_of_half((value, n) for value, n in pairs)
    # Bonuses and penalties are taken apart: a formation of which half has +2 and half -1 gets both, since
    # each touches half (CHA-28).
    return up - _best_of_half((-value, n) for value, n in pairs)


def _best_of_half(weighted: Iterable[tuple[int, int]]) -> int:
    """Return the best value that at least half of the creatures reach, at least 0."""
    pairs = sorted(weighted, reverse=True)
    total, so_far = sum(n for _, n in pairs), 0
    for value, n in pairs:
        so_far += n
        if 2 * so_far >= total:
            return max(value, 0)
    return 0


def seats(e: Encounter) -> dict[str, set[str]]:
    """Return the players in roster order, each with the sides that they play on."""
    result: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    for c in e.combatants.values():
        if c.owner:
            result.setdefault(names.setdefault(c.owner.lower(), c.owner), set()).add(c.side)
    return result


def opponents(e: Encounter, key: str) -> list[str]:
    """Return the players who may resolve an entry's order, from the seat after its owner (CHA-A17)."""
    people = members(e, key)
    if not people:
        return []
    table = seats(e)
    round_the_table = list(table)
    owner = next((s for s in round_the_table if s.lower() == people[0].owner.lower()), "")
    at = round_the_table.index(owner) + 1 if owner else 0
    after = round_the_table[at:] + round_the_table[:at]
    return [s for s in after if s != owner and table[s] - {people[0].side}]


def resolvers(e: Encounter, key: str) -> tuple[str, ...]:
    """Return the players who may resolve an entry's order (CHA-24).

    If no opponent plays, these are all players who do not own it.
    """
    keys = opponents(e, key)
    if not keys:
        # A player who is alone at the table resolves the own orders; otherwise play could not go on.
        own = {c.owner.lower() for c in members(e, key)}
        return tuple(name for name in seats(e) if name.lower() not in own) or tuple(seats(e))
    return tuple(keys) if _is_by_hand(e) else (keys[0],)


def resolver(e: Encounter, key: str) -> str:
    """Return in words the player who resolves an order (CHA-24); "" with a GM or without an opponent."""
    keys = opponents(e, key) if is_head_to_head(e) else []
    if not keys:
        return ""
    return "an opponent of the table's choice" if _is_by_hand(e) and len(keys) > 1 else keys[0]


def _is_by_hand(e: Encounter) -> bool:
    return bool(chaos_rule(e, "cha.resolver") == "by_hand")


class ChaosTrack(TrackSystem, Gmless):
    """The order of a round, and the players that resolve orders without a GM."""

    after_rolls: ClassVar[str] = ""
    ordered_phases: ClassVar[tuple[str, ...]] = ("board", "turns")
    tie_option: ClassVar[str] = "cha.tie"
    rolloff_rule: ClassVar[str] = "CHA-A1"
    roll_rule: ClassVar[str] = "CHA-12"
    turn_rule: ClassVar[str] = "CHA-16"
    players_turns: ClassVar[bool] = False

    def open_sheets(self, e: Encounter) -> str:
        """Return the clause by which all sheets are open without a GM (CHA-25), or ""."""
        return "CHA-25" if is_head_to_head(e) else ""

    def without_gm(self, e: Encounter) -> bool:
        """Return whether the players play without a GM (CHA-24)."""
        return is_head_to_head(e)

    def resolvers(self, e: Encounter, key: str) -> tuple[str, ...]:
        """Return the players who may resolve the order (CHA-24, CHA-A17)."""
        return resolvers(e, key)

    def option(self, e: Encounter, key: str) -> Plain:
        """Return a house rule; without a GM, ties are rolled off instead of by hand (CHA-24, CHA-A1)."""
        value = super().option(e, key)
        if is_head_to_head(e) and key == self.tie_option and value == "by_hand":
            return "rolloff"
        return False if is_head_to_head(e) and key == BY_HAND.key else value

    def turn_begun(self, e: Encounter, key: str) -> bool:  # noqa: ARG002
        """Return whether the end of the round is still to come, to which all turns last (CHA-14, CHA-18)."""
        return e.running and not is_round_over(e)

    # --- dice

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return one d20, or two for advantage and disadvantage."""
        return (20, 20) if self.made_with(e, entry)["edge"] else (20,)

    def makings(self, e: Encounter, entry: Entry) -> dict[str, Plain]:
        """Return the bonus, and 1 for advantage or -1 for disadvantage."""
        bonus, edge = bonus_and_edge(e, entry)
        return {"bonus": bonus, "edge": edge}

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
        """Return the die that counts plus the bonus."""
        made = self.made_with(e, entry)
        return int((min(faces) if made["edge"] < 0 else max(faces)) + made["bonus"])

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Return the bonus if the tie rule is `bonus`, else 0 (CHA-A1)."""
        return bonus_and_edge(e, entry)[0] if rule == "bonus" else 0

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the total: the faces, the bonus, and a bonus that does not count."""
        roll, value = e.rolls.get(f"init {entry.key}"), self.number(e, entry) or 0
        if roll is None:
            return say(f"{value}, with the row it comes from", entry.key, rule=self.roll_rule)
        if not roll.faces:  # a total that replaced two dice, in saves of older versions
            return say(f"{value}, as called", entry.key, rule=self.roll_rule)
        bonus = kept_tie_breaks(entry, self.track(e)).get("bonus", 0)
        text = f"d20 ({', '.join(map(str, roll.faces))})"
        text += f", {value - bonus} counts" if len(roll.faces) > 1 else ""
        text += f" {bonus:+} = {value}"
        if not bonus and (bonus_lost := ignored_bonus(e, entry)):
            text += f"; the bonus {bonus_lost:+} applies to less than half (CHA-28)"
        return say(text, entry.key, rule=self.roll_rule)

    # --- order

    def entries_to_act(self, e: Encounter) -> list[Entry]:
        """Return the entries whose slot is still to come, in order."""
        return [x for x in self.acting_order(e) if ids_waiting(e, x)]

    def entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries of all creatures that are here."""
        return entries(c for c in e.combatants.values() if not c.out and c.arrives <= e.round)

    def entries_to_roll(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries with a creature that was present at the lock."""
        people = e.combatants
        return tuple(x for x in self.entries(e) if any(LOCKED in people[k].marks for k in x.members))

    def numbered_entries(self, e: Encounter) -> tuple[Entry, ...]:
        """Return the entries with a number and with a creature that was present at the lock."""
        return self.filter_numbered(e, self.entries_to_roll(e))

    def offer(self, e: Encounter) -> Offer:
        """Offer the first open slot, or the next round after the last one."""
        entry = next(iter(self.entries_to_act(e)), None)
        if entry:
            reason = say("{0} has the highest initiative that is left", entry.key, rule="CHA-16")
            return Offer((Act("turn", entry.key),), reason, entry.key)
        done = say("All orders are resolved", rule="CHA-18")
        return Offer((Act("round"),), done) if is_awaited(e) else Offer()

    def has_no_turn(self, e: Encounter, entry: Entry) -> bool:
        """Return whether a row has no slot left in this round; False while orders are written."""
        return e.phase != "orders" and not ids_waiting(e, entry)

    def settle(self, d: Draft) -> None:
        """Open the board after the last die; without a GM, reveal all creatures."""
        super().settle(d)
        if is_head_to_head(d.encounter):
            d.emit(*(ev.Revealed(c.id) for c in d.encounter.combatants.values() if c.hidden))
        if d.encounter.phase == "rolls" and not self.roll_asks(d.encounter):
            self.announce_order(d, self.acting_order(d.encounter))
            d.emit(ev.PhaseEntered("board"))
