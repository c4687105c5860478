"""The end of a fight: the rest after it, whether the foes go, and the name under which the party is kept."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import ClassVar

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import is_pc
from tui.core.fight.encounter import Encounter
from tui.core.fight.events import Removed
from tui.core.fight.viewer import GAME_MASTER
from tui.core.language.select import labels
from tui.core.language.tokens import quote, tokens
from tui.core.rules.decide import Rules, draft
from tui.core.rules.draft import Draft
from tui.core.rules.health import players_sides
from tui.core.rules.transfer import opposition
from tui.core.views.log import story
from tui.store.sources import SeededDice
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.menu import Menu
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.modes.prompt import Prompt
from tui.ui.panes.keyed import key_row
from tui.ui.panes.orders import Listing, list_rows
from tui.ui.state.mode import Asks, Where
from tui.ui.state.scene import Scene, write_who
from tui.ui.state.view import PromptKind
from tui.ui.text.menu import Item, digit_key
from tui.ui.text.press import Press
from tui.ui.text.rows import Box, Row, cells, pad

OVER_KEY = " over=yes"
"""The key that is typed after the name of an existing party, to overwrite it."""


class PartyPrompt(Prompt, frozen=True):
    """The name under which the party is saved."""

    kind: PromptKind = "party"
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    SIGN: ClassVar[str] = ">"
    HINTS: ClassVar[Hints] = (("Enter", "keep"), ("Esc", "back"))

    def line(self, desk: BaseDesk) -> str:
        """Return the `save party` line; the name used last overwrites without typing `over=yes`."""
        name = self.editor.text.strip()
        bare = name.removesuffix(OVER_KEY).strip()
        replaces = bare != name or (name == last_name(desk) and name in _party_names(desk))
        return f"save party {quote(bare)}{OVER_KEY if replaces else ''}"

    def sent(self, desk: BaseDesk) -> None:
        """Propose this name next time, and close."""
        desk.dismiss()
        desk.kept = self.editor.text.strip().removesuffix(OVER_KEY)

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return the question and what is saved."""
        del scene, act
        contents = "with hit points, counters and conditions as they are now"
        return Asks("Under which name is the party kept?", key_row("Enter", "keeps it"), (contents,))


def ask_party_name(desk: BaseDesk) -> None:
    """Open the prompt with the party's last name; warn if Enter would replace a saved party."""
    name = last_name(desk)
    desk.open_prompt(name, "party")
    if name in _party_names(desk):
        desk.notify(f"Enter replaces the party that is kept as {name}; another name keeps both", "hint")


def last_name(desk: BaseDesk) -> str:
    """Return the name under which the party was kept or loaded last; "" for none."""
    if desk.kept:
        return desk.kept
    store = desk.store
    for step in range(store.step, max(0, store.step - PARTY_LOOKED_BACK), -1):
        words = [t.text for t in tokens(line) if not t.key] if (line := store.done(step).line) else []
        if words[:1] == ["party"] and len(words) > 1 and words[1] in _party_names(desk):
            return words[1]
    return ""


def _party_names(desk: BaseDesk) -> set[str]:
    library = desk.store.effects.library
    return {file.name for file in library.parties()} if library else set()


PARTY_LOOKED_BACK = 500
"""How many steps back the last added party is searched for."""
RESTS: Mapping[str, str] = {
    "none": "no rest",
    "short": "counters that say so are restored",
    "long": "hit points and all counters",
}
_ANOTHER = "under another name"
"""The party is kept under a name that is asked for afterwards."""


