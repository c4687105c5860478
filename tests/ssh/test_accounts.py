"""Accounts of one machine at one table: each sits at its own seat, and can read nothing that is not its own.

The game master's account writes the fight, Mia and Jon are in the group of the table, Eve is in no group of
theirs. All of them come by ssh with a shell of their own, and what they try is what a shell can do.
"""

from __future__ import annotations

import shlex
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.scripted_play import drain, stop, until
from tests.ssh.kit import PATIENCE, Sshd, processes
from tests.ssh.machine import TOP
from tests.terminal import Terminal
from tui.core.fight.standpoint import Standpoint
from tui.store.players.folder import table_of
from tui.store.seats.inbox import write_answer
from tui.store.seats.seat import PlayerSeat

pytestmark = [pytest.mark.sshd, pytest.mark.accounts]

GROUP = "tocsin-table"
NAMES = ("tocsin-gm", "tocsin-mia", "tocsin-jon", "tocsin-eve")
GM, MIA, JON, EVE = NAMES


class Machine:
    """A machine with four accounts, and the game master's fight in the game master's home."""

    def __init__(self, server: Sshd) -> None:
        self.server = server
        for folder in (server.folder, server.folder / "homes"):
            folder.chmod(0o711)
        self.keys = {name: self.server.open_door(name, name) for name in NAMES}
        home = self.server.accounts[GM].home
        home.chmod(0o711)
        self.save = home / "saves" / "mill.toml"
        self.table = table_of(str(self.save))
        self.gm("new", "mill", "--system", "chaos")
        self.gm(
            "do",
            "mill",
            "add Ana owner=Mia hp=9",
            "add Bo owner=Jon hp=9",
            'add "zqlurker" hp=5 hidden=yes',
            "begin",
        )
        self.gm("do", "mill", "order zqlurker action=zqsealedx", "note zqnotex")
        self.save.parent.chmod(0o711)
        self.calls = {who: self.invited(name) for who, name in ((MIA, "Mia"), (JON, "Jon"))}

    def gm(self, *words: str) -> str:
        """A call of the game master's; what it printed."""
        ended = self.server.tocsin(self.keys[GM], *words, "--saves", str(self.save.parent), account=GM)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def invited(self, name: str) -> tuple[str, str]:
        """The call that opens a seat, and its key."""
        call, key = self.gm("invite", "mill", name, "--group", GROUP).splitlines()
        return call, key

    def sh(self, who: str, words: str) -> subprocess.CompletedProcess[str]:
        """Words for an account's own shell."""
        return self.server.run(self.keys[who], words, account=who)

    def sit(self, who: str, *words: str) -> Terminal:
        """An account's own terminal, with its seat in it."""
        call = " ".join((self.calls[who][0], *words))
        return self.server.login(self.keys[who], call, account=who, size=(100, 30))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    server = Sshd(tmp_path_factory.mktemp("machine"), NAMES, GROUP)
    try:
        yield Machine(server)
    finally:
        server.close()


def seated(machine: Machine, who: str) -> Terminal:
    """A player at a seat: with the key of the invitation at first, then with the one that was kept."""
    terminal = machine.sit(who)
    if not kept(machine, who):
        terminal.wait("the key of")
        terminal.type(machine.calls[who][1] + "\r")
    terminal.wait(f"as {terminal_name(who)}", "Log")
    return terminal


def kept(machine: Machine, who: str) -> list[Path]:
    """The keys that an account keeps."""
    return list((machine.server.accounts[who].home / ".local/state/tocsin/seats").glob("*.key"))


def terminal_name(who: str) -> str:
    """The player who has this account."""
    return who.partition("-")[2].capitalize()


@pytest.fixture
def host(machine: Machine) -> Iterator[Terminal]:
    """The game master's writer, in the game master's own account, whose new files are for nobody else."""
    words = shlex.join([sys.executable, "-m", "tui", "host", str(machine.save)])
    call = f"umask 077; cd {shlex.quote(str(TOP))} && exec {words}"
    found = machine.server.login(machine.keys[GM], call, account=GM, size=(160, 30))
    found.wait("hosts mill")
    yield found
    stop(found)


def test_a_player_of_another_account_brings_the_key_once_and_sends_an_order(
    machine: Machine, host: Terminal
) -> None:
    for words in ("over the wall", "through the door"):
        mia = seated(machine, MIA)
        mia.press("o", "Order of Ana")
        mia.press(f"{words}\r", "taken")
        assert machine.calls[MIA][1].encode() not in mia.raw
        stop(mia)
    assert "through the door" in machine.save.read_text()
    (key,) = kept(machine, MIA)
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.stat().st_uid == machine.server.accounts[MIA].number


