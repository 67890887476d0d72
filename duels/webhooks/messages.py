"""Messages that webhooks post about duels: public facts only, because anyone may read the chat."""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.urls import reverse

import engine.words
from duels.loaded.open_turn import hides_questions
from duels.models import DuelStatus, Outcome, Visibility
from engine.words import and_list, versus_text


@dataclass(frozen=True)
class SeatState:
    """A wizard's state in a duel, as a message shows it."""

    wizard: int
    name: str
    outcome: str
    awaited: bool
    due_at: datetime | None
    clock_left: timedelta | None


@dataclass(frozen=True)
class DuelState:
    """The state of a duel, as far as a message shows it."""

    seats: tuple[SeatState, ...]  # in order of place
    duel: int
    ruleset: str
    visibility: str
    status: str
    turn_number: int | None  # number of the open turn, if any
    turn_kind: str | None


@dataclass(frozen=True)
class WaitingWizards:
    """Wizards who must act by the same deadline, or who have the same time left, or no clock."""

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
    waits: tuple[WaitingWizards, ...] = ()

    def digest(self, *, is_editable: bool) -> str:
        """Return a digest that changes when the message must be edited or posted again.

        If a service cannot edit messages, the digest changes only with the state of the duel.
        """
        told = repr(self) if is_editable else self.state
        return hashlib.sha256(told.encode()).hexdigest()


def duel_message(state: DuelState) -> ChatMessage:
    """Return the message about a duel in this state.

    The message about a private duel contains only its number, the turn and the time left.
    """
    is_public = state.visibility == Visibility.PUBLIC
    names = f": {versus_text(seat.name for seat in state.seats)}" if is_public else ""
    return ChatMessage(
        code=f"duel-{state.duel}",
        title=f"Duel {state.duel}{names}",
        state=_state_words(state, is_public=is_public),
        url=settings.SITE_URL + reverse("duel", args=[state.duel]),
        waits=_waiting_wizards(state, is_public=is_public),
    )


def sample_message() -> ChatMessage:
    """Return the message that tests a webhook."""
    url = settings.SITE_URL + reverse("webhooks")
    return ChatMessage("test", "Spellcaster", "this is a test message", url)


def _state_words(state: DuelState, *, is_public: bool) -> str:
    if state.turn_number is not None and state.turn_kind is not None:
        return engine.words.turn_name(state.ruleset, state.turn_kind, state.turn_number)
    if state.status == DuelStatus.ANNULLED:
        return "annulled"
    won = [seat.name for seat in state.seats if seat.outcome == Outcome.WON]
    if not is_public:
        return "over"
    return f"over, {won[0]} won" if won else "over, a draw"


def _waiting_wizards(state: DuelState, *, is_public: bool) -> tuple[WaitingWizards, ...]:
    if state.turn_kind is None or hides_questions(state.turn_kind):
        return ()
    names: dict[tuple[datetime | None, timedelta | None], list[str]] = {}
    for seat in state.seats:
        if seat.awaited:
            names.setdefault((seat.due_at, seat.clock_left), []).append(seat.name)
    return tuple(
        WaitingWizards(and_list(each) if is_public else "", *clock) for clock, each in names.items()
    )
