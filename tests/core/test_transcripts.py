"""What the core does to a fight, line by line: facts, refusals, the state, what players read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.transcript import CORE, replayed, transcripts

ALL = [(place, text) for place in CORE for text in transcripts(place)]


@pytest.mark.parametrize(("place", "transcript"), ALL, ids=[text.partition("\n")[0] for _, text in ALL])
def test_a_fight_leaves_what_its_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
