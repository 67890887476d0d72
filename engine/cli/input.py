"""Input of the commands: JSON files, and names of rulesets."""

import sys
from collections.abc import Sequence
from pathlib import Path

from engine.json_values import InvalidData, parse_string
from engine.positions.position import Position
from engine.proof.source import NotJson, line_number_of_place, parse_json_text
from engine.rulesets import RULESETS
from engine.rulesets.ruleset import Ruleset
from engine.start.begin import Duellist, begin


class BadInput(ValueError):
    """Error for input that is unreadable or makes no sense. The message names the place."""


class JsonFile:
    """A JSON file, or standard input if its name is "-". Raises BadInput if it is unreadable."""

    def __init__(self, name: str) -> None:
        self.name = "standard input" if name == "-" else name
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            self.text = data.decode()
            self.value = parse_json_text(self.text)
        except OSError as error:
            raise BadInput(f"{self.name}: {error.strerror or 'cannot be read'}") from error
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise BadInput(f"{self.name}, line {line}: is not UTF-8 text") from error
        except NotJson as error:
            raise BadInput(f"{self.name}, line {error.line}: {error}") from error

    def error_in_file(self, error: InvalidData) -> BadInput:
        """Return the error about a part of this file, with its line."""
        return BadInput(
            f"{self.name}, line {line_number_of_place(self.text, error.field)}: {error}"
        )


def find_ruleset(name: str) -> Ruleset:
    """Return the ruleset with this id, or the newest version of it if the name has no version.

    Raises BadInput.
    """
    versions = [ruleset for id, ruleset in RULESETS.items() if name in (id, id.rpartition("-")[0])]
    if not versions:
        known = ", ".join(RULESETS)
        raise BadInput(f"ruleset: unknown ruleset {name!r}; known rulesets: {known}")
    return max(versions, key=lambda ruleset: int(ruleset.id.rpartition("-")[2]))


def first_position(ruleset: str, names: Sequence[str], options: Sequence[str]) -> Position:
    """Return the position before the first turn of a duel. Raises BadInput."""
    try:
        duellists = [Duellist(parse_string("name", name)) for name in names]
        return begin(find_ruleset(ruleset).id, duellists, options=options)
    except InvalidData as error:
        raise BadInput(str(error)) from error
