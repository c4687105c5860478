"""The questions of plain mode before a fight."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tui.store.saves import Listed
from tui.store.shelf import Brief
from tui.systems import Registry
from tui.ui.launch import plain


class Script:
    """A user who answers in order."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.said = list(answers), [""]

    @property
    def console(self) -> plain.Console:
        return plain.Console(self.said.append, lambda _: self.answers.pop(0))


SAVES = [Listed("mill", "/s/mill.toml", "classic"), Listed("gate", "/s/gate.toml", problem="garbage")]
BRIEFS = [Brief("Classic", 2, "Archers act", steps=22), Brief(problem="garbage")]


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ("1", "/s/mill.toml"),
        ("2", "/s/gate.toml"),
        ("mill", "/s/mill.toml"),
        ("other", "other"),
        ("q", ""),
        ("", ""),
    ],
)
def test_the_picker(answer: str, path: str) -> None:
    script = Script(answer)
    assert plain.choose_save(script.console, SAVES, BRIEFS, "/s") == path
    assert "  1  mill: Classic, round 2, Archers act, 22 steps" in script.said
    assert "  2  gate: garbage" in script.said


@pytest.mark.parametrize("answer", ["3", "9", "0", "9" * 5_000])
def test_a_number_that_is_not_in_the_list_makes_no_save_of_that_name(answer: str) -> None:
    script = Script(answer, "2")
    assert plain.choose_save(script.console, SAVES, BRIEFS, "/s") == "/s/gate.toml"
    assert script.said[-1].startswith("There is no number")
    assert script.said[-1].endswith("1 to 2.")


@pytest.mark.parametrize(
    ("answers", "system"),
    [(["dyn"], "dynamic"), ([""], "classic"), (["1"], "classic"), (["zzz", "chaos"], "chaos"), (["q"], "")],
)
def test_a_new_save_asks_for_its_system(answers: Sequence[str], system: str) -> None:
    assert plain.choose_system(Script(*answers).console, "mill", Registry()) == system


@pytest.mark.parametrize("answer", ["²", "③", "-1"])
def test_only_a_number_of_the_list_is_one(answer: str) -> None:
    assert plain.choose_save(Script(answer).console, SAVES, BRIEFS, "/s") == answer
