"""The table of kept figures: a doubling fails, noise does not, and a floor of nothing allows nothing."""

from __future__ import annotations

import pytest

from tests.benchmarks.kept import Figure, table, wire


def figure(ours: float, floor: float = 10.0, limit: float = 1.6) -> Figure:
    return Figure("a figure", ours, floor, 1.0, limit, "something")


@pytest.mark.parametrize(("ours", "holds"), [(10.0, True), (15.0, True), (20.0, False)])
def test_a_doubling_fails_and_noise_does_not(
    ours: float, capsys: pytest.CaptureFixture[str], *, holds: bool
) -> None:
    assert table(iter([figure(10.0), figure(ours)])) is holds
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 3
    assert told[2].endswith("TOO MUCH") is not holds


def test_beside_nothing_only_nothing_holds() -> None:
    assert figure(0.0, 0.0, 0.0).holds
    assert not figure(1.0, 0.0, 0.0).holds


def test_the_bytes_are_within_their_targets_on_every_machine() -> None:
    assert [(f.name, f.ratio) for f in wire() if f.ratio > f.target] == []
