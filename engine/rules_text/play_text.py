"""Differences between orders of play that no ruleset field describes, quoted from RULES.md."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rulesets.choices import NUMBERED, STEPWISE

DIFFERS: Final = "differs"  # the program contradicts its manual
ADMITS: Final = "admits"  # a fault that its manual admits
DECIDES: Final = "decides"  # its manual does not cover this


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


# Differences between each order of play and the one in which everything is sealed.
PLAYS: Final[Mapping[str, tuple[Difference, ...]]] = {
    STEPWISE: (
        # Course of a turn.
        Difference("{R85 of spellcast}", "R85"),
        Difference("{R86 of spellcast}", "R86"),
        Difference("{R176 of spellcast}", "R176"),
        Difference("{R201 of spellcast}", "R201"),
        # Seeing.
        Difference("{R94 of spellcast}", "R94", trust=DECIDES),
        Difference("{R95 of spellcast, 2}", "R95", trust=DECIDES),
        # Protection.
        Difference("{R43 of spellcast}", "R43"),
        Difference("{R51 of spellcast}", "R51", trust=ADMITS),
        Difference("{R38 of spellcast}", "R38"),
        Difference("{R142 of spellcast}", "R142"),
        Difference("{R54 of spellcast}", "R54"),
        Difference("{R208 of spellcast}", "R208"),
        Difference("{R209 of spellcast}", "R209"),
        Difference("{R56 of spellcast}", "R56"),
        Difference("{R18 of spellcast}", "R18"),
        Difference("{R50 of spellcast}", "R50"),
        Difference("{R30 of spellcast}", "R30"),
        # Mind spells.
        Difference("{R76 of spellcast, 2}", "R76", trust=DECIDES),
        Difference("{R79 of spellcast}", "R79"),
        Difference("{R83 of spellcast}", "R83"),
        Difference("{R213 of spellcast}", "R213"),
        Difference("{R214 of spellcast}", "R214"),
        Difference("{R212 of spellcast}", "R212"),
        Difference("{R101 of spellcast}", "R101", trust=ADMITS),
        Difference("{R87 of spellcast}", "R87"),
        # Delay and permanency.
        Difference("{R102 of spellcast}", "R102", ("delayed_effect", "permanency"), ADMITS),
        Difference("{R105 of spellcast}", "R105"),
        Difference("{R106 of spellcast}", "R106"),
        # Extra rows.
        Difference("{R98 of spellcast}", "R98", trust=DECIDES),
        Difference("{R169 of spellcast}", "R169"),
        Difference("{R211 of spellcast}", "R211"),
        # Surrender and death.
        Difference("{R112 of spellcast}", "R112", trust=DIFFERS),
        Difference("{R111 of spellcast}", "R111"),
        Difference("{R210 of spellcast}", "R210"),
        Difference("{R110 of spellcast}", "R110"),
        Difference("{R73 of spellcast}", "R73"),
        Difference("{R116 of spellcast}", "R116", trust=ADMITS),
    ),
    NUMBERED: (
        Difference("{W8}", "W8"),
        Difference("{W10, 2}", "W10"),
        Difference("{W11, 2}", "W11"),
        Difference("{W12}", "W12"),
        Difference("{W13}", "W13"),
    ),
}
