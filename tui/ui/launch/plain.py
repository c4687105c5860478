"""Run plain mode: read a line, print a short line for each message, then what comes next.

It is for screen readers, pipes, and terminals without a screen. Textual is never imported here.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from threading import Lock
from typing import TextIO

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, EffectAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label
from tui.core.fight.viewer import text
from tui.core.language.grammar import summary, usage, verbs
from tui.core.rules.complete import complete
from tui.core.rules.now import now
from tui.core.rules.system import Systems, explain_absence
from tui.core.rules.upkeep import all_owed
from tui.core.table_lines import creature_lines, track_lines
from tui.core.views.table_for import say_now
from tui.store.house import load_house
from tui.store.library.supply import list_names_of
from tui.store.opening import copy_sample, create_save
from tui.store.problems import NotSaved
from tui.store.saves import config_folder, find_save_path, list_saves, save_name, saves_folder
from tui.store.session import open_session
from tui.store.store import Store
from tui.ui.launch.fights import Launch
from tui.ui.state.clocks import say_times


def wait_until_typed(source: TextIO) -> None:
    """Wait until a terminal has a line to read; return at once for other inputs. Raises KeyboardInterrupt.

    Python would notice a signal just before its call that reads only after the next line. A pipe that Python
    writes to at each signal ends the wait in that case too.
    """
    if threading.current_thread() is not threading.main_thread() or not source.isatty():
        return
    heard, written = os.pipe()
    # A signal handler writes here, and must never wait.
    os.set_blocking(written, False)
    before = signal.set_wakeup_fd(written, warn_on_full_buffer=False)
    try:
        select.select([source.fileno(), heard], [], [])
    finally:
        signal.set_wakeup_fd(before)
        os.close(written)
        os.close(heard)


HELP = (
    "Write a line and press Enter; an empty line goes on.",
    "track: the order. roster: everybody. log: the last steps. why NAME: the reason for a place.",
    "times: how long turn and round have taken.",
    "rule: the clause that applies now. help WORD: one word. words: all of them.",
    "A line that ends in ? shows what it may become. quit leaves; nothing can be lost.",
)
LAST_STEPS = 10
"""How many steps the word `log` prints."""


class Talk:
    """Lets one thread at a time use store and output: the reader of lines, or the one of players' lines."""

    def __init__(self, store: Store, output: TextIO) -> None:
        self._store, self._out, self._turn = store, output, Lock()

    def say(self, produce: Callable[[], Iterator[str]]) -> None:
        """Print lines; no other thread changes the fight while they are computed."""
        with self._turn:
            _print(self._out, produce())

    def heard(self, call: Callable[[], None]) -> None:
        """Call a function that may change the fight; if it did, print the messages and what comes next."""
        with self._turn:
            before = self._store.record
            call()
            if self._store.record != before:
                _print(
                    self._out,
                    [x.text for x in self._store.messages(self._store.step)] if self._store.step else [],
                )
                _print(self._out, _say_now(self._store))

    def settled(self, wait: Callable[[], None]) -> None:
        """Call `wait`, which waits for the disk, while no other thread writes."""
        with self._turn:
            wait()


def run_conversation(store: Store, settled: Callable[[], None], lines: TextIO, talk: Talk) -> int:
    """Run lines until `quit` or the end of the input; return the exit code.

    `settled` returns when everything is on the disk.
    """
    talk.say(lambda: chain((f"{store.name}: {store.system.title}, step {store.step}",), _say_now(store)))
    while True:
        wait_until_typed(lines)
        if not (line := lines.readline()):
            break
        words = line.strip()
        if words.lower() in ("quit", "q"):
            break
        talk.say(partial(_answer_line, store, settled, words))
    return 0


def _print(output: TextIO, texts: Iterator[str] | list[str]) -> None:
    output.writelines(line + "\n" for line in texts)
    output.flush()


def _answer_line(store: Store, settled: Callable[[], None], words: str) -> Iterator[str]:
    verb, _, rest = words.partition(" ")
    # A script of lines may hold comments, as for `do -`.
    if words.startswith("#"):
        return
    if words.endswith("?") and len(words) > 1:
        yield (
            "; ".join(complete(words[:-1], store.encounter, store.system, (), partial(list_names_of, store)))
            or "nothing can complete this"
        )
    elif verb.lower() in REPORTS:
        yield from REPORTS[verb.lower()](store, rest.strip())
    else:
        yield from _run_line(store, settled, words or _line_for_enter(store))


def _run_line(store: Store, settled: Callable[[], None], line: str) -> Iterator[str]:
    try:
        result = store.run(line)
        # Told before it is settled: a slow disk delays the answer to the next line, not to this one.
        yield from (message.text for message in result.lines)
        settled()
    except RuleError as error:
        yield "Refused: " + str(error).replace("`", "")
        return
    except NotSaved as error:
        yield f"Not saved: {error.message}; {error.hint}"
        return
    yield from _say_now(store)


def _say_now(store: Store) -> Iterator[str]:
    yield "Now: " + say_now(store.encounter, store.system)


def _line_for_enter(store: Store) -> str:
    """Return the line that Enter alone runs: `begin`, the answer to what is owed, or `next`."""
    if not store.encounter.running:
        return "begin"
    due = all_owed(store.encounter, store.system)
    match due[0] if due else None:
        case RollAsk() | EffectAsk():
            return "roll"
        case LockAsk():
            return "lock"
        case AcknowledgeAsk():
            return "ok"
        # A choice has no default: `next` is refused, and the refusal says who must choose.
        case PickAsk() | FormAsk() | None:
            return "next"