def test_a_wrong_key_opens_nothing_and_is_not_kept(machine: Machine) -> None:
    for said, told in (
        ("0" * 64, "that key opens no seat of Ana's here"),
        ("mia", "that is no key of a seat"),
    ):
        call = machine.calls[MIA][0].removesuffix("Mia") + "Ana"
        terminal = machine.server.login(machine.keys[JON], call, account=JON, size=(160, 24))
        terminal.wait("the key of Ana's seat")
        terminal.type(said + "\r")
        assert terminal.end() == 1
        assert told in terminal.text
        stop(terminal)
    assert all("ana" not in path.name for path in kept(machine, JON))


def test_no_account_finds_or_reads_what_is_not_its_own(machine: Machine, host: Terminal) -> None:
    players = [seated(machine, MIA), seated(machine, JON)]
    try:
        players[1].press("o", "Order of Bo")
        players[1].press("zqofjonx\r", "taken")
        hidden = b"zqlurker", b"zqnotex", b"zqsealedx"
        secrets = {MIA: (*hidden, b"zqofjonx"), JON: hidden, EVE: (*hidden, b"zqofjonx", b"Ana", b"Bo")}
        for who, words in secrets.items():
            told = machine.sh(who, READ.format(home=machine.save.parents[1])).stdout.encode()
            assert not [word for word in words if word in told], who
            assert not [key for _, key in machine.calls.values() if key.encode() in told], who
        # The same words show the game master's account everything; others find names of folders at most.
        told = machine.sh(GM, READ.format(home=machine.save.parents[1])).stdout.encode()
        assert all(word in told for word in (*hidden, b"zqofjonx", machine.calls[MIA][1].encode()))
        for who in (MIA, JON, EVE):
            names = machine.sh(who, f"find {machine.save.parents[1]} 2>/dev/null").stdout
            assert not [
                word for word in ("page.json", "reply.json", ".key", "/inbox/", "/answers/") if word in names
            ]
        # What a player sees of the others is in the player's own process alone.
        for pid in processes("seat", str(machine.save), "Jon"):
            assert machine.sh(MIA, f"cat /proc/{pid}/environ /proc/{pid}/mem").stdout == ""
    finally:
        for terminal in players:
            stop(terminal)


READ = """
for f in $(find {home} -type f 2>/dev/null) {home}/saves/mill.toml {home}/saves/mill.table/refused.log \
    {home}/saves/mill.table/seats/mia.key {home}/saves/mill.table/seats/jon.key \
    {home}/saves/mill.table/views/*/page.json {home}/saves/mill.table/views/mia/page.json \
    {home}/saves/mill.table/views/jon/page.json {home}/saves/mill.table/answers/*/reply.json \
    {home}/saves/mill.table/inbox/*/*; do cat "$f" 2>/dev/null; done; true
"""
"""Whatever an account can find, and all that it can guess of the rest."""


def letter(machine: Machine, who: str, sealed_by: str, number: int, line: str) -> bytes:
    """A letter to somebody's inbox under somebody's key."""
    key = bytes.fromhex(machine.calls[sealed_by][1])
    return write_answer(key, "mill", terminal_name(who), number, Standpoint(1, "orders"), line)


def box_of(machine: Machine, who: str) -> str:
    """The inbox of somebody's seat, as whoever has its key can tell."""
    return PlayerSeat(machine.table, terminal_name(who), bytes.fromhex(machine.calls[who][1])).inbox


def posted(machine: Machine, by: str, to: str, number: int, data: bytes) -> int:
    """An account puts a file into an inbox; the exit code of that."""
    box = box_of(machine, to)
    name = f"{number}-{number:016x}.json"
    begun = f"umask 027; printf %s {shlex.quote(data.decode())} > {box}/.tmp-{name}"
    words = f"{begun} && mv {box}/.tmp-{name} {box}/{name}"
    return machine.sh(by, words).returncode


def test_forged_and_replayed_letters_do_nothing_and_the_game_master_hears_of_them(
    machine: Machine, host: Terminal
) -> None:
    number = 10**14
    good = letter(machine, MIA, MIA, number, "order Ana action=mine")
    assert posted(machine, MIA, MIA, number, good) == 0
    until(lambda: '"mine"' in machine.save.read_text(), PATIENCE)
    before = machine.save.read_bytes()
    assert posted(machine, MIA, MIA, number, good) == 0
    host.wait("Mia's seat", "sent once already")
    # Were Jon ever to find Mia's inbox, he has not Mia's key.
    assert (
        posted(
            machine, JON, MIA, number + 1, letter(machine, MIA, JON, number + 1, "order Ana action=forged")
        )
        == 0
    )
    host.wait("not sealed by this seat's key")
    assert (
        posted(machine, JON, MIA, number + 2, letter(machine, JON, JON, number + 2, "order Bo action=forged"))
        == 0
    )
    host.wait("in another seat's name")
    assert posted(machine, EVE, MIA, number + 3, good) != 0
    assert machine.save.read_bytes() == before
    noted = (Path(machine.table.path) / "refused.log").read_text()
    assert "sent once already" in noted
    assert "forged" not in noted


