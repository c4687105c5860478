"""A table of Unbound initiative and questions about it."""

from __future__ import annotations

from typing import Any

from tests.kit.table import Table


def table(*lines: str, crew: int = 5, foes: int = 9, **options: Any) -> Table:
    """Iris and Jax of the crew, three raiders of the foes; the foes go first unless told otherwise."""
    found = Table("unbound", {f"unb.{k}": v for k, v in options.items()})
    found.do("add Iris side=crew kind=pc per=4 stealth=3", "add Jax side=crew kind=pc stealth=1")
    found.do("add 3 Raider side=foes per=2", "begin", f"roll crew {crew}", f"roll foes {foes}", *lines)
    return found
