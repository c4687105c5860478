"""Who writes a save, as the lock file beside it says: only a message, which the kernel has to confirm."""

from __future__ import annotations

import os
import pwd
from datetime import UTC, datetime
from typing import Any

import msgspec

from tui.store.disk import READ
from tui.store.journal.plain import line_of
from tui.store.problems import BadFile, plain
from tui.store.safetoml import parse

_CAP = 4096


class Holder(msgspec.Struct, frozen=True):
    """Who writes: `started` is the kernel's start time of the process in clock ticks, 0 where unknown."""

    host: str = ""
    user: str = ""
    terminal: str = ""
    pid: int = 0
    started: int = 0
    since: str = ""
    step: int = 0

    def author(self) -> str:
        """`ana on mill-pc`."""
        return plain(f"{self.user or 'somebody'} on {self.host or 'some machine'}", 100)

    def words(self) -> str:
        """`ana on mill-pc, /dev/pts/3, since 2026-11-20T20:44:33Z, at step 41`."""
        where = f", {self.terminal}" if self.terminal else ""
        when = f", since {self.since}" if self.since else ""
        return plain(f"{self.author()}{where}{when}, at step {self.step}", 200)


def tell(fd: int, holder: Holder | None) -> None:
    """Writes the message, or takes it away. Best effort: on a full disk the lock holds all the same."""
    table = msgspec.structs.asdict(holder) if holder else {}
    said = "".join(f"{key} = {_scalar(value)}\n" for key, value in table.items()).encode()
    try:
        os.pwrite(fd, said, 0)
        os.ftruncate(fd, len(said))
    except OSError:
        return


def told(fd: int) -> Holder:
    """What the message says; an empty Holder when it says nothing that can be read."""
    try:
        return msgspec.convert(parse(os.pread(fd, _CAP, 0), "the lock"), Holder)
    except (OSError, ValueError, BadFile):
        return Holder()


def at_work(lock: str) -> Holder | None:
    """Who holds the lock file at this path, None for nobody, without ever touching the lock.

    A holder on another machine is believed; one of this machine must be a process that is there and has not
    been replaced by a later one of its number.
    """
    try:
        fd = os.open(lock, READ | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        holder = told(fd)
    finally:
        os.close(fd)
    if not holder.pid:
        return None
    return holder if holder.host != os.uname().nodename or _alive(holder) else None


def _alive(holder: Holder) -> bool:
    began = started(holder.pid)
    # A number is given again to other processes; with its start time it is not.
    if began and holder.started:
        return began == holder.started
    try:
        os.kill(holder.pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is there, and not ours
        return True
    return True


def myself(step: int = 0) -> Holder:
    """This process, as a second writer is told of it."""
    try:
        terminal = os.ttyname(2)
    except OSError:
        terminal = ""
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Holder(os.uname().nodename, _user(), terminal, os.getpid(), started(os.getpid()), now, step)


def _user() -> str:
    """The user's name; the system's database, which may be a slow server, is asked only where no variable says it."""
    if said := os.environ.get("USER") or os.environ.get("LOGNAME"):
        return said

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"


def started(pid: int) -> int:
    """When a process began, in clock ticks since the machine did; 0 where that cannot be told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _scalar(value: Any) -> str:
    return line_of(plain(value, 100) if isinstance(value, str) else value)
