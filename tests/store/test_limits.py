"""Bounds and rights of saves, libraries, seats and players' terminals, and what an empty record says.

A number here is promised to people and to other versions: it is changed on purpose, together with what the
manual, FORMAT and PROMISES say of it.
"""

from __future__ import annotations

from importlib import import_module

import pytest
from msgspec import Struct

from tui.store.journal.recovery import Torn
from tui.store.library.shelves import RosterFile
from tui.store.lock import Holder
from tui.store.players.folder import WriterNotice
from tui.store.seats.inbox import Reply
from tui.store.seats.intake import Ruling, Wish
from tui.store.shelf import Brief

BOUNDS = {
    "disk.MOST_COMPLETED": 40,
    "disk.PRIVATE": 0o600,
    "history.MOST_LOOKED_AT": 1_000,
    "journal.file.WINDOW": 32_000,
    "journal.format.DEPTH": 32,
    "journal.format.FORMAT": 1,
    "journal.format.RECORD_CAP": 1_000_000,
    "journal.format.SAVE_CAP": 64_000_000,
    "journal.format.SEAL_SIZE": 40,
    "journal.format.TORN_CAP": 64_000,
    "journal.format.WINDOW": 4_000_000,
    "journal.format._LEAST": -9_223_372_036_854_775_808,
    "journal.format._MOST": 9_223_372_036_854_775_807,
    "journal.reader._HEAD": 4_096,
    "journal.records.FOREIGN_CAP": 500_000,
    "journal.recovery.HOLE": 16,
    "journal.recovery.SECTOR": 512,
    "library.actions.MOST_ASKED": 200,
    "library.importing.MOST_FILES": 20_000,
    "library.importing._LISTED": 200,
    "library.importing._TOLD": 5,
    "library.rosters.MOST": 500,
    "library.rosters.MOST_BORNE": 32,
    "library.service.MOST_OFFERED": 40,
    "library.service._CAP": 32_000_000,
    "library.service._FILE": 1_500_000,
    "library.shelves.MOST_FILES": 2_000,
    "lock._CAP": 4_096,
    "opening.MOST_COPIES": 999,
    "players.folder._SHORT": 16,
    "players.page_reader.CAP": 8_000_000,
    "players.page_reader._NOTICE_CAP": 200,
    "players.publisher.BEHIND": 5,
    "players.publisher.LOGGED": 60,
    "players.viewers.MOST": 64,
    "players.viewers.MOST_EACH": 4,
    "players.viewers._CAP": 1_000,
    "players.viewers._LOOKED_AT": 512,
    "players.viewers._PASSED_OVER": 100_000,
    "safetoml.CAP": 5_000_000,
    "safetoml.DEPTH": 32,
    "safetoml.DIGITS": 40,
    "safetoml.DOTS": 16,
    "safetoml.VALUES": 100_000,
    "saves.NAME_CAP": 64,
    "saves._BEGINNING": 64_000,
    "saves._NAME_BYTES": 200,
    "script.EVENING": 1_767_294_000,
    "script.PAUSE": 20,
    "seats.host._MOST": 10_000,
    "seats.inbox.CAP": 64_000,
    "seats.inbox.MOST": 256,
    "seats.inbox.MOST_NUMBER": 1_000_000_000_000_000,
    "seats.inbox._LIST_CAP": 64_000,
    "seats.inbox._REPLY_CAP": 16_000,
    "seats.intake.LINES": 30,
    "seats.intake.SIZE": 60_000,
    "seats.seat.KEY_BYTES": 32,
    "seats.seat._CAP": 1_000,
    "seats.seat._SWEPT": 1_000,
    "shelf.UNAIDED": 4_000_000,
}


@pytest.mark.parametrize(("place", "bound"), BOUNDS.items())
def test_a_bound_is_the_one_that_is_promised(place: str, bound: object) -> None:
    module, _, name = place.rpartition(".")
    assert getattr(import_module(f"tui.store.{module}"), name) == bound


@pytest.mark.parametrize(
    ("record", "whole"),
    [
        (Brief(), Brief("", 0, "", "", 0, "", 0, 0, "")),
        (Holder(), Holder("", "", "", 0, 0, "", 0)),
        (Reply(), Reply(0, "", "", "", "", 1)),
        (RosterFile("a", "b"), RosterFile("a", "b", (), 0, "")),
        (Ruling(Reply()), Ruling(Reply(), 0, {}, "")),
        (Torn(1, 2, 3, 4), Torn(1, 2, 3, 4, 0)),
        (Wish(), Wish(-1, "", frozenset())),
        (WriterNotice(), WriterNotice("written", 1)),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_says_nothing_that_was_not_put_into_it(record: Struct, whole: Struct) -> None:
    assert record == whole
