"""Run the keys of play: Enter, choices, and moving a row up or down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from msgspec.structs import replace

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Act,
    Ask,
    Choice,
    EffectAsk,
    FormAsk,
    LockAsk,
    PickAsk,
    RollAsk,
    Verb,
    say,
)
from tui.core.fight.combatant import is_pc
from tui.core.fight.encounter import SIDE, key_of, label, members
from tui.core.fight.viewer import text
from tui.core.language.select import labels, resolve
from tui.core.language.tokens import quote, tokens
from tui.core.rules import now as now_line
from tui.core.rules.on_screen import on_screen
from tui.core.rules.optional import orders_of
from tui.core.rules.transfer import is_prepared
from tui.store.library.shelves import RosterFile
from tui.store.shelf import parties_for
from tui.ui.desk import reading
from tui.ui.desk.base import NO_ROW, BaseDesk
from tui.ui.modes import ending
from tui.ui.modes import form as forms
from tui.ui.modes.attack import attack_items, attacking
from tui.ui.modes.menu import Menu, OfferMenu
from tui.ui.modes.page import open_step
from tui.ui.modes.pick import PickList
from tui.ui.panes.screen import last_top
from tui.ui.state.layout import content, lists_creatures
from tui.ui.state.moment import choices, is_side_turn, line_of_enter, line_of_next
from tui.ui.state.scene import (
    Scene,
    asked_first,
    current,
    current_entry,
    due,
    fill,
    focus,
    meant,
    must_read,
    owes_save,
    selected_rows,
    targets,
    turn_of_enter,
    write_who,
)
from tui.ui.text.held import HIDDEN_WORD
from tui.ui.text.menu import Item
from tui.ui.text.press import number

MOST_REPEATS = 100
"""How often a count repeats a line."""


def read(desk: BaseDesk) -> None:
    """Show the next page of a text that must be read; after the last page, acknowledge the text."""
    scene, box = desk.scene, desk.placed.get("orders")
    if not must_read(scene) or not desk.placed:  # nothing was drawn: there is no page to turn
        desk.run("ok")
    elif box is None:
        desk.show(focus="orders")
        desk.notify("read this first", "hint")
    elif (top := scene.view.tops.get("orders", 0)) < (last := last_top(scene, "orders", box)):
        desk.show(tops={**scene.view.tops, "orders": min(last, top + max(1, box.height - 2))})
        desk.notify("there is more: press again when you have read this", "hint")
    else:
        desk.run("ok")


def _quote_name(scene: Scene, key: str) -> str:
    return write_who(scene.encounter, (key,))


def leave_out(desk: BaseDesk, _rest: str) -> None:
    """Skip the effect that is owed first, only this time."""
    asks = next((x for x in due(desk.scene) if isinstance(x, EffectAsk)), None)
    if asks is None:
        desk.notify("no effect of a condition is due", "hint")
    else:
        desk.run(f"skip {_quote_name(desk.scene, asks.who)} {quote(asks.name)}")


def open_order(desk: BaseDesk, rest: str) -> None:
    """Open an order form: of the row named, selected or gone to, else of the form owed first.

    If none of these has a form, open the prompt with a line that rewrites the order.
    """
    scene = desk.scene
    keys = [a.who for a in (*asked_first(scene), *due(scene)) if isinstance(a, FormAsk)]
    if rest:
        keys_in_order = dict.fromkeys(_entry(scene, k) for k in scene.encounter.combatants)
        meant = [k for k in keys_in_order if label(scene.encounter, k).lower() == rest.strip('"').lower()]
    else:
        meant = [_entry(scene, k) for k in targets(scene)]
    written = [
        k
        for k in meant
        if scene.encounter.running and on_screen(scene.system).order_fields(scene.encounter, k)
    ]
    able = [k for k in meant if k in keys or k in written]
    first = able if rest else [*able, *keys] if desk.has_chosen_row else [*keys, *able]
    if first:
        forms.open_form(desk, first[0], is_named=bool(rest))
    elif rest and not meant:
        raise RuleError(f'no creature is called "{rest}"', ":write opens the form of the row")
    elif meant:
        line = _rewrite_line(scene, meant[0])
        try:
            ending.rehearse(desk, scene.encounter, line)
        except RuleError as error:
            desk.report_refusal(error)
        else:
            desk.open_prompt(line)
    else:
        desk.notify(NO_ROW, "warning")


def _entry(scene: Scene, key: str) -> str:
    """Return the key of a creature's row: that of its group, if it is in one."""
    return key_of(scene.encounter.combatants[key]) if key in scene.encounter.combatants else key


