"""What is meant is chosen from what is there: words of the system, reactions, groups, the fallen."""

from __future__ import annotations

from tui.core.fight.agenda import Verb
from tui.core.fight.encounter import members
from tui.core.rules import now as now_line
from tui.ui.keys import forms
from tui.ui.keys.base import BaseDesk
from tui.ui.state.scene import Scene
from tui.ui.state.targets import fill, targets, who
from tui.ui.state.view import Item, Menu


def fallen(desk: BaseDesk, rest: str) -> None:
    """Take out exactly those at 0 hit points whom Now names, so nobody who is dying; where the system must know more, a menu asks."""
    del rest
    scene = desk.scene
    down = now_line.fallen(scene.encounter)
    if not down:
        desk.say("nobody is at 0 hit points who is not dying", "hint")
        return
    words = scene.system.instead(scene.encounter, "out", down) or "out {who}"
    line, whole = fill(words, scene, who(scene.encounter, down))
    if whole:
        desk.run(line)
    elif not choose(desk, words.split(" ")[0], line):
        desk.open_prompt(line)


def grouped(desk: BaseDesk, command: str, keys: tuple[str, ...]) -> bool:
    """The answer to the offer of one row for several, if the key is one: yes, or each stays for itself."""
    line = desk.scene.grouping
    if command == "group":
        desk.submit(line)
        return True
    if command != "ungroup" or any(c.group for k in keys for c in members(desk.store.encounter, k)):
        return False
    desk.show(declined=(*desk.view.declined, line))
    desk.say(f"they stay single; :{line} still makes them one row", "hint")
    return True


def choose(desk: BaseDesk, verb: str, line: str) -> bool:
    """A menu of the lines that a verb could mean now, those that begin as this one first; False where there are none."""
    scene = desk.scene
    found = scene.system.choices(scene.encounter, verb) if scene.encounter.running else ()
    if not found:
        return False
    # The row that is meant comes first, so that Enter takes what the row was chosen for.
    first = sorted(found, key=lambda choice: not f"{choice.line} ".startswith(line))
    items = tuple(Item(c.title, c.line, note=c.note, told=c.told, left=c.left) for c in first)
    desk.show(mode=Menu(verb, (*items, Item("another line", line, opens=True))))
    return True


def verbs(desk: BaseDesk, rest: str) -> None:
    """A menu of the system's own words, each by its key; or the word named."""
    scene = desk.scene
    verb = next((v for v in scene.system.verbs if v.name == rest), None)
    if verb:
        say_verb(desk, verb)
        return
    found = scene.system.verbs
    if not found:
        desk.say(f"{scene.system.title} has no words of its own", "hint")
        return
    items = tuple(Item(v.name, f"verbs {v.name}", v.key, note=v.help, told=f":{v.usage}") for v in found)
    desk.show(mode=Menu(scene.system.title, items))


def say_verb(desk: BaseDesk, verb: Verb) -> None:
    """A verb of the system is played: in its form, from a menu of its choices, at once if it is whole, else in the prompt."""
    if forms.open_verb(desk, verb.name):
        return
    scene = desk.scene
    line = _begun(scene, verb)
    if choose(desk, verb.name, line):
        return
    if verb.whole:
        desk.submit(line)
    else:
        desk.open_prompt(line)


def _begun(scene: Scene, verb: Verb) -> str:
    """The verb, and the rows that are meant where it takes a creature first."""
    if verb.whole:
        return verb.name
    keys = targets(scene)
    takes_who = verb.takes[:1] in (("who",), ("several",))
    return f"{verb.name} {who(scene.encounter, keys)} " if takes_who and keys else f"{verb.name} "
