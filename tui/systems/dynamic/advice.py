"""Preview declarations and switches, and write the remarks of the Now line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.core.base.errors import RuleError
from tui.core.fight.agenda import Choice, FormAsk, Preview, Sentence, name_slots, say
from tui.core.fight.combatant import Combatant, is_pc
from tui.core.fight.encounter import Encounter, active, label
from tui.core.fight.viewer import fill_names
from tui.core.language.tokens import quote
from tui.core.rules.draft import is_helpless
from tui.core.rules.newcomers import CreatureKind, find_kinds
from tui.systems.dynamic import pool as pools
from tui.systems.dynamic.declarations import form_of
from tui.systems.dynamic.pool import Deed
from tui.systems.dynamic.rows import (
    acting_row,
    declaration_of,
    deeds_of,
    entries_with_roll,
    entries_without_number,
    is_before_turns,
    is_declaring,
    is_surprised,
    may_surprise,
    pool_of,
    rows,
)
from tui.systems.dynamic.switching import Plan, Switching
from tui.systems.dynamic.text import dis_rule
from tui.systems.shared.track import acting_part

_TITLES = {"weapon": "weapon", "spell": "spell, level", "action": "other action", "move": "move"}
_PRICE_WORDS = {"": "the same kind, or the first", "none": "nothing, it is added"}
"""The words for the action that a switch replaces, if it is not a declared one."""
_WEAPONS = ("1d4", "1d6", "1d8", "1d10", "1d12", "2d6", "1")


class Advice(Switching):
    """Previews of declarations and switches."""

    def preview(self, e: Encounter, key: str, text: Mapping[str, str]) -> Preview:
        """Return the pool before the dice; in the row's own turn the price and place of a switch."""
        if not is_declaring(e, key):
            return Preview()
        try:
            acting = acting_row(e)
            if acting is not None and acting.key == key:
                return Preview(notes=(_switch_note(e, self.plan_switch(e, key, text)),))
            row = next((x for x in entries_with_roll(e) if x.key == key), None)
            if row is not None:
                pool, price = pool_of(e, row, text), pools.SURPRISE * is_surprised(e, row)
                return Preview(notes=(pools.pool_bounds(pool, price),))
        except RuleError as error:
            return Preview(errors=(str(error),))
        return Preview()

    def switch_choices(self, e: Encounter) -> tuple[Choice, ...]:
        """Return the actions to which the acting creature could switch.

        They are grouped by the action given up: the default, then each declared kind, then none; within a
        group by kind. Each kind begins with the most likely action.
        """
        row = acting_row(e)
        if row is None or is_helpless(e, row.key) or not is_declaring(e, row.key):
            return ()
        deeds = deeds_of(e, row.key)
        own = [x.text for x in deeds if x.kind == "weapon"]
        usual = [("action", "1"), ("move", "yes"), *(("weapon", w) for w in dict.fromkeys([*own, *_WEAPONS]))]
        usual += [("spell", str(n)) for n in range(10)]
        gives = ["", *dict.fromkeys(x.kind for x in deeds), "none"]
        return tuple(c for give in gives for c in self._choices_giving_up(e, row.key, usual, give))

    def _choices_giving_up(
        self, e: Encounter, key: str, usual: Sequence[tuple[str, str]], give: str
    ) -> list[Choice]:
        """Return the choices for one action given up, by kind; the kind with the cheapest one comes first."""
        pairs = [x for deed in usual if (x := self._choice(e, key, deed, give))]
        rings: dict[str, list[tuple[int, Choice]]] = {}
        # Only the price is the sort key: two choices of the same price keep the order in which they are
        # written.
        for pair in sorted(pairs, key=lambda x: x[0]):
            rings.setdefault(pair[1].kin, []).append(pair)
        usual_weapon = _usual_weapon(e, key)
        turned = [_rotate(ring, usual_weapon) if kin == "weapon" else ring for kin, ring in rings.items()]
        return [choice for ring in sorted(turned, key=lambda ring: ring[0][0]) for _, choice in ring]

    def _choice(self, e: Encounter, key: str, deed: tuple[str, str], give: str) -> tuple[int, Choice] | None:
        kind, text = deed
        # Unless the command says otherwise, a move is added, and nothing is given up for it.
        source = give or ("none" if kind == "move" else "")
        try:
            plan = self.plan_switch(e, key, {kind: text} | ({"from": source} if source else {}))
        except RuleError:
            return None
        who = next(k for k in e.turn.members if k in e.combatants) if e.turn else ""
        title = _TITLES[kind] + (f" {text}" if kind in ("weapon", "spell") else "")
        line = f"switch {quote(label(e, who))}{f' from={source}' if source else ''} {kind}={text}"
        given_up = _PRICE_WORDS.get(give)
        if given_up is None:
            given_up = _deed_words([next(x for x in deeds_of(e, key) if x.kind == give)])
        words = (_switch_note(e, plan), *_switch_or_stay(e, key, plan))
        return plan.price, Choice(line, title, *words, kind, given_up)


