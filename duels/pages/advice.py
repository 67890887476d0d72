"""What the engine has to say of orders while they are written: in words, and what to beware of."""

from collections.abc import Mapping
from dataclasses import dataclass

import engine
from duels import adjudication

# What is done only by one who has said so twice. rules: F13
GRAVE = {
    "surrender": "Surrender and seal",
    "may_surrender": "Risk a surrender and seal",
    "stops_own_heart": "Stop your heart and seal",
}

# What is asked when orders are to be sealed, and not while they are written: sheets begin with it.
AT_SEALING = frozenset({"no_gesture"})

# What is said while orders are written, and asked about all the same: it is hardly ever meant.
HARDLY_MEANT = frozenset({"half_a_clap"})


@dataclass(frozen=True)
class Warned:
    """One thing to think of before these orders are sealed. `key` says that it has been read."""

    key: str
    code: str
    text: str
    rule: str
    is_grave: bool
    is_at_sealing: bool  # it is said then, and not before
    is_asked_about: bool


@dataclass(frozen=True)
class Advice:
    """All that is said of orders as they are typed."""

    words: tuple[str, ...] = ()
    warnings: tuple[Warned, ...] = ()
    faults: tuple[engine.Fault, ...] = ()
    hands: tuple[engine.HandHint, ...] = ()

    @property
    def is_grave(self) -> bool:
        """Whether sealing them is asked for once more."""
        return any(warned.is_grave for warned in self.warnings)

    @property
    def grave_words(self) -> str:
        """What the button says that seals them then."""
        return next((GRAVE[warned.code] for warned in self.warnings if warned.is_grave), "")

    @property
    def is_asked_about(self) -> bool:
        """Whether the button that seals asks first."""
        return any(warned.is_asked_about for warned in self.warnings)

    @property
    def asks_for(self) -> str:
        """What it asks about, in a word; nothing where it asks nothing."""
        if self.is_grave:
            return "grave"
        if any(warned.code in HARDLY_MEANT for warned in self.warnings):
            return "clap"
        return "idle" if self.is_asked_about else ""

    @property
    def while_writing(self) -> tuple[Warned, ...]:
        """What is warned of in the sheet itself."""
        return tuple(warned for warned in self.warnings if not warned.is_at_sealing)


NO_ADVICE = Advice()


def advice_on(position: engine.Position, wizard: str, fields: Mapping[str, str]) -> Advice:
    """What is to be said of these fields; nothing where they are no orders at all."""
    try:
        orders = engine.from_fields(fields)
    except engine.InvalidData:
        return NO_ADVICE
    return Advice(
        adjudication.in_plain_words(position, wizard, orders),
        tuple(map(_warned, adjudication.cautions(position, wizard, orders))),
        engine.check(position, wizard, orders),
        adjudication.hints(position, wizard, orders),
    )


def words_for(position: engine.Position, wizard: str, fields: Mapping[str, str]) -> tuple[str, ...]:
    """What these fields come to, in sentences."""
    return adjudication.in_plain_words(position, wizard, engine.from_fields(fields))


def _warned(caution: engine.Caution) -> Warned:
    return Warned(
        adjudication.warning_of(caution),
        caution.code,
        caution.text,
        caution.rule,
        caution.code in GRAVE,
        caution.code in AT_SEALING,
        caution.code in {*GRAVE, *AT_SEALING, *HARDLY_MEANT},
    )
