"""What the rules answer, value by value: edges of turns, names, death saves of a file, what Tab offers."""

from __future__ import annotations

import msgspec
import pytest

from tests.table import Table, carried
from tui.core.base.errors import RuleError
from tui.core.fight import events as ev
from tui.core.fight.combatant import BEGUN, Combatant, Condition, Dying, StatBlock
from tui.core.fight.encounter import Encounter, Turn
from tui.core.language.creature_actions import Add
from tui.core.rules import roster, saving_throws, upkeep
from tui.core.rules.complete import complete
from tui.core.rules.draft import Draft, ending, missed, starting
from tui.core.rules.fields import Newcomer, keep_apart
from tui.core.rules.system import InitiativeSystem, end_turn
from tui.core.rules.transfer import brought
from tui.systems import Registry


def fight(*acted: str, begun: tuple[str, ...] = ()) -> Encounter:
    """Return Ana alone, and a gang of two; each carries a condition, and these have acted."""
    marks = {k: {"acted": "round"} for k in acted} | {k: {BEGUN: "round"} for k in begun}
    people = [("c1", "Ana", ""), ("c2", "Orc", "Gang"), ("c3", "Imp", "Gang")]
    return Encounter(
        combatants={
            k: Combatant(
                k,
                name,
                "dark",
                group=group,
                marks=marks.get(k, {}),
                conditions=(Condition("slow", rounds=2),),
            )
            for k, name, group in people
        },
        phase="turns",
        round=1,
    )


@pytest.mark.parametrize(
    ("e", "key", "who", "starts", "ends"),
    [
        (fight(), "c1", ("c1",), {"c1"}, {"c1"}),
        (fight("c1"), "c1", ("c1",), set(), {"c1"}),
        (fight(begun=("c1",)), "c1", ("c1",), set(), {"c1"}),
        (fight(), "c1", ("c9",), set(), {"c1", "c9"}),
        (fight(), "@Gang", ("c2", "c3"), {"c2", "c3", "@Gang"}, {"c2", "c3", "@Gang"}),
        (fight("c2"), "@Gang", ("c3",), {"c3"}, {"c3"}),
        (fight(begun=("c2",)), "@Gang", ("c3",), {"c3"}, {"c3"}),
        (fight("c2"), "@Gang", ("c2", "c3"), {"c3", "@Gang"}, {"c2", "c3", "@Gang"}),
        (fight("c2", "c3"), "@Gang", ("c2", "c3"), set(), {"c2", "c3", "@Gang"}),
        (fight(), "@Gang", ("c3",), {"c3", "@Gang"}, {"c3", "@Gang"}),
    ],
)
def test_whose_turn_starts_and_ends_with_the_turn_of_an_entry(
    e: Encounter, key: str, who: tuple[str, ...], starts: set[str], ends: set[str]
) -> None:
    assert (starting(e, key, who), ending(e, key, who)) == (starts, ends)


@pytest.mark.parametrize(
    ("e", "unstarted", "unended"),
    [
        (fight(), {"c1", "c2", "c3"}, {"c1", "c2", "c3"}),
        (fight("c1"), {"c2", "c3"}, {"c2", "c3"}),
        (fight("c2", begun=("c1",)), {"c3"}, {"c1", "c3"}),
        (fight("c1", "c2", "c3"), set(), set()),
    ],
)
def test_whose_turn_never_came_in_a_round(e: Encounter, unstarted: set[str], unended: set[str]) -> None:
    assert missed(e) == (unstarted, unended)


def test_who_leaves_a_group_in_its_turn_ends_it_with_what_lasts_to_its_end() -> None:
    t = Table("classic")
    t.do("add Orc group=Gang", "add Imp group=Gang", "add Ana", "begin")
    t.do("roll", dice=[19, 3])
    t.do("condition Gang slow rounds=1", "condition Gang weak rounds=3", "condition Imp held save=con dc=12")
    t.do("next")
    assert t.state()["acting"] == "Gang"
    t.do("condition Gang late rounds=1 until=start of=Ana", "ungroup Orc")
    assert t.state()["acting"] == "Gang"
    assert carried(t, "Orc") == ["weak", "late"]
    assert carried(t, "Imp") == ["slow", "weak", "held", "late"]
    assert [x.who for x in t.due()] == []
    t.do("end")
    assert carried(t, "Imp") == ["weak", "held", "late"]
    assert [x.why.text for x in t.due()] != []


# --- the roster


def facts(t: Table, line: str) -> list[str]:
    """Return the kinds of the facts of a line."""
    t.do(line)
    return [type(x).__name__ for x in t.store.done(t.store.step).events]


