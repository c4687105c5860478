"""Actions back into lines: `parse(words(action)) == action`."""

from __future__ import annotations

from tui.core.language import actions as a
from tui.core.language.tokens import pairs, quote


def words(action: a.Action) -> str:
    """The line that asks for this action."""
    return " ".join(_words(action))


def _words(action: a.Action) -> list[str]:
    match action:
        case a.Add(name, count, keys):
            return ["add", *([count] if count else []), _name(name), *pairs(keys)]
        case a.Party(file, kind):
            return [kind, quote(file)]
        case a.Set(who, keys) | a.Order(who, keys):
            return ["set" if isinstance(action, a.Set) else "order", _name(who), *pairs(keys)]
        case a.Rename(who, name) | a.Clear(who, name):
            return ["rename" if isinstance(action, a.Rename) else "clear", _name(who), _name(name)]
        case a.Group(who, name):
            return ["group", _name(who), _name(name)] if name else ["ungroup", _name(who)]
        case a.Damage(who, amount, scale) | a.Heal(who, amount, scale) | a.Temp(who, amount, scale):
            return [type(action).__name__.lower(), _name(who), quote(amount + scale)]
        case a.Afflict():
            return _afflict(action)
        case a.Roll(who, faces):
            return ["roll", *([_name(who)] if who else []), *map(str, faces)]
        case a.Pick(names):
            return ["pick", *(_name(n) for n in names)] if names else ["pick", "none"]
        case a.Lock(missing):
            return ["lock", *([f"missing={missing}"] if missing else [])]
        case a.Move(who, where, other):
            return ["move", _name(who), where, _name(other)]
        case a.React(who, text):
            return ["react", _name(who), *(["with", text] if text else [])]
        case a.OwnVerb(verb, plain, keys):
            return [verb, *(_name(w) for w in plain), *pairs(keys)]
        case a.Option(keys):
            return ["option", *pairs(keys)]
        case a.Note(text):
            return ["note", text]
        case _:
            return _short(action)


def _short(action: a.Action) -> list[str]:
    """The lines of a verb and at most one word."""
    verb = type(action).__name__.lower()
    match action:
        case a.Hide(who, reveal):
            return ["reveal" if reveal else "hide", _name(who)]
        case a.Out(who, back):
            return ["back" if back else "out", _name(who)]
        case a.Hold(who, act):
            return ["act" if act else "hold", _name(who)]
        case a.TakeTurn(who):
            return ["turn", _name(who)]
        case a.Remove(who):
            return [verb, _name(who)]
        case a.System(system):
            return [verb, _name(system)]
        case a.Undo(steps) | a.Redo(steps):
            return [verb] if steps == 1 else [verb, str(steps)]
        case a.Goto(step):
            return [verb, str(step)]
        case _:
            return [verb]


def _afflict(action: a.Afflict) -> list[str]:
    line = ["condition", _name(action.who), _name(action.name)]
    if action.rounds:
        line.append(f"rounds={action.rounds}")
    return line + pairs({k: v for k, v in (("until", action.until), ("of", action.of)) if v})


def _name(text: str) -> str:
    """A word that can never be taken for a key, a number or a keyword of the grammar."""
    return quote(text)
