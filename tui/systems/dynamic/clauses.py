"""The clauses of the Dynamic Initiative System in our own words, with the rulings where its text is silent."""

from __future__ import annotations

CLAUSES = {
    "DIS-1": "Before anything is rolled, say where everybody stands.",
    "DIS-2": "The GM says who is surprised, creature by creature, before the dice of the round.",
    "DIS-3": "The GM tells the table what the enemies are about to do before the players decide.",
    "DIS-4": "Every player says what the character will do this round: with which weapon, which spell, which "
    "other action, and whether it moves. Targets are open.",
    "DIS-5": "When all have declared, everybody rolls the dice that belong to the actions.",
    "DIS-6": "The lowest total acts first. A tie is rolled off on a d20, the higher goes first, unless the table "
    "has another house rule.",
    "DIS-7": "In one's own turn one may switch to another action before acting: its highest number is added to "
    "the total, and the turn comes later, behind everybody with an equal or lower total.",
    "DIS-8": "Reactions happen as usual.",
    "DIS-9": "When everybody has had a turn the round is over, and the next begins with surprise, declarations "
    "and new dice.",
    "DIS-10": "All dice of the declared actions are rolled together and added up; the sum is one turn.",
    "DIS-11": "Nothing is added to the dice, Dexterity neither.",
    "DIS-12": "An attack rolls the weapon's base damage dice. Damage without a die counts as it is.",
    "DIS-13": "A spell rolls a d8 and adds the level it is cast at; a cantrip adds nothing.",
    "DIS-14": "Any other action rolls a d6, a bonus action too.",
    "DIS-15": "Moving rolls a d4, once, however far.",
    "DIS-16": "The price of a switch is the most that the action can roll: a weapon's dice together, 8 + level "
    "for a spell, 6 for an action, 4 for a move.",
    "DIS-17": "House rule: whoever means to cast a spell of level 1 or more and takes damage in the round before "
    "the turn makes a Constitution save against 10; failing it leaves only cantrips. Monsters too.",
    "DIS-18": "Only players' characters declare. Everybody else decides in the turn and never switches.",
    "DIS-19": "All others roll one die by size: tiny d4, small d6, medium d8, large d10, huge d12, gargantuan d20.",
    "DIS-20": "Creatures of one type roll once; each further one adds 1, up to the die's highest number.",
    "DIS-21": "Where nobody hides, everybody notices everybody.",
    "DIS-22": "A hider's Stealth is compared with each enemy's passive Perception; an equal number notices. "
    "Who notices none of the enemies is surprised.",
    "DIS-23": "Surprise is each creature's own: some of a group can be caught and others not.",
    "DIS-24": "Surprise adds 10 to the total, after everything else, and takes the reaction until the round ends.",
    "DIS-25": "In a turn one moves and takes one action; anything declared can be dropped for nothing.",
    "DIS-26": "The order is rolled anew every round; no number is carried over.",
    "DIS-27": "What would end with somebody's turn ends with the round of that turn; what would end at its start "
    "ends at that round's start.",
    "DIS-28": "A reaction costs no initiative. The next one is there at the next round's start, and a turn that "
    "was interrupted goes on.",
    "DIS-29": "A bonus to initiative makes one die a size smaller: d20, d12, d10, d8, d6, d4, d3, d2, and then "
    "a plain 1.",
    "DIS-30": "A penalty makes the largest die that still can grow a size larger, up to the d20. A bonus and a "
    "penalty cancel.",
    "DIS-31": "With advantage the largest die is rolled twice and the lower counts; with disadvantage the higher. "
    "Sizes change first. Both together cancel.",
    "DIS-A2": "The question of surprise comes back every round; by house rule it belongs to the first.",
    "DIS-A3": "A switch pays for the new action, by house rule for the old one or the higher.",
    "DIS-A4": "Switching to a spell pays 8 and the level, by house rule only 8.",
    "DIS-A5": "An action that was not declared is a switch from nothing: it pays its highest number.",
    "DIS-A8": "All base dice of a weapon count, by house rule only its largest.",
    "DIS-A11": "Each effect changes one die by one size, whatever its number: the largest, or the player's choice.",
    "DIS-A12": "A type acts together at the roll and its others; by house rule one by one, or at the plain roll.",
    "DIS-A13": "The cap of a type is the die that was rolled; surprise comes on top.",
    "DIS-A17": "Ties are rolled off, or by house rule players go first, or fewest dice, or the GM decides.",
    "DIS-A20": "Where part of a group is surprised the group is split until the round's end, with one roll.",
    "DIS-A22": "A save is owed at once, one for each time damage is taken or one in all; one failure is enough.",
    "DIS-A23": "A row with a number of its own rolls nothing and loses ties.",
    "DIS-A24": "First dice change size, then the largest is rolled twice, then all is added up; a type is capped, "
    "and surprise comes last.",
}  # fmt: skip
