"""A record of the responses to players: acknowledged seals, errors and times."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class AcknowledgedSeal:
    """Orders or answers that the site has confirmed. `batch` is 0 for orders."""

    duel: int
    ordinal: int
    batch: int
    wizard: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class FailedRequest:
    """A response with a status of 500 or more, or 0 if there was no response."""

    at: float  # time on the monotonic clock
    status: int
    path: str


@dataclass
class Ledger:
    """The responses to all players. Appending to a list is safe in threads."""

    seals: list[AcknowledgedSeal] = field(default_factory=list)
    failures: list[FailedRequest] = field(default_factory=list)
    waits: list[tuple[float, float]] = field(default_factory=list)  # end, and duration in seconds
    requests: int = 0


@dataclass
class SharedDuel:
    """A duel as its players know it. `sealed_at` is when the last one began to seal."""

    id: int
    seats: Mapping[str, str]  # the code of each wizard's seat
    is_over: bool = False
    seen_turn: int = 1
    sealed_at: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note_turn(self, ordinal: int, ledger: Ledger) -> None:
        """Record that a player sees this turn, and the time that its first reader waited for it."""
        now = time.monotonic()
        with self.lock:
            if ordinal > self.seen_turn:
                self.seen_turn = ordinal
                ledger.waits.append((now, now - self.sealed_at))
