"""The summary of a finished duel, with turning points, damage, and each wizard's spells."""

from dataclasses import dataclass

from django.utils.text import capfirst

import engine.words
from duels.models import SMALLEST_DUEL
from duels.queries.rows import DuelPage
from duels.screens.duel.damage_chart import DASHES, DamageChart, damage_changes, damage_chart
from duels.screens.turn.context import turns_path
from duels.standing.beings import seat_number
from duels.wording.turns import turn_words

TURNS_BEFORE_THE_END = 3  # the proposed start: late, but early enough to change the result


@dataclass(frozen=True)
class TurningPointRow:
    """A turning point of the duel, with the address of its turn."""

    title: str
    turn: str
    address: str
    text: str
    rule: str


@dataclass(frozen=True)
class SpellRow:
    """A spell that a wizard cast, and the number of times."""

    id: str
    name: str
    times: int


@dataclass(frozen=True)
class ForgoneRow:
    """Spells that a wizard completed with the same gestures, but did not choose to cast."""

    turn: str
    address: str
    cast: str
    spells: str


@dataclass(frozen=True)
class WizardRow:
    """All spells of one wizard in the duel."""

    name: str
    seat: int
    dashes: str  # dash pattern of the wizard's line in the chart
    spells: tuple[SpellRow, ...]
    forgone: tuple[ForgoneRow, ...]

    @property
    def casts(self) -> int:
        return sum(spell.times for spell in self.spells)


@dataclass(frozen=True)
class DamageRow:
    """The damage of all wizards after a turn."""

    turn: str
    damage: tuple[int, ...]


@dataclass(frozen=True)
class WholeStory:
    """The summary on the page of a finished duel."""

    turning_points: tuple[TurningPointRow, ...]
    chart: DamageChart
    wizards: tuple[WizardRow, ...]
    damage: tuple[DamageRow, ...]


def whole_story_of(page: DuelPage) -> WholeStory | None:
    """Return the summary from the reader's point of view, or None if the duel is not over or has no
    turns."""
    story, view = page.whole, page.view
    if story is None or not story.turns:
        return None
    names, spells = {seat.code: seat.name for seat in page.seats}, view.rules.spell_names
    path = turns_path(page.duel.pk)
    words = {turn.ordinal: turn_words(view.ruleset, turn.number, turn.kind) for turn in story.turns}

    def forgone_row(each: engine.words.ForgoneSpells) -> ForgoneRow:
        others = engine.words.and_list(spells.get(spell, spell) for spell in each.spells)
        return ForgoneRow(
            words[each.ordinal],
            f"{path}{each.ordinal}/",
            spells.get(each.cast, each.cast),
            others,
        )

    return WholeStory(
        turning_points=tuple(
            TurningPointRow(
                point.title,
                capfirst(words[point.ordinal]),
                f"{path}{point.ordinal}/",
                point.text,
                point.rule,
            )
            for point in engine.words.highlights(view, story, page.me.code if page.me else "")
        ),
        chart=damage_chart(story, names, view.rules.wizard_hit_points),
        wizards=tuple(
            WizardRow(
                names[wizard.wizard],
                seat_number(wizard.wizard),
                DASHES[seat_number(wizard.wizard)],
                tuple(
                    SpellRow(each.spell, spells.get(each.spell, each.spell), each.times)
                    for each in wizard.cast
                ),
                tuple(map(forgone_row, wizard.forgone)),
            )
            for wizard in story.wizards
        ),
        damage=tuple(
            DamageRow(
                capfirst(words[story.turns[number - 1].ordinal]) if number else "Before it began",
                damage,
            )
            for number, damage in damage_changes(story)
        ),
    )


@dataclass(frozen=True)
class PlayOn:
    """The choices for playing on from a finished duel: the last possible turn, and a proposed
    one."""

    last: int
    turn: int


def play_on_choices(page: DuelPage) -> PlayOn | None:
    """Return the turns from which the reader can play on.

    Return None if no turn was played or if the duel had more than two wizards.
    """
    story = page.whole
    if story is None or not story.turns or len(page.seats) != SMALLEST_DUEL:
        return None
    last = story.turns[-1].ordinal
    return PlayOn(last, max(1, last - TURNS_BEFORE_THE_END))
