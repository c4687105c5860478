"""Allow one writer per save: `flock` on `NAME.toml.lock` beside it, which is never deleted.

The kernel frees the lock when the process ends in any way. The file's text is only for messages; a take-over
trusts it only if the kernel confirms that this process has the lock file open. Nothing is promised on a
network file system: `network_kind` reports one. Readers need no lock.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import signal
import stat
import time
from typing import Any

import msgspec

from tui.core.base.errors import RuleError
from tui.store.disk import READ, same_file
from tui.store.journal.format import write_string
from tui.store.problems import BadFile, make_printable
from tui.store.safetoml import parse_toml
from tui.store.sources import utc_now

_CAP = 4096


class Holder(msgspec.Struct, frozen=True):
    """The process that writes a save. `started` is its start time in clock ticks, 0 if unknown."""

    host: str = ""
    user: str = ""
    terminal: str = ""
    pid: int = 0
    started: int = 0
    since: str = ""
    step: int = 0

    def author(self) -> str:
        """Return `ana on mill-pc`."""
        return make_printable(f"{self.user or 'somebody'} on {self.host or 'some machine'}", 100)

    def words(self) -> str:
        """Return `ana on mill-pc, /dev/pts/3, since 2026-11-20T20:44:33Z, at step 41`."""
        where = f", {self.terminal}" if self.terminal else ""
        when = f", since {self.since}" if self.since else ""
        return make_printable(f"{self.author()}{where}{when}, at step {self.step}", 200)


def write_holder(fd: int, holder: Holder | None) -> None:
    """Write the holder into the lock file, or empty it.

    Errors are ignored: the lock holds without the text.
    """
    table = msgspec.structs.asdict(holder) if holder else {}
    data = "".join(f"{key} = {_write_scalar(value)}\n" for key, value in table.items()).encode()
    try:
        os.pwrite(fd, data, 0)
        os.ftruncate(fd, len(data))
    except OSError:
        return


def read_holder(fd: int) -> Holder:
    """Return the holder that the lock file names; an empty Holder if it cannot be read."""
    try:
        return msgspec.convert(parse_toml(os.pread(fd, _CAP, 0), "the lock"), Holder)
    except (OSError, ValueError, BadFile):
        return Holder()


def find_writer(lock: str) -> Holder | None:
    """Return the writer that a lock file names, or None; the lock itself is not touched.

    A writer on another machine is believed. A writer on this machine must be a running process, and not a
    later process with the same number.
    """
    try:
        fd = os.open(lock, READ | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        holder = read_holder(fd)
    finally:
        os.close(fd)
    if not holder.pid:
        return None
    return holder if holder.host != os.uname().nodename or _is_alive(holder) else None


def _is_alive(holder: Holder) -> bool:
    began = start_time(holder.pid)
    # A process id may be reused; together with the start time it is unique.
    if began and holder.started:
        return began == holder.started
    try:
        os.kill(holder.pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # the process exists, but belongs to another user
        return True
    return True


def this_process(step: int = 0) -> Holder:
    """Return what a lock file says of this process: its id, terminal, host and time."""
    try:
        terminal = os.ttyname(2)
    except OSError:
        terminal = ""
    now = utc_now()
    return Holder(
        os.uname().nodename, _user_name(), terminal, os.getpid(), start_time(os.getpid()), now, step
    )


def _user_name() -> str:
    """Return the user's name from the environment, else from the system's database."""
    if result := os.environ.get("USER") or os.environ.get("LOGNAME"):
        return result

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"user {os.getuid()}"


def start_time(pid: int) -> int:
    """Return the start time of a process, in clock ticks since the machine started; 0 if unknown."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0


def _write_scalar(value: Any) -> str:
    return write_string(make_printable(value, 100)) if isinstance(value, str) else str(value)


_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_PAUSE_SECONDS = 0.05  # seconds between two tries
_LEAVE_SECONDS = 3.0  # seconds that a holder has to exit by itself

_NETWORK = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "fuse.sshfs",
    "fuse.glusterfs",
    "davfs",
}


class Busy(RuleError):  # noqa: N818 - the word of the message
    """Another process writes this save; `holder` is the process as the lock file names it."""

    def __init__(self, path: str, holder: Holder, hint: str = "") -> None:
        self.path, self.holder = path, holder
        message = f"{make_printable(os.path.basename(path))} is being written by {holder.words()}"
        super().__init__(message, hint or "open it read-only, or take it over", kind="busy")


class ReadOnly(BadFile):
    """No lock can be made beside the save, so it can only be read."""

    def __init__(self, path: str, reason: str) -> None:
        message = f"it cannot be written here because no lock can be made beside it ({reason})"
        super().__init__(path, 0, message, "`tocsin show` and `tocsin log` read it")


