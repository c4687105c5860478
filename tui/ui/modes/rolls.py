"""The list of owed rolls: totals, faces, saves made and failed, and the app's dice for the rest."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import EffectAsk, RollAsk
from tui.core.fight.combatant import AREA, DYING
from tui.core.fight.encounter import label, members
from tui.core.fight.viewer import text
from tui.core.language.select import list_names
from tui.core.language.tokens import quote
from tui.core.rules.now import dice_of
from tui.core.rules.optional import correctable_rolls
from tui.core.rules.rolling import total_bounds
from tui.core.views.sentences import damage_words
from tui.ui.desk.base import BaseDesk
from tui.ui.modes.menu import Menu
from tui.ui.modes.mode import Hints, KeyMode
from tui.ui.panes.creatures import focus_title
from tui.ui.panes.keyed import key_row
from tui.ui.state.mode import Asks
from tui.ui.state.moment import is_unknown
from tui.ui.state.scene import Scene, due, page, selected_rows, side_mark, side_of_key
from tui.ui.state.totals import answers, faces_decide, outcome, rolls_owed
from tui.ui.state.view import Notice
from tui.ui.text.editor import Editor, typed_line
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.menu import Item
from tui.ui.text.press import DIGITS, STEPS, Press, read_faces
from tui.ui.text.rows import Box, Piece, Row, cells, clip, pad_rows, short, span, words

TOTAL_CHARACTERS = f"{DIGITS}-"
"""Characters that may be typed for a total."""
FACE_CHARACTERS = f"{DIGITS} ,"
"""Characters that may be typed for faces."""
NAME, OWNER, NUMBER = 20, 10, 9
"""The most columns for names and players, and the columns for the number."""
ROOMY_WIDTH = 70
"""The width in columns from which the player is shown beside the name."""


class RollList(KeyMode, frozen=True):
    """Owed rolls, one in a row, that are answered with the dice of the table."""

    first_step: int
    """The step at which the list was opened."""
    rolls: tuple[RollAsk, ...] = ()
    """The rolls owed since the list was opened, answered ones among them, in the order of rows."""
    at: str = ""
    """The key of the roll in focus."""
    totals: Mapping[str, str] = {}
    """The answers given in this list, by the key of the roll."""
    faces: bool = False
    """Whether the numbers are faces of the dice instead of totals."""
    editor: Editor = Editor()
    """The text of the row in focus."""
    is_refused: bool = False
    """Whether the text was refused; the next character replaces it."""

    # --- which roll

    def renew(self, scene: Scene) -> RollList:
        """Return the list with the rolls owed now; rolls that were settled elsewhere are removed.

        A further save comes below the last save of its creature; other new rolls come last.
        """
        asks = rolls_owed(scene)
        now = {ask.key: ask for ask in asks}
        totals = {key: text for key, text in self.totals.items() if key not in now}
        rows = [now.pop(ask.key, ask) for ask in self.rolls]
        for ask in now.values():
            places = [place for place, row in enumerate(rows) if ask.save and row.who == ask.who]
            rows.insert(places[-1] + 1 if places else len(rows), ask)
        # A roll that is no longer owed and was not answered here was settled elsewhere.
        remaining = tuple(row for row in rows if row.key in totals or any(row.key == x.key for x in asks))
        return replace(self, rolls=remaining, totals=totals)

    def overtaken(self, desk: BaseDesk) -> str:
        """Remove the rolls that players have made; close if all are made."""
        scene = desk.scene
        keys = {ask.key for ask in rolls_owed(scene)}
        gone = next((row for row in self.rolls if row.key == self.at and row.key not in keys), None)
        rolls = self.renew(scene)
        if gone:
            rolls = replace(rolls, at=self.after(scene), editor=Editor(), is_refused=False)
        desk.show(mode=rolls if keys else None)
        if gone is None:
            return ""
        typed = f": {self.editor.text} is not sent" if self.editor.text else ""
        return f"{_name(scene, gone)} has rolled{typed}"

    def current(self, scene: Scene) -> RollAsk | None:
        """Return the owed roll in focus, else the first one, or None if none is owed."""
        asks = rolls_owed(scene)
        return next((ask for ask in asks if ask.key == self.at), asks[0] if asks else None)

    def after(self, scene: Scene, by: int = 1) -> str:
        """Return the key of the next owed roll (`by` 1) or the previous one (-1), cyclically, or ""."""
        asks = {ask.key for ask in rolls_owed(scene)}
        keys = [ask.key for ask in self.rolls]
        at = keys.index(self.at) if self.at in keys else -1
        ring = [keys[(at + by * step) % len(keys)] for step in range(1, len(keys) + 1)] if keys else []
        return next((key for key in ring if key in asks), "")

    def takes_faces(self, scene: Scene, ask: RollAsk) -> bool:
        """Return whether a roll is answered with faces: by the list's kind, or if a total is not enough."""
        return self.faces or faces_decide(scene, ask)

    # --- keys

    def press(self, desk: BaseDesk, key: Press) -> None:
        """Handle a key."""
        scene = desk.scene
        ask = self.current(scene)
        if ask is None:
            desk.dismiss()
            return
        # The key of the list switches between totals and faces, if totals may be typed.
        other = bool(key.char) and key.char == scene.keys.get("totals")
        match key.key:
            case "escape" | "ctrl+c":
                desk.dismiss()
            case "enter" | "tab" | "down":
                self._send(desk, ask, 1)
            case "shift+tab" | "up":
                self._send(desk, ask, -1)
            case "home" | "end" | "pageup" | "pagedown" if not self.editor.text:
                self._move(desk, ask, STEPS[key.key])
            case _ if ask.names and key.char and ask.names.begins(self._edited.text + key.char):
                # Before commands, because some characters of names are commands.
                desk.show(
                    mode=replace(self, editor=desk.typed_into(self._edited, key.char), is_refused=False)
                )
            case _ if (other or key.key in ("left", "right")) and not faces_decide(scene, ask):
                desk.show(mode=replace(self, faces=not self.faces, editor=Editor()))
            case _ if other:
                pass
            case _ if (edited := self.editor.press(key.key)) is not None:
                desk.show(mode=replace(self, editor=edited, is_refused=False))
            case _ if key.char and key.char in self._allowed_characters(scene):
                desk.show(
                    mode=replace(self, editor=desk.typed_into(self._edited, key.char), is_refused=False)
                )
            case _ if ask.names and self._edited.text:
                desk.notify(self._explain_input(scene), "warning")
            case _:
                self._letter(desk, ask, key.char)

    @property
    def _edited(self) -> Editor:
        """The editor that the next character goes into; refused text is replaced."""
        return Editor() if self.is_refused else self.editor

    def _letter(self, desk: BaseDesk, ask: RollAsk, char: str) -> None:
        who = quote(label(desk.store.encounter, ask.who))
        match char:
            case "r":
                self._answer(desk, "roll", "")
            case "m" | "f" if ask.ticks:
                word = "made" if char == "m" else "failed"
                self._answer(desk, f"{word} {who}", word)
            case "j" | "k":
                self._send(desk, ask, STEPS[char])
            case "g" | "G":
                self._move(desk, ask, STEPS[char])
            case "u":
                self._undo(desk)
            case _:
                desk.notify(self._explain_input(desk.scene), "warning")

    def paste(self, desk: BaseDesk, text: str, typed: str) -> bool:
        """Insert pasted text into the answer if it could be typed there, else show a notice; return True."""
        del text
        ask = self.current(desk.scene)
        is_number = ask is not None and ask.names is not None and ask.names.begins(self.editor.text + typed)
        if is_number or set(typed) <= set(self._allowed_characters(desk.scene)):
            desk.show(mode=replace(self, editor=desk.typed_into(self.editor, typed)))
        else:
            desk.notify(self._explain_input(desk.scene), "warning")
        return True

    def _allowed_characters(self, scene: Scene) -> str:
        """Return the characters that may be typed in the row in focus."""
        ask = self.current(scene)
        if ask and ask.names:
            return ""
        return FACE_CHARACTERS if ask and self.takes_faces(scene, ask) else TOTAL_CHARACTERS

    def _explain_input(self, scene: Scene) -> str:
        ask = self.current(scene)
        title = (
            "faces are numbers"
            if self._allowed_characters(scene) == FACE_CHARACTERS
            else "a total is a number"
        )
        if ask and ask.names:
            title = f"{ask.names.any} is typed by its name, such as {ask.names.such}"
        return f"{title}: Enter sends it, Esc goes back"

    def _send(self, desk: BaseDesk, ask: RollAsk, by: int) -> None:
        """Send the text of the row in focus, and go to the next owed row, or with -1 to the one before."""
        text = self.editor.text.strip(" ,")
        who = quote(label(desk.store.encounter, ask.who))
        if not text:
            self._move(desk, ask, by)
            if desk.view.mode == self:
                desk.notify(self._explain_input(desk.scene), "hint")
            return
        if not self.takes_faces(desk.scene, ask):
            self._answer(desk, f"total {who} {text}", text, by)
            return
        if ask.names:
            if meant := ask.names.meant(text):
                self._answer(desk, f"roll {who} {quote(text)}", ask.names.name(meant[0]), by)
                return
            desk.show(notice=Notice(f"{text} is not {ask.names.any}", "error", f"such as {ask.names.such}"))
            desk.show(mode=replace(self, is_refused=True))
            return
        numbers = read_faces(text, ask.dice)
        if not numbers:
            such = " ".join(str(min(sides, 5)) for sides in ask.dice)
            desk.show(notice=Notice("faces are numbers", "error", f"such as {such}"))
            desk.show(mode=replace(self, is_refused=True))
            return
        words = " ".join(map(str, numbers))
        self._answer(desk, f"roll {who} {words}", words, by)

    def _move(self, desk: BaseDesk, ask: RollAsk, by: int) -> None:
        """Go so many owed rows down, at most to the last one, or up."""
        owed = {x.key for x in rolls_owed(desk.scene)}
        keys = [row.key for row in self.rolls if row.key in owed]
        here = keys.index(ask.key) if ask.key in keys else 0
        at = max(0, min(here + by, len(keys) - 1))
        desk.show(mode=replace(self, at=keys[at], editor=Editor(), is_refused=False))

    def _answer(self, desk: BaseDesk, line: str, total: str, by: int = 1) -> None:
        """Run a line that answers the row in focus, and go to the next row by `by`; close after the last one.

        A refused text stays in the row until more is typed.
        """
        ask = self.current(desk.scene)
        if ask is None:
            return
        if not desk.run(line):
            if desk.view.mode is self:
                desk.show(mode=replace(self, is_refused=True))
            return
        answered = {**self.totals, ask.key: total} if total else self.totals
        scene = desk.scene
        if not rolls_owed(scene):
            desk.dismiss(selected=())
            desk.close_list(f"{FACE_CHARACTERS}-{'mf' if ask.ticks else ''}", by_letter=not self.editor.text)
            return
        rolls = replace(self, at=ask.key, totals=answered, editor=Editor(), is_refused=False).renew(scene)
        desk.show(mode=replace(rolls, at=rolls.after(scene, by)))

    def _undo(self, desk: BaseDesk) -> None:
        """Undo the last step, unless it is older than the list."""
        if desk.store.step <= self.first_step:
            desk.notify("nothing was answered in this list yet", "hint")
            return
        before = {ask.key for ask in rolls_owed(desk.scene)}
        if desk.submit("undo mine=yes") and desk.view.mode is self:
            scene = desk.scene
            back = next((ask.key for ask in rolls_owed(scene) if ask.key not in before), self.at)
            desk.show(mode=replace(self.renew(scene), at=back, editor=Editor()))

    # --- what is shown

    def rows(self, scene: Scene, box: Box) -> list[Row]:
        """Return the title and the rows around the one in focus."""
        width, ask = box.width, self.current(scene)
        at = next((place for place, row in enumerate(self.rolls) if ask and row.key == ask.key), 0)
        room = max(0, box.height - 1)
        first = page(at, room, len(self.rolls))
        shown = self.rolls[first : first + room]
        cut = words(span(first, len(shown), len(self.rolls), scene.glyphs))
        title = answers(ask, faces=ask is not None and self.takes_faces(scene, ask))
        wide = min(NAME, max((cells(_name(scene, row)) for row in self.rolls), default=0))
        owners = (
            max((cells(_owner(scene, row)) for row in self.rolls), default=0) if width >= ROOMY_WIDTH else 0
        )
        secret = (
            len(HIDDEN_WORD) + 1 if any(is_unknown(scene.encounter, row.who) for row in self.rolls) else 0
        )
        columns = (wide, min(OWNER, owners), secret)
        rows = [
            _row(scene, self, row, columns, focused=ask is not None and row.key == ask.key) for row in shown
        ]
        body = [clip(row, width, scene.glyphs.ellipsis) for row in rows]
        more = ", ".join(x for x in (title, cut) if x)
        return pad_rows([focus_title(scene, _title(scene, self), width, more), *body], box.height)

    def now(self, scene: Scene, act: str) -> Asks | None:
        """Return whose number is typed, what the app's dice would roll, and the reason for the roll."""
        del act
        ask = self.current(scene)
        if ask is None:
            return Asks("")
        e, asks = scene.encounter, rolls_owed(scene)
        following = next((x for x in asks if x.key == self.after(scene) and x.key != ask.key), None)
        noun = ask.names.one if ask.names else "faces" if len(ask.dice) > 1 else "face"
        title = noun if self.takes_faces(scene, ask) else "total"
        who, then = label(e, ask.who), f", then {label(e, following.who)}" if following else ""
        line = f"{who}: {title}, [m] made, [f] failed" if ask.ticks else f"{who}: type the {title}, [Enter]"
        many = {1: "it", 2: "both"}.get(len(asks), f"all {len(asks)}")
        line += "" if ask.ticks else then
        return Asks(line, key_row("r", f"{'deals' if ask.names else 'rolls'} {many}"), (text(e, ask.why),))

    def hints(self, scene: Scene) -> Hints:
        """Return the hints."""
        ask = self.current(scene)
        ticks = (("m", "made"), ("f", "failed")) if ask and ask.ticks else ()
        # If single dice decide there are no totals to change to.
        fixed = ask is not None and faces_decide(scene, ask)
        other = () if fixed else ((scene.keys.get("totals", "Left"), "totals" if self.faces else "faces"),)
        return (("Enter", "send"), *ticks, ("r", "the rest"), *other, ("u", "undo"), ("Esc", "back"))


