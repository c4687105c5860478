"""The grammar: every action reads as the line it writes, and any text is an action or one clear refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import AWKWARD, ENCODABLE, SHAPES, actions, any_text, of_shape
from tests.kit.tiers import cases
from tui.core.base.errors import RuleError
from tui.core.base.text import clean
from tui.core.language.actions import Action
from tui.core.language.creature_actions import Add, Request
from tui.core.language.grammar import parse, summary, usage, verbs, write_line
from tui.core.language.noted import spell_note, untab
from tui.core.language.syntax import KeyValue

OWN = {"meet"}


@given(actions)
def test_an_action_reads_as_the_line_it_writes(action: Action) -> None:
    assert parse(write_line(action), OWN) == action


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@cases(40)
@given(data=st.data())
def test_every_kind_of_action_reads_as_the_line_it_writes(shape: type[Request], data: st.DataObject) -> None:
    action = data.draw(of_shape(shape))
    assert parse(shape.syntax.write(action)) == action


@given(any_text(max_size=200))
def test_any_text_is_an_action_or_one_clear_line(text: str) -> None:
    line = clean(text)
    try:
        action = parse(line, OWN)
    except RuleError as error:
        told = str(error)
    else:
        assert parse(write_line(action), OWN) == action
        return
    assert told
    assert told.isprintable()


@given(
    st.sampled_from([v for v in verbs() if v not in ("note", "react")]),
    st.lists(
        st.sampled_from(
            ["", "*", "Ana", "²", "٣", "5", "hp=1d6", "x=", '""', "none", "+3", "ac13", "before"]
        ),
        max_size=5,
    ),
)
def test_any_words_behind_a_verb_are_an_action_or_one_clear_line(verb: str, tail: list[str]) -> None:
    try:
        action = parse(" ".join([verb, *tail]))
    except RuleError as error:
        told = str(error)
    else:
        told = write_line(action)
        assert parse(told) == action
    assert told.isprintable()


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_says_how_it_is_written_and_what_it_does(verb: str) -> None:
    assert usage(verb).split()[0] == verb
    assert summary(verb)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("frobnicate", "unknown word"),
        ("damge Orc 3", "did you mean damage?"),
        ('damage "Orc 1', "never closed"),
        ("damage Orc", "N is missing"),
        ("damage Orc 3 4", "one word too many"),
        ("damage Orc 1 5", 'takes quotes, "Orc 1"'),
        ("roll Orc ٣", "whole number"),
        ("roll Orc ²", "whole number"),
        ("undo 99999999999999999999", "whole number"),
        ("next now", "whole number"),
        ("next 0", "1 to"),
        ("lock missing=all", "empty"),
        ("order Bo weapon=1 weapon=2", "appears twice"),
        ("goto -1", "0 to"),
        ("undo 0", "1 to"),
        ("move A beside B", "before or after"),
        ("condition A B until=noon", "start or end"),
        ("condition A B rund=3", "has no key rund="),
        ("pick", "a name is missing"),
        ("", "line is empty"),
        ("add 5", "NAME is missing"),
        ("add Ana 18 20", "18 and 20 are both hit points"),
        ("add Ana 18 hp=20", "hp= appears twice"),
        ("add Ana ac13 ac14", "ac= appears twice"),
        ("add Ana +3 -1", "two modifiers"),
        ('add Ana "18"', "one word too many"),
        ("dice", "EXPRESSION is missing"),
        ("dice 2d6 open=perhaps", "yes or no"),
    ],
)
def test_wrong_words_are_refused_in_one_line(line: str, says: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse(line)
    assert says in str(refused.value)


@pytest.mark.parametrize("line", ['out ""', 'turn ""', 'roll ""', 'damage "" 5', 'set "" hp=3', 'add ""'])
def test_an_empty_word_is_a_missing_one(line: str) -> None:
    with pytest.raises(RuleError, match="is missing"):
        parse(line)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("add Ana +3 18", Add("Ana", mod="+3", keys={"hp": "18"})),
        ("add 6 Orc +1 15 ac13", Add("Orc", "6", "+1", {"hp": "15", "ac": "13"})),
        ("add Orc AC13 2d8+2 -1", Add("Orc", mod="-1", keys={"ac": "13", "hp": "2d8+2"})),
        ("add 2d4 Orc ac=1d4 7", Add("Orc", "2d4", keys={"ac": "1d4", "hp": "7"})),
        ('add "5" 7', Add("5", keys={"hp": "7"}, bare=True)),
    ],
)
def test_modifier_hit_points_and_armour_stand_behind_a_new_name_in_any_order(short: str, long: Add) -> None:
    action = parse(short)
    assert action == long
    assert isinstance(action, Add)
    assert list(action.keys.items()) == list(long.keys.items()), "dice are rolled from left to right"


def test_choices_may_be_shortened() -> None:
    assert parse("move A b B") == parse("move A before B")
    assert parse("condition A x until=s") == parse("condition A x until=start")


def test_a_verb_of_another_system_says_whose_it_is() -> None:
    with pytest.raises(RuleError) as refused:
        parse("fire Bo", (), lambda verb: ("chaos", "") if verb == "fire" else ("", ""))
    assert str(refused.value) == "fire belongs to chaos; `system chaos` changes the system"
    with pytest.raises(RuleError) as refused:
        parse("kill Bo", (), lambda _: ("dungeon-track", "out WHO"))
    assert str(refused.value) == "kill belongs to dungeon-track; here it is `out WHO`"


def test_a_word_that_is_no_verb_has_no_usage() -> None:
    assert (usage("nonsense"), summary("nonsense")) == ("", "")


@pytest.mark.parametrize("name", AWKWARD)
def test_an_awkward_name_is_read_as_it_was_meant(name: str) -> None:
    assert parse(write_line(Add(name))) == Add(name)


def test_a_key_without_a_value_is_not_written() -> None:
    assert KeyValue("of").write("") == []
    assert KeyValue("of").write("Ana Maria") == ['of="Ana Maria"']


def test_a_key_without_its_sign_is_written_as_it_should_be() -> None:
    for line, hint in [
        ("option dis.group off", "`option dis.group=off`"),
        ('set "Orc 1" hp 3', '`set "Orc 1" hp=3`'),
        ('set Orc note "a b"', '`set Orc note="a b"`'),
    ]:
        with pytest.raises(RuleError) as error:
            parse(line)
        assert error.value.hint == hint
        parse(hint.strip("`"))


def test_a_word_that_begins_with_a_quote_is_named_as_it_was_typed() -> None:
    with pytest.raises(RuleError, match=r'^unknown word "orc'):
        parse('"Orc 1,Orc 2" Held')


NAMES = st.from_regex(
    r"[A-Z][a-z]{1,6}( [A-Z][a-z]{1,6}){0,2}( \([A-Z][a-z]{2,6} [0-9]\))?", alphabet=ENCODABLE, fullmatch=True
)
STYLES = {
    "hp": ("hp {}", "HP: {}", "{} hp", "HP{}", "hp={}", "Hit Points {}", "{}hp", "hp:{}"),
    "ac": ("AC {}", "ac{}", "AC: {}", "{} AC", "ac={}", "Armor Class: {}", "Armour Class {}"),
    "mod": ("init {:+}", "Init: {:+}", "{:+}", "Initiative {:+}", "{:+} init", "init{:+}"),
    "per": ("Perception {}", "per={}", "Perception: {}", "perception {:+}"),
}


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, Add]:
    """A note in the style of somebody, and what it means."""
    values = {key: draw(st.integers(1, 99)) for key in draw(st.permutations(list(STYLES)))}
    parts = [draw(st.sampled_from(STYLES[key])).format(n) for key, n in values.items()]
    name, count = draw(NAMES), draw(st.sampled_from(["", "3 ", "3x ", "3 x "]))
    bullet = draw(st.sampled_from(["", "- ", "* ", "1. ", "\u2022 "]))
    after, between = draw(
        st.sampled_from([(", ", ", "), ("; ", "; "), (" | ", " | "), ("\t", "\t"), (": ", ", "), (",", ",")])
    )
    note = untab(f"{bullet}{count}{name}{after}{between.join(parts)}")
    keys = {key: f"{n:+}" if key == "per" and f"{n:+}" in parts[-1] else str(n) for key, n in values.items()}
    del keys["mod"]
    return note, Add(name, count[:1], f"{values['mod']:+}", keys)


@given(notes())
def test_a_note_of_any_style_is_an_add_line(told: tuple[str, Add]) -> None:
    note, wanted = told
    got = parse(f"add {note}")
    assert isinstance(got, Add)
    assert (got.name, got.count, got.mod) == (wanted.name, wanted.count, wanted.mod)
    assert {k: int(v) for k, v in got.keys.items()} == {k: int(v) for k, v in wanted.keys.items()}


@given(notes(), st.sampled_from(["fighter", "(chain mail)", "ft."]), st.integers(0, 4))
def test_a_word_that_a_note_does_not_use_is_refused_by_name(
    told: tuple[str, Add], word: str, place: int
) -> None:
    name, *parts = told[0].replace(", ", ",").split(",")
    parts.insert(place, word)
    with pytest.raises(RuleError) as refused:
        parse(f"add {', '.join([name, *parts])}")
    assert word in refused.value.message


@given(st.text(alphabet='ab3,;|: +-()x="hpcAC1', max_size=30))
def test_anything_is_read_or_refused_and_what_is_read_is_read_the_same_again(text: str) -> None:
    try:
        once = spell_note(text)
    except RuleError:
        return
    assert spell_note(once) == once or Add.syntax.read(spell_note(once)) == Add.syntax.read(once)


@pytest.mark.parametrize(
    "line",
    [
        "HP 24",
        "HP Lovecraft",
        "3 Health 10",
        "Mod +1",
        "R2:D2 10",
        "Orc resist=cold,fire 15",
        "Bram the Bold +1",
    ],
)
def test_a_line_without_labels_and_separators_is_what_it_was(line: str) -> None:
    assert spell_note(line) in (line, f"{line[:9]} {line[9:].strip()}")


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("Bram, the Bold, hp 24", '"Bram the Bold" hp=24'),
        ("Goblin 1, hp 7, ac 15", '"Goblin 1" hp=7 ac=15'),
        ("HP Lovecraft, hp 12", '"HP Lovecraft" hp=12'),
        ("Bram 24 hp 14 AC +1 init", "Bram hp=24 ac=14 +1"),
        ("Bram 24 AC 14", "Bram 24 ac=14"),
        ("Bram, owner Mia, hp 16/24", "Bram owner=Mia 16/24"),
        ("Goblin x3 hp 7", "3 Goblin hp=7"),
        ("Orc (hp 15, AC 13)", "Orc hp=15 ac=13"),
        ("Bram \u2013 hp 24 \u2013 init \u22121", "Bram hp=24 -1"),
        ("| Bram | 24 hp | AC 14 |", "Bram hp=24 ac=14"),
        ("Bram, note: walks with a stick, hp 3", 'Bram note="walks with a stick" hp=3'),
        ('"Bog Lurker", hp=22, hidden', '"Bog Lurker" hp=22 hidden'),
    ],
)
def test_notes_that_could_mean_two_things(note: str, line: str) -> None:
    assert spell_note(note) == line
