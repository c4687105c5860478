"""A change is told what it needs: one of each kind is made in a copy of the tree, in part and then whole.

In part, the type checker or a law names what is missing; whole, both are content with all of them at once.
ARCHITECTURE ("Where to start") gives for each the number of files, which is counted here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

ROOT = Path(__file__).parents[1]
KEPT = ("tui", "tests", "themes", "saves", ".github", ".ci", "README.md", "LICENSE", "pyproject.toml")
TYPES = ("mypy", "--strict", "tui")
LAWS = ("pytest", "-n", "0", "-q", "-p", "no:cacheprovider")
QUICK = "not long and not hours"


class Edit(Struct, frozen=True):
    """A text is put behind another that stands in a file; without that other, the file is new."""

    path: str
    behind: str
    text: str


ACTIONS, DECIDE, EVENTS = (
    "tui/core/language/actions.py",
    "tui/core/rules/decide.py",
    "tui/core/fight/events.py",
)
APPLY = "tui/core/fight/apply.py"
FILLED = "tui/core/views/table_for.py"
SCREEN = "tui/ui/panes/screen.py"

VERB = (
    Edit(
        ACTIONS,
        '    syntax: ClassVar = Syntax("note", (Tail("text", "TEXT"),), "writes a line into the log")\n',
        '\n\nclass Cheer(Request, frozen=True):\n    """Cheer for somebody."""\n\n    text: str\n'
        '    syntax: ClassVar = Syntax("cheer", (Tail("text", "TEXT"),), "cheers for somebody")\n',
    ),
    Edit(ACTIONS, "TableAction = FreeRoll | Option | System | Note", " | Cheer"),
    Edit(EVENTS, "TableEvent = Announced | OptionSet | SystemChanged | DiceThrown | NoteTaken", " | Cheered"),
    Edit(
        EVENTS,
        "class NoteTaken(BaseEvent, frozen=True):\n"
        '    """A line was written into the log."""\n\n    text: str\n',
        "\n\nclass Cheered(BaseEvent, frozen=True):\n"
        '    """The people at the tables cheered."""\n\n    text: str\n',
    ),
    Edit(
        DECIDE,
        '            d.emit(ev.NoteTaken(literal(values.read_text(text, "the note"))))\n',
        '        case a.Cheer(text):\n            d.emit(ev.Cheered(values.read_text(text, "the cheer")))\n',
    ),
    Edit(APPLY, "ev.NoteTaken() | ev.DiceThrown()", " | ev.Cheered()"),
    Edit(
        "tui/core/views/sentences.py",
        "        case ev.NoteTaken(words):\n            return (secret(words),)\n",
        '        case ev.Cheered(words):\n            return (say(literal(f"All cheer: {words}")),)\n',
    ),
    Edit(EVENTS, "QUIET_EVENTS: frozenset[type[Event]] = frozenset({\n", "    Cheered,\n"),
)
SURRENDER = (
    Edit(
        ACTIONS,
        '    syntax: ClassVar = Syntax("note", (Tail("text", "TEXT"),), "writes a line into the log")\n',
        '\n\nclass Surrender(Request, frozen=True):\n    """Give up."""\n\n    who: str\n'
        '    syntax: ClassVar = Syntax("surrender", (Tail("who", "WHO"),), "lets creatures give up")\n',
    ),
    Edit(ACTIONS, "TableAction = FreeRoll | Option | System | Note", " | Surrender"),
    Edit(EVENTS, "CreatureEvent = (\n", "    Surrendered |\n"),
    Edit(
        EVENTS,
        '    """A creature is out of the fight: down, fled or dead."""\n\n    who: str\n',
        '\n\nclass Surrendered(BaseEvent, frozen=True):\n    """A creature gave up."""\n\n    who: str\n',
    ),
    Edit(
        DECIDE,
        '            d.emit(ev.NoteTaken(literal(values.read_text(text, "the note"))))\n',
        "        case a.Surrender(who):\n"
        "            d.emit(*(ev.Surrendered(k) for k in resolve(d.encounter, who)))\n",
    ),
    Edit(DECIDE, "from __future__ import annotations\n", "\nfrom tui.core.language.select import resolve\n"),
    Edit(
        APPLY,
        "            return _change_each(e, (who,), _take_out)\n",
        "        case ev.Surrendered(who):\n            return _change_each(e, (who,), _take_out)\n",
    ),
    Edit(
        "tui/core/views/sentences.py",
        "def _tell_creature(e: Encounter, event: ev.CreatureEvent, system: InitiativeSystem) -> Sentences:\n"
        "    match event:\n",
        '        case ev.Surrendered(who):\n            return (say("{0} gives up", who),)\n',
    ),
    Edit(EVENTS, "QUIET_EVENTS: frozenset[type[Event]] = frozenset({\n", "    Surrendered,\n"),
)
YIELDED = """
from tests.kit.table import Table, acting, carried

