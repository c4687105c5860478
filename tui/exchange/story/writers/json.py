"""JSON, for programs: the whole story as plain data."""

from __future__ import annotations

import msgspec

from tui.exchange.story.story import Story, StoryFormat


def write(story: Story) -> str:
    """Return one JSON object with the keys that `.github/FORMAT.md` lists."""
    plain = {"format": 1, **msgspec.to_builtins(story), "players": story.players}
    return msgspec.json.format(msgspec.json.encode(plain), indent=1).decode() + "\n"


JSON = StoryFormat("json", "plain data", write)
