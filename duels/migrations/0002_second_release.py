"""The tables of duels at the second release.

It replaces the migrations from after release 0.1.0; a database must have either none or all of
them. Tables are changed in the order in which transactions of the site lock them, because workers
of the previous release may still be running.
"""

from typing import Any

import django.db.models.deletion
from django.core.management import call_command
from django.db import migrations, models
from django.db.models.functions import Now

CACHE_TABLE = "shared_cache"
LINKED_WITH_RECORD = 1
SALTS_BY_SEED = 3


def mark_sent(apps: Any, editor: Any) -> None:
    """Mark the alarms that were emailed before their delivery had a status."""
    alarms = apps.get_model("duels", "Alarm")
    alarms.objects.filter(sent_at__isnull=False, status="queued").update(status="sent")


def link_with_record(apps: Any, editor: Any) -> None:
    """Link duels whose draws were fixed in advance with the record.

    Their first link did not cover these draws, so nothing could show that the duels began with
    them. Only the sample duel of the demonstration has any.
    """
    duels = apps.get_model("duels", "Duel").objects.filter(recorded_draws__isnull=False)
    duels.filter(link_format=SALTS_BY_SEED, started_at__isnull=False).update(
        link_format=LINKED_WITH_RECORD
    )


def create_cache_table(apps: Any, editor: Any) -> None:
    """Create the table of Django's database cache.

    The table that it replaces stays for one release, because processes of release 0.1.0 still use
    it while they are being replaced.
    """
    call_command("createcachetable", CACHE_TABLE, database=editor.connection.alias, verbosity=0)


def drop_cache_table(apps: Any, editor: Any) -> None:
    editor.execute(f"DROP TABLE {CACHE_TABLE}")


