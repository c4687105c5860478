"""The grammar: one line of words into one action. `wording` goes the other way."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from tui.core.fight.errors import RuleError
from tui.core.language import actions as a
from tui.core.language.tokens import Token, quote, scan, table, tokens

_COUNT = re.compile(r"\d+|\d*d\d+([+-]\d+)?", re.IGNORECASE)
_AMOUNT = re.compile(r"(.+?)(/2|\*2)?")


class _Line:
    """The tokens behind the verb, taken one after the other."""

    def __init__(self, verb: str, found: list[Token], raw: str) -> None:
        self.verb, self.raw = verb, raw
        self.words = [t for t in found if not t.key]
        self.keys = table(found, verb)
        self.plain = not self.keys

    def take(self, what: str) -> str:
        """The next word, which must be there."""
        if not self.words:
            raise RuleError(f"{self.verb}: {what} is missing", usage(self.verb))
        return self.words.pop(0).text

    def key(self, name: str, default: str = "") -> str:
        """A key's value, taken."""
        return self.keys.pop(name, default)

    def number(self, name: str, default: int) -> int:
        """A key's value as a whole number, taken."""
        return _number(self.key(name, str(default)), f"{self.verb}: {name}=")

    def done(self, action: a.Action) -> a.Action:
        """The action, when nothing is left over."""
        if self.words:
            hint = usage(self.verb)
            raise RuleError(f"{self.verb}: one word too many, {quote(self.words[0].text)}", hint)
        if self.keys:
            raise RuleError(f"{self.verb} has no key {next(iter(self.keys))}=", usage(self.verb))
        return action


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"-?\d{1,9}", text):
        raise RuleError(f"{what} takes a whole number, not {quote(text)}", "")
    return int(text)


def _add(line: _Line) -> a.Action:
    count = ""
    if len(line.words) > 1 and not line.words[0].quoted and _COUNT.fullmatch(line.words[0].text):
        count = line.take("N")
    name = line.take("NAME")
    keys, line.keys = line.keys, {}
    return line.done(a.Add(name, count, keys))


def _set(line: _Line) -> a.Action:
    who = line.take("WHO")
    keys, line.keys = line.keys, {}
    if not keys:
        raise RuleError("set: nothing to set", usage("set"))
    return line.done(a.Set(who, keys))


def _points(make: Callable[[str, str, str], a.Action]) -> Callable[[_Line], a.Action]:
    def read(line: _Line) -> a.Action:
        who, text = line.take("WHO"), line.take("N")
        m = _AMOUNT.fullmatch(text)
        return line.done(make(who, m[1] if m else text, (m[2] or "") if m else ""))

    return read


def _condition(line: _Line) -> a.Action:
    who, name = line.take("WHO"), line.take("NAME")
    until, of = line.key("until"), line.key("of")
    if until not in ("", "start", "end"):
        raise RuleError(f"condition: until= is start or end, not {quote(until)}", usage("condition"))
    return line.done(a.Afflict(who, name, line.number("rounds", 0), until, of))


def _roll(line: _Line) -> a.Action:
    if not line.words:
        return line.done(a.Roll())
    who = line.take("WHO")
    faces = tuple(_number(w.text, "roll: a face") for w in line.words)
    line.words = []
    return line.done(a.Roll(who, faces))


def _pick(line: _Line) -> a.Action:
    names = tuple(w.text for w in line.words)
    line.words = []
    if not names:
        raise RuleError("pick: a name is missing", "`pick none` picks nobody")
    return line.done(a.Pick(() if [n.lower() for n in names] == ["none"] else names))


def _order(line: _Line) -> a.Action:
    who = line.take("WHO")
    keys, line.keys = line.keys, {}
    return line.done(a.Order(who, keys))


def _lock(line: _Line) -> a.Action:
    missing = line.key("missing")
    if missing not in ("", "empty"):
        raise RuleError(f"lock: missing= is empty, not {quote(missing)}", usage("lock"))
    return line.done(a.Lock(missing))


def _move(line: _Line) -> a.Action:
    who, where, other = line.take("WHO"), line.take("before or after").lower(), line.take("WHO")
    if where not in ("before", "after"):
        raise RuleError(f"move: {quote(where)} is not before or after", usage("move"))
    return line.done(a.Move(who, where, other))


def _react(line: _Line) -> a.Action:
    found = scan(line.raw)
    who = next(found, None)
    if who is None:
        raise RuleError("react: WHO is missing", usage("react"))
    word = next(found, None)
    if word is None:
        return a.React(who.text)
    if word.text.lower() != "with":
        raise RuleError(f"react: one word too many, {quote(word.text)}", usage("react"))
    return a.React(who.text, line.raw[word.end :].strip())


def _note(line: _Line) -> a.Action:
    if not line.raw.strip():
        raise RuleError("note: the text is missing", usage("note"))
    return a.Note(line.raw.strip())


def _option(line: _Line) -> a.Action:
    keys, line.keys = line.keys, {}
    if not keys:
        raise RuleError("option: KEY=VALUE is missing", usage("option"))
    return line.done(a.Option(keys))


def _steps(make: Callable[[int], a.Action]) -> Callable[[_Line], a.Action]:
    def read(line: _Line) -> a.Action:
        number = _number(line.take("N"), line.verb) if line.words else 1
        if number < 1:
            raise RuleError(f"{line.verb}: at least 1 step, not {number}", "")
        return line.done(make(number))

    return read


