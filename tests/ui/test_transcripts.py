"""What a game master presses and sees, line by line: what reaches the fight, and rows of the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.transcript import DESK, replayed, transcripts

ALL = [(place, text) for place in DESK for text in transcripts(place)]


@pytest.mark.parametrize(("place", "transcript"), ALL, ids=[text.partition("\n")[0] for _, text in ALL])
def test_the_desk_answers_what_the_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
