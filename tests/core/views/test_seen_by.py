"""What is left of a fight for a viewer, piece by piece: a system that says what a test wants it to say."""

from __future__ import annotations

from collections.abc import Callable, Collection

import pytest
from msgspec.structs import replace

from tui.core.fight.agenda import (
    NOTHING,
    AcknowledgeAsk,
    Act,
    ActKind,
    Ask,
    FormAsk,
    Lazy,
    LockAsk,
    Mark,
    Offer,
    PickAsk,
    RollAsk,
    RowState,
    Sentence,
    TrackRow,
    own,
    say,
)
from tui.core.fight.combatant import AREA, CONCENTRATION, Combatant, OwedSave
from tui.core.fight.encounter import DiceRoll, Encounter, PendingArea, Shift, Turn
from tui.core.fight.viewer import GAME_MASTER, text, viewer_of
from tui.core.rules.system import InitiativeSystem
from tui.core.views.lineup import NO_REASONS
from tui.core.views.seen import Seen, redacted, seen

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


def test_a_side_of_which_nobody_is_seen_is_gone_with_its_turn() -> None:
    e = replace(
        E, combatants={c.id: c for c in (ANA, LURK)}, turn=Turn("@dark", ("c2",)), notes={"a": ["@dark"]}
    )
    left = redacted(e, Told(), MIA)
    assert (left.turn, left.notes) == (None, {"a": []})


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


@pytest.mark.parametrize(
    ("owing", "who", "left"),
    [
        (("c1",), ("c1", "c2", "c3"), PendingArea(4, ("c1", "c3"), ("c3",), dc=12)),
        (("c2",), ("c1", "c2", "c3"), None),
        (("c1",), ("c2", "c4"), None),
        (("c1", "c2"), ("c2", "c3"), PendingArea(4, ("c3",), ("c3",), dc=12)),
        ((), ("c1",), None),
    ],
)
def test_an_area_is_that_of_the_seen_while_one_of_them_owes_a_save(
    owing: tuple[str, ...], who: tuple[str, ...], left: PendingArea | None
) -> None:
    save = {True: (OwedSave(1, AREA, 12, "dex"),), False: (OwedSave(1, CONCENTRATION, 10, "con"),)}
    people = {k: replace(c, owes=save[k in owing]) for k, c in PEOPLE.items()}
    made = tuple(k for k in ("c3", "c4") if k in who)
    e = replace(E, combatants=people, area=PendingArea(4, who, made, dc=12))
    assert redacted(e, Told(), MIA).area == left
    assert redacted(replace(e, area=None), Told(), MIA).area is None


# --- what is owed

WHY = say("{0} and {1} roll", "c1", "c3", rule="T-1")
ASKS: dict[str, tuple[Ask, str, str, str]] = {
    "a lock": (LockAsk("a", "GM", say("all write")), "all write", "all write", "all write"),
    "a board": (AcknowledgeAsk("a", "GM", say("read {0}", "c2")), "", "", ""),
    "a roll": (RollAsk("a", "c1", (20,), WHY), "Ana and Orc roll", "Ana and Orc roll", "Ana and Orc roll"),
    "a roll that names the unseen": (
        RollAsk("a", "c1", (20,), say("{0} fears {1}", "c1", "c2", rule="T-2")),
        "Ana rolls",
        "Ana rolls",
        "Ana rolls",
    ),
    "a roll for a group with the unseen": (
        RollAsk("a", "@Band", (20,), say("{0} roll", "@Band")),
        "Band roll",
        "Band roll",
        "Band roll",
    ),
    "a form that names the unseen": (FormAsk("a", "c1", (), say("{0} fears {1}", "c1", "c2")), "", "", ""),
    "a roll of the unseen": (RollAsk("a", "c2", (20,), say("{0} rolls", "c2")), "-", "-", "-"),
    "a secret roll": (RollAsk("a", "c1", (20,), WHY, secret=True), "-", "-", "-"),
    "a roll-off": (
        RollAsk("a", "c1", (20,), WHY, among=("c1", "c3")),
        "Ana and Orc roll",
        "Ana and Orc roll",
        "Ana and Orc roll",
    ),
    "a roll-off with the unseen": (RollAsk("a", "c1", (20,), WHY, among=("c1", "c2")), "-", "-", "-"),
    "an own roll": (RollAsk("a", "c1", (6,), own("{0} recharges", "c1")), "Ana recharges", "-", "-"),
    "a choice": (PickAsk("a", "c1", ("c3",), say("{0} picks", "c1")), "Ana picks", "-", "-"),
    "a choice of nobody's": (PickAsk("a", "c3", ("c1",), say("{0} picks", "c3")), "-", "-", "-"),
}


