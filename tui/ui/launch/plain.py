"""Run plain mode: read a line, print a short line for each message, then what comes next.

It is for screen readers, pipes, and terminals without a screen. Textual is never imported here.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from threading import Lock
from typing import TextIO

from msgspec import Struct

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import AcknowledgeAsk, EffectAsk, FormAsk, LockAsk, PickAsk, RollAsk
from tui.core.fight.encounter import label
from tui.core.fight.viewer import text
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import read_int
from tui.core.rules.complete import complete
from tui.core.rules.now import now
from tui.core.rules.system import Systems, explain_absence
from tui.core.rules.upkeep import all_owed
from tui.core.table_lines import creature_lines, track_lines
from tui.core.views.table_for import say_now
from tui.store.house import load_house
from tui.store.opening import copy_sample, create_save
from tui.store.players.broadcast import Broadcast
from tui.store.problems import NotSaved
from tui.store.saves import Listed, config_folder, find_save_path, list_saves, save_name, saves_folder
from tui.store.seats.host import SeatInboxThread
from tui.store.session import open_session
from tui.store.shelf import Brief, summarize_save
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
            "; ".join(complete(words[:-1], store.encounter, store.system, (), store.effects.stock))
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

Ask = Callable[[str], str]


class Console(Struct, frozen=True):
    """How to talk to the user: `say` prints a line, `ask` returns an answer, "q" at the end of the input."""

    say: Callable[[str], None]
    ask: Ask


def console_of_terminal() -> Console:
    """Return a console for the user's terminal."""

    def ask(question: str) -> str:
        try:
            print(question, end="", flush=True)  # noqa: T201
            # input() alone may miss a ctrl+c that comes just before it reads.
            wait_until_typed(sys.stdin)
            return input().strip()
        except EOFError:
            return "q"

    return Console(print, ask)


def pick(console: Console, options: Iterable[tuple[str, str]], question: str, usual: str = "") -> str:
    """Return the option picked by its number, `usual` for an empty answer, "" for q, else the text typed."""
    names: list[str] = []
    for number, (name, about) in enumerate(options, 1):
        names.append(name)
        console.say(f"{number:>3}  {name}: {about}")
    while True:
        answer = console.ask(question)
        if answer.lower() == "q":
            return ""
        if not (answer.isascii() and answer.isdecimal()):
            return answer or usual
        with suppress(RuleError):
            return names[read_int(answer, "the list", 1, len(names)) - 1]
        console.say(f"There is no number {answer[:20]}: {f'1 to {len(names)}' if names else 'write a name'}.")


def choose_save(console: Console, saves: Sequence[Listed], briefs: Sequence[Brief], folder: str) -> str:
    """Return the path of the save picked, else the name typed; "" to leave."""
    console.say(f"Saves in {folder}:" if saves else f"No saves in {folder} yet.")
    options = ((s.name, s.problem or _describe_brief(known)) for s, known in zip(saves, briefs, strict=True))
    name = pick(console, options, "A number, a name (also a new one), or q: ")
    return next((save.path for save in saves if save.name == name), name)


def _describe_brief(brief: Brief) -> str:
    """Return a summary such as `Classic, round 2, Ana acts, 35 steps`, or the problem."""
    if brief.problem:
        return brief.problem
    cells = [
        brief.system,
        f"round {brief.round}" if brief.round else "",
        brief.stands,
        f"{brief.steps} steps",
    ]
    return ", ".join(x for x in cells if x)


def choose_system(console: Console, name: str, systems: Systems) -> str:
    """Return the id of the system for a new save, "" to make none."""
    known = {system.id: system.summary for system in systems.known()}
    for problem in systems.problems():
        console.say(problem)
    console.say(f"{name} is not there yet. Which system does it use?")
    while True:
        first = next(iter(known))
        answer = pick(console, known.items(), "A number or a name (Enter: 1), or q: ", first).lower()
        fits = [one for one in known if one.startswith(answer)]
        if fits or not answer:
            return fits[0] if answer else ""
        console.say(f"There is no system {answer}.")


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
    players = Broadcast(path)
    settle = partial(talk.settled, session.writer.wait)
    seats = SeatInboxThread(session, talk.heard, partial(print, file=sys.stderr), settle)
    try:
        return run_conversation(session.store, session.writer.wait, sys.stdin, talk)
    finally:
        seats.close()
        players.close()
        session.close()


def _ask_for_save(launch: Launch, save: str) -> str:
    """Return the path of the save to open, created if the name is new; "" to leave."""
    console = console_of_terminal()
    if not save:
        saves_in = saves_folder(launch.saves)
        saves = list_saves(saves_in)[:MOST_SAVES]
        save = choose_save(
            console, saves, [summarize_save(one.path, launch.systems) for one in saves], saves_in
        )
    if not save:
        return ""
    path = copy_sample(find_save_path(save, launch.saves), launch.saves)
    if not os.path.lexists(path) and sys.stdin.isatty():
        if not (chosen := choose_system(console, save_name(path), launch.systems)):
            return ""
        house = load_house(config_folder(), launch.systems)
        create_save(path, launch.saves, launch.systems, chosen, {}, house.rules)
    return path
