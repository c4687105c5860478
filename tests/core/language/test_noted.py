"""Notes of a game master: a list of any style is read as `add` lines, and a word too many is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.core.base.errors import RuleError
from tui.core.language.creature_actions import Add
from tui.core.language.grammar import parse
from tui.core.language.noted import spell_note, untab

NAMES = st.from_regex(r"[A-Z][a-z]{1,6}( [A-Z][a-z]{1,6}){0,2}( \([A-Z][a-z]{2,6} [0-9]\))?", fullmatch=True)
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
