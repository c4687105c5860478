"""Put texts of Pathfinder's second edition into words: checks, damage, areas and names of its data."""

from __future__ import annotations

import re
from typing import Any

from tui.exchange.formulas import counted, spaced, total
from tui.exchange.values import plain


def unjoined(word: str) -> str:
    """Return `low-light vision` for `lowLightVision` and `low-light-vision`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word).replace("-", " ").strip().lower()
    return _HYPHENATED.sub(r"\1-\2", words)


_HYPHENATED = re.compile(r"\b(low|non|off|free|two) (light|magical|guard|hand)\b")
_CHECK = re.compile(r"@Check\[([^\[\]]{1,300})\](?:\{([^{}]{0,200})\})?")
_DAMAGE = re.compile(
    r"@Damage\[((?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]{0,60}\]){0,120}\]){1,400})\](?:\{([^{}]{0,200})\})?"
)
_AREA = re.compile(r"@Template\[([^\[\]]{1,200})\](?:\{([^{}]{0,200})\})?")
_LOCAL = re.compile(r"@(?:Localize|Embed)\[[^\[\]]{0,300}\](?:\{[^{}]{0,200}\})?")
_LINK = re.compile(r"@(?:UUID|Compendium|Item|Actor)\[([^\[\]]{0,300})\](?:\{([^{}]{0,200})\})?")
_ACT = re.compile(r"\[\[/act\s{1,3}(\w[^\[\]{}]{0,120})\]\](?:\{([^{}]{0,200})\})?")
_MARK = re.compile(r"(?=\w{0,15}[0-9A-Z])[A-Za-z0-9]{16}")
_ROLL = re.compile(
    r"\[\[/(?:br|r|gmr)?\s{0,3}([^\[\]#]{0,120}(?:\[[^\[\]]{0,60}\])?)[^\[\]]{0,120}\]\](?:\{([^{}]{0,200})\})?"
)
_TYPED = re.compile(r"\(?([^\[\](),]{1,80}(?:\([^()]{0,60}\)[^\[\](),]{0,40})?)\)?\[([^\[\]]{1,80})\]")


def _options(inside: str) -> dict[str, str]:
    """Return the options of `type:reflex|dc:36|basic:true`; a word alone is true."""
    pairs = (part.partition(":") for part in inside.replace("||", "|").split("|"))
    return {k.strip().lower(): v.strip() if mark else "true" for k, mark, v in pairs}


PARTS = (
    r"Trigger|Effect|Requirements?|Frequency|Prerequisites?|Saving Throw|Onset|Maximum Duration"
    r"|Stage [0-9]|(?:Critical )?(?:Success|Failure)"
)
"""The heads of the parts of an ability, which stand in bold and without a colon."""
_HEADED = re.compile(rf"<strong>\s*({PARTS})\s*:?\s*</strong>:?\s*")
_LED = re.compile(
    r"(<(?:p|li|td|br|hr)\b[^<>]{0,100}>\s{0,9})<strong>\s{0,3}([^<>]{1,60}?)[\s.:]{0,3}</strong>"
    r"[\s:]{0,3}(?=[A-Z0-9@+-])"
)
"""Other words in bold at the beginning of a paragraph, behind which its text begins."""


def in_words(text: Any, level: int) -> str:
    """Return a text with its checks, damage and links in words; references to the program's own texts go."""
    if not isinstance(text, str):
        return ""
    words = _HEADED.sub(r"\1: ", _LOCAL.sub("", _MARKED.sub("", text[:32_000])))
    words = _LED.sub(r"\1\2: ", words)

    def check(m: re.Match[str]) -> str:
        options = _options(m[1])
        kind = next((k for k, v in options.items() if v == "true" and k != "basic"), "")
        name = options.get("type") or kind
        number = _number(options.get("dc", ""), level)
        basic = "basic " if options.get("basic") == "true" else ""
        named = "flat check" if name == "flat" else unjoined(name).title()
        return m[2] or f"{f'DC {number} ' if number else ''}{basic}{named}".strip()

    def damage(m: re.Match[str]) -> str:
        inner = m[1].split("|", 1)[0].strip()
        parts = [f"{spaced(_level(p[1], level))} {sorts(p[2])}" for p in _TYPED.finditer(inner)]
        return m[2] or " plus ".join(" ".join(p.split()) for p in parts) or spaced(_level(inner, level))

    def area(m: re.Match[str]) -> str:
        options = _options(m[1])
        name = options.get("type") or next((k for k, v in options.items() if v == "true"), "")
        return m[2] or f"{options.get('distance', '')}-foot {name}".lstrip("-")

    words = _DAMAGE.sub(damage, _CHECK.sub(check, _AREA.sub(area, words)))
    words = _LINK.sub(lambda m: m[2] or _linked(m[1]), words)
    words = _ACT.sub(lambda m: m[2] or _done(m[1], level), words)
    words = _ROLL.sub(lambda m: m[2] or _thrown(m[1], level), words)
    words = _SAID_TWICE.sub(r"\1", _CHOSEN.sub("", plain(words)))
    lines = (" ".join(line.split()) for line in words.split("\n"))
    return "\n".join(line for line in lines if line)


_MARKED = re.compile(
    r"<p>\s{0,9}@UUID\[[^\[\]]{0,200}?"
    r"(?:Effect: [^\[\]]{0,100}\]|\]\{(?:Spell )?Effect: [^{}]{0,100}\})\s{0,9}</p>"
)
"""What only the program needs: an effect that is dropped on a token."""
_CHOSEN = re.compile(r"@(?:actor|item)\.[\w.]{1,100}")
"""What the program asks for and a file does not hold."""
_SAID_TWICE = re.compile(r"\b((?:\w{1,20} )?damage) \1\b|(?<= )healing (?=(?:temporary )?Hit Points|HP)")


def sorts(kinds: str) -> str:
    """Return the kinds of damage; nothing for a kind that is none."""
    return " ".join(kind for kind in kinds.replace(",", " ").split() if kind != "untyped")


def _number(dc: str, level: int) -> str:
    """Return a DC that is a number, or worked out from the level; "" for one that other numbers decide."""
    inner = dc.removeprefix("resolve(").removesuffix(")") if dc.startswith("resolve(") else dc
    worked = _level(inner, level)
    return worked if worked.isdecimal() and int(worked) else ""


def _linked(address: str) -> str:
    """Return the name at the end of an address; "" where that is only a mark of the program."""
    last = address.rsplit(".", 1)[-1]
    return "" if _MARK.fullmatch(last) else last


def _done(inside: str, level: int) -> str:
    """Return `Force Open (DC 20)` for an action with its options, `force-open dc=20`."""
    name, *more = inside.split()
    options = dict(x.split("=", 1) for x in more if "=" in x)
    dc = _number(options.get("dc", ""), level)
    return f"{name.replace('-', ' ').title()}{f' (DC {dc})' if dc else ''}"


def _thrown(formula: str, level: int) -> str:
    """Return dice with the kinds that stand in brackets behind them."""
    dice, _, kind = formula.strip().rstrip("]").partition("[")
    return f"{_level(dice, level).strip()} {sorts(kind)}".strip()


def _level(formula: str, level: int) -> str:
    """Return a formula with the creature's level in it."""
    text = (
        formula.replace("@actor.level", str(level))
        .replace("@item.level", str(level))
        .replace("@item.rank", str(level))
    )
    number = total(text)
    return counted(text) if number is None else str(number)
