"""The library: what is kept comes back, what is wrong is named with file and line and hides nothing else."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.kit.disks import FaultyDisk
from tests.kit.tiers import cases
from tests.store.library.shelf import GOBLIN, SYSTEMS, only, shelve, table
from tui.core.base.errors import RuleError
from tui.core.fight.combatant import Combatant, Counted, StatBlock
from tui.core.rules.complete import complete
from tui.core.rules.transfer import opposition, write_tables
from tui.store.library import shelves
from tui.store.library.rosters import write_roster
from tui.store.library.service import Library, Stocking
from tui.store.opening import create_save
from tui.store.problems import NotSaved
from tui.store.session import open_inline
from tui.store.sources import SeededDice
from tui.systems import Registry

# --- creatures by name


@pytest.mark.parametrize(
    ("system", "fields"),
    [
        ("classic", {"mod": 2}),
        ("chaos", {"bonus": 2}),
        ("dungeon-universalis", {"per": 9, "int": 10}),
        ("dungeon-track", {"per": 9, "int": 10}),
        ("dynamic", {"size": "small", "stealth": 6}),
        ("unbound", {"per": 9, "stealth": 6}),
    ],
)
def test_a_creature_brings_what_the_running_system_wants_and_nothing_else(
    tmp_path: Path, system: str, fields: dict[str, object]
) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN)
    t = table(tmp_path, system)
    t.store.run("add goblin")
    c = only(t)
    assert (c.name, c.hp, c.max_hp, c.ac, c.fields) == ("Goblin", 7, 7, 15, fields)
    assert c.card == "Scimitar. +4 to hit.\nNimble Escape."


def test_hit_points_are_rolled_for_each_where_the_table_wants_that(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN)
    t = table(tmp_path)
    t.do("option library.hp=rolled", "add 20 goblin")
    points = [c.hp or 0 for c in t.encounter.combatants.values()]
    assert len(set(points)) > 3
    assert all(2 <= hp <= 12 for hp in points)
    shelve(tmp_path, "creatures", "dice", GOBLIN.replace("Goblin", "Gob", 1).replace("hp = 7\n", ""))
    t.do("option library.hp=average", "remove Goblin*", "add Gob")
    assert 2 <= (only(t).hp or 0) <= 12


def test_the_journal_holds_the_values(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN)
    t = table(tmp_path)
    t.store.run("add goblin")
    before = t.encounter
    (tmp_path / "creatures" / "mine.toml").unlink()
    t.do("undo", "redo")
    assert t.encounter == before


def test_completion_knows_the_library(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN + '[[creature]]\nname = "Gnoll Pack Lord"\n')
    shelve(tmp_path, "parties", "four", '[[combatant]]\nname = "Ana"\n')
    shelve(tmp_path, "encounters", "gate", '[[combatant]]\nname = "Orc"\n')
    shelve(tmp_path, "conditions", "own", '[[condition]]\nname = "hexed"\n')
    t = table(tmp_path)

    def offers(line: str) -> list[str]:
        return complete(line, t.encounter, t.store.system, (), t.store.effects.stock)

    assert offers("add go") == ["add Goblin "]
    assert offers("add 6 g")[:2] == ['add 6 "Gnoll Pack Lord" ', "add 6 Goblin "]
    assert "add Goblin Goblin " not in offers("add Goblin g")
    assert offers("party f") == offers("party F") == ["party four ", "party fresh="]
    assert offers("load g") == ["load gate "]
    assert offers("condition Bo hex") == ["condition Bo hexed "]


# --- reading strictly


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('[[creature]]\nname = "A"\nhp = "many"\n', 3, "hp takes a whole number"),
        ('[[creature]]\nname = "A"\n\nspeed = 30\n', 4, "no system has speed"),
        ('[[creature]]\nname = "A"\nsize = "wide"\n', 3, "size="),
        ('[[creature]]\nname = "A"\nhp_dice = "2x6"\n', 3, "hp_dice"),
        ('[[creature]]\nname = "A"\ncounters = ["Fire -1"]\n', 3, "Fire"),
        ("[[creature]]\nhp = 3\n", 1, "a name is missing"),
        ('[[creature]]\nname = "A,B"\n', 2, "cannot be a name"),
        ('[[creature]]\nname = "A"\nname = "B"\n', 3, "overwrite"),
        ('# mine\nname = "A"\n', 2, "only [[creature]]"),
        ("[[creature]\n", 1, "only [[creature]]"),
        ('[[creature]]\nname = "A"\n[[b]]\n', 1, "only [[creature]]"),
        ('[[creature]]\nname = "A"\nsource = 3\n', 3, "source is a text"),
        (f'[[creature]]\nname = "A"\nsource = "{"x" * 201}"\n', 3, "source has 201 characters"),
        ('[[creature]]\nname = "A"\nac = true\n', 3, "ac takes a whole number"),
        ('[[creature]]\nname = "A"\nhp = -1\n', 3, "hp takes a whole number, 0 to"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_hides_nobody(
    tmp_path: Path, text: str, line: int, says: str
) -> None:
    shelve(tmp_path, "creatures", "bad", text)
    shelve(tmp_path, "creatures", "good", GOBLIN)
    found, problems = Library(str(tmp_path), SYSTEMS).creatures()
    assert [(p.line, says in p.message) for p in problems] == [(line, True)], [str(p) for p in problems]
    assert "Goblin" in [f.name for f in found]


def test_a_mistake_hides_no_other_creature_of_its_file(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", '\ufeff[[creature]]\nname = "Bad"\nhp = 1.5\n\n' + GOBLIN)
    t = table(tmp_path)
    t.store.run("add goblin")
    with pytest.raises(RuleError, match=r"mine\.toml, line 3: hp takes"):
        t.store.run("add bad")


def test_a_roster_of_a_system_that_is_not_here_is_refused_in_one_line(tmp_path: Path) -> None:
    shelve(tmp_path, "parties", "bad", 'system = "gone"\n[[combatant]]\nname = "A"\nmod = 3\n')
    with pytest.raises(
        RuleError,
        match=r"^bad\.toml, line 1: there is no system gone; without system= .*; there are: classic",
    ):
        table(tmp_path).store.run("party bad")


def test_new_files_take_free_names_in_order_and_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "creatures"
    written = shelves.write_shelf_files(str(folder), "orc", ["a", "b"])
    written += shelves.write_shelf_files(str(folder), "orc", ["c"])
    assert [os.path.basename(path) for path in written] == ["orc.toml", "orc-2.toml", "orc-3.toml"]
    (folder / "link.toml").symlink_to(tmp_path / "gone.toml")
    found = {
        os.path.basename(path): stat.S_ISLNK(x.st_mode)
        for path, x in shelves.list_shelf_files(str(tmp_path), "creature")
    }
    assert found == {"link.toml": True, "orc-2.toml": False, "orc-3.toml": False, "orc.toml": False}


def test_a_bad_condition_hides_no_other(tmp_path: Path) -> None:
    text = (
        '[[condition]]\nname = "x"\nuntil = "noon"\n'
        '\n[[condition]]\nname = "hexed"\ntext = "ill luck"\nrounds = 3\n'
    )
    shelve(tmp_path, "conditions", "own", text)
    known, problems = Library(str(tmp_path), SYSTEMS).conditions()
    assert [str(p) for p in problems] == [
        'own.toml, line 3: condition: until= takes start or end, not "noon"'
    ]
    assert {"hexed", "prone"} <= {c.name for c in known}


def test_a_condition_lasts_as_long_as_the_library_says_unless_the_line_does(tmp_path: Path) -> None:
    shelve(tmp_path, "conditions", "own", '[[condition]]\nname = "hexed"\nrounds = 3\n')
    t = table(tmp_path)
    t.do("add Bo", "condition Bo Hexed")
    assert only(t).conditions[0].rounds == 3
    t.store.run("condition Bo hexed rounds=1")
    assert only(t).conditions[0].rounds == 1


# --- saving


def test_a_party_goes_on_as_it_left(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do(
        "add Ana owner=Ann,Bea hp=18 ac=15 note=tired resist=fire temp_max=2",
        'set Ana vulnerable=cold immune=acid saves="dex+2" attacks="Axe +1 1d4" card=big',
        "add Bo kind=pc hp=9 value=7 hidden=yes group=Pals",
        "add Dog side=heroes hp=4",
        "add 3 Orc hp=7",
        "damage Ana 6",
        "temp Bo 3",
    )
    before = t.store.step
    t.store.run("save party four")
    assert t.store.step == before
    new = table(tmp_path)
    new.store.run("party four")
    old = {
        c.name: replace(c, id="", value=None) for c in t.encounter.combatants.values() if c.side == "heroes"
    }
    assert {c.name: replace(c, id="") for c in new.encounter.combatants.values()} == old


@pytest.mark.parametrize("there", SYSTEMS.ids())
@pytest.mark.parametrize("saved", SYSTEMS.ids())
def test_a_party_that_is_loaded_under_another_system_keeps_all_that_is_not_misread(
    tmp_path: Path, saved: str, there: str
) -> None:
    t = table(tmp_path, saved)
    fields = [f for f in t.store.system.fields if f.kind in ("int", "ints")]
    t.do(f"add Ana owner=Ann {' '.join(f'{f.key}=2' for f in fields)}", "save party four")
    new = table(tmp_path, there)
    new.store.run("party four")
    meant = {f.key: f.title for f in fields}
    misread = [
        f.key for f in new.store.system.fields if f.key in only(new).fields and meant.get(f.key) != f.title
    ]
    assert not misread
    theirs = {f.key: f.title for f in new.store.system.fields}
    kept = {k: v for k, v in only(t).fields.items() if theirs.get(k, meant.get(k)) == meant.get(k)}
    assert only(new).fields == kept
    if saved != there:
        new.store.run(f"system {saved}")
    assert only(new).fields == kept


def test_a_party_says_in_which_system_it_was_saved_and_may_leave_that_out(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do("add Ana +3 owner=Ann", "save party one")
    text = (tmp_path / "parties" / "one.toml").read_text(encoding="utf-8")
    assert text.startswith('system = "classic"\n\n[[combatant]]\n')
    shelve(tmp_path, "parties", "old", text.partition("\n\n")[2])
    dungeon = table(tmp_path, "dungeon-track")
    dungeon.store.run("party old")
    assert only(dungeon).fields == {"mod": 3}


FOES = ("add Wolf hp=5 round=3", 'damage "Orc 2" 3', "add Lair value=20", "add Spy hidden=yes mod=2")


@cases(30)
@given(lines=st.lists(st.sampled_from(FOES), unique=True), heroes=st.booleans())
def test_an_encounter_of_1x_loads_and_plays_as_the_fight_it_was(lines: list[str], heroes: bool) -> None:
    """The foes of a file of 1.x, of a fight that has not begun, and of a fight made from that file agree."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = create_save("gate", name, SYSTEMS, "classic", {})
        with open_inline(path, name, SYSTEMS, SeededDice(1), print) as session:
            for line in ("add 3 Orc hp=7", *lines, *(("add Ana owner=Ann",) if heroes else ())):
                session.store.run(line)
            e = session.store.encounter
            tables = write_tables(opposition(e), e, session.store.system, SYSTEMS)
        shelve(folder, "encounters", "old", write_roster(tables, "classic"))

        shelve(folder, "encounters", "gate", "the fight comes first")

        def loaded(word: str) -> list[object]:
            path = create_save(f"from-{word}", name, SYSTEMS, "classic", {})
            with open_inline(path, name, SYSTEMS, SeededDice(1), print) as session:
                session.store.run(f"load {word}")
                foes = [replace(c, side_given=None) for c in session.store.encounter.combatants.values()]
            return [*foes]

        assert loaded("gate") == loaded("old") == loaded("from-old")
        with open_inline(path, name, SYSTEMS, SeededDice(1), print) as session:
            for line in ("begin", "roll", "next"):
                session.store.run(line)
            assert session.store.encounter.acting
            with pytest.raises(RuleError, match=r"save encounter was removed") as refused:
                session.store.run("save encounter x")
            assert "load NAME" in refused.value.hint
            with pytest.raises(RuleError, match=r"nowhere") as refused:
                session.store.run("load nowhere")
            assert "gate" in refused.value.hint


