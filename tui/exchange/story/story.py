"""The story of a fight as plain values, the words that its formats share, and the list of formats."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping

from msgspec import Struct

from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem


class Happening(Struct, frozen=True):
    """One moment of a story: in which round and in whose turn ("" between two), its kind and words.

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
    """A turn, or what happened between two: who acts ("" for no one), lines as the log has them, and seconds.

    `value` is the number that gave the place (0: none). Seconds are None where they are no one's business.
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
    """The totals of a creature or group: damage given in its turns and taken, healing, turns, seconds.

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
    """The whole story. `viewer` is "" for the game master, who alone is given `began` and `ended`."""

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
        """Seconds in the turns of each player's creatures; empty where the times are unknown."""
        result: dict[str, int] = {}
        for figure in self.figures:
            if figure.seconds:
                name = figure.player or "game master"
                result[name] = result.get(name, 0) + figure.seconds
        return result


def write_title(story: Story) -> str:
    """Return the title of the report."""
    return f"{story.save}, as {story.viewer} saw it" if story.viewer else story.save


def write_subtitle(story: Story) -> str:
    """Return the line under the title: system, number of rounds, times."""
    count = max((r.number for r in story.rounds), default=0)
    parts = [story.system, f"{count} round{'s' * (count != 1)}"]
    if story.began:
        parts.append(f"{story.began[:16].replace('T', ' ')} to {story.ended[11:16]} UTC")
    return ", ".join(parts)


def write_round_heading(one: RoundTold) -> str:
    """Return the heading of a round."""
    return f"Round {one.number}" if one.number else "Before the fight"


def write_passage_heading(passage: Passage) -> str:
    """Return who acts in a passage, and for how long."""
    if not passage.acting:
        return ""
    return f"{passage.acting} ({write_clock(passage.seconds)})" if passage.seconds else passage.acting


def write_clock(seconds: int | None) -> str:
    """Return minutes and seconds, `1:05`; "" for None."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02}"


COLUMNS = ("name", "side", "player", "given", "taken", "healed", "turns", "time", "at the end")
"""The columns of the table of figures."""


def write_figure_cells(figure: Figure) -> tuple[str, ...]:
    """Return a row of the table of figures."""
    numbers = (figure.given, figure.taken, figure.healed, figure.turns)
    return (
        figure.name,
        figure.side,
        figure.player,
        *(str(n) if n else "" for n in numbers),
        write_clock(figure.seconds),
        figure.state,
    )


GIVEN = "Given: what fell upon another side in the creature's own turns."


def write_story_lines(story: Story) -> list[str]:
    """Return the story in plain lines: figures, then round by round."""
    result = []
    for figure in story.figures:
        given = [
            f"{word} {n}"
            for word, n in (("gave", figure.given), ("took", figure.taken), ("healed", figure.healed))
            if n
        ]
        turns = f"{figure.turns} turn{'s' * (figure.turns != 1)}" if figure.turns else ""
        spent = f"in {write_clock(figure.seconds)}" if figure.turns and figure.seconds else ""
        parts = [*given, " ".join(x for x in (turns, spent) if x), figure.state]
        result.append(f"{figure.name}: {', '.join(x for x in parts if x)}")
    for one in story.rounds:
        result += ["", write_round_heading(one)]
        for passage in one.passages:
            result += [f"  {title}"] if (title := write_passage_heading(passage)) else []
            result += [f"    {line}" for line in passage.lines]
    return result


class Fight(Struct, frozen=True):
    """What is written: the story, and the fight as it stands at its end, with the system that runs it."""

    story: Story
    encounter: Encounter
    system: InitiativeSystem


class StoryFormat(Struct, frozen=True):
    """A format: its name on the command line, what it is, and how a fight is written in it.

    `whole`: it holds what only the game master may know, so that there is no version for a player.
    """

    name: str
    title: str
    write: Callable[[Fight], str]
    whole: bool = False


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
