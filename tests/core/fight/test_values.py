"""Small values of a fight: sentences, orders, choices, entries, and the moment that a player saw."""

from __future__ import annotations

import pytest

from tui.core.fight.agenda import (
    AcknowledgeAsk,
    Act,
    Ask,
    Choice,
    Field,
    FormAsk,
    LockAsk,
    Mark,
    Offer,
    OrderRow,
    PickAsk,
    Preview,
    RollAsk,
    Saving,
    Sentence,
    Verb,
    literal,
    own,
    places,
    reasoned,
    say,
    spoken,
)
from tui.core.fight.combatant import Combatant
from tui.core.fight.encounter import (
    DiceRoll,
    Encounter,
    Entry,
    Turn,
    active,
    arrived,
    entries,
    key_of,
    label,
    members,
    side_of,
    sides,
    unacted,
)
from tui.core.fight.standpoint import owed, stood
from tui.core.fight.viewer import Viewer, as_read, is_plural, leaks, players, secrets, text, viewer_of


def person(n: int, name: str, side: str = "dark", **more: object) -> Combatant:
    return Combatant(f"c{n}", name, side, **more)  # type: ignore[arg-type]


E = Encounter(
    combatants={
        c.id: c
        for c in (
            person(1, "Ana", "heroes", owner="Mia"),
            person(2, "Orc 1", group="Orcs"),
            person(3, "Orc 2", group="Orcs", marks={"acted": "round"}),
            person(4, "Imp", owner="mia", arrives=2),
            person(5, "Bo", "heroes", owner="Jon", out=True),
        )
    },
    gone={"c9": person(9, "Zed")},
    phase="turns",
    round=1,
    turn=Turn("@Orcs", ("c2", "c3")),
    paused=(Turn("c1", ("c1",)),),
)


def test_a_sentence_has_a_head_and_a_reason() -> None:
    whole = reasoned("{0} waits", "a tie", "c1", rule="X-1")
    assert whole == Sentence("{0} waits: a tie", ("c1",), "X-1", head="{0} waits", reason="a tie")
    assert (whole.brief, whole.because) == (
        Sentence("{0} waits", ("c1",), "X-1"),
        Sentence("a tie", ("c1",), "X-1"),
    )
    plain = say("{0} waits", "c1", many="waits")
    assert (plain.brief, plain.because, plain.many) == (plain, Sentence(""), "waits")
    assert own("x", "c1") == Sentence("x", ("c1",), own=True)
    assert (literal("{0} {a}"), spoken("hi"), places(3, 1, " or ")) == (
        "{{0} {{a}",
        '"hi',
        "{1} or {2} or {3}",
    )


def test_what_is_asked_says_how_much_of_it() -> None:
    roll = RollAsk("a", "c1", (20,), Sentence("x"))
    assert roll.least is None
    assert RollAsk("a", "c1", (20,), Sentence("x"), needed=(12, 3)).least == (12, 3)
    save = RollAsk("a", "c1", (20,), Sentence("x"), save=Saving("area", "", 15, "dex", 4), needed=(12, 3))
    assert save.least == (15, 4)
    assert PickAsk("a", "c1", ("c2", "c3"), Sentence("x"), 1, 3).bounds == "1 to 3"
    assert PickAsk("a", "c1", ("c2", "c3"), Sentence("x"), 2, 2).bounds == "2"
    kinds: list[Ask] = [roll, PickAsk("a", "c1", (), Sentence("")), FormAsk("a", "c1", (), Sentence(""))]
    others: list[Ask] = [LockAsk("a", "GM", Sentence("")), AcknowledgeAsk("a", "GM", Sentence(""))]
    assert [x.kind for x in (*kinds, *others)] == ["roll", "pick", "form", "lock", "acknowledge"]


