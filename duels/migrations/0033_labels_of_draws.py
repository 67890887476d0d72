import re
from typing import Any

from django.db import migrations

FIRST_FORMAT = 1
LABEL = re.compile(
    r"(turn \d+ (?:extra |haste )?(?:set \d+ )?confusion )(.+?)"
    r"( hand| gesture| victim| attack \d+ victim| attack \d+)"
)


def label_by_id(label: str, being: str) -> str:
    """The label of a draw with the id of its being instead of the name."""
    found = LABEL.fullmatch(label)
    return f"{found[1]}{being}{found[3]}" if found else label


def name_beings_by_ids(apps: Any, schema_editor: Any) -> None:
    """Draws that fell are kept under their labels as they are made now: the seed would give others
    under these, so they are laid down; whatever is drawn later comes from the seed."""
    Duel, Turn = apps.get_model("duels", "Duel"), apps.get_model("duels", "Turn")
    for duel in Duel.objects.filter(link_format=FIRST_FORMAT).iterator():
        fallen: dict[str, int] = {}
        names: dict[str, str] = {}
        for turn in Turn.objects.filter(duel=duel).order_by("pk"):
            wizards = turn.position.get("wizards", ())
            names |= {wizard["name"]: f"w{seat}" for seat, wizard in enumerate(wizards)}
            draws = [e for e in (turn.events or {}).get("events", ()) if e["code"] == "drew"]
            for draw in draws:
                draw["label"] = label_by_id(draw["label"], draw["being"])
                fallen[draw["label"]] = draw["value"]
            if draws:
                turn.save(update_fields=["events"])
        laid = {
            label_by_id(label, names.get(found[2], found[2]) if found else ""): value
            for label, value in (duel.recorded_draws or {}).items()
            for found in [LABEL.fullmatch(label)]
        }
        if laid or fallen:
            duel.recorded_draws = laid | fallen
            duel.save(update_fields=["recorded_draws"])


class Migration(migrations.Migration):
    """Labels of draws hold ids. Backwards nothing is done: what fell is laid down and stays."""

    dependencies = [
        ("duels", "0032_links"),
    ]

    operations = [
        migrations.RunPython(name_beings_by_ids, migrations.RunPython.noop),
    ]
