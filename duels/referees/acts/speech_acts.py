"""Acts on messages: lock or unlock them, remove a message, and write to the players."""

import hashlib
import secrets
from datetime import datetime
from typing import Final

from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import Duel, RefereeMessage, Seat, Speech, Turn
from duels.referees.acts.act_types import ActContext
from engine.play import Spoke

SALT_BYTES: Final = 32
CHAT_ALLOWED, CHAT_LOCKED = "allowed", "locked by a referee"


def lock_speech(context: ActContext) -> None:
    """Lock messages in the duel or by one wizard, including messages with orders."""
    if _change_lock(context, context.now) is not None:
        raise Refused("locked_already", "Messages are already locked.")
    context.record_change(_speech_subject(context), CHAT_ALLOWED, CHAT_LOCKED)


def unlock_speech(context: ActContext) -> None:
    """Unlock messages in the duel or by one wizard."""
    if _change_lock(context, None) is None:
        raise Refused("not_locked", "Messages are not locked here.")
    context.record_change(_speech_subject(context), CHAT_LOCKED, CHAT_ALLOWED)


def remove_message_or_name(context: ActContext) -> None:
    """Hide a message from everyone, and leave it out of the record. The database keeps the text.

    If the message was sealed with a turn, the record keeps its hash, so that anyone can still check
    the seal. Both wizards of a private message see that it was removed.
    """
    said = context.values["speech"]
    if context.duel is None:  # a private message
        said.removed_at, said.removed_for = context.now, context.reason
        said.save(update_fields=["removed_at", "removed_for"])
        context.facts["private_message"] = said.pk
    elif isinstance(said, Duel):
        _remove_name(context, said)
    elif isinstance(said, Speech):
        _remove_speech(context, said)
    else:
        _remove_words_with_turn(context, *said)
    context.record_change("This message", "shown", "removed by a referee")


def send_private_message(context: ActContext) -> None:
    """Send a private message to all players of the duel or to one player."""
    to: Seat | None = context.values["seat"]
    words: str = context.values["words"]
    seats = Seat.objects.filter(duel=context.the_duel).select_related("wizard").order_by("place")
    readers = [to.wizard] if to is not None else [seat.wizard for seat in seats]
    if to is not None:
        context.set_seat(to)
        context.only_notified = (to.wizard,)
    salt = secrets.token_hex(SALT_BYTES)
    context.facts["words_digest"] = hashlib.sha256(f"{salt}{words}".encode()).hexdigest()
    for reader in readers:
        context.record_change(f"To {reader}", "nothing", words)

    def store_message(act_id: int) -> None:
        keys = [reader.pk for reader in readers]
        RefereeMessage.objects.create(act_id=act_id, readers=keys, words=words, salt=salt)

    context.after_logging = store_message


def _change_lock(context: ActContext, moment: datetime | None) -> datetime | None:
    """Lock messages from this moment, or unlock them if it is None. Return the earlier value."""
    row = context.duel or context.the_wizard
    before, row.speech_locked_at = row.speech_locked_at, moment
    row.save(update_fields=["speech_locked_at"])
    return before


def _speech_subject(context: ActContext) -> str:
    return "Messages in this duel" if context.duel else f"Messages of {context.the_wizard}"


def _remove_name(context: ActContext, duel: Duel) -> None:
    """Remove the duel's name, so that pages show its number. The log does not keep the name."""
    if not duel.name:
        raise Refused("no_name", "This duel has no name.", field="speech")
    duel.name = ""
    duel.save(update_fields=["name"])
    context.facts["name"] = True


def _remove_speech(context: ActContext, speech: Speech) -> None:
    if speech.removed_at is not None:
        raise _already_removed_refusal()
    seat = Seat.objects.filter(duel=context.the_duel, wizard=speech.wizard_id).first()
    if seat is not None:
        context.set_seat(seat)
    context.wizard_id, context.turn = speech.wizard_id, speech.ordinal
    context.facts["speech"] = speech.pk
    speech.removed_at = context.now
    speech.save(update_fields=["removed_at"])


def _remove_words_with_turn(context: ActContext, turn: Turn, seat: Seat) -> None:
    events = adjudication.load_stored_events(turn.events)
    if not any(isinstance(event, Spoke) and event.wizard == seat.code for event in events):
        text = f"{seat.wizard} sent no message with that turn."
        raise Refused("unknown_speech", text, field="speech")
    if seat.code in turn.silenced:
        raise _already_removed_refusal()
    context.set_seat(seat)
    context.turn = turn.ordinal
    context.facts["with_turn"] = True
    turn.silenced = [*turn.silenced, seat.code]
    turn.save(update_fields=["silenced"])


def _already_removed_refusal() -> Refused:
    return Refused("removed_already", "This message has already been removed.", field="speech")