def _rewrite_line(scene: Scene, key: str) -> str:
    """Return the line that rewrites the order of a row."""
    rows = {o.who: o for o in orders_of(scene.system, scene.encounter)}
    parts = rows[key].text if key in rows else {}
    keys = "".join(f" {k}={quote(v)}" for k, v in parts.items() if v)
    return f"order {_quote_name(scene, key)}{keys} "


def party(desk: BaseDesk) -> None:
    """Open a menu of parties and of the foes of other fights; parties in the fight come last."""
    library = desk.store.effects.library
    present = {c.name for c in desk.store.encounter.combatants.values()}
    files = library.parties() if library else []
    here = [x for x in files if x.names and set(x.names) <= present]
    fights = [n for n in (library.names("fight") if library else ()) if n != desk.store.name]
    plain, rested = zip(*map(party_items, files), strict=True) if files else ((), ())
    away = [n for n, file in enumerate(files) if file not in here]
    items = (
        *(plain[n] for n in away),
        *(Item(name, f"load {quote(name)}", note="its foes") for name in fights),
        *(rested[n] for n in away if not files[n].problem),
        *(some[n] for some in (plain, rested) for n in range(len(files)) if n not in away),
        *_keep_items(desk),
    )
    if items:
        desk.show(mode=Menu("Party or prepared fight", items))
    else:
        desk.open_prompt("party ")
        desk.notify(
            "no party is kept yet: :save party NAME keeps who is here, or name a file that ends in .toml",
            "hint",
        )


def _keep_items(desk: BaseDesk) -> tuple[Item, ...]:
    """Return the item that keeps the heroes as a party if they are here and no fight runs."""
    e = desk.store.encounter
    heroes = [c.id for c in e.combatants.values() if is_pc(c)]
    line = "" if e.running or not heroes else ending.line_to_keep(desk)
    return (Item(f"keep {labels(e, heroes)}", line, opens=True),) if line else ()


def offer_party(desk: BaseDesk) -> None:
    """Ask which party comes into a prepared fight, if no hero is here and a party of its system is kept."""
    store, library = desk.store, desk.store.effects.library
    people = store.encounter.combatants.values()
    lines = (store.done(n).line for n in range(1, store.step + 1))
    if library is None or any(map(is_pc, people)) or not is_prepared(store.encounter, lines):
        return
    parties = parties_for(library, store.encounter.system)
    pairs = [party_items(x) for x in parties]
    if pairs:
        (plain, rested), *others = pairs
        items = (replace(rested, key="r"), replace(plain, key="a"), Item("no party", "", "n"))
        more = tuple(item for pair in others for item in reversed(pair))
        # A rest would save a hero who came out of the last fight dying: Enter does not take it unasked.
        at = 1 if parties[0].dying else 0
        desk.show(mode=Menu("Who comes?", (*items, *more), at))


def party_items(file: RosterFile) -> tuple[Item, Item]:
    """Return the items that add a party as it is, and as after a long rest."""
    line = f"party {quote(file.name)}"
    rested = Item(f"rested: {file.name}", f"{line} fresh=yes", note="as after a long rest")
    return Item(file.name, line, note=file.summary), rested


def move_up(desk: BaseDesk, _rest: str) -> None:
    """Move the row one place up."""
    _shift(desk, -1, "before")


def move_down(desk: BaseDesk, _rest: str) -> None:
    """Move the row one place down."""
    _shift(desk, 1, "after")


def _shift(desk: BaseDesk, by: int, where: str) -> None:
    scene = desk.scene
    # The system's rows: a row passes neither the members below another one nor creatures that are out.
    keys = [r.entry for r in scene.system.rows(scene.encounter)] if scene.encounter.running else []
    at = current_entry(scene)
    place = keys.index(at) + by if at in keys else -1
    if not 0 <= place < len(keys):
        desk.notify("there is no row to pass", "hint")
    elif desk.run(f"move {_quote_name(scene, at)} {where} {_quote_name(scene, keys[place])}"):
        desk.show(track=at)


def go_on(desk: BaseDesk, rest: str) -> None:
    """Do what Now says: run its line, or open the choice, the list of dice or the form; `rest` is a count."""
    scene = desk.scene
    is_form_first = bool(asked_first(scene)) and not owes_save(scene)
    line, asks = line_of_next(scene), due(scene)
    if is_form_first or (asks and isinstance(asks[0], FormAsk)):
        forms.open_next(desk)
    elif line:
        if not desk.is_overtaken(lambda x: (line_of_next(x), x.acting)):
            _run_next(desk, line, number(rest) or 1)
    elif asks:
        _open_answer(desk, asks[0])
    elif not scene.encounter.running:
        desk.open_prompt("", "add")
    elif acts := choices(scene):
        _open_offer(desk, acts)
    else:
        open_rest(desk)