def test_who_is_staged_for_a_later_round_leaves_a_fight_that_runs() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "add Cy")
    assert facts(t, "set Bo round=3") == ["Changed"]
    assert facts(t, "set Bo round=0") == ["Changed"]
    t.do("begin")
    t.do("roll", dice=[19, 9, 3])
    assert facts(t, "set Bo round=1") == ["Changed"]
    assert t.order() == ["Ana", "Bo", "Cy"]
    t.do("set Bo round=3")
    assert t.order() == ["Ana", "Cy"]
    t.do("next")
    t.refuse("set Ana round=3", "Ana is acting", "`end` ends the turn first")


class Open(InitiativeSystem):
    """A system in which all sheets lie open."""

    def open_sheets(self, e: Encounter) -> str:
        """Return its clause."""
        del e
        return "OPEN-1"


def test_where_all_sheets_lie_open_nobody_is_hidden_but_who_is_may_be_revealed() -> None:
    d = Draft(fight())
    with pytest.raises(RuleError, match="nobody is hidden while all sheets lie open") as refused:
        roster.hide(d, Open(), "c1", reveal=False)
    assert refused.value.rule == "OPEN-1"
    roster.hide(d, Open(), "c1", reveal=True)
    roster.hide(d, InitiativeSystem(), "c1", reveal=False)
    roster.hide(d, InitiativeSystem(), "c1", reveal=True)
    assert d.events == [ev.Revealed("c1"), ev.Hid("c1"), ev.Revealed("c1")]


def test_an_alias_may_be_the_own_name_and_is_nobody_elses() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo group=Band", "alias Bo Boss")
    t.do("alias Ana Ana", "alias Ana ana")
    t.do("alias Bo boss")
    for name, says in (("Bo", "Bo"), ("Boss", "Boss"), ("Band", "group"), ("dark", "side")):
        t.refuse(f"alias Ana {name}", says)
    t.do("alias Ana none")
    t.refuse("alias Ana none", "Ana has no alias")


def test_a_name_may_change_its_letter_case_but_not_to_that_of_another() -> None:
    t = Table("classic")
    t.do("add Ana", "add Bo", "rename Ana ANA")
    t.refuse("rename ANA ANA", "ANA is already called so")
    t.refuse("rename ANA bo", "Bo")


# --- counters, and death saves of a file


def test_a_counter_has_a_name() -> None:
    t = Table("classic")
    t.do("add Ana")
    t.refuse('count Ana "" 2', "name is missing")
    t.refuse('count Ana " " 2', "a counter needs a name")


DYING: list[tuple[str, Dying | None]] = [
    ("dead", None),
    ("stable", Dying(stable=True)),
    ("0 made, 0 failed", Dying()),
    ("1 made, 2 failed", Dying(1, 2)),
    ("2 made, 0 failed", Dying(2, 0)),
]


@pytest.mark.parametrize(("words", "dying"), DYING)
def test_how_it_stands_with_the_dying_is_read_as_it_is_written(words: str, dying: Dying | None) -> None:
    assert upkeep.read(words) == dying
    assert upkeep.written(Combatant("c1", "Ana", "heroes", dying=dying, dead=dying is None)) == words


@pytest.mark.parametrize("words", ["", "3 made, 0 failed", "0 made, 3 failed", "stable ", "alive"])
def test_other_words_say_nothing_of_death_saves(words: str) -> None:
    with pytest.raises(RuleError, match="says nothing of death saves"):
        upkeep.read(words)
    assert upkeep.written(Combatant("c1", "Ana", "heroes")) == ""


@pytest.mark.parametrize(
    ("hp", "rule", "words", "kinds"),
    [
        (0, "dying", "1 made, 2 failed", [ev.DeathSaves("c1", 1, 2, stable=False)]),
        (0, "dying", "stable", [ev.DeathSaves("c1", 0, 0, stable=True)]),
        (3, "dying", "1 made, 2 failed", []),
        (None, "dying", "stable", []),
        (0, "nothing", "1 made, 2 failed", []),
        (0, "out", "stable", []),
        (0, "nothing", "dead", [ev.Died("c1"), ev.WentOut("c1")]),
        (3, "dying", "dead", [ev.Died("c1"), ev.WentOut("c1")]),
    ],
)
def test_only_who_is_at_0_and_may_be_dying_keeps_death_saves(
    hp: int | None, rule: str, words: str, kinds: list[ev.Event]
) -> None:
    ana = Combatant("c1", "Ana", "heroes", hp=hp, max_hp=9, fields={"kind": "pc"})
    d = Draft(Encounter(options={"zero.pc": rule}, combatants={"c1": ana}))
    upkeep.kept_dying(d, "c1", words)
    assert d.events == kinds


