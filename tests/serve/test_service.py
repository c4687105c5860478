"""The service beside the writer's loop: when a line is answered, what is sent, and what a fault does."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from urllib.request import Request, urlopen

import pytest

from tests.serve.sockets import PATIENCE, line, until
from tui.core.base.errors import RuleError
from tui.serve.service import MOST_VIEWERS, LineLoop, PageService, Wanted, serve_lines
from tui.store.addresses import is_served
from tui.store.opening import create_save
from tui.store.session import Session, open_session
from tui.store.sources import SeededDice
from tui.systems import Registry


class HandLoop:
    """A loop that a test turns by hand; timers do not wait."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def soon(self, call: Callable[[], None]) -> None:
        """Keep a call."""
        self._calls.put(call)

    def later(self, _delay: float, call: Callable[[], None]) -> None:
        """Keep a call."""
        self._calls.put(call)

    def turn(self, done: Callable[[], bool]) -> None:
        """Make the calls that come until something is so."""
        while not done():
            self._calls.get(timeout=PATIENCE)()

    def wait(self) -> None:
        """Wait until a call is there."""
        self._calls.put(self._calls.get(timeout=PATIENCE))

    def rest(self) -> None:
        """Make the calls that are there."""
        self.turn(self._calls.empty)


class Evening:
    """A fight that is served; `said` is what the game master is shown."""

    def __init__(self, session: Session) -> None:
        self.said: list[str] = []
        self.loop, self.session = HandLoop(), session
        self.drawn: list[dict[str, int]] = []
        self.service = PageService(session, self.loop, self.said.append, Wanted(port=0), self.draw)
        self.urls = dict(self.service.urls)
        self.answers: list[dict[str, str]] = []

    def draw(self) -> None:
        """Keep who looks when the screen is drawn again."""
        self.drawn.append(self.service.looking)

    def post(self, text: str, id_: str = "abcdefgh", moment: int = 1) -> Thread:
        """Send a line of Mia's, whose answer is kept."""

        def send() -> None:
            head = {"Content-Type": "application/json", "X-Tocsin": "1"}
            with urlopen(
                Request(self.urls["Mia"] + "/line", line(text, id_, moment), head), timeout=PATIENCE
            ) as answer:
                self.answers.append(json.loads(answer.read()))

        thread = Thread(target=send)
        thread.start()
        return thread

    def stream(self) -> socket.socket:
        """Open Mia's page."""
        _, _, where, key = self.urls["Mia"].split("/")
        host, _, port = where.partition(":")
        one = socket.create_connection((host, int(port)), timeout=PATIENCE)
        one.sendall(f"GET /{key}/events HTTP/1.1\r\nHost: {where}\r\n\r\n".encode())
        return one


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = create_save("mill", str(tmp_path), Registry(), "chaos", {})
    session = open_session(path, str(tmp_path), Registry(), SeededDice(5), how="inline")
    for words in ("add Ana owner=Mia hp=9", "add Lurk hp=7 hidden=yes", "begin"):
        session.store.run(words)
    session.writer.wait()
    found = Evening(session)
    yield found
    found.service.close()
    session.close()


def test_a_line_is_answered_when_it_is_on_the_disk(evening: Evening) -> None:
    store, step = evening.session.store, evening.session.store.step
    sending = evening.post("order Ana action=run")
    evening.loop.turn(lambda: store.step > step)
    sending.join(0.2)
    assert sending.is_alive()
    assert not evening.answers
    evening.session.writer.wait()
    evening.service.synced()
    sending.join(PATIENCE)
    assert evening.answers == [{"became": "taken", "why": "", "hint": ""}]


def test_a_page_is_sent_for_what_its_viewer_sees_and_for_nothing_else(evening: Evening) -> None:
    with evening.stream() as page:
        evening.loop.turn(lambda: evening.service.looking == {"mia": 1})
        evening.loop.rest()
        assert b'"moment":' in until(page, b'"moment":')
        for unseen in ("damage Lurk 3", "order Lurk action=wait"):
            evening.session.store.run(unseen)
            evening.loop.rest()
        evening.session.store.run("damage Ana 2")
        evening.loop.rest()
        got = until(page, b'"hp":7')
        assert b'"hp":7' in got
        assert got.count(b'"moment":') == 1, "of the unseen steps nothing was sent, and not when"
        number = int(got.partition(b'"moment":')[2].partition(b",")[0])
        assert number > 10**12, "pages of this run have higher numbers than those of an earlier run"
        sending = evening.post("end", moment=number + 1)
        evening.loop.wait()
        evening.loop.rest()
        sending.join(PATIENCE)
    assert evening.answers[0]["why"] == "no page of this fight has that number"


def test_a_page_that_is_opened_again_is_sent_again_though_nothing_has_changed(evening: Evening) -> None:
    for _ in range(2):
        with evening.stream() as page:
            evening.loop.turn(lambda: evening.service.looking == {"mia": 1})
            evening.loop.rest()
            assert b'"moment":' in until(page, b'"moment":')
        evening.loop.turn(lambda: not evening.service.looking)
    assert evening.drawn == [{"mia": 1}, {}] * 2, "the game master's screen says who looks"