def test_reinforcements_of_a_file_count_their_rounds_from_when_it_is_loaded(tmp_path: Path) -> None:
    shelve(tmp_path, "encounters", "late", '[[combatant]]\nname = "Wolf"\nround = 2\n')
    t = table(tmp_path)
    t.do("add Ana", "begin", "roll", "next", "next", "next", "load late")
    wolf = next(c for c in t.encounter.combatants.values() if c.name == "Wolf")
    assert wolf.arrives == t.encounter.round + 2


def test_a_name_that_exists_is_written_over_only_on_purpose(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do("add Ana owner=Ann hp=5", "save party four")
    before = (tmp_path / "parties" / "four.toml").read_bytes()
    with pytest.raises(RuleError) as refused:
        t.store.run("save party four")
    assert "over=yes" in refused.value.hint
    assert (tmp_path / "parties" / "four.toml").read_bytes() == before
    t.do("damage Ana 2", "save party four over=yes")
    assert (tmp_path / "parties" / "four.toml").read_bytes() != before


@pytest.mark.parametrize("name", ["../x", ".hidden", "a/b", "", "x" * 80])
def test_a_name_stays_on_its_shelf(tmp_path: Path, name: str) -> None:
    t = table(tmp_path)
    t.store.run("add Ana owner=Ann")
    with pytest.raises(RuleError):
        t.store.run(f'save party "{name}"')
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


# --- creatures that were imported


def stocked(folder: Path, *blocks: StatBlock, over: bool = False) -> Stocking:
    return Library(str(folder), SYSTEMS).stock_creatures("new", blocks, overwrite=over)


def test_what_the_library_has_already_is_told_with_its_place(tmp_path: Path) -> None:
    orc, elf = StatBlock(name="Orc", hp=15), StatBlock(name="Elf", hp=9)
    first = stocked(tmp_path, orc, StatBlock(name="Ana"))
    assert (first.skipped, first.over, first.bare) == ((), (), ("Ana",))
    assert [Path(path).name for path in first.paths] == ["new.toml"]
    assert stocked(tmp_path, orc) == Stocking()
    with pytest.raises(RuleError, match=r"another Orc \(new\.toml, line 1\);") as refused:
        stocked(tmp_path, replace(orc, hp=16))
    assert refused.value.kind == "exists"
    found = stocked(tmp_path, replace(orc, hp=16), elf)
    assert (found.skipped, found.over, found.bare) == ((("Orc", "new.toml, line 1"),), (), ())
    with pytest.raises(RuleError, match=r"\), and 1 more;"):
        stocked(tmp_path, replace(orc, hp=16), replace(elf, hp=1))
    with pytest.raises(RuleError, match="only the name is known"):
        stocked(tmp_path, StatBlock(name="Ana"))
    found = stocked(tmp_path, replace(orc, hp=16), over=True)
    assert (found.skipped, found.over) == ((), (("Orc", "new.toml, line 1"),))
    known = Library(str(tmp_path), SYSTEMS).creature("orc")
    assert known
    assert known.hp == 16
    # One that cannot be read is another one, too.
    shelve(tmp_path, "creatures", "bad", '[[creature]]\nname = "Hag"\nhp = "x"\n')
    assert stocked(tmp_path, StatBlock(name="Hag", hp=3), over=True).over == (("Hag", "bad.toml, line 1"),)
    # Two of a name are one clash, and go together.
    shelve(tmp_path, "creatures", "two", GOBLIN + GOBLIN)
    assert stocked(tmp_path, StatBlock(name="goblin", hp=1), StatBlock(name="Wolf", hp=4)).skipped == (
        ("Goblin", "two.toml, line 1"),
    )
    stocked(tmp_path, StatBlock(name="Goblin", hp=1), over=True)
    known = Library(str(tmp_path), SYSTEMS).creature("goblin")
    assert known
    assert known.hp == 1


@pytest.mark.parametrize("failing", range(1, 12))
def test_files_are_written_all_or_none(tmp_path: Path, failing: int) -> None:
    disk = FaultyDisk(
        lambda _, count: errno.ENOSPC * (count == failing), only=("open", "write", "fsync", "link")
    )
    (tmp_path / "a.toml").write_text("mine")
    try:
        written = shelves.write_shelf_files(str(tmp_path), "a", ["one", "two"], disk)
    except NotSaved:
        assert [p.name for p in tmp_path.iterdir()] == ["a.toml"]
    else:
        assert [Path(path).name for path in written] == ["a-2.toml", "a-3.toml"]
    assert (tmp_path / "a.toml").read_text() == "mine"


WAR_CRY = "counters = ['\"War Cry\" 1 max=1 reset=1d6>=5', 'legendary 3 reset=turn']\nconditions = ['sick']\n"


def borne(c: Combatant) -> tuple[str, tuple[Counted, ...], dict[str, tuple[int, str, bool]]]:
    return c.alias, c.counters, {x.name: (x.rounds, x.until, x.hidden) for x in c.conditions}


def test_a_numbered_kind_takes_the_name_of_the_library_and_brings_its_counters(tmp_path: Path) -> None:
    shelve(tmp_path, "creatures", "mine", GOBLIN + WAR_CRY)
    t = table(tmp_path)
    t.store.run("add 2 goblin")
    assert [c.name for c in t.encounter.combatants.values()] == ["Goblin 1", "Goblin 2"]
    for c in t.encounter.combatants.values():
        found = [(x.name, x.n, x.most, x.reset) for x in c.counters]
        assert found == [("War Cry", 1, 1, "1d6>=5"), ("legendary", 3, 3, "turn")]
        assert [x.name for x in c.conditions] == ["sick"]
    assert "count" not in c.card
    t.do('count "Goblin 1" war -1', "undo", "undo")
    assert not t.encounter.combatants


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("counters", '["Fire 2 max=1"]', "line 4"),
        ("counters", '"Fire 1"', "a list of texts"),
        ("death_saves", '"3 made, 0 failed"', "is not a count of death saves"),
        ("death_saves", "2", "death_saves is a text"),
        ("conditions", '["poisoned rounds=many"]', "line 4"),
        ("conditions", "[3]", "a list of texts"),
        ("hidden_conditions", '["cursed"]', "not one of the conditions"),
        ("alias", '"a, b"', "cannot be a name"),
        ("alias", '"Brute"\ncount = 2', "2 creatures cannot share the alias Brute"),
        ("count", '"many"', "count= takes a whole number"),
        ("count", "0", "count= takes 1 to 2000, not 0"),
    ],
)
def test_a_mistake_in_what_they_bear_is_named_with_its_line(
    tmp_path: Path, key: str, value: str, said: str
) -> None:
    shelve(tmp_path, "parties", "two", f'[[combatant]]\nname = "Ana"\n\n{key} = {value}\n')
    t = table(tmp_path)
    with pytest.raises(RuleError, match=said) as refused:
        t.store.run("party two")
    assert "two.toml, line 4" in str(refused.value)
    assert not t.encounter.combatants


