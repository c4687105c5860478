"""What a seat sends is run once or not at all, and it is told so when that is on the disk.

All else does nothing.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from errno import ENOSPC
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.program import Program
from tests.kit.seats import DUEL, SYSTEMS, Hall
from tests.kit.tiers import cases
from tests.store.seats.__main__ import Files
from tui.core.base.text import clean, is_clean
from tui.core.fight.standpoint import Standpoint, order_fingerprint
from tui.core.fight.viewer import Viewer
from tui.store.disk import Disk
from tui.store.opening import load_save
from tui.store.problems import NotSaved
from tui.store.seats.inbox import CAP, SeatAnswer, rejections_path, write_answer
from tui.store.seats.intake import (
    LINES_A_SECOND,
    MOST_BYTES,
    MOST_LINES,
    SIZE_A_SECOND,
    Brake,
    Collector,
    JournalEnd,
    Ruling,
)
from tui.store.seats.seat import close_seat


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    found = Hall(tmp_path)
    found.do("add Ana owner=Mia hp=9", "add Bo owner=Jon hp=9", "add Lurk hp=9 hidden=yes", "begin")
    yield found
    found.close()


def test_an_order_is_taken_in_and_answered(hall: Hall) -> None:
    reply = hall.send("Mia", 'order Ana action="zqsecretx"')
    assert (reply.became, reply.number) == ("taken", 1)
    assert hall.store.encounter.orders == {"c1": {"action": "zqsecretx"}}
    assert hall.lying("Mia") == []
    assert hall.said == []  # nobody is told of what is as it should be


def test_a_refused_line_comes_back_with_its_reason_and_nobody_else_hears_of_it(hall: Hall) -> None:
    before = hall.store.record
    reply = hall.send("Mia", 'order Bo action="zqsecretx"')
    assert (reply.became, reply.why) == ("refused", "Bo is not yours")
    assert reply.hint == "yours: Ana"
    other = hall.send("Mia", "notice")
    assert other.why == "notice belongs to dynamic"
    assert other.hint == "a player's seat does not change the system"
    assert hall.store.record == before
    assert hall.said == []
    assert not os.path.exists(rejections_path(hall.table))


@cases(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(
        st.one_of(
            st.characters(exclude_categories=["Cs"]),
            st.sampled_from("\u200d🧙\u2640\ufe0f 👩‍👩‍👧é\u0301\u00a0"),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_no_letter_goes_unanswered(hall: Hall, text: str) -> None:
    """Whatever a terminal sends is cleaned by the one rule that the writer asks for.

    What is not clean is answered too.
    """
    for line in (
        f'order Ana action="{text}"',
        clean(f'order Ana action="{text}"'),
        f"order Ana action={text}",
    ):
        reply = hall.send("Mia", line)
        assert reply.number == hall.number
        assert reply.became in ("taken", "refused")
        if not is_clean(line):
            assert reply.why == "the line contains characters that cannot be shown"
    assert hall.said == []


def test_an_order_that_is_written_again_and_again_is_one_step(hall: Hall) -> None:
    before = hall.store.step
    for number in range(12):
        assert hall.send("Mia", f"order Ana action=a{number}").became == "taken"
        assert hall.store.step == before + 1
    assert hall.send("Mia", 'order Ana reaction="no trigger; nor what" reaction2=x').became in (
        "taken",
        "refused",
    )
    hall.do("undo")
    assert hall.store.encounter.orders == {}
    hall.do("redo")
    assert hall.send("Jon", "order Bo action=b").became == "taken"
    assert hall.send("Mia", "order Ana action=after").became == "taken"
    assert hall.store.step == before + 3
    hall.do("undo")
    assert hall.store.encounter.orders["c2"] == {"action": "b"}


def test_what_is_refused_leaves_the_order_before_it(hall: Hall) -> None:
    hall.send("Mia", "order Ana action=one")
    step = hall.store.step
    assert hall.send("Mia", "order Ana zzz=1").became == "refused"
    assert (hall.store.step, hall.store.encounter.orders["c1"]) == (step, {"action": "one"})


def test_an_order_that_the_disk_refuses_to_rewrite_stays(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Disk.write

    def full(disk: Disk, fd: int, data: memoryview) -> int:
        if b"action=two" in bytes(data) and b"\nby = " in bytes(data):
            raise OSError(ENOSPC, "no room")
        return write(disk, fd, data)

    hall.send("Mia", "order Ana action=one")
    step = hall.store.step
    monkeypatch.setattr(Disk, "write", full)
    reply = hall.send("Mia", "order Ana action=two")
    assert (reply.became, reply.hint) == ("refused", "send it again")
    assert (hall.store.step, hall.store.encounter.orders["c1"]) == (step, {"action": "one"})


def test_an_order_that_is_rewritten_is_one_record_and_no_cut_of_the_file_loses_it(
    hall: Hall, tmp_path: Path
) -> None:
    """A process that dies at any byte leaves the order before, or the one after."""
    hall.send("Mia", "order Ana action=one")
    path, before = Path(hall.path), hall.store.record
    end = len(path.read_bytes())
    assert hall.send("Mia", "order Ana action=two").became == "taken"
    assert hall.store.record == before + 1
    data = path.read_bytes()
    torn = tmp_path / "torn.toml"
    for cut in range(end, len(data) + 1):
        torn.write_bytes(data[:cut])
        history = load_save(str(torn), SYSTEMS).history
        # The line feed after the last seal may be missing.
        wanted = "two" if cut >= len(data) - 1 else "one"
        assert (history.encounter.orders, history.position) == ({"c1": {"action": wanted}}, hall.store.step)


def test_the_log_tells_which_version_of_an_order_is_in_force(hall: Hall, tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        hall.send("Mia", f"order Ana action={text}")
    ended = Program(tmp_path, "duel").call("log", "--json")
    told = [(x["step"], x["undone"]) for x in json.loads(ended.out) if x["line"].startswith("order")]
    assert told == [(hall.store.step, True), (hall.store.step, True), (hall.store.step, False)]
    assert Program(tmp_path, "duel").call("check").code == 0


def test_a_line_that_went_comes_back_by_the_names_that_players_read(hall: Hall) -> None:
    hall.do("alias Ana Shade")
    assert hall.send("Mia", "order Shade action=one").became == "taken"
    hall.do("undo")
    assert [x.line for x in hall.store.returned_lines(Viewer("Mia", gm=False))] == ["order Shade action=one"]


@pytest.mark.parametrize("after", ["rename Stalker Count", "remove Stalker", "alias Stalker none", "undo 2"])
def test_a_line_that_went_keeps_the_words_in_which_it_was_sent(tmp_path: Path, after: str) -> None:
    hall = Hall(tmp_path, "side-initiative")
    hall.do("add Ana owner=Mia hp=9", "add Stalker side=heroes hp=9 hidden=yes", 'alias Stalker "A shape"')
    hall.do("reveal Stalker", "begin", "roll heroes 5")
    assert hall.send("Mia", 'turn "A shape"').became == "taken"
    hall.do("undo", after)
    for _ in range(2):
        words = [x.line for x in hall.store.returned_lines(Viewer("Mia", gm=False))]
        assert words == ['turn "A shape"']
        hall.close()
        hall.open()
    hall.close()


def test_two_terminals_of_one_player_do_not_overwrite_each_other(hall: Hall) -> None:
    seen = replace(hall.standpoint("Mia"), due=order_fingerprint({}))
    assert hall.send("Mia", "order Ana action=one", seen).became == "taken"
    late = hall.send("Mia", "order Ana action=two", seen)
    assert (late.became, late.why) == (
        "refused",
        "the order of Ana was written meanwhile, from another terminal or by the GM",
    )
    assert hall.store.encounter.orders["c1"] == {"action": "one"}
    assert (
        hall.send(
            "Mia", "order Ana action=two", replace(seen, due=order_fingerprint({"action": "one"}))
        ).became
        == "taken"
    )


def test_a_seat_that_floods_is_refused_and_nobody_else_feels_it(hall: Hall) -> None:
    hall.seat("Jon")
    step = hall.store.step
    for _ in range(200):
        hall.put("Mia", hall.letter("Mia", "order Ana action=x"), hall.number)
    last = hall.number
    hall.put("Jon", hall.letter("Jon", "order Bo action=mine"), hall.number)
    assert hall.intake.look() == MOST_LINES + 1
    assert hall.reply("Jon").became == "taken"
    reply = hall.reply("Mia")
    assert (reply.number, reply.became) == (last, "refused")
    assert (reply.why, reply.hint) == (
        "that is more than a seat may send in so short a time",
        "send it again in 1 s",
    )
    assert hall.lying("Mia") == []
    assert hall.store.step == step + 2
    for _ in range(3):
        hall.put("Mia", hall.letter("Mia", "order Ana action=x"), hall.number)
        hall.intake.look()
    assert [said for said in hall.said if "more lines than anybody types" in said] == hall.said
    assert len(hall.said) == 1
    assert hall.send("Mia", "order Ana action=later").became == "taken"


@given(st.lists(st.tuples(st.floats(0, 20), st.integers(1, 64_000)), max_size=200))
def test_no_seat_sends_more_than_its_rate(sent: list[tuple[float, int]]) -> None:
    now, lines, size = 0.0, 0, 0
    brake = Brake(lambda: now)
    for passed, length in sent:
        now += passed
        if not brake.wait("mia", length):
            lines, size = lines + 1, size + length
        assert lines <= MOST_LINES + now * LINES_A_SECOND + 1e-6
        assert size <= MOST_BYTES + now * SIZE_A_SECOND + 1e-6
    assert not Brake(lambda: now).wait("jon", 60_000)


def test_a_letter_for_the_save_under_another_name_is_answered(hall: Hall) -> None:
    seat = hall.seat("Mia")
    hall.put("Mia", write_answer(seat.key, "inn", "Mia", 1, Standpoint(1), "order Ana action=x"), 1)
    hall.intake.look()
    assert hall.reply("Mia").why == "the line was sent to inn, but this save is duel"


def test_an_answer_is_taken_once(hall: Hall) -> None:
    data = hall.letter("Mia", "order Ana action=one")
    for _ in range(3):
        hall.put("Mia", data, 1)
    assert hall.intake.look() == 1
    record = hall.store.record
    hall.put("Mia", data, 1)
    assert hall.intake.look() == 0
    assert (hall.store.record, hall.lying("Mia")) == (record, [])
    assert "sent once already" in Path(rejections_path(hall.table)).read_text()


def test_an_answer_is_not_taken_again_when_the_program_died_before_it_replied(hall: Hall) -> None:
    data = hall.letter("Mia", "order Ana action=one")
    hall.put("Mia", data, 1)
    hall.intake.look()
    os.unlink(hall.seat("Mia").reply)
    record = hall.store.record
    hall.put("Mia", data, 1)
    hall.close()
    hall.open()
    assert hall.intake.look() == 0
    assert hall.store.record == record
    assert (hall.reply("Mia").became, hall.reply("Mia").number) == ("taken", 1)
    assert hall.lying("Mia") == []


def test_nothing_is_answered_before_it_is_on_the_disk(hall: Hall) -> None:
    full = True
    writer = hall.session.writer

    def wait() -> None:
        if full:
            raise NotSaved("the disk is full")
        writer.wait()

    ledger = JournalEnd(lambda: writer.path, wait, lambda: 0 if full else writer.durable)
    intake = Collector(hall.table, lambda: hall.store.name, ledger, hall.judge.hear, hall.said.append)
    hall.put("Mia", hall.letter("Mia", "order Ana action=one"), 1)
    assert intake.look() == 1
    assert hall.reply("Mia").number == 0
    hall.put("Mia", hall.letter("Mia", "order Ana action=two"), 2)
    assert intake.look() == 0  # it waits for the first
    full = False
    assert intake.look() == 1
    assert (hall.reply("Mia").number, hall.store.encounter.orders["c1"]) == (2, {"action": "two"})


def test_dice_answer_the_roll_that_was_on_the_screen(hall: Hall) -> None:
    hall.do("lock missing=empty")
    then = hall.standpoint("Mia", "Ana")
    assert hall.send("Mia", "roll Bo 3").why == "Bo is not yours"
    assert hall.send("Mia", "roll Ana 12").became == "taken"
    hall.do("roll Bo 12", "roll Lurk 1")
    late = hall.send("Mia", "roll Ana 7", then)
    assert (late.became, late.why) == ("refused", "Ana owes another roll by now")
    assert hall.send("Mia", "roll Ana 7").became == "taken"


def _fifo(path: str) -> None:
    os.mkfifo(path)


def _link(path: str) -> None:
    os.symlink("/etc/passwd", path)


def _folder(path: str) -> None:
    os.mkdir(path)


def _large(path: str) -> None:
    Path(path).write_bytes(b"x" * (CAP + 1))


def _twice(path: str) -> None:
    other = os.path.join(os.path.dirname(os.path.dirname(path)), "other")
    Path(other).write_bytes(b"x")
    os.link(other, path)


def _empty(path: str) -> None:
    Path(path).touch()


@pytest.mark.parametrize("make", [_fifo, _link, _folder, _large, _twice, _empty])
def test_what_is_no_plain_small_file_is_removed_and_told(hall: Hall, make: object) -> None:
    before = hall.store.record
    make(os.path.join(hall.seat("Mia").inbox, "5-0123456789abcdef.json"))  # type: ignore[operator]
    hall.intake.look()
    hall.intake.look()
    assert hall.lying("Mia") == []
    assert hall.store.record == before
    assert "Mia" in hall.said[0]
    assert "etc" not in hall.said[0]


def test_a_seat_that_is_closed_in_the_middle_of_its_lines_keeps_nobody_waiting(hall: Hall) -> None:
    ana, bo = hall.seat("Ann"), hall.seat("Zoe")
    hall.do("set Ana owner=Ann", "set Bo owner=Zoe")
    for number in range(3):
        hall.put("Ann", hall.letter("Ann", f"order Ana action=x{number}"))
    hall.put("Zoe", hall.letter("Zoe", "order Bo action=y"))
    real = hall.judge.hear

    def hear(answer: SeatAnswer, by: str) -> Ruling:
        ruling = real(answer, by)
        if ana.stands:
            close_seat(ana)
        return ruling

    collector = Collector(
        hall.table,
        lambda: hall.store.name,
        JournalEnd(
            lambda: hall.session.writer.path, hall.session.writer.wait, lambda: hall.session.writer.durable
        ),
        hear,
        hall.said.append,
    )
    collector.look()
    assert hall.store.encounter.orders == {"c1": {"action": "x0"}, "c2": {"action": "y"}}
    assert bo.stands
    assert hall.reply("Zoe").became == "taken"


def test_somebody_elses_file_is_refused(hall: Hall) -> None:
    hall.put("Mia", hall.letter("Mia", "order Ana action=one"), 1)
    path = os.path.join(hall.seat("Mia").inbox, hall.lying("Mia")[0])
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)
        assert hall.intake.look() == 0
        assert "somebody else's file" in hall.said[0]
    else:
        assert hall.intake.look() == 1


def test_a_half_written_file_is_left_alone_until_it_is_litter(hall: Hall) -> None:
    path = os.path.join(hall.seat("Mia").inbox, ".tmp-5-0123456789abcdef.json")
    Path(path).write_bytes(b'{"save":"du')
    hall.intake.look()
    assert hall.lying("Mia")
    os.utime(path, (1, 1))
    hall.intake.look()
    assert hall.lying("Mia") == []
    # Of a link its own age counts, not that of what it leads to.
    os.symlink(hall.path, path)
    os.utime(path, (1, 1), follow_symlinks=False)
    hall.intake.look()
    assert hall.lying("Mia") == []


@cases(30)
@given(seed=st.integers(0, 2**32), count=st.integers(1, 20))
def test_random_files_change_nothing(tmp_path_factory: pytest.TempPathFactory, seed: int, count: int) -> None:
    hall = Hall(tmp_path_factory.mktemp("seats"))
    hall.do("add Ana owner=Mia hp=9", "begin")
    assert hall.send("Mia", "order Ana action=first").became == "taken"
    files = Files(hall, random.Random(seed))
    before = hall.store.record, hall.store.encounter
    for _ in range(count):
        files.drop()
    assert files.settle() == 0
    assert (hall.store.record, hall.store.encounter) == before
    hall.close()


# --- without a GM


@pytest.fixture
def duel(tmp_path: Path) -> Iterator[Hall]:
    found = Hall(tmp_path, options=DUEL)
    found.do("add Ana owner=Mia hp=9 side=red", "add Bo owner=Jon hp=9 side=blue", "begin")
    found.seat("Mia"), found.seat("Jon")
    found.do("order Ana action=a", "order Bo action=b", "lock", "roll Ana 15", "roll Bo 5")
    yield found
    found.close()


def test_next_is_not_taken_for_a_turn_that_began_meanwhile(duel: Hall) -> None:
    duel.send("Jon", "ok")
    then = duel.standpoint("Jon")
    assert duel.send("Jon", "next").became == "taken"
    assert duel.send("Jon", "next", then).why == "nobody acted when you sent that; Ana acts now"


def test_undo_needs_both(duel: Hall) -> None:
    duel.send("Jon", "ok")
    duel.send("Jon", "next")
    duel.send("Jon", "damage Bo 4")
    first = duel.send("Jon", "undo")
    assert (first.became, first.why) == ("waits", "waits for Mia to agree")
    assert duel.reply("Mia").word == "Jon asks to undo the last step; `undo` (u) agrees"
    assert duel.store.encounter.combatants["c2"].hp == 5
    assert duel.send("Mia", "undo").became == "taken"
    assert duel.store.encounter.combatants["c2"].hp == 9
    assert duel.reply("Mia").word == ""


def test_the_end_of_the_fight_needs_both_and_asking_for_something_else_begins_again(duel: Hall) -> None:
    duel.send("Jon", "ok")
    assert duel.send("Jon", "finish").why == "waits for Mia to agree"
    assert duel.reply("Mia").word == "Jon asks to end the fight; `finish` (Q) agrees"
    assert duel.send("Mia", "undo").why == "waits for Jon to agree"
    assert duel.reply("Mia").word == ""
    assert duel.reply("Jon").word == "Mia asks to undo the last step; `undo` (u) agrees"
    assert duel.send("Jon", "finish").became == "waits"
    assert duel.store.encounter.running
    assert duel.send("Mia", "finish").became == "taken"
    assert not duel.store.encounter.running
    assert (duel.reply("Mia").word, duel.reply("Jon").word) == ("", "")
    assert duel.send("Mia", "finish").why == "the fight has not begun"
    assert duel.send("Mia", "begin").became == "taken"


def test_random_seats_never_say_more_than_they_may(hall: Hall) -> None:
    """Whatever Mia sends, Bo and Lurk stay as they are."""
    chance = random.Random(7)
    words = [
        "order",
        "react",
        "roll",
        "fire",
        "damage",
        "set",
        "next",
        "undo",
        "Ana",
        "Bo",
        "Lurk",
        "3",
        "hp=1",
        "action=x",
        "with",
        "x",
    ]
    others = [hall.store.encounter.combatants[k] for k in ("c2", "c3")]
    for _ in range(300):
        hall.send("Mia", " ".join(chance.choices(words, k=chance.randint(1, 4))))
        assert [hall.store.encounter.combatants[k] for k in ("c2", "c3")] == others
        assert set(hall.store.encounter.orders) <= {"c1"}
