"""The card: everything known about the acting creature or the current row, each value in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from tui.core.language.attacks import read_multiattack
from tui.core.language.values import spell, write_bonuses
from tui.core.table import AttackView, ConditionView, Creature, DeathSavesView, EffectDue, RollDue, SaveView
from tui.core.table_lines import effect_words, save_words
from tui.ui.panes.creatures import (
    held_words,
    join_numbered,
    label_line,
    row_style,
)
from tui.ui.panes.orders import has_running_order, order_lines
from tui.ui.panes.pane import Ask, Pane
from tui.ui.panes.track import wanted_rows as track_need
from tui.ui.state.layout import LEAST_LIST_LINES, Room
from tui.ui.state.scene import Scene, cards, creatures, focus, row_name, shown_marks
from tui.ui.text.held import HIDDEN_WORD, companion, count, name_state, points
from tui.ui.text.palette import Role
from tui.ui.text.rows import Box, Piece, Row, cells, clip, fit_pieces, pad_rows, wrap_text
from tui.ui.text.track import make_adjective

MOST, TALL = 9, 24
"""The most lines of a card with its title beside other panes, plus one per line above `TALL`."""
FRAME_LINES = 8
"""Lines of header, log, Now and hints on a narrow screen."""
LEAST_LINES = 7
"""If less height is left, in lines, the panes beside the card are left out."""

COLUMN_WIDTHS = (8, 9, 0)
"""The columns of hit points and armour class, with a space after each; 0 for the reaction, the last one."""

Said = tuple[str, Role]

_RESET_WORDS = {
    "turn": ", back at its turn",
    "round": ", back each round",
    "short": ", back after a rest",
    "long": ", back after a long rest",
    "never": "",
}
"""When a counter is full again, by its reset; a die has its own words."""


def card(scene: Scene, key: str, width: int, height: int) -> list[Row]:
    """Return the title and as much of the card as fits; the last line shows if there is more."""
    rows = [_title(scene, key, width), *lines(scene, key, width)]
    if len(rows) > height > 1:
        more, last = len(rows) - height, rows[height - 1]
        key_of_all = scene.keys.get("why", "")
        reads = f" [{key_of_all}] reads" if key_of_all else ""
        note: Piece = (f" {scene.glyphs.ellipsis}{reads} {more} more", "muted")
        # If it fits, the sign comes after the last row and hides none.
        if sum(cells(text) for text, _ in (*last, note)) <= width:
            rows[height - 1 :] = [(*last, note)]
        else:
            rows[height - 1 :] = [((f" {scene.glyphs.ellipsis}{reads} {more + 1} more", "muted"),)]
    return pad_rows(rows, height)


def card_line(scene: Scene, key: str, width: int) -> Row:
    """Return the card in one line: name, hit points, armour class, reaction."""
    people = _people(scene, key)
    texts = [text for text, _ in _fixed_values(scene, people) if text.strip()]
    does = _turn_verb(scene, key)
    secret = f"{HIDDEN_WORD} " if any(c.hidden for c in people) else ""
    line: Row = (
        (f"{scene.glyphs.rule * 2} {row_name(scene, key)} {does}{' ' * bool(does)}", "title"),
        (secret, "hidden"),
        (" ".join(" ".join(texts).split()), "text"),
    )
    return clip(line, width, scene.glyphs.ellipsis)


def wanted_rows(scene: Scene, key: str, room: Room) -> int:
    """Return the number of lines that the card can use beside other panes, with its title."""
    if not key:
        return 0
    most = MOST + max(0, room.height - TALL)
    if _turn_verb(scene, key):
        # The acting creature's attacks are added to the others.
        most += len(_attacks(_people(scene, key)))
    return min(most, 1 + len(lines(scene, key, room.right)))


def _people(scene: Scene, key: str) -> Sequence[Creature]:
    """Return the creatures of a card: members that are not out, or all of them if all are out."""
    people = creatures(scene, key)
    # Creatures that act along with this one are below it.
    if _turn_verb(scene, key) and key not in {c.id for c in people}:
        people = tuple(c for c in scene.table.combatants if c.name in scene.table.actors) or people
    return [c for c in people if not c.out] or people


def _turn_verb(scene: Scene, key: str) -> str:
    """Return the verb after the acting creature's name, such as `acts`; "" for other creatures."""
    return scene.table.does if key == scene.acting else ""


