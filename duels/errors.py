"""Errors raised by commands. A command that raises one of them has not changed anything."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.play import Caution, Fault

Fields = Mapping[str, str]


class Refused(Exception):
    """Error for an action that is not allowed. `code` is a permanent identifier; `text` is a
    sentence for the user."""

    def __init__(self, code: str, text: str, *, field: str = "", rule: str = "") -> None:
        super().__init__(code, text)
        self.code = code
        self.text = text
        self.field = field
        self.rule = rule

    def __str__(self) -> str:
        return self.text


class IllegalOrders(Refused):
    """Error for orders that break the rules, with all faults and the submitted fields."""

    def __init__(self, faults: "Sequence[Fault]", fields: Fields) -> None:
        first = faults[0]
        super().__init__("illegal_orders", first.text, field=first.field, rule=first.rule)
        self.faults = tuple(faults)
        self.fields = dict(fields)


@dataclass(frozen=True)
class OrdersVersion:
    """One version of a wizard's orders. Forms based on it refer to its `seal`."""

    fields: Fields
    seal: str
    sealed_at: str = ""


class StaleForm(Refused):
    """Error for a form based on an older seal, with the current and the submitted version."""

    def __init__(self, current: OrdersVersion, yours: OrdersVersion) -> None:
        super().__init__(
            "stale",
            "These orders have changed in another window or on another device.",
        )
        self.current = current
        self.yours = yours


class UnreadWarnings(Refused):
    """Error for legal orders that cause warnings the wizard has not read yet."""

    def __init__(self, cautions: "Sequence[Caution]") -> None:
        first = cautions[0]
        super().__init__("unwarned", first.text, rule=first.rule)
        self.cautions = tuple(cautions)


class MissingKey(Refused):
    """Error for encrypted text that no key in `SEAL_KEYS` can decrypt. The text is not changed."""

    def __init__(self) -> None:
        text = (
            "The sealed orders cannot be read, because this site has lost the key that "
            "encrypted them. Nothing has changed. The site’s operator must fix this."
        )
        super().__init__("key_gone", text)


class ResolutionFailed(Exception):
    """Error for a turn that cannot be resolved. The message names the duel and the turn, but never
    contains orders."""


def error_summary(error: Exception) -> str:
    """Return an error's type and place. Leave out its message, which may contain sealed text."""
    places = traceback.extract_tb(error.__traceback__)[-3:]
    trace = ", ".join(f"{Path(place.filename).name}:{place.lineno}" for place in places)
    return f"{type(error).__name__} at {trace}"
