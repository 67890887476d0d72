from collections.abc import Iterator
from typing import Any

from django.db import migrations


def tell_removals(apps: Any, schema_editor: Any) -> None:
    """Whom a referee removed is told apart from who resigned, in what happened and from then on."""
    _rewrite(apps, standing="resigned", event="resigned", to=("removed", "wizard_removed"))


def tell_resignations(apps: Any, schema_editor: Any) -> None:
    """Backwards: both are told as resigning."""
    _rewrite(apps, standing="removed", event="wizard_removed", to=("resigned", "resigned"))


def _rewrite(apps: Any, *, standing: str, event: str, to: tuple[str, str]) -> None:
    Duel, Turn = apps.get_model("duels", "Duel"), apps.get_model("duels", "Turn")
    every = Turn._base_manager
    found = every.exclude(removed=[]).values_list("duel_id", flat=True)
    for duel_id in sorted(set(found.order_by())):
        duel = Duel.objects.get(pk=duel_id)
        turns = list(every.filter(duel=duel))
        for turn in turns:
            gone = {wizard for before in _before(turn, turns) for wizard in before.removed}
            _restate(turn.position, gone, standing, to[0])
            for each in (turn.events or {}).get("events", ()):
                if each["code"] == event and each["wizard"] in turn.removed:
                    each["code"] = to[1]
            turn.save(update_fields=["position", "events"])
        gone = {wizard for turn in turns if not turn.voided_in for wizard in turn.removed}
        if duel.final_position:
            _restate(duel.final_position, gone, standing, to[0])
            duel.save(update_fields=["final_position"])


def _before(turn: Any, turns: list[Any]) -> Iterator[Any]:
    """The turns that led to this one: of its own roll back, else of the next later, else those that
    count (voided in 0)."""
    for ordinal in range(turn.ordinal - 1, 0, -1):
        there = [each for each in turns if each.ordinal == ordinal]
        later = [each for each in there if 0 < turn.voided_in <= each.voided_in]
        turn = min(later or [each for each in there if not each.voided_in], key=_roll_back)
        yield turn


def _roll_back(turn: Any) -> int:
    number: int = turn.voided_in
    return number


def _restate(position: dict[str, Any], wizards: set[str], standing: str, to: str) -> None:
    for seat, wizard in enumerate(position["wizards"]):
        if f"w{seat}" in wizards and wizard.get("standing") == standing:
            wizard["standing"] = to


class Migration(migrations.Migration):
    """Standing and events say whom a referee removed."""

    dependencies = [
        ("duels", "0033_labels_of_draws"),
    ]

    operations = [
        migrations.RunPython(tell_removals, tell_resignations),
    ]
