"""Run the start screen: a desk without a fight, whose lists open fights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.language.tokens import quote, tokens
from tui.core.rules.system import Systems
from tui.store import shelf
from tui.store.library.shelves import RosterFile
from tui.store.opening import make_start_store
from tui.store.saves import check_save_name, save_name
from tui.ui.desk import board
from tui.ui.desk.base import BaseDesk
from tui.ui.desk.board import unquote_name
from tui.ui.desk.desk import Desk
from tui.ui.desk.ports import SaveFolder, Services, StartActions, Taken, refusals
from tui.ui.desk.reading import explained_chapters
from tui.ui.modes.fight_name import NamePrompt
from tui.ui.modes.manual import Manual
from tui.ui.modes.menu import Menu
from tui.ui.modes.texts import Explained, keys_of_help
from tui.ui.state.commands import Command, start_commands
from tui.ui.state.home import EntryKind, Home, HomeRow, SystemSummary, current, step_entry, step_list
from tui.ui.state.scene import Scene
from tui.ui.state.settings import Settings
from tui.ui.state.view import Notice, View
from tui.ui.text.editor import Editor
from tui.ui.text.menu import Item
from tui.ui.text.press import ALL_ROWS, PAGE_ROWS, Press, number

TENTH = 10
"""The system of the key 0."""


class Offered(Struct, frozen=True):
    """The systems and lessons of the start screen."""

    systems: tuple[SystemSummary, ...] = ()
    lessons: tuple[str, ...] = ()
    welcome: bool = False
    """Whether the user has never configured the program: a first start shows the lessons first."""
    problems: tuple[str, ...] = ()
    """A line for each file of a system of the user's that cannot be read."""


class StartDesk(Desk):
    """The desk of the start screen. `clock` returns the time in seconds since 1970."""

    def __init__(
        self,
        shelf: SaveFolder,
        actions: StartActions,
        clock: Callable[[], float],
        settings: Settings,
        services: Services,
        offered: Offered,
        systems: Systems,
    ) -> None:
        self.shelf, self.actions, self.offered, self._clock = shelf, actions, offered, clock
        self.look()
        super().__init__(make_start_store(systems), settings, services)
        self.view = View()

    @property
    def commands(self) -> tuple[Command, ...]:
        """The commands of the start screen."""
        return start_commands(self.settings.commands)

    def look(self) -> None:
        """Read the folder of saves; called when it may have changed, not with every key."""
        self._contents, self._now = self.shelf.contents(), self._clock()

    @property
    def home(self) -> Home:
        """The contents of the start screen."""
        own, welcome = self.offered, self.offered.welcome and not self._contents.fights
        return Home(self._contents, own.systems, own.lessons, self.shelf.briefs(), self._now, welcome)

    @property
    def scene(self) -> Scene:
        """Everything that a frame depends on."""
        return replace(super().scene, home=self.home)

    @property
    def here(self) -> HomeRow | None:
        """The row in focus."""
        return current(self.home, self.view)

    @property
    def folder(self) -> str:
        """The folder of saves."""
        return self._contents.folder

    @property
    def words(self) -> Mapping[str, Callable[[BaseDesk, str], None]]:
        """The functions of this screen's words; each takes the desk and the rest of the line."""
        return {**_SHARED_WORDS, **{word: _bind(self, does) for word, does in _OWN_WORDS.items()}}

    def open(self, at: str = "", new_name: str = "") -> None:
        """Read the folder, and show all lists with the cursor on row `at`.

        With `new_name`, ask for the system of a new fight of that name.
        """
        self.look()
        self.view = View(track=at)
        if problems := self.offered.problems:
            # The name of the file is enough: a long path would leave no room for the rest.
            first = problems[0][problems[0].rfind("/", 0, problems[0].find(":")) + 1 :]
            more = f"{len(problems)} mistakes, see tocsin systems: " if problems[1:] else ""
            self.notify(f"{more}{first}", "warning")
        if new_name:
            which_system(self, f"Which system for {new_name}?", quote(new_name))

    def unbound(self, key: Press) -> None:
        """Handle a key without a command: the number of a system, or nothing."""
        if (place := number(key.name)) is not None:
            self.submit(f"make {place or TENTH}")
        elif key.char:
            self.notify(f"{key.name} means nothing here; [?] lists the keys", "hint")

    def _word(self, word: str, rest: str) -> bool:
        before = self.view.mode
        self.dismiss()
        try:
            _check(word, rest)
            with refusals():
                self.words[word](self, rest)
        except RuleError as error:
            # What was typed stays as it is.
            self.show(mode=before)
            self.report_refusal(error)
            return False
        return True

    def report_refusal(self, error: RuleError) -> None:
        """Show an error and its hint; if a save cannot be written, ask what to do with it."""
        if isinstance(error, Taken):
            self.ask(error)
        else:
            super().report_refusal(error)

    def ask(self, outcome: Taken) -> None:
        """Ask what to do with a save that cannot be opened for writing."""
        reason = outcome.message
        look = Item("open read-only", f"look {outcome.path}", "l", preview=f"read-only; {reason}")
        take = Item("take over", f"take {outcome.path}", "t", preview=f"asks its writer to leave; {reason}")
        items = (look, take) if outcome.taken else (look,)
        self.show(mode=Menu(f"{save_name(outcome.path)} cannot be written now", items))

    def run(self, line: str) -> bool:
        """Refuse a line of a fight."""
        word = line.partition(" ")[0]
        problem = f"{word} works only while a fight is open"
        self.show(notice=Notice(problem, "error", "? lists the words"))
        return False