def _run_next(desk: BaseDesk, line: str, times: int) -> None:
    """Run the line, `next` up to `times` times: what is owed or to be chosen stops it."""
    if line == "ok":
        read(desk)
        return
    for _ in range(min(times, MOST_REPEATS) if line == "next" else 1):
        if not desk.run(line) or line_of_next(desk.scene) != line:
            return


def end_side(desk: BaseDesk) -> None:
    """Say that all of the side have acted; ask until that was confirmed once in this fight."""
    scene, store = desk.scene, desk.store
    side = scene.system.turn_side(scene.encounter) if scene.system.side_acts_whole(scene.encounter) else ""
    steps = takewhile(lambda line: line != "begin", (store.done(s).line for s in range(store.step, 0, -1)))
    known = any(line.partition(" ")[0] == "done" for line in steps)
    key = scene.keys.get("done", ":all-done")
    asks = text(scene.encounter, say("did all of {0} act?", SIDE + side))
    if known or not side or desk.confirms(f"{asks} [{key}] again: yes"):
        desk.run("done")


def act_when(desk: BaseDesk, rest: str) -> None:
    """Let the current row act after delaying; in another's turn ask whether now or after it (`after`)."""
    scene = desk.scene
    who, acting = write_who(scene.encounter, targets(scene)), scene.encounter.acting
    words = on_screen(scene.system).instead(scene.encounter, "act", targets(scene)) or "act {who}"
    line = fill(words, scene, who)[0]
    if rest == "after":
        if desk.run("end"):
            desk.run(line)
    elif acting and not reading.trial(desk.store, line).refused:
        name = label(scene.encounter, acting)
        items = (Item("now", line, note=f"interrupts {name}"), Item(f"after {name}", "act-when after"))
        desk.show(mode=Menu("When?", items))
    else:
        desk.run(line)


def _open_offer(desk: BaseDesk, acts: tuple[Act, ...]) -> None:
    """Open the menu of the acts on offer, at the row that was gone to."""
    scene = desk.scene
    chosen = turn_of_enter(scene, acts) if desk.has_chosen_row else None
    at = acts.index(chosen) if chosen else 0
    done = (Item("all have acted", "all-done", scene.keys.get("done", "")),) if is_side_turn(scene) else ()
    desk.show(mode=OfferMenu("Who goes", (*(_item(scene, a) for a in acts), *done), at, acts=acts))


def go(desk: BaseDesk, _rest: str) -> None:
    """Act on the current row if it acts, may act or owes something; else show which key goes on.

    On a step of the log, open the step.
    """
    scene = desk.scene
    if desk.view.key_record and desk.view.key_record == desk.store.record:
        desk.notify("that key needed no Enter; another Enter continues", "hint")
        return
    line = line_of_enter(scene)
    if line and desk.is_overtaken(lambda x: (line_of_enter(x), x.acting)):
        return
    if content(focus(scene)) == "steps":
        open_step(desk, scene.view.log or scene.step)
    elif line and line != "ok":
        desk.run(line)
    elif not scene.encounter.running:
        _notify_key(desk, "no fight runs yet", "begin")
    # What is owed comes before any turn, because the rules refuse a turn until then.
    elif asks := due(scene):
        _answer(desk, asks)
    elif scene.encounter.turn and lists_creatures(focus(scene)):
        _open_row(desk)
    elif scene.encounter.turn:
        _notify_key(desk, _sentence(scene, "{0} acts", scene.encounter.acting), "next")
    else:
        _act_on_offer(desk, choices(scene))


def _sentence(scene: Scene, words: str, key: str) -> str:
    """Return words about row `key`, with the current row's name if it has focus: `Bo acts, not Orcs`."""
    phrase = text(scene.encounter, say(words, key))
    row = current(scene) if lists_creatures(focus(scene)) else ""
    return f"{phrase}, not {label(scene.encounter, row)}" if row else phrase


def _notify_key(desk: BaseDesk, sentence: str, command: str) -> None:
    """Show a sentence and the key of a command."""
    keys = desk.keys
    key = keys.shown.get(command) or keys.verbs.get(command, f":{command}")
    desk.notify(f"{sentence}: [{key}] {keys.labels.get(command, command)}", "hint")


def _act_on_offer(desk: BaseDesk, acts: tuple[Act, ...]) -> None:
    scene = desk.scene
    if len(acts) > 1:
        _open_offer(desk, acts)
    elif acts and acts[0].kind == "turn":
        _notify_key(desk, _sentence(scene, "{0} is next", acts[0].who), "next")
    else:
        _notify_key(desk, "no creature is left to act", "next")