def _report_track(store: Store, _rest: str) -> Iterator[str]:
    yield from track_lines(store.table()) or ["Nobody is on the track"]


def _report_roster(store: Store, _rest: str) -> Iterator[str]:
    yield from creature_lines(store.table()) or ["No creatures yet"]


def _report_log(store: Store, _rest: str) -> Iterator[str]:
    for step in range(max(1, store.step - LAST_STEPS + 1), store.step + 1):
        yield f"{step}. {store.done(step).line}: " + "; ".join(x.text for x in store.messages(step))


def _report_why(store: Store, rest: str) -> Iterator[str]:
    rows = store.system.rows(store.encounter) if store.encounter.running else ()
    lines = [r for r in rows if label(store.encounter, r.entry).lower().startswith(rest.lower())]
    for row in lines:
        for s in row.why:
            yield f"{label(store.encounter, row.entry)}: {text(store.encounter, s)}" + (
                f" ({s.rule})" if s.rule else ""
            )
    if not lines:
        yield f"no row on the track is called {rest}"


def _report_rule(store: Store, rest: str) -> Iterator[str]:
    clause = rest or now(store.encounter, store.system).rule
    yield store.system.clauses.get(clause, f"{store.system.title}: {store.system.summary}")


def _report_times(store: Store, _rest: str) -> Iterator[str]:
    yield say_times(store) or "nothing is timed before a round begins"


def _report_help(store: Store, rest: str) -> Iterator[str]:
    own = {v.name: f"{v.usage}: {v.help}" for v in store.system.verbs}
    if rest in own:
        yield own[rest]
    elif usage(rest):
        yield f"{usage(rest)}: {summary(rest)}"
    else:
        yield from HELP


def _report_words(store: Store, _rest: str) -> Iterator[str]:
    for v in (*verbs(), *(v.name for v in store.system.verbs)):
        yield from _report_help(store, v)


REPORTS: dict[str, Callable[[Store, str], Iterator[str]]] = {
    "track": _report_track, "roster": _report_roster, "log": _report_log, "why": _report_why,
    "rule": _report_rule, "help": _report_help, "?": _report_help, "words": _report_words,
    "times": _report_times,
}  # fmt: skip
"""The words that only print; each returns its lines."""

MOST_SAVES = 50
"""The most saves that are listed."""


def _ask(question: str) -> str:
    """Return the answer that is typed to a question; "" for q and at the end of the input."""
    try:
        print(question, end="", flush=True)  # noqa: T201
        # input() alone may miss a ctrl+c that comes just before it reads.
        wait_until_typed(sys.stdin)
        answer = input().strip()
    except EOFError:
        return ""
    return "" if answer.lower() == "q" else answer


def _ask_for_system(name: str, systems: Systems) -> str:
    """Return the id of the system for a new save, "" to make none. Raises RuleError for an unknown one."""
    lines = [*systems.problems(), *(f"{x.id}: {x.summary}" for x in systems.known())]
    print("\n".join(lines))  # noqa: T201
    answer = _ask(f"{name} is not there yet. Which system does it use? A name, or q: ").lower()
    fits = [x for x in systems.ids() if x.startswith(answer)]
    return "" if not answer else fits[0] if fits else systems.get(answer).id


def run_plain(launch: Launch, reason: str) -> int:
    """Run a fight in lines and return the exit code; without a name, a terminal is asked for the save."""
    save = launch.args.save
    if sys.stdin is None:
        raise RuleError("plain mode reads lines, and standard input is closed", "`tocsin do SAVE LINE…`")
    if not save and (reason or not (sys.stdin.isatty() and sys.stdout.isatty())):
        raise RuleError(reason or "plain mode takes the name of a save", "`tocsin SAVE --plain`")
    path = _ask_for_save(launch, save)
    if not path:
        return 0
    session = open_session(path, launch.saves, launch.systems, launch.dice, how="inline")
    absent = explain_absence(launch.systems, session.store.encounter)
    for remark in (*session.remarks, *filter(None, [absent])):
        print(remark, file=sys.stderr)  # noqa: T201
    talk = Talk(session.store, sys.stdout)
    try:
        return run_conversation(session.store, session.writer.wait, sys.stdin, talk)
    finally:
        session.close()


def _ask_for_save(launch: Launch, save: str) -> str:
    """Return the path of the save to open, created if the name is new; "" to leave."""
    if not save:
        saves_in = saves_folder(launch.saves)
        lines = [f"{x.name}: {x.problem or x.system}" for x in list_saves(saves_in)[:MOST_SAVES]]
        head = f"Saves in {saves_in}:" if lines else f"No saves in {saves_in} yet."
        print("\n".join([head, *lines]))  # noqa: T201
        save = _ask("A name (also a new one), or q: ")
    if not save:
        return ""
    path = copy_sample(find_save_path(save, launch.saves), launch.saves)
    if not os.path.lexists(path) and sys.stdin.isatty():
        if not (chosen := _ask_for_system(save_name(path), launch.systems)):
            return ""
        house = load_house(config_folder(), launch.systems)
        create_save(path, launch.saves, launch.systems, chosen, {}, house.rules)
    return path
