"""Make the tables of the chapters and of FORMAT from the program's own: keys, lines, systems, JSON…"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct, UnsetType, structs

from tui.core.fight.agenda import Field
from tui.core.language.grammar import summary, usage, verbs
from tui.core.language.values import KIND, spell
from tui.core.rules.creature_fields import ATTRIBUTES
from tui.core.rules.system import InitiativeSystem
from tui.core.rules.upkeep import COMMON_OPTIONS
from tui.core.table import BaseDue, Table
from tui.exchange.story.story import load_writers
from tui.manual import FOLDER
from tui.systems import Registry
from tui.ui.state.commands import COMMANDS, show_key

SYSTEMS = Registry()
TOP = Path(__file__).parents[2]
Rows = Iterable[tuple[str, ...]]


def commands() -> Rows:
    """The commands of the screen: key, the name under which it is set, the line that it stands for."""
    yield "key", "command", "line", "does"
    for command in COMMANDS:
        keys = " ".join(f"`{show_key(key)}`" for key in command.keys)
        yield keys, f"`{command.id}`", f"`{command.words}`", command.help


FIRST_KEYS = (
    "next", "begin", "roll", "add", "damage", "aim", "condition", "out", "undo", "line", "palette", "help",
)  # fmt: skip


def first_keys() -> Rows:
    """The keys with which a fight can be played."""
    yield "key", "does"
    by_id = {command.id: command for command in COMMANDS}
    for name in FIRST_KEYS:
        yield f"`{show_key(by_id[name].keys[0])}`", by_id[name].help


def lines() -> Rows:
    """The verbs of every system."""
    yield "line", "does"
    for verb in verbs():
        yield f"`{usage(verb)}`", summary(verb)


def systems() -> Rows:
    """The systems in a line each."""
    yield "id", "in short"
    for system in map(SYSTEMS.get, SYSTEMS.ids()):
        yield f"`{system.id}`", system.summary


def own_verbs(system: InitiativeSystem) -> Rows:
    """The verbs of one system, with their keys."""
    yield "line", "key", "does"
    for verb in system.verbs:
        yield f"`{verb.usage}`", f"`{verb.key}`" if verb.key else "", verb.help


def _declared(heading: tuple[str, ...], declared: Iterable[Field], *, titled: bool = False) -> Rows:
    """The rows of fields; `titled`: with the title, for those that stand under no heading of their own."""
    yield heading
    for field in declared:
        kind = " ".join(f"`{choice}`" for choice in field.choices) or field.kind
        default = f" (default `{spell(field.default)}`)" if field.default != "" else ""
        yield f"`{field.key}`", kind + default, _meaning(field) if titled else field.help or field.title


def _meaning(field: Field) -> str:
    """Return title and help; of a short help, which only hints at the title in a prompt, the title."""
    if not field.help or field.title == field.key:
        return field.help or field.title
    return f"{field.title}: {field.help}" if len(field.help.split()) > HINT else field.title


HINT = 4
"""Words of a help that says no more than the title."""


def fields(system: InitiativeSystem) -> Rows:
    """What one system wants to know of a creature."""
    return _declared(("key", "takes", "means"), system.fields)


def options(system: InitiativeSystem) -> Rows:
    """The house rules of one system, without those of every system."""
    shared = set.intersection(*({o.key for o in SYSTEMS.get(name).options} for name in SYSTEMS.ids()))
    return _declared(("option", "takes", "means"), (o for o in system.options if o.key not in shared))


def shared_options() -> Rows:
    """The house rules of every system."""
    every = [SYSTEMS.get(name).options for name in SYSTEMS.ids()]
    shared = set.intersection(*({o.key for o in declared} for declared in every))
    common = (*COMMON_OPTIONS, *(o for o in every[0] if o.key in shared))
    return _declared(("option", "takes", "means"), common, titled=True)


def attributes() -> Rows:
    """What is known of a creature in every system."""
    return _declared(("key", "takes", "means"), (*ATTRIBUTES, KIND), titled=True)


def exports() -> Rows:
    """The formats of the story."""
    yield "format", "is"
    for writer in load_writers().values():
        yield f"`{writer.name}`", writer.title


def themes() -> Rows:
    """The themes that come with the program."""
    yield "theme", "title"
    for path in sorted((TOP / "themes").glob("*.toml")):
        title = re.search(r'^title = "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
        assert title, path
        yield f"`{path.stem}`", title[1]


def state_keys() -> Rows:
    """The keys of the state as JSON, each by its path."""
    yield from _keys(Table, "")


def _keys(of: type[Struct], path: str) -> Rows:
    """The keys of a struct, and below each the keys of the structs that it holds."""
    if not path:
        yield "key", "type", "holds"
    texts = field_texts(of)
    for field in structs.fields(of):
        here = path + field.encode_name
        yield f"`{here}`", _type(field.type), texts[field.name]
        yield from _inside(field.type, here)


def _inside(kind: Any, path: str) -> Rows:
    """The keys of the structs in a type: of a list below `[]`, of a table below `.*`."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        yield from _keys(kind, path + ".")
        return
    parts, form = get_args(kind), get_origin(kind)
    mark = {tuple: "[]", dict: ".*"}.get(form, "")
    known = set[tuple[str, ...]]()
    if issubclass(parts[0], BaseDue) if parts and isinstance(parts[0], type) else False:
        yield f"`{path}.kind`", "text", ", ".join(f"`{x.__struct_config__.tag}`" for x in parts)
    for part in parts:
        for row in _inside(part, path + mark):
            # What several of them have stands there once.
            if row not in known:
                known.add(row)
                yield row


