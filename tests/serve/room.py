"""A fight with secrets, and a page on which Mia's lines are judged."""

from __future__ import annotations

from random import Random

from tests.core.views.room import BARE, KINDS, NAMED, OPEN, SECRET, TAILS, Room
from tests.kit.two_fights import MIA
from tui.core.page import Offers
from tui.core.views.offers import offers_for
from tui.serve.letter import LineReply, Posted, SentLine

__all__ = ["BARE", "KINDS", "NAMED", "OPEN", "SECRET", "TAILS", "PageRoom", "offered_lines"]


class PageRoom(Room):
    """A fight with secrets, the unseen with a group, a side, an alias and a hidden condition of their own."""

    @property
    def offers(self) -> Offers:
        """What Mia's page offers now."""
        store = self.table.store
        return offers_for(store.marker(MIA).encounter, store.system, MIA)

    def send(self, line: str, *, read: bool = False) -> LineReply:
        """What Mia's browser is answered; the fight is left as it was."""
        self.sent += 1
        store, before = self.table.store, self.table.store.step
        letter = SentLine("mia", "key", Posted(f"line-{self.sent:08}", 1, line, read), lambda _: None)
        reply = self.judge.judge(letter, "Mia").reply
        if store.step != before:
            assert store.done(store.step).by == "Mia"
            store.run(f"goto {before}")
        return reply


def offered_lines(offers: Offers, chance: Random) -> list[str]:
    """Return lines that the offers contain, of every kind."""
    lines = [x.line for found in offers.lines.values() for x in found]
    lines = chance.sample(lines, min(len(lines), 6))
    for form in offers.forms:
        lines.append(f'order "{form.who}"')
    for roll in offers.rolls[:2]:
        lines.append(f'roll "{roll.who}"')
        if roll.ticks:
            lines += [f'{verb} "{roll.who}"' for verb in ("made", "failed")]
        if not roll.dealt and len(roll.dice) == 1:
            lines += [f'roll "{roll.who}" {roll.dice[0]}']
    for pick in offers.picks[:1]:
        lines.append("pick " + (" ".join(f'"{x}"' for x in pick.names[: max(pick.least, 1)]) or "none"))
    for points in offers.points:
        lines += [f'damage "{points.who}" 1', f'temp "{points.who}" 3']
        lines += [f'count "{points.who}" "{name}" -1' for name in points.counters]
    return lines
