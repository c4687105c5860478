"""What the core does to a fight, line by line: facts, refusals, the state, what players read."""

from __future__ import annotations

from pathlib import Path

from tests.kit.transcript import CORE, each, replayed


@each(CORE)
def test_a_fight_leaves_what_its_transcript_says(place: Path, transcript: str) -> None:
    assert replayed(place, transcript) == transcript
