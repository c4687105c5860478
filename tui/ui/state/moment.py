"""Put what must happen next into words for the game master, and mark hidden creatures."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import AcknowledgeAsk, Act, EffectAsk, LockAsk, RollAsk, Sentence, say
from tui.core.fight.encounter import SIDE, Encounter, members
from tui.core.fight.viewer import text
from tui.core.rules.now import Lead, acts_to_choose, join_sentences, now_remarks
from tui.core.rules.on_screen import on_screen
from tui.core.views.now_for import now_for
from tui.ui.state.layout import content
from tui.ui.state.scene import (
    Scene,
    asked_first,
    due,
    focus,
    meant,
    offer,
    owes_save,
    turn_of_enter,
    write_who,
)
from tui.ui.state.totals import players_roll
from tui.ui.text.held import HIDDEN_WORD


class NowWords(Struct, frozen=True):
    """The texts of Now, with command lines in backticks."""

    what: str
    """What must happen next."""
    does: str
    """The lines that do it."""
    whose: str
    """Whose turn is running while something is owed."""
    more: tuple[str, ...]
    """Other possible commands, and the reason for `what`."""


def moment(scene: Scene) -> NowWords:
    """Return the texts of Now for this moment."""
    if scene.viewed:
        now = now_for(scene.viewed.whole, scene.system, scene.viewed.viewer)
        return NowWords(now.lead, "", "", tuple(x for x in (now.then, *now.remarks) if x))
    e, led = scene.encounter, _first_asked(scene) or scene.lead
    # Creatures that Now has named are marked already.
    is_named = set(led.does.about) <= set(led.what.about)
    more = [*now_remarks(e, scene.system), led.why]
    if e.running and on_screen(scene.system).asked_first(e) and not (owes_save(scene) and asked_first(scene)):
        # What Now asks first is not repeated below, nor what was left empty.
        more = [s for s in more if "`order`" not in s.text]
    return NowWords(
        what=text(e, _mark_hidden(e, led.what)),
        does=text(e, led.does if is_named else _mark_hidden(e, led.does)),
        whose=text(e, _mark_hidden(e, led.whose)),
        more=tuple(text(e, _mark_hidden(e, s)) for s in more if s.text),
    )


def choices(scene: Scene) -> tuple[Act, ...]:
    """Return the acts to choose from, () while something is owed or a turn runs."""
    return acts_to_choose(scene.encounter, offer(scene))


def is_side_turn(scene: Scene) -> bool:
    """Return whether a side has its turn until all of its creatures have acted."""
    return scene.system.side_acts_whole(scene.encounter)


def line_of_enter(scene: Scene) -> str:
    """Return the line that Enter sends on the current row; "" if it opens or explains something."""
    e, keys = scene.encounter, meant(scene)
    if not e.running or content(focus(scene)) == "steps":
        return ""
    if asks := due(scene):
        ask = next((a for a in asks if a.kind in ("roll", "form") and a.who in keys), asks[0])
        match ask:
            case AcknowledgeAsk():
                return "ok"
            case EffectAsk(who=key):
                return f"apply {write_who(e, (key,))}"
            case RollAsk(who=key) if key in keys and not players_roll(scene, ask):
                return f"roll {write_who(e, (key,))}"
            case _:
                return ""
    acts = choices(scene)
    if act := turn_of_enter(scene, acts):
        return f"turn {write_who(e, (act.who,))}" if len(acts) > 1 else "next"
    return ""


def line_of_next(scene: Scene) -> str:
    """Return the line with which the fight goes on; "" if something must be chosen, rolled or written."""
    e = scene.encounter
    if asks := due(scene):
        match asks[0]:
            case LockAsk():
                return "lock"
            case AcknowledgeAsk():
                return "ok"
            case EffectAsk(who=key):
                return f"apply {write_who(e, (key,))}"
            case _:
                return ""
    if not e.running:
        return "begin" if e.combatants else ""
    return "next" if e.turn or len(choices(scene)) == 1 else ""


def turn_of_row(scene: Scene) -> str:
    """Return the turn that Enter takes on the current row, "chooses" if it has none."""
    e = scene.encounter
    act = turn_of_enter(scene, choices(scene))
    if act is None:
        return "chooses"
    # The side that chooses comes before it, marked.
    turn = say("{0} acts", act.who)
    return text(e, turn if is_unknown(e, offer(scene).chooser) else _mark_hidden(e, turn))


def is_unknown(e: Encounter, key: str) -> bool:
    """Return whether players know of no creature behind the key of a row or side."""
    creatures = members(e, key) if key else ()
    return bool(creatures) and all(c.hidden for c in creatures)


def _first_asked(scene: Scene) -> Lead | None:
    """Return the text of Now for forms that come before everything owed; None if there are none."""
    asks = asked_first(scene)
    if not asks or owes_save(scene):
        return None
    others = tuple(ask.who for ask in asks[1:4])
    slots = ", ".join(f"{{{number}}}" for number in range(len(others)))
    more = f" and {len(asks) - 4} more" if len(asks) > 4 else ""
    then = [Sentence(f"then {slots}{more}", others)] if others else []
    return Lead(join_sentences([asks[0].why, *then], " "), say("`order`"))


def _mark_hidden(e: Encounter, sentence: Sentence) -> Sentence:
    """Return the sentence with a mark before each hidden creature's name; command lines stay unmarked."""
    keys = sentence.about
    secret = {number for number, key in enumerate(keys) if is_unknown(e, key)}
    # After a marked side its members need no mark.
    marked = {keys[number] for number in secret}
    secret -= {n for n in secret if keys[n] in e.combatants and SIDE + e.combatants[keys[n]].side in marked}
    if not secret:
        return sentence
    pieces = sentence.text.split("`")
    # Every other piece is between backticks: it is a line to be typed.
    for place in range(0, len(pieces), 2):
        for number in secret:
            pieces[place] = pieces[place].replace(f"{{{number}}}", f"{HIDDEN_WORD} {{{number}}}")
    return replace(sentence, text="`".join(pieces))