def _title(scene: Scene, mode: RollList) -> str:
    """Return the title: how many of the rolls are still owed, of which kind, and the effect of an area."""
    asks, area = rolls_owed(scene), scene.encounter.area
    line = f"{len(asks)} of {len(mode.rolls)} {'owes' if len(asks) == 1 else 'owe'}"
    if area and any(ask.save and ask.save.cause == AREA for ask in asks):
        target = " ".join([f"DC {area.dc}", *([area.key] if area.key else [])])
        return f"{line} a save: {damage_words(area)}, {target}, made {'half' if area.half else 'none'}"
    if asks and all(ask.save for ask in asks):
        return f"{line} a save"
    dice = {dice_of(ask) for ask in asks}
    return f"{line} {dice.pop() if len(dice) == 1 else 'dice'}"


def _name(scene: Scene, ask: RollAsk) -> str:
    return label(scene.encounter, ask.who)


def _owner(scene: Scene, ask: RollAsk) -> str:
    return next((", ".join(c.owners) for c in members(scene.encounter, ask.who) if c.owner), "")


def _row(scene: Scene, mode: RollList, ask: RollAsk, wide: tuple[int, int, int], *, focused: bool) -> Row:
    """Return a row: cursor, state, side, name, hidden or not, player, number, and range or result."""
    g = scene.glyphs
    answered = ask.key in mode.totals
    head: list[Piece] = [
        (g.cursor if focused else " ", "focus"),
        (" ", "text"),
        (g.acted if answered else g.waits, "acted" if answered else "may"),
        (" ", "text"),
        side_mark(scene, side_of_key(scene, ask.who)),
        (f" {short(_name(scene, ask), wide[0], g.ellipsis)} ", "text"),
    ]
    if wide[2]:
        head.append((f"{HIDDEN_WORD if is_unknown(scene.encounter, ask.who) else '':<{wide[2]}}", "hidden"))
    if wide[1]:
        head.append((f"{short(_owner(scene, ask), wide[1], g.ellipsis)} ", "muted"))
    if focused:
        typed = typed_line(mode.editor, NUMBER)
        blank = " " * max(0, NUMBER - sum(cells(piece) for piece, _ in typed))
        head += [(blank, "text"), *typed]
    else:
        head.append((f"{mode.totals.get(ask.key, ''):>{NUMBER - 1}} ", "title"))
    return (*head, (f" {_note(scene, mode, ask)}", "hint"))