def test_an_offer_names_the_turns_in_it_and_an_order_its_parts() -> None:
    assert Offer((Act("turn", "c1"), Act("pass"), Act("turn", "@Orcs"))).turns == ("c1", "@Orcs")
    order = OrderRow(
        "c1", "written", {"action": "run", "hide": "yes"}, instead={"move": "stay"}, flags=("hide",)
    )
    assert [order.wording(x) for x in ("action", "hide", "move")] == [
        "action run",
        "hide",
        "move instead: stay",
    ]
    assert Preview(("a", "b"), hint="try c").refusals == ("a; try c", "b")
    assert Preview(("a",)).refusals == ("a",)
    assert Preview(hint="x").refusals == ()
    assert (Mark("acted").key, Mark("acted", tag="done").key) == ("acted", "done")
    assert [
        v.whole
        for v in (
            Verb("v", "", ""),
            Verb("v", "", "", takes=("who",)),
            Verb("v", "", "", keys=(Field("a", "a"),)),
        )
    ] == [True, False, False]
    assert Choice("a", "b") == Choice("a", "b", "", "", "", "", "")


def test_entries_members_and_names_of_a_fight() -> None:
    assert entries(E.combatants.values()) == (
        Entry("c1", ("c1",)), Entry("@Orcs", ("c2", "c3")), Entry("c4", ("c4",)), Entry("c5", ("c5",)),
    )  # fmt: skip
    assert [key_of(c) for c in E.combatants.values()] == ["c1", "@Orcs", "@Orcs", "c4", "c5"]
    assert [[c.id for c in members(E, k)] for k in ("c1", "@Orcs", "@heroes", "GM", "@none", "c9")] == [
        ["c1"], ["c2", "c3"], ["c1", "c5"], [], [], [],
    ]  # fmt: skip
    assert [label(E, k) for k in ("c1", "c9", "@Orcs", "GM", "c99")] == ["Ana", "Zed", "Orcs", "GM", "c99"]
    assert [side_of(E, k) for k in ("c1", "@Orcs", "", "c9")] == ["heroes", "dark", "", ""]
    assert sides(E) == ["heroes", "dark"]
    assert [c.id for c in active(E)] == ["c1", "c2", "c3"]
    assert [c.id for c in E.combatants.values() if arrived(E, c)] == ["c1", "c2", "c3", "c5"]
    assert [c.id for c in unacted(E.combatants.values())] == ["c1", "c2", "c4", "c5"]
    assert (E.acting, E.actors, E.turns, E.running) == ("@Orcs", ("c2", "c3"), (E.turn, *E.paused), True)
    calm = Encounter()
    assert (calm.acting, calm.actors, calm.turns, calm.running) == ("", (), (), False)


@pytest.mark.parametrize(("dice", "faces"), [((6,), (7,)), ((6, 6), (1,)), ((6,), (1, 2)), ((), (1,))])
def test_a_face_that_is_on_no_die_is_refused(dice: tuple[int, ...], faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="are not on the dice"):
        DiceRoll("c1", dice, faces)
    assert DiceRoll("c1", (6, 4), (6, 4)).faces == (6, 4)


def test_a_word_for_an_order_tells_versions_apart_and_never_changes() -> None:
    assert stood({}) == "order cbf29ce484222325"
    assert stood({"action": ""}) == stood({})
    assert stood({"b": "2", "a": "1"}) == stood({"a": "1", "b": "2"}) == "order 23fade2e3cbe48ed"
    assert stood({"a": "12"}) != stood({"a": "1", "b": "2"})
    assert stood({"action": "hide"}) == "order 8145e567eb4461e6"
    assert stood({"action": "\ud800 ä"}) == stood({"action": "? ä"})


def test_a_word_for_a_roll() -> None:
    assert owed("Ana", (20, 6), "X-1") == "Ana: d20 d6 X-1"
    assert owed("A" * 500, (20,), "") == "A" * 400


def test_players_are_named_once_as_they_were_first_written() -> None:
    assert players(E) == ("Mia", "Jon")
    assert players(Encounter()) == ()
    assert viewer_of(None) == Viewer()
    assert viewer_of("Mia") == Viewer("Mia", gm=False)


