"""The questions before the screen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tui.store.saves import Listed
from tui.systems import Registry
from tui.ui.launch import ask


class Script:
    """A user who answers in order."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.said = list(answers), [""]

    @property
    def console(self) -> ask.Console:
        return ask.Console(self.said.append, lambda _: self.answers.pop(0))


SAVES = [
    Listed("mill", "/s/mill.toml", "classic", 0.0, 12),
    Listed("gate", "/s/gate.toml", problem="garbage"),
]


@pytest.mark.parametrize(
    ("answer", "path"), [("1", "/s/mill.toml"), ("2", "/s/gate.toml"), ("new", "new"), ("q", ""), ("3", "3")]
)
def test_the_picker(answer: str, path: str) -> None:
    script = Script(answer)
    assert ask.choose(script.console, SAVES, "/s") == path
    assert any("mill" in line and "12" in line for line in script.said)
    assert any("garbage" in line for line in script.said)


@pytest.mark.parametrize(
    ("answers", "system"),
    [(["dyn"], "dynamic"), ([""], "classic"), (["1"], "classic"), (["zzz", "chaos"], "chaos"), (["q"], "")],
)
def test_a_new_save_asks_for_its_system(answers: Sequence[str], system: str) -> None:
    assert ask.system(Script(*answers).console, "mill", Registry()) == system


@pytest.mark.parametrize(("answer", "does"), [("l", "look"), ("Take", "take"), ("q", ""), ("", "")])
def test_a_taken_save(answer: str, does: str) -> None:
    assert ask.busy(Script(answer).console, "Bo writes") == does


@pytest.mark.parametrize("answer", ["²", "③", "\u0661", "9" * 5_000, "0", "-1"])
def test_only_a_number_of_the_list_is_one(answer: str) -> None:
    assert ask.choose(Script(answer).console, SAVES, "/s") == answer
