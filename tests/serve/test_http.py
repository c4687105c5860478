"""What is answered over real sockets, to whom, and that no browser keeps another waiting."""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import socket
import sys
from contextlib import ExitStack
from random import Random
from types import FrameType, FunctionType, ModuleType

import pytest

from tests.serve.sockets import KEYS, PATIENCE, Served, line, read, until
from tui.core.fight.encounter import Encounter
from tui.core.rules.system import InitiativeSystem
from tui.serve.http import KEPT_DESCRIPTORS, MOST, MOST_A_VIEWER, MOST_BODY
from tui.serve.letter import MOST_LINES, MOST_WAITING, LineReply
from tui.store.store import Store

MIA = KEYS["mia"]
ROOM = 12  # descriptors that the silent may have


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


def body(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def replied(answer: bytes) -> dict[str, str]:
    found: dict[str, str] = json.loads(body(answer))
    return found


@pytest.fixture(autouse=True)
def _quick_pulse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.serve.http.PULSE", 0.1)


def test_a_page_its_events_and_a_line_are_answered() -> None:
    with Served() as served:
        page = served.get(f"/{MIA}")
        assert status(page) == 200
        assert body(page) == b"<html>"
        head = page.partition(b"\r\n\r\n")[0].lower()
        assert b"x-own: yes" in head
        assert b"\r\nserver:" not in head
        assert b"\r\ndate:" not in head
        served.server.show("mia", b'{"moment":6}')
        with served.stream() as events:
            served.server.show("mia", b'{"moment":7}')
            # A page that was made before anybody looked would be an old picture.
            first = until(events, b"moment")
            assert b'data: {"moment":7}\n\n' in first
            assert b'"moment":6' not in first
            served.server.show("mia", b'{"moment":8}')
            assert b'data: {"moment":8}\n\n' in until(events, b":8}")
            assert b"event: alive" in until(events, b"alive")
            taken = served.post(MIA, line("order Ana action=run"))
            assert replied(taken) == {"became": "taken", "why": "", "hint": ""}
            assert [(x.viewer, x.sent.line) for x in served.letters] == [("mia", "order Ana action=run")]
            served.server.close()
            assert b"event: over" in until(events, b"over")
        assert served.looking[-2:] == [{"mia": 1}, {}]


def refused_requests(port: int) -> list[tuple[str, bytes]]:
    """Requests that are well formed and none of the three; each is answered 404 without a body."""
    host = f"Host: 127.0.0.1:{port}\r\n"
    sent = line()
    size = f"Content-Length: {len(sent)}\r\n"
    usual = f"{host}Content-Type: application/json\r\nX-Tocsin: 1\r\n"

    def post(head: str, data: bytes = sent, path: str = f"/{MIA}/line", length: str = size) -> bytes:
        return f"POST {path} HTTP/1.1\r\n{head}{length}\r\n".encode() + data

    def get(path: str, head: str = host, method: str = "GET") -> bytes:
        return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode()

    big = line("x" * MOST_BODY)
    return [
        ("no path", get("/")), ("unknown key", get(f"/{'d' * 26}")), ("short key", get("/abc")),
        ("trailing slash", get(f"/{MIA}/")), ("query", get(f"/{MIA}?x=1")), ("dots", get(f"/../{MIA}")),
        ("whole address", get(f"http://127.0.0.1/{MIA}")), ("HEAD", get(f"/{MIA}", method="HEAD")),
        ("OPTIONS", get(f"/{MIA}/line", method="OPTIONS")), ("DELETE", get(f"/{MIA}", method="DELETE")),
        ("GET of the line", get(f"/{MIA}/line")), ("POST of the page", post(usual, path=f"/{MIA}")),
        ("rebound name", get(f"/{MIA}", "Host: evil.example\r\n")),
        ("rebound name with port", get(f"/{MIA}/events", f"Host: evil.example:{port}\r\n")),
        ("other page reads", get(f"/{MIA}", f"{host}Origin: http://evil.example\r\n")),
        ("other port reads", get(f"/{MIA}/events", f"{host}Origin: http://127.0.0.1:1\r\n")),
        ("other page sends", post(f"{usual}Origin: http://evil.example\r\n")),
        ("null sends", post(f"{usual}Origin: null\r\n")),
        ("two pages read", get(f"/{MIA}", f"{host}Origin: http://127.0.0.1:{port}\r\nOrigin: null\r\n")),
        ("no JSON by its name", post(f"{host}Content-Type: application/xml\r\nX-Tocsin: 1\r\n")),
        ("a form", post(f"{host}Content-Type: text/plain\r\nX-Tocsin: 1\r\n")),
        ("no header", post(f"{host}Content-Type: application/json\r\n")),
        ("the public", post(usual, path=f"/{KEYS['']}/line")),
        ("too long", post(usual, big, length=f"Content-Length: {len(big)}\r\n")),
        ("too long in chunks", post(
            usual, b"%x\r\n%b\r\n0\r\n\r\n" % (len(big), big), length="Transfer-Encoding: chunked\r\n")),
        ("no JSON", post(usual, b"x" * len(sent))),
        ("more keys", post(usual, (m := line(by="Jon")), length=f"Content-Length: {len(m)}\r\n")),
        ("id too short", post(usual, (m := line(id_="abc")), length=f"Content-Length: {len(m)}\r\n")),
        ("id of others", post(usual, (m := line(id_="ABCDEFGH")), length=f"Content-Length: {len(m)}\r\n")),
        ("moment", post(usual, (m := line(moment=-1)), length=f"Content-Length: {len(m)}\r\n")),
        ("deep", post(usual, b"[" * 500, length="Content-Length: 500\r\n")),
    ]  # fmt: skip


def test_every_other_request_is_404_without_a_body_and_runs_nothing() -> None:
    with Served() as served:
        for title, request in refused_requests(served.port):
            answer = served.ask(request)
            assert status(answer) == 404, (title, answer)
            assert body(answer) == b"", title
            assert MIA.encode() not in answer, title
        assert not served.letters
        own = f"http://127.0.0.1:{served.port}"
        assert replied(served.post(MIA, line(), origin=own))["became"] == "taken"
        head = "Content-Type: application/json; charset=utf-8", "X-Tocsin: 1"
        longest = served.post(MIA, line().ljust(MOST_BODY), *head, origin=own.replace("http:", "HTTPS:"))
        assert replied(longest)["became"] == "taken"
        asks = f"GET /{MIA} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n"
        assert status(served.ask(asks.encode())) == 200
        assert status(served.get(f"/{MIA}", host=f"localhost:{served.port}")) == 200
        assert status(served.get(f"/{MIA}", host=f"[::1]:{served.port}")) == 200
        name = socket.gethostname()
        for own_name in (name.upper(), f"{name}.local", f"{name}.local:{served.port}"):
            assert status(served.get(f"/{MIA}", host=own_name)) == 200, own_name


def test_garbage_is_closed_and_says_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    chance = Random(1)
    with Served() as served:
        for _ in range(60):
            start = chance.choice([b"", b"GET ", f"GET /{MIA} HTTP/1.1\r\n".encode(), b"POST / HTTP/9\r\n"])
            answer = served.ask(start + chance.randbytes(chance.choice([3, 80, 20_000])) + b"\r\n\r\n")
            assert body(answer) == b""
            assert not answer or 400 <= status(answer) < 500
        assert status(served.get(f"/{MIA}")) == 200
        assert not served.faults
    assert capfd.readouterr() == ("", "")


def test_lines_beyond_the_rate_and_the_queue_are_answered_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Served() as served:
        became = [replied(served.post(MIA, line()))["became"] for _ in range(MOST_LINES + 3)]
        assert became[:MOST_LINES] == ["taken"] * MOST_LINES
        assert "again" in became[MOST_LINES:]
        assert replied(served.post(KEYS["jon"], line()))["became"] == "taken"
    monkeypatch.setattr("tui.serve.letter.BEGIN_SECONDS", 0.2)
    with Served(answers=False) as served:
        waiting = [served.connect() for _ in range(5)]
        for one in waiting:
            head = f"POST /{MIA}/line HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Tocsin: 1\r\n"
            data = line()
            one.sendall(
                f"{head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            )
            one.sendall(data)
        # The writer's loop does not answer: in time the line is given up, and never begun.
        assert replied(b"".join(read(waiting[0])))["became"] == "again"
        letter = served.mailbox.take()
        assert letter
        assert not letter.begin()
        for one in waiting:
            one.close()
    assert MOST_WAITING == 64


def test_only_a_browser_that_asks_nothing_in_time_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.serve.http.ASKING", 0.2)
    sent = line()
    head = (
        f"POST /{MIA}/line HTTP/1.1\r\nHost: localhost\r\nX-Tocsin: 1\r\nContent-Type: application/json\r\n"
    )
    with Served(answers=False) as served, served.stream() as mine, served.connect() as waiting:
        waiting.sendall(f"{head}Content-Length: {len(sent)}\r\n\r\n".encode() + sent)
        with served.connect() as idle:
            assert b"".join(read(idle)) == b""
        assert all(b"alive" in until(mine, b"alive") for _ in range(4))
        letter = served.mailbox.take()
        assert letter
        assert letter.begin()
        letter.reply(LineReply("taken"))
        assert b'"taken"' in b"".join(read(waiting))


def test_an_address_that_has_ended_closes_its_streams_and_opens_nothing() -> None:
    with Served() as served, served.stream() as mine, served.stream("jon") as other:
        served.server.admit({**KEYS, "mia": "e" * 26})
        assert b"over" not in b"".join(read(mine))
        assert status(served.get(f"/{MIA}")) == 404
        assert status(served.get(f"/{'e' * 26}")) == 200
        assert b"alive" in until(other, b"alive")


def test_a_viewer_has_eight_connections_of_which_the_newest_stay() -> None:
    with Served() as served, served.stream("jon") as other:
        streams = [served.stream() for _ in range(MOST_A_VIEWER + 2)]
        for one in streams[:2]:
            b"".join(read(one))
        for one in (*streams[2:], other):
            assert b"alive" in until(one, b"alive")
        for one in streams:
            one.close()


def test_a_browser_with_an_address_pushes_out_one_without() -> None:
    with Served() as served:
        idle = [served.connect() for _ in range(MOST + 20)]
        with served.stream() as mine:
            served.server.show("mia", b'{"moment":1}')
            assert b"moment" in until(mine, b"moment")
        for one in idle:
            one.close()


def can_open() -> bool:
    """Whether the program can still open a file."""
    try:
        os.close(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        return False
    return True


def test_descriptors_are_left_to_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.serve.http.ASKING", 600.0)  # silence alone ends none of them
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as idle, Served() as served:
        # Theirs are open before the limit falls: only the server needs more.
        silent = [idle.enter_context(socket.socket()) for _ in range(MOST - 20)]
        with served.connect() as probe:
            resource.setrlimit(resource.RLIMIT_NOFILE, (probe.fileno() + KEPT_DESCRIPTORS + ROOM, hard))
        try:
            for one in silent:
                one.settimeout(PATIENCE)
                one.connect(("127.0.0.1", served.port))
            ended: set[socket.socket] = set()
            while len(ended) < len(silent) - ROOM:  # whom it lets go is a matter of when they came
                ready, _, _ = select.select(set(silent) - ended, [], [], PATIENCE)
                assert ready, f"{len(silent) - len(ended)} are kept"
                ended.update(ready)
            assert can_open()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        idle.close()
        assert status(served.get(f"/{MIA}")) == 200
        assert not served.faults


def test_a_browser_that_does_not_read_delays_nobody_and_gets_the_newest_page() -> None:
    big = [b'{"moment":%d,"x":"%b"}' % (n, b"y" * 400_000) for n in range(40)]
    with Served() as served, served.stream() as slow, served.stream("jon") as quick:
        for n, page in enumerate(big):
            served.server.show("mia", page)
            served.server.show("jon", b'{"moment":%d}' % n)
        assert b'"moment":39' in until(quick, b'"moment":39')
        got = until(slow, b'"moment":39')
        assert b'"moment":39' in got
        assert got.count(b"data: {") < len(big), "pages in between are skipped"


def test_a_fault_ends_the_serving_and_is_said_once() -> None:
    with Served() as served:
        served.server.soon(_fail)
        assert served.ended.wait(PATIENCE)
        assert served.faults == ["ZeroDivisionError"]
        with pytest.raises(ConnectionRefusedError):
            served.connect()


def _fail() -> None:
    raise ZeroDivisionError


def test_the_thread_holds_bytes_and_never_a_fight() -> None:
    with Served() as served, served.stream():
        served.server.show("mia", b"{}")
        seen: set[int] = set()
        todo: list[object] = [served.server]
        while todo:
            one = todo.pop()
            # Code leads to modules, and these to everything; the mailbox is the way to the writer.
            if id(one) in seen or isinstance(one, type | ModuleType | FunctionType | FrameType):
                continue
            seen.add(id(one))
            assert not isinstance(one, Encounter | Store | InitiativeSystem)
            todo += [x for x in gc.get_referents(one) if x is not sys.modules]
        assert len(seen) > 50
