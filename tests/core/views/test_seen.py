"""What a viewer is told of the moment: one Now line everywhere, and the choices that are the viewer's own."""

from __future__ import annotations

import pytest

from tests.table import Table
from tui.core.fight.viewer import viewer_of
from tui.core.views.json import say_now


@pytest.mark.parametrize("viewer", [None, "Lia", "Mia", ""])
@pytest.mark.parametrize("hidden", ["", "hidden=yes"])
def test_the_now_line_is_the_one_of_the_state(viewer: str | None, hidden: str) -> None:
    t = Table("classic")
    t.do("add Ana owner=Lia hp=9", f"add 2 Orc {hidden}", "begin")
    t.do("roll", dice=[5, 9, 3])
    told = say_now(t.encounter, t.store.system, viewer_of(viewer))
    assert told
    assert told == t.state(viewer)["now"]


def test_dis_29_a_choice_is_told_to_whose_it_is_and_to_the_game_master() -> None:
    t = Table("dynamic", {"dis.resize": "ask"})
    t.do("add Sela kind=pc owner=Lia", "add Oren kind=pc owner=Mia", "begin", "set Sela bonus=1,1")
    t.do("order Sela weapon=1d8 move=yes", "order Oren move=yes")
    seen = {v: [d["who"] for d in t.state(v)["due"] if d["kind"] == "pick"] for v in (None, "Lia", "Mia")}
    assert seen == {None: ["Sela"], "Lia": ["Sela"], "Mia": []}
