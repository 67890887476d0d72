"""The tables of cases and rulings at release 0.1.0.

It replaces the migrations from before the first release; a database must have either none or
all of them.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    replaces = [
        ("referee", "0001_cases"),
        ("referee", "0002_appeals_withdrawn"),
    ]

    dependencies = [
        ("duels", "0001_first_release"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Case",
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
                        choices=[("dispute", "dispute"), ("report", "report")], max_length=7
                    ),
                ),
                ("ordinal", models.PositiveIntegerField(blank=True, null=True)),
                ("quoted", models.TextField(blank=True)),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("rule", "A rule was misplayed"),
                            ("deadline", "A deadline or a clock"),
                            ("conduct", "Conduct or words"),
                            ("cheating", "Cheating"),
                            ("name", "A name"),
                            ("other", "Something else"),
                        ],
                        max_length=8,
                    ),
                ),
                ("rule", models.CharField(blank=True, max_length=60)),
                ("words", models.TextField(max_length=2000)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "waits for a referee"),
                            ("claimed", "with a referee"),
                            ("ruled", "ruled"),
                            ("appealed", "waits for another referee"),
                            ("closed", "closed without a ruling"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(default=1)),
                ("opened_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "about",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases_about",
                        to="duels.wizard",
                    ),
                ),
                (
                    "duel",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="duels.duel",
                    ),
                ),
                (
                    "opened_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases",
                        to="duels.wizard",
                    ),
                ),
                (
                    "referee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="cases_held",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "speech",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="cases",
                        to="duels.speech",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Assignment",
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
                            ("claimed", "claimed"),
                            ("handed_over", "handed over"),
                            ("given_back", "given back"),
                        ],
                        max_length=11,
                    ),
                ),
                ("referee_name", models.CharField(max_length=40)),
                ("reason", models.TextField(blank=True, max_length=2000)),
                ("at", models.DateTimeField()),
                (
                    "referee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="case_assignments",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="referee.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("words", models.TextField(max_length=2000)),
                ("at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "wizard",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeals",
                        to="duels.wizard",
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeals",
                        to="referee.case",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("referee_name", models.CharField(blank=True, max_length=40)),
                (
                    "audience",
                    models.CharField(
                        choices=[
                            ("referees", "referees alone"),
                            ("players", "the players as well"),
                        ],
                        max_length=8,
                    ),
                ),
                ("words", models.TextField(max_length=2000)),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="notes",
                        to="referee.case",
                    ),
                ),
                (
                    "referee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="case_notes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "wizard",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="case_notes",
                        to="duels.wizard",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(default=1)),
                ("referee_name", models.CharField(max_length=40)),
                (
                    "verdict",
                    models.CharField(
                        choices=[
                            ("engine_right", "The engine was right"),
                            ("engine_wrong", "The engine was wrong"),
                            ("deadline_stands", "The deadline stands"),
                            (
                                "deadline_unfair",
                                "The deadline is not to be held against the wizard",
                            ),
                            ("conduct", "Conduct that is not tolerated"),
                            ("no_conduct", "Nothing wrong in what was done or said"),
                            ("cheated", "It was cheating"),
                            ("not_cheated", "There was no cheating"),
                            ("abuse", "The dispute itself was an abuse"),
                            ("other", "Something else"),
                        ],
                        max_length=15,
                    ),
                ),
                ("words", models.TextField(max_length=4000)),
                ("private_words", models.TextField(blank=True, max_length=4000)),
                ("published_at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rulings",
                        to="referee.case",
                    ),
                ),
                (
                    "referee",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rulings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
            },
        ),
        migrations.CreateModel(
            name="CitedRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rule", models.CharField(max_length=60)),
                ("is_settled", models.BooleanField(default=False)),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cited_rules",
                        to="referee.ruling",
                    ),
                ),
            ],
            options={
                "ordering": ("pk",),
            },
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                models.F("opened_at"),
                condition=models.Q(("status__in", ["open", "claimed", "appealed"])),
                name="case_queue",
            ),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                models.F("opened_by"),
                models.OrderBy(models.F("opened_at"), descending=True),
                name="case_opened_by",
            ),
        ),
        migrations.AddIndex(
            model_name="case",
            index=models.Index(
                models.OrderBy(models.F("ended_at"), descending=True),
                condition=models.Q(("status", "ruled")),
                name="case_ended",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["dispute", "report"])), name="case_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("category__in", ["rule", "deadline", "conduct", "cheating", "name", "other"])
                ),
                name="case_category",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["open", "claimed", "ruled", "appealed", "closed", "withdrawn"])
                ),
                name="case_status",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind", "report"),
                    models.Q(("duel__isnull", False), ("ordinal__isnull", False)),
                    _connector="OR",
                ),
                name="case_dispute_of_a_turn",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "dispute"), models.Q(("about__isnull", False), _negated=True)
                    ),
                    models.Q(
                        models.Q(("kind", "dispute"), _negated=True), ("about__isnull", False)
                    ),
                    _connector="OR",
                ),
                name="case_report_about_somebody",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="case_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(("round__in", [1, 2])), name="case_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("status__in", ["open", "claimed", "appealed"]),
                        models.Q(("ended_at__isnull", False), _negated=True),
                    ),
                    models.Q(
                        models.Q(("status__in", ["open", "claimed", "appealed"]), _negated=True),
                        ("ended_at__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="case_ended_or_going_on",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["open", "appealed"]), _negated=True),
                    ("referee__isnull", True),
                    _connector="OR",
                ),
                name="case_unclaimed_has_no_referee",
            ),
        ),
        migrations.AddConstraint(
            model_name="case",
            constraint=models.UniqueConstraint(
                models.F("duel"),
                models.F("opened_by"),
                condition=models.Q(
                    ("kind", "dispute"), ("status__in", ["open", "claimed", "appealed"])
                ),
                name="case_one_dispute_at_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["claimed", "handed_over", "given_back"])),
                name="assignment_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="appeal_has_words"
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                models.F("case"), models.F("wizard"), name="appeal_once_of_each_wizard"
            ),
        ),
        migrations.AddConstraint(
            model_name="appeal",
            constraint=models.UniqueConstraint(
                models.F("case"),
                condition=models.Q(("withdrawn_at__isnull", True)),
                name="appeal_stands_alone",
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(("audience__in", ["referees", "players"])), name="note_audience"
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="note_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("wizard__isnull", False), ("referee_name", "")),
                    models.Q(
                        models.Q(("wizard__isnull", False), _negated=True),
                        models.Q(("referee_name", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="note_by_a_wizard_or_a_referee",
            ),
        ),
        migrations.AddConstraint(
            model_name="note",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("wizard__isnull", True), ("audience", "players"), _connector="OR"
                ),
                name="note_of_a_wizard_is_for_all",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(
                models.F("case"), models.F("round"), name="ruling_once_in_a_round"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "verdict__in",
                        [
                            "engine_right",
                            "engine_wrong",
                            "deadline_stands",
                            "deadline_unfair",
                            "conduct",
                            "no_conduct",
                            "cheated",
                            "not_cheated",
                            "abuse",
                            "other",
                        ],
                    )
                ),
                name="ruling_verdict",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("words", ""), _negated=True), name="ruling_says_something"
            ),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.CheckConstraint(
                condition=models.Q(("round__in", [1, 2])), name="ruling_round"
            ),
        ),
        migrations.AddIndex(
            model_name="citedrule",
            index=models.Index(
                models.F("rule"),
                models.OrderBy(models.F("ruling"), descending=True),
                name="cited_rule",
            ),
        ),
        migrations.AddIndex(
            model_name="citedrule",
            index=models.Index(
                models.F("rule"), condition=models.Q(("is_settled", True)), name="settled_rule"
            ),
        ),
        migrations.AddConstraint(
            model_name="citedrule",
            constraint=models.UniqueConstraint(
                models.F("ruling"), models.F("rule"), name="cited_rule_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="citedrule",
            constraint=models.UniqueConstraint(
                models.F("ruling"),
                condition=models.Q(("is_settled", True)),
                name="cited_rule_settles_one",
            ),
        ),
    ]