def test_a_line_to_an_ended_address_is_not_run(evening: Evening) -> None:
    store, step = evening.session.store, evening.session.store.step
    sending = evening.post("order Ana action=run")
    evening.loop.wait()
    evening.service.renew("Mia")
    evening.loop.rest()
    sending.join(PATIENCE)
    assert store.step == step
    with pytest.raises(RuleError, match="nobody called Kim has an address") as refused:
        evening.service.renew("Kim")
    assert refused.value.hint == "there are: everybody, Mia"
    before = dict(evening.service.urls)
    evening.service.renew("Everybody")
    assert [who for who, url in evening.service.urls if before[who] != url] == ["everybody"]


def test_every_line_is_answered_when_the_serving_ends_and_a_fault_is_said(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, step = evening.session.store, evening.session.store.step
    sendings = [evening.post("order Ana action=run")]
    evening.loop.turn(lambda: store.step > step)
    monkeypatch.setattr(store, "run", lambda *_, **__: {"": 0}["x"])
    sendings.append(evening.post("order Ana action=hide", "line-two"))
    evening.loop.turn(lambda: bool(evening.said))
    assert evening.said == ["Mia: a bug in tocsin (KeyError)"]
    sendings.append(evening.post("order Ana action=wait", "line-three"))
    evening.loop.wait()
    assert is_served(evening.session.writer.path)
    evening.service.close()
    for sending in sendings:
        sending.join(PATIENCE)
    known = {"a bug in tocsin (KeyError)", "the GM's program ends", "the GM's program is busy"}
    assert {x["why"] for x in evening.answers} == known
    assert not is_served(evening.session.writer.path)


def test_the_game_master_reads_what_counts_about_the_addresses(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, said = evening.session, list[str]()
    assert evening.service.remarks == ()
    evening.service.close()
    guests = [f"G{n}" for n in range(MOST_VIEWERS - 1)]
    for n in range(0, len(guests), 8):
        session.store.run(f"add 1 Crowd owner={','.join(guests[n : n + 8])}")
    wide = PageService(session, evening.loop, said.append, Wanted("0.0.0.0", port=0))
    few = PageService(session, evening.loop, said.append, Wanted(port=0, viewers=("Kim", "mia")))
    try:
        assert wide.remarks == ("these pages are not encrypted: everybody in this network can read along",)
        names = [name for name, _ in wide.urls]
        assert names == ["everybody", "Mia", *guests[:-1]]
        assert said == [f"only {MOST_VIEWERS - 1} players have an address"]
        assert [name for name, _ in few.urls] == ["everybody", "Mia", "Kim"]
    finally:
        few.close()
        wide.close()
    where = f":{wide.urls[0][1].rsplit(':')[-1].split('/')[0]}/"
    for port in (int(where[1:-1]), None):  # the port that was asked for, then that of the last time
        shown = list[str]()
        serve_lines(session, Wanted("0.0.0.0", port=port), iter(()), print, shown.append)
        assert shown[:2] == [*said[:1], *wide.remarks]
        assert [x.split()[0] for x in shown if where in x] == names
        assert shown[-1] == "the pages stay open until the input ends"
    path = Path(session.writer.path)
    path.rename(path.with_suffix(".old"))
    path.write_bytes(path.with_suffix(".old").read_bytes())
    remarks = list[str]()
    for _ in range(2):
        one = PageService(session, evening.loop, said.append, Wanted(port=0))
        remarks += one.remarks
        one.close()
        monkeypatch.setenv("XDG_STATE_HOME", str(path))
    assert remarks == [
        "all addresses are new: this save is not the one that was served before",
        "the addresses end with this program, because they cannot be written: Not a directory",
    ]


def test_a_page_that_cannot_be_made_ends_the_serving_and_not_the_fight(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tui.serve.service.make_page", fail)
    with evening.stream() as page:
        evening.loop.turn(lambda: evening.service.closed)
        assert b"event: over" in until(page, b"over")
    assert evening.said == [
        "the pages stopped because of a bug in tocsin (ZeroDivisionError): `:serve` starts them again"
    ]
    evening.session.store.run("damage Ana 1")
    evening.loop.rest()


def test_what_was_delayed_runs_in_its_order_while_no_line_comes() -> None:
    loop, heard, done = LineLoop(), list[str](), Event()

    def lines() -> Iterator[str]:
        yield "one"
        done.wait(5)
        yield "two"

    for delay, text in ((0.06, "later"), (0.03, "soon")):
        loop.later(delay, lambda text=text: heard.append(text))  # type: ignore[misc]
    loop.later(0.09, done.set)
    loop.run(lines(), heard.append)
    assert [x for x in heard if x != "one"] == ["soon", "later", "two"]
    assert "one" in heard[:-1]
