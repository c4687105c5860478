"""What reaches beyond this fight: into the library, and into another save. The store does it, not the rules."""

from __future__ import annotations

from typing import ClassVar

from tui.core.language.actions.base import Request
from tui.core.language.slots import WHO, Flag, KeyValue, Word
from tui.core.language.syntax import Syntax


class Save(Request, frozen=True):
    """Write who is there into the library: no step."""

    what: str
    name: str
    who: str = ""
    hp: str = ""
    over: bool = False
    syntax: ClassVar = Syntax(
        "save",
        (
            Word("what", "party|encounter", choices=("party", "encounter")),
            Word("name", "NAME"),
            Word("who", "WHO", "who", optional=True),
            KeyValue("hp", choices=("now", "full")),
            Flag("over"),
        ),
        "writes who is there into the library: hit points as they are now, or full",
    )


class Split(Request, frozen=True):
    """Let creatures go on in another save."""

    who: str
    save: str
    syntax: ClassVar = Syntax(
        "split", (WHO, Word("save", "SAVE")), "these creatures go on in another save, made if it is not there"
    )


class Join(Request, frozen=True):
    """Take creatures in from another save; nobody named: all of them."""

    save: str
    who: str = ""
    syntax: ClassVar = Syntax(
        "join",
        (Word("save", "SAVE"), Word("who", "WHO", optional=True)),
        "takes creatures in from another save",
    )


Keeping = Save | Split | Join
