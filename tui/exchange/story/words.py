"""The parts of a report that its formats share: headings, tables, times in words."""

from __future__ import annotations

from tui.exchange.story.told import Figure, Passage, RoundTold, Story


def heading(story: Story) -> str:
    """What the report is called."""
    return f"{story.save}, as {story.viewer} saw it" if story.viewer else story.save


def beneath(story: Story) -> str:
    """The line under the heading: the system, how many rounds, when."""
    count = max((r.number for r in story.rounds), default=0)
    parts = [story.system, f"{count} round{'s' * (count != 1)}"]
    if story.began:
        parts.append(f"{story.began[:16].replace('T', ' ')} to {story.ended[11:16]} UTC")
    return ", ".join(parts)


def of_round(one: RoundTold) -> str:
    """The heading of a round."""
    return f"Round {one.number}" if one.number else "Before the fight"


def of_passage(passage: Passage) -> str:
    """Who acts in a passage, and for how long."""
    if not passage.acting:
        return ""
    return f"{passage.acting} ({clock(passage.seconds)})" if passage.seconds else passage.acting


def clock(seconds: int | None) -> str:
    """Minutes and seconds: `1:05`; "" for none."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02}"


COLUMNS = ("name", "side", "player", "given", "taken", "healed", "turns", "time", "at the end")
"""The columns of the table of figures."""


def cells(figure: Figure) -> tuple[str, ...]:
    """A row of it."""
    numbers = (figure.given, figure.taken, figure.healed, figure.turns)
    return (
        figure.name, figure.side, figure.player, *(str(n) if n else "" for n in numbers),
        clock(figure.seconds), figure.state,
    )  # fmt: skip


GIVEN = "Given: what fell upon another side in the creature's own turns."


def lines(story: Story) -> list[str]:
    """The story in plain lines, as a screen shows it: figures, then round by round."""
    told = []
    for figure in story.figures:
        given = [
            f"{word} {n}"
            for word, n in (("gave", figure.given), ("took", figure.taken), ("healed", figure.healed))
            if n
        ]
        turns = f"{figure.turns} turn{'s' * (figure.turns != 1)}" if figure.turns else ""
        spent = f"in {clock(figure.seconds)}" if figure.turns and figure.seconds else ""
        parts = [*given, " ".join(x for x in (turns, spent) if x), figure.state]
        told.append(f"{figure.name}: {', '.join(x for x in parts if x)}")
    for one in story.rounds:
        told += ["", of_round(one)]
        for passage in one.passages:
            told += [f"  {title}"] if (title := of_passage(passage)) else []
            told += [f"    {line}" for line in passage.lines]
    return told
