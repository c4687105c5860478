"""A screen as a picture: every cell in its place, whatever font the reader has.

The same cells give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from xml.sax.saxutils import escape

from msgspec import Struct
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from textual.strip import Strip

from tui.core.base.text import clusters

WIDE, HIGH, SIZE = 9, 19, 15  # a cell and its letters, in pixels
MARGIN = 12
FONTS = "'DejaVu Sans Mono','Cascadia Mono',Menlo,Consolas,'Liberation Mono',monospace"
XTERM = TerminalTheme(
    (0, 0, 0),
    (229, 229, 229),
    [
        (0, 0, 0),
        (205, 0, 0),
        (0, 205, 0),
        (205, 205, 0),
        (0, 0, 238),
        (205, 0, 205),
        (0, 205, 205),
        (229, 229, 229),
    ],
    [
        (127, 127, 127),
        (255, 0, 0),
        (0, 255, 0),
        (255, 255, 0),
        (92, 92, 255),
        (255, 0, 255),
        (0, 255, 255),
        (255, 255, 255),
    ],
)
"""What the sixteen colours are where a theme leaves them to the terminal."""


class Run(Struct, frozen=True):
    """Text of one style in `width` cells from column `x` on."""

    x: int
    text: str
    width: int
    style: Style


def picture(strips: Sequence[Strip], width: int, title: str) -> str:
    """The SVG of these lines; the ground is that of the first cell."""
    classes = _Classes()
    rows = [_row(strip, y, classes) for y, strip in enumerate(strips)]
    inside = "\n".join(
        [*(x for grounds, _ in rows for x in grounds), *(x for _, texts in rows for x in texts)]
    )
    return _document(inside, len(strips), width, title, classes, classes.css)


def movie(frames: Sequence[tuple[Sequence[Strip], float]], width: int, title: str) -> str:
    """The SVG that shows these lines one after the other, each for so many seconds, for ever.

    A line that stays the same is written once. Who asked the browser for less motion sees the last frame.
    """
    classes, parts, whole = _Classes(), list[str](), sum(seconds for _, seconds in frames)
    starts = [0.0, *accumulate(seconds / whole * 100 for _, seconds in frames)]
    spans = dict[tuple[int, int], None]()
    for y in range(len(frames[0][0])):
        line = [strips[y] for strips, _ in frames]
        for _, some in groupby(range(len(line)), line.__getitem__):
            shown = [*some]
            span = shown[0], shown[-1] + 1
            grounds, texts = _row(line[shown[0]], y, classes)
            spans[span] = None
            parts.append(f'<g class="s{span[0]}-{span[1]}">' + "".join([*grounds, *texts]) + "</g>")
    css, still = classes.css, "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
    for start, end in spans:
        at, gone = f"{starts[start]:.2f}%", f"{starts[end]:.2f}%"
        shows = "opacity:1" if start == 0 else "opacity:0"
        steps = f"0%{{{shows}}}{at}{{opacity:1}}" + f"{gone}{{opacity:0}}" * (end < len(frames))
        css += f".s{start}-{end}{{opacity:{int(end == len(frames))};"
        css += f"animation:s{start}-{end} {whole:g}s step-end infinite}}@keyframes s{start}-{end}{{{steps}}}"
    return _document("\n".join(parts), len(frames[0][0]), width, title, classes, css + still)


def _row(strip: Strip, y: int, classes: _Classes) -> tuple[list[str], list[str]]:
    """The grounds and the texts of a line."""
    grounds, texts = [], []
    for run in _runs(strip):
        front, back = _colours(run.style)
        if back != classes.ground(back):
            grounds.append(_rect(run.x * WIDE, y * HIGH, run.width * WIDE, HIGH, back))
        texts += [_text(part, y, classes.of(front, run.style)) for part in _parts(run)]
    return grounds, texts


def _document(inside: str, rows: int, width: int, title: str, classes: _Classes, css: str) -> str:
    across, down = width * WIDE + 2 * MARGIN, rows * HIGH + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" role="img" '
        f'font-family="{FONTS}" font-size="{SIZE}">\n'
        f"<title>{escape(title)}</title>\n<style>{css}</style>\n"
        f'<rect width="{across}" height="{down}" rx="8" fill="{classes.ground()}"/>\n'
        f'<g transform="translate({MARGIN} {MARGIN})">\n{inside}\n</g>\n</svg>\n'
    )


class _Classes:
    """A class for every look, in order of appearance; and the colour of the ground, which comes first."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._ground = ""

    def ground(self, first: str = "") -> str:
        """The colour of the ground."""
        self._ground = self._ground or first
        return self._ground

    def of(self, front: str, style: Style) -> str:
        """The class of a text in this colour and style."""
        line = "underline " * bool(style.underline) + "line-through" * bool(style.strike)
        look = (
            f"fill:{front}"
            + ";font-weight:bold" * bool(style.bold)
            + ";font-style:italic" * bool(style.italic)
        )
        look += f";text-decoration:{line.strip()}" if line else ""
        return self._names.setdefault(look, f"t{len(self._names)}")

    @property
    def css(self) -> str:
        """The rules of all classes."""
        return "".join(f".{name}{{{look}}}" for look, name in self._names.items())


def _runs(strip: Strip) -> Iterator[Run]:
    x = 0
    for text, style, _ in strip:
        width = cell_len(text)
        if width:
            yield Run(x, text, width, style or Style())
        x += width


def _colours(style: Style) -> tuple[str, str]:
    front, back = _hex(style.color, front=True), _hex(style.bgcolor, front=False)
    return (back, front) if style.reverse else (front, back)


def _hex(color: Color | None, *, front: bool) -> str:
    return (color or Color.default()).get_truecolor(XTERM, foreground=front).hex


def _parts(run: Run) -> Iterator[Run]:
    """Yield runs without blanks at the ends; each non-ASCII character, perhaps of another font, alone."""
    x, text = run.x, ""
    for cluster in [*clusters(run.text), ""]:
        kind = "ascii" if cluster.isascii() else cluster
        if not cluster or (text and (text[-1] if not text.isascii() else "ascii") != kind):
            yield from _trimmed(Run(x, text, cell_len(text), run.style))
            x, text = x + cell_len(text), ""
        text += cluster


def _trimmed(run: Run) -> Iterable[Run]:
    if run.style.underline or run.style.strike:
        return [run] if run.text else []
    bare = run.text.strip(" ")
    start = len(run.text) - len(run.text.lstrip(" "))
    return [Run(run.x + start, bare, cell_len(bare), run.style)] if bare else []


def _text(run: Run, y: int, name: str) -> str:
    x, base, length = run.x * WIDE, y * HIGH + SIZE - 1, run.width * WIDE
    fit = f'textLength="{length}" lengthAdjust="spacingAndGlyphs"'
    # No-break spaces: browsers fold others, and then stretch what is left to the length.
    words = escape(run.text.replace(" ", "\u00a0"))
    return f'<text class="{name}" x="{x}" y="{base}" {fit}>{words}</text>'


def _rect(x: int, y: int, width: int, height: int, fill: str) -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>'
