"""Files of creatures and conditions, entry by entry: bounds, lines, words of refusals, what is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tui.core.base.errors import RuleError
from tui.core.base.text import PAGE_LIMIT, TEXT_LIMIT
from tui.core.fight.combatant import StatBlock
from tui.store.library import creatures
from tui.store.library.creatures import conditions, pieces, read, slices, text_of
from tui.store.problems import BadFile


def one(text: str) -> StatBlock:
    """The creature of these lines, of a game in which every field is known."""
    return read(f"[[creature]]\n{text}".encode(), "x.toml", 5, lambda _key, _text: None)


def wrong(text: str) -> tuple[int, str, str]:
    """The line, from that of the table, the words and the hint of a refusal."""
    with pytest.raises(BadFile) as refused:
        one(text)
    assert refused.value.path == "x.toml"
    return refused.value.line - 5, refused.value.message, refused.value.hint


NAMED = 'name = "Goblin"\n'
EXAMPLE = '[[creature]], name = "Goblin"'


# --- cutting


def test_a_file_is_cut_at_its_tables_with_their_lines_and_visible_names() -> None:
    data = (
        b"\xef\xbb\xbf# mine\n\n"
        b"[[creature]]\nname = 'A\\b'\n\n"
        b'[[ creature\t]]\n# x\nhp = 3\nname\t= "B \\"b\\""\n'
        b"[[creature]]\nhp = 1\n  name = 'hidden'\n"
        b'[[creature]]\nname = "\\q"\n'
    )
    found = list(slices(data, "x.toml"))
    assert [(s.line, s.name) for s in found] == [(3, "A\\b"), (6, 'B "b"'), (10, ""), (13, "")]
    assert b"".join(data[s.start : s.end] for s in found) == data[data.index(b"[[") :]
    assert all(data[s.start :].startswith(b"[[") for s in found)
    assert list(slices(b"", "x.toml")) == list(slices(b"# only words\n \n", "x.toml")) == []


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"x = 1", 1),
        (b"# mine\n\n\tx = 1\n[[creature]]\n", 3),
        (b"\xef\xbb\xbfx = 1\n", 1),
        (b" [[creature]]", 1),
    ],
)
def test_anything_else_before_the_first_table_is_refused_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(BadFile) as refused:
        list(slices(data, "x.toml"))
    assert (refused.value.line, refused.value.message, refused.value.hint) == (
        line,
        "only [[creature]] tables stand in this file",
        EXAMPLE,
    )


@pytest.mark.parametrize(
    "text",
    ["creature = 3\n", "[[creature]]\nname = 'A'\n[[creature]]\nname = 'B'\n", "[[creature]]\n[x]\n", ""],
)
def test_what_is_not_one_table_is_no_creature(text: str) -> None:
    with pytest.raises(BadFile) as refused:
        read(text.encode(), "x.toml", 5, lambda *_: None)
    assert (refused.value.line, refused.value.message, refused.value.hint) == (
        5,
        "this is not a [[creature]] table",
        EXAMPLE,
    )


# --- one creature


def test_a_creature_has_what_its_table_says_and_nothing_else() -> None:
    assert one(NAMED) == StatBlock("Goblin")
    assert one(NAMED + 'hp_dice = ""\ncounters = []\nsource = ""\ncard = ""\n') == StatBlock("Goblin")
    full = one(
        NAMED + "hp = 7\nhp_dice = '2D6'\nac = 15\ninitiative = -2\nsource = 'S'\ncard = 'C'\nper = 9\n"
    )
    assert full == StatBlock("Goblin", "S", 7, "2d6", 15, -2, {"per": 9}, (), "C")


@pytest.mark.parametrize(
    ("key", "least", "most"), [("hp", 0, 99_999), ("ac", -999, 999), ("initiative", -999, 999)]
)
def test_numbers_have_their_bounds(key: str, least: int, most: int) -> None:
    for number in (least, most):
        assert getattr(one(f"{NAMED}{key} = {number}\n"), key) == number
    for value in (f"{least - 1}", f"{most + 1}", "true", "'7'", "7.0"):
        assert wrong(f"{NAMED}{key} = {value}\n") == (2, f"{key} takes a whole number, {least} to {most}", "")


@pytest.mark.parametrize(("key", "most"), [("source", 200), ("card", PAGE_LIMIT)])
def test_texts_have_their_bounds(key: str, most: int) -> None:
    assert getattr(one(f"{NAMED}{key} = '{'x' * most}'\n"), key) == "x" * most
    for more in (1, 2 * most):
        said = f"{key} has {most + more} characters"
        assert wrong(f"{NAMED}{key} = '{'x' * (most + more)}'\n") == (2, said, f"{most} at the most")
    assert wrong(f"{NAMED}{key} = 3\n") == (2, f"{key} is a text", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hp = 3\n", (0, "a name is missing", 'name = "Goblin"')),
        ("name = ''\n", (1, "a name is missing", 'name = "Goblin"')),
        ("name = 3\n", (1, "a name is missing", 'name = "Goblin"')),
        (NAMED + "hp_dice = 6\n", (2, "hp_dice is a text", 'hp_dice = "2d6"')),
        (NAMED + "per = 1.5\n", (2, "per is neither text nor a whole number", "")),
        (NAMED + "per = {}\n", (2, "per is neither text nor a whole number", "")),
    ],
)
def test_each_mistake_has_its_line_its_words_and_what_would_work(
    text: str, expected: tuple[int, str, str]
) -> None:
    assert wrong(text) == expected


def test_dice_and_names_are_refused_in_the_words_of_the_game() -> None:
    line, message, hint = wrong(NAMED + "hp_dice = '2x6'\n")
    assert (line, message[:9], hint) == (2, "hp_dice: ", 'hp_dice = "2d6"')
    line, message, hint = wrong("hp = 3\nname = 'a,b'\n")
    assert (line, "cannot be a name" in message) == (2, True)


def test_counters_are_texts_and_no_more_than_a_creature_may_have() -> None:
    example = 'counters = ["Fire 1 reset=1d6>=5"]'
    texts = [f"C{n} 1" for n in range(20)]
    assert one(f"{NAMED}counters = {texts}\n").counters == tuple(texts)
    for value in ([*texts, "D 1"], "3", [3], ["A 1", 3]):
        assert wrong(f"{NAMED}counters = {value}\n") == (2, "counters is a list of texts", example)
    line, message, _ = wrong(f"{NAMED}\ncounters = ['A 2 max=1']\n")
    assert (line, bool(message)) == (3, True)


def test_other_keys_are_asked_of_the_systems_in_words_and_kept_as_they_are() -> None:
    asked = list[tuple[str, str]]()
    data = b"[[creature]]\nname = 'A'\nflies = true\nper = 9\nsaves = [1, 2]\nsize = 'Big'\n"
    block = read(data, "x.toml", 1, lambda key, text: asked.append((key, text)))
    assert asked == [("flies", "true"), ("per", "9"), ("saves", "1,2"), ("size", "Big")]
    assert block.fields == {"flies": True, "per": 9, "saves": [1, 2], "size": "Big"}

    def refuse(key: str, _text: str) -> None:
        if key == "per":
            raise RuleError("no per", "none")

    with pytest.raises(BadFile) as refused:
        read(data, "x.toml", 1, refuse)
    assert (refused.value.line, refused.value.message, refused.value.hint) == (4, "no per", "none")


# --- writing


def test_a_creature_is_written_in_one_order_without_what_it_has_not() -> None:
    assert text_of(StatBlock("Goblin")) == '[[creature]]\nname = "Goblin"\n\n'
    full = StatBlock("Goblin", "S", 0, "2d6", 15, 0, {"per": 9}, ("A 1",), "one\ntwo")
    assert text_of(full) == (
        '[[creature]]\nname = "Goblin"\nsource = "S"\nhp = 0\nhp_dice = "2d6"\nac = 15\n'
        'initiative = 0\nper = 9\ncounters = [\n    "A 1",\n]\ncard = """\none\ntwo"""\n\n'
    )
    head = text_of(StatBlock("G", card="a\n[[b"))
    assert head == '[[creature]]\nname = "G"\ncard = "a\\n[[b"\n\n'
    assert 'card = """\n' in text_of(StatBlock("G", card="a\nb [["))
    assert one(text_of(StatBlock("x" * 70)).partition("\n")[2]).name == "x" * 64