def _usual_weapon(e: Encounter, key: str) -> str:
    """Return the weapon that a row has declared in this round or the last, else a common one."""
    texts = (declaration_of(e, key), e.past.get(key, {}))
    return next((x.text for text in texts for x in pools.read_deeds(text) if x.kind == "weapon"), "1d8")


def _rotate(ring: list[tuple[int, Choice]], weapon: str) -> list[tuple[int, Choice]]:
    """Return the choices of weapons, rotated so that this weapon, or the next larger one, comes first."""
    titles = [choice.title.removeprefix("weapon ") for _, choice in ring]
    larger = (n for n, title in enumerate(titles) if _most(title) > _most(weapon))
    at = titles.index(weapon) if weapon in titles else next(larger, 0)
    return [*ring[at:], *ring[:at]]


def _most(weapon: str) -> int:
    return sum(sum(deed.dice) + deed.flat for deed in pools.read_deeds({"weapon": weapon}))


def _switch_note(e: Encounter, plan: Plan) -> str:
    place = f"after {label(e, plan.behind)}" if plan.behind else "first"
    return f"+{plan.price}: {plan.total}, place {plan.place}, {place}"


def _switch_or_stay(e: Encounter, key: str, plan: Plan) -> tuple[str, str]:
    """Return a sentence on the result of a switch, and one on the place without it."""
    deeds, new = list(deeds_of(e, key)), []
    for deed in plan.deeds:
        if deed in deeds:
            deeds.remove(deed)
        else:
            new.append(deed)
    before = plan.total - plan.price
    change = f"gives up {_deed_words(deeds)} for {_deed_words(new)}" if deeds else f"adds {_deed_words(new)}"
    place = "after {1}" if plan.behind else "first"
    leads = f"{{0}} {change}: {before} + {plan.price} = {plan.total}, {place}"
    return fill_names(e, leads, key, plan.behind), fill_names(e, f"{{0}} keeps {before}", key)


def _deed_words(deeds: Sequence[Deed]) -> str:
    words = ((_TITLES[x.kind], x.text if x.kind in ("weapon", "spell") else "") for x in deeds)
    return " and ".join(" ".join(filter(None, pair)) for pair in words)


MOST_LISTED = 3
"""The most enemies without an intent that are named; the others are counted."""


def turn_remarks(e: Encounter) -> tuple[Sentence, ...]:
    """Return the limits of the running turn; before the dice, missing intents and surprise."""
    if e.turn:
        people = [e.combatants[k] for k in e.turn.members if k in e.combatants]
        may_switch = bool(people) and not is_helpless(e, e.acting) and is_declaring(e, e.acting)
        switch = [say("`switch` for another action", rule="DIS-7")] if may_switch else []
        return (*acting_part(e), *_limit_remarks(people), *switch)
    if is_before_turns(e):
        return (*_missing_intents(e), *_surprise_remarks(e))
    return ()


def _limit_remarks(people: Sequence[Combatant]) -> list[Sentence]:
    limits = (
        ("surprised", "{0} is surprised: no reaction", "DIS-24"),
        ("cantrips", "{0}: cantrips only", "DIS-17"),
    )
    return [say(text, c.id, rule=rule) for mark, text, rule in limits for c in people if mark in c.marks]


def enemies_without_intent(e: Encounter) -> tuple[str, ...]:
    """Return the keys of enemies that have not rolled and whose intent is not known."""
    keys = (x.key for x in entries_without_number(e))
    return tuple(k for k in keys if k not in e.orders and not is_declaring(e, k))


def intent_forms(e: Encounter) -> tuple[FormAsk, ...]:
    """Return a form for each enemy without an intent, before the first turn of the round."""
    if not is_before_turns(e):
        return ()
    reason = "What will {0} do this round?"
    return tuple(
        FormAsk(f"intent {key}", key, form_of(e, key), say(reason, key, rule="DIS-3"))
        for key in enemies_without_intent(e)
    )


def _missing_intents(e: Encounter) -> list[Sentence]:
    """Return a remark that names the enemies whose intent is not announced; none without them."""
    quiet = enemies_without_intent(e)
    slots = name_slots(min(len(quiet), MOST_LISTED))
    more = f" and {len(quiet) - MOST_LISTED} more" if len(quiet) > MOST_LISTED else ""
    advice = Sentence(f"nobody has said what {slots}{more} will do: `order`", quiet, "DIS-3", own=True)
    return [advice] if quiet else []


def _surprise_remarks(e: Encounter) -> list[Sentence]:
    """Return a remark on all surprised creatures; none if there are none."""
    if not may_surprise(e):
        return []
    caught = tuple(x.key for x in rows(e) if is_surprised(e, x))
    if not caught:
        return []
    slots = name_slots(len(caught))
    text = "{0} is surprised" if len(caught) == 1 else f"{slots} are surprised"
    return [Sentence(text, caught, "DIS-24")]


def single_kinds(e: Encounter) -> list[CreatureKind]:
    """Return the types that would roll separately although their number counts (DIS-20)."""
    if dis_rule(e, "group") == "off" or not is_before_turns(e):
        return []
    rollers = {k for x in entries_without_number(e) for k in x.members}
    return find_kinds(c for c in active(e) if not is_pc(c) and c.id in rollers)
