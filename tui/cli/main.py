"""What the commands are given by the composition root, and the summary of them all."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Protocol

SUMMARY = """\
tocsin [SAVE]                        the screen: opens a save; without one the start screen
tocsin --tutor [SYSTEM]              a short lesson, on a fight that is gone afterwards
tocsin --sample SYSTEM               a sample fight of a system, in a save of its own
tocsin new SAVE --system ID          an empty encounter   [--option KEY=VALUE]
tocsin do SAVE LINE...               runs lines, each one step; - reads them from standard input
tocsin show SAVE [--json] [--as NAME]   the table now, or what one player may see
tocsin log SAVE [--json] [--as NAME] [--dice]   every step, or counts of the dice
tocsin export SAVE [--format F] [--out FILE] [--as NAME]   the story of the fight
tocsin odds SAVE [LINE...]           who will stand where, before the dice   [--compare]
tocsin view SAVE [--as NAME] [--big]   a live screen for the players: a second terminal, a tmux pane
tocsin seat SAVE NAME [--plain]      a player's own terminal: the table, orders, dice, reactions
tocsin host SAVE                     takes in what seats send, publishes; play without a GM needs it
tocsin invite SAVE NAME [--group] [--revoke]   a seat's key, and the line that opens it to an SSH key
tocsin check SAVE [--repair]         reads the whole journal and says what it found
tocsin party | encounters | creatures [--json]   what the library beside the saves holds
tocsin import FILE...|FOLDER [--into SAVE] [--over] [--look]   creatures from other tools' files
tocsin systems | themes | keys       what there is

--saves DIR   where the saves are, and in DIR/parties, encounters, creatures, conditions the library
--theme NAME  colours of the screen
--seed N      dice that repeat           --plain        lines instead of a screen
exit codes: 0 done, 1 refused, 2 wrong words, 3 file, 4 somebody else is writing,
            5 tocsin failed or could not print, 128+n signal n"""


class Front(Protocol):
    """What only the shell can do; the composition root gives it."""

    def screen(self, args: argparse.Namespace) -> int:
        """Runs the app on a save, or the picker; its exit code."""

    def view(self, args: argparse.Namespace) -> int:
        """Shows a fight to a player who looks on; its exit code."""

    def seat(self, args: argparse.Namespace) -> int:
        """A player's own seat at a fight; its exit code."""

    def key_table(self) -> Iterable[tuple[str, str, str]]:
        """Keys, the line they stand for, and what it does."""

    def themes(self) -> Iterable[tuple[str, str]]:
        """Names of themes and what is to be said about them."""