class Migration(migrations.Migration):
    replaces = [
        ("duels", "0002_labels"),
        ("duels", "0003_alarm_outbox"),
        ("duels", "0004_sent_alarms"),
        ("duels", "0005_site_keys"),
        ("duels", "0006_first_link"),
        ("duels", "0007_relink_recorded_draws"),
        ("duels", "0008_rejected_seals"),
        ("duels", "0009_form_submissions"),
        ("duels", "0010_cache_table"),
        ("duels", "0011_open_to_guests"),
        ("duels", "0012_rated"),
        ("duels", "0013_counter_proposals"),
        ("duels", "0014_paired"),
        ("duels", "0015_about_wizards"),
        ("duels", "0016_draw_declined"),
    ]

    dependencies = [
        ("duels", "0001_first_release"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="duel",
            name="duel_ended",
        ),
        migrations.AddField(
            model_name="duel",
            name="chain",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="duel",
            name="counter_to",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="counters",
                to="duels.duel",
            ),
        ),
        migrations.AddField(
            model_name="duel",
            name="open_to_guests",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="duel",
            name="paired",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="duel",
            name="rated",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="duel",
            name="ended",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", "not ended"),
                    ("rules", "by the rules"),
                    ("resigned", "by resigning"),
                    ("agreed", "by agreement"),
                    ("time", "by timeout"),
                    ("claimed", "by a claim"),
                    ("abandoned", "abandoned"),
                    ("removed", "by a referee, who removed a player"),
                    ("declared", "by a referee, who declared the result"),
                    ("annulled", "annulled"),
                    ("withdrawn", "withdrawn"),
                    ("declined", "declined"),
                    ("expired", "expired"),
                    ("countered", "answered with other terms"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="duel",
            name="link_format",
            field=models.PositiveSmallIntegerField(default=4),
        ),
        migrations.AlterField(
            model_name="duel",
            name="visibility",
            field=models.CharField(
                choices=[("public", "everyone can watch"), ("private", "only its players")],
                default="public",
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "ended__in",
                        [
                            "",
                            "rules",
                            "resigned",
                            "agreed",
                            "time",
                            "claimed",
                            "abandoned",
                            "removed",
                            "declared",
                            "annulled",
                            "withdrawn",
                            "declined",
                            "expired",
                            "countered",
                        ],
                    )
                ),
                name="duel_ended",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("rated", False),
                    models.Q(("lesson", ""), ("visibility", "public")),
                    _connector="OR",
                ),
                name="duel_rated_is_public",
            ),
        ),
        migrations.AddField(
            model_name="turn",
            name="rejections",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="draw_declined_in",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="about",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="wizard",
            name="seen_on",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="wizard",
            name="shows_last_seen",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RemoveIndex(
            model_name="alarm",
            name="alarm_untold",
        ),
        migrations.AlterModelOptions(
            name="alarm",
            options={},
        ),
        # The columns keep their names, which workers of the previous release use.
        migrations.AlterField(
            model_name="alarm",
            name="raised_at",
            field=models.DateTimeField(db_column="raised_at"),
        ),
        migrations.RenameField(
            model_name="alarm",
            old_name="raised_at",
            new_name="created_at",
        ),
        migrations.AlterField(
            model_name="alarm",
            name="told_at",
            field=models.DateTimeField(blank=True, db_column="told_at", null=True),
        ),
        migrations.RenameField(
            model_name="alarm",
            old_name="told_at",
            new_name="sent_at",
        ),
        migrations.AlterModelOptions(
            name="alarm",
            options={"ordering": ("-created_at", "-pk")},
        ),
        migrations.AddField(
            model_name="alarm",
            name="claimed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RemoveConstraint(
            model_name="alarm",
            name="alarm_kind",
        ),
        migrations.AddField(
            model_name="alarm",
            name="attempts",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="alarm",
            name="due_at",
            field=models.DateTimeField(db_default=Now()),
        ),
        migrations.AddField(
            model_name="alarm",
            name="last_error",
            field=models.TextField(blank=True, db_default=""),
        ),
        migrations.AddField(
            model_name="alarm",
            name="status",
            field=models.CharField(
                choices=[
                    ("queued", "queued"),
                    ("sending", "being sent"),
                    ("sent", "sent"),
                    ("failed", "given up"),
                    ("dropped", "not sent"),
                ],
                db_default="queued",
                default="queued",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="alarm",
            name="was_interrupted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AlterField(
            model_name="alarm",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "a turn does not resolve"),
                    ("deadline", "deadlines of a duel fail"),
                    ("release", "this release plays a ruleset differently"),
                    ("keys", "a process has other keys"),
                    ("clock", "a process has a wrong clock"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["turn", "deadline", "release", "keys", "clock"])),
                name="alarm_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="alarm",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["queued", "sending", "sent", "failed", "dropped"])
                ),
                name="alarm_status",
            ),
        ),
        migrations.AlterField(
            model_name="act",
            name="kind",
            field=models.CharField(
                choices=[
                    ("pause", "pause the duel"),
                    ("go_on", "resume the duel"),
                    ("extend", "give time"),
                    ("restart_clock", "restart clocks"),
                    ("excuse", "excuse an absence"),
                    ("defaults", "play default orders"),
                    ("roll_back", "roll back"),
                    ("remove", "remove a player"),
                    ("replace", "replace a player"),
                    ("declare", "declare a result"),
                    ("annul", "annul the duel"),
                    ("lock_speech", "lock messages"),
                    ("unlock_speech", "unlock messages"),
                    ("remove_words", "remove a message"),
                    ("rename", "rename a wizard"),
                    ("suspend", "suspend a wizard"),
                    ("reinstate", "reinstate a wizard"),
                    ("message", "write to players"),
                    ("open_sealed", "look at sealed or hidden orders"),
                    ("ruling", "rule"),
                    ("open_dispute", "a dispute was opened"),
                    ("close_dispute", "a dispute was closed"),
                    ("nudge", "check again if a turn is complete"),
                    ("send_again", "send an email again"),
                ],
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(max_length=254, verbose_name="email address"),
        ),
        migrations.CreateModel(
            name="RejectedSeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "stage",
                    models.CharField(
                        choices=[
                            ("orders", "orders"),
                            ("answers", "answers"),
                            ("resolved", "resolved"),
                            ("void", "not played"),
                        ],
                        default="orders",
                        max_length=8,
                    ),
                ),
                ("batch", models.PositiveSmallIntegerField(default=0)),
                ("before", models.PositiveSmallIntegerField()),
                ("body", models.TextField(editable=False)),
                ("commitment", models.CharField(max_length=64)),
                ("code", models.CharField(max_length=40)),
                ("rejected_at", models.DateTimeField()),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_seals",
                        to="duels.seat",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rejected_seals",
                        to="duels.turn",
                    ),
                ),
            ],
            options={
                "ordering": ("turn", "pk"),
                "constraints": [
                    models.UniqueConstraint(
                        models.F("turn"),
                        models.F("commitment"),
                        models.F("code"),
                        name="rejected_seal_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("batch", 0), ("stage", "orders")),
                            models.Q(("batch__gte", 1), ("stage", "answers")),
                            _connector="OR",
                        ),
                        name="rejected_seal_stage",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("commitment__regex", "^[0-9a-f]{64}$")),
                        name="rejected_seal_commitment",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SiteKey",
            fields=[
                (
                    "purpose",
                    models.CharField(
                        choices=[("seals", "sealed orders"), ("links", "sessions and links")],
                        max_length=5,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("earlier", models.JSONField(blank=True, default=list)),
                ("noted_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("purpose__in", ["seals", "links"])),
                        name="site_key_purpose",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("content", models.CharField(max_length=64)),
                ("address", models.CharField(blank=True, max_length=500)),
                ("message", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RunPython(create_cache_table, drop_cache_table),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="CachedValue")]
        ),
        migrations.RunPython(mark_sent, migrations.RunPython.noop),
        migrations.RunPython(link_with_record, migrations.RunPython.noop),
    ]
