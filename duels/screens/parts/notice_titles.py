"""Titles of notices in lists. Each names the duel and the turn."""

from collections import defaultdict
from collections.abc import Sequence

import engine.words
from duels.models import Seat, Turn, Wizard
from engine.words import and_list, versus_text


def notice_titles(reader: Wizard, notices: Sequence[tuple[int | None, int | None]]) -> list[str]:
    """Return titles such as "Against Bram, turn 7" for these ids of duels and turns.

    The title of a notice without a duel is empty.
    """
    names: dict[int | None, dict[int, str]] = defaultdict(dict)
    seats = Seat.objects.filter(duel__in={duel for duel, _ in notices if duel})
    rows = seats.order_by("place", "pk").values_list("duel", "wizard", "wizard__name")
    for duel, wizard, name in rows:
        names[duel][wizard] = name
    turns = Turn.with_voided.filter(pk__in={turn for _, turn in notices if turn})
    turn_names = {
        pk: engine.words.turn_name(ruleset, kind, number)
        for pk, ruleset, number, kind in turns.values_list("pk", "duel__ruleset", "number", "kind")
    }

    def notice_title(duel: int | None, turn: int | None) -> str:
        others = [name for wizard, name in names[duel].items() if wizard != reader.pk]
        if not duel:
            return ""
        if not others:
            words = f"Duel {duel}"
        elif reader.pk in names[duel]:
            words = f"Against {and_list(others)}"
        else:
            words = versus_text(others)
        return ", ".join(filter(None, [words, turn_names.get(turn or 0)]))

    return [notice_title(duel, turn) for duel, turn in notices]