@pytest.mark.parametrize("name", ASKS)
def test_what_is_owed_is_told_to_whom_it_concerns(name: str) -> None:
    ask, *told = ASKS[name]
    system = Told((ask,))
    for viewer, words in zip((MIA, JON, STRANGER), told, strict=True):
        found = seen(E, system, viewer)
        assert [text(found.encounter, x.why) for x in found.due] == ([] if words == "-" else [words])
        assert [x.why.rule for x in found.due] == [ask.why.rule for _ in found.due]
        assert [replace(x, why=ask.why) for x in found.due] == [ask for _ in found.due]
    assert seen(E, system, GAME_MASTER).due == (ask,)


def test_a_side_of_which_nobody_is_seen_is_not_named_in_what_is_owed() -> None:
    ask = RollAsk("a", "c1", (20,), say("{0} rolls against {1}", "c1", "@dark"))
    e = replace(E, combatants={"c1": ANA, "c2": LURK})
    [asked] = seen(e, Told((ask,)), MIA).due
    assert asked.why == say("{0} rolls", "c1")
    assert seen(replace(e, combatants={"c1": ANA, "c2": LURK, "c3": ORC}), Told((ask,)), MIA).due == (ask,)


def test_dice_of_the_unseen_alone_look_like_the_moment_between_two_turns() -> None:
    e = replace(E, phase="rolls")
    lurking = RollAsk("a", "c2", (20,), say("{0} rolls", "c2"))
    for asks, phase in (((lurking,), "turns"), ((), "turns"), ((RollAsk("a", "c1", (20,), WHY),), "rolls")):
        assert seen(e, Told(asks), MIA).encounter.phase == phase
        assert seen(e, Told(asks), GAME_MASTER).encounter.phase == "rolls"
    assert seen(replace(E, phase="orders"), Told((lurking,)), MIA).encounter.phase == "orders"


def test_who_has_nothing_to_do_and_sees_no_turn_waits() -> None:
    assert seen(E, Told(), MIA).waits
    assert not seen(replace(E, phase="setup"), Told(), MIA).waits
    assert not seen(E, Told((RollAsk("a", "c1", (20,), WHY),)), MIA).waits
    assert not seen(replace(E, turn=Turn("c1", ("c1",))), Told(), MIA).waits
    assert seen(replace(E, turn=Turn("c2", ("c2",))), Told(), MIA).waits
    assert not Seen(E, offer=Offer((Act("turn", "c1"),))).waits


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


def test_the_side_is_that_of_the_turn_then_of_who_chooses_then_of_who_may_act() -> None:
    both = of_those_there("c1", "c3")
    assert seen(E, Told(offer=both), MIA).side == "heroes"
    assert seen(E, Told(offer=of_those_there("c3", "c1")), MIA).side == "dark"
    assert seen(E, Told(offer=of_those_there("c3", "c5", chooser="c1")), MIA).side == "heroes"
    assert seen(E, Told(offer=both), STRANGER).side == ""
    assert seen(replace(E, turn=Turn("c3", ("c3",))), Told(), MIA).side == "dark"
    assert seen(replace(E, turn=Turn("c3", ("c3",))), Told(), GAME_MASTER).side == "dark"
    assert seen(replace(E, turn=Turn("c2", ("c2",))), Told(), MIA).side == ""
    passing = Offer((Act("pass"), Act("turn", "c1"), Act("turn", "c5")))
    assert seen(E, Told(offer=lambda _: passing), MIA).side == "heroes"


# --- the track


def row(entry: str, members: tuple[str, ...], state: RowState, *why: Sentence) -> TrackRow:
    """Return a row with these reasons."""
    return TrackRow(entry, members, 7, state, Lazy(lambda: why, ()) if why else NO_REASONS)


