"""The log of what referees do: the database refuses to change or to delete a line of it."""

from typing import Any

from django.db import migrations

ON_POSTGRESQL = """
CREATE FUNCTION duels_act_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'duels_act is append-only' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER duels_act_kept BEFORE UPDATE OR DELETE ON duels_act
    FOR EACH ROW EXECUTE FUNCTION duels_act_is_kept();
"""
OFF_POSTGRESQL = """
DROP TRIGGER duels_act_kept ON duels_act;
DROP FUNCTION duels_act_is_kept();
"""
SQLITE_EVENTS = ("update", "delete")
ON_SQLITE = """
CREATE TRIGGER duels_act_no_{event} BEFORE {event} ON duels_act
BEGIN
    SELECT RAISE(ABORT, 'duels_act is append-only');
END
"""


def _keep(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(ON_POSTGRESQL)
    else:
        for event in SQLITE_EVENTS:
            editor.execute(ON_SQLITE.format(event=event))


def _let_go(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(OFF_POSTGRESQL)
    else:
        for event in SQLITE_EVENTS:
            editor.execute(f"DROP TRIGGER duels_act_no_{event}")


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0023_acts"),
    ]

    operations = [migrations.RunPython(_keep, _let_go)]