# --- saves in a line


@pytest.mark.parametrize(
    ("save", "dc", "means"),
    [
        ("", "", (0, "")),
        ("wis", "12", (12, "wis")),
        (" WIS ", "1", (1, "wis")),
        ("15", "", (15, "")),
        ("+15", "", (15, "")),
        (" 7", "", (7, "")),
        ("", "9", (9, "")),
        ("a" * 24, "9", (9, "a" * 24)),
    ],
)
def test_a_save_of_a_line_means_a_number_and_a_key(save: str, dc: str, means: tuple[int, str]) -> None:
    assert saving_throws.written(save, dc) == means


@pytest.mark.parametrize(
    ("save", "dc", "says", "hint"),
    [
        ("15", "12", "save=15 and dc=12 are two DCs", "`save=wis dc=15`"),
        ("wis", "", "save=wis needs to know what it must reach", "`save=wis dc=15`"),
        ("a" * 25, "12", f'save= takes a key such as dex, not "{"a" * 24}"', "`save=dex dc=15`"),
        ("w1s", "12", 'save= takes a key such as dex, not "w1s"', "`save=dex dc=15`"),
        ("1.5", "", 'save= takes a key such as dex, not "1.5"', "`save=dex dc=15`"),
    ],
)
def test_a_save_that_means_nothing_is_refused_with_what_would_work(
    save: str, dc: str, says: str, hint: str
) -> None:
    with pytest.raises(RuleError) as refused:
        saving_throws.written(save, dc)
    assert (refused.value.message, refused.value.hint) == (says, hint)


# --- Tab, and what the library knows


def test_tab_offers_those_who_owe_an_order_before_those_who_owe_a_roll() -> None:
    t = Table("chaos")
    t.do("add Ana", "add Bo", "add Cy", "begin", "order Bo action=hide", "condition Cy concentration")
    t.do("set Cy hp=9", "damage Cy 1")

    def offered(line: str) -> list[str]:
        return [x.removeprefix(line).strip() for x in complete(line, t.encounter, t.store.system)]

    assert offered("order ")[:4] == ["Ana", "Cy", "Bo", "@dark"]
    assert offered("roll ") == offered("made ") == ["Cy", "Ana", "Bo", "@dark"]
    assert offered("set Ana nothing=") == offered("set Ana group=") == []
    assert complete("set Ana side=h", t.encounter, t.store.system) == ["set Ana side=heroes "]


def test_what_the_library_knows_of_the_initiative_is_the_modifier_of_the_system() -> None:
    known, unknown = StatBlock("Orc", initiative=3), StatBlock("Orc")
    own = StatBlock("Orc", initiative=3, fields={"mod": 5})
    classic, e = Registry().get("classic"), Encounter()
    line = Newcomer(Add("Orc"))

    def keys(coming: Newcomer, block: StatBlock) -> dict[str, str]:
        return dict(brought(coming, block, e, classic).add.keys)

    assert keys(line, known) == {"mod": "3"}
    assert keys(line, unknown) == {}
    assert keys(line, own) == {"mod": "5"}
    signed = msgspec.structs.replace(line, add=msgspec.structs.replace(line.add, mod="+1"))
    assert keys(signed, known) == {}


def test_a_value_that_nobody_reads_is_left_out_and_said_and_a_strangers_key_stays() -> None:
    ana = Combatant("c1", "Ana", "heroes", fields={"mod": "strange", "zz": 1})
    chaos, classic = (Registry().get(name) for name in ("chaos", "classic"))
    d = Draft(Encounter(combatants={"c1": ana}))
    keep_apart(d, [ana], chaos, classic, Registry())
    assert d.encounter.combatants["c1"].fields == {"zz": 1}
    [said] = [x.text for x in d.events if isinstance(x, ev.Announced)]
    assert said == f"{{0}}: mod=strange is left out, {classic.title} cannot read it"


class Settling(InitiativeSystem):
    """A system that notes what it is asked for at the end of a turn."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def ended(self, d: Draft, turn: Turn) -> None:
        """Note whose turn it was, and whether it still runs."""
        self.asked.append((turn.who, d.encounter.turn))

    def settle(self, d: Draft) -> None:
        """Note that it came to rest."""
        del d
        self.asked.append("settle")


def test_behind_a_turn_the_system_reacts_and_comes_to_rest() -> None:
    system, e = Settling(), msgspec.structs.replace(fight(), turn=Turn("c1", ("c1",)))
    end_turn(Draft(e), system)
    assert system.asked == [("c1", None), "settle"]
    end_turn(Draft(fight()), system)
    assert len(system.asked) == 2, "no turn, no end"
