"""The turns before and after a turn, which may be void.

A duel that was rolled back has branches. The void turns are kept, and each of them follows the
turns that counted when it was played.
"""

from django.db.models import Q, QuerySet

import engine.play
from duels.loaded import adjudication
from duels.models import Turn


def turns_before(turn: Turn) -> QuerySet[Turn]:
    """Return the turns that this turn follows, oldest first."""
    before = Turn.with_voided.filter(duel=turn.duel_id, ordinal__lt=turn.ordinal)
    if turn.voided_in:
        # Older turns that became void at the same time or later, or that still count.
        of_branch = Q(voided_in=0) | Q(voided_in__gte=turn.voided_in)
        return before.filter(of_branch, pk__lt=turn.pk).order_by("ordinal")
    return before.filter(voided_in=0).order_by("ordinal")


def position_after(turn: Turn) -> engine.play.Position | None:
    """Return the stored position after this turn, or None if there is none."""
    following = Turn.with_voided.filter(duel=turn.duel_id, voided_in=turn.voided_in)
    row = following.filter(ordinal=turn.ordinal + 1).first()
    if row is not None:
        return adjudication.position_at_start(row)
    final = turn.duel.final_position
    if final is None or turn.voided_in:
        return None
    return engine.play.load_position(final)
