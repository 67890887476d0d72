"""Questions that wait for answers keep all that is told of them. rules: turn:answers"""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

WORDS = {"fire": "fire", "ice": "ice", "L": "the left hand", "R": "the right hand"}


def add_words(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Until now only elements and hands were asked for, with one answer chosen beforehand."""
    for turn in apps.get_model("duels", "Turn").objects.filter(stage="answers"):
        turn.questions = [with_words(question) for question in turn.questions]
        turn.save(update_fields=["questions"])


def with_words(question: dict[str, Any]) -> dict[str, Any]:
    more = {"spell": "", "hand": "", "number": 0, "labels": [], "is_preset": True, "made": {}}
    words = [WORDS[option] for option in question["options"]]
    return {**more, "words": words, **question}


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0002_markers"),
    ]

    operations = [
        migrations.RunPython(add_words, migrations.RunPython.noop),
    ]