KINDS: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    bool: "true, false",
    NoneType: "null",
    Any: "any",
}
"""The types of JSON, in words."""


def _type(kind: Any) -> str:
    """Return a type in words."""
    if kind in KINDS:
        return KINDS[kind]
    form, parts = get_origin(kind), [x for x in get_args(kind) if x not in (UnsetType, Ellipsis)]
    if form is Literal:
        return KINDS[type(parts[0])]
    if form is tuple:
        return "list"
    if form is None or form is dict:
        return "table"
    return " or ".join(dict.fromkeys(map(_type, parts)))


@cache
def field_texts(of: type[Struct]) -> dict[str, str]:
    """Return the text below each field of a struct, by its name, with those of the structs it extends."""
    tree = ast.parse(dedent(getsource(of))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for base in of.__bases__:
        if base is not Struct and issubclass(base, Struct):
            found |= field_texts(base)
    for field, text in pairwise(tree.body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            words = text.value if isinstance(text, ast.Expr) else None
            assert isinstance(words, ast.Constant), f"{of.__name__}.{field.target.id} has no text below it"
            found[field.target.id] = str(words.value)
    missing = [x.name for x in structs.fields(of) if x.name not in found]
    assert not missing, f"{of.__name__} has no text below {missing}"
    return found


TABLES: Mapping[str, Callable[[], Rows]] = {
    "first keys": first_keys,
    "commands": commands,
    "lines": lines,
    "systems": systems,
    "options": shared_options,
    "attributes": attributes,
    "exports": exports,
    "themes": themes,
    "state keys": state_keys,
    **{
        f"{what} {name}": partial(make, SYSTEMS.get(name))
        for name in SYSTEMS.ids()
        for what, make in (("verbs", own_verbs), ("fields", fields), ("options", options))
    },
}

_TABLE = re.compile(r"(<!-- table: ([a-z -]+) -->\n).*?(<!-- /table -->)", re.DOTALL)


def markdown(rows: Rows) -> str:
    """Return the rows as a table, the first as its heading."""
    head, *body = [tuple(" ".join(cell.replace("|", "\\|").split()) for cell in row) for row in rows]
    listed = [head, ("---",) * len(head), *body]
    return "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in listed).replace(
        "| --- ", "|---"
    )


def filled(text: str) -> str:
    """Return the text with each of its marked tables made again."""
    return _TABLE.sub(lambda m: m[1] + markdown(TABLES[m[2]]()) + m[3], text)


def documents() -> list[Path]:
    """Return every document that may hold such tables."""
    return [TOP / "README.md", TOP / ".github" / "FORMAT.md", *sorted(Path(FOLDER).glob("*.md"))]