def _goto(line: _Line) -> a.Action:
    step = _number(line.take("STEP"), "goto")
    if step < 0:
        raise RuleError("goto: steps count from 0", "")
    return line.done(a.Goto(step))


_VERBS: dict[str, tuple[str, str, Callable[[_Line], a.Action]]] = {
    "add": ("add [N] NAME [key=value…]", "combatants: add 5 Orc hp=7", _add),
    "party": ("party FILE", "adds a party from a file", lambda x: x.done(a.Party(x.take("FILE")))),
    "load": ("load FILE", "adds a prepared encounter", lambda x: x.done(a.Party(x.take("FILE"), "load"))),
    "set": ("set WHO key=value…", "edits", _set),
    "remove": ("remove WHO", "strikes from the roster", lambda x: x.done(a.Remove(x.take("WHO")))),
    "rename": ("rename WHO NAME", "another name", lambda x: x.done(a.Rename(x.take("WHO"), x.take("NAME")))),
    "group": ("group WHO NAME", "one row for several", lambda x: x.done(a.Group(x.take("WHO"), x.take("NAME")))),
    "ungroup": ("ungroup WHO", "a row each again", lambda x: x.done(a.Group(x.take("WHO")))),
    "hide": ("hide WHO", "the players do not see it", lambda x: x.done(a.Hide(x.take("WHO")))),
    "reveal": ("reveal WHO", "the players see it", lambda x: x.done(a.Hide(x.take("WHO"), reveal=True))),
    "damage": ("damage WHO N", "hit points down; N may be dice, end in /2 or *2", _points(a.Damage)),
    "heal": ("heal WHO N", "hit points up, to the maximum", _points(a.Heal)),
    "temp": ("temp WHO N", "temporary hit points", _points(a.Temp)),
    "condition": ("condition WHO NAME [rounds=N] [until=start|end] [of=WHO]", "a condition", _condition),
    "clear": ("clear WHO NAME", "ends a condition", lambda x: x.done(a.Clear(x.take("WHO"), x.take("NAME")))),
    "out": ("out WHO", "down, fled, dead", lambda x: x.done(a.Out(x.take("WHO")))),
    "back": ("back WHO", "in the fight again", lambda x: x.done(a.Out(x.take("WHO"), back=True))),
    "begin": ("begin", "starts the fight", lambda x: x.done(a.Begin())),
    "roll": ("roll [WHO [FACE…]]", "rolls what is due, or takes faces from the table", _roll),
    "pick": ("pick WHO… | pick none", "answers a choice", _pick),
    "order": ("order WHO key=value…", "an order, a declaration, an intent", _order),
    "lock": ("lock [missing=empty]", "closes the writing of orders", _lock),
    "unlock": ("unlock", "opens it again, before dice", lambda x: x.done(a.Unlock())),
    "next": ("next", "goes on", lambda x: x.done(a.Next())),
    "turn": ("turn WHO", "takes an offered turn", lambda x: x.done(a.TakeTurn(x.take("WHO")))),
    "pass": ("pass", "passes, where that is allowed", lambda x: x.done(a.Pass())),
    "end": ("end", "ends the turn and starts nothing", lambda x: x.done(a.End())),
    "hold": ("hold WHO", "delays", lambda x: x.done(a.Hold(x.take("WHO")))),
    "act": ("act WHO", "acts now, after holding", lambda x: x.done(a.Hold(x.take("WHO"), act=True))),
    "move": ("move WHO before|after WHO", "puts a row by hand", _move),
    "react": ("react WHO [with TEXT]", "spends a reaction", _react),
    "ok": ("ok", "it has been read", lambda x: x.done(a.Ok())),
    "option": ("option KEY=VALUE…", "a house rule", _option),
    "system": ("system ID", "another initiative system", lambda x: x.done(a.System(x.take("ID")))),
    "note": ("note TEXT", "a line in the log", _note),
    "undo": ("undo [N]", "back", _steps(a.Undo)),
    "redo": ("redo [N]", "forward, with the same dice", _steps(a.Redo)),
    "goto": ("goto STEP", "to any step", _goto),
}  # fmt: skip


def verbs() -> tuple[str, ...]:
    """The words that begin a line in every system."""
    return tuple(_VERBS)


def usage(verb: str) -> str:
    """How a line with this verb is written."""
    return _VERBS[verb][0] if verb in _VERBS else ""


def summary(verb: str) -> str:
    """What a verb does, in a few words."""
    return _VERBS[verb][1] if verb in _VERBS else ""


def parse(line: str, own: Collection[str] = ()) -> a.Action:
    """The action that a line asks for; `own` are the verbs of the running system.

    Raises RuleError with what is wrong and how the line is written.
    """
    verb, _, raw = line.strip().partition(" ")
    verb = verb.lower()
    if verb not in _VERBS and verb not in own:
        raise _unknown(verb, own)
    if verb in ("note", "react"):
        return _VERBS[verb][2](_Line(verb, [], raw))
    found = tokens(raw)
    if verb in own:
        return a.OwnVerb(verb, tuple(t.text for t in found if not t.key), table(found, verb))
    return _VERBS[verb][2](_Line(verb, found, raw))


def _unknown(verb: str, own: Collection[str]) -> RuleError:
    from tui.core.fight.text import nearest

    if not verb:
        return RuleError("an empty line says nothing", "`?` lists the words")
    close = nearest(verb, [*_VERBS, *own])
    return RuleError(
        f"unknown word {quote(verb)}", f"did you mean {close}?" if close else "`?` lists the words"
    )
