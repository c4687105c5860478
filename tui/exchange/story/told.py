"""The story of a fight as plain values: rounds, turns, what happened, and figures for every creature."""

from __future__ import annotations

from msgspec import Struct


class Happening(Struct, frozen=True):
    """One thing that was told: in which round and in whose turn ("" between two), its kind and words.

    `who` is whom it happened to, `amount` points of damage or healing, `dice` and `faces` what fell.
    """

    round: int
    acting: str
    kind: str
    text: str
    who: str = ""
    amount: int = 0
    dice: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()


class Passage(Struct, frozen=True):
    """A turn, or what happened between two: who acts ("" for nobody), lines as the log has them, and seconds.

    `value` is the number that gave the place (0: none). Seconds are None where they are nobody's business.
    """

    acting: str
    lines: tuple[str, ...]
    seconds: int | None = None
    value: int = 0


class RoundTold(Struct, frozen=True):
    """A round, or what was before the first (0)."""

    number: int
    passages: tuple[Passage, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """Who had a turn, each once, first to act first."""
        return tuple(dict.fromkeys(p.acting for p in self.passages if p.acting))


class Point(Struct, frozen=True):
    """The hit points of a creature at one moment: `at` counts the passages of the fight from 0."""

    at: int
    round: int
    who: str
    hp: int
    most: int | None = None


class Figure(Struct, frozen=True):
    """What one creature or group came to: points given in its turns and taken, healing, turns, seconds in them.

    `player` is whose it is; `state` its health in a word at the end, "" for a group.
    """

    name: str
    side: str
    player: str = ""
    given: int = 0
    taken: int = 0
    healed: int = 0
    turns: int = 0
    seconds: int | None = None
    state: str = ""


class Story(Struct, frozen=True):
    """All of it. `viewer` is "" for the game master; `began` and `ended` are times of day, "" for anybody else."""

    save: str
    system: str
    viewer: str
    rounds: tuple[RoundTold, ...]
    happenings: tuple[Happening, ...]
    points: tuple[Point, ...]
    figures: tuple[Figure, ...]
    began: str = ""
    ended: str = ""

    @property
    def players(self) -> dict[str, int]:
        """Seconds in the turns of each player's creatures; empty where no times are told."""
        found: dict[str, int] = {}
        for figure in self.figures:
            if figure.seconds:
                name = figure.player or "game master"
                found[name] = found.get(name, 0) + figure.seconds
        return found
