"""Make every system call of the store through one small object that tests can fail, record or slow down."""

from __future__ import annotations

import errno
import fcntl
import os
import stat

from tui.store.problems import BadFile


def flush_data(fd: int) -> None:
    """Call `fdatasync` if the system has it and it suffices, else `flush`."""
    if hasattr(os, "fdatasync") and not hasattr(fcntl, "F_FULLFSYNC"):
        os.fdatasync(fd)
    else:
        flush(fd)


def flush(fd: int) -> None:
    """Sync a file to the disk; on macOS by F_FULLFSYNC, because `fsync` leaves bytes in the drive's memory.

    If the file system does not support F_FULLFSYNC, `fsync` is called. Raises OSError.
    """
    if full := getattr(fcntl, "F_FULLFSYNC", None):
        try:
            fcntl.fcntl(fd, full)
        except OSError as error:
            if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
                raise
        else:
            return
    os.fsync(fd)


# O_NONBLOCK: opening a FIFO must not wait for a writer; O_NOCTTY: a device must not become our terminal.
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
APPEND = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
CREATE_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
FOLDER = os.O_RDONLY | os.O_DIRECTORY

# A save holds facts that players must not know, so no other user of the machine may read it.
PRIVATE = 0o600


class Disk:
    """The system calls without any change; descriptors are closed on exec. Errors are `OSError`."""

    def open(self, path: str, flags: int, mode: int = PRIVATE) -> int:
        """Return a descriptor that no child process inherits."""
        return os.open(path, flags | os.O_CLOEXEC, mode)

    def close(self, fd: int) -> None:
        """Close the descriptor."""
        os.close(fd)

    def read(self, fd: int, size: int, offset: int) -> bytes:
        """Return up to `size` bytes from `offset`; the descriptor's own position is not used."""
        return os.pread(fd, size, offset)

    def write(self, fd: int, data: memoryview) -> int:
        """Write bytes; return how many were written, perhaps fewer than given."""
        return os.write(fd, data)

    def fdatasync(self, fd: int) -> None:
        """Sync the file's bytes and size to the disk."""
        flush_data(fd)

    def fsync(self, fd: int) -> None:
        """Sync the file, or the names in a folder, to the disk."""
        flush(fd)

    def ftruncate(self, fd: int, size: int) -> None:
        """Truncate the file at `size`."""
        os.ftruncate(fd, size)

    def fstat(self, fd: int) -> os.stat_result:
        """Return the status of the descriptor's file."""
        return os.fstat(fd)

    def lstat(self, path: str) -> os.stat_result:
        """Return the status of `path` itself; links are not followed."""
        return os.lstat(path)

    def listdir(self, path: str) -> list[str]:
        """Return the names in a folder."""
        return os.listdir(path)

    def fchmod(self, fd: int, mode: int) -> None:
        """Set the file's permissions."""
        os.fchmod(fd, mode)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name. Raises FileExistsError if `new` exists, which a new file needs."""
        os.link(old, new)

    def replace(self, old: str, new: str) -> None:
        """Give `old` the name `new` in one step."""
        os.replace(old, new)

    def unlink(self, path: str) -> None:
        """Delete the name."""
        os.unlink(path)


def folder_of(path: str) -> str:
    """Return the folder of a path, `.` if the path has none."""
    return os.path.dirname(path) or "."


def same_file(one: os.stat_result, other: os.stat_result) -> bool:
    """Return whether both are one inode."""
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def write_all(disk: Disk, fd: int, data: bytes) -> None:
    """Write all of `data`, however few bytes each call takes."""
    # A memoryview, so that after a short write the rest of a large journal is not copied.
    rest = memoryview(data)
    while rest:
        count = disk.write(fd, rest)
        # With a file system that writes nothing and reports no error this loop would never end.
        if count <= 0:
            raise OSError(errno.EIO, "the disk takes no bytes")
        rest = rest[count:]


def sync_folder(disk: Disk, path: str) -> None:
    """Sync the names in the folder of `path`; ignored if folders cannot be synced (EINVAL)."""
    fd = disk.open(folder_of(path), FOLDER)
    try:
        disk.fsync(fd)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        disk.close(fd)


def numbered_file(stem: str, number: int) -> str:
    """Return the name of a copy: `mill.toml`, `mill-2.toml`."""
    return f"{stem}{'' if number == 1 else f'-{number}'}.toml"


def read_range(disk: Disk, fd: int, start: int, stop: int) -> bytes:
    """Return the bytes `start` to `stop`, fewer when the file ends before."""
    pieces: list[bytes] = []
    while start < stop:
        # 16 MiB a call: the buffer for one read stays small beside a file of 64 MB.
        piece = disk.read(fd, min(stop - start, 1 << 24), start)
        if not piece:
            break
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)


def read_part(disk: Disk, path: str, cap: int, start: int, stop: int) -> tuple[bytes, os.stat_result]:
    """Return the bytes `start` to `stop` of a regular file of at most `cap` bytes, and its stat.

    Links are refused. Raises BadFile.
    """
    try:
        fd = disk.open(path, READ)
        try:
            status = disk.fstat(fd)
            if not stat.S_ISREG(status.st_mode):
                raise BadFile(path, 0, NOT_REGULAR)
            data = b"" if status.st_size > cap else read_range(disk, fd, start, stop)
        finally:
            disk.close(fd)
    except (OSError, ValueError) as error:
        raise BadFile(path, 0, _explain_unopened(error)) from None
    # A file may grow while it is read.
    if status.st_size > cap or len(data) > cap:
        raise BadFile(path, 0, f"the file is larger than {cap // 1_000_000} MB")
    return data, status


def read_regular(disk: Disk, path: str, cap: int) -> tuple[bytes, os.stat_result]:
    """Return a whole file and its stat, under the rules of `read_part`. Raises BadFile."""
    return read_part(disk, path, cap, 0, cap + 1)


def write_temporary(
    disk: Disk, path: str, data: bytes, mode: int = PRIVATE, *, durable: bool = True
) -> tuple[int, str, os.stat_result]:
    """Write a file under a temporary name beside `path`; return (append descriptor, that name, stat).

    On any error the temporary file is deleted and the error passes on. Raises OSError.
    """
    temporary = os.path.join(folder_of(path), f".{os.path.basename(path)}.tmp-{os.getpid()}")
    try:
        fd = disk.open(temporary, CREATE_APPEND)
    except FileExistsError:  # left by a dead process that had the same process id
        disk.unlink(temporary)
        fd = disk.open(temporary, CREATE_APPEND)
    try:
        write_all(disk, fd, data)
        # Set with fchmod and not when the file is created, because the umask would then take rights away from
        # the old file's mode.
        if mode != PRIVATE:
            disk.fchmod(fd, mode)
        if durable:
            disk.fsync(fd)
        status = disk.fstat(fd)
    except BaseException:
        disk.close(fd)
        discard(disk, temporary)
        raise
    return fd, temporary, status


def replace_file(
    disk: Disk,
    path: str,
    data: bytes,
    mode: int = PRIVATE,
    *,
    durable: bool = False,
) -> None:
    """Write a small file at `path`, whole or not at all, in place of an existing one.

    `durable` syncs the file and its name. A link, a FIFO or another account's file at `path` is never opened.
    Raises OSError.
    """
    fd, temporary, _ = write_temporary(disk, path, data, mode, durable=durable)
    try:
        disk.close(fd)
        disk.replace(temporary, path)
    except OSError:
        discard(disk, temporary)
        raise
    if durable:
        sync_folder(disk, path)


def create_file(disk: Disk, path: str, data: bytes) -> tuple[int, os.stat_result]:
    """Create a file at `path`, whole and synced with its name; return (append descriptor, stat).

    Raises FileExistsError if the name is taken; nothing is overwritten.
    """
    fd, temporary, status = write_temporary(disk, path, data)
    try:
        give_name(disk, temporary, path)
        try:
            sync_folder(disk, path)
        except BaseException:
            discard(disk, path)
            raise
    except BaseException:
        disk.close(fd)
        discard(disk, temporary)
        raise
    return fd, status


def discard(disk: Disk, path: str) -> None:
    """Delete a name if it exists; a failure is ignored and only leaves a stray file."""
    try:
        disk.unlink(path)
    except OSError:
        return


def give_name(disk: Disk, temporary: str, path: str) -> None:
    """Rename a file to a name that is free. Raises FileExistsError when it is taken, and OSError."""
    try:
        # link and not rename: rename would silently write over a save of that name.
        disk.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        try:
            disk.lstat(path)
        except FileNotFoundError:
            disk.replace(temporary, path)
            return
        raise FileExistsError(errno.EEXIST, "exists", path) from None
    discard(disk, temporary)


NOT_REGULAR = "this is not a regular file"


def _explain_unopened(error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "this cannot be a file's name"
    known = {
        errno.ENOENT: "there is no such file",
        errno.ELOOP: "this is a link; links are not followed",
        errno.ENXIO: NOT_REGULAR,
    }
    return known.get(error.errno or 0, error.strerror or str(error))


MOST_COMPLETED = 40
"""At most this many paths are offered as completions."""


def complete_path(begun: str) -> list[str]:
    """Return the paths that begin with `begun`, at most MOST_COMPLETED; folders end in a slash."""
    folder, part = os.path.split(os.path.expanduser(begun))
    try:
        with os.scandir(folder or ".") as entries:
            paths = sorted(
                e.name + "/" * e.is_dir()
                for e in entries
                if e.name.startswith(part) and (part or not e.name.startswith("."))
            )
    except OSError:
        return []
    return [begun[: len(begun) - len(part)] + name for name in paths[:MOST_COMPLETED]]
