"""Make the manual page and the completions of shells when a wheel is built; hatchling runs this file."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

INSTALLED: Mapping[str, str] = {
    "tocsin.1": "share/man/man1/tocsin.1",
    "tocsin.bash": "share/bash-completion/completions/tocsin",
    "_tocsin": "share/zsh/site-functions/_tocsin",
    "tocsin.fish": "share/fish/vendor_completions.d/tocsin.fish",
}
"""Where shells and `man` look for each file, below the folder in which a wheel is installed."""


class ShellFiles(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while a wheel is built
    """Add the files to a wheel: where shells and `man` look, and where the program finds them to print."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the files and name them to the builder; an editable installation has none."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        folder = tempfile.mkdtemp()
        for name, text in make_shell_files().items():
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            build_data["shared_data"][path] = INSTALLED[name]
            build_data["force_include"][path] = f"tui/_data/shell/{name}"


def make_shell_files() -> Mapping[str, str]:
    """Return the manual page and the completions by the names of their files."""
    # Inside the function: before the hook has run, the program is not on the path.
    from tui.cli.completion import FILES, make_shell_script
    from tui.cli.help import write_manual_page
    from tui.systems import Registry
    from tui.ui.state.commands import key_table

    page = write_manual_page(key_table(), [*Registry().known()])
    return {"tocsin.1": "\n".join(page) + "\n"} | {
        name: make_shell_script(shell) + "\n" for shell, name in FILES.items()
    }
