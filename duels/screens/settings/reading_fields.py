"""The form for reading preferences in the settings."""

from dataclasses import asdict, dataclass

from duels.accounts.preferences import CHOICES, FIELDS, HELP, LABELS, ZONE, ReadingPreferences
from duels.clocks.zones import Group, zone_groups

NO_ZONE: Group = ("", (("", "same as my browser"),))


@dataclass(frozen=True)
class ReadingField:
    """A field for one preference, with grouped choices and the current choice."""

    name: str
    label: str
    groups: tuple[Group, ...]  # the group named "" has choices without a heading
    chosen: str
    help: str


def reading_fields(reading: ReadingPreferences) -> list[ReadingField]:
    """Return the fields of the form."""
    chosen = asdict(reading)
    return [
        ReadingField(name, LABELS[name], _choice_groups(name), chosen[name], HELP.get(name, ""))
        for name in FIELDS
    ]


def _choice_groups(name: str) -> tuple[Group, ...]:
    if name == ZONE:
        return (NO_ZONE, *zone_groups())
    return (("", tuple(CHOICES[name].items())),)
