"""The latest contest that was decided; every name in it is a key (see `encounter.label`)."""

from msgspec import Struct


class _Decided(Struct, frozen=True, omit_defaults=True, tag_field="kind"):
    """The common shape: `kind` says in a journal which of them it is."""


class OpposedOutcome(_Decided, frozen=True, tag="opposed"):
    """Two rolled against each other; `caught`: those of the losers whom it surprised."""

    winner: str = ""
    loser: str = ""
    by: str = ""
    totals: dict[str, int] = {}
    caught: tuple[str, ...] = ()


class OrderOutcome(_Decided, frozen=True, tag="order"):
    """The order stands: entries, first to act first."""

    order: tuple[str, ...] = ()


class SurpriseOutcome(_Decided, frozen=True, tag="surprise"):
    """Everyone who is surprised now."""

    caught: tuple[str, ...] = ()


class TargetOutcome(_Decided, frozen=True, tag="target"):
    """Whom an attacker goes for, and how: in melee, at range, or `lost` when nobody is left."""

    who: str = ""
    target: str = ""
    style: str = ""


Outcome = OpposedOutcome | OrderOutcome | SurpriseOutcome | TargetOutcome