def _note(scene: Scene, mode: RollList, ask: RollAsk) -> str:
    """Return what may be typed in a row, or the result of its answer."""
    if ask.key in mode.totals:
        return outcome(scene, ask, mode.totals[ask.key])
    faces = mode.takes_faces(scene, ask)
    if ask.least is None:
        if ask.names:
            return f"{ask.names.any}, such as {ask.names.such}"
        if faces:
            return " ".join(f"d{sides}" for sides in ask.dice)
        least, most = total_bounds(scene.encounter, scene.system, ask)
        return f"always {least}" if least == most else f"may be {least} to {most}"
    total, bonus = ask.least
    title = (
        {DYING: "death save", AREA: ""}.get(ask.save.cause, ask.save.name or ask.save.cause)
        if ask.save
        else ""
    )
    return ", ".join(x for x in (f"{total - bonus if faces else total} or more makes it", title) if x)


def totals(desk: BaseDesk, rest: str) -> None:
    """Open the list of owed rolls, at the creature named, else at the first selected row."""
    scene = desk.scene
    asks = rolls_owed(scene)
    if not asks and not rest and (amounts := _amounts(scene)):
        if len(amounts) == 1:
            desk.open_prompt(amounts[0].line)
        else:
            desk.show(mode=Menu("How much?", amounts))
        return
    if not asks and not rest and (items := _corrections(scene)):
        desk.show(mode=Menu("Correct a roll", items))
        return
    if not asks:
        desk.notify("no roll is due", "warning")
        return
    wanted = {rest.strip('"')} if rest else {label(scene.encounter, k) for k in selected_rows(scene)}
    first = next((ask for ask in asks if label(scene.encounter, ask.who) in wanted), asks[0])
    if rest and label(scene.encounter, first.who) not in wanted:
        names = list_names(list(dict.fromkeys(label(scene.encounter, ask.who) for ask in asks)))
        raise RuleError(f"{rest} owes no roll", f"still to roll: {names}")
    desk.show(mode=RollList(scene.step, at=first.key).renew(scene))


