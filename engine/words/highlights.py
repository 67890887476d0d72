"""Sentences about the turning points of a finished duel. rules: F80, promise 7"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.rules_text.wording import and_list
from engine.view.view_types import View
from engine.words.narrate import Narrator, hit_points_text, points_text
from engine.words.story import (
    FIRST_BLOOD,
    HEAVY_BLOW,
    LEAD_CHANGED,
    MONSTER_WON_OVER,
    SPELL_SENT_BACK,
    WIZARD_FELL,
    Story,
    TurningPoint,
    WizardDamage,
)

HIGHLIGHT_TITLES: Final = {
    FIRST_BLOOD: "First blood",
    HEAVY_BLOW: "The heaviest blow",
    LEAD_CHANGED: "The lead changes",
    WIZARD_FELL: "Out of the duel",
    MONSTER_WON_OVER: "Won over",
    SPELL_SENT_BACK: "Sent back",
}
DAMAGE_TEXT: Final = "{who} <suffer|suffers who> {points}."
LEAD_TEXT: Final = "{who} <lead|leads who> now: {points} of damage against {others}."
LEAD_TEXT_WITH_LEFT: Final = "{who} <lead|leads who> now: {points} against {others}."
DAMAGE_RULE: Final = "turn:damage"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A turning point as sentences, with the rule that they cite.

    `text_with_left` replaces `text` for readers who count hit points left instead of damage.
    """

    kind: str
    ordinal: int
    title: str
    text: str
    text_with_left: str
    rule: str


def highlights(view: View, story: Story, reader: str = "") -> tuple[Highlight, ...]:
    """Return the story's turning points as sentences, for readers who may see the whole duel.

    `view` is a view of the open record; it need not show all turns. `reader` is the wizard
    addressed as "you".
    """
    narrator = Narrator(replace(view, names={**story.monsters, **view.names}), reader)
    return tuple(_highlight(narrator, point) for point in story.turning_points)


def _highlight(narrator: Narrator, point: TurningPoint) -> Highlight:
    if point.event is not None:
        lines = list(narrator.lines(point.event, point.cause))
        text, with_left = (
            " ".join(line.text_for(shows_left=shows_left) for line in lines)
            for shows_left in (False, True)
        )
        rule = lines[0].rule
    elif point.kind == LEAD_CHANGED:
        text, with_left = _lead_sentences(narrator, point.damage)
        rule = DAMAGE_RULE
    else:
        text = with_left = " ".join(_damage_sentences(narrator, point.damage))
        rule = DAMAGE_RULE
    return Highlight(point.kind, point.ordinal, HIGHLIGHT_TITLES[point.kind], text, with_left, rule)


def _damage_sentences(narrator: Narrator, damage: tuple[WizardDamage, ...]) -> Iterator[str]:
    for each in damage:
        yield narrator.fill_in(DAMAGE_TEXT, who=each.wizard, points=points_text(each.damage))


def _lead_sentences(narrator: Narrator, damage: tuple[WizardDamage, ...]) -> tuple[str, str]:
    """Return the sentence about the new leader, with damage and with hit points left."""
    first, *rest = damage
    least = min(each.damage for each in rest)
    nearest = [each.wizard for each in rest if each.damage == least]
    limit = narrator.view.rules.wizard_hit_points

    def sentence(template: str, points: str, least_points: int) -> str:
        others = and_list(f"{narrator.possessive(wizard)} {least_points}" for wizard in nearest)
        return narrator.fill_in(template, who=first.wizard, points=points, others=others)

    return (
        sentence(LEAD_TEXT, points_text(first.damage), least),
        sentence(LEAD_TEXT_WITH_LEFT, hit_points_text(first.damage, limit), limit - least),
    )