def _answer(desk: BaseDesk, asks: tuple[Ask, ...]) -> None:
    """Answer what the current row owes; if it owes nothing, answer what is owed first or show its key."""
    scene, keys_meant = desk.scene, meant(desk.scene)
    mine = next((a for a in asks if a.kind in ("roll", "form") and a.who in keys_meant), None)
    match ask := mine or asks[0]:
        case PickAsk() | AcknowledgeAsk():
            _open_answer(desk, ask)
        case EffectAsk():
            pass  # Enter sends its line
        case LockAsk():
            _notify_key(desk, "all orders are written", "lock")
        case FormAsk(who=key) if mine:
            forms.open_form(desk, key)
        case FormAsk() if row := _writable(scene):
            forms.open_form(desk, row)
        case RollAsk(who=key) if mine:
            # The dice that decide belong to the players; Enter has rolled any other.
            desk.submit(f"totals {quote(label(scene.encounter, key))}")
        case RollAsk() | FormAsk():
            missing = "a roll" if ask.kind == "roll" else "an order"
            _notify_key(
                desk,
                _sentence(scene, f"{{0}} owes {missing}", ask.who),
                "roll" if ask.kind == "roll" else "order",
            )


def _open_answer(desk: BaseDesk, ask: Ask) -> None:
    """Open what answers an owed page, choice or roll."""
    match ask:
        case AcknowledgeAsk():
            read(desk)
        case PickAsk(key, names=names):
            at = next((i for i, name in enumerate(names) if name in meant(desk.scene)), 0)
            desk.show(mode=PickList(key, at, _preset(desk, names)[: ask.most]))
        case _:
            desk.submit("totals")


def _open_row(desk: BaseDesk) -> None:
    """List the attacks and acts of the acting row; show the card of another row, or of one without acts."""
    scene = desk.scene
    acting = scene.encounter.acting in meant(scene)
    items = (*attack_items(attacking(scene)), *_acts_of(desk)) if acting else ()
    if items:
        name = label(scene.encounter, scene.encounter.acting)
        # Typed after Enter out of habit, `n` means the same as on the board.
        desk.show(mode=Menu(f"{name} acts", (*items, Item("ends the turn", "go-on", "n"))))
    else:
        reading.explain_row(desk, "")


def _acts_of(desk: BaseDesk) -> tuple[Item, ...]:
    """Return the lines of the system's verbs about the acting creatures, and the menu of their counters."""
    e, system, secret = desk.store.encounter, desk.store.system, _hidden_names(desk.scene)
    names = {label(e, key) for key in (e.acting, *e.actors)}
    every = (c for verb in system.verbs if verb.sender for c in on_screen(system).choices(e, verb.name))
    counted = any(e.combatants[key].counters for key in e.actors)
    return (
        *(_choice_item(desk, c, secret) for c in every if tokens(c.line)[1].text in names),
        *([Item("counters", "counters", note="spend, restore, add")] if counted else ()),
    )


def _writable(scene: Scene) -> str:
    """Return the key of a target whose order can be written now, else ""."""
    keys = [_entry(scene, k) for k in targets(scene)] if lists_creatures(focus(scene)) else []
    return next((k for k in keys if on_screen(scene.system).order_fields(scene.encounter, k)), "")


def _item(scene: Scene, act: Act) -> Item:
    match act.kind:
        case "turn":
            return Item(label(scene.encounter, act.who), f"turn {_quote_name(scene, act.who)}")
        case "pass":
            return Item("pass", "pass", key="p")
        case _:
            return Item(f"the next {act.kind}", "next", key="n")


