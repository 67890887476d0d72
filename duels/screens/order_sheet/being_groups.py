"""Headings for lists of beings, such as wizards and each wizard's monsters."""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.play import BeingView, View

WIZARDS_HEADING: Final = "Wizards"
OWN_MONSTERS_HEADING: Final = "Your monsters"
FREE_MONSTERS_HEADING: Final = "Monsters that obey nobody"
UNSEEN_MONSTERS_HEADING: Final = "Monsters as you last saw them"
CORPSES_HEADING: Final = "Corpses"
FUTURE_MONSTERS_HEADING: Final = "Not summoned yet"

Groups = Mapping[str, str]


def being_groups(view: View, wizard: str) -> Groups:
    """Return the headings of all beings that this wizard knows, by id, sorted by heading.

    If there are no monsters, return no headings, because a list of wizards does not need them.
    """
    if all(being.kind == "wizard" for being in view.status):
        return {}
    found = {being.id: _group_heading(being, wizard, view.names) for being in view.status}
    last = (FREE_MONSTERS_HEADING, UNSEEN_MONSTERS_HEADING, CORPSES_HEADING)
    first = (WIZARDS_HEADING, OWN_MONSTERS_HEADING)
    others = [group for group in dict.fromkeys(found.values()) if group not in first + last]
    order = [*first, *others, *last]
    return dict(sorted(found.items(), key=lambda row: order.index(row[1])))


def with_group_headings(beings: Iterable[str], groups: Groups) -> list[tuple[str, str]]:
    """Return these options with their headings, sorted. Only beings have a heading."""
    if not groups:
        return [(being, "") for being in beings]
    order = list(dict.fromkeys(groups.values()))
    rows = [
        (being, groups.get(being) or (FUTURE_MONSTERS_HEADING if ":" in being else ""))
        for being in beings
    ]
    return sorted(rows, key=lambda row: _group_rank(row[1], order))


def _group_rank(group: str, order: list[str]) -> int:
    if group in order:
        return order.index(group)
    return len(order) + (group != FUTURE_MONSTERS_HEADING)


def _group_heading(being: BeingView, wizard: str, names: Mapping[str, str]) -> str:
    if being.kind == "wizard":
        return WIZARDS_HEADING
    if being.state == "unseen":
        return UNSEEN_MONSTERS_HEADING
    if being.state == "corpse":
        return CORPSES_HEADING
    if not being.group:
        return FREE_MONSTERS_HEADING
    return OWN_MONSTERS_HEADING if being.group == wizard else f"{names[being.group]}’s monsters"
