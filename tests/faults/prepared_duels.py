"""Wizards and duels for the crowd. A process of the site runs these functions (`tests.inside`)."""

from datetime import timedelta
from typing import Any

PACE = "86400"  # seconds for each turn


def make_players(names: list[str]) -> dict[str, str]:
    """Create wizards who want every email, and return the session of each."""
    from django.test import Client

    from duels.commands.profiles import create_wizard
    from duels.loaded.database_clock import database_now
    from duels.post.public import set_mail_choice
    from tests.cast import make_user

    sessions = {}
    for name in names:
        user = make_user(f"{name.lower()}@example.org")
        wizard = create_wizard(user=user, name=name, pronouns="they", now=database_now())
        set_mail_choice(wizard=wizard, when="every", hour=8, though_here=True, now=database_now())
        client = Client()
        client.force_login(user)
        sessions[name] = client.cookies["sessionid"].value
    return sessions


def ruleset_ids() -> list[str]:
    import engine.play

    return list(engine.play.RULESETS)


def begin_duel(names: list[str], ruleset: str) -> tuple[int, dict[str, str]]:
    """Begin a duel between these wizards. Return its id, and the code of each wizard's seat."""
    from duels.commands import challenges
    from duels.loaded.database_clock import database_now
    from duels.models import Wizard

    first, *others = (Wizard.objects.get(name=name) for name in names)
    duel = challenges.create_challenge(
        challenger=first,
        ruleset=ruleset,
        size=len(names),
        pace=PACE,
        visibility="public",
        words="",
        opponent=None,
        invitation=False,
        now=database_now(),
    )
    for wizard in others:
        duel = challenges.accept(duel_id=duel.pk, wizard=wizard, now=database_now())
    seats = duel.seats.select_related("wizard")
    return duel.pk, {seat.wizard.name: seat.code for seat in seats}


def begin_overdue_duel(names: list[str], ruleset: str, seconds: float) -> dict[str, Any]:
    """Begin a duel that nobody plays, so that one wizard's time runs out in a few seconds."""
    from duels.loaded.database_clock import database_now
    from duels.models import Seat

    duel_id, _ = begin_duel(names, ruleset)
    seat = Seat.objects.filter(duel=duel_id).order_by("place")[0]
    due_at = database_now() + timedelta(seconds=seconds)
    Seat.objects.filter(pk=seat.pk).update(due_at=due_at, remind_at=None, excuses_left=0)
    return {"seat": seat.pk, "due_at": due_at.isoformat()}


def send_again(number: int) -> int:
    """Send messages about random turns and notices twice, and again a few seconds later."""
    from django.db.models import QuerySet

    from duels import tasks
    from duels.models import Turn
    from duels.post import tasks as post_tasks
    from duels.post.models import Notice

    def random_ids(rows: "QuerySet[Any]") -> list[int]:
        return list(rows.order_by("?").values_list("pk", flat=True)[:number])

    newest = Turn.objects.order_by("-pk").values("pk")[:50]
    sent = 0
    for task, ids in (
        (tasks.resolve_turn, random_ids(Turn.objects.filter(pk__in=newest))),
        (post_tasks.deliver_notice, random_ids(Notice.objects.all())),
    ):
        for row_id in ids:
            for seconds in (0, 0, 5):
                task.apply_async((row_id,), countdown=seconds)
                sent += 1
    return sent
