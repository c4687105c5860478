"""The pages for browsers over real sockets: what is answered, to whom, and what never is."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.players import holds, opened
from tests.kit.program import Program
from tests.kit.secrets import LINES, NEVER, SECRET, SEEN
from tests.kit.tiers import cases
from tests.ui.serve.serving import PATIENCE, Serving, called
from tui.ui.serve.web import MOST

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A Chaos fight full of secrets."""
    made = Program(tmp_path_factory.mktemp("serve"), "mill")
    creatures = made.folder / "creatures"
    creatures.mkdir()
    (creatures / "mine.toml").write_text(
        f'[[creature]]\nname = "{SECRET} beast"\nhp = 7\ncard = "{SECRET} of the library"\n'
    )
    assert made.call("new", "--system", "chaos").code == 0
    done = made.call("do", *LINES)
    assert done.code == 0, done.err
    return made


@pytest.fixture(scope="module")
def serving(program: Program) -> Iterator[Serving]:
    with Serving(program.folder) as one:
        yield one


@pytest.fixture
def mill(tmp_path: Path) -> Program:
    """A small fight of Mia and an orc."""
    made = Program(tmp_path, "mill")
    assert made.call("new").code == 0
    assert made.call("do", "add Ana owner=Mia +3 18", "add Orc +1 9", "begin", "roll").code == 0
    return made


def headers(answer: bytes) -> dict[str, str]:
    head = answer.partition(b"\r\n\r\n")[0].decode()
    return dict(line.split(": ", 1) for line in head.split("\r\n")[1:])


def is_nothing(answer: bytes) -> bool:
    """Return whether an answer is 404 without a body."""
    head, _, body = answer.partition(b"\r\n\r\n")
    return head.startswith(b"HTTP/1.1 404 ") and not body and headers(answer)["Content-Length"] == "0"


def test_an_address_is_one_page_that_loads_nothing_else(serving: Serving) -> None:
    answer = serving.get(serving.path())
    head, html = headers(answer), answer.partition(b"\r\n\r\n")[2]
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert HEADERS.items() <= head.items()
    assert int(head["Content-Length"]) == len(html)
    assert not re.search(rb"https?:|//[a-z]|src=|href=|url\(|@import|innerHTML|insertAdjacent|eval", html)
    policy = head["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert policy.startswith("default-src 'none'; ")
    for tag in (b"style", b"script"):
        (found,) = re.findall(b"<%b[^>]*>(.*?)</%b>" % (tag, tag), html, re.DOTALL)
        mark = base64.b64encode(hashlib.sha256(found).digest()).decode()
        assert f"{tag.decode()}-src 'sha256-{mark}'" in policy


@pytest.mark.parametrize("viewer", ["everybody", "Mia"])
def test_the_page_tells_what_show_as_tells(serving: Serving, program: Program, viewer: str) -> None:
    with serving.watch(viewer) as events:
        shown = events.next()
    state, _ = program.state("Nobody" if viewer == "everybody" else viewer)
    assert set(shown) == {"standing", "page"}
    assert set(shown["page"]) == {"format", "viewer", "state", "now", "rows", "seat", "sides", "words"}
    assert shown["page"]["seat"] == {"gmless": False}
    assert shown["page"]["state"] == state
    assert HEADERS.items() <= headers(events.raw).items()


WRONG = [
    "/",
    "",
    "*",
    "/favicon.ico",
    "/../addresses",
    "/robots.txt",
    "/index.html",
    "/events",
    "/%2e%2e/",
    "//",
]


@pytest.mark.parametrize("path", WRONG)
def test_another_path_is_nothing(serving: Serving, path: str) -> None:
    assert is_nothing(serving.get(path))


@pytest.mark.parametrize("change", ["{}/", "{}?", "{}/events/", "{}/page.json", "{}x", "/x{}", "http://h{}"])
def test_what_is_like_an_address_is_nothing(serving: Serving, change: str) -> None:
    assert is_nothing(serving.get(change.format(serving.path())))
    assert is_nothing(serving.get(serving.path()[:-1]))
    assert is_nothing(serving.get(serving.path().upper()))


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "CONNECT"])
def test_another_method_is_nothing(serving: Serving, method: str) -> None:
    for path in (serving.path(), f"{serving.path()}/events"):
        body = "x" * 200_000
        request = f"{method} {path} HTTP/1.1\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        assert is_nothing(serving.ask(request.encode()))