def _title(scene: Scene, key: str, width: int) -> Row:
    people, verb = _people(scene, key), _turn_verb(scene, key)
    owners = dict.fromkeys(owner for c in people for owner in c.owners)
    more: list[Piece] = [(HIDDEN_WORD, "hidden")] if any(c.hidden for c in people) else []
    more += [(", ".join(owners), "title")] if owners else []
    return label_line(scene, f"{row_name(scene, key)} {verb}".rstrip(), width, *more)


def lines(scene: Scene, key: str, width: int) -> list[Row]:
    """Return the rows of a card: hit points, reaction, conditions, marks, numbers, note."""
    people = _people(scene, key)
    if not people:
        return []
    room = width - 1
    rows: list[Row] = [clip(_values(scene, people, room), room, scene.glyphs.ellipsis)]
    if _turn_verb(scene, key):
        rows += attack_rows(people, room, digits=True)
    if len(people) > 1 or len(creatures(scene, key)) > 1:
        rows += _members(scene, key, room)
    else:
        rows += [row for piece in _companion_words(scene, key) for row in _wrap(piece, room)]
        rows += [row for piece in _list_state(scene, people[0]) for row in _wrap(piece, room)]
    if not _turn_verb(scene, key):
        rows += [row for piece in order_lines(scene, key) for row in _wrap((piece, "text"), room)]
    return rows


def _attacks(people: Sequence[Creature]) -> list[tuple[AttackView, str, bool]]:
    """Return the attacks of these creatures, each with its owner if lists differ and whether it is rolled.

    Equal lists count once.
    """
    lists: dict[tuple[AttackView, ...], list[str]] = {}
    for c in people:
        if c.attacks:
            lists.setdefault(c.attacks, []).append(c.name)
    more = {x: f" and {len(names) - 1} more" if names[1:] else "" for x, names in lists.items()}
    whose = {x: f"{names[0]}{more[x]}: " if len(lists) > 1 else "" for x, names in lists.items()}
    return [
        (x, whose[attacks], x.rolls or bool(read_multiattack(x.text, attacks)))
        for attacks in lists
        for x in attacks
    ]


def attack_rows(people: Sequence[Creature], room: int, *, digits: bool = False) -> list[Row]:
    """Return attacks as rows; `digits` puts them in the order of the list of attacks, each with its digit."""
    can = sorted(_attacks(people), key=lambda x: digits and not x[2])
    rows: list[Row] = []
    for number, (attack, whose, is_rolled) in enumerate(can, 1):
        key = f"{number} " if digits and is_rolled else "  " if digits else ""
        rows += _wrap((key + whose + attack.words(), "text"), room)
    return rows


def _companion_words(scene: Scene, key: str) -> Iterator[Said]:
    """Yield the creatures that share the row, each with hit points and conditions."""
    name = row_name(scene, key)
    row = next((x for x in scene.table.track if x.entry == name and name in x.members), None)
    for c in scene.table.combatants if row else ():
        if row and c.name in row.members and c.name != name:
            words, role = companion(row_style(scene), c)
            yield f"with {words}", role


def _wrap(piece: Said, room: int) -> list[Row]:
    """Return a paragraph as rows; those after the first are indented."""
    if room < 4:
        return []
    first, *more = wrap_text(piece[0], room - 1)
    rows: list[Row] = [((" " + first, piece[1]),)]
    if more:
        rows += [((f"   {row}", piece[1]),) for row in wrap_text(" ".join(more), room - 3)]
    return rows


def _values(scene: Scene, people: Sequence[Creature], room: int) -> list[Piece]:
    """Return hit points, armour class and reaction in fixed columns, or without columns for lack of room."""
    pieces = list(_fixed_values(scene, people))
    placed: list[Piece] = [(" ", "text")]
    for (text, role), columns in zip(pieces, COLUMN_WIDTHS, strict=False):
        placed.append((f"{text:<{columns - 1}} " if columns else text, role))
    if sum(cells(text) for text, _ in placed) <= room:
        return placed
    return [(f" {text}", role) for text, role in pieces if text]


