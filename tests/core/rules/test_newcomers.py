"""How many stand after some lines: one fact each, which laws that compare two runs cannot hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.table import Table
from tests.kit.transcript import replayed
from tui.core.rules.newcomers import find_kinds, group_line

TEN = "add Ann;add Bea;add Cid;add Dan;add Eve;add Fay;add Gus;add Hal;add Ivo;add Jim"
LATE = "add Ana kind=pc;add Bo kind=pc round=2;begin;next;end;next;next"


@pytest.mark.parametrize(
    ("system", "lines", "question", "says"),
    [
        ("dungeon-universalis", LATE, "track", "Bo 0 may: acts once in the heroes' turn, in any order"),
        ("classic", f"{TEN};begin", "now", "Still to roll d20: Ann, Bea, Cid, Dan and 6 more; `roll`"),
        ("chaos", f"{TEN};begin", "now", "Ann owes an order, then Bea, Cid, Dan, Eve and 5 more; `order`"),
    ],
)
def test_so_it_stands(system: str, lines: str, question: str, says: str) -> None:
    asked = "\n".join([*(f"> {line}" for line in lines.split(";")), f"? {question}"])
    assert replayed(Path(f"{system}.txt"), asked).splitlines()[-1].strip() == says


def test_a_kind_takes_no_name_of_a_group_on_another_side() -> None:
    table = Table("classic")
    table.do("add 2 Orc side=heroes group=Orcs")
    table.do("add 2 Orc")
    e = table.encounter
    assert group_line(e, find_kinds(e.combatants.values())[0]) == 'group "Orc 3,Orc 4" "Orcs 2"'