t = Table("classic")
t.do("add Ana hp=9 +9", "add Bo hp=9", "begin")
t.do("roll", dice=[15, 5])
t.do("next", "condition Bo bane of=Ana conc=yes", "surrender Ana")
assert (acting(t), carried(t, "Ana"), carried(t, "Bo")) == ("", [], []), (acting(t), t.state())
t.do("next")
assert acting(t) == "Bo"
"""
WEATHER = '''"""The weather of the fight."""

from __future__ import annotations

from tui.ui.panes.pane import Ask, Pane
from tui.ui.panes.creatures import label_line
from tui.ui.state.layout import Room
from tui.ui.state.scene import Scene
from tui.ui.text.rows import Box, Row, clip


def _ask(scene: Scene, room: Room) -> Ask | None:
    return Ask(2, rank=1, least=2) if room.kind == "wide" and scene.table.running else None


def _draw(scene: Scene, box: Box) -> list[Row]:
    rain = clip(((" It rains", "text"),), box.width, scene.glyphs.ellipsis)
    return [label_line(scene, "Weather", box.width), rain]


PANE = Pane("weather", _ask, _draw, tab=5)
'''
RAIN = """from tests.kit.keyboard import FIGHT, Player


def test_it_rains_beside_the_track_and_tab_goes_there() -> None:
    p = Player(lines=FIGHT)
    p.size = (120, 40)
    boxes = p.desk.boxes(*p.size)
    assert boxes["weather"].x == boxes["card"].x > 0
    assert any("It rains" in row for row in p.picture()["weather"])
    p.press("tab", "tab", "tab")
    assert p.desk.view.focus == "weather"
    assert {"track", "card", "roster", "log"} <= set(p.picture())
"""
ABSENT = '''"""Those who are out, as a list that letters narrow: Enter brings one back."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from tui.core.language.tokens import quote
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.creatures import focus_title
from tui.ui.state.scene import Scene
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row, pad_rows


class AbsentList(KeyMode, frozen=True):
    """The list, narrowed by what was typed; the first is meant."""

    typed: str = ""
    HINTS: ClassVar[Hints] = (("letters", "narrow"), ("Enter", "back"), ("Esc", "close"))

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Take one key."""
        names = self._names(desk.scene)
        if key.key == "escape":
            desk.show(mode=None)
        elif key.key == "enter" and names:
            desk.show(mode=None)
            desk.run(f"back {quote(names[0])}")
        elif key.key == "backspace":
            desk.show(mode=replace(self, typed=self.typed[:-1]))
        elif key.char:
            desk.show(mode=replace(self, typed=self.typed + key.char))

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the names below what was typed."""
        rows: list[Row] = [((f"  {name}", "text"),) for name in self._names(scene)]
        return pad_rows([focus_title(scene, f"Out: {self.typed}_", box.width), *rows], box.height)

    def _names(self, scene: Scene) -> list[str]:
        gone = (c.name for c in scene.encounter.combatants.values() if c.out)
        return [name for name in gone if name.lower().startswith(self.typed)]