OwnWord = Callable[[StartDesk, str], None]


def _check(word: str, rest: str) -> None:
    if rest and word in _WORDS_ALONE:
        raise RuleError(f"{word} takes no words", f":{word}")


def _bind(desk: StartDesk, does: OwnWord) -> Callable[[BaseDesk, str], None]:
    return lambda _, rest: does(desk, rest)


# --- words


def go(desk: StartDesk, _rest: str) -> None:
    """Do what Enter does on the current row."""
    if (entry := desk.here) is None:
        return
    match entry.kind:
        case "fight":
            desk.actions.open(entry.key)
        case "system":
            make(desk, entry.key)
        case "lessons" if desk.home.welcome:
            desk.actions.lesson(desk.offered.lessons[0])
        case kind:
            _LISTS[kind](desk, "")


def lessons(desk: StartDesk, _rest: str) -> None:
    """List the lessons."""
    titles = {s.id: s.title for s in desk.offered.systems}
    items = (Item(titles.get(x, x), f"tutor {x}", label=x) for x in desk.offered.lessons)
    _list(desk, "Lessons", items)


def sample(desk: StartDesk, rest: str) -> None:
    """Open a copy of the sample named, or list them."""
    samples, briefs = desk.home.contents.samples, desk.home.briefs
    if path := next((s.path for s in samples if s.name == unquote_name(rest)), ""):
        desk.actions.sample(path)
        return
    told = ((s.name, briefs.get(s.path, shelf.Brief())) for s in samples)
    _list(desk, "Samples", (Item(b.now, f"sample {name}", label=name, note=b.system) for name, b in told))


def party(desk: StartDesk, rest: str) -> None:
    """Start a new fight with the party named, or list them."""
    parties = desk.home.contents.parties
    if party := next((p for p in parties if p.name == unquote_name(rest)), None):
        if party.problem:
            raise RuleError(party.problem)
        which_system(desk, f"Which system for {party.name}?", f'"" party={quote(party.name)}')
        return
    items = (Item(p.summary, f"party {quote(p.name)}", label=p.name) for p in parties)
    _list(desk, "Parties: a new fight with one", items)


def restore(desk: StartDesk, rest: str) -> None:
    """Restore the fight named from the trash, or list the trash."""
    thrown, briefs = desk.home.contents.trash, desk.home.briefs
    if path := next((s.path for s in thrown if s.name == unquote_name(rest)), ""):
        at = shelf.restore_save(path, desk.folder)
        desk.look()
        desk.show(track=f"fight {at}", filter="")
        desk.notify(f"{unquote_name(rest)} is back among the fights", "ok")
        return
    told = ((s.name, briefs.get(s.path, shelf.Brief())) for s in thrown)
    items = (Item(b.problem or b.stands, f"restore {quote(name)}", label=name) for name, b in told)
    _list(desk, "Trash: Enter restores", items)


