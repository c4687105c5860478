"""Transcripts of fights: lines and questions, each followed by its answer.

- `> LINE` runs a line: the log follows, or `!` and the refusal with its hint
- `: LINE` runs a line that prepares the fight: only a refusal is shown
- `> keys KEY...` presses keys at a desk of 80 columns and 24 rows, which stays open; a text in double
  quotes is typed. The lines sent to the fight follow, then the notice on the screen
- `> paste TEXT` pastes a text in which `\\n` and `\\t` end a line and a field
- `Mia> LINE` sends a line from a player's page, which shows this moment: the line that was run follows, or
  `!` and the answer
- `? picture PANE...` shows panes of that screen, without blank rows; `? picture 60x18 PANE` another size;
  `? rows TEXT` shows the rows of all panes that have this text, and `? inks TEXT` the roles of their pieces
- `? QUESTION` asks (`tests/kit/questions.py`); `? read LINE` shows how a line is parsed
- `? news VIEWER` and `? seat PLAYER` show what has changed since they were last asked, as `= ROW: VALUES`;
  the first news of a player shows the differences from the game master's
- `? after QUESTION...` shows changes in the same way below each later line
- `< TITLE` comes first: the fight goes on where that transcript of the same system ends

In a file `start.txt` there is no fight but the start screen of a folder with some: `> keys KEY...` shows what
was opened. In a folder `library` the fight has the library of that folder. `toy.txt` and `torch.txt` play
systems of the tests.

After a change of words `python -m tests.kit PATH` writes the answers of a file or folder again: read the
difference. The id of a test begins with that path.
"""

from __future__ import annotations

import re
import shlex
from contextlib import chdir
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.kit.keyboard import Player
from tests.kit.questions import QUESTIONS, shown
from tests.kit.random_play import changed
from tests.kit.table import Table
from tests.kit.visitor import DAY, LAID_OUT, REGISTRY, Visitor, lay_out
from tui.core.base.errors import RuleError
from tui.core.fight.encounter import Encounter
from tui.core.language.grammar import parse
from tui.core.language.grammar import write_line as written
from tui.serve.judge import PageJudge
from tui.serve.letter import Posted, SentLine
from tui.store.library.service import Library
from tui.store.opening import load_save
from tui.store.sources import SeededDice
from tui.systems import Registry

TESTS = Path(__file__).parents[1]
STRANGERS = Registry([str(TESTS / "ui" / "toys"), str(TESTS / "plugins")])
"""The shipped systems and those of the tests."""
PLACES = sorted((TESTS / "systems" / "transcripts").rglob("*.txt"))
"""The files of transcripts for each system, named by its id."""
CORE = sorted((TESTS / "core" / "transcripts").rglob("*.txt"))
"""The files of transcripts for the core, named by the system that is played."""
DESK = sorted((TESTS / "ui" / "transcripts").rglob("*.txt"))
"""The files of transcripts for keys and screens, named by the system that is played."""

Rows = dict[tuple[str, str], dict[str, Any]]
"""Values by the section and the name of their row."""

UNTOLD = ("format", "system", "options", "save", "step", "can_undo", "can_redo", "last")
"""Sections of the state that news leaves out, because the store adds them or they hardly change."""


class Reader(Table):
    """A table that keeps the questions after each line, and the answers shown last."""

    after: tuple[str, ...] = ()
    shown: dict[str, Rows]
    steps: int = 0
    player: Player | Visitor | None = None

    @property
    def desk(self) -> Player | Visitor:
        """The player at the desk of this fight, made at the first use."""
        self.player = self.player or Player(table=self)
        return self.player


def transcripts(place: Path) -> list[str]:
    """Return the transcripts in a file; each begins with its title."""
    return place.read_text(encoding="utf-8").strip().split("\n\n")


def each(places: list[Path]) -> pytest.MarkDecorator:
    """Run a test for each transcript; the id names the file and the title."""
    found = [(place, text) for place in places for text in transcripts(place)]
    ids = [f"{place.relative_to(TESTS.parent)} {text.splitlines()[0]}" for place, text in found]
    return pytest.mark.parametrize(("place", "transcript"), found, ids=ids)