def _fixed_values(scene: Scene, people: Sequence[Creature]) -> Iterator[Piece]:
    """Yield hit points, armour class, and whether a reaction is spent."""
    words, role = points(people, scene.glyphs)
    yield (words or "no hp", role)
    armour = sorted({c.ac for c in people if isinstance(c.ac, int)})
    text = scene.glyphs.range.join(f"{x}" for x in dict.fromkeys((armour[0], armour[-1]))) if armour else ""
    yield (f"AC {text}" if text else "", "text")
    if scene.table.running and not any(c.unable is UNSET for c in people):
        able = sum(not c.unable for c in people)
        if able < len(people) and (able or len(people) > 1 or not _explain_unable(scene, people[0])):
            yield (f"{able} react" if able else "no reaction", "warning")


def _explain_unable(scene: Scene, c: Creature) -> str:
    """Return why a standing creature cannot react; "" if it can, or if another line already says why."""
    if c.out or (isinstance(c.saves, DeathSavesView) and c.saves.stable is not UNSET):
        return ""
    # The mark that is the reason has a line already.
    reason = c.unable or ""
    return "" if reason in [m.short for m in shown_marks(scene, c)] else reason


def _list_state(scene: Scene, c: Creature) -> Iterator[Said]:
    """Yield the lines about one creature that come below its hit points and armour class."""
    if c.hidden:
        yield ("hidden from the players" + (f", who read {c.alias}" if c.alias else ""), "hidden")
    if down := _fallen_state(c):
        yield (down, "down")
    if reason := _explain_unable(scene, c):
        yield (f"no reaction: {reason}", "warning")
    yield from ((line, "warning") for line in _list_debts(scene, c))
    for x in c.conditions:
        words = "; ".join([describe_condition(x, by_round=scene.system.turn_edges == "round"), *effects(x)])
        yield (f"{words} (hidden)" if x.hidden else words, "condition")
    yield from ((mark.word, "alarm" if mark.alarming else "text") for mark in shown_marks(scene, c))
    for counter in c.counters:
        yield (
            count(counter.name, counter.n, counter.max)
            + _RESET_WORDS.get(counter.reset, f", back on {counter.reset}"),
            "text",
        )
    if c.name not in scene.table.actors:
        yield from ((x.words(), "text") for x in c.attacks or ())
    yield from _numbers(scene, c)
    if c.group:
        yield (f"one of {c.group}", "muted")
    if isinstance(c.fixed, int):
        yield (f"fixed place {c.fixed}", "muted")
    if c.note:
        yield (f"note: {c.note}", "text")
    yield from ((line, "text") for line in c.card.splitlines() if line.strip())


def _list_debts(scene: Scene, c: Creature) -> Iterator[str]:
    """Yield the effects and the saves that a creature owes."""
    for due in scene.table.due:
        match due:
            case EffectDue(who=c.name):
                yield f"owes {due.name}: {effect_words(due.damage or '', due.type or '', due.heal or '')}"
            case RollDue(who=c.name, save=SaveView(cause=cause, name=name)):
                yield f"owes the {save_words(cause, name)}"
            case _:
                pass


def _fallen_state(c: Creature) -> str:
    """Return `dead`, `out` or the death saves of a creature at 0 hit points or out of the fight; else ""."""
    if isinstance(c.saves, DeathSavesView) and c.saves.stable is not UNSET:
        made = c.saves.successes
        saves = f"dying: {made} save{'s' * (made != 1)} made, {c.saves.failures} failed"
        return "stable at 0 hit points" if c.saves.stable else saves
    if c.dead:
        return "dead"
    if c.hp == 0:
        return "out, at 0 hit points" if c.out else "at 0 hit points"
    return "out" if c.out else ""


def _numbers(scene: Scene, c: Creature) -> Iterator[Said]:
    """Yield resistances, saving throws and the fields of the system."""
    effects = (("immune to", c.immune), ("resists", c.resist), ("vulnerable to", c.vulnerable))
    kinds = [f"{word} {text}" for word, text in effects if text]
    if kinds:
        yield ("; ".join(kinds), "text")
    if c.save_bonus:
        yield (f"saving throws {write_bonuses(c.save_bonus)}", "text")
    fields = c.fields or {}
    # The kind says no more than the side, and what is added to a roll nothing after it.
    has_rolled = any(c.name in row.members for row in scene.table.track)
    said = [f.key for f in scene.system.fields if f.key == "kind" or (has_rolled and f.stock == "initiative")]
    fields_shown = [f for f in scene.system.fields if f.key not in said and fields.get(f.key, "") != ""]
    numbers = [f"{f.title} {spell(fields[f.key])}" for f in fields_shown]
    if numbers:
        yield (", ".join(numbers), "muted")


