"""Find initiative systems by scanning: each file or package in this folder or the user's folder is one."""

from __future__ import annotations

import importlib
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct, convert

from tui import plugins
from tui.core.base.errors import RuleError
from tui.core.base.text import clean

if TYPE_CHECKING:
    from tui.core.rules.system import InitiativeSystem

SHARED = "shared"
"""The package with code that several systems share; it has no system."""


class Location(Struct, frozen=True):
    """The place in the file system where a system was found."""

    folder: str
    """The folder that was scanned."""
    name: str
    """The name of the system's file or package."""
    module: str = ""
    """The module inside a package; "" for a file."""

    @property
    def path(self) -> str:
        """The path of the system's file, without `.py`."""
        return os.path.join(self.folder, self.name, self.module).removesuffix("/")

    @property
    def shipped(self) -> bool:
        """Whether the system comes with the program."""
        return self.folder in __path__


class Registry:
    """A registry of systems by id. A system's code runs only when that system is asked for.

    `folders` hold the user's own systems, which are asked before those of installed packages
    (`plugins.installed`). A file `NAME.py` holds the system whose `id` is NAME, with dashes for underscores.
    A package NAME holds the system of that id in `system.py`, unless its `__init__.py` names others in a
    plain table: `SYSTEMS = {"id": "module"}`. `MODULE.lesson.toml`, `MODULE.sample.toml` and
    `MODULE.texts.toml` (see `Texts`) may be next to `MODULE.py`.
    """

    def __init__(self, folders: Sequence[str] = ()) -> None:
        self._folders = tuple(folders)
        self._found: Mapping[str, Location] | None = None
        self._unread: tuple[str, ...] = ()
        self._loaded: dict[str, InitiativeSystem] = {}

    @property
    def _locations(self) -> Mapping[str, Location]:
        if self._found is None:
            installed, problems = plugins.list_installed_folders("tocsin.systems")
            folders = [*self._folders, *installed]
            self._found = _find_systems([*__path__, *folders])
            self._unread = (*problems, *_explain_unread(folders, self._found))
        return self._found

    def ids(self) -> tuple[str, ...]:
        """Return all ids in alphabetical order, classic first."""
        return tuple(sorted(self._locations, key=lambda name: (name != "classic", name)))

    def known(self) -> Iterator[InitiativeSystem]:
        """Yield every system that can be loaded, in the order of `ids`."""
        for name in self.ids():
            with suppress(RuleError):
                yield self.get(name)

    def problems(self) -> tuple[str, ...]:
        """Return a line with place and reason for each file of a user or package that brings no system."""
        problems: list[str] = []
        for name in self.ids():
            try:
                self.get(name)
            except RuleError as error:
                problems.append(error.message)
        return (*problems, *self._unread)

    def get(self, name: str) -> InitiativeSystem:
        """Return the system of that id.

        Raises RuleError with the known ids, or with the error in its file.
        """
        if name not in self._loaded:
            # Our own systems win; the others are looked up only if none of ours has the name.
            shipped = (place for folder in __path__ for known, place in _scan_folder(folder) if known == name)
            place = next(shipped, None) or self._locations.get(name)
            if place is None:
                raise RuleError(f"there is no system {name}", f"there are: {', '.join(self.ids())}")
            self._loaded[name] = self._load(place, name)
        return self._loaded[name]

    def _load(self, place: Location, name: str) -> InitiativeSystem:
        # A call that asks for no system never loads the rules.
        from tui.core.rules.system import InitiativeSystem, find_flaw

        module = ".".join(part for part in (place.name, place.module) if part)
        path, flaw = f"{place.path}.py", f"it defines no system with the id {name}; helper files begin with _"
        try:
            loaded = (
                importlib.import_module(f"{__name__}.{module}") if place.shipped else _import(place, module)
            )
            for value in vars(loaded).values():
                if isinstance(value, type) and issubclass(value, InitiativeSystem) and value.id == name:
                    if not (flaw := find_flaw(value)):
                        if not place.shipped:
                            # A file of texts with a fault is named now, not when somebody reads it.
                            _ = {**value.clauses, **value.glossary}
                        return value()
                    break
        except (Exception, SystemExit) as error:
            if place.shipped:
                raise
            raise RuleError(plugins.describe_failure(error, path), _REPAIR) from None
        raise RuleError(f"{clean(path, 200)}: {flaw}", _REPAIR)

    def find_bundled(self, name: str, kind: Literal["lesson", "sample"]) -> str:
        """Return the path of the lesson or sample next to a system's module; "" if there is none."""
        place = self._locations.get(name)
        path = f"{place.path}.{kind}.toml" if place else ""
        return path if os.path.isfile(path) else ""


