"""Time zones as choices for a form, grouped by region."""

from functools import lru_cache
from typing import Final

from duels.clocks.clock import zone_names

UTC: Final = "UTC"
REGIONS: Final = (
    "Africa America Antarctica Arctic Asia Atlantic Australia Europe Indian Pacific"
).split()
OTHER_REGIONS: Final = "Others"  # outdated names, and zones that do not belong to a region

ZoneGroup = tuple[str, tuple[tuple[str, str], ...]]


@lru_cache(maxsize=1)
def zone_groups() -> tuple[ZoneGroup, ...]:
    """Return all time zones as choices for a form, grouped by region, with UTC first."""
    groups: dict[str, list[tuple[str, str]]] = {region: [] for region in (*REGIONS, OTHER_REGIONS)}
    for name in sorted(zone_names() - {UTC}):
        region, _, place = name.partition("/")
        if region in REGIONS and place:
            groups[region].append((name, place.replace("_", " ").replace("/", " / ")))
        else:
            groups[OTHER_REGIONS].append((name, name))
    return (("", ((UTC, UTC),)), *((region, tuple(zones)) for region, zones in groups.items()))