@cases(200)
@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda t: f"GET /{t} HTTP/1.1\r\n\r\n".encode()))
def test_whatever_else_is_said_is_nothing(serving: Serving, request_: bytes) -> None:
    assert is_nothing(serving.ask(request_))


@pytest.fixture
def secrets(tmp_path: Path, program: Program) -> Program:
    """The same fight in a folder that is not served yet."""
    shutil.copytree(program.folder, tmp_path, ignore=lambda *_: ["mill.table"], dirs_exist_ok=True)
    return Program(tmp_path, "mill")


def test_a_marked_secret_is_in_no_byte_that_is_sent(secrets: Program) -> None:
    """While orders are sealed, and while they are carried out."""
    with Serving(secrets.folder) as serving, ExitStack() as stack:
        events = {v: stack.enter_context(serving.watch(v)) for v in ("everybody", "Mia", "Jon")}
        for one in events.values():
            one.next()
        sent = b"".join(serving.get(path) for path in (*map(serving.path, events), "/"))
        assert SECRET.encode() not in sent + events["everybody"].raw + events["Mia"].raw
        assert SECRET.encode() in events["Jon"].raw, "the search must find it where it is"
        assert SEEN.encode() in events["Mia"].raw
        assert SEEN.encode() not in events["everybody"].raw
        lines = ("lock missing=empty", "roll", "ok", "next", f'damage "{SECRET} lurker" 3', "next", "next")
        assert secrets.call("do", "--seed", "3", *lines).code == 0
        for viewer in ("everybody", "Mia"):
            events[viewer].until("unwritten", '"round": 1, "phase": "turns"')
            assert not [w for w in NEVER if f"{SECRET} {w}".encode() in events[viewer].raw], viewer


@pytest.mark.memory
def test_the_process_holds_no_secret(secrets: Program) -> None:
    with Serving(secrets.folder, "--as", "Mia") as serving, serving.watch("Mia") as events:
        assert SEEN in json.dumps(events.next())
        assert holds(serving.pid, SEEN.encode())
        assert holds(serving.pid, SECRET.encode()) == []
        assert not [path for path in opened(serving.pid) if path.endswith(".toml")]


# --- many, slow, and more


def test_a_step_is_sent(mill: Program) -> None:
    with Serving(mill.folder) as serving, serving.watch("Mia") as events:
        events.next()
        assert mill.call("do", "next", 'condition Ana "far away"').code == 0
        events.until("unwritten", "far away")


def test_a_slow_browser_delays_no_other(serving: Serving) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(serving.connect()) for _ in range(30)]
        for number, one in enumerate(slow):
            # Nothing, half a request, and one whose answer is never read.
            one.sendall((b"", b"GET /x", f"GET {serving.path()} HTTP/1.1\r\n\r\n".encode())[number % 3])
        assert serving.get(serving.path()).startswith(b"HTTP/1.1 200")
        assert is_nothing(serving.get("/"))


@pytest.mark.long
def test_who_says_nothing_makes_room_and_who_looks_stays(serving: Serving) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(serving.watch())
        first.next()
        idle = [stack.enter_context(serving.connect()) for _ in range(2 * MOST)]
        assert serving.get(serving.path()).startswith(b"HTTP/1.1 200")
        # Those that came first were let go; who has named an address was not.
        assert idle[0].recv(1) == b""
        assert first.alive()


@pytest.mark.long
def test_more_browsers_than_there_may_be_are_refused_until_one_leaves(mill: Program) -> None:
    with Serving(mill.folder) as serving, ExitStack() as stack:
        looking = [stack.enter_context(serving.watch()) for _ in range(MOST)]
        for one in looking:
            one.next()
        assert serving.get(serving.path()) == b""
        looking[0].socket.close()
        end = time.monotonic() + PATIENCE
        while not serving.get(serving.path()):
            assert time.monotonic() < end