def acted(*keys: str, **changes: bool) -> Encounter:
    """Return the fight in which these have acted; those in `changes` are out."""
    people = {
        k: replace(c, marks={"acted": "round"} if k in keys else {}, out=changes.get(k, False))
        for k, c in PEOPLE.items()
    }
    return replace(E, combatants=people)


@pytest.mark.parametrize(
    ("e", "state", "told"),
    [
        (acted(), "waits", "waits"),
        (acted(), "may", "waits"),
        (acted("c3"), "may", "done"),
        (acted("c3"), "waits", "done"),
        (acted("c3"), "done", "done"),
        (acted(), "done", "done"),
        (acted(), "barred", "barred"),
        (acted(), "out", "out"),
        (acted("c3"), "out", "out"),
        (acted("c3"), "now", "done"),
        (acted(), "now", "waits"),
        (acted(c3=True), "now", "waits"),
        (acted("c3", c3=True), "waits", "waits"),
        (replace(acted("c3"), turn=Turn("c1", ("c1",))), "now", "now"),
        (replace(acted(), turn=Turn("c1", ("c1",))), "may", "waits"),
        (replace(acted("c3"), turn=Turn("c4", ("c4",))), "now", "done"),
    ],
)
def test_the_state_of_a_row_is_that_of_its_seen_members(e: Encounter, state: RowState, told: str) -> None:
    rows = (row("@Band", ("c3", "c4"), state), row("c2", ("c2",), "now"), row("c1", ("c1",), state))
    found = seen(e, Told(rows=rows), MIA).rows
    assert [(x.entry, x.members, x.value) for x in found] == [("@Band", ("c3",), 7), ("c1", ("c1",), 7)]
    assert found[0].state == told
    masters = seen(e, Told(rows=rows), GAME_MASTER).rows
    assert [x.state for x in masters] == [state, "now", state]
    assert seen(replace(e, phase="setup"), Told(rows=rows), MIA).rows == ()
    assert seen(replace(e, phase="setup"), Told(rows=rows), GAME_MASTER).rows == ()


def test_of_two_seen_members_the_one_that_is_out_has_nothing_left_to_do() -> None:
    pair = {"c3": replace(ORC, marks={"acted": "round"}), "c6": Combatant("c6", "Rat", "dark", out=True)}
    e = replace(E, combatants={"c1": ANA, "c2": LURK, **pair})
    assert [x.state for x in seen(e, Told(rows=(row("@Band", ("c3", "c6"), "now"),)), MIA).rows] == ["done"]


def test_a_row_that_is_offered_may_act_for_whom_the_offer_is() -> None:
    rows = tuple(row(k, (k,), "may") for k in ("c1", "c5", "c3"))
    system = Told(offer=of_those_there("c1", "c5"), rows=rows)
    assert [x.state for x in seen(E, system, MIA).rows] == ["may", "may", "waits"]
    assert [x.state for x in seen(E, system, STRANGER).rows] == ["waits", "waits", "waits"]
    choosing = Told(offer=of_those_there("c5", "c3", chooser="c1"), rows=rows)
    assert [x.state for x in seen(E, choosing, MIA).rows] == ["may", "may", "may"]
    assert [x.state for x in seen(E, choosing, JON).rows] == ["waits", "waits", "waits"]


def test_a_reason_is_read_by_those_who_may_read_it() -> None:
    rows = (
        row("c1", ("c1",), "waits", say("{0} is quick", "c1"), own("{0} limps", "c1"), Sentence("")),
        row("c3", ("c3",), "waits", say("{0} is slow", "c3"), say("{0} waits for {1}", "c3", "c2")),
        row("c5", ("c5",), "waits", say("{0} is calm", "c5"), Sentence(""), say("sits")),
    )
    told = {
        "Mia": ["Ana is quick; Ana limps", "Orc is slow", "Bo is calm; sits"],
        "Jon": ["Ana is quick", "Orc is slow", "Bo is calm; sits"],
        "": ["Ana is quick", "Orc is slow", "Bo is calm; sits"],
    }
    for name, words in told.items():
        assert [x.why for x in seen(E, Told(rows=rows), viewer_of(name)).rows] == words
    masters = [x.why for x in seen(E, Told(rows=rows), GAME_MASTER).rows]
    assert masters == ["Ana is quick; Ana limps", "Orc is slow; Orc waits for Lurk", "Bo is calm; sits"]
    open_ = replace(E, combatants={k: PEOPLE[k] for k in ("c1", "c3", "c5")})
    for name, words in told.items():
        found = [x.why for x in seen(open_, Told(rows=(rows[0], rows[2])), viewer_of(name)).rows]
        assert found == [words[0], words[2]]