MIA, NONE = Viewer("MIA", gm=False), Viewer("", gm=False)


def test_who_sees_and_owns_what() -> None:
    mine, theirs = person(1, "A", owner="Mia", hidden=True), person(2, "B", owner="Jon", hidden=True)
    nobodys = person(3, "C", hidden=True)
    assert [MIA.mine(c) for c in (mine, theirs, nobodys)] == [True, False, False]
    assert [NONE.mine(c) for c in (mine, theirs, nobodys)] == [False] * 3
    assert [MIA.sees(c) for c in (mine, theirs, nobodys)] == [True, False, False]
    assert [Viewer().sees(c) for c in (mine, theirs, nobodys)] == [True] * 3
    assert [MIA.owns(E, k) for k in ("c1", "@heroes", "@Orcs", "c4", "c5")] == [
        True,
        True,
        False,
        True,
        False,
    ]


def test_a_creature_is_read_without_what_is_the_masters() -> None:
    plain = person(1, "A")
    assert as_read(plain) is plain
    assert as_read(person(1, "A", alias="B", card="x")) == person(1, "B")
    assert as_read(person(1, "A", marks={"x": "turn", "y": "turn"}), frozenset("x")) == person(
        1, "A", marks={"y": "turn"}
    )


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (say("{0} acts", "c1"), "Ana acts"),
        (say("{0} acts", "@Orcs"), "Orcs act"),
        (say("{0} passes", "@Orcs"), "Orcs pass"),
        (say("{0} is out", "@heroes"), "The heroes are out"),
        (say("now {0} does", "@dark"), "now the dark side does"),
        (say("{0}'s turn", "@Orcs"), "Orcs' turn"),
        (say("{0}'s turn", "c1"), "Ana's turn"),
        (say("{0}", "@heroes"), "the heroes"),
        (say("{0}, {1} and {2} wait", "c2", "c3", "c1"), "Orc 1, Orc 2 and Ana wait"),
        (say("`out {0}` helps", "c2"), '`out "Orc 1"` helps'),
        (say("{{0} {1}", "c1", "c1"), "{0} Ana"),
        (say("{4}", "c1"), "{4}"),
        (say("{0}: {1}", "c1", spoken("run")), "Ana: run"),
        (say("{0} is gone", "c9"), "Zed is gone"),
    ],
)
def test_a_sentence_with_its_names(line: Sentence, says: str) -> None:
    assert text(E, line) == says


@pytest.mark.parametrize(
    ("name", "plural"),
    [("Boss", False), ("Circus", False), ("Oasis", False), ("wolves", True), ("cult", False)],
)
def test_a_side_is_spoken_of_as_it_is_called(name: str, plural: bool) -> None:
    assert is_plural(E, f"@{name}") is plural
    assert not is_plural(E, name)


@pytest.mark.parametrize(
    ("line", "leaked"),
    [
        ("the orc waits", True),
        ("the Orc.", True),
        ("orcs", False),
        ("orc 2", False),
        ("orc2", False),
        ("forc", False),
    ],
)
def test_a_name_leaks_as_a_word_of_its_own(line: str, leaked: bool) -> None:
    assert leaks(line, ["orc"]) is leaked


def test_secrets_are_the_unseen_who_are_behind_an_alias_and_wholly_unseen_groups() -> None:
    people = (
        person(1, "Ana", "heroes"), person(2, "Wolf", "dark", hidden=True, group="Pack"),
        person(3, "Bo", "heroes", alias="Bruno"), person(4, "Cat", "heroes", hidden=True, owner="Mia"),
    )  # fmt: skip
    e = Encounter(combatants={c.id: c for c in people}, gone={"c9": person(9, "Zed", hidden=True)})
    assert set(secrets(e, MIA)) == {"wolf", "pack", "dark", "bo", "zed"}
    assert set(secrets(e, NONE)) == {"wolf", "pack", "dark", "bo", "zed", "cat"}
    assert secrets(e, Viewer()) == ()
