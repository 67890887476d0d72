"""A command that takes learners back to the lesson's script after they have strayed from it."""

from datetime import datetime

from django.db import transaction

from duels import lessons
from duels.commands.endings import resign
from duels.commands.practising import play_opponent, start_lesson
from duels.commands.resolution import resolve_turn
from duels.commands.sealing import seal_orders
from duels.errors import Refused
from duels.lessons.script import gesture_fields
from duels.models import Duel, Seat, Turn, Wizard


@transaction.atomic
def return_to_lesson(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Restart the lesson, and play it up to the turn in which the learner strayed from the script.

    The wizard resigns the earlier duel, because a wizard can have only one unfinished duel per
    lesson.
    """
    seat = Seat.objects.select_related("duel").filter(duel=duel_id, wizard=wizard).first()
    lesson = lessons.LESSONS.get(seat.duel.lesson) if seat else None
    if seat is None or lesson is None:
        raise Refused("no_such_lesson", "There is no such lesson.")
    turns = Turn.objects.filter(duel=seat.duel).order_by("ordinal")
    followed = sum(lesson.step_at(turn.ordinal, turn.position) is not None for turn in turns)
    if not seat.duel.is_over:
        resign(duel_id=duel_id, wizard=wizard, now=now)
    duel = start_lesson(wizard=wizard, lesson=lesson.slug, now=now)
    for step in lesson.steps[: followed - 1]:
        turn = Turn.objects.filter(duel=duel).latest("ordinal")
        fields = gesture_fields(step.learner)
        seal_orders(turn_id=turn.pk, wizard=wizard, fields=fields, form_seal="", now=now)
        play_opponent(turn_id=turn.pk, now=now)
        resolve_turn(turn_id=turn.pk, now=now)
    return duel
