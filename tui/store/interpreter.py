"""Start Python on a module of this program without a file of the present folder."""

from __future__ import annotations

import os
import sys

from tui.store.saves import checkout_folder


def python_command(module: str, *words: str) -> list[str]:
    """Return the command that runs a module of this program from any folder, with absolute paths.

    Python searches the present folder before its own modules, and a file there may be a stranger's: `-P`
    leaves that folder out, and so do we with relative parts of PYTHONPATH, an empty one among them.
    """
    command = [sys.executable, "-P", "-m", module, *words]
    given = os.environ.get("PYTHONPATH", "")
    folders = list(filter(os.path.isabs, (checkout_folder(), *given.split(os.pathsep))))
    # As a word of the command, because a seat's command starts from a login that has another environment.
    return (
        ["/usr/bin/env", f"PYTHONPATH={os.pathsep.join(folders)}", *command] if folders or given else command
    )
