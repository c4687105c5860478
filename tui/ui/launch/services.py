"""What the desk of a save reaches beside its store: drafts, copies, the disk, and the program's own words."""

from __future__ import annotations

from collections.abc import Callable

from tui.core.fight.errors import RuleError
from tui.store.lock import SaveLock
from tui.store.problems import BadFile, InUse, plain
from tui.store.saves import BadName, name_of, place
from tui.store.session import Session
from tui.store.store import Store
from tui.ui.keys.services import ProgramWord, Services
from tui.ui.launch.copies import keep_copy
from tui.ui.launch.drafts import DraftFile
from tui.ui.launch.entry import Launch, NextLesson
from tui.ui.tutor.lesson import lesson


def writing(launch: Launch, session: Session) -> Services:
    """What the desk of a save that is written reaches."""
    drafts = DraftFile(session.path)
    return Services(
        saved=lambda: session.writer.durable >= session.store.record,
        fault=lambda: session.writer.fault,
        drafts=drafts,
        copy=lambda text: keep_copy(session.writer.path, text),
        words={"saveas": _save_as(launch, session, drafts)},
    )


def tutor(store: Store, following: NextLesson, leave: Callable[[], None]) -> ProgramWord:
    """The word that leaves the screen for a lesson, after which it comes back."""

    def tutor(words: str) -> str:
        following.lesson = lesson(words.strip() or store.encounter.system, store.systems).system
        leave()
        return f"the lesson on {following.lesson} begins"

    return ProgramWord(tutor, "tutor [SYSTEM]", "a short lesson on a system; the fight waits")


def _save_as(launch: Launch, session: Session, drafts: DraftFile) -> ProgramWord:
    def save_as(words: str) -> str:
        if not words.strip():
            raise RuleError("saveas: a name is missing", "saveas NAME")
        try:
            path = place(words.strip(), launch.saves)
            # Locked before it is written: two saves under one name would each believe to be alone.
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
