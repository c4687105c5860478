"""A theme's colours and text styles, as Rich and Textual want them."""

from __future__ import annotations

import os

from rich.console import Console
from rich.style import Style
from textual.theme import Theme

from tui.ui.state.palette import ROLES, Palette, Role

_FLAT = ("background", "surface", "panel", "boost", "primary-background", "secondary-background")
_SHADES = tuple(f"-{way}-{step}" for way in ("lighten", "darken") for step in (1, 2, 3))


def style(palette: Palette, role: Role, *, current: bool = False) -> Style:
    """The Rich style of a text in this role; `current` puts it on the row under the cursor.

    Every style names its ground, so that a screen drawn with them has one.
    """
    if current or role in ("current", "current-text"):
        words = f"{palette.styles.get(role, '')} {palette.styles.get('current', '')}"
        front, ground = palette.colors["current-text"], palette.colors["current"]
    else:
        words = palette.styles.get(role, "")
        front, ground = palette.colors[role], palette.colors["background"]
    return Style.parse(f"{words} {front} on {ground}".replace("bright-", "bright_"))


def css(palette: Palette, role: Role) -> str:
    """The role's colour as Textual's CSS writes it."""
    color = palette.colors[role]
    return f"ansi_{color.replace('-', '_')}" if palette.ansi else color


def theme(palette: Palette) -> Theme:
    """The theme for `App.register_theme`, named like the palette."""
    ground = css(palette, "background")
    return Theme(
        name=palette.name,
        primary=css(palette, "focus"),
        secondary=css(palette, "title"),
        accent=css(palette, "key"),
        warning=css(palette, "warning"),
        error=css(palette, "error"),
        success=css(palette, "ok"),
        foreground=css(palette, "text"),
        background=ground,
        surface=ground,
        panel=ground,
        boost=ground,
        dark=palette.dark,
        ansi=palette.ansi,
        variables=variables(palette),
    )


def variables(palette: Palette) -> dict[str, str]:
    """Variables for Textual's CSS: `$tocsin-ROLE`, `$tocsin-ROLE-style`, and Textual's own on one flat ground."""
    ours = {f"tocsin-{role}": css(palette, role) for role in ROLES}
    ours |= {f"tocsin-{role}-style": palette.styles.get(role, "none") for role in ROLES}
    return ours | _grounds(palette) | _texts(palette) | _cursors(palette)


def _grounds(palette: Palette) -> dict[str, str]:
    ground, border, focus = css(palette, "background"), css(palette, "border"), css(palette, "focus")
    flat = dict.fromkeys((f"{name}{shade}" for name in _FLAT for shade in ("", *_SHADES)), ground)
    muted = ("primary", "secondary", "accent", "warning", "error", "success")
    tracks = ("", "-hover", "-active")
    return {
        **flat,
        **dict.fromkeys((f"{name}-muted" for name in muted), ground),
        **dict.fromkeys((f"scrollbar-background{track}" for track in tracks), ground),
        "scrollbar-corner-color": ground,
        "surface-active": ground,
        "block-hover-background": ground,
        "ansi-background": ground,
        "footer-background": ground,
        "footer-item-background": ground,
        "footer-key-background": ground,
        "footer-description-background": ground,
        "scrollbar": border,
        "scrollbar-hover": focus,
        "scrollbar-active": focus,
        "border": focus,
        "border-blurred": border,
    }


def _texts(palette: Palette) -> dict[str, str]:
    named: dict[str, Role] = {
        "text": "text",
        "text-muted": "muted",
        "text-disabled": "muted",
        "foreground-muted": "muted",
        "foreground-disabled": "muted",
        "text-primary": "focus",
        "text-secondary": "title",
        "text-accent": "key",
        "text-warning": "warning",
        "text-error": "error",
        "text-success": "ok",
        "ansi-foreground": "text",
        "button-foreground": "text",
        "button-color-foreground": "background",
        "footer-foreground": "text",
        "footer-key-foreground": "key",
        "footer-description-foreground": "hint",
        "link-color": "key",
    }
    return {name: css(palette, role) for name, role in named.items()}


def _cursors(palette: Palette) -> dict[str, str]:
    front, ground = css(palette, "current-text"), css(palette, "current")
    words = palette.styles.get("current", "none")
    kinds = ("block-cursor", "input-cursor", "input-selection", "screen-selection")
    return {
        **{f"{kind}-foreground": front for kind in kinds},
        **{f"{kind}-background": ground for kind in kinds},
        **{f"{kind}-text-style": words for kind in kinds},
        "block-cursor-blurred-foreground": css(palette, "text"),
        "block-cursor-blurred-background": css(palette, "background"),
        "block-cursor-blurred-text-style": "underline",
        "link-color-hover": front,
        "link-background-hover": ground,
        "button-focus-text-style": "bold reverse",
    }


def sixteen() -> bool:
    """Whether the terminal has no more than sixteen colours, by the same signs that Rich and Textual go by."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        return Console(file=nowhere, force_terminal=True, legacy_windows=False).color_system == "standard"
