"""JSON, for programs: the whole story as plain data."""

from __future__ import annotations

import msgspec

from tui.exchange.story.story import Fight, StoryFormat


def write(fight: Fight) -> str:
    """Return one JSON object with the keys that `.github/FORMAT.md` lists."""
    plain = {"format": 1, **msgspec.to_builtins(fight.story), "players": fight.story.players}
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


JSON = StoryFormat("json", "plain data", write)