def _list(desk: StartDesk, title: str, items: Iterable[Item]) -> None:
    some = tuple(items)
    if not some:
        raise RuleError("there is nothing to list")
    desk.show(mode=Menu(title, some, search=desk.view.filter, narrow=True))


def which_system(desk: StartDesk, title: str, rest: str) -> None:
    """Ask for the system of a new fight; `rest` has its name and party, as in the line."""
    items = (Item(s.summary, f"make {s.id} {rest}", label=s.title) for s in desk.home.systems)
    desk.show(mode=Menu(title, tuple(items), narrow=True))


def make(desk: StartDesk, rest: str) -> None:
    """Make a fight: `SYSTEM NAME party=PARTY fresh=yes`, the system by its number or id.

    Without a name ask for it, and for a party if there are any.
    """
    parsed = tokens(rest)
    words, keys = [t.text for t in parsed if not t.key], {t.key: t.text for t in parsed if t.key}
    parties = [p for p in desk.home.contents.parties if not p.problem]
    wanted, name = [*words, "", ""][:2]
    system = next((s for n, s in enumerate(desk.home.systems, 1) if wanted in (str(n), s.id)), None)
    if system is None:
        raise RuleError(f'no system is called "{wanted}"', "make takes a number or an id, then a name")
    party = next((p for p in parties if p.name == keys.get("party")), None)
    if not name or (parties and "party" not in keys):
        # Such a party lacks fields of the other system: it is offered, and not proposed.
        fitting = party or next((p for p in parties if p.system in ("", system.id)), None)
        _ask_name(desk, system, name, parties, fitting)
        return
    if any(fight.name == check_save_name(name) for fight in desk.home.contents.fights):
        raise RuleError(f"{name} is already there", "choose another name")
    desk.actions.new(name, system.id, party.path if party else "", fresh="fresh" in keys)


def _ask_name(
    desk: StartDesk,
    system: SystemSummary,
    name: str,
    parties: Sequence[RosterFile],
    fitting: RosterFile | None,
) -> None:
    """Ask for the name of a new fight, and offer the parties, the one that fits first."""
    offers: list[tuple[str, str]] = []
    for p in parties:
        party = f" party={quote(p.name)}"
        offers += [(f"with {p.name} as it is", party), (f"with {p.name}, rested", f"{party} fresh=yes")]
    offers += [("without a party", " party=")] if parties else []
    prompt = NamePrompt(
        editor=Editor.from_text(name or shelf.find_free_name("fight", desk.folder)),
        word=f"make {system.id}",
        asks=f"A new fight ({system.title})",
        proposed=not name,
        parties=tuple(offers),
        party=2 * parties.index(fitting) if fitting else len(offers) - 1,
    )
    desk.show(mode=prompt)


def _fight(desk: StartDesk) -> HomeRow:
    """Return the fight in focus. Raises RuleError if there is none."""
    if (entry := desk.here) and entry.kind == "fight":
        return entry
    raise RuleError("this works only in a fight", "put the cursor on one")


def copy(desk: StartDesk, rest: str) -> None:
    """Copy the fight in focus to the name given, or ask for one."""
    fight = _fight(desk)
    if rest:
        _put(
            desk,
            shelf.copy_save(fight.key, desk.folder, unquote_name(rest)),
            f"{fight.name} was copied: {unquote_name(rest)}",
        )
        return
    free = Editor.from_text(shelf.find_free_name(fight.name, desk.folder))
    desk.show(mode=NamePrompt(editor=free, word="copy", asks=f"What is the copy of {fight.name} called?"))


def rename(desk: StartDesk, rest: str) -> None:
    """Rename the fight in focus, or ask for its new name."""
    fight = _fight(desk)
    if rest:
        path = shelf.rename_save(fight.key, desk.folder, unquote_name(rest))
        _put(desk, path, f"{fight.name} is called {unquote_name(rest)} now")
        return
    name = Editor.from_text(fight.name)
    desk.show(mode=NamePrompt(editor=name, word="rename", asks=f"What is {fight.name} called from now on?"))


