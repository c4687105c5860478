"""What a system declares is what the core lets it write, and what the outside reads of it."""

from __future__ import annotations

import pytest

from tui.core.fight import events as ev
from tui.core.fight.encounter import Encounter
from tui.core.fight.viewer import GAME_MASTER
from tui.core.rules.system import InitiativeSystem
from tui.core.views.log import story
from tui.systems import Registry

SYSTEMS = [Registry().get(name) for name in Registry().ids()]


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_mark_and_a_phase_are_declared_once_and_in_words_that_can_be_read(rules: InitiativeSystem) -> None:
    assert len(rules.all_marks) == len({m.key for m in rules.all_marks.values()})
    assert all(m.word or not (m.tag or m.short or m.logged) for m in rules.all_marks.values())
    assert len({p.name for p in rules.phases}) == len(rules.phases)


def test_a_mark_of_a_system_that_is_gone_is_passed_over_in_silence() -> None:
    e, rules = Encounter(), Registry().get("classic")
    assert list(story(e, (ev.Marked(("c1",), "frantic"), ev.PhaseEntered("tea")), GAME_MASTER, rules)) == []


@pytest.mark.parametrize("rules", SYSTEMS, ids=lambda s: s.id)
def test_a_verb_that_is_a_whole_line_is_written_so_and_no_other_is(rules: InitiativeSystem) -> None:
    assert [v.name for v in rules.verbs if v.whole != (v.usage == v.name)] == []
    assert [v.name for v in rules.verbs if v.damages and "amount" not in v.takes] == []
