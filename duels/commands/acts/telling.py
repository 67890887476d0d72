"""The players are told of what a referee has done: by mail, and on the duel's page."""

from collections.abc import Iterable
from datetime import datetime

from duels.commands.acts.shapes import Doing
from duels.models import Act, Duel, Seat, Wizard
from duels.post.public import NoticeKind, notice, queue


def tell(act: Act, doing: Doing, now: datetime) -> None:
    """Whoever sits in the duel is told, or those whom the act alone concerns."""
    if doing.duel is None:
        return
    readers = doing.tells_only
    if readers is None:
        seats = Seat.objects.filter(duel=doing.duel).select_related("wizard")
        readers = (*(seat.wizard for seat in seats), *doing.told)
    _write(act, doing.duel, readers, now)


def _write(act: Act, duel: Duel, readers: Iterable[Wizard], now: datetime) -> None:
    kind = getattr(NoticeKind, "REFEREED", None)
    if kind is None:
        return
    queue(
        notice(kind, reader, duel, now, occasion=f"act {act.pk}", details={"act": act.pk})
        for reader in readers
    )
