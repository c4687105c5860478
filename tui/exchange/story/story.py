"""The story of a fight as plain values, the texts that all formats share, and the list of formats."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from msgspec import Struct


class Happening(Struct, frozen=True):
    """One event that the viewer was shown, with its messages."""

    round: int
    acting: str
    """The name of the acting entry; "" between turns."""
    kind: str
    """The event's class in lower case, such as `damaged`."""
    text: str
    who: str = ""
    """The name of the affected creature, "" for none."""
    amount: int = 0
    """The points of damage or healing."""
    dice: tuple[int, ...] = ()
    """The number of sides of each die that was rolled."""
    faces: tuple[int, ...] = ()
    """The face of each die, in the order of `dice`."""


class Passage(Struct, frozen=True):
    """A turn, or the events between two turns."""

    acting: str
    """The name of the acting entry; "" between turns."""
    lines: tuple[str, ...]
    """The messages, as in the log."""
    seconds: int | None = None
    """How long the turn took; None if the viewer may not know it."""
    value: int = 0
    """The number that gave the place in the order; 0 for none."""


class RoundTold(Struct, frozen=True):
    """A round and its passages; round 0 is the time before the first round."""

    number: int
    passages: tuple[Passage, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The names of the entries that had a turn, each once, in the order of turns."""
        return tuple(dict.fromkeys(p.acting for p in self.passages if p.acting))


class Point(Struct, frozen=True):
    """The hit points of a creature at one moment; `at` is the number of the passage, from 0."""

    at: int
    round: int
    who: str
    hp: int
    most: int | None = None


class Figure(Struct, frozen=True):
    """The totals of a creature or group."""

    name: str
    side: str
    player: str = ""
    """The owner of the creature, "" for none."""
    damage_dealt: int = 0
    """Damage dealt to other sides in its own turns."""
    damage_taken: int = 0
    """Damage taken."""
    healed: int = 0
    """Hit points regained."""
    turns: int = 0
    seconds: int | None = None
    """The time of all its turns; None if the viewer may not know it."""
    state: str = ""
    """The creature's health at the end in a word; "" for a group."""


class Story(Struct, frozen=True):
    """The whole story of a fight."""

    save: str
    system: str
    viewer: str
    """The viewer's name; "" for the game master."""
    rounds: tuple[RoundTold, ...]
    happenings: tuple[Happening, ...]
    points: tuple[Point, ...]
    figures: tuple[Figure, ...]
    began: str = ""
    """When the first line was run (RFC 3339); "" for other viewers than the game master."""
    ended: str = ""
    """When the last line was run, as `began`."""

    @property
    def players(self) -> dict[str, int]:
        """How long each player's creatures had turns, in seconds by player; {} if times are unknown."""
        result: dict[str, int] = {}
        for figure in self.figures:
            if figure.seconds:
                name = figure.player or "game master"
                result[name] = result.get(name, 0) + figure.seconds
        return result


def write_title(story: Story) -> str:
    """Return the name of the save, and for a player's story whose eyes saw it."""
    return f"{story.save}, as {story.viewer} saw it" if story.viewer else story.save


def write_subtitle(story: Story) -> str:
    """Return the line below the title: system, number of rounds, and for the game master the times."""
    count = max((r.number for r in story.rounds), default=0)
    parts = [story.system, f"{count} round{'s' * (count != 1)}"]
    if story.began:
        parts.append(f"{story.began[:16].replace('T', ' ')} to {story.ended[11:16]} UTC")
    return ", ".join(parts)


def write_round_heading(one: RoundTold) -> str:
    """Return `Round 3`; `Before the fight` for what comes before round 1."""
    return f"Round {one.number}" if one.number else "Before the fight"


def write_passage_heading(passage: Passage) -> str:
    """Return the acting entry's name, with the time of the turn if it is known; "" between turns."""
    if not passage.acting:
        return ""
    return f"{passage.acting} ({write_clock(passage.seconds)})" if passage.seconds else passage.acting


def write_clock(seconds: int | None) -> str:
    """Return minutes and seconds, `1:05`; "" for None."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02}"


COLUMNS = ("name", "side", "player", "given", "taken", "healed", "turns", "time", "at the end")
"""The headings of the table of figures."""


def write_figure_cells(figure: Figure) -> tuple[str, ...]:
    """Return a row of the table of figures."""
    numbers = (figure.damage_dealt, figure.damage_taken, figure.healed, figure.turns)
    return (
        figure.name,
        figure.side,
        figure.player,
        *(str(n) if n else "" for n in numbers),
        write_clock(figure.seconds),
        figure.state,
    )


GIVEN_NOTE = "Dealt: damage dealt to another side in the creature's own turns."


class StoryFormat(Struct, frozen=True):
    """A format: its name on the command line, its title, and the function that writes it."""

    name: str
    title: str
    write: Callable[[Story], str]


def load_writers() -> Mapping[str, StoryFormat]:
    """Return every format by its name."""
    package = importlib.import_module("tui.exchange.story.writers")
    modules = (
        importlib.import_module(f"{package.__name__}.{info.name}")
        for info in pkgutil.iter_modules(package.__path__)
    )
    formats = (
        value for module in modules for value in vars(module).values() if isinstance(value, StoryFormat)
    )
    return {writer.name: writer for writer in sorted(formats, key=lambda w: w.name)}
