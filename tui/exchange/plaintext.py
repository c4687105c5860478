"""Other tools' markup as plain text: HTML, entities, tags in braces, links, enrichers."""

from __future__ import annotations

import re
from html import unescape

from tui.core.base.text import PAGE_LIMIT

_BREAKS = re.compile(r"<\s*(?:br|/p|/li|/tr|/h[1-6]|hr|/div|/ul|/table)\b[^>]{0,200}>", re.IGNORECASE)
_HTML = re.compile(r"<!--.{0,2000}?-->|</?[a-zA-Z][^<>]{0,500}>", re.DOTALL)
_BRACES = re.compile(r"\{@(\w{1,40})(?:\s([^{}|]{0,2000})((?:\|[^{}|]{0,300}){0,12}))?\}")
_ENRICHED = re.compile(
    r"[@&][A-Z]\w{1,20}\[([^\[\]]{0,200}(?:\[[^\[\]]{0,100}\])?[^\[\]]{0,200})\](?:\{([^{}]{0,200})\})?"
)
_EMBEDDED = re.compile(r"@Embed\[[^\[\]]{0,400}\]")
_ROLLS = re.compile(r"\[\[/?([^\[\]]{0,200}(?:\[[^\[\]]{0,60}\])?)\]\](?:\{([^{}]{0,200})\})?")
_STARS = re.compile(r"(\*\*\*|\*\*|___|__)(?=\S)(.{1,300}?)(?<=\S)\1")
_TAGS = {
    "h": "Hit: ", "hit": "+{}", "dc": "DC {}", "recharge": "(Recharge {}\u20136)",
    "atk": "", "atkr": "", "actSave": "{} save", "actSaveFail": "Failure:", "actSaveSuccess": "Success:",
    "actTrigger": "Trigger:", "actResponse": "Response:", "hom": "Hit or miss: ", "hitYourSpellAttack": "spell attack",
}  # fmt: skip
_DEPTH = 6
_MOST = 4 * PAGE_LIMIT


def plain(text: str) -> str:
    """The text without markup; line breaks stand where blocks ended. Never more of it than a card has room for."""
    # Every pattern is bounded as well: markup of a hostile file must not cost more than its length.
    text = text[:_MOST]
    if "<" in text:
        text = _HTML.sub("", _BREAKS.sub("\n", text))
    if "&" in text:
        text = unescape(text)
    if "[[" in text:
        text = _ROLLS.sub(lambda m: m[2] or m[1].strip(), text)
    if "@" in text or "&" in text:
        text = _EMBEDDED.sub("", text)
        text = _ENRICHED.sub(lambda m: m[2] or _last(m[1]), text)
    # Tags may hold tags: from the inside out, and never more often than they can be nested.
    for _ in range(_DEPTH):
        if "{@" not in text:
            break
        text = _BRACES.sub(_tag, text)
    return _STARS.sub(r"\2", text) if "**" in text or "__" in text else text


def _tag(found: re.Match[str]) -> str:
    """What a reader sees of `{@tag shown|source|other}`."""
    shown = (found[2] or "").strip()
    if found[1] in _TAGS:
        if found[1] == "hit" and shown[:1] in "+-":
            return shown
        if found[1] == "recharge" and not shown:
            return "(Recharge 6)"
        return _TAGS[found[1]].format(shown)
    other = (found[3] or "").split("|")
    # Of creatures, spells and the like the third part is what is shown, where it is given.
    return (
        other[2]
        if len(other) > 2 and other[2] and not found[1].startswith(("filter", "book", "note"))
        else shown
    )


def _last(inside: str) -> str:
    """The name at the end of a link, or what a check or damage asks for."""
    return (
        inside.rsplit(".", 1)[-1]
        if inside.startswith(("Compendium.", "Actor.", "Item.", "PF2E."))
        else inside
    )
