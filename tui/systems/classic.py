"""Classic initiative: d20 + modifier, once, high first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile
from typing import ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Choice, Field, Mark, Offer, Sentence, Verb, literal, say
from tui.core.fight.combatant import Combatant, Plain
from tui.core.fight.encounter import Encounter, Entry, active, label, members
from tui.core.fight.viewer import fill_names
from tui.core.language.creature_actions import OwnVerb
from tui.core.language.select import labels
from tui.core.language.tokens import quote
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft, members_in_play
from tui.core.rules.health import players_sides
from tui.core.rules.numbers import dice_sides, sum_dice
from tui.core.rules.on_screen import OnScreen
from tui.core.rules.optional import D20_FIELDS
from tui.core.rules.system import end_turn, notes
from tui.systems import Texts
from tui.systems.shared.numbering import (
    BARRED_MARK,
    BY_HAND,
    HEROES_FIRST,
    SURPRISED_MARK,
    TrackNotes,
    common_advantage,
)
from tui.systems.shared.placing import BY_DELAY, added_in, members_to_act, moved_by_key, share_mark
from tui.systems.shared.surprise import run_surprised, surprised_verb
from tui.systems.shared.track import TrackSystem, acting_part

DELAYS = "held"
"""The mark of a creature that delays."""


READY = "ready"
"""The mark of a creature that has readied an action."""


class ClassicNotes(TrackNotes, frozen=True):
    """The notes of the track, and what creatures have readied."""

    readied: Mapping[str, str] = {}
    """What a creature waits for and will do, by its id, until its next turn."""


class Classic(TrackSystem, OnScreen):
    """A d20 + modifier for each row; the order stays until it is rolled again."""

    id = "classic"
    once_rule = "CLASSIC-1"
    title = "Classic"
    delays = True
    readies = READY
    is_d20 = True
    summary = "d20 + modifier, high first, rolled once"
    credit = "The common rule of many d20 games, in our own words."
    grouped = True
    fields = (
        KIND,
        Field("mod", "modifier", help="added to the d20", stock="initiative", dice="mod_dice"),
        Field("adv", "advantage", "choice", ("adv", "dis"), help="two d20; adv: the higher counts; "
              "dis: the lower, also for the surprised", rule="CLASSIC-1"),
        *D20_FIELDS,
        Field("mod_dice", "dice of the modifier", "dice", help="rolled with the d20: mod=3+1d8"),
    )  # fmt: skip
    options = (
        Field("classic.tie", "ties", "choice", ("rolloff", "mod", HEROES_FIRST), "rolloff",
              "heroes: the higher modifier, then the heroes' side, then the roster; mod: the higher "
              "modifier, then a roll-off; rolloff: a roll-off"),
        Field("classic.surprise", "surprise", "choice", ("slow", "still"), "slow",
              "slow: two d20 for the order, the lower counts; still: no action and no reaction before the "
              "end of the first turn"),
        Field("classic.reroll", "new order", "choice", ("never", "each_round"), "never",
              "never: rolled once; each_round: rolled again in each round"),
        BY_HAND,
    )  # fmt: skip
    new_options: ClassVar[Mapping[str, Plain]] = {"classic.tie": HEROES_FIRST}
    modifier = "mod"
    verbs = (
        Verb("reroll", "reroll", "rolls the whole order again", also="initiative reorder"),
        surprised_verb("S", "CLASSIC-7"),
    )  # fmt: skip
    marks = (
        BARRED_MARK,
        replace(SURPRISED_MARK, loses_turn=True),  # what slows it is gone when the turns begin
        Mark(DELAYS, "delays", tag="delays", short="delays", delays=True),
        Mark(READY, "holds a readied action", tag="ready", short="ready", sealed=True),
    )
    clauses = Texts("clauses", __file__)
    glossary = Texts("glossary", __file__)
    roll_rule = "CLASSIC-1"
    rolloff_rule = "CLASSIC-2"
    join_rule = "CLASSIC-4"
    tie_option = "classic.tie"
    reaction_rule = "CLASSIC-5"
    reaction_returns = "it returns at the start of the next own turn"
    reaction_until = "fight"  # the reaction comes back with the creature's own turn, not with the round

    def track(self, e: Encounter) -> ClassicNotes:
        """Return the notes of the track and of readied actions."""
        return notes(e, ClassicNotes)

    def makings(self, e: Encounter, entry: Entry) -> dict[str, Plain]:
        """Return the modifier with its dice, in a group the best one, and the advantage after surprise."""
        best = max((e.combatants[k] for k in entry.members), key=lambda c: c.number("mod"), default=None)
        dice, edge = best.word("mod_dice") if best else "", common_advantage(e, entry)
        if self._slows(e) and all("surprised" in e.combatants[k].marks for k in entry.members):
            edge = "" if edge == "adv" else "dis"
        made = {"mod": _best_modifier(e, entry), "adv": edge}
        return {**made, "dice": dice} if dice else made

    def _slows(self, e: Encounter) -> bool:
        return bool(self.option(e, "classic.surprise") == "slow")

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return one d20, or two for advantage and disadvantage, and the dice of the modifier."""
        made = self.made_with(e, entry)
        return (*((20, 20) if made["adv"] else (20,)), *dice_sides(made.get("dice", "")))

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
        """Return the d20 that counts plus the modifier and its dice."""
        made = self.made_with(e, entry)
        d20s = faces[: 2 if made["adv"] else 1]
        more = sum_dice(made.get("dice", ""), tuple(faces[len(d20s) :]))
        return int((min(d20s) if made["adv"] == "dis" else max(d20s)) + made["mod"]) + more

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the total: the faces and the modifier."""
        roll, value = e.rolls.get(f"init {entry.key}"), self.number(e, entry) or 0
        if roll is None:
            return say(f"{value}, as before", entry.key, rule=self.roll_rule)
        if not roll.faces:  # a total that replaced two dice, in saves of older versions
            return say(f"{value}, as called", entry.key, rule=self.roll_rule)
        bonus = self.track(e).breaks.get(entry.key, {}).get("mod", 0)
        dice = self.made_with(e, entry).get("dice", "")
        cut = len(roll.faces) - len(dice_sides(dice))
        faces, more = roll.faces[:cut], sum_dice(dice, roll.faces[cut:])
        # Saves of older versions noted no modifier of the roll.
        counts = value - bonus - more if value - bonus - more in faces else faces[0]
        counting = f", {counts} counts" if len(faces) > 1 else ""
        sign = "" if dice.startswith("-") else "+"
        rolled = f" {sign}{dice} ({', '.join(map(str, roll.faces[cut:]))})" if dice else ""
        text = f"d20 ({', '.join(map(str, faces))}){counting}{rolled} {value - counts - more:+} = {value}"
        return say(text, entry.key, rule=self.roll_rule)

    def tie_break(self, e: Encounter, entry: Entry, rule: str) -> int:
        """Return the modifier if the rule for ties compares it, with the heroes' side as the next, else 0."""
        if rule == HEROES_FIRST:
            heroes = {c.id for c in players_sides(e)}
            return 2 * _best_modifier(e, entry) + (not heroes.isdisjoint(entry.members))
        return _best_modifier(e, entry) if rule == "mod" else 0

    def settle(self, d: Draft) -> None:
        """Drop what the fallen have readied; enter the turns after the last die, and keep its tie rule."""
        fallen = [c.id for c in d.encounter.combatants.values() if READY in c.marks and (c.dying or c.out)]
        _drop_readied(d, fallen)
        rolled = d.encounter.phase == "rolls"
        super().settle(d)
        if d.encounter.phase == "turns" and not self.due(d.encounter):
            self.keep_tie_rules(d)
            if rolled and self._slows(d.encounter):
                d.unmark(d.encounter.combatants, "surprised")  # it has counted in the dice

    def report(self, d: Draft, request: OwnVerb) -> None:
        """Run `surprised`, or `reroll`: all roll again for the order. Raises RuleError."""
        if request.verb == "surprised":
            if d.encounter.phase != "rolls" or any(ask.startswith("init ") for ask in d.encounter.rolls):
                message = "surprise comes before the first die for the order"
                raise RuleError(message, "`undo` leads back", "CLASSIC-7")
            run_surprised(d, request, "CLASSIC-7", "turn")
            return
        self._roll_again(d)

    def remarks(self, e: Encounter) -> tuple[Sentence, ...]:
        """Return the acting members of a group, and each row that delays, with the line that ends it."""
        delaying = {k for k, c in e.combatants.items() if DELAYS in c.marks}
        rows = [x for x in self.entries_to_act(e) if not delaying.isdisjoint(x.members)] if delaying else []
        caught = [k for k in e.actors if "surprised" in e.combatants[k].marks]
        still = [say("{0} is surprised: no action in this turn", k, rule="CLASSIC-7") for k in caught]
        lines = {x.key: f"`act {literal(quote(label(e, x.key)))}`" for x in rows if _is_delaying(e, x)}
        delays = [say(f"{{0}} delays: {line}", key, rule="CLASSIC-3") for key, line in lines.items()]
        return (*acting_part(e), *still, *delays)

    def offer(self, e: Encounter) -> Offer:
        """Return the first row that has not acted; a row whose place has passed acts next (CLASSIC-6)."""
        result = super().offer(e)
        order = self.acting_order(e)
        at = next((n for n, x in enumerate(order) if result.acts == (Act("turn", x.key),)), None)
        if at is None or _is_delaying(e, row := order[at]) or not _has_acted(e, order[at + 1 :]):
            return result
        reason = say("{0} comes before rows that have acted, and acts next", row.key, rule="CLASSIC-6")
        return replace(result, why=reason)

    # --- creatures that change rows

    def joined(self, d: Draft, who: tuple[str, ...]) -> None:
        """Bar a newcomer with a fixed place that has passed, such as a lair, until the next round."""
        super().joined(d, who)
        for k in added_in(d, who):
            if self._is_passed_by(d.encounter, k):
                d.mark((k,), "barred")
                d.announce("{0} acts from the next round on: its place has passed", k, rule="CLASSIC-6")

    def _is_passed_by(self, e: Encounter, who: str) -> bool:
        """Return whether a row after the fixed place of a creature acts or has acted."""
        c = e.combatants[who]
        if c.value is None or c.group:
            return False
        later = list(dropwhile(lambda row: row.key != who, self.acting_order(e)))
        return _has_acted(e, later) or any(k in e.actors for row in later for k in row.members)

    def bar_late(self, d: Draft, who: Iterable[str]) -> None:
        """Bar creatures that joined a group after its turn; they have no turn that they could delay."""
        people = tuple(who)
        super().bar_late(d, people)
        d.unmark((k for k in people if "barred" in d.encounter.combatants[k].marks), DELAYS)

    def regrouped(self, d: Draft, before: Mapping[str, str]) -> None:
        """Let a new row delay if its best member did; reactions come back in a turn that others join."""
        acting = set(d.encounter.actors)
        for key, ids in moved_by_key(d.encounter, before).items():
            old = {before[k] for k in ids}
            best = next((x.key for x in self.order_entries(d.encounter, old) if x.key in old), "")
            older = [c.id for c in members_in_play(d.encounter, key) if c.id not in ids]
            share_mark(d, DELAYS, ids, older or [k for k in ids if before[k] == best])
        super().regrouped(d, before)
        d.unmark(d.encounter.busy, DELAYS)
        d.unmark((k for k in d.encounter.actors if k not in acting), "reaction")

    # --- delaying

    def entries_to_act(self, e: Encounter) -> list[Entry]:
        """Return the entries that still have a turn, those that delay last."""
        entries = super().entries_to_act(e)
        if not any(DELAYS in c.marks for c in e.combatants.values()):
            return entries
        # The sort is stable: creatures that delay keep the order of their dice among themselves.
        return sorted(entries, key=lambda x: _is_delaying(e, x))

    def hold(self, d: Draft, key: str) -> None:
        """Delay the turn of a row that acts or is next. Raises RuleError."""
        name, row = label(d.encounter, key), self.entry(d.encounter, key)
        if d.encounter.acting == key:
            end_turn(d, self, was_taken=False)
        elif d.encounter.turn or self.due(d.encounter) or key not in self.offer(d.encounter).turns:
            raise RuleError(f"{name} cannot act now", "", "CLASSIC-3")
        if _is_delaying(d.encounter, row):
            already = fill_names(d.encounter, "{0} delays already", key)
            raise RuleError(already, f"`act {quote(name)}`", "CLASSIC-3")
        # The last creature of a round has nobody to wait for: if it could delay, play would stop.
        if not [x for x in self.entries_to_act(d.encounter) if x.key != key] and not d.encounter.turn:
            raise RuleError(f"nobody is left for {name} to wait for", "", "CLASSIC-3")
        d.mark((c.id for c in members_to_act(d.encounter, row)), DELAYS)
        d.announce("{0} delays", key, rule="CLASSIC-3")

    def act(self, d: Draft, key: str) -> None:
        """Let a row that delayed act now, interrupting a turn. Raises RuleError."""
        if not _is_delaying(d.encounter, self.entry(d.encounter, key)):
            raise RuleError(fill_names(d.encounter, "{0} has not delayed", key), "", "CLASSIC-3")
        if any(key == t.who for t in d.encounter.turns):
            raise RuleError(f"the turn of {label(d.encounter, key)} has begun", "", "CLASSIC-3")
        if self.due(d.encounter):
            raise RuleError("rolls are owed first", "`roll`", "CLASSIC-1")
        if d.encounter.turn:
            before = d.encounter.acting
            d.emit(ev.TurnPaused())
            d.announce("{0} interrupts {1}", key, before, rule="CLASSIC-3")
            line = f"`undo`, `end`, `act {quote(label(d.encounter, key))}`"
            d.notices.append(f"to act after {label(d.encounter, before)} instead: {line}")
        self.took(d, Act("turn", key))

    def took(self, d: Draft, act: Act) -> None:
        """Begin a turn or the next round; a row that delayed takes the current place."""
        if act.kind == "turn" and _is_delaying(d.encounter, self.entry(d.encounter, act.who)):
            self._move_to_current(d, act.who)
            d.unmark((c.id for c in members(d.encounter, act.who)), DELAYS)
        super().took(d, act)
        if d.encounter.turn:
            d.unmark(d.encounter.turn.members, "reaction")
            _drop_readied(d, d.encounter.turn.members)
        elif self.option(d.encounter, "classic.reroll") == "each_round":
            self._roll_again(d)

    def react(self, d: Draft, who: str, text: str) -> None:
        """Spend a reaction, or in the own turn ready the action of the text. Raises RuleError."""
        c = d.encounter.combatants[who]
        if "surprised" in c.marks:
            raise RuleError(f"{c.name} is surprised: no reaction before the end of its turn", "", "CLASSIC-7")
        if text and who in d.encounter.actors:
            d.emit(ev.Noted("readied", text, who))
            d.mark((who,), READY, "fight")
            d.announce(f"{{0}} readies: {literal(text)}", who, own=True, rule="CLASSIC-5")
            return
        super().react(d, who, text or self.track(d.encounter).readied.get(who, ""))
        _drop_readied(d, (who,))

    def choices(self, e: Encounter, verb: str) -> tuple[Choice, ...]:
        """Return for `react` each readied action that can be carried out in the running turn of another."""
        readied = self.track(e).readied if verb == "react" and e.turn else {}
        able = (c for c in active(e) if c.id in readied and c.id not in e.actors and not c.dying)
        return tuple(
            Choice(f"react {quote(c.name)}", c.name, readied[c.id])
            for c in able
            if not self.no_reaction(e, c)
        )

    def no_reaction(self, e: Encounter, c: Combatant) -> str:
        """Return why a creature has no reaction: it is spent, or the creature is surprised."""
        return "surprised" if "surprised" in c.marks else super().no_reaction(e, c)

    def instead(self, e: Encounter, verb: str, keys: Sequence[str]) -> str:
        """Return the line `act` for a row that delays if none of the chosen rows does; or ""."""
        if verb != "act" or not e.running:
            return ""
        delaying = [x for x in self.acting_order(e) if _is_delaying(e, x)]
        chosen = {c.id for k in keys for c in members(e, k)}
        if not delaying or any(chosen.intersection(x.members) for x in delaying):
            return ""
        return f"act {quote(labels(e, [delaying[0].key]))}"

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """Explain a row's place: its dice and its delay."""
        delays = (say("delays", entry.key, rule="CLASSIC-3"),) if _is_delaying(e, entry) else ()
        return (*super().why(e, entry), *delays)

    def _move_to_current(self, d: Draft, key: str) -> None:
        """Move a row to the current place of the round; it stays there."""
        order: list[str] = [x.key for x in self.acting_order(d.encounter)]
        rest = [k for k in order if k != key]
        earlier = (x.key for x in self.entries_to_act(d.encounter) if not _is_delaying(d.encounter, x))
        cut = d.encounter.paused[-1].who if d.encounter.paused else ""
        previous = cut if cut in rest else next((k for k in earlier if k != key), "")
        place = rest.index(previous) if previous else len(rest)
        if [*rest[:place], key, *rest[place:]] != order:
            where, other = ("before", previous) if cut in rest or not place else ("after", rest[place - 1])
            self.put_row(d, key, where, other, BY_DELAY)

    def _roll_again(self, d: Draft) -> None:
        """Clear the order and all delays, so that every row owes a roll."""
        d.unmark(tuple(d.encounter.combatants), DELAYS)
        self.forget_order(d)
        d.emit(ev.PhaseEntered("rolls"))


def _drop_readied(d: Draft, who: Sequence[str]) -> None:
    """Forget what these creatures have readied."""
    d.unmark(who, READY)
    d.emit(*(ev.Forgot("readied", k) for k in who))


def _best_modifier(e: Encounter, entry: Entry) -> int:
    return max((e.combatants[k].number("mod") for k in entry.members), default=0)


def _has_acted(e: Encounter, later_rows: Iterable[Entry]) -> bool:
    """Return whether one of the rows after a place has had its turn of the round."""
    return any("acted" in e.combatants[k].marks for x in later_rows for k in x.members)


def _is_delaying(e: Encounter, entry: Entry) -> bool:
    """Return whether a row that still has a turn delays it."""
    return any(DELAYS in c.marks for c in members_to_act(e, entry))
