"""Differences between orders of play that no ruleset field describes, quoted from RULES.md."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.rulesets.choices import NUMBERED, STEPWISE

MANUAL_IS_CONTRADICTED: Final = "differs"  # the program contradicts its manual
MANUAL_ADMITS_FAULT: Final = "admits"  # a fault that its manual admits
MANUAL_IS_SILENT: Final = "decides"  # its manual does not cover this


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference as text, with the rule that has the details and the spells involved.

    The text quotes RULES.md if a rule there says the same: see `engine.rules_text.quoting`. `trust`
    states how the behaviour of a program relates to its manual.
    """

    text: str
    rule: str
    spells: tuple[str, ...] = ()
    trust: str = ""


def _quoted_notes(*rules: str, trust: str = "") -> Iterator[Difference]:
    """Yield a quotation of the note for spellcast of each of these rules."""
    return (Difference(f"{{{rule} of spellcast}}", rule, trust=trust) for rule in rules)


# Differences between each order of play and the one in which everything is sealed.
DIFFERENCES_OF_PLAY: Final[Mapping[str, tuple[Difference, ...]]] = {
    STEPWISE: (
        # Course of a turn.
        *_quoted_notes("R85", "R86", "R176", "R201"),
        # Seeing.
        *_quoted_notes("R94", trust=MANUAL_IS_SILENT),
        Difference("{R95 of spellcast, 2}", "R95", trust=MANUAL_IS_SILENT),
        # Protection.
        *_quoted_notes("R43"),
        *_quoted_notes("R51", trust=MANUAL_ADMITS_FAULT),
        *_quoted_notes("R38", "R142", "R54", "R208", "R209", "R56", "R18", "R50", "R30"),
        # Mind spells.
        Difference("{R76 of spellcast, 2}", "R76", trust=MANUAL_IS_SILENT),
        *_quoted_notes("R79", "R83", "R213", "R214", "R212"),
        *_quoted_notes("R101", trust=MANUAL_ADMITS_FAULT),
        *_quoted_notes("R87"),
        # Delay and permanency.
        Difference(
            "{R102 of spellcast}", "R102", ("delayed_effect", "permanency"), MANUAL_ADMITS_FAULT
        ),
        *_quoted_notes("R105", "R106"),
        # Extra rows.
        *_quoted_notes("R98", trust=MANUAL_IS_SILENT),
        *_quoted_notes("R169", "R211"),
        # Surrender and death.
        *_quoted_notes("R112", trust=MANUAL_IS_CONTRADICTED),
        *_quoted_notes("R111", "R210", "R110", "R73"),
        *_quoted_notes("R116", trust=MANUAL_ADMITS_FAULT),
    ),
    NUMBERED: (
        Difference("{W8}", "W8"),
        Difference("{W10, 2}", "W10"),
        Difference("{W11, 2}", "W11"),
        Difference("{W12}", "W12"),
        Difference("{W13}", "W13"),
    ),
}
