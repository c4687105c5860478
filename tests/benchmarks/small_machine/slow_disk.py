"""Delay every sync of the disk, by replacing the calls in programs started with these words."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("slow_sync.c")


def slow_disk(folder: Path, milliseconds: int) -> dict[str, str]:
    """What a program's environment needs for it, built in `folder`; empty where that cannot be done here."""
    cc = shutil.which("cc")
    if not cc or sys.platform != "linux":
        return {}
    built = folder / "slow_sync.so"
    done = subprocess.run(
        [cc, "-shared", "-fPIC", "-O1", "-o", str(built), str(SOURCE), "-ldl"],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        return {}
    return {"LD_PRELOAD": str(built), "TOCSIN_SYNC_MS": str(milliseconds)}
