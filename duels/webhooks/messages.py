"""Messages of webhooks about duels. They contain only public facts, as others read the chat."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.urls import reverse

from duels.loaded.open_turn import hides_questions
from duels.models import DuelStatus, Outcome, Visibility
from duels.queries.rows import DuelRow
from duels.wording.turns import turn_words
from engine.words import and_list, versus_text


@dataclass(frozen=True)
class Wait:
    """Wizards who must act by the same deadline, with the same time left, or without a clock."""

    names: str  # names of these wizards, or "" in a private duel
    due_at: datetime | None = None
    left: timedelta | None = None


@dataclass(frozen=True)
class ChatMessage:
    """A message to a chat, as plain text that each service's format must escape."""

    code: str  # identifies the message within its webhook
    title: str
    state: str
    url: str
    waits: tuple[Wait, ...] = ()

    def digest(self, *, is_editable: bool) -> str:
        """Return a digest that changes when the message must be edited or posted again.

        If a service cannot edit messages, the digest changes only with the state of the duel.
        """
        told = repr(self) if is_editable else self.state
        return hashlib.sha256(told.encode()).hexdigest()


def duel_message(row: DuelRow) -> ChatMessage:
    """Return the message about this duel, which must be loaded without a viewer.

    The message about a private duel contains only its number, the turn and the time left.
    """
    duel, is_public = row.duel, row.duel.visibility == Visibility.PUBLIC
    names = f": {versus_text(wizard.name for wizard in row.wizards)}" if is_public else ""
    return ChatMessage(
        code=f"duel-{duel.pk}",
        title=f"Duel {duel.pk}{names}",
        state=_state(row, is_public=is_public),
        url=settings.SITE_URL + reverse("duel", args=[duel.pk]),
        waits=_waits(row, is_public=is_public),
    )


def invented_message() -> ChatMessage:
    """Return the message that tests a webhook."""
    url = settings.SITE_URL + reverse("webhooks")
    return ChatMessage("test", "Spellcaster", "this is a test message", url)


def _state(row: DuelRow, *, is_public: bool) -> str:
    if row.turn is not None:
        return turn_words(row.duel.ruleset, row.turn.number, row.turn.kind)
    if row.duel.status == DuelStatus.ANNULLED:
        return "annulled"
    won = [seat.wizard.name for seat in row.seats if seat.outcome == Outcome.WON]
    if not is_public:
        return "over"
    return f"over, {won[0]} won" if won else "over, a draw"


def _waits(row: DuelRow, *, is_public: bool) -> tuple[Wait, ...]:
    if row.turn is None or hides_questions(row.turn.kind):
        return ()
    names: dict[tuple[datetime | None, timedelta | None], list[str]] = {}
    for seat in row.seats:
        if seat.awaited:
            names.setdefault((seat.due_at, seat.clock_left), []).append(seat.wizard.name)
    return tuple(Wait(and_list(each) if is_public else "", *clock) for clock, each in names.items())
