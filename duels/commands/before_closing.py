"""What is done before an account is closed by those who know of things that the commands do not:
a room above them says so when it is loaded."""

from datetime import datetime
from typing import Protocol

from duels.models import User


class BeforeClosing(Protocol):
    """Called with the user, in the transaction in which everything of theirs ends."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


_BEFORE: list[BeforeClosing] = []


def before_closing(done: BeforeClosing) -> None:
    """This is done before any account is closed, once however often it is said."""
    if done not in _BEFORE:
        _BEFORE.append(done)


def prepare_closing(*, user: User, now: datetime) -> None:
    """Everything is done that comes before the user is gone."""
    for done in _BEFORE:
        done(user=user, now=now)
