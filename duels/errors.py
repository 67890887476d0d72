"""What a command answers instead of doing it. None of these leaves anything changed."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine import Caution, Fault

Fields = Mapping[str, str]


class Refused(Exception):
    """A person may not do this. `code` is permanent; `text` is a sentence to show."""

    def __init__(self, code: str, text: str, *, field: str = "", rule: str = "") -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return self.text


class IllegalOrders(Refused):
    """The orders break rules: all their faults, and the fields as they were handed in."""

    def __init__(self, faults: "Sequence[Fault]", fields: Fields) -> None:
        first = faults[0]
        super().__init__("illegal_orders", first.text, field=first.field, rule=first.rule)
        self.faults = tuple(faults)
        self.fields = dict(fields)


@dataclass(frozen=True)
class Version:
    """One version of somebody's own orders, with the seal that a form made from it carries."""

    fields: Fields
    seal: str
    sealed_at: str = ""


class Stale(Refused):
    """The form was made from an older seal: what is sealed now, and what was handed in."""

    def __init__(self, current: Version, yours: Version) -> None:
        super().__init__("stale", "These orders were changed elsewhere in the meantime.")
        self.current = current
        self.yours = yours


class Unwarned(Refused):
    """The orders may be sealed, but deserve warnings that nobody has read yet."""

    def __init__(self, cautions: "Sequence[Caution]") -> None:
        first = cautions[0]
        super().__init__("unwarned", first.text, rule=first.rule)
        self.cautions = tuple(cautions)


class KeyGone(Refused):
    """No key of `SEAL_KEYS` opens what was to be read. What it is stays as it lies."""

    def __init__(self) -> None:
        text = (
            "What was sealed here cannot be read: the key that it was encrypted with is gone. "
            "Nothing has changed; the operator of the site has to see to it."
        )
        super().__init__("key_gone", text)


class ResolutionFailed(Exception):
    """A turn could not be resolved. Names duel and turn, never what was ordered."""


def described(error: Exception) -> str:
    """What kind of error, and where it was raised; for logs and the admin.

    Without its message: that may hold what somebody has sealed.
    """
    places = traceback.extract_tb(error.__traceback__)[-3:]
    trace = ", ".join(f"{Path(place.filename).name}:{place.lineno}" for place in places)
    return f"{type(error).__name__} at {trace}"
