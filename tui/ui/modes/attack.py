"""Run the key for attacks: choose an attack, then its target, then type dice rolled at the table or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import SIDE, Encounter, active, members
from tui.core.language.attacks import Attack
from tui.core.language.select import resolve, resolve_one
from tui.core.language.tokens import quote, tokens
from tui.core.rules.attacking import find_attack, find_counter, list_attacks, list_choices, read_series
from tui.ui.desk.base import MOST_LOOKED_BACK, BaseDesk
from tui.ui.modes.menu import Menu
from tui.ui.modes.mode import Hints
from tui.ui.modes.prompt import Prompt
from tui.ui.state.layout import lists_creatures
from tui.ui.state.scene import Scene, creatures, current, focus, selected_rows, targets, write_who
from tui.ui.state.view import PromptKind
from tui.ui.text.held import points
from tui.ui.text.menu import Item, digit_key

MOST = 40
"""The most targets that are offered."""
_LUCK = {"adv": "adv=adv", "+": "adv=adv", "dis": "adv=dis", "-": "adv=dis"}


class AttackPrompt(Prompt, frozen=True):
    """The target of an attack; numbers after it are a d20 and damage that were rolled at the table."""

    kind: PromptKind = "attack"
    ALL: ClassVar[str] = "*"
    PASTES: ClassVar[bool] = False
    FINDS: ClassVar[bool] = False
    HINTS: ClassVar[Hints] = (
        ("Enter", "rolls"),
        ("or type", "d20, damage"),
        ("+/-", "adv/dis"),
        ("Esc", "back"),
    )
    SAVED: ClassVar[Hints] = (("Enter", "rolls the damage"), ("or type", "it"), ("Esc", "back"))
    """The hints for an attack without a d20, because the targets roll a saving throw."""
    SERIES: ClassVar[Hints] = (("Enter", "rolls"), ("+/-", "adv/dis"), ("Esc", "back"))
    """The hints for a Multiattack, whose dice cannot be typed."""

    def line(self, desk: BaseDesk) -> str:
        """Return the line that Enter sends: numbers become `face=` and `damage=`."""
        text = self.editor.text
        if not text.startswith(self.stem):
            return text.strip()
        numbers, words = list[str](), list[str]()
        for word in text.removeprefix(self.stem).split():
            (numbers if word.isdecimal() else words).append(_LUCK.get(word.lower(), word))
        attack = _attack_of(desk.store.encounter, self.stem)
        keys = ("damage",) if attack and attack.dc else ("face", "damage")
        faces = [f"{key}={n}" for key, n in zip(keys, numbers, strict=False)]
        return " ".join([self.stem.strip(), *faces, *numbers[len(keys) :], *words])

    def sent(self, desk: BaseDesk) -> None:
        """Close the prompt, and open the list of saves if the attack is an area."""
        desk.dismiss(selected=())
        if desk.store.encounter.area:
            desk.submit("totals")

    def hints(self, scene: Scene) -> Hints:
        """Return the hints; numbers typed after the target are named for Enter."""
        attack = _attack_of(scene.encounter, self.stem)
        hints = (
            self.SERIES if attack and not attack.rolls else self.SAVED if attack and attack.dc else self.HINTS
        )
        titles = ("damage",) if hints is self.SAVED else ("d20", "damage")
        numbers = [x for x in self.editor.text.removeprefix(self.stem).split() if x.isdecimal()]
        enter, typed, *others = hints
        if numbers:
            dice = ", ".join(f"{name} {n}" for name, n in zip(titles, numbers, strict=False))
            more = (("then type", "damage"),) if len(numbers) < len(titles) else ()
            return (("Enter", f"takes {dice}"), *more, *others)
        targets: Hints = (("Up/Down", "target"),) if self.members else ()
        last = tokens(self.members[-1])[-1].text if self.members else ""
        if last.startswith(SIDE):
            targets += ((self.ALL, f"all of {last.removeprefix(SIDE)}"),)
        return (enter, typed, *targets, *others)


def attacks(desk: BaseDesk, rest: str) -> None:
    """List the attacks of the acting creatures, or of the current row.

    With `WHO NAME` in the line list the targets of that attack; with a target open the prompt for its dice.
    """
    try:
        _open(desk, [t.text for t in tokens(rest)])
    except RuleError as error:
        desk.report_refusal(error)


def _open(desk: BaseDesk, words: Sequence[str]) -> None:
    """Open the list of attacks, of targets, or the prompt, by the number of words. Raises RuleError."""
    e = desk.store.encounter
    if len(words) > 3:
        raise RuleError(f"attacks: one word too many, {quote(words[3])}", "`attacks WHO NAME TARGET`")
    people = [e.combatants[resolve_one(e, words[0])]] if words else attacking(desk.scene)
    can = list(list_attacks(people))
    if not can:
        _skip_targets(desk, people)
        return
    if len(words) < 2:
        _list_attacks(desk, people)
        return
    c = people[0]
    attack = find_attack(c, words[1])
    series = read_series(c, attack)
    if any(len(part.names) > 1 for part in series):
        _list_choices(desk, c, attack, list_choices(series))
    elif len(words) == 3 and (attack.rolls or series):
        _aim(desk, c, attack, words[2])
    else:
        # The list stays for an attack that cannot be rolled: the next key must not reach the board.
        _list_attacks(desk, people, _line(c, attack))
        if not (attack.rolls or series):
            desk.notify(f"{attack.name}: {attack.text}", "hint")
        else:
            try:
                find_counter(c, attack)
            except RuleError as error:
                # Without its hint, which would take the place of the reason below a list.
                desk.notify(error.reason, "error")
            else:
                _choose(desk, c, attack)


def _list_choices(desk: BaseDesk, c: Combatant, attack: Attack, ways: Sequence[str]) -> None:
    """List the ways to make a Multiattack that leaves a choice."""
    # The number comes after the name: before it, it would read as the row's digit.
    times = rf"\2 {desk.scene.glyphs.times}\1"
    items = [
        Item(re.sub(r"(\d+) ([^,]+)", times, way), _line(c, Attack(way)), digit_key(n))
        for n, way in enumerate(ways, 1)
    ]
    desk.show(mode=Menu(f"{attack.name}: which?", tuple(items)))


def _line(c: Combatant, attack: Attack) -> str:
    """Return the line that lists the targets of an attack."""
    return f"attacks {quote(c.name)} {quote(attack.name)}"


def _list_attacks(desk: BaseDesk, people: Sequence[Combatant], line: str = "") -> None:
    """List attacks, with the one that has this line in focus."""
    title = f"{people[0].name} attacks"
    items = attack_items(people)
    at = next((n for n, item in enumerate(items) if item.line == line), 0)
    desk.show(mode=Menu(title, items, at))


def attacking(scene: Scene) -> list[Combatant]:
    """Return the attackers: the acting creatures, or the current row if only that has attacks.

    Creatures at 0 hit points are left out unless all are at 0.
    """
    e = scene.encounter
    acting = [c for k in e.actors if (c := e.combatants.get(k)) and not c.out]
    row = [c for c in members(e, current(scene)) if not c.out]
    people = next((some for some in (acting, row) if any(c.attacks for c in some)), acting or row)
    # Members of a group at 0 hit points attack only if all of them are at 0.
    return [c for c in people if c.hp != 0] or people


def _skip_targets(desk: BaseDesk, people: Sequence[Combatant]) -> None:
    if not people:
        desk.notify("there is no target", "warning")
        return
    name = people[0].name
    line = f':set {quote(name)} attacks="Bite +4 1d6+2 piercing"'
    desk.notify(f"{name} has no attacks; {line}", "hint")


def attack_items(people: Sequence[Combatant]) -> tuple[Item, ...]:
    """Return an item for each attack: those that can be rolled first, with a digit as key."""
    can = list(list_attacks(people))
    names = {c.name for c, _ in can}
    items: list[Item] = []
    for c, attack in sorted(can, key=lambda pair: not _is_usable(*pair)):
        key = digit_key(len(items) + 1) if _is_usable(c, attack) else ""
        counter = next((x for x in c.counters if x.name.lower() == attack.name.lower()), None)
        notes = [*([f"{counter.n} left"] if counter else []), *([c.name] if len(names) > 1 else [])]
        items.append(Item(attack.words(), _line(c, attack), key, note=", ".join(notes)))
    return tuple(items)


def _is_usable(c: Combatant, attack: Attack) -> bool:
    """Return whether the line `attack` can use this entry."""
    return attack.rolls or bool(read_series(c, attack))


def _choose(desk: BaseDesk, c: Combatant, attack: Attack) -> None:
    """List the targets: the selected or last attacked ones are in focus, so that Enter takes them.

    The list opens in any case: after the key of an attack a digit is always a target and never a die.
    """
    scene = desk.scene
    others = _possible_targets(scene.encounter, c)
    if not others:
        desk.dismiss()
        desk.notify("there is no target", "warning")
        return
    line = _line(c, attack)
    items = [
        Item(x.name, f"{line} {quote(x.name)}", digit_key(i), note=_state(scene, x))
        for i, x in enumerate(others, 1)
    ]
    sides = dict.fromkeys(x.side for x in others if x.side != c.side)
    items += [
        Item(f"all of {side}", f"{line} {quote(SIDE + side)}", "*" if i == 0 else "")
        for i, side in enumerate(sides)
    ]
    proposed, source = _chosen_targets(scene, c), "selected"
    if not proposed:
        proposed, source = _last_targets(desk, c, attack), "as before"
    at = next((n for n, x in enumerate(others) if x.name == proposed), 0)
    if proposed and others[at].name != proposed:
        items.insert(0, Item(proposed, f"{line} {quote(proposed)}", note=source))
    desk.show(mode=Menu(f"{attack.name}: whom?", tuple(items), at))


def _chosen_targets(scene: Scene, c: Combatant) -> str:
    """Return the selected rows, else the current row if it is not the attacker's; "" for neither."""
    keys = targets(scene) if selected_rows(scene) or lists_creatures(focus(scene)) else ()
    mine = [k for k in keys if any(x.id == c.id for x in members(scene.encounter, k))]
    return write_who(scene.encounter, keys).strip('"') if keys and not mine else ""