def replayed(place: Path, transcript: str) -> str:
    """Return a transcript with the same lines and questions, and the present answers."""
    system = "classic" if place.stem == "start" else place.stem
    t = Reader(system, None, SeededDice(1), STRANGERS if system in ("toy", "torch") else None)
    t.shown = {}
    if place.stem != "start" and place.parent.name != "library":
        return "\n".join(_play(t, place, transcript))
    with TemporaryDirectory() as name, chdir(name):
        folder = lay_out(Path("saves"))
        if place.stem == "start":
            t.player = Visitor(folder, now=LAID_OUT + DAY)
        t.library = Library(str(folder), REGISTRY, lambda path: load_save(path, REGISTRY).history.encounter)
        t.throw_with(t.dice)
        return "\n".join(_play(t, place, transcript))


def _play(t: Reader, place: Path, transcript: str) -> list[str]:
    lines = list[str]()
    for line in transcript.splitlines():
        kind, _, rest = line.partition(" ")
        if kind in KINDS or kind[1:].endswith(">"):
            lines.append(line)
        if kind == "<":
            _play(t, place, _titled(place, rest))
        elif kind == ">":
            lines += [*(_press if rest.startswith(("keys ", "paste ")) else _run)(t, rest), *_after(t)]
        elif kind == ":":
            lines += [x for x in _run(t, rest) if x.startswith("!")] + _after(t)
        elif kind == "?":
            lines += _asked(t, rest)
        elif kind.endswith(">"):
            lines += [*_send(t, rest, kind[:-1]), *_after(t)]
    return lines


OF_A_STEP = ("facts", "log")
"""Questions about the latest step only."""
CHANGES = ("news", "seat")
"""Questions that are answered with changes only."""
KINDS = ("#", "<", ">", ":", "?")


def _titled(place: Path, title: str) -> str:
    """Return the transcript with a title, from this file or from others of its system."""
    others = [x for x in (*PLACES, *CORE, *DESK) if x.stem == place.stem]
    return next(x for file in (place, *others) for x in transcripts(file) if x.startswith(f"# {title}\n"))


def _run(t: Table, line: str) -> list[str]:
    words, _, faces = line.partition(" <- ")
    e, steps = t.encounter, len(t.ledger.steps)
    try:
        said = t.do(words, dice=[int(x) for x in faces.split()] if faces else None)
    except RuleError as error:
        return ["! " + "; ".join(filter(None, (error.reason, error.hint, error.rule)))]
    _check_events(t, e, steps, line)
    return [f"  {x.cited}" for x in said.lines]


def _send(t: Table, line: str, name: str) -> list[str]:
    e, steps = t.encounter, len(t.ledger.steps)
    sent = Posted(f"{name.lower()}-{steps:08}", 1, line)
    reply = PageJudge(t.store).judge(SentLine(name.lower(), "", sent, print), name).reply
    if reply.became != "taken":
        return ["! " + "; ".join(filter(None, (reply.why, reply.hint)))]
    _check_events(t, e, steps, line)
    return [f"  {t.ledger.steps[-1].line}"]


def _check_events(t: Table, e: Encounter, steps: int, line: str) -> None:
    for event in chain.from_iterable(record.events for record in t.ledger.steps[steps:]):
        e = changed(e, event, [line])


KEY = re.compile(r'"[^"]*"|\S+')


def _press(t: Reader, line: str) -> list[str]:
    """Press keys or paste a text; return the lines that they sent, and the notice."""
    p, sent, (what, _, text) = t.desk, len(t.ledger.steps), line.partition(" ")
    gone = len(p.doors.gone) if isinstance(p, Visitor) else 0
    if what == "paste":
        p.desk.paste(text.replace("\\n", "\n").replace("\\t", "\t"))
    for key in KEY.findall(text if what == "keys" else ""):
        name = key if len(key) == 1 else key.lower().replace("esc", "escape")
        p.press(f"'{key[1:-1]}'" if len(key) > 1 and key[0] == '"' else name)
    lines = [f"  > {record.line}" for record in t.ledger.steps[sent:]]
    lines += [f"  > {' '.join(x)}" for x in p.doors.gone[gone:]] if isinstance(p, Visitor) else []
    return [*lines, *([f"  {p.message()}"] if p.message() else [])]


def _picture(t: Reader, *words: str) -> list[str]:
    """Return the rows of panes; the size is 80x24 unless a word gives another."""
    p = t.desk
    sizes = [word for word in words if word[0].isdigit()]
    columns, _, rows = (sizes or ["80x24"])[0].partition("x")
    p.size = int(columns), int(rows)
    drawn = p.picture()
    p.size = (80, 24)
    names = [word for word in words if word not in sizes]
    return [row.rstrip() for part in names or drawn for row in drawn.get(part, []) if row.strip()]


