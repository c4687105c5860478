"""Our themes as Textual's."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

from tui.ui.text.palette import ROLES, Palette


def theme_of(palette: Palette) -> Theme:
    """Return the Textual theme of a palette.

    Every role is a variable of its CSS, `$role-acting` and so on.
    """
    # Textual's own style sheets name variables that only its themes of the terminal's own colours have.
    usual = BUILTIN_THEMES["ansi-dark" if palette.dark else "ansi-light"].variables if palette.ansi else {}
    colour = {role: _css(palette.colors[role]) for role in ROLES}
    return Theme(
        name=palette.name,
        primary=colour["title"],
        secondary=colour["key"],
        accent=colour["focus"],
        warning=colour["warning"],
        error=colour["error"],
        success=colour["ok"],
        foreground=colour["text"],
        background=colour["background"],
        surface=colour["background"],
        panel=colour["background"],
        dark=palette.dark,
        ansi=palette.ansi,
        variables={**usual, **{f"role-{role}": value for role, value in colour.items()}},
    )


def _css(color: str) -> str:
    return color if color.startswith("#") else f"ansi_{color.replace('-', '_')}"