class SaveLock:
    """The right to write one save, held until `release` or the end of the process."""

    def __init__(self, fd: int, holder: Holder) -> None:
        self._fd, self._holder = fd, holder
        write_holder(fd, holder)

    @classmethod
    def acquire(cls, path: str, step: int = 0) -> SaveLock:
        """Return the lock of the save at `path`, at once. Raises Busy; ReadOnly when it cannot be made."""
        while True:
            fd = _open_lock(path)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # Read before the descriptor is closed: the holder must be that of the lock that refused this
                # process.
                holder = read_holder(fd)
                os.close(fd)
                raise Busy(path, holder) from None
            except OSError as error:
                os.close(fd)
                raise BadFile(lock_path(path), 0, f"this disk has no locks ({error.strerror})") from None
            if _is_still_there(fd, path):
                return cls(fd, this_process(step))
            os.close(fd)  # someone deleted the file meanwhile: a lock on it would exclude nobody

    def note(self, step: int) -> None:
        """Write the last step into the lock file, for the message to a second writer."""
        self._holder = msgspec.structs.replace(self._holder, step=step)
        write_holder(self._fd, self._holder)

    def release(self) -> None:
        """Free the lock; the file stays, without a holder."""
        if self._fd >= 0:
            write_holder(self._fd, None)
            os.close(self._fd)
            self._fd = -1


def lock_path(path: str) -> str:
    """Return the path of the lock of a save."""
    return path + ".lock"


def request_takeover(path: str, timeout: float = 5.0) -> SaveLock:
    """Return the lock after asking its holder to leave by a signal, or by force if it is frozen.

    Only a process of this machine that the kernel shows with this lock file open is ever signalled. Raises
    Busy after `timeout` seconds, or at once if the holder cannot be signalled; BadFile.
    """
    start = time.monotonic()
    holder: Holder | None = None
    was_forced = False
    while True:
        try:
            return SaveLock.acquire(path)
        except Busy as busy:
            waited = time.monotonic() - start
            if holder is None and _send_signal(path, busy.holder, "SIGTERM"):
                holder = busy.holder
            # A holder that has just started has not told who it is yet: it gets a second.
            if holder is None and waited >= _LEAVE_SECONDS / 3:
                hint = "end that process yourself, or open it read-only"
                raise Busy(path, busy.holder, hint) from None
            # Someone else was faster: they were never asked, so they are not ended either.
            if waited >= timeout or (holder and not _is_same_process(holder, busy.holder)):
                raise
            if holder and not was_forced and waited >= min(_LEAVE_SECONDS, timeout * 0.6):
                was_forced = _send_signal(path, holder, "SIGKILL")
        time.sleep(_PAUSE_SECONDS)


def network_kind(path: str) -> str:
    """Return the kind of network file system that holds a save; "" for a local disk, or if unknown."""
    best, kind = "", ""
    try:
        # The last mount of the longest point wins, as it does for the kernel, which mounts over earlier ones.
        with open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as mounts:
            for line in mounts:
                mount, _, filesystem = line.partition(" - ")
                point = mount.split(" ")[4]
                inside = os.path.realpath(path).startswith(point.rstrip("/") + "/")
                if inside and len(point) >= len(best):
                    best, kind = point, filesystem.split(" ")[0]
    except (OSError, IndexError):
        return ""
    return kind if kind in _NETWORK else ""


def _open_lock(path: str) -> int:
    try:
        fd = os.open(lock_path(path), _FLAGS, 0o600)
    except (OSError, ValueError) as error:
        raise ReadOnly(path, getattr(error, "strerror", "") or str(error)) from None
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        os.close(fd)
        # What we write there would stand in the other file as well, whichever that is.
        wrong = "has a second name" if stat.S_ISREG(status.st_mode) else "is not a regular file"
        raise BadFile(lock_path(path), 0, f"the lock {wrong}", "move it away")
    return fd


def _is_still_there(fd: int, path: str) -> bool:
    try:
        return same_file(os.fstat(fd), os.lstat(lock_path(path)))
    except FileNotFoundError:
        return False


def _send_signal(path: str, holder: Holder, name: str) -> bool:
    """Signal the holder if it is a process here that has the lock file open; return whether it was sent."""
    if holder.host != os.uname().nodename or holder.pid <= 1 or holder.pid == os.getpid():
        return False
    try:
        # A pidfd stays with this process; a process id may be given to another one before the signal.
        process = os.pidfd_open(holder.pid)
    except (OSError, AttributeError, OverflowError):
        return False
    try:
        if not _has_open(holder, lock_path(path)):
            return False
        signal.pidfd_send_signal(process, signal.Signals[name])
    except OSError:
        return False
    finally:
        os.close(process)
    return True


def _has_open(holder: Holder, path: str) -> bool:
    # Without the start time, a lock file written by a stranger could name any process of this user to be
    # killed.
    if not holder.started or start_time(holder.pid) != holder.started:
        return False
    wanted = os.stat(path)
    folder = f"/proc/{holder.pid}/fd"
    for name in os.listdir(folder):
        try:
            # A descriptor may be closed while they are listed.
            status = os.stat(f"{folder}/{name}")
        except OSError:
            continue
        if same_file(status, wanted):
            return True
    return False


def _is_same_process(one: Holder, other: Holder) -> bool:
    """Return whether both are one process; an empty `other` has not written itself into the lock yet."""
    return not other.pid or (one.pid, one.started) == (other.pid, other.started)
