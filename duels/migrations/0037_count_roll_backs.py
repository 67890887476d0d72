from collections import defaultdict
from typing import Any

from django.db import migrations


def count_roll_backs(apps: Any, schema_editor: Any) -> None:
    """Each turn knows how many roll backs its duel had when it was opened: up to the one that made
    it void, the last that went back as far as to it."""
    turn = apps.get_model("duels", "Turn")
    rolled_back = turn.objects.filter(voided_in__gt=0).values_list("duel", flat=True)
    turns = defaultdict(list)
    for row in turn.objects.filter(duel__in=rolled_back.distinct()):
        turns[row.duel_id].append(row)
    for rows in turns.values():
        back_to: dict[int, int] = {}
        for row in rows:
            if row.voided_in:
                back_to[row.voided_in] = min(row.ordinal, back_to.get(row.voided_in, row.ordinal))
        for row in rows:
            before = [
                number
                for number, ordinal in back_to.items()
                if ordinal <= row.ordinal and (not row.voided_in or number < row.voided_in)
            ]
            row.roll_backs = max(before, default=0)
        turn.objects.bulk_update(rows, ["roll_backs"], batch_size=500)


class Migration(migrations.Migration):
    """Turns that are there count the roll backs before them."""

    dependencies = [
        ("duels", "0036_seeds"),
    ]

    operations = [migrations.RunPython(count_roll_backs, migrations.RunPython.noop)]
