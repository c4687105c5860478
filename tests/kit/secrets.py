"""A fight in which every field has a secret word."""

from __future__ import annotations

SECRET = "Xyzzyqua"  # the beginning of every secret; nothing of ours says it


LINES = (
    "add Ana owner=Mia hp=18",
    "add Bo owner=Jon hp=20",
    "add Orc hp=9",
    "add Dragon hp=80",
    f'add "{SECRET} lurker" hp=30 hidden=yes',
    f'add 2 "{SECRET} pack" hp=5 hidden=yes',
    f'add "{SECRET} late" hp=5 round=2 hidden=yes',
    f'group "{SECRET} pack 1,{SECRET} pack 2" "{SECRET} band"',
    f'set Orc note="{SECRET} note"',
    f'set Orc card="{SECRET} card"',
    f'set Bo note="{SECRET} of Jon"',
    "hide Dragon",
    f'rename Dragon "{SECRET} wyrm"',
    f'alias "{SECRET} wyrm" "A shadow"',
    f'reveal "{SECRET} wyrm"',
    "hide Orc",
    f'condition Orc "{SECRET} curse"',
    f'hide Orc "{SECRET} curse"',
    "reveal Orc",
    f'condition "{SECRET} lurker" prone',
    f'count Orc "{SECRET} breath" 2',
    f"note {SECRET} in the log",
    f'dice 1d6 "{SECRET} throw"',
    f'add "{SECRET} beast" hidden=yes',
    "begin",
    f'order Bo action="{SECRET} strike" reaction="{SECRET} comes => {SECRET} parry"',
    f'order Orc action="{SECRET} ambush" ready="{SECRET} waits"',
    'order Ana action="hold the door"',
)
"""Lines of the fight; only Jon or the game master may know the words that begin with SECRET."""


SEEN = "hold the door"
"""The words of Mia's own order."""


NEVER = (
    "note",
    "card",
    "wyrm",
    "lurker",
    "pack",
    "late",
    "curse",
    "breath",
    "throw",
    "beast",
    "of the library",
)
"""The ends of secrets that stay secret after all orders are carried out."""
