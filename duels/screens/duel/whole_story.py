"""The summary of a finished duel, with turning points, damage, and each wizard's spells."""

from typing import Any

from django.utils.text import capfirst

import engine.words
from duels.models import MIN_WIZARDS
from duels.queries.rows import DuelPage
from duels.screens.duel.damage_chart import (
    DASH_PATTERNS,
    damage_changes,
    damage_chart,
    points_left,
)
from duels.standing.beings import seat_number

TURNS_BEFORE_THE_END = 3  # the proposed start: late, but early enough to change the result


def whole_story_of(page: DuelPage) -> dict[str, Any] | None:
    """Return the summary for this reader, or None before the end or without any turns."""
    story, view = page.whole, page.view
    if story is None or not story.turns:
        return None
    deadly = view.rules.wizard_hit_points
    names, spells = {seat.code: seat.name for seat in page.seats}, view.rules.spell_names
    words = {
        turn.ordinal: engine.words.turn_name(view.ruleset, turn.kind, turn.number)
        for turn in story.turns
    }
    return {
        "turning_points": [
            (capfirst(words[point.ordinal]), point)
            for point in engine.words.highlights(view, story, page.me.code if page.me else "")
        ],
        "chart": damage_chart(story, names, deadly),
        "wizards": [
            {
                "name": names[wizard.wizard],
                "seat": seat_number(wizard.wizard),
                "dashes": DASH_PATTERNS[seat_number(wizard.wizard)],  # of the line in the chart
                "casts": sum(each.times for each in wizard.cast),
                "spells": [(each, spells.get(each.spell, each.spell)) for each in wizard.cast],
                "forgone": [
                    {
                        "turn": words[each.ordinal],
                        "ordinal": each.ordinal,
                        "cast": spells.get(each.cast, each.cast),
                        "spells": engine.words.and_list(
                            spells.get(spell, spell) for spell in each.spells
                        ),
                    }
                    for each in wizard.forgone
                ],
            }
            for wizard in story.wizards
        ],
        "damage": [
            (
                capfirst(words[story.turns[number - 1].ordinal]) if number else "Before it began",
                [(each, points_left(each, deadly)) for each in damage],
            )
            for number, damage in damage_changes(story)
        ],
    }


def play_on_choices(page: DuelPage) -> dict[str, int] | None:
    """Return the last turn from which the reader can play on, and a proposed one.

    Return None if no turn was played or if the duel had more than two wizards.
    """
    story = page.whole
    if story is None or not story.turns or len(page.seats) != MIN_WIZARDS:
        return None
    last = story.turns[-1].ordinal
    return {"last": last, "turn": max(1, last - TURNS_BEFORE_THE_END)}
