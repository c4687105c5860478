"""List words that people type but that begin no line, each with the verb that is meant."""

from __future__ import annotations

from collections.abc import Mapping

_BY_VERB: Mapping[str, str] = {
    "act": "delayed",
    "add": "another boss companion creature creatures duplicate familiar hero minion "
    "monster mount new npc pc pet reinforcements spawn summon swarm wave",
    "aim": "cursor letter target to",
    "area": "breath dc fireball many",
    "attack": "bite claw multiattack shoot strike swing to-hit weapon",
    "back": "raise resurrect revive",
    "begin": "combat fight start",
    "card": "block stat text",
    "clear": "cured ends",
    "condition": "aura bless blinded buff burning concentrate concentration cond curse debuff duration "
    "effect ongoing regeneration exhausted frightened guardians hex poisoned prone rounds spell spirit "
    "status stunned surprised",
    "config": "ascii language options preferences settings unicode",
    "copy": "clipboard",
    "count": "action charges counter legendary recharge slot slots use",
    "counters": "ki rage uses",
    "damage": "bloodied crit damaged dmg double half hit hitpoints horde hp hurt pool wound",
    "dice": "advantage check free",
    "failed": "fail",
    "filter": "find search",
    "finish": "stop",
    "goto": "jump step",
    "group": "minions mob squad",
    "heal": "cure health mend potion regain regenerate",
    "help": "glossary keys manual",
    "hide": "ambush hidden invisible players sneak stealth",
    "higher": "earlier",
    "hold": "delay postpone ready wait",
    "import": "5etools bestiary foundry open5e paste",
    "join": "merge together unite",
    "line": "prompt type",
    "load": "encounter file prepared",
    "lower": "later",
    "made": "saves success",
    "move": "first last place reorder row swap",
    "next": "advance continue round skip",
    "note": "comment journal log remark",
    "odds": "chance forecast probability",
    "option": "house setting",
    "out": "dead die fled flee flees kill retreat surrender",
    "party": "characters heroes",
    "pass": "nobody",
    "pick": "answer",
    "quit": "close exit leave",
    "react": "counterspell interrupt opportunity shield",
    "redo": "again forward",
    "remove": "delete",
    "rename": "call name",
    "rest": "recover refill sleep",
    "roll": "correct init initiative misheard",
    "save": "keep library store",
    "set": "ac armor change edit field",
    "spend": "charge lair",
    "split": "divide rooms separate two",
    "stable": "aid death dying healer medicine spare stabilise stabilize",
    "story": "export report share summary",
    "system": "rules switch",
    "temp": "thp",
    "theme": "colors colours contrast dark light",
    "times": "clock slow time timer",
    "totals": "called table",
    "turn": "choose",
    "undo": "mistake revert",
    "ungroup": "alone single",
    "why": "explain reason",
    "zero": "massive unconscious",
    "zoom": "full larger layout screen size",
}
"""The words that people type, separated by spaces, by the verb or screen word that does the same."""

VERBS_BY_SYNONYM: Mapping[str, str] = {
    word: verb for verb, words in _BY_VERB.items() for word in words.split()
}
"""The verb or screen word that is meant, by the word that people type."""
