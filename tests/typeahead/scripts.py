"""Random scripts of keys, and random ways to cut them into packets. Pure: the chance is an argument."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

ESCAPE: Final = b"\x1b"
ENTER, TAB, BACKSPACE = b"\r", b"\t", b"\x7f"
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
NAMED: Final = (
    UP, DOWN, RIGHT, LEFT, b"\x1bOA", b"\x1b[H", b"\x1b[F", b"\x1b[5~", b"\x1b[6~", b"\x1b[3~", b"\x1b[Z",
    b"\x1b[1;5C",
    b"\x1bOP", b"\x1b[15~",
)  # fmt: skip
CONTROLS: Final = (b"\x12", b"\x0c", b"\x10", b"\x14", b"\x15", b"\x17", b"\x0b", b"\x05", b"\x04", b"\x08")

BEGINS: Final = b"[OP]_"
"""Behind Escape these begin a sequence: no terminal can say whether that is one key or two, so they come
after a pause."""

PAUSE: Final = 0.5
"""Seconds after an Escape that would else begin a sequence: more than the program's escape delay."""

INSIDE: Final = 0.12
"""Most seconds between two bytes of one sequence: less than the program's escape delay, also on a busy
machine."""

BOARD: Final = [*"nnnnrrrrjjkkhloop,.!fadtcxi&u+g", *"Gwz?/:NR#*'", " "]
# Neither here nor among the words: what stops the program (ctrl+z), and what leaves (q).
WORDS: Final = (
    "next", "roll", "begin", "damage Orc 3", "heal Ana 2", "add Zed mod=2", "add 3 Gob hp=4", "note hello",
    "note this is a long note for the log that is longer than a burst was", "condition Ana prone rounds=2",
    "undo", "undo 2",
    "redo", "out Bo", "back Bo", "set Ana hp=9", "remove Zed", "order Ana action=hit", "lock", "unlock", "ok",
    "pass",
    "hide Orc", "reveal Orc", "group Orc Band", "ungroup Band", "faces", "why", "rule", "zoom", "help",
    "verbs",
    "nonsense", "damage Nobody 3", "note Éowyn 龍 is here", "write", "panes", "top", "bottom",
    "counters",
)  # fmt: skip
TEXT: Final = (
    "strike the wolf", "hide behind the long table and wait", "run",
    "shoot the one that moves first at the door", "é龍",
    "=", "a", "if wolf near then kick or else run",
)  # fmt: skip
BEFORE_RAW: Final = bytes(range(0x20, 0x7F)) + b"\r\t\x1b"
"""What may be typed before the program has the terminal: until then control keys are the shell's and not
ours."""


class Packet(NamedTuple):
    """Bytes that arrive together, and the seconds until the next ones.

    `torn`: these are the rest of its last key.
    """

    data: bytes
    delay: float
    torn: bool = False


Script = tuple[bytes, ...]
"""The keys, each the bytes that the terminal sends for it."""


def typed(text: str) -> list[bytes]:
    """The keys of a text."""
    return [letter.encode() for letter in text]


def _line(chance: random.Random) -> list[bytes]:
    word = chance.choice(WORDS)
    keys = [b":", *typed(word)]
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        keys.insert(
            chance.randint(1, len(keys)), chance.choice((BACKSPACE, LEFT, RIGHT, TAB, b"\x17", b"\x1b[H"))
        )
    return [*keys, *chance.choice(([ENTER], [ENTER], [ENTER], [ENTER, ENTER], [ESCAPE], []))]


def _form(chance: random.Random) -> list[bytes]:
    keys = [chance.choice((b"o", b"o", b"\r"))]
    for _ in range(chance.randint(1, 4)):
        keys += [*typed(chance.choice(TEXT)), chance.choice((TAB, TAB, DOWN, UP, b" ", b"\x1b[Z"))]
    return [*keys, chance.choice((ENTER, ENTER, ESCAPE, b"\x14"))]


def _points(chance: random.Random) -> list[bytes]:
    keys = [chance.choice((b"d", b"+", b"t", b"#")), *typed(str(chance.randint(0, 20)))]
    return [*keys, chance.choice((ENTER, ENTER, b"h", b"A", ESCAPE)), chance.choice((ENTER, b"j", b"n"))]


def _note(chance: random.Random) -> list[bytes]:
    return [*typed(f":note {chance.choice(TEXT)}"), chance.choice((ENTER, ENTER, ESCAPE))]