def test_what_ends_with_somebody_who_is_kept_still_does(tmp_path: Path) -> None:
    t = table(tmp_path)
    t.do(
        "add Ana owner=A hp=9",
        "add Bo owner=B hp=9",
        "add Orc hp=9",
        "condition Bo blessed of=Ana conc=yes",
        "condition Bo marked rounds=3 of=Orc",
        "condition Ana sick rounds=2 until=start",
        "save party two",
        "remove Ana,Bo",
        "begin",
        "roll",
        "party two",
    )
    ana, bo = (c for c in t.encounter.combatants.values() if c.owner)
    assert {x.name for x in bo.conditions} == {"blessed"}, "marked lasted as long as the orc's turns"
    assert {x.name: x.rounds for x in ana.conditions} == {"sick": 2, "concentration": 0}
    t.store.run("damage Ana 9")
    assert not t.encounter.combatants[bo.id].conditions


NAMES = st.sampled_from(["fire", "War Cry", "slots", 'the "x"'])
COUNTERS = st.builds(
    lambda name, n, more, reset: (name, n, n + more, reset),
    NAMES,
    st.integers(0, 9),
    st.integers(1, 9),
    st.sampled_from(["turn", "round", "never", "1d6>=5"]),
)
CONDITIONS = st.tuples(
    st.sampled_from(["poisoned", "on fire", "concentration"]),
    st.integers(0, 9),
    st.sampled_from(["start", "end"]),
    st.booleans(),
)