def test_a_reason_that_names_the_unseen_is_read_by_who_owns_them() -> None:
    mine = replace(E, combatants={**PEOPLE, "c2": replace(LURK, owner="Mia")})
    rows = (row("c3", ("c3",), "waits", say("{0} is slow", "c3"), say("{0} waits for {1}", "c3", "c2")),)
    assert [x.why for x in seen(mine, Told(rows=rows), MIA).rows] == ["Orc is slow; Orc waits for Lurk"]
    assert [x.why for x in seen(mine, Told(rows=rows), JON).rows] == ["Orc is slow"]


class Forgetful(Told):
    """A system that keeps things of its own, and notes whose it was asked to leave out."""

    def turn_side(self, e: Encounter) -> str:
        """Return the side of the players, whoever acts."""
        del e
        return "heroes"

    def without(self, e: Encounter, unseen: Collection[str]) -> Encounter:
        """Return the encounter with a note of those who were left out."""
        return replace(e, notes={"without": sorted(unseen)})

    def rows(self, e: Encounter) -> tuple[TrackRow, ...]:
        """Return a row whose reason is that note."""
        return (row("c1", ("c1",), "waits", Sentence(str(e.notes.get("without", "all")))),)


def test_a_system_leaves_out_what_only_the_unseen_have_caused_and_is_not_asked_where_all_are_seen() -> None:
    found = seen(E, Forgetful(), MIA)
    assert [x.why for x in found.rows] == ["['c2', 'c4']"]
    assert found.encounter.notes == {"without": ["c2", "c4"]}
    renamed = replace(E, combatants={"c1": ANA, "c3": replace(ORC, alias="Brute")})
    found = seen(renamed, Forgetful(), MIA)
    assert ([x.why for x in found.rows], found.encounter.notes) == (["all"], {})
    assert [c.name for c in found.encounter.combatants.values()] == ["Ana", "Brute"]


def test_before_the_fight_it_is_the_turn_of_no_side() -> None:
    assert seen(E, Forgetful(), GAME_MASTER).side == "heroes"
    assert seen(replace(E, phase="setup"), Forgetful(), GAME_MASTER).side == ""


def test_the_turn_of_a_group_is_not_seen_where_only_the_unseen_of_it_act() -> None:
    e = replace(E, turn=Turn("@Band", ("c4",)), paused=(Turn("@Band", ("c4",)),))
    left = redacted(e, Told(), MIA)
    assert (left.turn, left.paused) == (None, ())


def test_an_ask_may_name_the_game_master_and_those_who_are_no_more() -> None:
    ask = RollAsk("a", "c1", (20,), say("{0} rolls against {1} for {2}", "c1", "GM", "c9"))
    assert seen(E, Told((ask,)), MIA).due == (ask,)


def test_where_all_are_seen_an_offer_and_its_reason_are_those_of_the_system() -> None:
    open_ = replace(E, combatants={k: PEOPLE[k] for k in ("c1", "c3", "c5")}, round=7)
    offer = turns("c1", "c3", chooser="c5")
    for viewer in (JON, GAME_MASTER):
        assert seen(open_, Told(offer=lambda _: offer), viewer).offer == offer
    for viewer in (MIA, STRANGER):
        assert seen(open_, Told(offer=lambda _: offer), viewer).offer == NOTHING


def test_a_pass_alone_is_offered_to_nobody() -> None:
    chosen, free = (Offer((Act("pass", "c1"),), say("pass"), chooser) for chooser in ("c1", ""))
    assert seen(E, Told(offer=lambda _: chosen), MIA).offer == NOTHING
    assert seen(E, Told(offer=lambda _: free), MIA).offer == NOTHING
