"""Cautions about spells that a delay banks or a permanency makes permanent.

rules: R103, R104, R107, R172, W34, W35
"""

from collections.abc import Iterator
from typing import Final

from engine.advice.foreseen_orders import ForeseenOrders
from engine.events import Banked, Extended, Removed
from engine.rulesets.choices import CaptureRule
from engine.sheet.sheet_types import Caution
from engine.spellbook import Duration

DURATIONS_NOT_EXTENDED: Final = (Duration.INSTANT, Duration.UNTIL_REMOVED)
"""Durations that have no last turn: a permanency adds nothing to such spells."""


def banking_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield cautions about unintended banking, overwritten banks and useless permanencies."""
    rules, own = foreseen.position.rules, foreseen.own
    spells = rules.spells
    marked = rules.capture is CaptureRule.MARKED
    for event in foreseen.events:
        if isinstance(event, Banked) and event.wizard == own.id and not foreseen.orders.bank:
            name, delay = spells[event.spell].name, spells[rules.banking].name
            text = f"Your {delay} banks {name}, so it is not cast this turn."
            yield Caution("spell_is_banked", "R103", text, "bank")
        elif event == Removed(own.id, "bank", rules.banking):
            delay = spells[rules.banking].name
            text = f"Your {delay} banks another spell, so {foreseen.banked_spell} is lost."
            yield Caution("bank_overwritten", "W34" if marked else "R104", text, "bank")
        elif isinstance(event, Extended) and event.wizard == own.id:
            if spells[event.spell].lasts not in DURATIONS_NOT_EXTENDED:
                continue
            name, lasting = spells[event.spell].name, spells[rules.extending].name
            text = f"Your {lasting} is spent on {name}, which gains nothing from it."
            rule = "W35" if marked else "R107"
            yield Caution("permanency_wasted", rule, text, "permanency")