def _last_targets(desk: BaseDesk, c: Combatant, attack: Attack) -> str:
    """Return the targets of the last attack by the creature or its group that are still standing foes.

    Return "" if there were several and this attack has no DC: a bite does not propose a breath weapon's
    targets.
    """
    store = desk.store
    e = store.encounter
    mine = {x.name for x in e.combatants.values() if x.id == c.id or (c.group and x.group == c.group)}
    steps = range(store.step, max(0, store.step - MOST_LOOKED_BACK), -1)
    lines = (store.done(s).line for s in steps)
    attacked = ([t.text for t in tokens(x) if not t.key] for x in lines if x.startswith("attack "))
    words = next((words[3:] for words in attacked if words[1:2] and words[1] in mine), [])
    found: list[Combatant] = []
    for word in words:
        try:
            found += [e.combatants[k] for k in resolve(e, word)]
        except RuleError:
            continue
    names = [x.name for x in found if not x.out and x.hp != 0 and x.side != c.side]
    return ",".join(names) if attack.dc or len(names) == 1 else ""


def _possible_targets(e: Encounter, c: Combatant) -> list[Combatant]:
    """Return the possible targets: foes first, creatures at 0 hit points last."""
    others = [x for x in active(e) if x.id != c.id]
    return sorted(others, key=lambda x: (x.side == c.side, x.hp == 0))[:MOST]


def _state(scene: Scene, c: Combatant) -> str:
    armour = "" if c.ac is None else f"AC {c.ac}"
    known, _ = points(creatures(scene, c.id), scene.glyphs)
    return " ".join(x for x in (armour, known or "no hp") if x)


def _aim(desk: BaseDesk, c: Combatant, attack: Attack, chosen: str) -> None:
    """Open the prompt for a target; Up and Down go through the targets, * takes a whole side."""
    e = desk.store.encounter
    stem = f"attack {quote(c.name)} {quote(attack.name)} "
    lines = [f"{stem}{quote(x.name)} " for x in _possible_targets(e, c)]
    foes = next((x.side for x in _possible_targets(e, c) if x.side != c.side), "")
    every = [f"{stem}{quote(SIDE + foes)} "] if foes else []
    desk.open_prompt(f"{stem}{quote(chosen)} ", "attack", (*lines, *every))


def _attack_of(e: Encounter, stem: str) -> Attack | None:
    """Return the attack that a line names; None for a line that names none."""
    words = [t.text for t in tokens(stem)]
    try:
        return find_attack(e.combatants[resolve_one(e, words[1])], words[2])
    except RuleError:
        return None


WORDS = {"attacks": attacks}
