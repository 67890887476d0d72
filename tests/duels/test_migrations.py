"""Migrations that change what rows hold."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from duels.models import Duel, Seat, Turn
from duels.names import skeleton

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
BEFORE = [("duels", "0007_hand_over_notices")]

# Armenian names, that look like Latin ones.
NON = "\N{ARMENIAN SMALL LETTER VO}\N{ARMENIAN SMALL LETTER OH}\N{ARMENIAN SMALL LETTER VO}"
OHN = "\N{ARMENIAN SMALL LETTER OH}\N{ARMENIAN SMALL LETTER HO}\N{ARMENIAN SMALL LETTER VO}"
NAMES = (NON, OHN, "Non", "Ada")


@pytest.mark.django_db(transaction=True)
def test_a_migration_makes_name_skeletons_anew_unless_they_collide() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        MigrationExecutor(connection).migrate(BEFORE)
        executor = MigrationExecutor(connection)
        wizards = executor.loader.project_state(BEFORE).apps.get_model("duels", "Wizard").objects
        for name in NAMES:
            small = name.lower()
            wizards.create(name=name, slug=f"is-{small}", skeleton=small, created_at=NOW)
        executor.migrate(newest)
        assert dict(wizards.values_list("name", "skeleton")) == {
            NON: NON,  # would be Non's, who has it already
            OHN: "ohn",
            "Non": "non",
            "Ada": "ada",
        }
        assert skeleton(NON) == "non"
    finally:
        MigrationExecutor(connection).migrate(newest)


BEFORE_CLOCKS = [
    ("duels", "0012_count_awaited_wizards"),
    ("post", "0001_take_over_notices"),
]
HOUR = timedelta(hours=1)


@pytest.mark.django_db(transaction=True)
def test_running_duels_get_deadlines_from_the_migration_not_from_their_beginning() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        MigrationExecutor(connection).migrate(BEFORE_CLOCKS)
        executor = MigrationExecutor(connection)
        models = executor.loader.project_state(BEFORE_CLOCKS).apps
        of = {
            pace: _old_duel(models, pace, stage)
            for pace, stage in (("day", "orders"), ("week", "answers"), ("unhurried", "orders"))
        }
        began = timezone.now()
        executor.migrate(newest)
        took = timezone.now() - began
        seats = Seat.objects.select_related("duel")
        day, week, unhurried = (seats.get(duel=pk, place=0) for pk in of.values())
        paces = [seat.duel.pace for seat in (day, week, unhurried)]
        assert paces == ["86400", "604800", "none"]
        for seat, hours in ((day, 24), (week, 42)):
            assert seat.due_at is not None
            assert timedelta(0) <= seat.due_at - began - hours * HOUR <= took
            assert seat.remind_at == seat.due_at - hours * HOUR / 5
        assert unhurried.due_at is None
        assert day.excuses_left == 2
        assert seats.get(duel=of["day"], place=1).due_at is None  # has sealed
    finally:
        MigrationExecutor(connection).migrate(newest)


def _old_duel(models: Any, pace: str, stage: str) -> int:
    """A duel as it was kept before there were clocks: its first wizard is waited for."""
    wizards = [
        models.get_model("duels", "Wizard").objects.create(
            name=f"{pace} {place}",
            slug=f"{pace}-{place}",
            skeleton=f"{pace}{place}",
            created_at=NOW,
        )
        for place in (0, 1)
    ]
    duel = models.get_model("duels", "Duel").objects.create(
        ruleset="bartle-1",
        pace=pace,
        challenger=wizards[0],
        status="running",
        created_at=NOW,
        expires_at=NOW,
        started_at=NOW,
    )
    for place, wizard in enumerate(wizards):
        models.get_model("duels", "Seat").objects.create(
            duel=duel,
            wizard=wizard,
            place=place,
            invited_at=NOW,
            accepted_at=NOW,
            awaited=place == 0,
            awaited_since=NOW if place == 0 else None,
        )
    models.get_model("duels", "Turn").objects.create(
        duel=duel, ordinal=1, number=1, stage=stage, position={}, opened_at=NOW
    )
    return int(duel.pk)


BEFORE_SEEDS = [("duels", "0035_names_of_duels")]
# Of each turn: its ordinal, the roll back that made it void, and how many came before it.
ROLLED_BACK = (
    *((1, 0, 0), (2, 0, 2), (3, 0, 3), (4, 0, 3)),
    *((3, 1, 0), (4, 1, 0)),
    *((2, 2, 0), (3, 2, 1)),
    *((3, 3, 2), (4, 3, 2)),
)


@pytest.mark.django_db(transaction=True)
def test_turns_count_the_roll_backs_before_them_and_their_duels_say_nothing_of_salts() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        MigrationExecutor(connection).migrate(BEFORE_SEEDS)
        executor = MigrationExecutor(connection)
        models = executor.loader.project_state(BEFORE_SEEDS).apps
        duel_id, other_id = (_old_duel(models, pace, "orders") for pace in ("none", "86400"))
        turns = models.get_model("duels", "Turn").objects
        turns.filter(duel=duel_id).delete()
        for ordinal, voided_in, _ in ROLLED_BACK:
            turns.create(
                duel_id=duel_id,
                ordinal=ordinal,
                voided_in=voided_in,
                number=ordinal,
                stage="void",
                position={},
                opened_at=NOW,
                closed_at=NOW,
            )
        executor.migrate(newest)
        found = Turn.with_voided.filter(duel=duel_id).order_by("pk")
        counted = found.values_list("ordinal", "voided_in", "roll_backs")
        assert tuple(counted) == ROLLED_BACK
        assert set(Turn.objects.filter(duel=other_id).values_list("roll_backs", flat=True)) == {0}
        for duel in Duel.objects.filter(pk__in=[duel_id, other_id]):
            assert (duel.link_format, duel.past_seeds, duel.seed_roll_backs) == (2, [], 0)
    finally:
        MigrationExecutor(connection).migrate(newest)
