"""The first tables: accounts, wizards, duels, seals and the mail outbox."""

import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
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
                            "Designates whether this user should be treated as "
                            "active. Unselect this instead of deleting accounts."
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
                (
                    "pace",
                    models.CharField(
                        choices=[
                            ("live", "at one sitting"),
                            ("day", "a day for each turn"),
                            ("three_days", "three days for each turn"),
                            ("week", "a week for each turn"),
                            ("unhurried", "no hurry"),
                        ],
                        default="unhurried",
                        max_length=12,
                    ),
                ),
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
                ("open", models.BooleanField(default=False)),
                ("token", models.CharField(blank=True, max_length=43, null=True, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("gathering", "gathering"),
                            ("lapsed", "came to nothing"),
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
                ("recorded_draws", models.JSONField(blank=True, editable=False, null=True)),
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
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                ("awaited", models.BooleanField(default=False)),
                ("awaited_since", models.DateTimeField(blank=True, null=True)),
                ("draw_offered_in", models.PositiveIntegerField(blank=True, null=True)),
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
                ("questions", models.JSONField(blank=True, default=list, editable=False)),
                ("missing", models.PositiveSmallIntegerField(default=0)),
                ("opened_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("chain", models.CharField(blank=True, max_length=64)),
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
        migrations.AddField(
            model_name="seat",
            name="wizard",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="seats", to="duels.wizard"
            ),
        ),
        migrations.CreateModel(
            name="Notice",
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
                            ("challenged", "you were challenged"),
                            ("accepted", "your challenge was accepted"),
                            ("declined", "your challenge was declined"),
                            ("started", "the duel has begun"),
                            ("your_turn", "your turn"),
                            ("question", "a question for you"),
                            ("draw_offered", "a draw was offered"),
                            ("over", "the duel is over"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(max_length=100, unique=True)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("failed", "given up"),
                            ("dropped", "nobody to send it to"),
                        ],
                        default="queued",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("last_error", models.TextField(blank=True)),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.duel",
                    ),
                ),
                (
                    "turn",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.turn",
                    ),
                ),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="notices_about",
                        to="duels.wizard",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.wizard",
                    ),
                ),
            ],
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
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"),
                name="user_email_unique",
                violation_error_message="A user with this e-mail address exists already.",
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                models.F("opened_at"),
                condition=models.Q(("missing", 0), ("stage__in", ["orders", "answers"])),
                name="turn_complete",
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
                models.F("duel"), models.F("ordinal"), name="turn_ordinal_once"
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
                models.F("wizard"), condition=models.Q(("outcome", "")), name="seat_playing"
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
                condition=models.Q(("outcome__in", ["", "won", "drew", "lost", "resigned"])),
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
                        ("awaited_since__isnull", False), ("outcome", ""), ("place__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="seat_awaited_is_playing",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                models.F("due_at"), condition=models.Q(("status", "queued")), name="notice_to_send"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                models.F("claimed_at"),
                condition=models.Q(("status", "sending")),
                name="notice_stuck",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "challenged",
                            "accepted",
                            "declined",
                            "started",
                            "your_turn",
                            "question",
                            "draw_offered",
                            "over",
                        ],
                    )
                ),
                name="notice_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["queued", "sending", "sent", "failed", "dropped"])
                ),
                name="notice_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "sent"), _negated=True),
                    ("sent_at__isnull", False),
                    _connector="OR",
                ),
                name="notice_sent_at",
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
                models.F("visibility"),
                models.OrderBy(models.F("started_at"), descending=True),
                condition=models.Q(("status", "running")),
                name="duel_running",
            ),
        ),
        migrations.AddIndex(
            model_name="duel",
            index=models.Index(
                models.F("visibility"),
                models.OrderBy(models.F("ended_at"), descending=True),
                condition=models.Q(("status", "over")),
                name="duel_over",
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
                    ("pace__in", ["live", "day", "three_days", "week", "unhurried"])
                ),
                name="duel_pace",
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
    ]