def test_files_hold_as_many_creatures_as_fit_and_never_none() -> None:
    blocks = [StatBlock(name) for name in ("A", "B", "C", "D", "E")]
    size = len(text_of(blocks[0]))
    sizes = [
        [text.count("[[") for text in pieces(blocks, most)] for most in (1, 2 * size - 1, 2 * size, 3 * size)
    ]
    assert sizes == [[1] * 5, [1] * 5, [2, 2, 1], [3, 2]]
    assert "".join(pieces(blocks, 2 * size)) == "".join(map(text_of, blocks))
    assert list(pieces([], 9)) == []


# --- conditions


def told(folder: Path, text: str) -> list[str]:
    """What is wrong with a file of conditions."""
    (folder / "conditions").mkdir(exist_ok=True)
    (folder / "conditions" / "own.toml").write_text(text, encoding="utf-8")
    found = list[BadFile]()
    conditions(str(folder), found.append)
    return [f"{x.line}: {x.message} ({x.hint})" for x in found]


HEXED = '[[condition]]\nname = "hexed"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEXED, []),
        (HEXED + 'rounds = 3\nuntil = "end"\ntext = "x"\n', []),
        (HEXED + 'rounds = "1d4"\nuntil = "start"\n', []),
        ("[[condition]]\n", ['1: a name is missing (name = "hexed")']),
        ("[[condition]]\nname = 3\n", ['2: a name is missing (name = "hexed")']),
        ("condition = [3]\n", ['1: a name is missing (name = "hexed")']),
        (
            HEXED + "tint = 3\nsize = 1\n",
            [
                (
                    "4: a condition has no size (there are: name, text, rounds, until, conc, save, dc, "
                    "at, damage, type, heal, note)"
                )
            ],
        ),
        (HEXED + 'until = "noon"\n', ['3: condition: until= takes start or end, not "noon" ()']),
        (HEXED + "text = 3\n", [f"3: text is a text of at most {TEXT_LIMIT} characters ()"]),
        (HEXED + f'text = "{"x" * TEXT_LIMIT}"\n', []),
        (
            HEXED + f'text = "{"x" * (TEXT_LIMIT + 1)}"\n',
            [f"3: text is a text of at most {TEXT_LIMIT} characters ()"],
        ),
        (
            "condition = 3\n",
            ['1: only [[condition]] tables stand in this file ([[condition]], name = "hexed")'],
        ),
        (
            HEXED + "[x]\n",
            ['3: only [[condition]] tables stand in this file ([[condition]], name = "hexed")'],
        ),
        ("", ['0: only [[condition]] tables stand in this file ([[condition]], name = "hexed")']),
    ],
)
def test_a_condition_is_read_strictly(tmp_path: Path, text: str, says: list[str]) -> None:
    assert told(tmp_path, text) == says


def test_a_duration_or_a_name_that_cannot_be_is_refused_at_its_line(tmp_path: Path) -> None:
    assert [x[:3] for x in told(tmp_path, HEXED + '\nrounds = "many"\n')] == ["4: "]
    assert [x[:3] for x in told(tmp_path, '[[condition]]\ntext = "x"\nname = "a,b"\n')] == ["3: "]


def test_the_tables_own_condition_wins_and_has_all_that_it_says(tmp_path: Path) -> None:
    assert told(tmp_path, '[[condition]]\nname = "Prone"\nrounds = 2\nuntil = "end"\ntext = "mine"\n') == []
    prone = conditions(str(tmp_path))["prone"]
    assert (prone.name, prone.text, prone.rounds, prone.until) == ("Prone", "mine", "2", "end")
    blinded = conditions(str(tmp_path))["blinded"]
    assert (blinded.rounds, blinded.until) == ("", "")
    assert blinded.text.startswith("Cannot see")
    assert creatures.conditions("/nowhere").keys() == conditions(str(tmp_path)).keys()
