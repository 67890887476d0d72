"""Emails about acts. The duel's page shows acts by itself."""

from collections.abc import Iterable
from datetime import datetime

from duels.commands.acts.shapes import Doing
from duels.models import Act, Duel, Seat, Wizard
from duels.post.public import NoticeKind, notice, queue


def tell(act: Act, doing: Doing, now: datetime) -> None:
    """Notify everyone in the duel, or only those the act concerns."""
    if doing.duel is None:
        _write(act, None, [doing.the_wizard], now)
        return
    readers = doing.tells_only
    if readers is None:
        seats = Seat.objects.filter(duel=doing.duel).select_related("wizard")
        readers = (*(seat.wizard for seat in seats), *doing.told)
    _write(act, doing.duel, readers, now)


def _write(act: Act, duel: Duel | None, readers: Iterable[Wizard], now: datetime) -> None:
    occasion, details = f"act {act.pk}", {"act": act.pk}
    queue(
        notice(NoticeKind.REFEREED, reader, duel, now, occasion=occasion, details=details)
        for reader in readers
    )
