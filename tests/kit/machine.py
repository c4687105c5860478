"""Which programs and rights this machine lacks for some tests, and a namespace with temporary accounts.

The machine is not changed: accounts are in copies of /etc/passwd, group and shadow, which are bound over the
real files in a mount namespace of the test's sshd, and disappear with it.
"""

from __future__ import annotations

import grp
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]
BARE = "set -e; mount -t tmpfs -o mode=755 tmpfs /run; mkdir /run/sshd"
"""Shell commands that make the folder that an sshd started by root needs."""

PROGRAMS = ("sshd", "ssh", "ssh-keygen", "ssh-agent", "sftp")
BROWSER = ("chromium", "chromedriver")


def program(name: str) -> str:
    """Return the absolute path of a program, which sshd needs; "" if it is not installed."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin:/sbin") or ""


@cache
def lacking() -> dict[str, str]:
    """Return why this machine cannot run some tests, by the marker of these tests."""
    missing = [name for name in PROGRAMS if not program(name)]
    found = {"sshd": f"no {', no '.join(missing)} is installed (openssh-server has them)"} if missing else {}
    if os.geteuid() and not missing and not _ptys():
        found["sshd"] = (
            "an sshd that root has not started can give no terminal here (/dev/pts without gid=tty)"
        )
    if not program("tmux"):
        found["tmux"] = "no tmux is installed"
    if missing := [name for name in BROWSER if not program(name)]:
        found["browser"] = f"no {', no '.join(missing)} is installed"
    if os.geteuid():
        found["accounts"] = "only root can make throw-away accounts"
        if _guarded_memory():
            found["memory"] = "only root may read the memory of processes here (kernel.yama.ptrace_scope)"
    elif subprocess.run(
        [program("unshare") or "false", "--mount", "true"], capture_output=True, check=False
    ).returncode:
        found["accounts"] = "this machine lets nobody have a mount namespace (unshare --mount)"
    return found


def _guarded_memory() -> bool:
    """Return whether the kernel lets only root and a process's parent read the memory of that process."""
    try:
        return int(Path("/proc/sys/kernel/yama/ptrace_scope").read_text()) > 0
    except OSError:
        return False


def _ptys() -> bool:
    """Return whether a new terminal belongs to the group that sshd needs; only root could change that."""
    master, slave = os.openpty()
    try:
        return os.fstat(slave).st_gid == grp.getgrnam("tty").gr_gid
    except KeyError:
        return True  # it wants none then
    finally:
        os.close(master)
        os.close(slave)


class Account:
    """A temporary account: name, number, home."""

    def __init__(self, name: str, number: int, home: Path) -> None:
        self.name, self.number, self.home = name, number, home

    def make_home(self) -> None:
        """Make the account's home, which only the account can enter."""
        self.home.mkdir(mode=0o700)
        os.chown(self.home, self.number, self.number)


def namespace(folder: Path, accounts: Sequence[Account]) -> str:
    """Return shell commands that make the namespace; later commands run inside it. Only root can run them."""
    if not accounts:
        return BARE
    lines = {
        "passwd": [f"{a.name}:x:{a.number}:{a.number}::{a.home}:/bin/sh" for a in accounts],
        "shadow": [f"{a.name}:*:1:::::" for a in accounts],
        "group": [f"{a.name}:x:{a.number}:" for a in accounts],
    }
    steps = [BARE, "mkdir /run/kept"]
    for name, more in lines.items():
        own = folder / name
        own.write_text("".join(f"{line}\n" for line in (*Path("/etc", name).read_text().splitlines(), *more)))
        own.chmod(0o600 if name == "shadow" else 0o644)
        steps.append(f"mount --bind {shlex.quote(str(own))} /etc/{name}")
    # In a folder that is shut to others (such as root's home) the accounts still find program and fight.
    wanted = [TOP, folder, Path(sys.prefix), Path(sys.base_prefix)]
    shut = {path: _shut(path) for path in wanted}
    for at, path in enumerate(path for path in wanted if shut[path]):
        steps += [f"mkdir /run/kept/{at}", f"mount --rbind {shlex.quote(str(path))} /run/kept/{at}"]
    for above in sorted({found for found in shut.values() if found}):
        steps.append(f"mount -t tmpfs -o mode=755 tmpfs {shlex.quote(above)}")
    for at, path in enumerate(path for path in wanted if shut[path]):
        quoted = shlex.quote(str(path))
        steps += [f"mkdir -p {quoted}", f"mount --rbind /run/kept/{at} {quoted}"]
    return "; ".join(steps)


def _shut(path: Path) -> str:
    """Return the highest folder above `path` that other accounts cannot enter, "" for none."""
    above = [folder for folder in reversed(path.parents) if not folder.stat().st_mode & 0o001]
    return str(above[0]) if above else ""
