"""d20 + modifier, once, high first: what most tables know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from tui.core.fight import events as ev
from tui.core.fight.agenda import Act, Ask, Field, Sentence, Verb, say
from tui.core.fight.declared import Mark
from tui.core.fight.encounter import Encounter, Entry, Turn, unacted
from tui.core.fight.errors import RuleError
from tui.core.language.tokens import quote
from tui.core.language.values import KIND
from tui.core.rules.draft import Draft, living, present
from tui.core.rules.system import end_turn, names, next_round
from tui.systems.shared.track import BY_HAND, TrackSystem

if TYPE_CHECKING:
    from tui.core.language.actions import OwnVerb


class Classic(TrackSystem):
    """One d20 + modifier for each row at the start; the order stands until it is rolled again."""

    id = "classic"
    title = "Classic"
    summary = "d20 + modifier, high first, rolled once"
    credit = "The common rule of many d20 games, in our own words."
    grouped = True
    fields = (KIND, Field("mod", "modifier", help="added to the d20"))
    options = (
        Field(
            "classic.tie",
            "ties",
            "choice",
            ("rolloff", "mod"),
            "rolloff",
            "a roll-off, or the modifier first",
        ),
        Field(
            "classic.reroll",
            "new order",
            "choice",
            ("never", "each_round"),
            "never",
            "when the order is rolled",
        ),
        BY_HAND,
    )
    verbs = (Verb("reroll", "reroll", "rolls the whole order anew"),)
    marks = (Mark("held", "delays", tag="delays", short="delays"),)
    clauses: ClassVar[dict[str, str]] = {
        "CLASSIC-1": "Everybody rolls a d20 and adds a modifier, once. The highest acts first.",
        "CLASSIC-2": "Tied rows roll a d20 without modifier against each other, the higher goes first, "
        "again until it is settled. As a house rule the higher modifier goes first.",
        "CLASSIC-3": "Whoever delays may act later in the round; the row then stays where it acted.",
    }
    roll_rule = "CLASSIC-1"
    rolloff_rule = "CLASSIC-2"

    def _modifier(self, e: Encounter, entry: Entry) -> int:
        return max((e.combatants[k].number("mod") for k in entry.members), default=0)

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:  # noqa: ARG002
        """One d20."""
        return (20,)

    def total(self, e: Encounter, entry: Entry, faces: Sequence[int]) -> int:
        """d20 + modifier; a group has the best one in it."""
        return faces[0] + self._modifier(e, entry)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """The face and what was added to it."""
        roll, value = e.rolls.get(f"init {entry.key}"), self.value(e, entry) or 0
        if roll is None:
            return say(f"{value}, as before", entry.key, rule=self.roll_rule)
        return say(
            f"d20 ({roll.faces[0]}) {value - roll.faces[0]:+} = {value}", entry.key, rule=self.roll_rule
        )

    def tie_break(self, e: Encounter, key: str) -> int:
        """The modifier, if the house rule says so."""
        return self._modifier(e, self.entry(e, key)) if self.option(e, "classic.tie") == "mod" else 0

    def begin(self, d: Draft) -> None:
        """Round 1, and everybody rolls."""
        next_round(d, self)
        d.emit(ev.PhaseEntered("rolls"))

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """The rolls that are owed; who comes later owes one at once."""
        return tuple(self.roll_asks(e))

    def settle(self, d: Draft) -> None:
        """When the last die has fallen, the turns begin."""
        if d.encounter.phase == "rolls" and not self.due(d.encounter):
            d.emit(ev.PhaseEntered("turns"))
            self.decided(d)

    def new_round(self, d: Draft) -> None:
        """The order stands, unless the house rule rolls it each round."""
        if self.option(d.encounter, "classic.reroll") == "each_round":
            self._anew(d)

    def _anew(self, d: Draft) -> None:
        self.forget_order(d)
        d.emit(ev.PhaseEntered("rolls"))

    def report(self, d: Draft, request: OwnVerb) -> None:
        """`reroll`."""
        if request.words or request.keys:
            raise RuleError("reroll takes no words")
        self._anew(d)

    # --- delaying

    def waiting(self, e: Encounter) -> list[Entry]:
        """Who delays comes after everybody else."""
        found = super().waiting(e)
        if not any("held" in c.marks for c in e.combatants.values()):
            return found
        return [x for x in found if not _held(e, x)] + [x for x in found if _held(e, x)]

    def hold(self, d: Draft, key: str) -> None:
        """A row whose turn it is, or whose turn is next, delays."""
        name = names(d.encounter, [key])
        if d.encounter.acting == key:
            end_turn(d, self, taken=False)
        elif (
            d.encounter.turn or self.due(d.encounter) or Act("turn", key) not in self.offer(d.encounter).acts
        ):
            raise RuleError(f"{name} is not the one to act now", "hold in one's own turn", "CLASSIC-3")
        if any("held" in c.marks for c in living(d.encounter, key)):
            raise RuleError(f"{name} delays already", f"`act {quote(name)}`", "CLASSIC-3")
        if not [x for x in self.waiting(d.encounter) if x.key != key] and not d.encounter.turn:
            raise RuleError(f"nobody is left for {name} to wait for", "", "CLASSIC-3")
        d.mark((c.id for c in unacted(living(d.encounter, key))), "held")
        d.announce("{0} delays", key, rule="CLASSIC-3")

    def act(self, d: Draft, key: str) -> None:
        """Who delayed acts now, cutting in on a running turn."""
        name = names(d.encounter, [key])
        if not any("held" in c.marks for c in living(d.encounter, key)):
            raise RuleError(f"{name} has not delayed", f"`hold {quote(name)}` first", "CLASSIC-3")
        if self.due(d.encounter):
            raise RuleError("rolls are owed first", "`roll`", "CLASSIC-1")
        if d.encounter.turn:
            d.emit(ev.TurnPaused())
        self.took(d, Act("turn", key))

    def took(self, d: Draft, act: Act) -> None:
        """A turn, of who delayed from the place where it is taken; or the next round."""
        row = next((x for x in self.entries(d.encounter) if act.kind == "turn" and x.key == act.who), None)
        if row is not None and _held(d.encounter, row):
            self._stand_here(d, act.who)
            d.unmark(row.members, "held")
        super().took(d, act)

    def _stand_here(self, d: Draft, key: str) -> None:
        """The row moves to where the round has come to, and stays there."""
        order = [x.key for x in self.standing(d.encounter)]
        rest = [k for k in order if k != key]
        ahead = [x.key for x in self.waiting(d.encounter) if x.key != key and not _held(d.encounter, x)]
        cut = d.encounter.paused[-1].who if d.encounter.paused else ""
        behind = [k for k in rest if k in (cut, *ahead)]
        place = rest.index(behind[0]) if behind else len(rest)
        if [*rest[:place], key, *rest[place:]] != order:
            where = ("before", rest[place]) if behind else ("after", rest[-1])
            d.emit(ev.Shifted(key, *where))

    def ended(self, d: Draft, turn: Turn) -> None:  # noqa: ARG002
        """A turn that was cut into goes on, unless nobody of it is left."""
        if d.encounter.paused:
            d.emit(ev.TurnResumed())
            if d.encounter.turn and not present(d.encounter, d.encounter.turn):
                end_turn(d, self)

    def why(self, e: Encounter, entry: Entry) -> tuple[Sentence, ...]:
        """The dice, and whether the row delays."""
        held = (say("delays", entry.key, rule="CLASSIC-3"),) if _held(e, entry) else ()
        return (*super().why(e, entry), *held)


def _held(e: Encounter, entry: Entry) -> bool:
    return any("held" in e.combatants[k].marks for k in entry.members)