def test_a_member_of_the_group_decides_nothing_for_another(machine: Machine, host: Terminal) -> None:
    """Jon holds every lock that he can open, fills every folder, and says that he is everybody."""
    mia = seated(machine, MIA)
    try:
        table = machine.table.path
        guessed = " ".join(
            f"{table}/{name}"
            for name in ("inbox/mia", "inbox", "watching", "answers", "views", ".", "watching/public")
        )
        fill = f"for d in {guessed}; do for n in $(seq 200); do mkdir $d/junk$n; done; done 2>/dev/null; true"
        assert machine.sh(JON, fill).returncode == 0
        assert (
            machine.sh(
                JON, f"ls {table}/inbox {table}/watching {table}/answers {table}/views {table}/seats"
            ).stdout
            == ""
        )
        hold = f"flock -x -n {table}/$f sleep 20"
        locks = f"for f in writer publishing alive; do ({hold} &) ; done >/dev/null 2>&1 </dev/null; true"
        machine.sh(JON, locks)
        mia.press("o", "Order of Ana")
        mia.type("zqstillx")
        mia.press("\r", "taken")
        until(lambda: "zqstillx" in machine.save.read_text(), PATIENCE)
    finally:
        stop(mia)


def test_an_order_that_cannot_be_sent_is_not_lost(machine: Machine, host: Terminal) -> None:
    mia = seated(machine, MIA)
    box = Path(box_of(machine, MIA))
    before = stat.S_IMODE(box.stat().st_mode)
    try:
        mia.press("o", "Order of Ana")
        mia.type("zqkeptx")
        box.chmod(0o700)
        shown = mia.press("\r", "not sent: Permission denied")
        assert "zqkeptx" in shown
        box.chmod(before)
        mia.press("\r", "taken")
        until(lambda: "zqkeptx" in machine.save.read_text(), PATIENCE)
    finally:
        box.chmod(before)
        stop(mia)


def test_a_page_of_a_name_is_shown_to_who_has_its_key_and_that_it_is_shut_to_others(
    machine: Machine, host: Terminal
) -> None:
    stop(seated(machine, MIA))
    call = machine.calls[MIA][0].replace(" seat ", " view ").removesuffix(" Mia")
    for who, name in ((JON, "Mia"), (JON, "Nobody"), (MIA, "Jon")):
        ended = machine.sh(who, f"{call} --as {name} --plain </dev/null")
        assert ended.returncode == 1
        assert f"what only {name} may see is shut to this account" in ended.stderr
    for words, told in (("--as Mia", "as Mia"), ("", "Ana")):
        terminal = machine.server.login(machine.keys[MIA], f"{call} {words}", account=MIA)
        terminal.wait("mill", told, "Track")
        stop(terminal)
    eve = machine.server.login(machine.keys[EVE], call, account=EVE)
    eve.wait("the table's folder is shut to this account")
    stop(eve)


def test_an_idle_seat_of_another_account_is_not_woken_by_a_timer(machine: Machine, host: Terminal) -> None:
    mia = seated(machine, MIA)
    try:
        (pid,) = processes("seat", str(machine.save), "Mia")
        drain(mia, 1.0)
        before = woken(pid)
        drain(mia, 2.0)
        assert woken(pid) - before <= 2
    finally:
        stop(mia)


def woken(pid: int) -> int:
    """How often the threads of a process went to sleep."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(
        int((t / "status").read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0]) for t in tasks
    )


def test_a_seat_that_is_closed_and_given_anew_wants_its_new_key(machine: Machine, host: Terminal) -> None:
    jon, old = seated(machine, JON), machine.calls[JON][1]
    machine.gm("invite", "mill", "Jon", "--revoke")
    shown = jon.wait("this seat was closed")
    assert "Ana" not in shown
    stop(jon)
    machine.calls[JON] = machine.invited("Jon")
    assert machine.calls[JON][1] != old
    jon = machine.sit(JON)
    jon.wait("the key of Jon's seat")
    jon.type(machine.calls[JON][1] + "\r")
    jon.wait("as Jon", "Bo")
    stop(jon)
