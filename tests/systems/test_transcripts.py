"""What the table reads of whole fights, line by line: log, refusals, Now, track, choices, forms."""

from __future__ import annotations

from pathlib import Path

from tests.kit.transcript import PLACES, each, replayed


@each(PLACES)
def test_the_table_reads_what_the_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
