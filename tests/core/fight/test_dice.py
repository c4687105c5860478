from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.strategies import any_text
from tui.core.fight.dice import (
    MOST_CONSTANT,
    MOST_ROLLS,
    Constant,
    DiceError,
    DiceTerm,
    Face,
    GivenDice,
    Keep,
    KeepKind,
    Notation,
    RollResult,
    evaluate,
    parse,
)


class Cycle:
    """Dice that show numbers of a list in turn, folded onto the die, and count how often they were asked."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = itertools.cycle(numbers)
        self.asked: list[tuple[int, int]] = []

    def roll(self, sides: int) -> int:
        face = next(self.numbers) % sides + 1
        self.asked.append((sides, face))
        return face


@st.composite
def pools(draw: st.DrawFn, least_sides: int = 1) -> DiceTerm:
    count = draw(st.integers(1, 12) | st.just(100))
    sides = draw(st.sampled_from([4, 6, 8, 10, 12, 20, 100]) | st.integers(least_sides, 1000))
    kinds: list[KeepKind] = ["kh", "kl"] if count == 1 else ["kh", "kl", "dh", "dl"]
    kind = draw(st.sampled_from(kinds))
    many = draw(st.integers(1, count if kind in {"kh", "kl"} else count - 1))
    keep = draw(st.none() | st.just(Keep(kind, many)))
    return DiceTerm(count, sides, sides > 1 and draw(st.booleans()), keep, draw(st.booleans()))


constants = st.builds(Constant, st.integers(0, MOST_CONSTANT), st.booleans())
notations = st.builds(Notation, st.lists(pools() | constants, min_size=1, max_size=9).map(tuple))
numbers = st.lists(st.integers(0, 10_000), min_size=1, max_size=50)


@given(notations)
def test_words_are_read_back_as_they_were_meant(notation: Notation) -> None:
    assert parse(notation.words()) == notation
    assert parse(f"  {notation.words().upper()} ") == notation


@given(notations, numbers)
def test_every_face_asked_for_is_kept_on_record_in_order_and_on_its_die(
    notation: Notation, shown: list[int]
) -> None:
    dice = Cycle([*shown, 0])
    rolled = evaluate(notation, dice)
    assert [(face.sides, face.face) for face in rolled.faces] == dice.asked
    assert all(1 <= face.face <= face.sides for face in rolled.faces)
    assert len(rolled.faces) <= MOST_ROLLS


@given(pools().filter(lambda pool: not pool.explode), numbers)
def test_a_pool_keeps_what_its_words_say(pool: DiceTerm, shown: list[int]) -> None:
    rolled = evaluate(Notation((pool,)), Cycle(shown))
    faces = sorted(face.face for face in rolled.faces)
    kept = sorted(face.face for face in rolled.faces if face.kept)
    assert len(faces) == pool.count
    assert rolled.total == (-1 if pool.minus else 1) * sum(kept)
    match pool.keep:
        case None:
            assert kept == faces
        case Keep("kh", many):
            assert kept == faces[-many:]
        case Keep("kl", many):
            assert kept == faces[:many]
        case Keep("dh", many):
            assert kept == faces[:-many]
        case Keep("dl", many):
            assert kept == faces[many:]


@given(pools(2).filter(lambda pool: pool.keep is None), numbers)
def test_a_die_explodes_exactly_when_it_shows_its_highest_face(pool: DiceTerm, shown: list[int]) -> None:
    exploding = DiceTerm(pool.count, pool.sides, explode=True)
    rolled = evaluate(Notation((exploding,)), Cycle([*shown, 0]))
    highest = sum(face.face == pool.sides for face in rolled.faces)
    assert len(rolled.faces) == pool.count + highest
    assert rolled.faces[-1].face != pool.sides
    assert rolled.total == sum(face.face for face in rolled.faces)


@given(st.lists(pools() | constants, min_size=2, max_size=6), numbers)
def test_a_sum_is_worth_its_terms_rolled_one_after_the_other(
    terms: list[Constant | DiceTerm], shown: list[int]
) -> None:
    whole, parts = Cycle([*shown, 0]), Cycle([*shown, 0])
    total = sum(evaluate(Notation((term,)), parts).total for term in terms)
    assert evaluate(Notation(tuple(terms)), whole).total == total


@given(notations, numbers)
def test_the_same_faces_given_by_hand_make_the_same_roll(notation: Notation, shown: list[int]) -> None:
    rolled = evaluate(notation, Cycle([*shown, 0]))
    given_dice = GivenDice((*(face.face for face in rolled.faces), 7))
    assert evaluate(notation, given_dice) == rolled
    assert given_dice.left == (7,)


@given(
    st.text(st.sampled_from("0123456789dDkKhHlLaAvViIsS%!+- \t\u2212\u00b2\u0663\x1b"), max_size=420)
    | any_text()
)
def test_any_text_is_a_bounded_notation_or_one_clear_line(text: str) -> None:
    try:
        notation = parse(text)
    except DiceError as error:
        message = str(error)
        assert message.isprintable()
        assert message.startswith("dice: ")
        assert len(message) < 200
    else:
        assert 1 <= len(notation.terms) <= 20
        assert sum(term.count for term in notation.terms if isinstance(term, DiceTerm)) <= MOST_ROLLS


@pytest.mark.parametrize(
    "text",
    [
        "1" * 400,
        "9" * 399 + "d",
        "+" * 400,
        " " * 400,
        "1d6" * 133,
        "d" * 400,
        "1 " * 200,
        "2d6!" * 100,
        "9" * 5_000_000,
    ],
)
def test_evil_text_is_refused(text: str) -> None:
    with pytest.raises(DiceError):
        parse(text)


def test_dice_that_explode_for_ever_are_stopped() -> None:
    with pytest.raises(DiceError, match="more than 1000 rolls"):
        evaluate(parse("3d6!"), Cycle([5]))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("2d8+2", (DiceTerm(2, 8), Constant(2))),
        ("d20", (DiceTerm(1, 20),)),
        ("d%", (DiceTerm(1, 100),)),
        ("5", (Constant(5),)),
        ("-1", (Constant(1, minus=True),)),
        ("10 - 1d4", (Constant(10), DiceTerm(1, 4, minus=True))),
        ("10\u22121d4", (Constant(10), DiceTerm(1, 4, minus=True))),
        ("4D6KH3", (DiceTerm(4, 6, keep=Keep("kh", 3)),)),
        ("4d6k3", (DiceTerm(4, 6, keep=Keep("kh", 3)),)),
        ("2d20kl", (DiceTerm(2, 20, keep=Keep("kl", 1)),)),
        ("4d6dl1", (DiceTerm(4, 6, keep=Keep("dl", 1)),)),
        ("1d20adv+5", (DiceTerm(2, 20, keep=Keep("kh", 1)), Constant(5))),
        ("d12dis", (DiceTerm(2, 12, keep=Keep("kl", 1)),)),
        ("adv", (DiceTerm(2, 20, keep=Keep("kh", 1)),)),
        ("3d6!kh2", (DiceTerm(3, 6, explode=True, keep=Keep("kh", 2)),)),
    ],
)
def test_spellings(text: str, terms: tuple[Constant | DiceTerm, ...]) -> None:
    assert parse(text) == Notation(terms)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing is written"),
        ("2d", '"2d" at character 1 is not understood'),
        ("2d8+", '"+" at character 4'),
        ("2d8 3", '"3" at character 5'),
        ("2d8+orc", '"+orc" at character 4'),
        ("0d6", "dice in a term may be 1 to 100"),
        ("101d6", "dice in a term may be 1 to 100"),
        ("1d0", "sides may be 1 to 1000"),
        ("1d1001", "sides may be 1 to 1000"),
        ("1000001", "a number may be 0 to 1000000"),
        ("2d6kh3", "kh3 does not fit 2d6"),
        ("4d6dl4", "dl4 does not fit 4d6"),
        ("2d20adv", "write 1d20adv, or 2d20kh1"),
        ("1d1!", "explode forever"),
        ("1" + "+1" * 20, "21 terms are too many"),
        ("+".join(["100d6"] * 11), "1100 rolls are too many"),
        ("1d6" + " " * 400, "403 characters are too many"),
        ("\u0663d6", "is not understood"),
    ],
)
def test_refusals(text: str, says: str) -> None:
    with pytest.raises(DiceError) as refused:
        parse(text)
    assert says in str(refused.value)


def test_a_refusal_quotes_24_letters_at_the_most() -> None:
    with pytest.raises(DiceError) as refused:
        parse("1d" + "9" * 40)
    assert f'"1d{"9" * 22}" at character 1' in str(refused.value)


def test_the_bounds_themselves_are_allowed() -> None:
    parse("+".join(["100d1000"] * 10))
    parse("1" + "+1" * 19)
    parse("0001000000")


def test_an_exploded_face_follows_its_die_and_is_dropped_with_it() -> None:
    rolled = evaluate(parse("2d6!kl1"), GivenDice((6, 2, 5)))
    assert rolled == RollResult(5, (Face(6, 6, kept=False), Face(6, 2, kept=False), Face(6, 5, kept=True)))


def test_of_equal_dice_the_earlier_counts() -> None:
    assert [face.kept for face in evaluate(parse("3d6kh1"), GivenDice((4, 4, 4))).faces] == [
        True,
        False,
        False,
    ]
    assert [face.kept for face in evaluate(parse("3d6dl1"), GivenDice((4, 4, 4))).faces] == [
        True,
        True,
        False,
    ]


def test_given_faces_are_refused_when_too_few_or_not_on_the_die_and_stay_in_hand() -> None:
    dice = GivenDice((5, 9))
    assert dice.roll(6) == 5
    with pytest.raises(DiceError, match="9 is not on a d6: its faces are 1 to 6"):
        dice.roll(6)
    assert dice.left == (9,)
    with pytest.raises(DiceError, match="no face is left for a d20"):
        GivenDice(()).roll(20)


@given(st.integers(-5, 25), st.integers(1, 20))
def test_a_given_face_is_on_the_die_or_refused(face: int, sides: int) -> None:
    dice = GivenDice((face,))
    if 1 <= face <= sides:
        assert (dice.roll(sides), dice.left) == (face, ())
    else:
        with pytest.raises(DiceError):
            dice.roll(sides)
