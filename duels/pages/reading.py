"""The settings' form of how one likes to read."""

from dataclasses import asdict, dataclass

from duels.preferences import CHOICES, FIELDS, HELP, LABELS, ZONE, ReadingPreferences
from duels.zones import Group, zone_groups

NO_ZONE: Group = ("", (("", "same as my browser"),))


@dataclass(frozen=True)
class ReadingField:
    """One preference: what there is to choose, in groups, and what is chosen."""

    name: str
    label: str
    groups: tuple[Group, ...]  # one without a name holds choices that belong to no group
    chosen: str
    help: str


def reading_fields(reading: ReadingPreferences) -> list[ReadingField]:
    """The preferences one by one."""
    chosen = asdict(reading)
    return [
        ReadingField(name, LABELS[name], _groups(name), chosen[name], HELP.get(name, ""))
        for name in FIELDS
    ]


def _groups(name: str) -> tuple[Group, ...]:
    if name == ZONE:
        return (NO_ZONE, *zone_groups())
    return (("", tuple(CHOICES[name].items())),)