def _preset(desk: BaseDesk, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names in a choice whose rows are selected."""
    rows = selected_rows(desk.scene)
    selected = {c.id for k in rows for c in members(desk.store.encounter, k)}
    keys = [k for k in names if k in selected or k in rows]
    return tuple(label(desk.store.encounter, k) for k in keys)


def take_out_fallen(desk: BaseDesk, rest: str) -> None:
    """Take out the creatures at 0 hit points that Now names, or only those that `rest` names.

    Dying creatures never count. Raises RuleError if `rest` names another creature.
    """
    scene = desk.scene
    down = now_line.fallen_ids(scene.encounter)
    if rest:
        keys = resolve(scene.encounter, rest.strip('"'))
        if others := [k for k in keys if k not in down]:
            raise RuleError(
                f"{labels(scene.encounter, others)}: not at 0 hit points, out already, or dying",
                f"`out {write_who(scene.encounter, others)}`",
            )
        down = tuple(k for k in down if k in keys)
    if not down:
        desk.notify("no creature at 0 hit points can be taken out", "hint")
        return
    words = on_screen(scene.system).instead(scene.encounter, "out", down) or "out {who}"
    line, whole = fill(words, scene, write_who(scene.encounter, down))
    if whole:
        desk.run(line)
    elif not choose(desk, words.split(" ")[0], line):
        desk.open_prompt(line)


def open_rest(desk: BaseDesk) -> None:
    """Ask how the fight ends and what comes after it, or without a fight for the rest."""
    if not desk.store.encounter.combatants:
        desk.notify("nobody is here yet", "hint")
        return
    running = desk.store.encounter.running
    ending.ask(desk, between=running and not reading.trial(desk.store, "rest short").refused)


def answer_group_offer(desk: BaseDesk, command: str) -> bool:
    """Answer the offer to group if `command` is `group` or `ungroup`; return whether it was."""
    line = desk.scene.group_line
    if command == "group":
        desk.submit(line)
        return True
    if command != "ungroup":
        return False
    desk.show(declined_groups=(*desk.view.declined_groups, line))
    desk.notify(f"they keep their own rows; :{line} still groups them", "hint")
    return True


def choose(desk: BaseDesk, verb: str, line: str) -> bool:
    """Open a menu of the lines that a verb could send now, and return whether there are any."""
    scene = desk.scene
    choices = on_screen(scene.system).choices(scene.encounter, verb) if scene.encounter.running else ()
    if not choices:
        return False
    # The current row comes first, so that Enter takes it.
    who = [t.text for t in tokens(line)[1:2]]
    first = sorted(choices, key=lambda choice: [t.text for t in tokens(choice.line)[1:2]] != who)
    secret = _hidden_names(scene)
    items = tuple(_choice_item(desk, c, secret) for c in first)
    desk.show(mode=Menu(verb, (*items, Item("another line", line, opens=True))))
    return True


def _choice_item(desk: BaseDesk, c: Choice, secret: frozenset[str]) -> Item:
    return Item(
        _mark_secret(c, secret),
        c.line,
        "",
        c.note,
        # If the system has no words for it, the line says what it would do.
        preview=c.meaning or reading.trial(desk.store, c.line).preview,
        left=c.left,
        kin=c.kin,
        price=c.instead,
    )


def _hidden_names(scene: Scene) -> frozenset[str]:
    """Return the names of creatures and rows that are hidden from players."""
    e = scene.encounter
    keys = {key_of(c) for c in e.combatants.values() if c.hidden}
    rows = (label(e, k) for k in keys if all(c.hidden for c in members(e, k)))
    return frozenset((*(c.name for c in e.combatants.values() if c.hidden), *rows))


def _mark_secret(choice: Choice, secret: frozenset[str]) -> str:
    """Return the text of a choice in a menu, with HIDDEN_WORD before it if its creature is hidden."""
    who = tokens(choice.line)[1:2]
    return f"{HIDDEN_WORD} {choice.title}" if who and who[0].text in secret else choice.title


def verbs(desk: BaseDesk, rest: str) -> None:
    """Open a menu of the system's verbs, each by its key; or run the verb named."""
    scene = desk.scene
    verb = next((v for v in scene.system.verbs if v.name == rest), None)
    if verb:
        say_verb(desk, verb)
        return
    declared = scene.system.verbs
    if not declared:
        desk.notify(f"{scene.system.title} has no lines of its own", "hint")
        return
    items = tuple(
        Item(v.name, f"verbs {v.name}", v.key, note=v.help, preview=f":{v.usage}") for v in declared
    )
    desk.show(mode=Menu(scene.system.title, items))


def say_verb(desk: BaseDesk, verb: Verb) -> None:
    """Run a verb of the system: in its form, from a menu, at once if it is complete, else in the prompt."""
    if forms.open_verb(desk, verb.name):
        return
    scene = desk.scene
    line = _verb_line(scene, verb)
    if choose(desk, verb.name, line):
        return
    if verb.whole:
        desk.submit(line)
    elif verb.idle:
        if scene.encounter.running:
            desk.notify(verb.idle, "hint")
        else:
            _notify_key(desk, "no fight runs yet", "begin")
    else:
        desk.open_prompt(line)


def _verb_line(scene: Scene, verb: Verb) -> str:
    """Return the beginning of a verb's line: with the targets if it takes creatures first."""
    if verb.whole:
        return verb.name
    keys = targets(scene)
    takes_who = verb.takes[:1] in (("who",), ("several",))
    return f"{verb.name} {write_who(scene.encounter, keys)} " if takes_who and keys else f"{verb.name} "
