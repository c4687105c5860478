"""Put what must happen next into words for the game master, with a mark on who is hidden."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tui.core.fight.agenda import Act, Sentence, say
from tui.core.fight.encounter import SIDE, Encounter, members
from tui.core.fight.viewer import text
from tui.core.rules.now import Lead, acts_to_choose, join_sentences, lead_now, now_remarks
from tui.core.rules.on_screen import on_screen
from tui.ui.state.scene import Scene, asked_first, goes, offer, owes_save
from tui.ui.text.held import HIDDEN


class Said(Struct, frozen=True):
    """A sentence in words, its clause, and what of it can stand without its reason, and that reason."""

    text: str = ""
    rule: str = ""
    brief: str = ""
    because: str = ""


class NowWords(Struct, frozen=True):
    """What must happen next, the lines that do it, why, whose turn is running, and what else is open."""

    what: Said
    does: str
    rule: str
    why: Said
    whose: Said
    more: tuple[Said, ...]


def moment(scene: Scene) -> NowWords:
    """Return what Now says."""
    e, led = scene.encounter, _first_asked(scene) or lead_now(scene.encounter, scene.system)
    # Whom Now has named already it has marked.
    named = set(led.does.about) <= set(led.what.about)
    rule = next((s.rule for s in (led.what, led.does, led.why) if s.rule), "")
    # The reason below it is what the clause is about.
    rule = "" if led.why.text and led.why.rule == rule else rule
    more = [*now_remarks(e, scene.system), led.why]
    if e.running and on_screen(scene.system).asked_first(e) and not (asked_first(scene) and owes_save(scene)):
        # What Now asks for in its first row is not said again below it, nor what was left empty.
        more = [s for s in more if "`order`" not in s.text]
    return NowWords(
        what=_said(e, led.what),
        does=text(e, led.does if named else _not_aloud(e, led.does)),
        rule=rule,
        why=_said(e, led.why),
        whose=_said(e, led.whose),
        more=tuple(_said(e, s) for s in more if s.text),
    )


def choices(scene: Scene) -> tuple[Act, ...]:
    """Return the acts to choose from; nothing while something is due or someone acts."""
    return acts_to_choose(scene.encounter, offer(scene))


def taking(scene: Scene) -> tuple[str, ...]:
    """Return the words for the turn that Enter takes, the longest first; of no turn that one is chosen."""
    e = scene.encounter
    act = goes(scene, choices(scene))
    if act is None:
        return ("chooses",)
    # The side that chooses stands in front of it, marked.
    marked = is_unknown(e, offer(scene).chooser)
    turns = [say(x, act.who) for x in ("{0} acts", "{0}")]
    return tuple(text(e, turn if marked else _not_aloud(e, turn)) for turn in turns)


def is_unknown(e: Encounter, key: str) -> bool:
    """Return whether the players know of nobody behind a key, of an entry or a side."""
    creatures = members(e, key) if key else ()
    return bool(creatures) and all(c.hidden for c in creatures)


def _first_asked(scene: Scene) -> Lead | None:
    """Return what Now says while a form comes before all that is owed; None without one."""
    asked = asked_first(scene)
    if not asked or owes_save(scene):
        return None
    others = tuple(ask.who for ask in asked[1:4])
    slots = ", ".join(f"{{{number}}}" for number in range(len(others)))
    more = f" and {len(asked) - 4} more" if len(asked) > 4 else ""
    then = [Sentence(f"then {slots}{more}", others)] if others else []
    return Lead(join_sentences([asked[0].why, *then], " "), say("`order`"))


def _said(e: Encounter, sentence: Sentence) -> Said:
    parts = (sentence, sentence.brief, sentence.because)
    said, brief, because = (text(e, _not_aloud(e, x)) for x in parts)
    return Said(said, sentence.rule, brief, because)


def _not_aloud(e: Encounter, sentence: Sentence) -> Sentence:
    """Return the sentence with a word before each creature that is hidden; lines to type stay."""
    keys = sentence.about
    secret = {number for number, key in enumerate(keys) if is_unknown(e, key)}
    # Behind a side that is marked its members need no mark of their own.
    marked = {keys[number] for number in secret}
    secret -= {n for n in secret if keys[n] in e.combatants and SIDE + e.combatants[keys[n]].side in marked}
    if not secret:
        return sentence
    pieces = sentence.text.split("`")
    # Every other piece stands between backticks: it is a line to be typed.
    for place in range(0, len(pieces), 2):
        for number in secret:
            pieces[place] = pieces[place].replace(f"{{{number}}}", f"{HIDDEN} {{{number}}}")
    return replace(sentence, text="`".join(pieces))