class Ending(KeyMode, frozen=True):
    """The question; Enter takes the usual answer, a letter changes a part of it."""

    rest: str = "none"
    goes: bool = False
    """Whether the foes are removed."""
    party: str = ""
    """The name under which the party is kept, "" if it is not kept."""
    ends: bool = True
    """Whether the fight ends; False outside a fight, and for a rest between two fights of one dungeon."""
    between: bool = False
    """Whether the rules allow a rest without the end of the fight."""
    usual: str = ""
    """The name that is proposed for the party, "" if there is none to keep."""
    told: str = ""
    """What the lines would do, in the words of the log."""
    is_modal: ClassVar[bool] = True

    @property
    def where(self) -> Where:
        """The place on the screen: the whole width."""
        return "sheet"

    def lines(self, scene: Scene) -> list[str]:
        """Return the lines that Enter sends, without that for the party."""
        if self.ends:
            return [f"finish rest={self.rest} foes={'go' if self.goes else 'stay'}"]
        foes = [c.id for c in opposition(scene.encounter)] if self.goes else []
        gone = [f"remove {write_who(scene.encounter, foes)}"] if foes else []
        return [*gone, *([f"rest {self.rest}"] if self.rest != "none" else [])]

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        match key.name:
            case "enter":
                if desk.may_answer():
                    self._send(desk)
            case "escape" | "ctrl+c":
                desk.dismiss()
            case "r":
                order = [*RESTS]
                step = order[(order.index(self.rest) + 1) % len(order)]
                desk.show(mode=_foresee(desk, replace(self, rest=step))[1])
            case "f" if opposition(desk.store.encounter):
                desk.show(mode=_foresee(desk, replace(self, goes=not self.goes))[1])
            case "k" if self.usual:
                order = [self.usual, _ANOTHER, ""]
                step = order[(order.index(self.party) + 1) % len(order)]
                desk.show(mode=_foresee(desk, replace(self, party=step))[1])
            case "e" if self.between:
                desk.show(mode=_foresee(desk, replace(self, ends=not self.ends))[1])
            case _:
                desk.notify("Enter takes it, a letter of the list changes it, Esc goes back", "hint")

    def _send(self, desk: BaseDesk) -> None:
        """End the fight, rest and keep the party; stop at the first refusal."""
        desk.dismiss()
        if not all(desk.run(line) for line in self.lines(desk.scene)):
            return
        if self.party == _ANOTHER:
            ask_party_name(desk)
        elif self.party:
            desk.run(f"save party {quote(self.party)} over=yes")
        if desk.view.mode is None and (fights := desk.services.prepared()):
            items = tuple(
                Item(name, f"open {quote(name)}", digit_key(n), note=foes)
                for n, (name, foes) in enumerate(fights, 1)
            )
            desk.show(mode=Menu("The next fight", items))

    def title(self, scene: Scene) -> str:
        """Return the title."""
        del scene
        return "The fight is over" if self.ends else "Rest"

    def parts(self, scene: Scene) -> list[tuple[str, str, str, str]]:
        """Return what can be changed."""
        e = scene.encounter
        foes, heroes = (labels(e, [c.id for c in some]) for some in (opposition(e), players_sides(e)))
        rest = RESTS[self.rest] if self.rest != "none" else ""
        # A long rest heals; else a hero that is dying comes so into the next fight.
        if self.rest != "long" and (dying := [c.id for c in players_sides(e) if c.dying and not c.out]):
            rest = f"still dying: {labels(e, dying)}"
        goes = "go" if self.goes else "stay"
        kept = "not kept" if not self.party else f"kept {self.party if self.party == _ANOTHER else ''}"
        name = f"kept as {self.party}" if self.party not in ("", _ANOTHER) else kept
        return [
            *([("e", "fight", "ends" if self.ends else "goes on", "")] if self.between else []),
            ("r", "rest", self.rest, rest),
            *([("f", "foes", goes, foes)] if opposition(e) else []),
            *([("k", "party", name, heroes)] if self.usual else []),
        ]

    def need(self, scene: Scene, width: int) -> int:
        """Return the number of rows that the question can use."""
        del width
        return len(self.parts(scene)) + 1

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title and a row for each part."""
        parts = self.parts(scene)
        wide = max(cells(value) for _, _, value, _ in parts)
        rows: list[Row] = [
            (
                (f" {key:<2} ", "key"),
                (f"{part:<10}", "text"),
                (pad(value, wide), "title"),
                (f"  {note}", "hint"),
            )
            for key, part, value, note in parts
        ]
        return list_rows(scene, Listing(self.title(scene), rows), box)

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        letters = [(key, part) for key, part, *_ in self.parts(scene) if key]
        return (("Enter", "take"), *letters, ("Esc", "back"))

    def outcome(self, scene: Scene) -> tuple[str, str]:
        """Return what Enter would do, and that Esc goes back."""
        del scene
        return self.told or "nothing", "goes back"


def ask(desk: BaseDesk, *, between: bool) -> None:
    """Open the question with the usual answer: the end, a short rest, the foes go, the party is kept.

    A short rest is not proposed if it restores nothing.
    """
    e = desk.store.encounter
    heroes, running = any(map(is_pc, e.combatants.values())), e.running
    name = _usual_name(desk) if heroes else ""
    goes = running and heroes and bool(opposition(e))
    asked = Ending(goes=goes, party=name, ends=running, between=between, usual=name)
    (awake, plain), (rested, short) = _foresee(desk, asked), _foresee(desk, replace(asked, rest="short"))
    desk.show(mode=short if heroes and rested != awake else plain)


def rehearse(desk: BaseDesk, e: Encounter, line: str) -> Draft:
    """Return the draft of a line's result, with dice that do not count. Raises RuleError."""
    return draft(e, desk.store.parse(line), Rules(desk.store.systems, SeededDice(0)))


def _foresee(desk: BaseDesk, asked: Ending) -> tuple[Encounter, Ending]:
    """Return the fight after the answer, and the question with what that would do or why it is refused."""
    store, e = desk.store, desk.store.encounter
    prices: list[str] = []
    for line in asked.lines(desk.scene):
        try:
            done = rehearse(desk, e, line)
        except RuleError as error:
            return e, replace(asked, told=str(error).replace("`", ""))
        # The row of the foes names them.
        events = [x for x in done.events if not isinstance(x, Removed)]
        prices += [m.text for m in story(e, events, GAME_MASTER, store.system)]
        e = done.encounter
    return e, replace(asked, told=desk.settings.glyphs.joint.join(prices))


def line_to_keep(desk: BaseDesk) -> str:
    """Return the line that keeps the party under its usual name; "" without a library."""
    name = _usual_name(desk)
    return f"save party {quote(name)}{OVER_KEY if name in _party_names(desk) else ''}" if name else ""


def _usual_name(desk: BaseDesk) -> str:
    """Return the party's last name, that of a kept party with one of the heroes, or a free one."""
    library = desk.store.effects.library
    if library is None:
        return ""
    known = library.parties()
    here = {c.name for c in desk.store.encounter.combatants.values() if is_pc(c)}
    shared = (file.name for file in known if here.intersection(file.names))
    taken = {file.name for file in known}
    free = (name for n in count(1) if (name := "party" if n == 1 else f"party-{n}") not in taken)
    return last_name(desk) or next(shared, "") or next(free)
