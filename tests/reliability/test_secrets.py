"""What players may not know is in none of their processes: a marked word is searched in their memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.players import holds, opened, viewing
from tests.kit.program import Program
from tests.kit.scripted_play import drain, stop
from tests.kit.secrets import LINES, NEVER, SECRET, SEEN
from tests.kit.terminal import Terminal, tocsin


@pytest.fixture
def table(tmp_path: Path) -> Program:
    """A Chaos fight full of secrets; the library has a creature, and so has what is imported."""
    program = Program(tmp_path, "mill")
    creatures = tmp_path / "creatures"
    creatures.mkdir()
    told = f'[[creature]]\nname = "{SECRET} beast"\nhp = 7\ncard = "{SECRET} of the library"\n'
    (creatures / "mine.toml").write_text(told)
    assert program.call("new", "--system", "chaos").code == 0
    done = program.call("do", *LINES)
    assert done.code == 0, done.err
    return program


def seat(folder: Path, *words: str) -> Terminal:
    """Mia's seat in a terminal."""
    return tocsin(folder, "seat", "mill", "Mia", *words, XDG_STATE_HOME=str(folder / "state"))


def test_no_players_process_holds_a_secret(table: Program, tmp_path: Path) -> None:
    writer = tocsin(tmp_path, "mill", size=(120, 40))
    writer.wait("saved")
    views = {
        "public": viewing(tmp_path),
        "Mia": viewing(tmp_path, "--as", "Mia"),
        "plain": viewing(tmp_path, "--plain", "--as", "mia"),
        "seat": seat(tmp_path),
        "plain seat": seat(tmp_path, "--plain"),
    }
    views["Mia"].wait("hold the door")
    views["public"].wait("A shadow")
    views["plain"].wait(" an order")
    views["plain seat"].wait(" an order")
    # Its own words go to and fro: a refused one, a form that is opened and left, a line that is taken.
    views["seat"].press(":order Orc action=no\r", "is not yours")
    views["seat"].press("\x1b", ": line")
    views["seat"].press("o", "Order of Ana")
    views["seat"].press("\x1b", ": line")
    views["seat"].press(':order Ana action="hold the door"\r', "taken")
    writer.type("u\x12")  # a step is taken back and comes again
    for view in views.values():
        drain(view, 0.5)
    assert holds(writer.pid, SECRET.encode()), "the search must find it where it is"
    for name, view in views.items():
        assert holds(view.pid, SECRET.encode()) == [], name
        assert SECRET.encode() not in view.raw
        assert not [path for path in opened(view.pid) if path.endswith(".toml")]
    assert all(holds(views[name].pid, SEEN.encode()) for name in ("Mia", "seat"))
    assert not holds(views["public"].pid, SEEN.encode())
    kept = (tmp_path / "state").rglob("*")
    assert not any(SECRET.encode() in path.read_bytes() for path in kept if path.is_file())
    published = [path.read_bytes() for path in (tmp_path / "mill.table" / "views").glob("*/*")]
    assert len(published) == 2
    assert not any(SECRET.encode() in data for data in published)
    _played(table, writer, views)


def _played(table: Program, writer: Terminal, views: dict[str, Terminal]) -> None:
    """The same while the orders are carried out by a writer that is gone and comes back."""
    stop(writer)
    for view in views.values():
        view.wait("not running")
    lines = ("lock missing=empty", "roll", "ok", "next", f'damage "{SECRET} lurker" 3', "next")
    assert table.call("do", "--seed", "3", *lines).code == 0
    for name, view in views.items():
        drain(view, 0.5)
        # An order is read when it is carried out; everything else stays what it was.
        assert holds(view.pid, *(f"{SECRET} {what}".encode() for what in NEVER)) == [], name
        stop(view)
