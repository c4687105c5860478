"""What a theme says: a colour and a text style for every role, for CSS and for panes drawn by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

if TYPE_CHECKING:
    from rich.style import Style
    from textual.theme import Theme

Role = Literal[
    "background", "text", "muted",
    "acting", "may", "waits", "acted", "barred", "down", "hidden", "surprised", "concentration", "condition",
    "side-1", "side-2", "side-3", "side-4", "side-5", "side-6",
    "hp-good", "hp-mid", "hp-low",
    "ok", "warning", "error",
    "hint", "key", "title", "dice", "border", "focus",
    "selection", "selection-text", "marked",
]  # fmt: skip
"""What a colour stands for. All are text on `background`, but for `selection`, the ground of `selection-text`."""

ROLES: tuple[Role, ...] = get_args(Role)
SIDES: tuple[Role, ...] = ("side-1", "side-2", "side-3", "side-4", "side-5", "side-6")
ANSI_NAMES = (
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow",
    "bright-blue", "bright-magenta", "bright-cyan", "bright-white",
    "default",
)  # fmt: skip
"""The terminal's own colours, as a theme writes them; `default` is its own ground or its own text."""

TEXT_STYLES = ("bold", "italic", "underline", "strike", "reverse")
"""`dim` is not among them: what it does to a text's contrast is the terminal's secret."""

_FLAT = ("background", "surface", "panel", "boost", "primary-background", "secondary-background")
_SHADES = tuple(f"-{way}-{step}" for way in ("lighten", "darken") for step in (1, 2, 3))


class Palette(Struct, frozen=True):
    """A theme as it was read: a colour for each of `ROLES`, and text styles for some.

    `colors` hold "#rrggbb", or names of `ANSI_NAMES` when `ansi`; `styles` hold words of `TEXT_STYLES`.
    """

    name: str
    title: str
    dark: bool
    ansi: bool
    colors: dict[Role, str]
    styles: dict[Role, str]

    def style(self, role: Role, *, selected: bool = False) -> Style:
        """The Rich style of a text in this role; `selected` puts it on the row under the cursor.

        Every style names its ground, so that a screen drawn with them has one.
        """
        from rich.style import Style

        if selected or role in ("selection", "selection-text"):
            words = f"{self.styles.get(role, '')} {self.styles.get('selection', '')}"
            front, ground = self.colors["selection-text"], self.colors["selection"]
        else:
            words = self.styles.get(role, "")
            front, ground = self.colors[role], self.colors["background"]
        return Style.parse(f"{words} {front} on {ground}".replace("bright-", "bright_"))

    def css(self, role: Role) -> str:
        """The role's colour as Textual's CSS writes it."""
        color = self.colors[role]
        return f"ansi_{color.replace('-', '_')}" if self.ansi else color

    def theme(self) -> Theme:
        """The theme for `App.register_theme`, named like the palette."""
        from textual.theme import Theme

        ground = self.css("background")
        return Theme(
            name=self.name,
            primary=self.css("focus"),
            secondary=self.css("title"),
            accent=self.css("key"),
            warning=self.css("warning"),
            error=self.css("error"),
            success=self.css("ok"),
            foreground=self.css("text"),
            background=ground,
            surface=ground,
            panel=ground,
            boost=ground,
            dark=self.dark,
            ansi=self.ansi,
            variables=self.variables(),
        )

    def variables(self) -> dict[str, str]:
        """Variables for Textual's CSS: `$tocsin-ROLE`, `$tocsin-ROLE-style`, and Textual's own on one flat ground."""
        ours = {f"tocsin-{role}": self.css(role) for role in ROLES}
        ours |= {f"tocsin-{role}-style": self.styles.get(role, "none") for role in ROLES}
        return ours | self._grounds() | self._texts() | self._cursors()

    def _grounds(self) -> dict[str, str]:
        ground, border, focus = self.css("background"), self.css("border"), self.css("focus")
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

    def _texts(self) -> dict[str, str]:
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
        return {name: self.css(role) for name, role in named.items()}

    def _cursors(self) -> dict[str, str]:
        front, ground = self.css("selection-text"), self.css("selection")
        words = self.styles.get("selection", "none")
        kinds = ("block-cursor", "input-cursor", "input-selection", "screen-selection")
        return {
            **{f"{kind}-foreground": front for kind in kinds},
            **{f"{kind}-background": ground for kind in kinds},
            **{f"{kind}-text-style": words for kind in kinds},
            "block-cursor-blurred-foreground": self.css("text"),
            "block-cursor-blurred-background": self.css("background"),
            "block-cursor-blurred-text-style": "underline",
            "link-color-hover": front,
            "link-background-hover": ground,
            "button-focus-text-style": "bold reverse",
        }


def side_role(number: int) -> Role:
    """The role of the side that joined as number 0, 1, …; after six they begin again."""
    return SIDES[number % len(SIDES)]
