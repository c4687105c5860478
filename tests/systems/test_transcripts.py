"""What the table reads of whole fights, line by line: log, refusals, Now, track, choices, forms."""

from __future__ import annotations

import pytest

from tests.kit.transcript import PLACES, replayed, transcripts

ALL = [(place.stem, text) for place in PLACES for text in transcripts(place)]


@pytest.mark.parametrize(("system", "transcript"), ALL, ids=[text.partition("\n")[0] for _, text in ALL])
def test_the_table_reads_what_the_transcript_says(system: str, transcript: str) -> None:
    assert replayed(system, transcript) == transcript
