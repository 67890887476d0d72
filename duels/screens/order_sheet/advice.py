"""The engine's advice on unsealed orders: a summary, warnings and hints."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import engine.orders
import engine.play
from duels.loaded import adjudication
from duels.template_values import TemplateValue

# Texts of the buttons that confirm dangerous orders, by the code of the warning. rules: F13
GRAVE_WARNINGS = {
    "surrender": "Surrender and seal",
    "may_surrender": "Risk a surrender and seal",
    "stops_own_heart": "Stop your heart and seal",
}

# Warnings that only appear at sealing, because every empty sheet would show them.
WARNINGS_AT_SEALING = frozenset({"unchosen_hand"})

# Warnings about likely mistakes. They appear while the player writes, and again at sealing.
LIKELY_MISTAKES = frozenset({"half_a_clap"})

# The space between what the two hands of a set do.
SPACE_BETWEEN_HANDS_PATTERN = re.compile(r"(?<=;) (?=(?:held by [^;]+, )?your right hand )")


@dataclass(frozen=True)
class ShownWarning:
    """A warning about unsealed orders. Its `key` keeps players from seeing it again."""

    key: str
    code: str
    text: str
    rule: str
    is_grave: bool
    is_at_sealing: bool  # whether it is shown only at sealing
    is_asked_about: bool


@dataclass(frozen=True)
class Advice(TemplateValue):
    words: tuple[str, ...] = ()
    warnings: tuple[ShownWarning, ...] = ()
    faults: tuple[engine.play.Fault, ...] = ()
    hands: tuple[engine.play.HandHint, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        """The sentences about the orders, with a clause for each hand."""
        return tuple(
            part for sentence in self.words for part in SPACE_BETWEEN_HANDS_PATTERN.split(sentence)
        )

    @property
    def is_grave(self) -> bool:
        """Whether the orders are dangerous, so that sealing needs a second confirmation."""
        return any(warned.is_grave for warned in self.warnings)

    @property
    def grave_words(self) -> str:
        """The text of the button that confirms dangerous orders."""
        return next(
            (GRAVE_WARNINGS[warned.code] for warned in self.warnings if warned.is_grave), ""
        )

    @property
    def is_asked_about(self) -> bool:
        """Whether the seal button asks for confirmation first."""
        return any(warned.is_asked_about for warned in self.warnings)

    @property
    def asks_for(self) -> str:
        """A code for the confirmation that the seal button asks for, or "" if it does not ask."""
        if self.is_grave:
            return "grave"
        if any(warned.code in LIKELY_MISTAKES for warned in self.warnings):
            return "clap"
        return "idle" if self.is_asked_about else ""

    @property
    def while_writing(self) -> tuple[ShownWarning, ...]:
        """The warnings shown in the sheet while the player writes."""
        return tuple(warned for warned in self.warnings if not warned.is_at_sealing)


NO_ADVICE = Advice()


def advice_on(position: engine.play.Position, wizard: str, fields: Mapping[str, str]) -> Advice:
    """Return the advice on the orders in these fields. It is empty if the fields are not valid."""
    try:
        orders = engine.orders.from_fields(fields)
    except engine.play.InvalidData:
        return NO_ADVICE
    return Advice(
        adjudication.orders_as_sentences(position, wizard, orders),
        tuple(map(warning_to_show, adjudication.form_cautions(position, wizard, fields))),
        engine.play.check(position, wizard, orders),
        adjudication.hints(position, wizard, orders),
    )


def warning_to_show(caution: engine.play.Caution) -> ShownWarning:
    return ShownWarning(
        adjudication.warning_key(caution),
        caution.code,
        caution.text,
        caution.rule,
        caution.code in GRAVE_WARNINGS,
        caution.code in WARNINGS_AT_SEALING,
        caution.code in {*GRAVE_WARNINGS, *WARNINGS_AT_SEALING, *LIKELY_MISTAKES},
    )
