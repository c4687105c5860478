"""Start images: the compiled modules of one way in, in one file, in the order in which they were loaded.

Importing many small modules one by one costs the processor more than running them: each is looked for, read and
unmarshalled by itself. An image does that once for all. It lies among Python's own compiled files, is written after
the first picture of a run that found none that fits, and is believed only while every source has the size and the time
of change that it was made of, as Python believes its own. Where there is none, modules are imported as ever.

Not in it is what is installed beside us. Each initiative system has an image of its own, for only the save tells which
of them is wanted.
"""

from __future__ import annotations

import marshal
import os
import sys
from _thread import get_ident
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

Compiled = tuple[str, str, bool, int, int, CodeType]
"""A module: its name, its source, whether it is a package, the source's time of change (ns) and size, its code."""

TRUSTED = (sys.hexversion, sys.flags.optimize)
"""What compiled code depends on besides its source."""

SYSTEMS = "tui.systems."
"""How the names of what only some fights need begin."""

STANDARD = os.path.dirname(os.__file__) + os.sep
"""Where the modules are that come with Python."""


class Image:
    """The image of one way in, none of ""; `spared` are names of modules that are imported as ever.

    First come the modules of Python, so that whoever must be there before ours are loaded has them, then ours.
    """

    def __init__(self, way: str, spared: Collection[str] = ()) -> None:
        self._way, self._spared = way, spared
        cached = __spec__.cached
        self._place = (
            way and cached and f"{os.path.dirname(cached)}/start-{way}.{sys.implementation.cache_tag}"
        )
        self._parts: list[Image] = []
        self._standard: Sequence[Compiled] = ()
        self._ours: Sequence[Compiled] = ()
        self._recorder: Recorder | None = None
        self._thread, self._whole = get_ident(), False
        self._loaded: Sequence[str] = ()

    def open(self) -> None:
        """Loads the modules of Python; where there is no image that fits, what is imported from now on is recorded."""
        found = self._place and _read(self._place)
        if found and _run(found[0]):
            self._standard, self._ours = found
        elif self._place:
            self._record()

    def load(self) -> None:
        """Loads the modules of ours."""
        if self._ours and not _run(self._ours):
            self._record()
        self._ours = ()

    def _record(self) -> None:
        self._recorder = Recorder(self._wanted)
        # Behind whoever knows modules that are built in or frozen: those need no image.
        place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(place, self._recorder)

    def _wanted(self, name: str) -> bool:
        return name not in self._spared and name.startswith(SYSTEMS) == self._way.startswith(SYSTEMS)

    def part(self, name: str) -> ModuleType:
        """A module that has an image of its own, for it is not wanted every time."""
        # Modules of an image are loaded without the locks of imports: later, and in other threads, others may want them.
        if self._whole or get_ident() != self._thread:
            return import_module(name)
        part = Image(self._way and name)
        self._parts.append(part)
        part.open()
        part.load()
        try:
            return import_module(name)
        finally:
            part.whole()

    def whole(self) -> None:
        """All that belongs to it has been loaded."""
        self._whole = True
        if self._recorder:
            sys.meta_path.remove(self._recorder)
            self._loaded = (*(name for name, *_ in self._standard), *self._recorder.loaded)
            self._recorder = None

    def write(self) -> None:
        """Writes it and its parts, once, if they are wanted and can be written."""
        for part in self._parts:
            part.write()
        names, self._loaded = self._loaded, ()
        if names and self._place and not sys.dont_write_bytecode:
            with suppress(OSError, ImportError):
                _write(self._place, [sys.modules[name] for name in names if name in sys.modules])


class Recorder:
    """Finds modules as ever, and notes those of Python and of ours when they have been loaded."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self.loaded: list[str] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """As `importlib.abc.MetaPathFinder`."""
        spec = PathFinder.find_spec(name, path, target) if self._wanted(name) else None
        if spec and isinstance(loader := spec.loader, SourceFileLoader):
            spec.loader = _Noting(loader, self.loaded) if _ours(name) or _standard(loader.path) else loader
        return spec


class _Noting(SourceFileLoader):
    def __init__(self, loader: SourceFileLoader, loaded: list[str]) -> None:
        super().__init__(loader.name, loader.path)
        self._loaded = loaded

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self._loaded.append(module.__name__)


def _ours(name: str) -> bool:
    return name.startswith("tui.")


def _standard(source: str) -> bool:
    return source.startswith(STANDARD) and "-packages" not in source


def _read(place: str) -> tuple[Sequence[Compiled], Sequence[Compiled]] | None:
    """The modules of Python and of ours in an image, None without one that fits."""
    try:
        with open(place, "rb") as file:
            trusted, standard, ours = marshal.loads(file.read())  # noqa: S302  # as trusted as any of Python's compiled files beside it
        if trusted == TRUSTED and all(map(_unchanged, (*standard, *ours))):
            return standard, ours
    except (OSError, ValueError, EOFError, TypeError):
        pass
    return None


def _unchanged(compiled: Compiled) -> bool:
    _, source, _, changed, size, _ = compiled
    stat = os.stat(source)
    return stat.st_mtime_ns == changed and stat.st_size == size


def _run(compiled: Sequence[Compiled]) -> bool:
    """Runs the code of modules that are not there yet, packages around their modules; whether all of it ran."""
    new = [one for one in compiled if one[0] not in sys.modules]
    modules = {name: _module(name, source, package=package) for name, source, package, *_ in new}
    # A package counts as there while its modules are loaded, which it may itself have asked for.
    sys.modules.update({name: modules[name] for name, _, package, *_ in new if package})
    try:
        for name, *_, code in new:
            parent, _, leaf = name.rpartition(".")
            if parent and parent not in sys.modules:
                __import__(parent)
            module = sys.modules[name] = modules[name]
            exec(code, module.__dict__)  # noqa: S102  # it is what importing would run
            if parent:
                setattr(sys.modules[parent], leaf, module)
    except Exception:  # noqa: BLE001  # whatever it is, importing as ever raises it again, in its own place
        for name in modules:
            sys.modules.pop(name, None)
        return False
    return True


def _module(name: str, source: str, *, package: bool) -> ModuleType:
    """An empty module with all that importing it would say of it."""
    loader = SourceFileLoader(name, source)
    spec = ModuleSpec(name, loader, origin=source, is_package=package)
    spec.has_location = True
    module = ModuleType(name)
    said = vars(module)
    said.update(__spec__=spec, __loader__=loader, __file__=source, __package__=spec.parent)
    if package:
        spec.submodule_search_locations = said["__path__"] = [os.path.dirname(source)]
    return module


def _write(place: str, modules: Sequence[ModuleType]) -> None:
    """Writes an image of these modules, as their sources are now."""
    compiled = [one for module in modules if (one := _compiled(module))]
    standard = [one for one in compiled if not _ours(one[0])]
    ours = [one for one in compiled if _ours(one[0])]
    new = f"{place}.{os.getpid()}"
    try:
        with open(new, "wb") as file:
            marshal.dump((TRUSTED, standard, ours), file)
        os.replace(new, place)
    except OSError:
        with suppress(OSError):
            os.unlink(new)


def _compiled(module: ModuleType) -> Compiled | None:
    spec = module.__spec__
    if spec is None or not spec.origin or not isinstance(spec.loader, SourceFileLoader):
        return None
    stat = os.stat(spec.origin)
    code = spec.loader.get_code(module.__name__)
    package = spec.submodule_search_locations is not None
    return code and (module.__name__, spec.origin, package, stat.st_mtime_ns, stat.st_size, code)
