"""Text about the search for an opponent, such as why a wizard has not been paired yet."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import apnumber
from django.utils.text import capfirst

import engine.play
from duels.commands.suspensions import suspension_words
from duels.matching import public as matching
from duels.matching.public import Obstacle, OpenWizard
from duels.models import Duel, Wizard
from engine.words import or_list


def status_words(wizard: Wizard, own: matching.Availability, now: datetime) -> str:
    """Return a sentence on why the wizard has not been paired yet, or soon will be."""
    pool = matching.pairing_pool(now, for_wizard=wizard)
    me = next((each for each in pool.wizards if each.id == wizard.pk), None)
    if me is not None:
        return _obstacle_words(me, *matching.obstacle_to_pairing(me, pool))
    if wizard.is_suspended_at(now):
        return suspension_words(wizard)
    if wizard.vacation is not None:
        return "You are on vacation. The search continues when you are back."
    duels = "one duel" if own.most_duels == 1 else f"{apnumber(own.most_duels)} duels"
    return f"You are in {duels}, the maximum that you chose. The search continues when one ends."


def terms_words(duel: Duel) -> str:
    """Return the duel's terms as text, such as "Bartle, three days for each turn, rated"."""
    return f"{engine.play.RULESETS[duel.ruleset].name}, {duel.pace_words}, {duel.rated_words}"


def _obstacle_words(me: OpenWizard, obstacle: Obstacle, others: Sequence[OpenWizard]) -> str:
    if obstacle == Obstacle.NOBODY:
        return "Nobody else is open to duels right now."
    is_one = len(others) == 1
    number = f"{capfirst(str(apnumber(len(others))))} {'wizard is' if is_one else 'wizards are'}"
    if obstacle == Obstacle.RULESETS:
        rulesets = _rulesets(each for other in others for each in other.rulesets)
        return f"{number} open to duels, but only under the rules of {rulesets}."
    shared = _rulesets(each for other in others for each in other.rulesets if each in me.rulesets)
    found = f"{number} open to {shared} duels"
    they = "wants" if is_one else "both want" if len(others) == 2 else "all want"
    if obstacle == Obstacle.PACES:
        wanted = {pace for other in others for pace in other.paces}
        paces = or_list(pace.words for pace in matching.OFFERED_PACES if str(pace) in wanted)
        return f"{found}, but {they} a different pace: {paces}."
    if obstacle == Obstacle.RATED:
        return f"{found}, but {they} only {others[0].rated} duels."
    if obstacle == Obstacle.MET:
        return f"{found}, and you are in a duel with {'them' if is_one else 'each of them'}."
    if obstacle == Obstacle.DISTANCE:
        return (
            f"{found}, but your ratings are too far apart. The longer you both wait, the larger "
            "the difference may be."
        )
    return f"{found} that suit you. Your duel is about to begin."


def _rulesets(ids: Iterable[str]) -> str:
    wanted = set(ids)
    rulesets = engine.play.RULESETS.values()
    return or_list(each.name for each in rulesets if each.id in wanted)