class _TextFile(Struct, forbid_unknown_fields=True):
    """The tables of a file of texts."""

    clauses: dict[str, str] = {}
    glossary: dict[str, str] = {}


class Texts(Mapping[str, str]):
    """One table of the files `MODULE.texts.toml` beside modules, read when a text is asked for.

    Raises OSError or ValueError, with the path, for a file that cannot be read.
    """

    def __init__(self, table: Literal["clauses", "glossary"], *modules: str) -> None:
        """Name modules by their `__file__`; a later one adds its texts to those before and wins."""
        self._table = table
        self._paths = tuple(f"{os.path.splitext(module)[0]}.texts.toml" for module in modules)
        self._read: dict[str, str] | None = None

    @property
    def _texts(self) -> dict[str, str]:
        if self._read is None:
            self._read = {k: v for path in self._paths for k, v in _read_texts(path, self._table).items()}
        return self._read

    def __getitem__(self, key: str) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


_FILES: Final[dict[str, _TextFile]] = {}
"""The files that were read; the help asks for both tables, and reading one takes 2 ms."""


def _read_texts(path: str, table: str) -> Mapping[str, str]:
    if path not in _FILES:
        with open(path, "rb") as file:
            try:
                _FILES[path] = convert(tomllib.load(file), _TextFile)
            except ValueError as error:  # tomllib's and msgspec's errors are ValueErrors
                raise ValueError(f"{path}: {error}") from None
    found: Mapping[str, str] = getattr(_FILES[path], table)
    return found


_REPAIR = "repair the file, or take it out of the folder"


def _explain_unread(folders: Sequence[str], found: Mapping[str, Location]) -> Iterator[str]:
    """Yield a line for each folder, file or package that the scan cannot use."""
    for folder in folders:
        try:
            entries = sorted(os.listdir(folder))
        except OSError as error:
            yield clean(f"{folder}: {error.strerror}", 300)
            continue
        for entry in entries:
            if entry.endswith(".py") and not entry.removesuffix(".py").isidentifier():
                yield clean(
                    f"{os.path.join(folder, entry)}: rename it: letters, digits and _ before .py", 300
                )
        for name, place in _scan_folder(folder):
            if found[name] != place:
                first = "the program" if found[name].shipped else f"{found[name].path}.py"
                yield clean(f"{place.path}.py: {first} has a system {name} already: rename it", 400)


def _find_systems(folders: Sequence[str]) -> Mapping[str, Location]:
    """Return the systems of all folders by id; the first folder that has one wins."""
    return {name: place for folder in reversed(folders) for name, place in _scan_folder(folder)}


def _scan_folder(folder: str) -> Iterator[tuple[str, Location]]:
    """Yield (id, place) of each system in a folder. `pkgutil` would load `inspect`: 6 ms of every start."""
    try:
        # Files first: what is in them is known without reading.
        entries = sorted(os.listdir(folder), key=lambda entry: ("." not in entry, entry))
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
            for name, inside in (_read_declared(os.path.join(folder, module)) or usual).items():
                yield name, Location(folder, module, inside)


def _read_declared(package: str) -> Mapping[str, str]:
    """Return `SYSTEMS` of a package without running it; empty if it cannot be read."""
    import ast  # this and what it parses take 4 of 220 ms of a start, so only if a package is looked into

    try:
        with open(os.path.join(package, "__init__.py"), encoding="utf-8") as file:
            # Parsed and not imported: `tocsin systems` must not run a stranger's code to name it.
            body = [x for x in ast.parse(file.read(100_000)).body if isinstance(x, ast.Assign)]
        named = [x for x in body if [ast.unparse(target) for target in x.targets] == ["SYSTEMS"]]
        values = [ast.literal_eval(x.value) for x in named]
    except (OSError, ValueError, SyntaxError):
        return {}
    table = values[0] if values else {}
    pairs = table.items() if isinstance(table, dict) else ()
    return {k: v for k, v in pairs if isinstance(k, str) and isinstance(v, str) and v.isidentifier()}


def _import(place: Location, module: str) -> ModuleType:
    """Import a module from a folder of the user by Python's own import system.

    The module is imported below `tui.plugins`, so no system replaces another package of the same name, and
    the modules of a package find each other by relative imports.
    """
    plugins.__path__ = [place.folder]
    result = importlib.import_module(f"{plugins.__name__}.{module}")
    if result.__file__ is None or not os.path.samefile(result.__file__, f"{place.path}.py"):
        raise ImportError(f"that name is taken by {result.__file__}")
    return result