def _add(chance: random.Random) -> list[bytes]:
    return [b"a", *typed(chance.choice(("Kim", "4 Rat hp=2", "Troll hp=20 mod=1", "Ana"))), ENTER, ESCAPE]


def _search(chance: random.Random) -> list[bytes]:
    word = chance.choice(("dam", "note", "zoom", "theme", "x", "undo"))
    return [chance.choice((b"\x10", b"?", b"/")), *typed(word), chance.choice((ENTER, ESCAPE, DOWN)), ESCAPE]


def _counted(chance: random.Random) -> list[bytes]:
    return [*typed(str(chance.randint(1, 12))), chance.choice([*typed("njkudca><"), DOWN, UP, ENTER, ESCAPE])]


def _board(chance: random.Random) -> list[bytes]:
    return [chance.choice(BOARD).encode() for _ in range(chance.randint(1, 8))]


def _moving(chance: random.Random) -> list[bytes]:
    return [chance.choice((*NAMED, *CONTROLS, TAB, ENTER, ESCAPE)) for _ in range(chance.randint(1, 6))]


def _menu(chance: random.Random) -> list[bytes]:
    keys = [chance.choice((b"?", b"c", b"x", b"w", b"\x1bOP"))]
    return [*keys, *chance.choices((DOWN, UP, b"j", b"k", b"\x1b[6~", b" "), k=chance.randint(0, 4)),
            chance.choice((ENTER, ESCAPE))]  # fmt: skip


def _start(chance: random.Random) -> list[bytes]:
    """From the fight to the start screen, or on it."""
    away = [*typed(":start"), ENTER] if chance.random() < 0.5 else []
    name = f"fight{chance.randint(1, 99)}"
    other = chance.choice(
        [
            [*typed(":new "), *typed(name), ENTER, ENTER],
            [b"/", *typed("mi"), ENTER, ESCAPE],
            [TAB, DOWN, b"?", ESCAPE],
            [b"R", *typed("x"), ESCAPE],
            [b"c", *typed(name), ENTER],
            [ENTER],
            [b"j", ENTER],
        ]
    )
    return [*away, *other]


MOODS: Final[tuple[tuple[int, Callable[[random.Random], list[bytes]]], ...]] = (
    (5, _line), (4, _form), (3, _points), (2, _note), (2, _add), (2, _search), (2, _counted), (4, _board),
    (3, _moving),
    (3, _menu), (1, _start),
)  # fmt: skip


def script(chance: random.Random) -> Script:
    """A few things that somebody does, one after the other."""
    weights, moods = zip(*MOODS, strict=True)
    return tuple(
        key for mood in chance.choices(moods, weights, k=chance.randint(1, 4)) for key in mood(chance)
    )


def early(script: Script) -> Script:
    """What of a script may be typed before the program has the terminal."""
    return tuple(key for key in script if all(byte in BEFORE_RAW or byte >= 0x80 for byte in key))


def packets(chance: random.Random, script: Script) -> list[Packet]:
    """The script in packets: all at once, byte by byte, key by key, or cut anywhere, also inside of
    sequences."""
    data, inside, pauses = _laid_out(script)
    how = chance.choice(("whole", "bytes", "keys", "any", "any", "any"))
    places = range(1, len(data))
    cuts = {
        "whole": set[int](),
        "bytes": set(places),
        "keys": set(places) - inside,
        "any": set(chance.sample(places, chance.randint(0, len(places)))),
    }[how]
    most = chance.choice((0.0, 0.0, 0.002, 0.02, 0.06, 0.2 if len(cuts) < 20 else 0.02))
    parts: list[Packet] = []
    for start, end in pairwise([0, *sorted(cuts | pauses), len(data)]):
        delay = chance.uniform(0, min(most, INSIDE) if end in inside else most)
        parts.append(Packet(data[start:end], PAUSE if end in pauses else delay, end in inside))
    return parts


def _laid_out(script: Script) -> tuple[bytes, set[int], set[int]]:
    """The bytes, the places inside of a key, and those after an Escape that needs a pause."""
    at, inside, pauses = 0, set[int](), set[int]()
    for key, following in pairwise((*script, b"")):
        inside |= set(range(at + 1, at + len(key)))
        at += len(key)
        if key == ESCAPE and following[:1] and following[0] in BEGINS:
            pauses.add(at)
    return b"".join(script), inside, pauses


def shown(script: Sequence[bytes]) -> str:
    """A script for a report."""
    return " ".join(repr(key)[2:-1] for key in script)
