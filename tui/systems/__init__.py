"""One initiative system per file; a new file here, or in a folder of the user's, is a new system."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Sequence
from functools import cached_property

from tui.core.errors import RuleError
from tui.core.system import InitiativeSystem


class Registry:
    """The systems there are, found by their file names; a file is read only when its system is wanted.

    `folders` hold systems of the user's own: a Python file with a `SYSTEM`, or one subclass of
    InitiativeSystem whose `id` is its file name with dashes.
    """

    def __init__(self, folders: Sequence[str] = ()) -> None:
        self._folders = tuple(folders)
        self._loaded: dict[str, InitiativeSystem] = {}

    @cached_property
    def _found(self) -> dict[str, pkgutil.ModuleInfo]:
        places = [*__path__, *self._folders]
        modules = [m for m in pkgutil.iter_modules(places) if not m.name.startswith("_")]
        return {m.name.replace("_", "-"): m for m in modules if not m.ispkg}

    def ids(self) -> tuple[str, ...]:
        """Their ids, in order of the alphabet, classic first."""
        return tuple(sorted(self._found, key=lambda name: (name != "classic", name)))

    def get(self, name: str) -> InitiativeSystem:
        """The system of that id. Raises RuleError that names those there are."""
        if name not in self._loaded:
            if name not in self._found:
                raise RuleError(f"there is no system {name}", f"there are: {', '.join(self.ids())}")
            self._loaded[name] = _load(self._found[name], name)
        return self._loaded[name]


def _load(info: pkgutil.ModuleInfo, name: str) -> InitiativeSystem:
    finder = info.module_finder
    spec = finder.find_spec(info.name, None)
    if spec is None or spec.loader is None:
        raise RuleError(f"the system {name} cannot be read")
    inside = spec.origin is not None and spec.origin.startswith(tuple(__path__))
    if inside:
        module = importlib.import_module(f"{__name__}.{info.name}")
    else:
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:  # noqa: BLE001  # a stranger's file may fail in any way
            raise RuleError(f"the file of {name} cannot be read: {error}", str(spec.origin)) from None
    for found in vars(module).values():
        if isinstance(found, type) and issubclass(found, InitiativeSystem) and found.id == name:
            return found()
    raise RuleError(f"the file of {name} holds no system of that id")
