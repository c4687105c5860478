"""Bringing bytes to the disk, on systems that differ in what that takes."""

from __future__ import annotations

import errno
import fcntl
import os


def flush_data(fd: int) -> None:
    """What `fdatasync` does where there is one; else all that `fsync` does."""
    if hasattr(os, "fdatasync") and not hasattr(fcntl, "F_FULLFSYNC"):
        os.fdatasync(fd)
    else:
        flush(fd)


def flush(fd: int) -> None:
    """On macOS `fsync` leaves the bytes in the drive's own memory: F_FULLFSYNC brings them to the disk.

    Where the file system does not know that (ENOTSUP, EINVAL and the like) `fsync` must do.
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
