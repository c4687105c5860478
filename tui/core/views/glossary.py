"""Define the words that the program uses; a system defines its own beside its texts."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.page import MarkWords, Words
from tui.core.rules.system import InitiativeSystem

COMMON_WORDS: Mapping[str, str] = {
    "acted": "Has had its turn in this round.",
    "acting": "Its turn is running; `next` ends the turn and starts the one after it.",
    "alias": "The name that players read in place of a creature's own.",
    "area": "Damage to several creatures, each with a save if there is a DC; dealt "
    "when the last save is known.",
    "arrives": "Joins the fight when the round begins that `round=` has named.",
    "at 0": "Without hit points but still in the fight, until `out` takes it out or it is healed.",
    "attack": "An entry of a creature's `attacks=`; `'` lists those of the creature whose turn it is.",
    "bloodied": "At half its hit points or less; players may be shown this of an enemy.",
    "card": "Everything about a creature, with the stat block that was imported or written for it.",
    "clause": "A numbered rule of the running system, such as CLASSIC-3, in our own words.",
    "concentrating": "Keeps up a spell, which damage may break.",
    "condition": "A named state, such as poisoned, that lasts for some turns or until it is cleared.",
    "counter": "A number that is used up and may be restored, such as charges, slots or legendary actions.",
    "current": "The row under the cursor: what a command means while no row is selected.",
    "DC": "The number that a saving throw must reach.",
    "death save": "A d20 that a dying creature owes in its turn: three successes or three failures decide.",
    "delays": "Has postponed its turn and may act later in this round.",
    "draft": "An order that is half written; it waits in its form, also through a quit and a crash.",
    "face": "The number that a die shows; dice rolled at the table are typed face by face.",
    "fixed": "At a place that `value=` has given it, such as that of a lair; it rolls no dice.",
    "group": "Several creatures with one row and one turn; each keeps its own hit points and conditions.",
    "hidden": "Seen by the game master alone, until it is revealed.",
    "house rule": "An option of the running system, set for this fight with `option KEY=VALUE`.",
    "library": "Creatures, parties and conditions that are kept for any fight.",
    "line": "A command in words, typed after : or in a shell; every key stands for one.",
    "mark": "A state that the system itself gives a creature, such as surprised.",
    "may act": "One of several rows that can take a turn now; somebody has to choose.",
    "Now": "The line at the foot of the screen: what happens next, who has to do it, and with which key.",
    "out": "Dead, fled or down: it takes no turns until `back` returns it to the fight.",
    "owes": "Must roll, choose or write before play goes on.",
    "owner": "The player to whom a creature belongs; it joins the heroes unless a side is named.",
    "party": "Creatures in a file, to be added to any fight.",
    "reacted": "Has spent its reaction.",
    "reaction": "An action outside a creature's own turn; "
    "once it is spent, the system says when it is restored.",
    "redo": "Runs an undone step again, with the same dice.",
    "removed": "Taken off the roster for good; a creature that is only out can come back.",
    "reserve": "Not in the fight yet: it waits until it is placed, or until its round begins.",
    "rest": "After the fight: a short one restores counters, "
    "a long one heals as well and restores those of `reset=long`.",
    "roll-off": "A second roll of tied creatures, high first; it changes no number.",
    "roster": "All creatures of this fight, also those that are out or have not arrived yet.",
    "save": "A d20 plus the number of `saves=`, against a DC; `made` and `failed` "
    "answer it without a number.",
    "selected": "Picked with Space: the next command means every selected row.",
    "side": "Creatures that fight together, such as the heroes; `@heroes` means all of them.",
    "sits out": "Takes no turn in this round; Now or `w` on its row says why.",
    "stable": "Still at 0 but not dying; it owes no more death saves.",
    "step": "The result of one line: `undo` takes back one at a time.",
    "temporary hit points": "Lost before the others and never healed; "
    "the higher number stays, they do not add up.",
    "tie": "The same number on two rows or more; the system says which goes first.",
    "track": "The rows in the order in which they act.",
    "waits": "Its turn in this round is still to come.",
}
"""One sentence for each word, in alphabetical order."""


def glossary(system: InitiativeSystem) -> dict[str, str]:
    """Return every word of this system's fights with its meaning, in alphabetical order."""
    words = {**COMMON_WORDS, **system.glossary}
    return {word: words[word] for word in sorted(words, key=str.lower)}


def words(system: InitiativeSystem) -> Words:
    """Return the system's names for itself, its marks and its fields; equal for every viewer."""
    marks = {m.key: MarkWords(m.short, m.word, m.alarming) for m in system.all_marks.values() if m.word}
    # `kind` is left out, since it says no more than the side does.
    fields = {f.key: f.title for f in system.fields if f.key != "kind"}
    return Words(system.title, system.short or system.title, marks, fields)
