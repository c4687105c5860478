"""A seat in lines: nothing that is typed is lost or cut, at whatever moment it comes."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.players.post import page, seated
from tui.core.fight.viewer import viewer_of
from tui.core.table_lines import track_lines
from tui.ui.players.page import FrameState
from tui.ui.players.plain_lines import Lines, report


def test_lines_before_the_first_page_and_before_an_answer_are_sent_in_their_order(tmp_path: Path) -> None:
    hall, post, seat, out = seated(tmp_path)
    said = [f"order Ana action={word}" for word in ("one", "two", "three")]
    for line in said:
        seat.line(None, line)
    assert (post.sent, seat.waits) == ([], True)
    for _ in said:
        seat.news(page(hall))
        hall.intake.look()
    seat.news(page(hall))
    assert post.sent == said
    assert out.getvalue().count("Done") == 3
    assert hall.store.encounter.orders["c1"] == {"action": "three"}
    assert not seat.waits
    hall.close()


def test_a_line_that_is_too_long_is_refused_and_not_cut(tmp_path: Path) -> None:
    hall, _, seat, out = seated(tmp_path)
    words = "x" * 3_000
    (line,) = Lines().feed(f'order Ana action="{words}"\n'.encode())
    assert words in line
    seat.line(page(hall), line)
    hall.intake.look()
    seat.news(page(hall))
    done = hall.store.encounter.orders.get("c1", {}).get("action", "")
    assert done == words or ("Refused" in out.getvalue() and not done)
    hall.close()


def test_the_order_and_everybody_are_told_as_show_tells_them_to_that_player(tmp_path: Path) -> None:
    hall, _, _, out = seated(tmp_path)
    hall.do("add Lurk hidden=yes", "damage Bo 3")
    look = FrameState(page(hall))
    assert report("Track", look, out)
    assert report("roster", look, out)
    lines = [
        *track_lines(hall.store.table(viewer_of("Mia"))),
        "    heroes     Ana                            9/9",
        "    heroes     Bo                            hurt",
    ]
    assert out.getvalue().splitlines() == lines
    assert not report("trackless", look, out)
    hall.close()


@given(
    st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=30), max_size=8),
    st.data(),
)
def test_bytes_in_any_packets_are_the_same_lines(texts: list[str], data: st.DataObject) -> None:
    whole = "\n".join(texts).encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)))
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    one, many = Lines(), Lines()
    assert [*one.feed(whole), *one.last()] == [*(x for part in parts for x in many.feed(part)), *many.last()]
