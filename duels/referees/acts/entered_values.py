"""Parsing of the values in an act's form, by field type. `Refused` errors name the field."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from duels.accounts import names
from duels.clocks.clock import MAX_TURN_TIME
from duels.errors import Refused
from duels.models import Seat, Speech, Turn, Wizard
from duels.referees.acts.act_types import ActContext, ActField, ActSpec, FieldType
from duels.referees.models import Case
from duels.typed_text import clean_text, parse_number
from engine.play import DRAW

MAX_TEXT_LENGTH: Final = 2000
MAX_MOMENT_AHEAD: Final = timedelta(days=10 * 365)
MINUTES_PER_UNIT: Final = {"m": 1, "h": 60, "d": 24 * 60}
_DURATION_PATTERN = re.compile(r"([0-9]{1,6})\s*(m|min|minutes?|h|hours?|d|days?)?")
NAME_OF_DUEL: Final = "name"  # the choice for the duel's name in a field for messages
_MESSAGE_WITH_TURN_PATTERN = re.compile(r"turn ([0-9]{1,6}) (w[0-7])")


def parse_entered_values(
    spec: ActSpec, entered: Mapping[str, str], context: ActContext
) -> dict[str, Any]:
    """Return the value of each field, or None for an empty optional field."""
    return {
        field.name: _parse_field(field, entered.get(field.name, ""), context)
        for field in spec.fields
    }


def _parse_field(field: ActField, text: str, context: ActContext) -> Any:
    if "\0" in text:
        raise Refused("unreadable", f"{field.label}: this value is not valid.", field=field.name)
    text = clean_text(text)
    if not text and field.is_required:
        raise Refused("missing", f"{field.label}: fill in this field.", field=field.name)
    try:
        return PARSER_OF_FIELD_TYPE[field.type](text, context) if text else None
    except Refused as refused:
        refused.field = field.name
        raise


def _parse_turn(text: str, context: ActContext) -> Turn:
    found = Turn.objects.filter(duel=context.the_duel, ordinal=parse_number(text, 9)).first()
    if found is None:
        raise Refused("unknown_turn", "The duel does not have this turn.")
    found.duel = context.the_duel
    return found


def _parse_seat(text: str, context: ActContext) -> Seat:
    seats = Seat.objects.filter(duel=context.the_duel, place__isnull=False).select_related("wizard")
    found = next((seat for seat in seats if seat.code == text), None)
    if found is None:
        raise Refused("unknown_seat", "There is no wizard in this seat.")
    found.duel = context.the_duel
    return found


def _parse_duration(text: str, context: ActContext) -> timedelta:
    found = _DURATION_PATTERN.fullmatch(text.lower())
    if found is None:
        text = "Enter a number of minutes, or a time such as “36 hours” or “2 days”."
        raise Refused("unreadable_time", text)
    span = timedelta(minutes=int(found[1]) * MINUTES_PER_UNIT[(found[2] or "m")[0]])
    if not timedelta(0) < span <= MAX_TURN_TIME:
        text = f"Enter a time from one minute to {MAX_TURN_TIME.days} days."
        raise Refused("wrong_time", text)
    return span


def _parse_moment(text: str, context: ActContext) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        text = "Enter a date and time in UTC, such as 2026-03-01T12:00."
        raise Refused("unreadable_moment", text) from None
    if found <= context.now:
        raise Refused("past_moment", "Choose a time in the future.")
    if found > context.now + MAX_MOMENT_AHEAD:
        years = MAX_MOMENT_AHEAD.days // 365
        text = f"This is more than {years} years away. Leave the field empty instead."
        raise Refused("far_moment", text)
    return found


def _parse_result(text: str, context: ActContext) -> str:
    return text if text == DRAW else _parse_seat(text, context).code


def _parse_text(text: str, context: ActContext) -> str:
    if len(text) > MAX_TEXT_LENGTH:
        words = (
            f"This text has {len(text)} characters; the maximum is {MAX_TEXT_LENGTH}. Shorten it."
        )
        raise Refused("too_long", words)
    return text


def _parse_message(text: str, context: ActContext) -> Any:
    if context.duel is None:
        return _parse_reported_message(text, context)
    if text == NAME_OF_DUEL:
        return context.the_duel
    if with_turn := _MESSAGE_WITH_TURN_PATTERN.fullmatch(text):
        return _parse_turn(with_turn[1], context), _parse_seat(with_turn[2], context)
    found = Speech.objects.filter(duel=context.the_duel, pk=parse_number(text, 18)).first()
    if found is None:
        raise Refused("unknown_speech", "No message has this number.")
    return found


def _parse_reported_message(text: str, context: ActContext) -> Any:
    """Return the private message by this wizard that the case is about."""
    case = Case.objects.filter(pk=context.case or 0, about=context.the_wizard).first()
    message = getattr(case, "reported_message", None)
    if message is None or message.removed_at is not None or text != str(message.pk):
        text = "This report has no such message, or it has been removed."
        raise Refused("unknown_speech", text)
    return message


def _parse_wizard(text: str, context: ActContext) -> Wizard:
    found = Wizard.objects.filter(slug=names.name_slug(text)).first()
    if found is None:
        raise Refused("unknown_wizard", "There is no wizard with this name. Check the spelling.")
    return found


PARSER_OF_FIELD_TYPE: Mapping[FieldType, Callable[[str, ActContext], Any]] = {
    FieldType.TURN: _parse_turn,
    FieldType.SEAT: _parse_seat,
    FieldType.DURATION: _parse_duration,
    FieldType.MOMENT: _parse_moment,
    FieldType.RESULT: _parse_result,
    FieldType.TEXT: _parse_text,
    FieldType.SPEECH: _parse_message,
    FieldType.WIZARD: _parse_wizard,
    FieldType.NAME: _parse_text,
}