def _put(desk: StartDesk, path: str, said: str) -> None:
    """Read the folder again, put the cursor on the fight of `path`, and show the notice `said`."""
    desk.look()
    desk.show(track=f"fight {path}", filter="")
    desk.notify(said, "ok")


def trash(desk: StartDesk, _rest: str) -> None:
    """Put the fight in focus into the trash, and focus the next one."""
    fight, below = _fight(desk), step_entry(desk.home, desk.view, 1)
    shelf.trash_save(fight.key, desk.folder)
    desk.look()
    # So several can be deleted one after the other; after the last one, the one above has focus.
    desk.show(track=below if below.startswith("fight ") else "")
    desk.notify(f"{fight.name} is in the trash, which is listed below: Enter there puts it back", "ok")


_PARTIAL_LINES = (
    ("make SYSTEM NAME", "a new fight; the system by its number or its id"),
    ("party NAME", "a new fight with a kept party"),
    ("sample NAME", "opens a copy of a sample"),
    ("restore NAME", "brings a fight back from the trash"),
)
"""Lines of the start screen that no key sends whole, with their help."""


def help_(desk: StartDesk, rest: str) -> None:
    """Open the keys, the words of the program and the chapters of the manual, searched for the rest."""
    digits = "1 to 9, 0"
    entries = (
        Explained("Keys", digits, "a new fight in the system of that number", "make new"),
        *keys_of_help(desk.commands),
        *(Explained("Lines", line, does) for line, does in _PARTIAL_LINES),
        *(Explained("Lines", word.usage, word.help) for word in desk.services.words.values()),
        *explained_chapters(),
    )
    desk.show(mode=Manual(entries, rest))


def palette(desk: StartDesk, rest: str) -> None:
    """Open everything that can be pressed or typed here, searched by words."""
    items = (
        *(Item(c.help, c.words, desk.keys.shown.get(c.id, "")) for c in desk.keys.by_id.values()),
        *(Item(does, f"{line.split(' ')[0]} ", label=line, opens=True) for line, does in _PARTIAL_LINES),
        *(
            Item(w.help, f"{word} ", label=w.usage, opens=True) if " " in w.usage else Item(w.help, word)
            for word, w in desk.services.words.items()
        ),
    )
    desk.show(mode=Menu("Commands", items, search=rest, narrow=True))


def escape(desk: StartDesk, _rest: str) -> None:
    """Show all rows again."""
    if desk.view.filter:
        desk.show(filter="")
    else:
        desk.notify("[q] leaves", "hint")


def _move(by: int) -> OwnWord:
    return lambda desk, _: desk.show(track=step_entry(desk.home, desk.view, by))


def _make_jump(by: int) -> OwnWord:
    return lambda desk, rest: desk.show(track=step_list(desk.home, desk.view, -by if rest == "back" else by))


_LISTS: Mapping[EntryKind, OwnWord] = {
    "lessons": lessons,
    "samples": sample,
    "parties": party,
    "trash": restore,
}
"""What Enter does on the rows of the library."""
_OWN_WORDS: Mapping[str, OwnWord] = {
    "go": go,
    "lessons": lessons,
    "sample": sample,
    "party": party,
    "restore": restore,
    "make": make,
    "copy": copy,
    "rename": rename,
    "trash": trash,
    "help": help_,
    "palette": palette,
    "escape": escape,
    "up": _move(-1),
    "down": _move(1),
    "pageup": _move(-PAGE_ROWS),
    "pagedown": _move(PAGE_ROWS),
    "top": _move(-ALL_ROWS),
    "bottom": _move(ALL_ROWS),
    "panes": _make_jump(1),
    "left": _make_jump(-1),
    "right": _make_jump(1),
}
"""The words of this screen."""
_SHARED_WORDS = {
    word: board.WORDS[word]
    for word in ("line", "filter", "repaint", "suspend", "quit", "q", "theme", "import")
}
"""The words of a fight that do the same on the start screen."""
_WORDS_ALONE = (*board.WORDS_ALONE, "go", "trash", "quit", "q", "lessons")
"""The words of the start screen that take no further words."""