@cases(60)
@given(
    st.lists(COUNTERS, max_size=3, unique_by=lambda c: c[0].lower()),
    st.lists(CONDITIONS, max_size=3, unique_by=lambda c: c[0]),
    st.sampled_from(["", "The Old One"]),
)
def test_a_party_is_loaded_with_all_that_outlasts_a_fight(
    counters: list[tuple[str, int, int, str]], conditions: list[tuple[str, int, str, bool]], alias: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        t = table(Path(folder))
        t.store.run("add Ana owner=Ann hp=12")
        for name, n, most, reset in counters:
            quoted = name.replace('"', '\\"')
            t.store.run(f'count Ana "{quoted}" {n} max={most} reset={reset}')
        for name, rounds, until, hidden in conditions:
            t.store.run(f'condition Ana "{name}"' + (f" rounds={rounds} until={until}" if rounds else ""))
            if hidden:
                t.store.run(f'hide Ana "{name}"')
        if alias:
            t.store.run(f'alias Ana "{alias}"')
        before = borne(only(t))
        t.do("save party one", "remove Ana", "party one")
        lasting = {k: v for k, v in before[2].items() if not v[0]}
        assert borne(only(t)) == (*before[:2], lasting), "what counts turns ended with the fight"


@cases(20)
@given(
    st.permutations(["12", "15", "3", "8"]).flatmap(lambda faces: st.integers(0, 4).map(lambda n: faces[:n]))
)
def test_who_is_kept_while_dying_goes_on_with_the_death_saves_it_had(faces: list[str]) -> None:
    """Two that succeed and two that fail at most: nobody is stable or dead by them."""
    with tempfile.TemporaryDirectory() as folder:
        t = table(Path(folder))
        t.do("option zero.pc=dying", "add Ana owner=Ann hp=12", "begin", "roll Ana 20", "damage Ana 12")
        for face in faces:
            t.do("next", f"roll Ana {face}")
        before = only(t).dying
        assert before is not None
        assert before.good + before.bad == len(faces)
        t.do("finish", "save party one", "remove Ana", "party one")
        assert only(t).dying == before
        t.do("remove Ana", "option zero.pc=nothing", "party one")
        assert only(t).dying is None


@pytest.mark.parametrize("system", Registry().ids())
def test_who_is_kept_dead_is_dead_until_a_rest_that_names_them(tmp_path: Path, system: str) -> None:
    t = table(tmp_path, system)
    t.do("option zero.massive=dead", "add Ana owner=A hp=9", "add Bo owner=B hp=9", "damage Ana 18")
    said = t.store.run("save party one").lines[0].text
    assert said.endswith("2 creatures saved in parties/one.toml, Ana as dead")
    for fresh in ("", " fresh=yes"):
        t.do("remove Ana,Bo", f"party one{fresh}")
        ana, bo = t.store.encounter.combatants.values()
        assert (ana.dead, ana.out, ana.hp) == (True, True, 0)
        assert (bo.dead, bo.out, bo.hp) == (False, False, 9)
    rest = [m.text for m in t.store.run("rest long").lines]
    assert rest == ["Ana is dead and does not rest: `rest long Ana` brings it back"]
    t.store.run("rest long Ana")
    ana = t.store.encounter.combatants[ana.id]
    assert (ana.dead, ana.out, ana.hp) == (False, False, 9)
    t.do(
        "save party one hp=full over=yes",
        "damage Ana 18",
        "save party one over=yes",
        "remove Ana,Bo",
        "add Imp side=dark",
        "add Cay owner=C",
        "begin",
        "party one",
    )
    (ana,) = (c for c in t.encounter.combatants.values() if c.name == "Ana")
    assert ana.dead
    assert ana.id not in [a.who for a in t.due()]