def _amounts(scene: Scene) -> tuple[Item, ...]:
    """Return an item for each owed effect with dice; it opens an `apply` line for the rolled number."""
    asks = [x for x in due(scene) if isinstance(x, EffectAsk) and "d" in (x.damage or x.heal)]
    return tuple(
        Item(
            f"{name}: {x.name}", f"apply {quote(name)} {quote(x.name)} ", note=x.damage or x.heal, opens=True
        )
        for x in asks
        for name in (label(scene.encounter, x.who),)
    )


def _corrections(scene: Scene) -> tuple[Item, ...]:
    """Return an item for each roll that can be corrected; it opens its line, and notes the present value."""
    e, system = scene.encounter, scene.system
    items = []
    for ask in correctable_rolls(system, e) if e.running else ():
        roll, name = e.rolls[ask.key], label(e, ask.who)
        number = system.number_of(e, ask, roll.faces) if roll.total is None else roll.total
        faces = f" ({' '.join(map(str, roll.faces))})" if roll.faces else ""
        note = " ".join(map(ask.names.name, roll.faces)) if ask.names else f"{number}{faces}"
        # Several dice that nobody told by their total may decide by their faces.
        by_faces = faces_decide(scene, ask) or (roll.total is None and len(ask.dice) > 1)
        verb = "roll" if by_faces else "total"
        items.append(Item(name, f"{verb} {quote(name)} ", note=note, opens=True))
    return tuple(items)


WORDS = {"totals": totals}
