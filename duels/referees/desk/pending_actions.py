"""The order sheet and the questions at a moment of a turn, as text."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import engine.play
import engine.words
from duels.models import Duel
from duels.referees.desk.evidence.sight import RESOLVED, PendingActions, TurnMoment
from duels.screens.order_sheet.build import order_form, question_choices
from duels.screens.order_sheet.context import spell_book_of
from duels.screens.order_sheet.form_parts import Choice, HandPart


@dataclass(frozen=True)
class PendingField:
    """A field's label, its possible choices, and a note on choices that are missing."""

    words: str
    options: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class PendingPart:
    """The order sheet or the questions in an observer's column."""

    waiting: str
    fields: tuple[PendingField, ...]
    title: str = ""


def pending_part(duel: Duel, pending: PendingActions, moment: TurnMoment) -> PendingPart:
    """Return the fields that the observer had to fill in at this moment."""
    if pending.questions:
        fields = tuple(map(_choice_field, question_choices(pending.questions, {})))
        return PendingPart(_waiting_words(pending), fields, "Questions after the reveal")
    if pending.sheet is not None:
        return PendingPart(
            _waiting_words(pending), tuple(_sheet_fields(duel, pending.sheet)), "Orders"
        )
    if moment.stage == RESOLVED:
        return PendingPart("The turn was resolved, so no decisions were open.", ())
    return PendingPart(_waiting_words(pending), ())


def _waiting_words(pending: PendingActions) -> str:
    if pending.is_lost:
        return "The questions depend on sealed orders that cannot be read: their key is missing."
    if not pending.is_known:
        return "The page did not show which wizards the turn was waiting for."
    names = engine.words.and_list([seat.wizard.name for seat in pending.awaited])
    return f"The turn was waiting for {names}." if names else "The turn was not waiting for anyone."


def _sheet_fields(duel: Duel, sheet: engine.play.Sheet) -> Iterator[PendingField]:
    form = order_form(sheet, {}, spell_book_of(duel))
    many = len(form.sets) > 1
    for part in form.sets:
        which = f", set {part.number}" if many else ""
        yield from (_hand_field(hand, which) for hand in part.hands)
        for done in part.completed:
            yield from map(_choice_field, filter(None, (done.spells, done.subjects)))
    all_attack = (form.all_attack,) if form.all_attack is not None else ()
    parts: Iterable[Iterable[Choice]] = (
        form.charmed,
        form.monsters,
        all_attack,
        form.bank,
        form.captures,
        form.sacrifice,
        form.advance,
    )
    for choices in parts:
        yield from map(_choice_field, choices)
    yield PendingField("Message", (), "any text, or none")


def _hand_field(hand: HandPart, set_suffix: str) -> PendingField:
    notes = " ".join(text for text, _ in hand.notes)
    if hand.forced:
        forced = f"forced: {hand.forced}. {notes}"
        return PendingField(f"{hand.gestures.words}{set_suffix}", (), forced.strip())
    free = tuple(option.words for option in hand.gestures.options if option.allowed)
    return PendingField(f"{hand.gestures.words}{set_suffix}", free, notes)


def _choice_field(choice: Choice) -> PendingField:
    return PendingField(choice.words, tuple(each.words for each in choice.options), choice.note)
