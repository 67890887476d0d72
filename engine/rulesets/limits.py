"""What an order of play cannot play: values of fields that its phases would only pretend to follow.

A field that is not listed decides under every order of play, and a test looks.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.rulesets.choices import SEALED, STEPWISE, Asking, Haste, Minds, TimeStop


@dataclass(frozen=True, slots=True)
class Limit:
    """The only value of a field that an order of play has phases for, and why."""

    value: object
    reason: str


LIMITS: Final[Mapping[str, Mapping[str, Limit]]] = {
    SEALED: {
        "asking": Limit(Asking.AFTER_MAGIC, "orders are whole when they are sealed"),
        "haste": Limit(Haste.TWO_SETS, "it has no phase of the hasted alone"),
        "minds": Limit(Minds.BY_TURN, "all sets of a turn are made at once"),
    },
    STEPWISE: {
        "asking": Limit(Asking.AT_EVERY_STEP, "its steps ask as they come up"),
        "haste": Limit(Haste.OWN_PHASE, "one of its phases has one set"),
        "minds": Limit(Minds.NEXT_ROW, "its phases do not know in which turn the next row is"),
        "time_stop": Limit(TimeStop.OWN_PHASE, "its time stop is over with its phase"),
        "subjects_to_come": Limit(False, "spells are aimed before any monster is made"),
        "subject_picks_element": Limit(True, "an elemental is its subject's before it has a kind"),
        "removal_unmakes_summons": Limit(False, "monsters are made after removals are aimed"),
        "minds_in_force_cancel": Limit(False, "the spell in force is over when the row is made"),
    },
}


def refusals(order_of_play: str, value_of: Callable[[str], object]) -> Iterator[str]:
    """What the order of play cannot play of these values, each named with the reason."""
    for field, limit in LIMITS[order_of_play].items():
        value = value_of(field)
        if value != limit.value:
            yield f"{field} cannot be {value!r} in {order_of_play} play: {limit.reason}"
