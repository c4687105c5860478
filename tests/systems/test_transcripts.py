"""What the table reads of whole fights, line by line: log, refusals, Now, track, choices, forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.transcript import PLACES, replayed, transcripts

ALL = [(place, text) for place in PLACES for text in transcripts(place)]


@pytest.mark.parametrize(("place", "transcript"), ALL, ids=[text.partition("\n")[0] for _, text in ALL])
def test_the_table_reads_what_the_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
