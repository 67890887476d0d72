"""A command for read marks, which record the last report and message that a player has read."""

from django.db import transaction
from django.db.models import BigIntegerField, Max, PositiveIntegerField, Value
from django.db.models.functions import Greatest

from duels.errors import Refused
from duels.models import Seat, Speech, Stage, Turn, Wizard


@transaction.atomic
def mark_read(*, duel_id: int, wizard: Wizard, turn: int, speech: int) -> None:
    """Mark reports and messages as read up to these ordinals, but never back or past the last."""
    mine = Seat.objects.filter(duel=duel_id, wizard=wizard)
    if not mine.exists():
        raise Refused("not_your_duel", "You are not in this duel.")
    played = Turn.objects.filter(duel=duel_id, stage=Stage.RESOLVED).aggregate(last=Max("ordinal"))
    said = Speech.objects.filter(duel=duel_id).aggregate(last=Max("pk"))
    read_turn = min(max(turn, 0), played["last"] or 0)
    read_speech = min(max(speech, 0), said["last"] or 0)
    mine.update(
        read_turn=Greatest("read_turn", Value(read_turn, PositiveIntegerField())),
        read_speech=Greatest("read_speech", Value(read_speech, BigIntegerField())),
    )