@pytest.mark.long
def test_one_that_says_nothing_is_let_go(mill: Program) -> None:
    with Serving(mill.folder) as serving, serving.connect() as idle:
        earliest = time.monotonic() + 4
        assert idle.recv(1) == b""
        assert time.monotonic() > earliest


# --- addresses


def test_addresses_stay_until_new_ones_are_asked_for(mill: Program) -> None:
    with Serving(mill.folder) as first:
        kept = first.addresses
    file = mill.folder / "mill.table" / "addresses"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert set(kept) == {"everybody", "Mia"}
    assert len({a.rpartition("/")[2] for a in kept.values()}) == 2
    with Serving(mill.folder) as again:
        assert again.addresses == kept
    with Serving(mill.folder, "--new") as new:
        assert not {a.rpartition("/")[2] for a in kept.values()} & {
            a.rpartition("/")[2] for a in new.addresses.values()
        }
        assert is_nothing(new.get("/" + kept["Mia"].rpartition("/")[2]))


def test_a_player_who_joins_gets_an_address(mill: Program) -> None:
    with Serving(mill.folder) as serving:
        assert mill.call("do", 'add "Bo Peep" owner="Jon Doe" hp=9').code == 0
        assert serving.line().startswith("Jon Doe  http")
        with serving.watch("Jon Doe") as events:
            assert events.until("unwritten", "Bo Peep")["page"]["viewer"] == "Jon Doe"


def test_named_viewers_take_the_place_of_the_owners(mill: Program) -> None:
    assert mill.call("do", "add Spy owner=Zed hidden=yes").code == 0
    with Serving(mill.folder) as every:
        assert set(every.addresses) == {"everybody", "Mia", "Zed"}
    with Serving(mill.folder, "--as", "Zed", "--as", "zed", "--as", "Guest") as named:
        assert set(named.addresses) == {"everybody", "Zed", "Guest"}


def test_names_that_are_markup_are_text(mill: Program) -> None:
    name = "<img src=x onerror=alert(1)>"
    assert mill.call("do", f'rename Orc "{name}"').code == 0
    with Serving(mill.folder) as serving:
        assert name.encode() not in serving.get(serving.path())
        with serving.watch() as events:
            assert name in json.dumps(events.next())


# --- how it ends, and refusals


def test_ctrl_c_ends_it_and_takes_its_marks_away(mill: Program) -> None:
    with Serving(mill.folder) as serving:
        assert list((mill.folder / "mill.table" / "watching").iterdir())
        assert "the fight itself goes on" in serving.interrupt()
        assert not list((mill.folder / "mill.table" / "watching").iterdir())


def test_a_save_that_cannot_be_read_is_named(mill: Program) -> None:
    save = mill.folder / "mill.toml"
    save.write_bytes(save.read_bytes().replace(b"Orc", b"Orx"))
    with Serving(mill.folder) as serving:
        with serving.watch() as events:
            assert events.next()["page"] is None
        assert "mill.toml" in serving.interrupt()


def test_a_port_in_use_and_other_wrong_words_are_one_line(mill: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for words, code, says in (
            (("--listen", f"127.0.0.1:{port}"), 1, f"port {port} is in use"),
            (("--listen", "192.0.2.7:8080"), 1, "192.0.2.7 is not an address of this machine"),
            (("--listen", "no.such.host.invalid:8080"), 1, "there is no address no.such.host.invalid"),
            (("--listen", "8080"), 2, "takes ADDRESS:PORT"),
            (("--listen", "127.0.0.1:99999"), 2, "takes ADDRESS:PORT"),
            (("--port", "8080"), 2, "unrecognized"),
        ):
            process = called(mill.folder, *words)
            out, err = process.communicate(timeout=60)
            assert (process.returncode, out) == (code, "")
            assert err.count("\n") == 1
            assert says in err, err
    process = called(mill.folder, save="nowhere")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count("\n")) == (1, "", 1)
    assert not (mill.folder / "nowhere.table").exists()
