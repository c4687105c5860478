"""List words that people type or search for, and what 1.x had and 2.0 has not, each with what works here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

SYNONYMS: Mapping[str, str] = {
    "area": "blast breath damage dc fireball group many save",
    "back": "raise resurrect revive",
    "done": "all end everybody next side skip",
    "dice": "advantage attack check free roll",
    "failed": "fail",
    "goto": "back jump step undo",
    "hide": "ambush hidden invisible players secret sneak stealth",
    "hold": "delay postpone wait",
    "line": "command prompt type",
    "load": "encounter fight foes file prepared",
    "begin": "combat encounter fight start",
    "finish": "combat encounter end fight over stop",
    "made": "saves success",
    "next": "advance continue round skip turn",
    "note": "comment journal log remark",
    "option": "house rule setting",
    "out": "dead die down escape fled flee flees kill raise resurrect retreat revive surrender",
    "pass": "nobody skip",
    "quit": "close exit leave",
    "react": "attack counterspell interrupt opportunity readied ready shield trigger",
    "act": "delayed interrupt",
    "redo": "again forward",
    "remove": "delete",
    "rest": "recover refill sleep",
    "count": "action charges counter legendary recharge refill slot slots use",
    "over": "recover refill rest sleep",
    "roll": "correct dice init initiative misheard",
    "move": "first initiative last order place reorder row swap",
    "aim": "cursor letter row target to",
    "higher": "earlier initiative order reorder swap",
    "lower": "initiative later order reorder swap",
    "save": "keep library party store write",
    "party": "characters file heroes library load players",
    "set": "ac armor change edit field",
    "card": "block edit stat text",
    "rename": "call change name",
    "alias": "name players secret",
    "filter": "find name search",
    "palette": "find search",
    "counters": "action charge count counter ki lair legendary rage recharge slot spend uses",
    "stable": "aid death dying first healer medicine save spare stabilise stabilize",
    "system": "change rules switch",
    "theme": "colors colours contrast dark light",
    "turn": "act choose",
    "pick": "answer choose",
    "undo": "back mistake revert",
    "ungroup": "alone single split",
    "why": "card explain reason",
    "help": "explain glossary keys manual",
    "zoom": "full larger layout screen size",
    "add": "another bestiary boss box companion creature creatures duplicate familiar hero horde minion "
    "monster mount new npc pc pet reinforcements spawn summon swarm wave",
    "import": "5etools bestiary library monster open5e paste",
    "attack": "hit attack bite breath claw monster multiattack roll shoot strike swing to-hit weapon",
    "condition": "ends aura bless blinded buff burning concentrate concentration cond curse debuff duration "
    "effect exhausted frightened guardians hex ongoing poisoned prone regeneration rounds save spell "
    "spirit status stunned surprised",
    "keep": "effect library store",
    "leave-out": "aura burning effect regeneration",
    "totals": "called concentration death dice failed initiative made misheard roll save table",
    "faces": "correct dice misheard roll table",
    "clear": "cure concentration condition cured end ends recover",
    "edit": "hp ac armor change field set",
    "group": "horde minions mob row squad swarm together",
    "damage": "health bloodied crit damaged dmg double half hit hitpoints horde hp hurt minions pool "
    "swarm wound",
    "heal": "cure health hitpoints hp mend potion regain regenerate",
    "temp": "hitpoints hp thp",
}  # fmt: skip
"""The words that people type or search for, by the line, the command or the word of the screen that is meant.

A word of several is answered with the first of them, or as `VERBS_BY_SYNONYM` says; a search finds all.
"""

VERBS_BY_SYNONYM: Mapping[str, str] = {
    **{word: verb for verb in reversed(list(SYNONYMS)) for word in SYNONYMS[verb].split()},
    "cure": "heal", "declare": "order", "encounter": "load", "ends": "clear", "health": "heal",
    "hit": "damage", "horde": "damage", "hp": "damage", "library": "save",
}  # fmt: skip
"""The verb or screen word that is meant, by the word that people type."""


GoneKind = Literal["command", "option", "line", "key", "export", "import"]

GONE: Final[Mapping[GoneKind, Mapping[str, str]]] = {
    "command": {
        "host": "`tocsin SAVE --serve ADDRESS:PORT` is the table, and players write on their phones",
        "invite": "`tocsin serve SAVE` prints an address for each player's browser",
        "seat": "ask the game master for the address of your page (`tocsin serve SAVE`)",
        "encounters": "`tocsin` lists prepared fights, and `load NAME` takes their foes",
        "odds": "`tocsin show SAVE` prints the order once the dice are rolled",
    },
    "option": {
        "--plain": "`tocsin do SAVE -` takes lines at a terminal; `--a11y` is the screen for screen readers"
    },
    "line": {
        "odds": "`roll` rolls the dice, and the track shows the order",
        "split": "`tocsin new NAME` makes a second fight: `add` there and `remove` here move a creature",
        "save encounter": "`tocsin new NAME` and `add` make a prepared fight; `load NAME` takes its foes",
        "join": "`load NAME` adds prepared creatures to this fight",
        "all": "`@SIDE` or `@GROUP` names everybody of it: `damage @dark 5`",
        "zero": "`option zero.pc=dying` gives heroes death saves; zero.npc, zero.monster: the others",
        "story": "`tocsin export SAVE` in a shell writes it",
        "secret": "`hide WHO CONDITION` hides a condition, and `reveal WHO CONDITION` shows it",
    },
    "key": {"SYSTEM.KEY": "the key alone is kept for every system that reads it alike"},
    "export": {
        "csv": "`--format json` has every event of the fight",
        "improved-initiative": "`--format json` has the fight as plain data",
        "svg": "`--format html` writes a page, and json has all hit points",
    },
    "import": {
        "5e-bits": "copy the creature's stat block and import that text",
        "_copy of 5etools": "import the creature that it copies, or its stat block as text",
        "Foundry": "copy the creature's stat block and import that text",
    },
}
"""By kind and word: commands, options, verbs and keys of lines, formats of `export`, imported files."""


def explain_gone(kind: GoneKind, word: str) -> tuple[str, str] | None:
    """Return what is wrong with a word that 2.0 no longer knows, and what works; None for any other."""
    instead = GONE[kind].get(word)
    what = {"export": f"the export as {word}", "import": f"the import of {word}"}.get(kind, word)
    return None if instead is None else (f"{what} was removed in tocsin 2.0", instead)
