"""A line on its way: begun or given up, never both; bounded queues and rates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.serve.letter import (
    BYTES_A_SECOND,
    LINES_A_SECOND,
    MOST_BYTES,
    MOST_LINES,
    MOST_WAITING,
    LineReply,
    Mailbox,
    Pace,
    Posted,
    SentLine,
)

SENT = Posted("abcdefgh", 1, "end")


def letter(viewer: str = "mia") -> tuple[SentLine, list[LineReply]]:
    replies: list[LineReply] = []
    return SentLine(viewer, "key", SENT, replies.append), replies


@given(st.lists(st.sampled_from(["begin", "give up", "reply"]), max_size=8))
def test_a_line_is_answered_once_and_begun_only_if_it_was_not_given_up(acts: list[str]) -> None:
    one, replies = letter()
    begun = False
    for act in acts:
        match act:
            case "begin":
                assert one.begin() == (not begun and not replies)
                begun = begun or not replies
            case "give up":
                one.give_up()
            case _ if begun:
                one.reply(LineReply("taken"))
    assert len(replies) <= 1
    assert [x.became for x in replies] in ([], ["taken"] if begun else ["again"])


def test_the_mailbox_holds_so_many_lines_and_drops_those_of_an_ended_address() -> None:
    woken: list[int] = []
    box = Mailbox(lambda: woken.append(1))
    pairs = [letter("mia" if n % 2 else "jon") for n in range(MOST_WAITING + 1)]
    assert [box.put(one) for one, _ in pairs] == [True] * MOST_WAITING + [False]
    assert len(woken) == MOST_WAITING
    box.drop("mia")
    assert [bool(replies) for _, replies in pairs[:MOST_WAITING]] == [False, True] * (MOST_WAITING // 2)
    assert box.take() is pairs[0][0]
    box.drop()
    assert box.take() is None
    assert all(replies for _, replies in pairs[1:MOST_WAITING])


@given(st.lists(st.tuples(st.floats(0, 20), st.integers(1, 8_192)), max_size=200))
def test_nobody_sends_more_than_the_rates_allow(sendings: list[tuple[float, int]]) -> None:
    now, pace = [0.0], Pace(lambda: now[0])
    lines = size = 0
    for pause, count in sendings:
        now[0] += pause
        if not pace.wait("mia", count):
            lines, size = lines + 1, size + count
        assert lines <= MOST_LINES + LINES_A_SECOND * now[0] + 1
        assert size <= MOST_BYTES + BYTES_A_SECOND * now[0] + 1
    assert pace.wait("jon", 1) == 0, "each viewer has rates of its own"


def test_a_flood_is_told_how_long_to_wait_and_may_go_on_then() -> None:
    now, three = [0.0], 3 * int(BYTES_A_SECOND)
    pace = Pace(lambda: now[0])
    for end in (0.0, 3_600.0):  # what is regained in an hour is no more than there was at first
        walk = [(0.0, "mia", 1, 0)] * MOST_LINES
        walk += [(0.0, "mia", 1, 1), (0.5, "mia", 1, 0), (0.5, "mia", 1, 1)]
        walk += [(0.0, "jon", MOST_BYTES, 0), (0.0, "jon", three, 3), (2.0, "jon", three, 1)]
        walk += [(3.0, "jon", three, 0), (3.0, "jon", 1, 1)]
        for at, viewer, size, seconds in walk:
            now[0] = end + at
            assert pace.wait(viewer, size) == seconds, (at, viewer, size)


def test_a_line_that_has_waited_too_long_is_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.serve.letter.BEGIN_SECONDS", 0.0)
    one, replies = letter()
    assert (one.begin(), [x.became for x in replies]) == (False, ["again"])
