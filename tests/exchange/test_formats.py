"""Every format: what is taken from its samples, and what of two files about one creature counts."""

from __future__ import annotations

import pytest

from tests.kit.shapes import FORMATS, LURKER, NAMES, answers, packed, read, samples
from tui.exchange.gathering import Source, gather_creatures
from tui.exchange.registry import load_formats


@pytest.mark.parametrize("name", NAMES)
def test_what_is_taken_from_a_shape_is_written_beside_it(name: str) -> None:
    for file, text in answers(name).items():
        assert (FORMATS / name / file).read_text(encoding="utf-8") == text


def test_every_format_has_a_sample() -> None:
    tried = {read(path.read_bytes()).title for name in NAMES for path in samples(name)}
    assert {f.title for f in load_formats()} == tried


@pytest.mark.parametrize("over", [False, True])
def test_of_those_of_one_name_and_book_that_differ_one_is_taken_and_the_others_named(over: bool) -> None:
    parts = [Source(f"{hp}", read(packed({**LURKER, "hit_points": hp}))) for hp in (22, 30, 40)]
    found = gather_creatures(parts, overwrite=over)
    assert [b.hp for b in found.blocks] == [40 if over else 22]
    left = "22 for 30, 30 for 40" if over else "30 for 22, 40 for 22"
    assert ", ".join(f"{x.other_file} for {x.kept_file}" for x in found.clashes) == left
    assert [b.hp for b in gather_creatures(parts).blocks_overwriting] == [40]
