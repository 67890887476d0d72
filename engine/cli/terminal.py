"""A terminal that several players share."""

import sys
from typing import Final

from engine.cli.input import BadInput

CLEAR_SCREEN: Final = "\x1b[2J\x1b[3J\x1b[H"
"""Codes that clear the screen and its scrollback, and move to its top."""


class InputEnded(Exception):
    """Exception for a player who closes the terminal's input (Ctrl-D) or interrupts (Ctrl-C)."""


def print_lines(*lines: str) -> None:
    for line in lines:
        print(line)


def ask(prompt: str) -> str:
    """Return the player's next line, without spaces around it.

    Raises InputEnded, and BadInput if the line is not text.
    """
    print(prompt, end="", flush=True)
    try:
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    except UnicodeDecodeError as error:
        raise BadInput("standard input: is not UTF-8 text") from error
    if not line:
        print()
        raise InputEnded
    return line.strip()


def clear() -> None:
    """Hide everything that the screen shows. Output into a file gets a line instead."""
    print(CLEAR_SCREEN if sys.stdout.isatty() else "-" * 72)