def effects(x: ConditionView) -> list[str]:
    """Return what a condition deals or heals at the start or end of a turn, and its note; [] for neither."""
    effect = effect_words(x.damage, x.type, x.heal)
    return [*([f"{effect} at the {x.at} of its turn"] if effect else []), *([x.note] if x.note else [])]


def describe_condition(x: ConditionView, *, by_round: bool) -> str:
    """Return a condition and how long it lasts, in words."""
    if x.dc:
        duration = describe_condition(replace(x, dc=0), by_round=by_round)
        return f"{duration}{',' if x.until else ':'} save DC {x.dc}{f' {x.key}' if x.key else ''}"
    name = make_adjective(x.name)
    if not x.until:
        return name + f"{', while' if x.conc else ' by'} {x.of}{' concentrates' * x.conc}" * bool(x.of)
    whose = f"{x.of}'s" if x.of else "its"
    if x.rounds > 1:
        counted = "rounds" if by_round else f"of {whose} turns" if x.of else "turns"
        return f"{name}: {x.rounds} {counted} left"
    later = x.fresh or x.until == "start"
    if by_round:
        return f"{name}: to the {x.until} of {'the next' if later else 'this'} round"
    return f"{name}: to the {x.until} of {whose} {'next ' if later else ''}turn"


def _members(scene: Scene, key: str, room: int) -> list[Row]:
    """Return the members of a group; members in the same state share a line."""
    everybody = creatures(scene, key)
    kinds: dict[tuple[object, ...], list[Creature]] = {}
    for c in everybody:
        kind = (points((c,), scene.glyphs)[0], name_state(c), *held_words(scene, (c,)))
        kinds.setdefault(kind, []).append(c)
    rows: list[Row] = []
    for some in kinds.values():
        name = join_numbered([c.name for c in some], scene.glyphs)
        pieces: list[Piece] = [(name_state(some[0]), "down")] if some[0].out else held_words(scene, some[:1])
        start = f" {name}  {points(some[:1], scene.glyphs)[0]}"
        fit = fit_pieces(pieces, max(0, room - len(start) - 1), scene.glyphs.ellipsis) if pieces else []
        rows.append(clip(((start, "text"), (" ", "text"), *fit), room, scene.glyphs.ellipsis))
    people = _people(scene, key)
    if not _turn_verb(scene, key):
        rows += attack_rows(people, room)
    # The order of a group is shown once: monsters mostly act together.
    notes = [f"note: {note}" for note in dict.fromkeys(c.note for c in everybody) if note]
    cards = [line for text in dict.fromkeys(c.card for c in people) for line in text.splitlines()]
    lines = [*notes, *(line for line in cards if line.strip())]
    return rows + [row for line in lines for row in _wrap((line, "text"), room)]


def _ask(scene: Scene, room: Room) -> Ask | None:
    wants = wanted_rows(scene, cards(scene)[0], room)
    if not wants:
        return None
    if room.kind == "wide":
        return Ask(wants, "right", 0, min(wants, LEAST_LINES))
    if room.kind == "narrow" and focus(scene) != "track":
        return None
    # In three lines a card says little more than in one, and the rows of the track need them.
    crowded = track_need(scene) + LEAST_LIST_LINES > room.height - FRAME_LINES
    short = room.kind == "small" or crowded or has_running_order(scene)
    return Ask(1 if short else min(wants, LEAST_LIST_LINES), "right", 2, 1) if scene.table.running else None


def _ask_second(scene: Scene, room: Room) -> Ask | None:
    # A list from which creatures are chosen needs the lines.
    if room.kind != "wide" or focus(scene) == "roster":
        return None
    wants = wanted_rows(scene, cards(scene)[1], room)
    return Ask(wants, "right", 2, min(wants, LEAST_LINES))


def _draw(number: int, scene: Scene, box: Box) -> list[Row]:
    key = cards(scene)[number]
    if box.height == 1:
        return [card_line(scene, key, box.width)]
    return card(scene, key, box.width, box.height)


PANE, SECOND = Pane("card", _ask, partial(_draw, 0)), Pane("second", _ask_second, partial(_draw, 1))
