"""The tables of notices and email preferences at release 0.1.0.

It replaces the migrations from before the first release; a database must have either none or
all of them.
"""

import django.db.models.deletion
import django.db.models.functions.text
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("post", "0001_take_over_notices"),
        ("post", "0002_clock_notices"),
        ("post", "0003_prune_old_notices"),
        ("post", "0004_pause_notices"),
        ("post", "0005_vacation_notices"),
        ("post", "0006_mail_choices"),
        ("post", "0007_mail_limits"),
        ("post", "0008_answered_notices"),
        ("post", "0009_silenced_addresses"),
        ("post", "0010_words_said"),
        ("post", "0011_silenced_for"),
        ("post", "0012_referee_notices"),
        ("post", "0013_plain_words_for_notices"),
        ("post", "0014_guest_address"),
        ("post", "0015_extensions_in_plain_words"),
    ]

    dependencies = [
        ("duels", "0001_first_release"),
    ]

    operations = [
        migrations.CreateModel(
            name="GuestAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("asked_at", models.DateTimeField()),
                ("confirmed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guest_address",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "guest addresses",
            },
        ),
        migrations.CreateModel(
            name="SilencedAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254)),
                ("since", models.DateTimeField()),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("refusal", "its server says that it does not exist"),
                            ("bounce", "a mail came back"),
                            ("complaint", "a mail was reported as unwanted"),
                        ],
                        default="refusal",
                        max_length=9,
                    ),
                ),
                ("answer", models.CharField(blank=True, max_length=20)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name_plural": "silenced addresses",
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("address"),
                        name="silenced_address_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("cause__in", ["refusal", "bounce", "complaint"])),
                        name="silenced_address_cause",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DuelMailChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "when",
                    models.CharField(
                        choices=[
                            ("every", "at every turn"),
                            ("visit", "once, until I look at the duel"),
                            ("daily", "once a day, all together"),
                            ("off", "never"),
                        ],
                        max_length=5,
                    ),
                ),
                (
                    "duel",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_choices",
                        to="duels.duel",
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duel_mail_choices",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        models.F("wizard"), models.F("duel"), name="duel_mail_choice_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("when__in", ["every", "visit", "daily", "off"])),
                        name="duel_mail_choice_when",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MailChoice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "when",
                    models.CharField(
                        choices=[
                            ("every", "at every turn"),
                            ("visit", "once, until I look at the duel"),
                            ("daily", "once a day, all together"),
                            ("off", "never"),
                        ],
                        default="every",
                        max_length=5,
                    ),
                ),
                ("hour", models.PositiveSmallIntegerField(default=8)),
                ("though_here", models.BooleanField(default=False)),
                ("words", models.BooleanField(default=False)),
                (
                    "wizard",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mail_choice",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("when__in", ["every", "visit", "daily", "off"])),
                        name="mail_choice_when",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("hour__lte", 23)), name="mail_choice_hour"
                    ),
                ],
            },
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
                    "status",
                    models.CharField(
                        choices=[
                            ("queued", "queued"),
                            ("sending", "being sent"),
                            ("sent", "sent"),
                            ("failed", "given up"),
                            ("dropped", "not sent"),
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
                            ("reminder", "your time is nearly over"),
                            ("excused", "your time was extended"),
                            ("played_for", "default orders were sealed for you"),
                            ("claimable", "you may claim the duel"),
                            ("pause_asked", "a pause, or its end, was asked for"),
                            ("paused", "the clocks are stopped"),
                            ("went_on", "the clocks go on"),
                            ("time_given", "you were given time"),
                            ("vacation", "an opponent is on vacation"),
                            ("returned", "an opponent is back early"),
                            ("said", "words were said"),
                            ("lapsed", "a challenge ended without a duel"),
                            ("answered", "an answer to a mail"),
                            ("disputed", "a dispute, or a word in one"),
                            ("ruled", "a referee has ruled"),
                            ("refereed", "a referee has acted"),
                            ("over", "the duel is over"),
                        ],
                        max_length=12,
                    ),
                ),
                ("key", models.CharField(max_length=100, unique=True)),
                ("details", models.TextField(blank=True, editable=False)),
                (
                    "dropped_for",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "not dropped"),
                            ("no_address", "nobody to send it to"),
                            ("outdated", "out of date"),
                            ("read", "read on the site"),
                            ("unwanted", "mails are off"),
                            ("told", "told once since the last visit"),
                            ("limited", "one mail too many"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("daily_at", models.DateTimeField(blank=True, null=True)),
                ("is_insisted_on", models.BooleanField(default=False)),
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
                    "duel",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.duel",
                    ),
                ),
                (
                    "speech",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.speech",
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
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        models.F("due_at"),
                        condition=models.Q(("status", "queued")),
                        name="notice_to_send",
                    ),
                    models.Index(
                        models.F("wizard"),
                        models.F("duel"),
                        models.F("speech"),
                        condition=models.Q(("kind", "said")),
                        name="notice_said",
                    ),
                    models.Index(
                        models.F("claimed_at"),
                        condition=models.Q(("status", "sending")),
                        name="notice_stuck",
                    ),
                    models.Index(
                        models.F("wizard"),
                        models.OrderBy(models.F("created_at"), descending=True),
                        name="notice_told",
                    ),
                    models.Index(
                        models.F("created_at"),
                        condition=models.Q(("status__in", ("sent", "failed", "dropped"))),
                        name="notice_finished",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
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
                                    "reminder",
                                    "excused",
                                    "played_for",
                                    "claimable",
                                    "pause_asked",
                                    "paused",
                                    "went_on",
                                    "time_given",
                                    "vacation",
                                    "returned",
                                    "said",
                                    "lapsed",
                                    "answered",
                                    "disputed",
                                    "ruled",
                                    "refereed",
                                    "over",
                                ],
                            )
                        ),
                        name="notice_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["queued", "sending", "sent", "failed", "dropped"])
                        ),
                        name="notice_status",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "dropped_for__in",
                                [
                                    "",
                                    "no_address",
                                    "outdated",
                                    "read",
                                    "unwanted",
                                    "told",
                                    "limited",
                                ],
                            )
                        ),
                        name="notice_dropped_for",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "said"), models.Q(("speech__isnull", True), _negated=True)
                            ),
                            models.Q(
                                models.Q(("kind", "said"), _negated=True), ("speech__isnull", True)
                            ),
                            _connector="OR",
                        ),
                        name="notice_said_what",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "sent"), _negated=True),
                            ("sent_at__isnull", False),
                            _connector="OR",
                        ),
                        name="notice_sent_at",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("duel__isnull", False),
                            models.Q(
                                ("kind__in", ("disputed", "ruled", "refereed")),
                                ("turn__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="notice_of_a_duel",
                    ),
                ],
            },
        ),
    ]