WORDS = {"absent": lambda desk, _rest: desk.show(mode=AbsentList())}
'''
BACK = """from __future__ import annotations

from tests.kit.keyboard import Player


def test_who_is_out_is_found_by_letters_and_comes_back() -> None:
    p = Player(lines=("add Ana", "add Bo", "add Cay", "out Ana,Cay"))
    p.press(":", "'absent'", "enter")
    assert [row.strip() for row in p.picture()["over"] if row.strip()][1:] == ["Ana", "Cay"]
    p.press("'c'")
    assert [row.strip() for row in p.picture()["over"] if row.strip()][1:] == ["Cay"]
    assert "narrow" in p.picture()["hints"][0]
    p.press("enter")
    assert [c.name for c in p.store.encounter.combatants.values() if c.out] == ["Ana"]
    assert p.desk.view.mode is None
"""
MODE = (Edit("tui/ui/modes/absent.py", "", ABSENT),)
PANE = (
    Edit("tui/ui/panes/weather.py", "", WEATHER),
    Edit(SCREEN, "    track,\n", "    weather,\n"),
    Edit(SCREEN, "    card.PANE,\n", "    weather.PANE,\n"),
)
VALUE = (
    Edit("tui/core/table.py", '    """the number that the system compares"""\n', "    taken: int\n"),
    Edit("tui/core/table.py", "    taken: int\n", '    """the damage that its creatures have taken"""\n'),
    Edit(FILLED, "        value=row.value,\n", "        taken=sum(c.taken for c in creatures),\n"),
    Edit("tui/core/fight/combatant.py", "    shown: bool = False\n", "    taken: int = 0\n"),
    Edit(
        APPLY,
        "        case ev.Damaged(who, _, hp, temp):\n",
        "            e = _change_each(e, (who,), lambda c: replace(c, taken=c.taken + event.amount))\n",
    ),
    Edit("tests/core/views/test_seen.py", '    "RowView": "entry', " taken"),
)
"""From the event to a player's view: what the encounter keeps of it, and what the table shows of that.

Each is a struct and what fills it. An encounter that kept whatever an event brings, under any name, would
need no file for the first; but then no type would say what a fight is, nor which saves still open.
"""
COLUMN = (
    Edit("tui/ui/text/track.py", 'VALUES = (ValueColumn("AC", 2),', ' ValueColumn("taken", 5),'),
    Edit(
        "tui/ui/text/held.py",
        "        values=_list_values(own)",
        ' | ({"taken": f"{view.taken}"} if view else {})',
    ),
)
DRAWN = """from tests.kit.keyboard import Player
from tui.core.fight.viewer import viewer_of
from tui.ui.desk.viewer_desk import ViewerDesk
from tui.ui.text.rows import words


def test_the_damage_that_was_taken_reaches_the_screen_and_a_players_view() -> None:
    p = Player(lines=["add Ana hp=99 owner=Mia", "add Bo hp=99", "begin", "roll Ana 9", "roll Bo 8"])
    p.press(":", "'damage Bo 31'", "enter", ":", "'damage Bo 40'", "enter")
    p.size = (160, 50)
    desk = ViewerDesk(p.store, viewer_of("Mia"))
    hers = [words(row) for row in desk.draw(desk.boxes(160, 50))["track"]]
    for rows in (p.picture()["track"], hers):
        assert any("taken" in row for row in rows)
        assert sum(" 71" in row for row in rows) == 1
    p.press("u")
    assert any(" 31" in row for row in p.picture()["track"])
"""
OFFERS = "tui/core/views/offers.py"
BUTTON = (
    Edit(OFFERS, '        "done": _done(shown, system, viewer),\n', '        "hold": _hold(e, viewer),\n'),
    Edit(
        OFFERS,
        'REACT = "react"\n',
        "\n\ndef _hold(e: Encounter, viewer: Viewer) -> list[Choice]:\n"
        '    """Return `hold` of the running turn, if it is the player\'s."""\n'
        "    mine = e.turn and viewer.owns(e, e.turn.who)\n"
        '    return [Choice(f"hold {quote(label(e, e.acting))}", "Delay")] if mine else []\n',
    ),
    Edit("tui/core/views/gate.py", "a.Order() | a.Roll() | a.TakeTurn()", " | a.Hold()"),
)
"""A line that a page offers is a button there, without a word of JavaScript."""
DELAYED = """from tests.kit.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.views.offers import offers_for
from tui.serve.judge import PageJudge
from tui.serve.letter import Posted, SentLine


def test_a_player_delays_from_the_page() -> None:
    t = Table("classic")
    t.do("add Ana owner=Mia", "add Bo", "begin", "roll Ana 15", "roll Bo 5", "next")
    mia = viewer_of("Mia")
    offers = offers_for(t.store.marker(mia).encounter, t.store.system, mia)
    assert [(x.line, x.title) for x in offers.lines["hold"]] == [("hold Ana", "Delay")]
    sent = SentLine("mia", "key", Posted("line-00000001", 1, "hold Ana"), lambda _: None)
    assert PageJudge(t.store).judge(sent, "Mia").reply.became == "taken"
    assert (t.store.done(t.store.step).line, t.store.done(t.store.step).by) == ("hold Ana", "Mia")
"""
LAWFUL: dict[str, tuple[Edit, ...]] = {
    "a format of export": (
        Edit(
            "tui/exchange/story/writers/lines.py",
            "",
            '"""Plain lines: what happened and nothing else."""\n\nfrom __future__ import annotations\n\n'
            "from tui.exchange.story.story import Story, StoryFormat\n\n\n"
            'def write(story: Story) -> str:\n    """Return a line for each thing that happened."""\n'
            '    return "\\n".join(x.text for x in story.happenings)\n\n\n'
            'LINES = StoryFormat("lines", "plain lines", write)\n',
        ),
    ),
    "a setting": (
        Edit("tui/ui/state/settings.py", "    quit_to_start: bool = False\n", "    loud: bool = False\n"),
        Edit("tui/manual/settings.md", "|---|---|---|\n", "| `loud` | `false` | rings for everything |\n"),
    ),
    "a command with its key": (
        Edit(
            "tui/ui/state/commands.py",
            "COMMANDS: tuple[Command, ...] = (\n",
            '    Command("dawn", ("F",), "rest long", "lets a night go by", "dawn", "play"),\n',
        ),
    ),
}
"""Changes of which a law tells: the first edit of each is made at first."""

TELLING = (
    "tests/manual/test_chapters.py",
    "tests/test_documents.py",
    "tests/ui/settings/test_config.py",
    "tests/core/fight/test_events.py",
    "tests/core/views/test_seen.py",
    "tests/ui/rows/test_panes.py",
    "-k",
    "not every_command_of_a_chapter and not fits_the_terminal",
)
"""Laws that name what a change lacks."""
QUEUE = '''"""A d20 each."""

