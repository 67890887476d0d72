"""The contents of a duel's picture."""

from django.utils.text import capfirst

from duels.loaded import adjudication
from duels.models import Duel
from duels.pictures.scene import Scene, scene_of
from duels.queries.pictures import PictureMoment, picture_content
from duels.screens.parts.headlines import headline
from duels.screens.parts.outcomes import outcome_words
from duels.screens.parts.sharing import duellists_in_short
from duels.wording.turns import turn_words


def scene(duel: Duel, moment: PictureMoment) -> Scene:
    view, report = picture_content(duel, moment)
    rules = f"rules of {adjudication.ruleset_label(duel)}"
    codes = [wizard.id for wizard in view.wizards]
    outcome = (
        outcome_words(duel, dict(zip(codes, moment.names, strict=True))) if moment.is_end else ""
    )
    if report is None or not moment.ordinal:
        words = "Before turn 1"
    else:
        words = capfirst(turn_words(duel.ruleset, report.number, report.kind))
    return scene_of(
        view,
        title=duellists_in_short(moment.names),
        place=f"{words} · {rules}",
        headline=headline(report, outcome),
    )
