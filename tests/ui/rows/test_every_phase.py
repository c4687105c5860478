"""Every phase of every system at three sizes: laws of the picture, and of the keys that Now names.

Each system plays its sample and a second half, in which creatures fall, save, concentrate, come late and
rest. After each line the screen is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.kit.keyboard import Player, press_of
from tests.kit.tiers import one_of, third_of
from tests.samples import scripts, told
from tui.core.fight.agenda import COMMON_PHASES
from tui.core.fight.encounter import label
from tui.core.language.tokens import quote
from tui.store.sources import SeededDice
from tui.systems import Registry
from tui.ui.desk.reading import list_findable, trial
from tui.ui.modes.form import Form
from tui.ui.modes.menu import Menu
from tui.ui.modes.page import Page
from tui.ui.modes.pick import PickList
from tui.ui.modes.prompt import Prompt
from tui.ui.modes.rolls import RollList
from tui.ui.modes.texts import manual
from tui.ui.panes.hints import board_hints
from tui.ui.panes.orders import takes_full_width
from tui.ui.panes.screen import TAB
from tui.ui.state.commands import COMMANDS, show_key
from tui.ui.state.scene import due, offer
from tui.ui.state.totals import answers

SIZES = ((80, 24), (60, 18), (120, 40))
SAMPLES = {system: name for name, system in scripts(Registry()).items()}
SYSTEMS = tuple(sorted(SAMPLES))
LATER = (
    "end", "next", "condition * poisoned save=13", "option zero.pc=dying concentration.dc=damage",
    "add Wisp side=dark hp=4 hidden=yes", "add 2 Hero kind=pc side=heroes hp=9 owner=Zoe", "begin", "roll",
    'damage "Hero 1" 20', "next", "roll", 'condition "Hero 2" concentration', 'damage "Hero 2" 3',
    "area * damage=4 dc=12 save=dex", "roll", "next", "lock missing=empty", "roll", "ok", "ok", "next",
    "next", "roll", "next", "undo 3", "redo", "next", "finish", "rest short", "begin", "roll", "finish",
    "rest long",
)  # fmt: skip
"""Lines of the second half. What a system refuses at that moment is left out."""

KEY = re.compile(r"\[([^\[\]]{1,9})\] ([\w-]+)")
TORN = re.compile(r"\[[^\]]*$|\[[^\[\]=|\s]{1,9}\]\s*(\N{HORIZONTAL ELLIPSIS})?\s*$")
TWICE = re.compile(r"\N{HORIZONTAL ELLIPSIS}\W*\N{HORIZONTAL ELLIPSIS}")
SAYS = {"turn": ("acts", "act", "chooses"), "next": ("acts", "act", "next")}
"""Words of Now for a verb whose own word it does not use."""


def lines_of(system: str) -> tuple[str, ...]:
    """The lines of the sample, then those of the second half."""
    return (*filter(None, told(SAMPLES[system]).lines.splitlines()), *LATER)


def begun(system: str) -> Player:
    """The fight of a sample before its first line."""
    script = told(SAMPLES[system])
    return Player(system, dice=SeededDice(script.seed), options=dict(script.options))


def moments(system: str) -> Iterator[tuple[Player, tuple[str, ...]]]:
    """The fight before its first line and after each, with the lines that were taken."""
    p = begun(system)
    taken: tuple[str, ...] = ()
    yield p, taken
    for line in lines_of(system):
        if p.desk.run(line):
            taken = (*taken, line)
            p.desk.dismiss(notice=None)
            yield p, taken


def torn(p: Player) -> list[str]:
    """What is torn, cut twice, covered or empty in the picture, whatever is open."""
    drawn = p.picture()
    now = [row.rstrip() for row in drawn["now"]]
    faults = [f"torn: {row}" for row in now if TORN.search(row)]
    faults += [f"cut twice: {row}" for rows in drawn.values() for row in rows if TWICE.search(row)]
    faults += [f"no row: {now}"] * (not now[0].strip())
    boxes = p.desk.boxes(*p.size)
    faults += [
        f"a title alone: {part}" for part, box in boxes.items() if part in TAB and box.height < 2 - box.bare
    ]
    faults += [
        f"covered by {part}"
        for part, box in boxes.items()
        if part != "now"
        and box.y < boxes["now"].y + boxes["now"].height
        and boxes["now"].y < box.y + box.height
    ]
    return faults


def wrong(p: Player) -> list[str]:
    """What is wrong with the picture of the board."""
    drawn, e, faults = p.picture(), p.store.encounter, torn(p)
    now = drawn["now"]
    if (due(p.desk.scene) or offer(p.desk.scene).acts) and "[" not in "".join(now):
        faults.append(f"something is to be done and no key is named: {now}")
    if e.turn:
        sign = p.desk.settings.glyphs.acting
        # What is owed comes first: then the track, or the summary in its place, says whose turn it is.
        said = [row for rows in drawn.values() for row in rows] if due(p.desk.scene) else now
        if label(e, e.acting)[:8] not in " ".join(said):
            faults.append(f"{label(e, e.acting)} acts, and Now says {now}")
        marked = [row for row in drawn.get("track", []) if sign in row[:6]]
        if "track" in drawn and not marked and not takes_full_width(p.desk.scene):
            faults.append(f"{label(e, e.acting)} acts and is not marked in {drawn['track']}")
    return faults


@pytest.mark.law
@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_torn_covered_or_unmarked_at_any_moment(system: str) -> None:
    phases = {p.name for p in Registry().get(system).all_phases.values()}
    asks: set[str] = set()
    for number, (p, taken) in enumerate(moments(system)):
        e = p.store.encounter
        phases -= {e.phase} if e.running else {COMMON_PHASES[0].name}
        asks |= {ask.kind for ask in p.store.system.due(e)} if e.running else set()
        for p.size in one_of(SIZES, number):
            assert not wrong(p), (p.size, taken[-1:])
    # A system without dice never rolls, and asks for nothing.
    assert phases == (set() if asks else {"rolls"}), f"never drawn: {phases}"


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(SYSTEMS, 0))
def test_with_the_keys_elsewhere_who_acts_is_marked_there_and_now_stays(system: str) -> None:
    for number, (p, taken) in enumerate(moments(system)):
        e = p.store.encounter
        for p.size in one_of(SIZES[:2], number) if e.turn else ():
            for pane in one_of(("roster", "log"), number // 2):
                p.desk.show(focus=pane)
                assert not [fault for fault in wrong(p) if "marked" not in fault], (p.size, pane, taken[-1:])
                rows = p.picture()["roster"] if pane == "roster" else []
                acting = [label(e, key) for key in e.turn.members] if e.turn else []
                marked = [row for row in rows if p.desk.settings.glyphs.acting in row[:4]]
                names = " ".join(marked)
                assert not rows or any(name[:6] in names for name in acting), (rows, acting)
            p.desk.show(focus=None, rows=None)


OPENED = ("o", "*", "m", "#", "a", "c", "d", "Q", "w", "?", "ctrl+p", "-", "s", "enter")
"""Keys that open a form, a list, a prompt or a page somewhere."""


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(SYSTEMS, 1))
def test_nothing_is_torn_or_covered_while_something_is_open(system: str) -> None:
    modes: set[str] = set()
    for number, (p, taken) in enumerate(moments(system)):
        view, step = p.desk.view, p.store.step
        for at, key in enumerate(OPENED) if number % 9 == 0 else ():
            p.desk.press(press_of(key))
            modes.add(type(p.desk.view.mode).__name__)
            for p.size in one_of(SIZES, number // 9 + at):
                assert not torn(p), (key, p.size, taken[-1:])
            while p.store.step > step:
                assert p.desk.run("undo")
            p.desk.view = view
    assert modes >= {"Form", "Menu", "AddPrompt", "Page", "Manual"}


def does(p: Player, step: int) -> set[str]:
    """The words in which Now may speak of what a key has just done."""
    mode, e = p.desk.view.mode, p.store.encounter
    if p.store.step != step:
        verb = p.asked()[0].split()[0]
        acts = label(e, e.acting).split() if verb in ("turn", "next") and e.turn else []
        return {verb, *SAYS.get(verb, ()), *acts}
    if p.message().startswith("they keep their own rows"):
        return {"not"}
    if p.message().startswith("there is more"):
        return {"ok"}
    match mode:
        case Menu(title="kill"):
            return {"kill", "out"}
        case RollList():
            ask = mode.current(p.desk.scene)
            assert ask is not None
            return {answers(ask, faces=mode.takes_faces(p.desk.scene, ask))}
        case PickList():
            return {"pick"}
        case Form(verb=""):
            return {"order"}
        case Form(verb=verb):
            return {verb}
        case Prompt():
            return {mode.editor.text.split()[0]}
        case Menu(title="When?"):  # now, or after the running turn
            return {"act"}
        case Menu(title="Who goes"):
            return {"chooses"}
        case Menu(title=title):
            return {title.split()[0].rstrip(",").lower(), *(("what",) if title.startswith("0 ") else ())}
        case Page():
            return {mode.title.split()[0].lower()}
        case _:
            return set()


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(SYSTEMS, 2))
def test_every_key_that_now_names_does_what_now_says(system: str) -> None:
    """Law: pressed when Now names it, a key sends that word, or opens what asks for the rest."""
    tried: set[tuple[str, ...]] = set()
    for number, (p, taken) in enumerate(moments(system)):
        owed = [ask.kind for ask in due(p.desk.scene)][:1]
        for p.size in one_of(SIZES, number):
            for key, word in KEY.findall(" ".join(" ".join(p.picture()["now"]).split())):
                case = (p.store.encounter.phase, *owed, key, word)
                if case in tried or key == "Esc":
                    continue
                tried.add(case)
                view, step = p.desk.view, p.store.step
                p.press(key.lower() if key == "Enter" else key)
                if p.message().startswith(f"[{key}] {word}"):
                    p.press(key)  # a key that asks once before it acts for players names itself
                said = (p.message(), p.asked()[0] if p.store.step != step else p.desk.view.mode)
                assert word in does(p, step), (case, p.size, taken[-1:], said)
                while p.store.step > step:
                    assert p.desk.run("undo")
                p.desk.view = view
    assert len(tried) > 5


MOST_BOUND = 50
IDLE = {
    "hold": "hold {}",
    "pass": "pass",
    "done": "done",
    "order": "order {}",
}
"""Commands whose key only some systems have, each with a line that the others always refuse."""


@pytest.mark.law
@pytest.mark.parametrize("system", third_of(SYSTEMS, 0))
def test_at_most_fifty_keys_are_bound_all_are_listed_and_each_is_of_use(system: str) -> None:
    accepted: set[str] = set()
    for p, taken in moments(system):
        desk, scene = p.desk, p.desk.scene
        bound = {k for c in COMMANDS if desk.takes(c.id) for k in desk.keys.by_id[c.id].keys[:1]}
        own = {v.key for v in p.store.system.verbs if v.key and desk.takes_verb(system, v.name)}
        assert len(bound) + len(own) <= MOST_BOUND, taken[-1:]
        assert not bound & own
        entries = manual(desk.commands, p.store.system)
        titles = ("Keys: counts and lines", p.store.system.title)
        listed = [x.head.split(" ")[0] for x in entries if x.part.startswith("Keys: ") or x.part in titles]
        assert {*map(show_key, bound), *own} <= set(listed)
        assert {key for key, _ in board_hints(scene, scene.labels)} <= {*map(show_key, bound), "j/k"}
        found = list_findable(scene, p.store, desk.commands, ())
        assert {item.key for item in found if item.key} <= {*map(show_key, bound), *own, "Enter"}
        for who in p.store.encounter.combatants.values():
            lines = {k: line.format(quote(who.name)) for k, line in IDLE.items() if k not in accepted}
            accepted |= {k for k, line in lines.items() if not trial(p.store, line).refused}
    assert accepted == {c for c in IDLE if desk.keys.by_id[c].keys}