from __future__ import annotations

from tui.core.fight.agenda import Sentence, say
from tui.core.fight.encounter import Encounter, Entry
from tui.systems.shared.track import TrackSystem


class Queue(TrackSystem):
    """All roll a d20."""

    id = "queue"
    title = "Queue"
    summary = "a d20 each"

    def dice_for(self, e: Encounter, entry: Entry) -> tuple[int, ...]:
        """Return a d20."""
        return (20,)

    def explain(self, e: Encounter, entry: Entry) -> Sentence:
        """Explain the number."""
        return say("a d20", entry.key)
'''
SYSTEM = {
    "__init__.py": '"""A system of somebody else\'s."""\n',
    "system.py": QUEUE,
    "system.sample.toml": 'name = "queue"\nseed = 1\nlines = "begin"\n',
    "system.lesson.toml": 'title = "the queue"\nseed = 1\nlines = ["add Ana owner=Mia", "add Bo"]\n\n'
    '[[steps]]\nsay = "Begin."\nkeys = ["@begin"]\nwants = { round = 1, system = "queue" }\n\n'
    '[[steps]]\nsay = "That is all."\n',
}


class Copy:
    """A copy of the tree in which changes are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in KEPT:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name)
            else:
                shutil.copy2(ROOT / name, folder / name)
        if (ROOT / ".mypy_cache").is_dir():
            shutil.copytree(ROOT / ".mypy_cache", folder / ".mypy_cache")

    def make(self, *edits: Edit) -> None:
        """Put each text behind the other."""
        for edit in edits:
            path = self.folder / edit.path
            if edit.behind:
                old = path.read_text(encoding="utf-8")
                assert edit.behind in old, f"{edit.path} has changed: {edit.behind}"
                path.write_text(old.replace(edit.behind, edit.behind + edit.text), encoding="utf-8")
            else:
                path.write_text(edit.text, encoding="utf-8")

    def add_system(self) -> None:
        """Put a system there: a package, and nothing else."""
        package = self.folder / "tui" / "systems" / "queue"
        package.mkdir()
        for name, text in SYSTEM.items():
            (package / name).write_text(text, encoding="utf-8")

    def complaints(self, *words: str) -> str:
        """Return what a module prints that fails when it is run in the copy."""
        ended = self._run(*words)
        assert ended.returncode, f"{words} is content"
        return ended.stdout

    def content(self, *words: str) -> None:
        """Assert that a module finds no fault with the copy."""
        ended = self._run(*words)
        if ended.returncode:
            raise AssertionError(ended.stdout + ended.stderr)

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", *words]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)


@pytest.fixture
def tree(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def files(edits: Sequence[Edit]) -> set[str]:
    return {edit.path for edit in edits if edit.path.endswith(".py")}


TYPED, LAWFUL_PARTS = (*VERB[:4], *VALUE[:1]), (*SURRENDER[:-1], VALUE[0], *VALUE[2:-1], PANE[0])
"""What is made at first: of the one the types name the rest, of the other a law."""
WHOLE = {
    "a verb with an event": (VERB, 5),
    "an event that takes a creature out": (SURRENDER, 5),
    "a value of a row that an event brings": (VALUE, 5),
    "its column": (COLUMN, 2),
    "a pane": (PANE, 2),
    "a mode with a list and a filter": (MODE, 1),
    "a button of a player's page": (BUTTON, 2),
    **{name: (edits, 1) for name, edits in LAWFUL.items()},
}
"""Every change, and how many modules it needs."""


def test_a_change_is_made_in_few_files() -> None:
    assert {name: len(files(edits)) for name, (edits, _) in WHOLE.items()} == {
        name: count for name, (_, count) in WHOLE.items()
    }


@pytest.mark.long
def test_the_types_name_what_a_verb_and_a_value_lack_and_take_every_change(tree: Copy) -> None:
    tree.make(*TYPED)
    said = tree.complaints(*TYPES)
    wanted = (DECIDE, APPLY, "tui/core/views/sentences.py", FILLED)
    assert [path for path in wanted if path not in said] == []
    tree.add_system()
    tree.make(*(edit for edits, _ in WHOLE.values() for edit in edits if edit not in TYPED))
    tree.content(*TYPES)


@pytest.mark.long
def test_laws_name_what_the_others_lack_and_take_every_change(tree: Copy) -> None:
    begun = (*LAWFUL_PARTS, *(edits[0] for edits in LAWFUL.values()))
    tree.make(*begun)
    said = tree.complaints(*LAWS, *TELLING)
    lacking = (
        "plain lines", "'loud'", "lets a night go by", "Surrendered", "no text below it",
        "tui.ui.panes.weather", "whether_players_read_it",
    )  # fmt: skip
    assert [word for word in lacking if word not in said] == []
    tree.make(*(edit for edits, _ in WHOLE.values() for edit in edits if edit not in begun))
    tree.add_system()
    tree.content("tests.manual")
    assert "track[].taken" in (tree.folder / ".github" / "FORMAT.md").read_text(encoding="utf-8")
    tree.content(*LAWS, *TELLING)
    made = "test_house or test_tiny or queue or test_clauses or test_samples or test_package"
    tree.content(*LAWS, "tests", "-m", QUICK, "-k", made)
    for name, text in (("yielded.py", YIELDED), *((f"tests/test_{n}.py", t) for n, t in SHOWN.items())):
        tree.make(Edit(name, "", text))
    tree.content("yielded")
    tree.content(*LAWS, *(f"tests/test_{name}.py" for name in SHOWN))


SHOWN = {"taken": DRAWN, "rain": RAIN, "absent": BACK, "delayed": DELAYED}
"""What is seen of a value with its column, of a pane, of a mode and of a button of a page."""
