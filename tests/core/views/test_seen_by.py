"""What is left of a fight for a viewer, piece by piece: a system that says what a test wants it to say."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tui.core.fight.agenda import (
    NOTHING,
    Act,
    ActKind,
    Ask,
    Mark,
    Offer,
    RollAsk,
    Sentence,
    TrackRow,
    say,
)
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import DiceRoll, Encounter, Shift, Turn
from tui.core.fight.viewer import GAME_MASTER, text, viewer_of
from tui.core.rules.system import InitiativeSystem
from tui.core.views.seen import redacted, seen

ANA = Combatant("c1", "Ana", "heroes", owner="Mia")
LURK = Combatant("c2", "Lurk", "dark", group="Gang", hidden=True)
ORC = Combatant("c3", "Orc", "dark", group="Band")
IMP = Combatant("c4", "Imp", "dark", group="Band", hidden=True)
BO = Combatant("c5", "Bo", "heroes", owner="Jon")
PEOPLE = {c.id: c for c in (ANA, LURK, ORC, IMP, BO)}
E = Encounter(system="told", combatants=PEOPLE, phase="turns", round=2)
MIA, JON, STRANGER = viewer_of("Mia"), viewer_of("Jon"), viewer_of("")


class Told(InitiativeSystem):
    """A system whose answers are given to it."""

    title = "Told"
    marks = (Mark("open", "is open"), Mark("secret", "is secret", sealed=True))

    def __init__(
        self,
        due: tuple[Ask, ...] = (),
        offer: Callable[[Encounter], Offer] = lambda _: NOTHING,
        rows: tuple[TrackRow, ...] = (),
    ) -> None:
        self._due, self._offer, self._rows = due, offer, rows

    def due(self, e: Encounter) -> tuple[Ask, ...]:
        """Return what was given."""
        del e
        return self._due

    def offer(self, e: Encounter) -> Offer:
        """Return what was given for this encounter."""
        return self._offer(e)

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return the rows that were given."""
        del e
        return self._rows


# --- the encounter


def test_of_everything_that_is_kept_only_what_names_nobody_unseen_is_left() -> None:
    dice = {
        "a": DiceRoll("c1", (20,), (3,)),
        "b": DiceRoll("c2", (20,), (3,)),
        "c": DiceRoll("c1", (20,), (3,), among=("c1", "c2")),
        "d": DiceRoll("@Band", (20,), (3,), among=("c1", "@Band")),
    }
    table = {"c1": {"a": "x"}, "c2": {"a": "y"}, "@Gang": {"a": "z"}, "@Band": {"a": "z"}}
    e = replace(
        E,
        turn=Turn("@Band", ("c3", "c4")),
        paused=(Turn("c2", ("c2",)), Turn("c1", ("c1",)), Turn("@Gang", ("c2",))),
        rolls=dice,
        shifts=(Shift("c1", "after", "c3"), Shift("c2", "after", "c1"), Shift("c1", "before", "c4")),
        orders=table,
        past=table,
        notes={
            "names": ["c1", "c2", "@Gang", "@Band", "@dark"],
            "table": {"c1": 1, "c4": 2, "@Gang": 3, "@dark": 4, "c2 c1": 5, "c1 c2": 6, "c1 c3": 7},
            "number": 3,
            "word": "c2",
        },
    )
    left = redacted(e, Told(), MIA)
    assert list(left.combatants) == ["c1", "c3", "c5"]
    assert left.turn == Turn("@Band", ("c3",))
    assert left.paused == (Turn("c1", ("c1",)),)
    assert list(left.rolls) == ["a", "d"]
    assert left.shifts == (Shift("c1", "after", "c3"),)
    assert list(left.orders) == list(left.past) == ["c1", "@Band"]
    assert left.notes == {
        "names": ["c1", "@Band", "@dark"],
        "table": {"c1": 1, "@dark": 4, "c1 c3": 7},
        "number": 3,
        "word": "c2",
    }


def test_where_nothing_is_kept_from_a_viewer_it_is_the_very_encounter() -> None:
    plain = replace(E, combatants={"c1": ANA, "c3": ORC}, gone={"c5": BO})
    for viewer in (MIA, JON, STRANGER):
        assert redacted(plain, Told(), viewer) is plain
    gone = replace(plain, gone={"c2": LURK})
    assert redacted(gone, Told(), MIA).gone == {}
    owned = replace(plain, combatants={"c1": replace(ANA, hidden=True), "c3": ORC})
    assert redacted(owned, Told(), MIA).combatants == owned.combatants
    assert list(redacted(owned, Told(), JON).combatants) == ["c3"]


