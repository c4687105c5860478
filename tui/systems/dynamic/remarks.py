"""What Now adds to who acts and who owes: declarations, intents, surprise, and a type that would roll singly."""

from __future__ import annotations

from collections.abc import Sequence

from tui.core.fight.agenda import Sentence, literal, say, spoken
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter, active, members
from tui.core.rules.newcomers import Kind, group_line, kinds, plural_of
from tui.systems.dynamic.declarations import in_words
from tui.systems.dynamic.notes import rule
from tui.systems.dynamic.rows import declares, rows, surprised, takers
from tui.systems.dynamic.timing import before_dice, may_surprise
from tui.systems.shared.track import part_of_group

LISTED = 3
"""How many enemies whose intent is not said are named before the others are counted."""


def remarks(e: Encounter) -> tuple[Sentence, ...]:
    """In a turn limits and rights; before the dice intents, surprise and ungrouped types."""
    if e.turn:
        people = [e.combatants[k] for k in e.turn.members if k in e.combatants]
        return (*part_of_group(e), *_limits(people), *_right(e, people))
    if before_dice(e):
        return (*_singles(e), *_intents(e), *_surprise(e))
    return ()


def _limits(people: Sequence[Combatant]) -> list[Sentence]:
    return [
        *(
            say("{0} is surprised: no reaction", c.id, rule="DIS-24")
            for c in people
            if "surprised" in c.marks
        ),
        *(say("{0}: cantrips only", c.id, rule="DIS-17") for c in people if "cantrips" in c.marks),
    ]


def _right(e: Encounter, people: Sequence[Combatant]) -> list[Sentence]:
    return [say("`switch` for another action", rule="DIS-7")] if people and declares(e, e.acting) else []


def _intents(e: Encounter) -> list[Sentence]:
    """What the enemies are about to do, to be heard before the players declare (DIS-3)."""
    said = [(k, in_words(text)) for k, text in e.orders.items() if members(e, k) and not declares(e, k)]
    silent = tuple(x.key for x in takers(e) if not declares(e, x.key) and x.key not in e.orders)
    slots = ", ".join(f"{{{i}}}" for i in range(min(len(silent), LISTED)))
    more = f" and {len(silent) - LISTED} more" if len(silent) > LISTED else ""
    asked = Sentence(f"nobody has said what {slots}{more} will do: `order`", silent, "DIS-3", own=True)
    return [
        *(say("{0}'s intent: {1}", k, spoken(words), rule="DIS-3") for k, words in said),
        *([asked] if silent else []),
    ]


def _surprise(e: Encounter) -> list[Sentence]:
    """The names of all who are surprised, a group as one; or the lines that would surprise somebody."""
    if not may_surprise(e):
        return []
    caught = tuple(x.key for x in rows(e) if surprised(e, x))
    if not caught:
        return [say("nobody is surprised: `surprised WHO`, `notice`", rule="DIS-2")]
    slots = ", ".join(f"{{{i}}}" for i in range(len(caught)))
    told = "{0} is surprised" if len(caught) == 1 else f"{slots} are surprised"
    return [Sentence(told, caught, "DIS-24")]


def _singles(e: Encounter) -> list[Sentence]:
    """Creatures of one type that would roll one by one, and the line that gives them one roll (DIS-20)."""
    found = []
    for kind in single_kinds(e):
        many = f"{len(kind.members)} {literal(plural_of(kind.stem))}"
        text = f"{many} roll separately: `{literal(group_line(e, kind))}` gives them one roll"
        found.append(Sentence(text, kind.members[:1], "DIS-20", own=True))
    return found


def single_kinds(e: Encounter) -> list[Kind]:
    """Types that stand singly before the dice although their number would count (DIS-20)."""
    if rule(e, "group") == "off" or not before_dice(e):
        return []
    return kinds(c for c in active(e) if not is_pc(c) and c.value is None)
