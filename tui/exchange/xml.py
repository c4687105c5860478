"""XML as plain data: no document type, no entities of its own, bounded in depth."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

DEPTH = 40


class BadXml(ValueError):  # noqa: N818 - the word of the message
    """What is wrong with an XML file; `line` from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message, self.line = message, line


class Element:
    """An element: its tag, its text, its attributes as elements of their name, and those inside it."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.text: list[str] = []
        self.inside: list[Element] = []

    def plain(self) -> Any:
        """Its text, or a table of what is inside; what stands there more than once is a list."""
        text = "".join(self.text).strip()
        if not self.inside:
            return text
        found: dict[str, Any] = {"text": text} if text else {}
        many: dict[str, list[Any]] = {}
        for child in self.inside:
            many.setdefault(child.tag, []).append(child.plain())
        return found | {tag: values[0] if len(values) == 1 else values for tag, values in many.items()}


def parse(data: bytes) -> Element:
    """The root element. Raises BadXml."""
    parser = expat.ParserCreate()
    top = Element("")
    levels = [top]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(levels) > DEPTH:
            raise BadXml(f"elements more than {DEPTH} deep", parser.CurrentLineNumber)
        new = Element(tag)
        for key, value in attributes.items():
            told = Element(key)
            told.text.append(value)
            new.inside.append(told)
        levels[-1].inside.append(new)
        levels.append(new)

    def read(text: str) -> None:
        levels[-1].text.append(text)

    def refuse(*_: object) -> int:
        # Entities are how a kilobyte becomes a gigabyte, and how a file reads other files.
        raise BadXml("it declares a document type, which is not taken", parser.CurrentLineNumber)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: levels.pop()
    parser.CharacterDataHandler = read
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise BadXml(expat.errors.messages.get(error.code, "not well formed"), error.lineno) from None
    return top.inside[0]
