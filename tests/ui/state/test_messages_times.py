"""The seconds between two times of a journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.ui.state.messages import BREAK_SECONDS, count_seconds


@given(st.floats(0, 3e9), st.floats(-1e6, 1e6))
def test_a_clock_set_back_or_days_between_two_sessions_are_no_time_at_the_table(
    start: float, seconds: float
) -> None:
    one = datetime.fromtimestamp(start, UTC)
    other = one + timedelta(seconds=seconds)
    passed = count_seconds(one.isoformat(), other.isoformat())
    assert passed == pytest.approx(seconds if 0 <= seconds <= BREAK_SECONDS else 0.0, abs=1e-5)