def test_a_mark_that_is_sealed_is_read_by_nobody_but_who_owns_it() -> None:
    marked = replace(ANA, marks={"open": "round", "secret": "round"}, card="bites", note="brave")
    e = replace(E, combatants={"c1": marked, "c3": replace(ORC, marks={"secret": "round", "open": "fight"})})
    left = {v.name: redacted(e, Told(), v).combatants for v in (MIA, JON)}
    assert list(left["Mia"]["c1"].marks) == ["open", "secret"]
    assert list(left["Jon"]["c1"].marks) == ["open"]
    assert list(left["Mia"]["c3"].marks) == ["open"]
    assert list(left["Mia"]) == list(left["Jon"]) == ["c1", "c3"]


# --- what is owed

WHY = say("{0} and {1} roll", "c1", "c3", rule="T-1")


# --- what is offered


def turns(*keys: str, chooser: str = "", more: tuple[ActKind, ...] = ()) -> Offer:
    """Return an offer of these turns; its reason counts them."""
    acts = (*(Act("turn", k) for k in keys), *(Act(kind) for kind in more))
    return Offer(acts, Sentence(f"{len(acts)} ways", rule="T-3"), chooser)


def of_those_there(
    *keys: str, chooser: str = "", more: tuple[ActKind, ...] = ()
) -> Callable[[Encounter], Offer]:
    """Return an offer of the turns of those who are there."""
    return lambda e: turns(*(k for k in keys if k in e.combatants), chooser=chooser, more=more)


@pytest.mark.parametrize(
    ("offer", "mia", "jon"),
    [
        (of_those_there("c1"), "c1|1 ways", ""),
        (of_those_there("c1", "c5"), "c1 c5|2 ways", "c1 c5|2 ways"),
        (of_those_there("c1", "c2"), "c1|1 ways", ""),
        (of_those_there("c2", "c3"), "", ""),
        (of_those_there("c2", "c4", chooser="c1"), "", ""),
        (of_those_there("c2", "c3", chooser="c1"), "c3|1 ways", ""),
        (of_those_there("c3", chooser="c1"), "", ""),
        (of_those_there("c1", "c2", more=("pass",)), "c1 pass|2 ways", ""),
        (of_those_there(chooser="c1", more=("pass",)), "", ""),
        (lambda e: turns(*(["c1", "c2"] if "c2" in e.combatants else [])), "c1|", ""),
        (
            lambda e: turns("c1", "c2", more=("pass",)) if "c2" in e.combatants else turns("c1"),
            "c1 pass|",
            "",
        ),
        (
            lambda e: turns("c1", "c2", chooser="@heroes" if "c2" in e.combatants else "c1"),
            "c1|The heroes choose",
            "c1|The heroes choose",
        ),
        (
            lambda e: turns("c1", "c2", chooser="@dark" if "c2" in e.combatants else "c1"),
            "",
            "",
        ),
        (
            lambda e: turns("c1", "c2", chooser="c1", more=("pass",) if "c2" in e.combatants else ()),
            "c1 pass|Ana chooses",
            "",
        ),
    ],
)
def test_an_offer_is_that_of_the_seen_and_counted_without_the_others(
    offer: Callable[[Encounter], Offer], mia: str, jon: str
) -> None:
    for viewer, words in ((MIA, mia), (JON, jon), (STRANGER, "")):
        found = seen(E, Told(offer=offer), viewer).offer
        told = " ".join(x.who or x.kind for x in found.acts) + "|" + text(E, found.why)
        assert told == (words or "|")
        assert found.why.rule == ("T-3" if found.acts and found.why.text else "")
        assert found.chooser == (offer(E).chooser if found.acts else "")
    assert seen(E, Told(offer=offer), GAME_MASTER).offer == offer(E)
    for busy in (replace(E, turn=Turn("c3", ("c3",))), replace(E, phase="setup")):
        assert seen(busy, Told(offer=offer), MIA).offer == NOTHING
        assert seen(busy, Told(offer=offer), GAME_MASTER).offer == NOTHING
    asks = (RollAsk("a", "c1", (20,), WHY),)
    assert seen(E, Told(asks, offer), MIA).offer == seen(E, Told(asks, offer), GAME_MASTER).offer == NOTHING