def _inks(p: Player | Visitor) -> list[str]:
    """Return the rows of the screen, each piece after its role; those of plain text without one."""
    rows = chain.from_iterable(p.desk.draw(p.desk.boxes(*p.size)).values())
    pieces = ([(x.strip(), role) for x, role in row if x.strip()] for row in rows)
    return [" | ".join(x if role == "text" else f"{role}: {x}" for x, role in row) for row in pieces]


def _read(line: str) -> list[str]:
    """Return a line as its action writes it, or the refusal."""
    try:
        return [f"  {written(parse(line, {'meet'}))}"]
    except RuleError as error:
        return [f"! {error.kind}: " + "; ".join(filter(None, (error.reason, error.hint)))]


def _asked(t: Reader, question: str) -> list[str]:
    what, _, rest = question.partition(" ")
    if what == "read":
        return _read(rest)
    if what == "picture":
        return [f"  {row}" for row in _picture(t, *rest.split())]
    if what == "rows":
        return [f"  {row}" for row in _picture(t) if rest in row] or ["  none"]
    if what == "inks":
        return [f"  {row}" for row in _inks(t.desk) if rest in row]
    if what == "after":
        t.after = tuple(rest.split())
        return _after(t)
    if what in CHANGES:
        return _changes(t, question) or ["  nothing"]
    try:
        return [f"  {line}" for line in QUESTIONS[what](t, *shlex.split(rest))]
    except RuleError as error:
        return [f"! {error.reason}"]


def _after(t: Reader) -> list[str]:
    return [line for question in t.after for line in _changes(t, question)]


def _changes(t: Reader, question: str) -> list[str]:
    """Return the rows of an answer that have changed since it was last shown; equal changes share a line."""
    if question in OF_A_STEP:
        steps, t.steps = t.steps, t.store.step
        return [] if steps == t.steps else _asked(t, question)
    what, *words = shlex.split(question)
    rows = _news(t, *words) if what == "news" else _rows(t, what, *words)
    first = _news(t) if words and what == "news" else {}
    before, t.shown[question] = t.shown.get(question, first), rows
    said: dict[str, dict[str, list[str]]] = {}
    for key in {**before, **rows}:
        if text := _difference(before.get(key, {}), rows.get(key, {})):
            said.setdefault(key[0], {}).setdefault(text, []).append(key[1])
    return [
        f"= {f'{section} {names}'.strip()}: {text}"
        for section, texts in said.items()
        for text, names in ((text, ", ".join(names)) for text, names in texts.items())
    ]


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    if not old or not new:
        return shown(new) if new else "gone" if old else ""
    found = {k: shown({"": new.get(k)}, "none") for k in {**old, **new}}
    return shown({k: x for k, x in found.items() if x != shown({"": old.get(k)}, "none")}, "")


def _rows(t: Reader, what: str, *words: str) -> Rows:
    """Return the rows of an answer by name; the name is the text before the first colon."""
    answer = QUESTIONS[what](t, *words)
    if what == "now":
        return {("now", ""): {"": answer[0]}}
    pairs = [x.partition(": ") for x in answer]
    return {("" if what == "seat" else what, name): {"": text} for name, _, text in pairs}


def _news(t: Reader, viewer: str | None = None) -> Rows:
    """Return the whole state as rows, as a viewer sees it."""
    rows: Rows = {("fight", ""): {}}
    for section, found in t.state(viewer).items():
        if section in ONE_LINE:
            rows["fight", ""][section] = found
        elif section not in UNTOLD:
            for x in found if isinstance(found, list) else [found]:
                _add_row(rows, section, x)
    return rows


def _add_row(rows: Rows, section: str, x: object) -> None:
    table = dict(x) if isinstance(x, dict) else {"": x}
    names = [str(table.pop(k)) for k in NAMES if k in table]
    name = " ".join(names)
    while (section, name) in rows:
        name += " again"
    alike = {k: v.replace(names[-1], "…") if names and isinstance(v, str) else v for k, v in table.items()}
    rows[section, name] = alike


ONE_LINE = ("round", "phase", "acting")
"""Sections of the state that news shows on one line."""
NAMES = ("kind", "name", "entry", "who")
"""The keys whose values form the name of a row."""
