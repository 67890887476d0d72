"""Emails to players about referees' acts, which the duel's page also shows."""

from collections.abc import Iterable
from datetime import datetime

from duels.commands.acts.shapes import ActContext
from duels.models import Act, Duel, Seat, Wizard
from duels.post.kinds.refereed import Refereed
from duels.post.public import notice, queue


def notify_players(act: Act, context: ActContext, now: datetime) -> None:
    """Notify everyone in the duel, or only those the act concerns."""
    if context.duel is None:
        _write(act, None, [context.the_wizard], now)
        return
    readers = context.only_notified
    if readers is None:
        seats = Seat.objects.filter(duel=context.duel).select_related("wizard")
        readers = (*(seat.wizard for seat in seats), *context.also_notified)
    _write(act, context.duel, readers, now)


def _write(act: Act, duel: Duel | None, readers: Iterable[Wizard], now: datetime) -> None:
    occasion, details = f"act {act.pk}", {"act": act.pk}
    queue(
        notice(Refereed, reader, duel, now, occasion=occasion, details=details)
        for reader in readers
    )
