"""Saves as files: copied, renamed, thrown into the trash and fetched back."""

from __future__ import annotations

from tui.store import shelf
from tui.ui.launch.opened import refusals


class Filing:
    """The files of one folder. Whatever cannot be done raises RuleError, and nothing has changed."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def copy(self, path: str, name: str) -> str:
        """Copies a save; the path of the copy."""
        with refusals():
            return shelf.copy(path, self.folder, name)

    def rename(self, path: str, name: str) -> str:
        """Gives a save another name; its path."""
        with refusals():
            return shelf.rename(path, self.folder, name)

    def throw(self, path: str) -> None:
        """Puts a save into the trash."""
        with refusals():
            shelf.throw(path, self.folder)

    def fetch_back(self, path: str) -> str:
        """Fetches a save out of the trash; its path."""
        with refusals():
            return shelf.fetch_back(path, self.folder)

    def free_name(self, stem: str) -> str:
        """The stem, or the first of its kind that no save has."""
        return shelf.free_name(stem, self.folder)
