"""The house rules for 0 hit points: one row for heroes, one for allies, one for monsters."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tui.core.rules.upkeep import ZERO_OPTIONS, house_rule
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.parts import PartsQuestion
from tui.ui.state.scene import ZERO_QUESTION, Scene
from tui.ui.text.press import Press

_KEYS: Mapping[str, tuple[str, str]] = {
    "h": ("zero.pc", "heroes"),
    "a": ("zero.npc", "allies"),
    "m": ("zero.monster", "monsters"),
}
_MEANS = {
    "dying": "a death save each turn, until stable or dead",
    "out": "out of the fight at once",
    "nothing": "stays in the fight until you take it out",
}
_CHOICES = {f.key: f.choices for f in ZERO_OPTIONS}


class ZeroRules(PartsQuestion, frozen=True):
    """The rules, each changed by its letter; Enter sets those that differ from the fight's."""

    rules: Mapping[str, str]

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        if key.name == "enter":
            line = self.line(desk.scene)
            desk.dismiss()
            if line:
                desk.run(line)
            else:
                _decline(desk)
        elif key.name in ("escape", "ctrl+c"):
            desk.dismiss()
            _decline(desk)
        elif key.name in _KEYS:
            rule, _ = _KEYS[key.name]
            some = _CHOICES[rule]
            step = some[(some.index(self.rules[rule]) + 1) % len(some)]
            desk.show(mode=replace(self, rules={**self.rules, rule: step}))
        else:
            desk.notify("Enter sets it, a letter of the list changes it, Esc goes back", "hint")

    def line(self, scene: Scene) -> str:
        """Return the line that Enter sends; "" if nothing was changed."""
        changed = [f"{k}={v}" for k, v in self.rules.items() if house_rule(scene.encounter, k) != v]
        return f"option {' '.join(changed)}" if changed else ""

    def title(self, scene: Scene) -> str:
        """Return the title."""
        del scene
        return "0 hit points"

    def parts(self, scene: Scene) -> list[tuple[str, str, str, str]]:
        """Return the three rules."""
        del scene
        return [(k, part, self.rules[rule], _MEANS[self.rules[rule]]) for k, (rule, part) in _KEYS.items()]

    def question(self, scene: Scene) -> str:
        """Return what the keys do."""
        sets = "sets these rules" if self.line(scene) else "leaves them"
        return f"What 0 hit points mean in this fight: [Enter] {sets}; then :house keeps them for new fights"


def ask(desk: BaseDesk) -> None:
    """Open the list; if nothing was chosen yet, heroes are proposed as dying."""
    e = desk.store.encounter
    rules = {rule: str(house_rule(e, rule)) for rule, _ in _KEYS.values()}
    proposed = {} if "zero.pc" in e.options else {"zero.pc": "dying"}
    desk.show(mode=ZeroRules({**rules, **proposed}))


def _decline(desk: BaseDesk) -> None:
    """Stop asking about the rules in this fight."""
    desk.show(declined_groups=(*desk.view.declined_groups, ZERO_QUESTION))
