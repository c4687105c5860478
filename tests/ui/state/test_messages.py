"""The log is read only as far as somebody looks, and again when it was written over."""

from __future__ import annotations

from tests.kit.keyboard import FIGHT, Player, lines
from tui.ui.state.messages import Chronicle
from tui.ui.text.rows import Row, clip, words


def test_the_chronicle_reads_only_what_is_looked_at() -> None:
    p = Player(lines=[*FIGHT, *["next"] * 200])
    read: list[int] = []

    class Watched:
        step, steps = property(lambda _: p.store.step), property(lambda _: p.store.steps)

        def done(self, step: int) -> object:
            read.append(step)
            return p.store.done(step)

        def at(self, step: int) -> object:
            return p.store.at(step)

        def messages(self, step: int) -> object:
            return p.store.messages(step)

    past = Chronicle(Watched())  # type: ignore[arg-type]
    assert past.step(206).texts == tuple(
        x.text for x in p.store.messages(206) if x.kind not in ("turnended", "roundended")
    )
    assert len(read) <= 16
    assert past.step(1).texts == ("Ana joins the heroes",)


def test_a_roll_of_hundreds_is_told_as_far_as_it_is_seen() -> None:
    p = Player(lines=["add 300 Orc", "begin", "roll"])
    past = p.desk.past
    told = past.step(p.store.step)
    assert told.more
    assert len(told.texts) < 150
    assert "…" in p.text()
    assert not past.step(1).more
    assert len(list(p.store.messages(p.store.step))) >= 300


def test_the_chronicle_forgets_what_was_written_over() -> None:
    p = Player(lines=FIGHT)
    assert "6 Orc 1 acts" in p.text()
    p.press("u", ":", "'note hello'", "enter")
    assert "6 hello" in p.text()
    assert "6 Orc 1" not in p.text()


def test_what_is_left_out_just_behind_a_whole_piece_is_told_too() -> None:
    line: Row = (("one", "text"), (" ", "text"), ("two", "text"), (" ", "text"), ("three", "text"))
    assert words(clip(line, 7, "…")) == "one tw…"
    assert words(clip(line[:4], 7, "…")) == "one two"
    assert words(clip(line, 13, "…")) == "one two three"


def test_what_the_next_message_tells_anyway_is_not_told_twice() -> None:
    p = Player(lines=FIGHT).press(",")
    assert [text for text in p.desk.past.step(p.store.step).texts if "waits" in text] == []
    p.press("n", "n")
    assert not any("turn ends" in text for text in p.desk.past.step(p.store.step).texts)
    p.press(*lines("end"))
    assert any("turn ends" in text for text in p.desk.past.step(p.store.step).texts)
