"""Initiative systems, found by scanning: a new file or package here, or in a folder of the user's, is a new system."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.base.text import clean

if TYPE_CHECKING:
    from tui.core.rules.system import InitiativeSystem

SHARED = "shared"
"""The package that holds no system, but what several of them share."""


class Location(Struct, frozen=True):
    """Where a system is: the folder and the name of its file or package, and in a package the module in it."""

    folder: str
    name: str
    module: str = ""

    @property
    def path(self) -> str:
        """The system's file, without its ending."""
        return os.path.join(self.folder, self.name, self.module) if self.module else self._file

    @property
    def _file(self) -> str:
        return os.path.join(self.folder, self.name)

    @property
    def shipped(self) -> bool:
        """Whether it is one of the program's own."""
        return self.folder in __path__


class Registry:
    """The systems there are, found by name; nothing of a system is run before it is wanted.

    `folders` hold systems of the user's own. A file `NAME.py` holds the system whose `id` is NAME, with dashes
    for underscores. A package NAME holds in `system.py` the system of that id, unless its `__init__.py` names
    others in a plain table: `SYSTEMS = {"id": "module"}`. Beside `MODULE.py` may lie `MODULE.lesson.toml` and
    `MODULE.sample.toml`. `shipped` imports one of the program's own by its full name.
    """

    def __init__(
        self, folders: Sequence[str] = (), shipped: Callable[[str], ModuleType] = importlib.import_module
    ) -> None:
        self._folders = tuple(folders)
        self._shipped = shipped
        self._loaded: dict[str, InitiativeSystem] = {}

    @cached_property
    def _found(self) -> Mapping[str, Location]:
        # Reversed, so that our own win: a file of the user's cannot replace `classic` by accident.
        return {
            name: place for folder in reversed([*__path__, *self._folders]) for name, place in _scan(folder)
        }

    def ids(self) -> tuple[str, ...]:
        """Their ids, in order of the alphabet, classic first."""
        return tuple(sorted(self._found, key=lambda name: (name != "classic", name)))

    def get(self, name: str) -> InitiativeSystem:
        """The system of that id. Raises RuleError that names those there are."""
        if name not in self._loaded:
            # Our own win, so that one that is a file is known without a look at the others.
            place = _file(name) or self._found.get(name)
            if place is None:
                raise RuleError(f"there is no system {name}", f"there are: {', '.join(self.ids())}")
            self._loaded[name] = self._load(place, name)
        return self._loaded[name]

    def _load(self, place: Location, name: str) -> InitiativeSystem:
        # A player's terminal has a registry and asks for no system: it never loads the rules.
        from tui.core.rules.system import InitiativeSystem

        module = ".".join(part for part in (place.name, place.module) if part)
        if place.shipped:
            found: Mapping[str, object] = vars(self._shipped(f"{__name__}.{module}"))
        else:
            try:
                found = _foreign(place)
            except (Exception, SystemExit) as error:  # noqa: BLE001  # a stranger's file may fail in any way
                why = clean(f"{type(error).__name__}: {error}", 200)
                raise RuleError(f"the file of {name} cannot be read: {why}", f"{place.path}.py") from None
        for value in found.values():
            if isinstance(value, type) and issubclass(value, InitiativeSystem) and value.id == name:
                return value()
        raise RuleError(f"the file of {name} holds no system of that id", f"{place.path}.py")

    def beside(self, name: str, kind: Literal["lesson", "sample"]) -> str:
        """The file of that kind that lies beside a system's own; "" where there is none."""
        place = self._found.get(name)
        path = f"{place.path}.{kind}.toml" if place else ""
        return path if os.path.isfile(path) else ""


def _scan(folder: str) -> Iterator[tuple[str, Location]]:
    """The systems of a folder, by id. Not by `pkgutil`, which loads `inspect`: 6 ms of every start."""
    try:
        entries = sorted(os.listdir(folder))
    except OSError:
        return
    for entry in entries:
        module, dot, kind = entry.partition(".")
        if module.startswith("_") or module == SHARED or not module.isidentifier():
            continue
        if kind == "py":
            yield module.replace("_", "-"), Location(folder, module)
        elif not dot and os.path.isfile(os.path.join(folder, module, "__init__.py")):
            usual = {module.replace("_", "-"): "system"}
            for name, inside in (_declared(os.path.join(folder, module)) or usual).items():
                yield name, Location(folder, module, inside)


def _file(name: str) -> Location | None:
    """Our own system of that id, where it is one file."""
    module = name.replace("-", "_")
    if module.startswith("_") or not module.isidentifier() or "_" in name:
        return None
    found = (folder for folder in __path__ if os.path.isfile(os.path.join(folder, f"{module}.py")))
    return next((Location(folder, module) for folder in found), None)


def _declared(package: str) -> Mapping[str, str]:
    """`SYSTEMS` of a package, read and not run; empty where there is none, or nothing that can be read."""
    try:
        with open(os.path.join(package, "__init__.py"), encoding="utf-8") as file:
            # Parsed and not imported: `tocsin systems` must not run a stranger's code to name it.
            body = ast.parse(file.read(100_000)).body
        found = [
            ast.literal_eval(node.value)
            for node in body
            if isinstance(node, ast.Assign) and [ast.unparse(x) for x in node.targets] == ["SYSTEMS"]
        ]
    except (OSError, ValueError, SyntaxError):
        return {}
    table = found[0] if found else {}
    pairs = table.items() if isinstance(table, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str) and v.isidentifier()}


def _foreign(place: Location) -> Mapping[str, object]:
    """Runs a stranger's file; a package by its own name, so that its modules find each other."""
    top = os.path.join(place.folder, place.name)
    inside = [os.path.join(top, "__init__.py"), top] if place.module else [f"{top}.py", ""]
    spec = importlib.util.spec_from_file_location(
        place.name, inside[0], submodule_search_locations=[inside[1]] if place.module else None
    )
    if spec is None or spec.loader is None:
        raise ImportError(inside[0])
    module = importlib.util.module_from_spec(spec)
    if not place.module:
        spec.loader.exec_module(module)
        return vars(module)
    # Under its own name a package could replace one of Python's, for the whole program.
    if place.name in sys.modules and sys.modules[place.name].__file__ != spec.origin:
        raise ImportError(f"{place.name} is the name of another package")
    sys.modules[place.name] = module
    spec.loader.exec_module(module)
    return vars(importlib.import_module(f"{place.name}.{place.module}"))
