"""The screen, wired up: theme, keys, drafts, saved mark, guardian, and the words that are the program's own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.errors import RuleError
from tui.core.fight.events import Event
from tui.store.journal.format import Offset, Record
from tui.store.journal.reader import read, read_from
from tui.store.lock import SaveLock
from tui.store.opening import Session, look, place
from tui.store.problems import BadFile, InUse, NotSaved, plain
from tui.store.saves import BadName, name_of
from tui.store.store import Store
from tui.ui.keys.desk import Desk
from tui.ui.keys.services import ProgramWord, Services, Settings
from tui.ui.launch.colours import choose
from tui.ui.launch.config import folder
from tui.ui.launch.copies import keep_copy
from tui.ui.launch.drafts import DraftFile
from tui.ui.launch.entry import Launch, NextLesson
from tui.ui.launch.theming import Themes, load_themes, shipped_folder
from tui.ui.state.commands import with_keys
from tui.ui.state.glyphs import ASCII, UNICODE, spoken
from tui.ui.state.palette import Palette
from tui.ui.terminal.guardian import guarding
from tui.ui.textual.app import TocsinApp
from tui.ui.textual.styles import sixteen
from tui.ui.tutor.coach import Coached
from tui.ui.tutor.lesson import Lesson, lesson

_LOOK = 1.0  # seconds between two looks at a save that somebody else writes


class Running(Struct, frozen=True):
    """A save on the screen: with a session it is written, without one only looked at.

    `wish` takes what the user wants next; with a `lesson` somebody says what to press.
    """

    session: Session | None
    store: Store
    listen: Callable[[TocsinApp], None]
    wish: NextLesson | None = None
    lesson: Lesson | None = None


def themes() -> Themes:
    """The shipped themes and the user's own, which go first."""
    return load_themes([shipped_folder(), os.path.join(folder(), "themes")])


def run(way: Launch, running: Running) -> int:
    """Show the fight until the user leaves; the exit code."""
    palette, faults = _palette(way)
    session = running.session
    faults += session.remarks if session else []
    utf8 = (
        "utf"
        in (os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or "").lower()
    )
    ascii_only = way.args.ascii or way.config.ascii or not utf8 or os.environ.get("TERM") == "linux"
    glyphs = ASCII if ascii_only else UNICODE
    if way.args.a11y or way.config.a11y:
        glyphs = spoken(glyphs)
    bell = bool(way.args.bell or way.config.bell)
    settings = Settings(with_keys(way.config.keys), glyphs, way.config.masked, bell)
    services = _outside(way, session) if session else Services()

    def leave() -> None:
        app.exit()

    if running.wish:
        words = {**services.words, "tutor": _tutor(running.store, running.wish, leave)}
        services = replace(services, words=words)
    with _settled():
        app = TocsinApp(
            running.store, palette=palette, settings=settings, services=services, frugal=not way.args.stock_output,
            desk=partial(Coached, running.lesson) if running.lesson else Desk,
        )  # fmt: skip
    running.listen(app)
    if faults:
        app.desk.say("; ".join(faults))
    with guarding(app):
        app.run(mouse=False)
    return app.return_code or 0


def _outside(way: Launch, session: Session) -> Services:
    """What the desk of a save that is written reaches."""
    drafts = DraftFile(session.path)
    return Services(
        saved=lambda: session.writer.durable >= session.store.record,
        fault=lambda: _told(session.writer.fault),
        drafts=drafts,
        copy=lambda text: keep_copy(session.writer.path, text),
        words={"saveas": _save_as(way, session, drafts)},
    )


def _tutor(store: Store, wish: NextLesson, leave: Callable[[], None]) -> ProgramWord:
    """The screen is left for a lesson, and comes back after it."""

    def tutor(words: str) -> str:
        wish.lesson = lesson(words.strip() or store.encounter.system).system
        leave()
        return f"the lesson on {wish.lesson} begins"

    return ProgramWord(tutor, "tutor [SYSTEM]", "a short lesson on a system; the fight waits")


def _told(fault: NotSaved | None) -> str:
    """Why steps that are shown cannot be brought to the disk, as long as that lasts."""
    return f"NOT SAVED: {fault.message}; {fault.hint}" if fault else ""


def _palette(way: Launch) -> tuple[Palette, list[str]]:
    """The theme to show, and what is to be said about themes and settings."""
    found = themes()
    colourless = "NO_COLOR" in os.environ
    palette, faults = choose(
        found, way.args.theme, way.config.theme, few=sixteen(), colourless=colourless
    )  # fmt: skip
    return palette, [*way.config.faults, *(str(error) for error in found.failed), *faults]


@contextmanager
def _settled() -> Iterator[None]:
    """Without NO_COLOR, which is settled by the theme: Textual and Rich would take colours from it again."""
    wish = os.environ.pop("NO_COLOR", None)
    try:
        yield
    finally:
        if wish is not None:
            os.environ["NO_COLOR"] = wish


def _save_as(way: Launch, session: Session, drafts: DraftFile) -> ProgramWord:
    def save_as(words: str) -> str:
        if not words.strip():
            raise RuleError("saveas: a name is missing", "saveas NAME")
        try:
            path = place(words.strip(), way.saves)
            lock = SaveLock.acquire(path, session.store.step)
        except (BadName, BadFile, InUse) as error:
            raise RuleError(error.message, error.hint) from None
        try:
            session.writer.save_as(path)
        except BaseException:
            lock.release()
            raise
        session.lock.release()  # the new one lives as long as the program
        session.store.name = name_of(path)
        drafts.move(path)
        return f"the fight is saved in {plain(path)} from now on"

    return ProgramWord(save_as, "saveas NAME", "goes on in a new save; this one stays as it is")


def look_on(way: Launch, path: str) -> int:
    """Show a save that somebody else writes, and follow it."""
    store = look(path, way.saves, way.systems)
    follower = _Follower(path, store)
    return run(way, Running(None, store, follower.begin))


class _Follower:
    """Looks once a second whether the file has grown, and takes in what is new."""

    def __init__(self, path: str, store: Store) -> None:
        self._path, self._store = path, store
        now = read(path, Event)
        if missed := [step for step in now.steps if step.number > store.record]:
            store.absorb(missed)  # written while the store was made
        self._mark: Offset = now.end
        self._size = -1  # not looked at yet

    def begin(self, app: TocsinApp) -> None:
        """Follow from now on; what is new is taken in on the app's own thread."""
        import threading

        def follow() -> None:
            steps: list[Record[Event]] = []
            while not pause.wait(_LOOK):
                steps += self._news()
                if steps and app.is_running:  # a slow start loses none
                    app.soon(partial(self._store.absorb, steps))
                    steps = []

        pause = threading.Event()
        threading.Thread(target=follow, daemon=True).start()

    def _news(self) -> list[Record[Event]]:
        try:
            size = os.path.getsize(self._path)
            if size == self._size:
                return []
            news = read_from(self._path, self._mark, Event)
        except (OSError, BadFile):
            return []
        self._size, self._mark = size, news.end
        return news.steps
