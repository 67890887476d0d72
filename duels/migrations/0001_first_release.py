"""The tables of accounts, wizards, duels, turns, orders and acts at release 0.1.0.

It replaces the migrations from before the first release; a database must have either none or
all of them.
"""

import datetime
from typing import Any

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

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


def protect_acts(apps: Any, editor: Any) -> None:
    """Make the database reject changes to the log of acts."""
    if editor.connection.vendor == "postgresql":
        editor.execute(ON_POSTGRESQL)
    else:
        for event in SQLITE_EVENTS:
            editor.execute(ON_SQLITE.format(event=event))


def unprotect_acts(apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute(OFF_POSTGRESQL)
    else:
        for event in SQLITE_EVENTS:
            editor.execute(f"DROP TRIGGER duels_act_no_{event}")


def make_referees(apps: Any, editor: Any) -> None:
    """Create the group of referees. It gives none of Django's permissions."""
    apps.get_model("auth", "Group").objects.get_or_create(name="referees")


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("duels", "0001_initial"),
        ("duels", "0002_markers"),
        ("duels", "0003_question_words"),
        ("duels", "0004_speech"),
        ("duels", "0005_guests"),
        ("duels", "0006_reading"),
        ("duels", "0007_hand_over_notices"),
        ("duels", "0008_seat_duel_ended_at"),
        ("duels", "0009_fill_duel_ended_at"),
        ("duels", "0010_list_indexes"),
        ("duels", "0011_skeletons"),
        ("duels", "0012_count_awaited_wizards"),
        ("duels", "0013_clocks"),
        ("duels", "0014_start_clocks"),
        ("duels", "0015_pace_text"),
        ("duels", "0016_pauses"),
        ("duels", "0017_vacations"),
        ("duels", "0018_last_sweep"),
        ("duels", "0019_time_given_back"),
        ("duels", "0020_turn_release"),
        ("duels", "0021_referees"),
        ("duels", "0022_cachedvalue"),
        ("duels", "0023_acts"),
        ("duels", "0024_acts_are_kept"),
        ("duels", "0025_alarms"),
        ("duels", "0026_wizard_wish"),
        ("duels", "0027_wish_wizards"),
        ("duels", "0028_void_turns"),
        ("duels", "0029_release_checks"),
        ("duels", "0030_referees_words_and_suspensions"),
        ("duels", "0031_account_closing"),
        ("duels", "0032_links"),
        ("duels", "0033_labels_of_draws"),
        ("duels", "0034_whom_referees_removed"),
        ("duels", "0035_names_of_duels"),
        ("duels", "0036_seeds"),
        ("duels", "0037_count_roll_backs"),
        ("duels", "0038_question_rounds"),
        ("duels", "0039_lapsed_in_plain_words"),
        ("duels", "0040_ask_those_who_are_out"),
        ("duels", "0041_encrypt_second_factors"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="CachedValue",
            fields=[
                ("key", models.CharField(max_length=250, primary_key=True, serialize=False)),
                ("value", models.JSONField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="LastSweep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("began_at", models.DateTimeField()),
                ("outage_since", models.DateTimeField(null=True)),
                ("outage_until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="ReleaseCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fingerprint", models.CharField(max_length=64)),
                ("release", models.CharField(max_length=20)),
                ("checked_at", models.DateTimeField()),
                ("turns", models.PositiveIntegerField(default=0)),
                ("held", models.JSONField(blank=True, default=list)),
                ("words", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text=(
                            "Designates that this user has all permissions without "
                            "explicitly assigning them."
                        ),
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text=(
                            "Designates whether this user should be treated as active. "
                            "Unselect this instead of deleting accounts."
                        ),
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail address")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text=(
                            "The groups this user belongs to. A user will get all "
                            "permissions granted to each of their groups."
                        ),
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Alarm",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("turn", "a turn does not resolve"),
                            ("deadline", "deadlines of a duel fail"),
                            ("release", "this release plays a ruleset otherwise"),
                        ],
                        max_length=10,
                    ),
                ),
                ("about", models.CharField(max_length=80)),
                ("words", models.TextField()),
                ("raised_at", models.DateTimeField()),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-raised_at", "-pk"),
                "indexes": [
                    models.Index(
                        models.F("raised_at"),
                        condition=models.Q(("ended_at__isnull", True), ("told_at__isnull", True)),
                        name="alarm_untold",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["turn", "deadline", "release"])),
                        name="alarm_kind",
                    ),
                    models.UniqueConstraint(
                        models.F("kind"),
                        models.F("about"),
                        condition=models.Q(("ended_at__isnull", True)),
                        name="alarm_open_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Duel",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ruleset", models.CharField(max_length=40)),
                ("options", models.JSONField(blank=True, default=list)),
                ("size", models.PositiveSmallIntegerField(default=2)),
                ("pace", models.CharField(default="259200", max_length=60)),
                ("excuses", models.PositiveSmallIntegerField(default=2)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("halted_at", models.DateTimeField(blank=True, null=True)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("held_at", models.DateTimeField(blank=True, null=True)),
                ("speech_locked_at", models.DateTimeField(blank=True, null=True)),
                ("last_act", models.PositiveIntegerField(default=0)),
                (
                    "visibility",
                    models.CharField(
                        choices=[
                            ("public", "everybody may watch"),
                            ("private", "only its wizards"),
                        ],
                        default="public",
                        max_length=8,
                    ),
                ),
                ("words", models.CharField(blank=True, max_length=200)),
                ("name", models.CharField(blank=True, max_length=40)),
                ("open", models.BooleanField(default=False)),
                ("token", models.CharField(blank=True, max_length=43, null=True, unique=True)),
                ("lesson", models.CharField(blank=True, max_length=20)),
                ("setup", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("gathering", "gathering"),
                            ("lapsed", "ended without a duel"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("over", "over"),
                            ("annulled", "annulled"),
                        ],
                        default="gathering",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "ended",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not ended"),
                            ("rules", "by the rules"),
                            ("resigned", "by resigning"),
                            ("agreed", "by agreement"),
                            ("time", "by time"),
                            ("claimed", "by a claim"),
                            ("abandoned", "abandoned"),
                            ("removed", "by a referee, who removed somebody"),
                            ("declared", "by a referee, who declared the result"),
                            ("annulled", "annulled"),
                            ("withdrawn", "withdrawn"),
                            ("declined", "declined"),
                            ("expired", "expired"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("result", models.CharField(blank=True, max_length=4)),
                ("seed", models.TextField(blank=True, editable=False)),
                ("seed_commitment", models.CharField(blank=True, max_length=64)),
                ("seed_roll_backs", models.PositiveIntegerField(default=0)),
                ("past_seeds", models.JSONField(blank=True, default=list, editable=False)),
                ("recorded_draws", models.JSONField(blank=True, editable=False, null=True)),
                ("link_format", models.PositiveSmallIntegerField(default=3)),
                ("final_position", models.JSONField(blank=True, editable=False, null=True)),
                (
                    "rematch_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rematches",
                        to="duels.duel",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Act",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pause", "stop the clocks"),
                            ("go_on", "let the duel go on"),
                            ("extend", "give time"),
                            ("restart_clock", "restart clocks"),
                            ("excuse", "excuse an absence"),
                            ("defaults", "play default orders"),
                            ("roll_back", "roll back"),
                            ("remove", "remove a player"),
                            ("replace", "replace a player"),
                            ("declare", "declare a result"),
                            ("annul", "annul the duel"),
                            ("lock_speech", "lock speech"),
                            ("unlock_speech", "allow speech again"),
                            ("remove_words", "remove words"),
                            ("rename", "rename a wizard"),
                            ("suspend", "suspend a wizard"),
                            ("reinstate", "reinstate a wizard"),
                            ("message", "write to players"),
                            ("open_sealed", "look at what is sealed or fogged"),
                            ("ruling", "rule"),
                            ("open_dispute", "a dispute was opened"),
                            ("close_dispute", "a dispute was closed"),
                            ("nudge", "look again whether a turn is complete"),
                            ("send_again", "send a mail again"),
                        ],
                        max_length=16,
                    ),
                ),
                ("case", models.PositiveIntegerField(blank=True, null=True)),
                ("referee", models.BigIntegerField()),
                ("referee_name", models.CharField(max_length=60)),
                ("seat", models.CharField(blank=True, max_length=2)),
                ("wizard_id", models.BigIntegerField(blank=True, null=True)),
                ("turn", models.PositiveIntegerField(blank=True, null=True)),
                ("reason", models.CharField(max_length=1000)),
                ("facts", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField()),
                ("chain", models.CharField(max_length=64)),
                (
                    "duel",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts",
                        to="duels.duel",
                    ),
                ),
            ],
            options={
                "ordering": ("duel", "ordinal"),
            },
        ),
        migrations.CreateModel(
            name="RefereeMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("readers", models.JSONField(default=list)),
                ("words", models.TextField()),
                ("salt", models.CharField(max_length=64)),
                (
                    "act",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="message",
                        to="duels.act",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("place", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("invited_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "still in it"),
                            ("won", "won"),
                            ("drew", "drew"),
                            ("lost", "lost"),
                            ("resigned", "resigned"),
                            ("forfeited", "ran out of time"),
                            ("removed", "removed by a referee"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("awaited", models.BooleanField(default=False)),
                ("awaited_since", models.DateTimeField(blank=True, null=True)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("remind_at", models.DateTimeField(blank=True, null=True)),
                ("clock_left", models.DurationField(blank=True, null=True)),
                ("is_reminded", models.BooleanField(default=False)),
                ("excuses_left", models.PositiveSmallIntegerField(default=0)),
                ("missed_turns", models.PositiveSmallIntegerField(default=0)),
                ("missed_in", models.PositiveIntegerField(blank=True, null=True)),
                ("given_back_in", models.PositiveIntegerField(blank=True, null=True)),
                ("duel_ended_at", models.DateTimeField(blank=True, null=True)),
                ("draw_offered_in", models.PositiveIntegerField(blank=True, null=True)),
                ("asks_pause", models.BooleanField(default=False)),
                ("read_turn", models.PositiveIntegerField(default=0)),
                ("read_speech", models.BigIntegerField(default=0)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="duels.duel",
                    ),
                ),
            ],
            options={
                "ordering": ("place", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Turn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                ("voided_in", models.PositiveIntegerField(default=0)),
                ("roll_backs", models.PositiveIntegerField(default=0)),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("normal", "normal"), ("haste", "haste"), ("extra", "extra")],
                        default="normal",
                        max_length=6,
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
                ("position", models.JSONField(editable=False)),
                ("events", models.JSONField(blank=True, editable=False, null=True)),
                ("resigned", models.JSONField(blank=True, default=list)),
                ("forfeited", models.JSONField(blank=True, default=list)),
                ("removed", models.JSONField(blank=True, default=list)),
                ("silenced", models.JSONField(blank=True, default=list)),
                ("excused", models.JSONField(blank=True, default=list)),
                ("questions", models.JSONField(blank=True, default=list, editable=False)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("chain", models.CharField(blank=True, max_length=64)),
                ("release", models.CharField(blank=True, default="", max_length=20)),
                ("acts", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("last_error", models.TextField(blank=True)),
                ("failed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="duels.duel",
                    ),
                ),
            ],
            options={
                "ordering": ("duel", "ordinal"),
            },
        ),
        migrations.CreateModel(
            name="QuestionRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("batch", models.PositiveSmallIntegerField()),
                ("asked_at", models.DateTimeField()),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="question_rounds",
                        to="duels.turn",
                    ),
                ),
            ],
            options={
                "ordering": ("turn", "batch"),
            },
        ),
        migrations.CreateModel(
            name="Orders",
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
                ("body", models.TextField(editable=False)),
                ("commitment", models.CharField(max_length=64)),
                (
                    "source",
                    models.CharField(
                        choices=[("player", "the player"), ("default", "the defaults")],
                        default="player",
                        max_length=8,
                    ),
                ),
                ("sealed_at", models.DateTimeField()),
                ("superseded", models.BooleanField(default=False)),
                ("taken_back_at", models.DateTimeField(blank=True, null=True)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="orders",
                        to="duels.seat",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="orders",
                        to="duels.turn",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "orders",
                "ordering": ("turn", "seat", "stage", "batch", "pk"),
            },
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("body", models.TextField(editable=False)),
                ("saved_at", models.DateTimeField()),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="duels.seat",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="duels.turn",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Wizard",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("player", "a player"),
                            ("guest", "a guest"),
                            ("practice", "the practice opponent"),
                        ],
                        default="player",
                        max_length=8,
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                ("slug", models.SlugField(allow_unicode=True, max_length=48, unique=True)),
                ("skeleton", models.CharField(max_length=96, unique=True)),
                (
                    "pronouns",
                    models.CharField(
                        choices=[
                            ("he", "he / him"),
                            ("she", "she / her"),
                            ("they", "they / them"),
                            ("it", "it / its"),
                        ],
                        default="they",
                        max_length=4,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("preferences", models.JSONField(blank=True, default=dict)),
                (
                    "guest_key",
                    models.CharField(
                        blank=True, editable=False, max_length=64, null=True, unique=True
                    ),
                ),
                ("kept_until", models.DateTimeField(blank=True, null=True)),
                ("vacation_saved", models.DurationField(blank=True, null=True)),
                ("vacation_counted_at", models.DateTimeField(blank=True, null=True)),
                ("vacation_began_at", models.DateTimeField(blank=True, null=True)),
                ("vacation_ends_at", models.DateTimeField(blank=True, null=True)),
                ("speech_locked_at", models.DateTimeField(blank=True, null=True)),
                ("suspended_at", models.DateTimeField(blank=True, null=True)),
                ("suspended_until", models.DateTimeField(blank=True, null=True)),
                ("suspended_for", models.CharField(blank=True, max_length=1000)),
                (
                    "user",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="wizard",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="Speech",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ordinal", models.PositiveIntegerField()),
                ("words", models.CharField(max_length=500)),
                ("said_at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="speeches",
                        to="duels.duel",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="speeches",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "speeches",
                "ordering": ("duel", "pk"),
            },
        ),
        migrations.AddField(
            model_name="seat",
            name="wizard",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="duels.wizard"
            ),
        ),
        migrations.CreateModel(
            name="Mute",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "muted",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_by",
                        to="duels.wizard",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mutes",
                        to="duels.wizard",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Marker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("won_at", models.DateTimeField()),
                ("returned_at", models.DateTimeField(blank=True, null=True)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="markers",
                        to="duels.duel",
                    ),
                ),
                (
                    "returned_in",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="markers_returned",
                        to="duels.duel",
                    ),
                ),
                (
                    "bears",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="markers_lost",
                        to="duels.wizard",
                    ),
                ),
                (
                    "holder",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="markers",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "ordering": ("won_at", "pk"),
            },
        ),
        migrations.AddField(
            model_name="duel",
            name="challenger",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="challenges",
                to="duels.wizard",
            ),
        ),
        migrations.CreateModel(
            name="Block",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "blocked",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocked_by",
                        to="duels.wizard",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="blocks",
                        to="duels.wizard",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AccountClosing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("begun_at", models.DateTimeField()),
                ("renamed_up_to", models.BigIntegerField(default=0)),
                (
                    "user",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="closing",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="closing",
                        to="duels.wizard",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WizardWish",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                (
                    "pronouns",
                    models.CharField(
                        choices=[
                            ("he", "he / him"),
                            ("she", "she / her"),
                            ("they", "they / them"),
                            ("it", "it / its"),
                        ],
                        default="they",
                        max_length=4,
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wizard_wish",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"),
                name="user_email_unique",
                violation_error_message="A user with this e-mail address exists already.",
            ),
        ),
        migrations.AddIndex(
            model_name="act",
            index=models.Index(
                models.F("wizard_id"),
                condition=models.Q(("wizard_id__isnull", False)),
                name="act_on_wizard",
            ),
        ),
        migrations.AddIndex(
            model_name="act",
            index=models.Index(
                models.F("case"), condition=models.Q(("case__isnull", False)), name="act_in_case"
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.UniqueConstraint(
                models.F("duel"), models.F("ordinal"), name="act_ordinal_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.UniqueConstraint(
                models.F("ordinal"),
                condition=models.Q(("duel__isnull", True)),
                name="act_ordinal_once_of_no_duel",
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "pause",
                            "go_on",
                            "extend",
                            "restart_clock",
                            "excuse",
                            "defaults",
                            "roll_back",
                            "remove",
                            "replace",
                            "declare",
                            "annul",
                            "lock_speech",
                            "unlock_speech",
                            "remove_words",
                            "rename",
                            "suspend",
                            "reinstate",
                            "message",
                            "open_sealed",
                            "ruling",
                            "open_dispute",
                            "close_dispute",
                            "nudge",
                            "send_again",
                        ],
                    )
                ),
                name="act_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="act_has_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(("ordinal__gte", 1)), name="act_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(("chain__regex", "^[0-9a-f]{64}$")), name="act_chain_is_hash"
            ),
        ),
        migrations.AddConstraint(
            model_name="refereemessage",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True),
                name="referee_message_says_something",
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                models.F("failed_at"),
                condition=models.Q(("failed_at__isnull", False)),
                name="turn_failed",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                models.F("duel"),
                models.F("ordinal"),
                models.F("voided_in"),
                name="turn_ordinal_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.UniqueConstraint(
                models.F("duel"),
                condition=models.Q(("stage__in", ["orders", "answers"])),
                name="turn_open_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(("stage__in", ["orders", "answers", "resolved", "void"])),
                name="turn_stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["normal", "haste", "extra"])), name="turn_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(("number__gte", 1), ("ordinal__gte", 1)),
                name="turn_counts_from_one",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("stage__in", ["orders", "answers"]),
                        models.Q(("closed_at__isnull", False), _negated=True),
                    ),
                    models.Q(
                        models.Q(("stage__in", ["orders", "answers"]), _negated=True),
                        ("closed_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="turn_closed_at_its_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="turn",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("stage", "resolved"), _negated=True),
                    models.Q(("events__isnull", False), models.Q(("chain", ""), _negated=True)),
                    _connector="OR",
                ),
                name="turn_resolved_has_events",
            ),
        ),
        migrations.AddConstraint(
            model_name="questionround",
            constraint=models.UniqueConstraint(
                models.F("turn"), models.F("batch"), name="question_round_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="questionround",
            constraint=models.CheckConstraint(
                condition=models.Q(("batch__gte", 1)), name="question_round_counts_from_one"
            ),
        ),
        migrations.AddConstraint(
            model_name="orders",
            constraint=models.UniqueConstraint(
                models.F("turn"),
                models.F("seat"),
                models.F("stage"),
                models.F("batch"),
                condition=models.Q(("superseded", False)),
                name="orders_live_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="orders",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("batch", 0), ("stage", "orders")),
                    models.Q(("batch__gte", 1), ("stage", "answers")),
                    _connector="OR",
                ),
                name="orders_stage",
            ),
        ),
        migrations.AddConstraint(
            model_name="orders",
            constraint=models.CheckConstraint(
                condition=models.Q(("source__in", ["player", "default"])), name="orders_source"
            ),
        ),
        migrations.AddConstraint(
            model_name="orders",
            constraint=models.CheckConstraint(
                condition=models.Q(("commitment__regex", "^[0-9a-f]{64}$")),
                name="orders_commitment",
            ),
        ),
        migrations.AddConstraint(
            model_name="draft",
            constraint=models.UniqueConstraint(
                models.F("turn"), models.F("seat"), name="draft_once"
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("kept_until"), condition=models.Q(("kind", "guest")), name="wizard_guest"
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("slug"),
                condition=models.Q(
                    ("closed_at__isnull", True), ("kind__in", ["player", "practice"])
                ),
                name="wizard_listed",
            ),
        ),
        migrations.AddIndex(
            model_name="wizard",
            index=models.Index(
                models.F("vacation_ends_at"),
                condition=models.Q(("vacation_ends_at__isnull", False)),
                name="wizard_on_vacation",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["player", "guest", "practice"])),
                name="wizard_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "guest"), models.Q(("guest_key__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("kind", "guest"), _negated=True), ("guest_key__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="wizard_guest_has_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "guest"), models.Q(("kept_until__isnull", True), _negated=True)
                    ),
                    models.Q(
                        models.Q(("kind", "guest"), _negated=True), ("kept_until__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="wizard_guest_is_kept_until",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind", "player"), ("user__isnull", True), _connector="OR"),
                name="wizard_user_is_player",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.UniqueConstraint(
                models.F("kind"),
                condition=models.Q(("kind", "practice")),
                name="wizard_one_practice",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("name"), name="wizard_name_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("name", ""), _negated=True), name="wizard_name_given"
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(("pronouns__in", ["he", "she", "they", "it"])),
                name="wizard_pronouns",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("closed_at__isnull", True), ("user__isnull", True), _connector="OR"
                ),
                name="wizard_closed_has_no_user",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("vacation_counted_at__isnull", True), ("vacation_saved__isnull", True)
                    ),
                    models.Q(
                        ("vacation_counted_at__isnull", False),
                        ("vacation_saved__gte", datetime.timedelta(0)),
                        ("vacation_saved__isnull", False),
                        ("vacation_saved__lte", datetime.timedelta(days=30)),
                    ),
                    _connector="OR",
                ),
                name="wizard_vacation_saved",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("vacation_began_at__isnull", True), ("vacation_ends_at__isnull", True)
                    ),
                    models.Q(
                        ("closed_at__isnull", True),
                        ("kind", "player"),
                        ("vacation_began_at__isnull", False),
                        ("vacation_counted_at__isnull", False),
                        ("vacation_ends_at__gt", models.F("vacation_began_at")),
                        ("vacation_ends_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="wizard_vacation",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizard",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("suspended_at__isnull", False),
                        models.Q(("suspended_for", ""), _negated=True),
                    ),
                    models.Q(
                        ("suspended_at__isnull", True),
                        ("suspended_for", ""),
                        ("suspended_until__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="wizard_suspended_for_a_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="speech",
            index=models.Index(
                models.F("duel"),
                models.OrderBy(models.F("id"), descending=True),
                name="speech_newest",
            ),
        ),
        migrations.AddIndex(
            model_name="speech",
            index=models.Index(models.F("wizard"), models.F("said_at"), name="speech_rate"),
        ),
        migrations.AddConstraint(
            model_name="speech",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="speech_says_something"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.F("awaited_since"),
                condition=models.Q(("awaited", True)),
                name="seat_awaited",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("due_at"), condition=models.Q(("awaited", True)), name="seat_due"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("remind_at"), condition=models.Q(("awaited", True)), name="seat_to_remind"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                condition=models.Q(("awaited", True), ("clock_left__isnull", False)),
                name="seat_standing",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel"), descending=True),
                condition=models.Q(("duel_ended_at__isnull", True), ("place__isnull", True)),
                name="seat_challenged",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel"), descending=True),
                models.F("awaited"),
                condition=models.Q(("duel_ended_at__isnull", True), ("place__isnull", False)),
                name="seat_going_on",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                models.F("wizard"),
                models.OrderBy(models.F("duel_ended_at"), descending=True),
                models.OrderBy(models.F("duel"), descending=True),
                condition=models.Q(("duel_ended_at__isnull", False), ("place__isnull", False)),
                name="seat_finished",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                models.F("duel"), models.F("wizard"), name="seat_wizard_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                models.F("duel"), models.F("place"), name="seat_place_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("outcome__in", ["", "won", "drew", "lost", "resigned", "forfeited", "removed"])
                ),
                name="seat_outcome",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(("place__isnull", True), ("place__lt", 8), _connector="OR"),
                name="seat_place",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("place__isnull", True), ("accepted_at__isnull", False), _connector="OR"
                ),
                name="seat_placed_has_accepted",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("awaited", False),
                    models.Q(
                        ("awaited_since__isnull", False),
                        ("outcome__in", ("", "lost")),
                        ("place__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="seat_awaited_at_the_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("due_at__isnull", True), ("clock_left__isnull", True), _connector="OR"
                ),
                name="seat_clock_runs_or_stands",
            ),
        ),
        migrations.AddConstraint(
            model_name="mute",
            constraint=models.UniqueConstraint(
                models.F("wizard"), models.F("muted"), name="mute_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="mute",
            constraint=models.CheckConstraint(
                condition=models.Q(("wizard", models.F("muted")), _negated=True),
                name="mute_another",
            ),
        ),
        migrations.AddIndex(
            model_name="marker",
            index=models.Index(
                models.F("holder"),
                condition=models.Q(("returned_at__isnull", True)),
                name="marker_held",
            ),
        ),
        migrations.AddConstraint(
            model_name="marker",
            constraint=models.UniqueConstraint(
                models.F("duel"), models.F("bears"), name="marker_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="marker",
            constraint=models.CheckConstraint(
                condition=models.Q(("bears", models.F("holder")), _negated=True),
                name="marker_of_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="marker",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("returned_in__isnull", True), ("returned_at__isnull", False), _connector="OR"
                ),
                name="marker_returned_at",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.F("paused_at"),
                condition=models.Q(("paused_at__isnull", False), ("status", "running")),
                name="duel_paused",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.F("expires_at"),
                condition=models.Q(("status", "gathering")),
                name="duel_gathering",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("created_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("open", True), ("status", "gathering")),
                name="duel_open",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("started_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("status", "running"), ("visibility", "public")),
                name="duel_to_watch",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.OrderBy(models.F("ended_at"), descending=True),
                models.OrderBy(models.F("id"), descending=True),
                condition=models.Q(("status", "over"), ("visibility", "public")),
                name="duel_to_read",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["gathering", "lapsed", "running", "paused", "over", "annulled"])
                ),
                name="duel_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("pace__regex", "^(none|[1-9][0-9]{2,6}|daily [0-9]{2}:[0-9]{2} .+)$")
                ),
                name="duel_pace",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(("excuses__lte", 5)), name="duel_excuses"
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(("visibility__in", ["public", "private"])),
                name="duel_visibility",
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
                        ],
                    )
                ),
                name="duel_ended",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(("size__gte", 2), ("size__lte", 8)), name="duel_size"
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(("ruleset", ""), _negated=True), name="duel_ruleset_given"
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("status__in", ["gathering", "lapsed"]),
                        models.Q(("started_at__isnull", False), _negated=True),
                    ),
                    models.Q(
                        models.Q(("status__in", ["gathering", "lapsed"]), _negated=True),
                        ("started_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="duel_started_or_gathering",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("status__in", ["lapsed", "over", "annulled"]),
                        models.Q(("ended_at__isnull", True), _negated=True),
                    ),
                    models.Q(
                        models.Q(("status__in", ["lapsed", "over", "annulled"]), _negated=True),
                        ("ended_at__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="duel_ended_at_its_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ended_at__isnull", True), ("ended", "")),
                    models.Q(
                        models.Q(("ended_at__isnull", True), _negated=True),
                        models.Q(("ended", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="duel_ended_somehow",
            ),
        ),
        migrations.AddConstraint(
            model_name="duel",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "over"), _negated=True),
                    models.Q(("result", ""), _negated=True),
                    _connector="OR",
                ),
                name="duel_over_has_result",
            ),
        ),
        migrations.AddConstraint(
            model_name="block",
            constraint=models.UniqueConstraint(
                models.F("wizard"), models.F("blocked"), name="block_unique"
            ),
        ),
        migrations.AddConstraint(
            model_name="block",
            constraint=models.CheckConstraint(
                condition=models.Q(("wizard", models.F("blocked")), _negated=True),
                name="block_another",
            ),
        ),
        migrations.AddConstraint(
            model_name="wizardwish",
            constraint=models.CheckConstraint(
                condition=models.Q(("pronouns__in", ["he", "she", "they", "it"])),
                name="wizard_wish_pronouns",
            ),
        ),
        migrations.RunPython(protect_acts, unprotect_acts),
        # The group remains after a reversal: it does no harm and keeps its members.
        migrations.RunPython(make_referees, migrations.RunPython.noop),
    ]
