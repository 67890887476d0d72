"""JSON text of a file: its value, and the line on which any part of it begins.

Places are written as in the errors of `json_values`: `turns[3].orders.w0.left_spell`.
"""

import json
import re
from collections.abc import Iterator
from typing import Final

_SPACES_PATTERN: Final = re.compile(r"[ \t\n\r]*")
_INDEX_PATTERN: Final = re.compile(r"\[(\d+)\]\.?")
_JSON_DECODER: Final = json.JSONDecoder()


class NotJson(ValueError):
    """Error for text that is not valid JSON; `line` is the line of the error, from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def parse_json_text(text: str) -> object:
    """Return the value of the text. Raises NotJson."""
    try:
        value: object = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        raise NotJson(error.lineno, f"is not JSON ({error.msg})") from error
    except UnicodeEncodeError as error:
        raise NotJson(1, "contains half a character, which is not valid text") from error
    except ValueError as error:
        raise NotJson(1, f"is not JSON ({error})") from error
    except RecursionError as error:
        raise NotJson(1, "is nested too deeply") from error


def line_number_of_place(text: str, place: str) -> int:
    """Return the number of the line, from 1, on which that place or its nearest parent begins."""
    at = _skip_spaces(text, 0)
    while place and (inner := _find_inner_value(text, at, place)):
        at, place = inner
    return text.count("\n", 0, at) + 1


def _find_inner_value(text: str, at: int, place: str) -> tuple[int, str] | None:
    """Return the index of the value that the first step of the place leads to, and the other steps.

    The step starts from the value at index `at`. Return None if there is no such value.
    """
    found: tuple[int, str] | None = None
    if text[at] == "{":
        for key, start in _iterate_members(text, at):
            if place == key or place.startswith((f"{key}.", f"{key}[")):
                found = start, place[len(key) :].removeprefix(".")
    elif text[at] == "[" and (step := _INDEX_PATTERN.match(place)):
        for number, start in enumerate(_iterate_items(text, at)):
            if number == int(step[1]):
                return start, place[step.end() :]
    return found


def _iterate_members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of the object at `at`, each with the start of its value."""
    at = _skip_spaces(text, at + 1)
    while text[at] != "}":
        key, at = _JSON_DECODER.raw_decode(text, at)
        start = _skip_spaces(text, _skip_spaces(text, at) + 1)
        yield key, start
        at = _index_after_value(text, start)


def _iterate_items(text: str, at: int) -> Iterator[int]:
    """Yield the starts of the values in the list at `at`."""
    at = _skip_spaces(text, at + 1)
    while text[at] != "]":
        yield at
        at = _index_after_value(text, at)


def _index_after_value(text: str, at: int) -> int:
    """Return the index after the value at `at`, its comma and spaces."""
    at = _skip_spaces(text, _JSON_DECODER.raw_decode(text, at)[1])
    return _skip_spaces(text, at + 1) if text[at] == "," else at


def _skip_spaces(text: str, at: int) -> int:
    space = _SPACES_PATTERN.match(text, at)
    return space.end() if space else at
