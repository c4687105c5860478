"""Odds worked out by hand: twelve states of each system, each with its arithmetic beside it."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from tui.core.fight.encounter import Encounter
from tui.core.views.odds import after_line, odds
from tui.systems import Registry

REGISTRY = Registry()
F = Fraction
A, B = "add Ana side=heroes kind=pc", "add Orc side=dark"
Case = tuple[str, str, str, F]
"""Lines, the line that is tried, the row, and the chance that it acts before every foe."""

CLASSIC: list[Case] = [
    # Alike: one half, whatever ties do.
    (f"{A}; {B}", "", "Ana", F(1, 2)),
    # +1: of 400 pairs Ana is above in 190 + 19 + ... = pairs a + 1 > b: sum of min(a, 20) = 210; level in 19,
    # half of them.
    (f"{A} mod=1; {B}", "", "Ana", F(210, 400) + F(19, 800)),
    # +20: level only with 1 + 20 against 20: never; above always.
    (f"{A} mod=20; {B}", "", "Ana", F(1)),
    # +19: 1 + 19 against 20 is level, one of 400, and half of that is lost.
    (f"{A} mod=19; {B}", "", "Ana", 1 - F(1, 800)),
    # A fixed 10: Orc loses with 1 to 9; with 10 it has thrown for it, and goes first.
    (f"{A} value=10; {B}", "", "Ana", F(9, 20)),
    # Orc has 10: Ana wins with 11 to 20, and half of the ties.
    (f"{A}; {B}; begin; roll Orc 10", "", "Ana", F(10, 20) + F(1, 40)),
    # Level at 10, and Orc threw 15 in the roll-off: 16 to 20, and half of a 15.
    (f"{A}; {B}; begin; roll Orc 10; roll Ana 10; roll Orc 15", "", "Ana", F(5, 20) + F(1, 40)),
    # By the house rule the higher modifier wins ties: 11 or more with +1 against 12 of +0 means a face of 11
    # or more.
    (f"option classic.tie=mod; {A} mod=1; {B}; begin; roll Orc 12", "", "Ana", F(10, 20)),
    # Advantage against a 20: one of two dice is a 20 in 39 of 400, then half.
    (f"{A} adv=adv; {B}; begin; roll Orc 20", "", "Ana", F(39, 800)),
    # Disadvantage against a 1: both dice above 1 in 361 of 400; else level, and half.
    (f"{A} adv=dis; {B}; begin; roll Orc 1", "", "Ana", F(361, 400) + F(39, 800)),
    # Two foes alike: one of three.
    (f"{A}; {B}; add Imp side=dark", "", "Ana", F(1, 3)),
    # Orc's turn runs: Ana acts, but behind it.
    (f"{A}; {B}; begin; roll Orc 20; roll Ana 2; next", "", "Ana", F(0)),
]

CHAOS: list[Case] = [
    (f"{A}; {B}", "", "Ana", F(1, 2)),
    (f"{A} bonus=1; {B}", "", "Ana", F(210, 400) + F(19, 800)),
    (f"{A} bonus=19; {B}", "", "Ana", 1 - F(1, 800)),
    # Equals act together and are counted in the order of the roster: Ana also has the 20 ties of 400.
    (f"option cha.tie=simultaneous; {A}; {B}", "", "Ana", F(190 + 20, 400)),
    (f"option cha.tie=simultaneous; {A}; {B}", "", "Orc", F(190, 400)),
    # The bonus first: all 19 ties are Ana's.
    (f"option cha.tie=bonus; {A} bonus=1; {B}", "", "Ana", F(210 + 19, 400)),
    (f"{A}; {B}; begin; lock missing=empty; roll Orc 10", "", "Ana", F(10, 20) + F(1, 40)),
    (
        f"{A}; {B}; begin; lock missing=empty; roll Orc 7; roll Ana 7; roll Ana 7",
        "",
        "Orc",
        F(13, 20) + F(1, 40),
    ),
    (f"{A} value=10; {B}", "", "Ana", F(9, 20)),
    # Ten creatures of whom four gain: less than half, so that nothing counts.
    (f"{A} bonus=5 formation=10 affected=4; {B}", "", "Ana", F(1, 2)),
    (f"{A}; {B}; add Imp side=dark", "", "Ana", F(1, 3)),
    # Orc is out before the orders: nobody stands against Ana.
    (f"{A}; {B}", "out Orc", "Ana", F(1)),
]

DYNAMIC: list[Case] = [
    # Low first: d4 against d4, half.
    (f"{A}; add Orc side=dark die=1d4; begin", "order Ana move=yes", "Ana", F(1, 2)),
    # d4 against d8: pairs a < b: 7 + 6 + 5 + 4 = 22 of 32, level in 4 of 32, half.
    (f"{A}; add Orc side=dark size=medium; begin", "order Ana move=yes", "Ana", F(22, 32) + F(4, 64)),
    # d6 against d8: a < b: 7 + 6 + 5 + 4 + 3 + 2 = 27 of 48, level in 6.
    (f"{A}; add Orc side=dark size=medium; begin", "order Ana action=1", "Ana", F(27, 48) + F(6, 96)),
    # Nothing declared is 0, below all dice.
    (f"{A}; add Orc side=dark size=tiny; begin", "lock missing=empty", "Ana", F(1)),
    # A cantrip is d8 + 0.
    (f"{A}; add Orc side=dark size=medium; begin", "order Ana spell=0", "Ana", F(1, 2)),
    # d8 + 8 is at least 9.
    (f"{A}; add Orc side=dark size=medium; begin", "order Ana spell=8", "Ana", F(0)),
    # Surprised: d4 + 10 against d8.
    (f"{A}; add Orc side=dark size=tiny; begin; surprised Orc", "order Ana spell=0", "Ana", F(1)),
    # Five of a type: d4 + 4 capped at 4, always 4; d4 is below in 3 of 4, level in 1.
    (f"{A}; add 5 Orc side=dark size=tiny group=Orcs; begin", "order Ana move=yes", "Ana", F(3, 4) + F(1, 8)),
    # One size smaller: d3 against a fixed place of 2, which rolled equals go before.
    (f"{A} bonus=1; add Orc side=dark value=2; begin", "order Ana move=yes", "Ana", F(2, 3)),
    # The lower of two d4 against 1: level in 7 of 16, half.
    (f"{A} adv=adv; add Orc side=dark die=1d4; begin; order Ana move=yes; roll Orc 1", "", "Ana", F(7, 32)),
    # Level at 2 by the house rule of players first: 1 or 2 of four.
    (f"option dis.tie=players_first; {A}; add Orc side=dark die=1d4; begin; order Ana move=yes; roll Orc 2",
        "", "Ana", F(2, 4)),
    # 2d4 against 3: (1, 1) of 16 is below, 3 in 2 of 16, half.
    (f"{A}; add Orc side=dark die=1d4; begin; order Ana weapon=2d4; roll Orc 3", "", "Ana", F(1, 16) + F(2,
        32)),
]  # fmt: skip

UNBOUND: list[Case] = [
    ("add Ana side=red; add Orc side=blue", "", "Ana", F(1, 2)),
    # One of the two of red goes first, if red does.
    ("add Ana side=red; add Bo side=red; add Orc side=blue", "", "Bo", F(1, 4)),
    ("add Ana side=red; add Bo side=red; add Orc side=blue", "", "Orc", F(1, 2)),
    ("add Ana side=red; add Orc side=blue; add Elf side=green", "", "Ana", F(1, 3)),
    # 9 to 12 of twelve, and half of an 8.
    ("add Ana side=red; add Orc side=blue; begin; roll blue 8", "", "Ana", F(4, 12) + F(1, 24)),
    # Level, and blue threw 11: a 12, and half of an 11.
    ("add Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 8; roll blue 11", "", "Ana", F(1,
        12) + F(1, 24)),
    # Both still owe the roll-off.
    ("add Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 8", "", "Ana", F(1, 2)),
    ("add Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 9", "", "Ana", F(1)),
    # Ana acts: Bo comes behind Orc.
    ("add Ana side=red; add Bo side=red; add Orc side=blue; begin; roll blue 8; roll red 9; turn Ana", "",
        "Bo", F(0)),
    # Red chooses one of three.
    ("add 3 Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 9", "", "Ana 2", F(1, 3)),
    # Orc has had its turn; both of red are left, and nobody else.
    ("add 2 Ana side=red; add Orc side=blue; begin; roll blue 9; roll red 8; next; end", "", "Ana 1", F(1)),
    # Green comes late with blue at 8 and red at 6: 7 is between them, so that 9 to 12 and half of an 8 are
    # first.
    ("add Ana side=red; add Orc side=blue; begin; roll blue 8; roll red 6; add Elf side=green", "", "Elf",
        F(4, 12) + F(1, 24)),
]  # fmt: skip

HERO, FOE = f"{A} per=0 int=3", f"{B} per=0 int=2 distance=3"
MET = f"{HERO}; {FOE}; begin; meet Ana"
# Alike but for Intelligence: of 1,296 throws 2d6 are level in 146; Ana wins ties, 575 others, and loses a
# lone double 1.
# Her double 1 (35 of 1,296 without both) loses anyway: 2 is below all but 2. The foe's double 1 loses as
# well.
LEVEL = F(575 + 146, 1296)
OPPOSED: list[Case] = [
    (MET, "", "Ana", LEVEL),
    (f"{HERO}; {B} per=0 int=4 distance=3; begin; meet Ana", "", "Ana", F(575, 1296)),
    # Both alike: ties are thrown again.
    (f"{HERO}; {B} per=0 int=3 distance=3; begin; meet Ana", "", "Ana", F(1, 2)),
    # +10: only a lone double 1 loses: 35 of 1,296.
    (f"{A} per=10 int=3; {FOE}; begin; meet Ana", "", "Ana", 1 - F(35, 1296)),
    # Without that rule 12 against 12 is level, and Intelligence wins it.
    (f"option dun.double_one_loses=false; {A} per=10 int=3; {FOE}; begin; meet Ana", "", "Ana", F(1)),
    # 7 has fallen: the foe has 8 or more in 15 of 36.
    (f"{MET}; roll Ana 3 4", "", "Ana", 1 - F(15, 36)),
    # Her double 1 loses but against his, where Intelligence decides.
    (f"{MET}; roll Ana 1 1", "", "Ana", F(1, 36)),
    # 12 has fallen for the foe: she needs 12.
    (f"{MET}; roll Orc 6 6", "", "Ana", F(1, 36)),
    # His double 1: all is hers.
    (f"{MET}; roll Orc 1 1", "", "Ana", F(1)),
    # Decided: she goes first.
    (f"{MET}; roll Ana 6 5; roll Orc 1 2; pick none", "", "Ana", F(1)),
]
BY_SIDES: list[Case] = [
    *OPPOSED,
    # The Imp wins with a higher total and with its Intelligence, and acts at once.
    (f"{MET}; roll Ana 6 5; roll Orc 1 2; add Imp side=dark per=0 int=4 distance=2", "place Imp", "Imp",
        1 - F(575, 1296)),
    # It loses, and she acts first: 575 wins of 1,296.
    (f"{MET}; roll Ana 6 5; roll Orc 1 2; add Imp side=dark per=0 int=4 distance=2", "place Imp", "Ana",
        F(575, 1296)),
]  # fmt: skip
BY_TRACK: list[Case] = [
    *OPPOSED[:3],
    # Her lone double 1 loses, but her 12 stands before all of his: level with his 12 she has the better mind.
    (f"{A} per=10 int=3; {FOE}; begin; meet Ana", "", "Ana", F(1)),
    *OPPOSED[4:9],
    # Bo rolls for himself, but all heroes are first where Ana wins (TRK-9).
    (f"{MET}; roll Ana 6 5; add Bo side=heroes kind=pc per=0 int=1; roll Orc 1 2", "", "Bo", F(1)),
    # The creatures won with 12 to 11, and Bo's Intelligence loses the tie: nobody is above 12, so he is never
    # first.
    ((f"{HERO}; {FOE}; add Bo side=heroes kind=pc per=0 int=1; begin; meet Ana door=broken; roll Ana 6 5; "
        "roll Orc 6 6"), "", "Bo", F(0)),
    # With 9 for the creatures, 8 for Ana: Bo is before the foe with 10 or more, 6 of 36; with 9 his 1 loses
    # to 2.
    ((f"{HERO}; {FOE}; add Bo side=heroes kind=pc per=0 int=1; begin; meet Ana door=broken; roll Ana 3 5; "
        "roll Orc 4 5"), "", "Bo", F(6, 36)),
]  # fmt: skip

CASES = {
    "classic": CLASSIC,
    "chaos": CHAOS,
    "dynamic": DYNAMIC,
    "unbound": UNBOUND,
    "dungeon-universalis": BY_SIDES,
    "dungeon-track": BY_TRACK,
}
ALL = [(system, *case) for system, cases in CASES.items() for case in cases]


@pytest.mark.parametrize(("system", "lines", "line", "who", "chance"), ALL)
def test_odds_are_those_worked_out_by_hand(system: str, lines: str, line: str, who: str, chance: F) -> None:
    e, random = Encounter(system=system), Random(1).random
    for one in lines.split("; "):
        if not (one.startswith("pick") and not any(a.kind == "pick" for a in REGISTRY.get(system).due(e))):
            e = after_line(e, one, REGISTRY, random)
    found = odds(e, REGISTRY, random, line)
    assert found.runs == 0, "exact"
    row = next(x for x in found.rows if x.name == who)
    assert row.standing.before == pytest.approx(float(chance), abs=1e-9)
