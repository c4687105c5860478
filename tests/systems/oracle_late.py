"""Who joins a group after its turn, stated a second time: it acts from the next round on."""

from __future__ import annotations

from typing import Any

State = dict[str, Any]


class Late:
    """The ids of those who joined a group late in this round."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.busy: set[str] = set()  # in a turn, running or interrupted

    def step(self, old: State, new: State) -> None:
        """Take over the states before and after a line."""
        if new["round"] != old["round"] or new["phase"] == "setup":
            self.ids, self.busy = set(), set()
            return
        self.busy |= {c["id"] for c in old["combatants"] if c["name"] in old["actors"]}
        self.busy -= {c["id"] for c in old["combatants"] if {"acted", "holds"} & set(c["marks"])}
        was = {c["id"]: c for c in old["combatants"]}
        came = [c for c in new["combatants"] if c["group"] != was.get(c["id"], {}).get("group")]
        for c in came:
            if not c["group"] or "acted" in c["marks"] or c["id"] in self.busy:
                continue
            mates = [x for x in new["combatants"] if x["group"] == c["group"] and x not in came]
            mates = [x for x in mates if not x["out"] and x["arrives"] <= new["round"]]
            through = [x for x in mates if "acted" in was[x["id"]]["marks"] or x["id"] in self.busy]
            if through and all(x in through or x["id"] in self.ids for x in mates):
                self.ids.add(c["id"])

    def open(self, c: State) -> bool:
        """Whether a creature still has a turn in this round."""
        return "acted" not in c["marks"] and c["id"] not in self.ids
