"""Promise 6 under random input: whatever a file or a line holds, it is read or refused in one line."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit import fuzz
from tests.kit.tiers import cases
from tests.reliability import monkey
from tui.cli.show import check_save
from tui.store.problems import BadFile

TARGETS = fuzz.targets()
tails = st.lists(st.sampled_from(fuzz.GRAINS) | st.binary(max_size=12), max_size=12)


@given(st.sampled_from(TARGETS), st.integers(0, 4_000), tails)
@cases(200)
def test_a_good_beginning_and_anything_behind_it(
    target: tuple[fuzz.Target, list[bytes]], start: int, tail: list[bytes]
) -> None:
    read, examples = target
    with tempfile.TemporaryDirectory() as folder:
        fuzz.once(read, examples[0][:start] + b"".join(tail), Path(folder))


@pytest.mark.parametrize("seed", [1, 2])
def test_mutations(seed: int) -> None:
    assert fuzz.fuzz(3, seed) > 50


def test_the_good_examples_are_read() -> None:
    """Else the mutations would start from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        for target, examples in TARGETS:
            for data in examples:
                target(data, Path(folder))


@pytest.mark.parametrize("sides", [0, -1, 1_001, 10**12])
def test_no_die_has_a_strangers_number_of_sides(sides: int) -> None:
    data = fuzz.fight()
    assert b'"dice":[20]' in data
    with tempfile.TemporaryDirectory() as folder, pytest.raises(BadFile):
        fuzz.read_sealed(data.replace(b'"dice":[20]', b'"dice":[%d]' % sides), Path(folder))


@pytest.mark.hours
@pytest.mark.parametrize("seed", range(12))
def test_an_hour_of_mutations(seed: int) -> None:
    assert fuzz.fuzz(300, 1_000 + seed) > 10_000


@pytest.mark.parametrize("number", ["99999999999999999999", "-99999999999999999999"])
def test_a_number_that_nobody_could_write_is_named_and_not_stumbled_over(tmp_path: Path, number: str) -> None:
    data = re.sub(rb'"value":\d+', b'"value":' + number.encode(), fuzz.fight(), count=1)
    fuzz.once(fuzz.read_sealed, data, tmp_path)
    told, sound = check_save(str(tmp_path / "fuzz.toml"), str(tmp_path), fuzz.SYSTEMS)
    assert not sound
    assert any("more than 64 bits" in line for line in told)


def test_many_digits_in_a_name_are_no_number(tmp_path: Path) -> None:
    data = fuzz.fight().replace(b"Ana", b"Ana 1234567890123456789012")
    fuzz.once(fuzz.read_sealed, data, tmp_path)
    assert check_save(str(tmp_path / "fuzz.toml"), str(tmp_path), fuzz.SYSTEMS)[1]


@pytest.mark.parametrize("faces", ["[3, 4]", "[]", "[21]"])
def test_faces_that_are_on_no_die_are_no_fight(tmp_path: Path, faces: str) -> None:
    data = re.sub(rb'"faces":\[\d+\]', b'"faces":' + faces.encode(), fuzz.fight(), count=1)
    fuzz.once(fuzz.read_sealed, data, tmp_path)
    told, sound = check_save(str(tmp_path / "fuzz.toml"), str(tmp_path), fuzz.SYSTEMS)
    assert not sound
    assert any("step 4: not possible" in line for line in told), told


@pytest.mark.parametrize("seed", range(4))
def test_lines(seed: int) -> None:
    assert monkey.lines(700, seed) > 50


@pytest.mark.parametrize("seed", range(2))
def test_bytes_in_a_pty(seed: int) -> None:
    assert monkey.pounded(300, seed) > 0


@pytest.mark.hours
@pytest.mark.parametrize("part", range(10))
def test_a_million_lines(part: int) -> None:
    assert monkey.lines(100_000, 1_000 + part) > 10_000


@pytest.mark.hours
@pytest.mark.parametrize("part", range(10))
def test_a_hundred_thousand_bytes_in_a_pty(part: int) -> None:
    assert monkey.pounded(10_000, 1_000 + part) > 0
