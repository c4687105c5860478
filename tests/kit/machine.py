"""Which programs and rights this machine lacks for some tests."""

from __future__ import annotations

import grp
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

TOP = Path(__file__).parents[2]
PROGRAMS = ("sshd", "ssh", "ssh-keygen")
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
    if (
        not os.geteuid()
        and not missing
        and subprocess.run(
            [program("unshare") or "false", "--mount", "true"], capture_output=True, check=False
        ).returncode
    ):
        found["sshd"] = "this machine lets nobody have a mount namespace (unshare --mount)"
    if not program("tmux"):
        found["tmux"] = "no tmux is installed"
    if missing := [name for name in BROWSER if not program(name)]:
        found["browser"] = f"no {', no '.join(missing)} is installed"
    return found


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
