"""Dice whose draws depend on a label, never on the order of calls. rules: R160

Raising questions and resolving the turn therefore use the same draws. A label names beings by their
ids, which never change.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Protocol


class AnyDice(Protocol):
    """Interface of all dice that the engine can draw from."""

    def draw(self, label: str, sides: int) -> int:
        """Return a number from 0 to sides - 1, always the same for the same label."""
        ...


class Dice:
    """Unbiased dice: HMAC-SHA256, keyed by the seed, over commitments, label and a counter.

    `commitments` are those of the turn's seals in seat order. So neither the site nor a
    wizard can choose a draw alone.
    """

    __slots__ = ("_commitments", "_seed")

    def __init__(self, seed: bytes, commitments: Sequence[str] = ()) -> None:
        self._seed = seed
        self._commitments = tuple(commitments)

    def draw(self, label: str, sides: int) -> int:
        if sides < 1:
            raise ValueError("a draw needs at least one side")
        bound = 2**64 - 2**64 % sides
        counter = 0
        while True:
            message = "\x00".join((*self._commitments, label, str(counter)))
            digest = hmac.new(self._seed, message.encode(), hashlib.sha256).digest()
            value = int.from_bytes(digest[:8], "big")
            if value < bound:
                return value % sides
            counter += 1


class RecordedDice:
    """Dice with given draws: by label, or as a sequence, one for each new label.

    All other draws come from the dice `otherwise`, if given. Raises LookupError for a draw that was
    not recorded, and ValueError for an impossible one.
    """

    __slots__ = ("_draws", "_otherwise", "_rest")

    def __init__(
        self,
        draws: Mapping[str, int] | None = None,
        *,
        sequence: Sequence[int] = (),
        otherwise: AnyDice | None = None,
    ) -> None:
        self._otherwise = otherwise
        self._draws = dict(draws or {})
        self._rest = list(sequence)

    def draw(self, label: str, sides: int) -> int:
        if label not in self._draws:
            if not self._rest and self._otherwise is not None:
                return self._otherwise.draw(label, sides)
            if not self._rest:
                raise LookupError(f"no draw was recorded for {label!r}")
            self._draws[label] = self._rest.pop(0)
        value = self._draws[label]
        if not 0 <= value < sides:
            raise ValueError(f"{label!r}: {value} is not below {sides}")
        return value


class NoDice:
    """Dice for positions and checks without draws. Drawing raises LookupError."""

    __slots__ = ()

    def draw(self, label: str, sides: int) -> int:
        raise LookupError(f"no dice for {label!r}")
