"""Define the words that the program uses; a system defines its own beside its texts."""

from __future__ import annotations

from collections.abc import Mapping

from tui.core.rules.system import InitiativeSystem

COMMON: Mapping[str, str] = {
    "acted": "Has had its turn in this round.",
    "acting": "Its turn is running; `next` ends the turn and starts the one after it.",
    "alias": "The name that players read in place of a creature's own.",
    "area": "Damage to many at once, with a save each where it has a DC; it falls "
    "when the last save is known.",
    "arrives": "Joins the fight when the round begins that `round=` has named.",
    "at 0": "Without hit points but still in the fight, until `out` takes it out or it is healed.",
    "attack": "What a creature can do to another, as its `attacks=` says; `'` lists those of who acts.",
    "bloodied": "At half its hit points or less; so much players may be told of an enemy.",
    "card": "All that is known of a creature, with the stat block that was imported or written for it.",
    "clause": "A numbered rule of the running system, such as CLASSIC-3, in our own words.",
    "concentrating": "Keeps up a spell, which damage may break.",
    "condition": "A named state, such as poisoned, that lasts for some turns or until it is cleared.",
    "counter": "A number that is used up and may be restored, such as charges, slots or legendary actions.",
    "current": "The row under the cursor: what a command means while no row is selected.",
    "DC": "The number that a saving throw must reach.",
    "death save": "A d20 that a dying creature owes in its turn: three successes or three failures decide.",
    "delays": "Has put off its turn and may act later in this round.",
    "draft": "An order that is half written; it waits in its form, also through a quit and a crash.",
    "entry": "Whoever has one place in the order: a creature alone, or a group.",
    "face": "The number that a die shows; dice rolled at the table are typed face by face.",
    "fixed": "At a place that `value=` has given it, such as that of a lair; it rolls no dice.",
    "group": "Several creatures with one row and one turn; each keeps its own hit points and conditions.",
    "hidden": "Seen by the game master alone, until it is revealed.",
    "house rule": "An option of the running system, set for this fight with `option KEY=VALUE`.",
    "library": "Creatures, parties and encounters that are kept for any fight.",
    "line": "What is typed after : or in a shell; every key stands for one.",
    "mark": "A state that the system itself gives a creature, such as surprised.",
    "may act": "One of those who can take a turn now; somebody has to choose.",
    "members": "The creatures of a group or a side.",
    "Now": "The line at the foot of the screen: what happens next, who has to do it, and with which key.",
    "out": "Dead, fled or down: it takes no turns until `back` returns it to the fight.",
    "owes": "Must still roll, choose or write before play goes on.",
    "owner": "The player to whom a creature belongs; it joins the heroes unless a side is named.",
    "party": "Creatures in a file, to be added to any fight.",
    "reacted": "Has spent its reaction.",
    "reaction": "What a creature may do outside its own turn; "
    "once it is spent, the system says when it comes back.",
    "redo": "Brings back what was undone, with the same dice.",
    "removed": "Taken off the roster for good; a creature that is only out can come back.",
    "reserve": "Not in the fight yet: it waits until it is placed, or until its round begins.",
    "rest": "After the fight: a short one fills counters, "
    "a long one heals as well and fills those of `reset=long`.",
    "roll-off": "A second roll between equals, to see who goes first; it changes no number.",
    "roster": "Everybody in this fight, also who is out or has not arrived yet.",
    "round": "The time in which everybody has one turn.",
    "row": "One line of a pane; on the track a creature or a group.",
    "save": "A d20 plus the number of `saves=`, against a DC; `made` and `failed` "
    "answer it without a number.",
    "selected": "Picked with Space: the next command means every selected row.",
    "side": "Those who fight together, such as the heroes; `@heroes` means all of them.",
    "sits out": "Takes no turn in this round; Now or `w` on its row says why.",
    "stable": "Dying no longer, but still at 0; it owes no more death saves.",
    "step": "What one line did: `undo` takes back one at a time.",
    "temporary hit points": "Lost before the others and never healed; "
    "the higher number stays, they do not add up.",
    "tie": "The same number on two rows or more; the system says who goes first.",
    "track": "The rows in the order in which they act.",
    "turn": "One row's time to act.",
    "waits": "Its turn in this round is still to come.",
}
"""One sentence for each word, in alphabetical order."""


def glossary(system: InitiativeSystem) -> dict[str, str]:
    """Return every word of this system's fights with its meaning, in alphabetical order."""
    words = {**COMMON, **system.glossary}
    return {word: words[word] for word in sorted(words, key=str.lower)}
