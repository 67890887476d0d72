"""Time zones as a form offers them: by region, each under its own name."""

from functools import lru_cache
from typing import Final

from duels.clock import zone_names

UTC: Final = "UTC"
REGIONS: Final = (
    *("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic"),
    *("Australia", "Europe", "Indian", "Pacific"),
)
OTHERS: Final = "Others"  # old names, and those that follow no country's clocks

Group = tuple[str, tuple[tuple[str, str], ...]]


@lru_cache(maxsize=1)
def zone_groups() -> tuple[Group, ...]:
    """Every time zone as a choice with its words, in groups by region; UTC before all others."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in (*REGIONS, OTHERS)}
    for name in sorted(zone_names() - {UTC}):
        region, _, place = name.partition("/")
        if region in REGIONS and place:
            groups[region].append((name, _in_words(place)))
        else:
            groups[OTHERS].append((name, name))
    return (("", ((UTC, UTC),)), *((region, tuple(zones)) for region, zones in groups.items()))


def _in_words(place: str) -> str:
    return place.replace("_", " ").replace("/", " / ")
