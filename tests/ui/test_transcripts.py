"""What a game master presses and sees, line by line: what reaches the fight, and rows of the screen."""

from __future__ import annotations

from pathlib import Path

from tests.kit.transcript import DESK, each, replayed


@each(DESK)
def test_the_desk_answers_what_the_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
