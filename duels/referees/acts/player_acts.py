"""Acts on a duel's players: excuse an absence, play default orders, or replace a player."""

from django.db.models import Q

from duels.commands.awaiting import await_wizards
from duels.commands.deadlines import seal_default
from duels.commands.renaming import rename_in_duels
from duels.delivery.nudging import request_resolution
from duels.errors import Refused
from duels.loaded.loading import load_turn
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import Block, Draft, Orders, Seat, Wizard, WizardKind
from duels.post.kinds.played_for import PlayedFor
from duels.post.kinds.your_turn import YourTurn
from duels.post.public import NoticeKind, drop_queued, notify
from duels.referees.acts.act_types import ActContext


def excuse_missed_turns(context: ActContext) -> None:
    """Reset the wizard's count of missed turns, and give back an extension if they have used any.

    If the wizard has missed the open turn, it still counts as missed, because nobody may know about
    it before the turn ends.
    """
    turn, seat = _open_turn_and_seat(context)
    missed_now = int(seat.missed_in == turn.row.ordinal)
    known = max(seat.missed_turns - missed_now, 0)
    excuses = min(seat.excuses_left + 1, turn.duel.excuses)
    if not known and excuses == seat.excuses_left:
        text = f"{seat.wizard} has not missed a turn and has not used an extension."
        raise Refused("nothing_to_excuse", text, field="seat")
    whose = seat.wizard.name
    context.record_change(f"Turns missed by {whose}", str(known), "0")
    context.record_change(f"Extensions of {whose}", f"{seat.excuses_left} left", f"{excuses} left")
    context.facts |= {"missed": known, "excuses": [seat.excuses_left, excuses]}
    seat.missed_turns, seat.excuses_left = min(seat.missed_turns, missed_now), excuses
    seat.save(update_fields=["missed_turns", "excuses_left"])


def play_defaults(context: ActContext) -> None:
    """Seal default orders or answers for an absent wizard, as the site does at a deadline."""
    turn, seat = _open_turn_and_seat(context, or_awaited=True)
    if hides_questions(turn.row.kind):
        # Only the wizard concerned may know whether an extra turn waits for them.
        text = (
            "Only the wizards concerned may know who must act in an extra turn. Default orders "
            "are played when the time runs out."
        )
        raise Refused("hidden_turn", text, field="seat", rule="R121")
    if not seat.awaited:
        text = f"The turn is not waiting for {seat.wizard}."
        raise Refused("not_awaited", text, field="seat")
    sealed = seal_default(turn, seat, context.now)
    await_wizards(turn.row, turn.seats, turn.awaited - {seat.code}, context.now)
    context.record_change(f"Orders of {seat.wizard}", "awaited", "sealed by default")
    context.facts["commitment"] = sealed.commitment
    _notify(PlayedFor, seat, turn, f"seal {sealed.pk}", context)
    request_resolution(turn.row.pk)


def replace_wizard(context: ActContext) -> None:
    """Give this seat to another wizard. Void any orders that are sealed for it in the open turn."""
    turn, seat = _open_turn_and_seat(context)
    old, new = seat.wizard, context.values["wizard"]
    _check_may_take_seat(context, turn, new)
    row, void = turn.row, turn.current_seals.get(seat.pk)
    if void is not None:
        Orders.objects.filter(pk=void.pk).update(superseded=True)
    Draft.objects.filter(turn=row, seat=seat).delete()
    drop_queued(duel=turn.duel, wizard=old)
    seat.wizard = new
    seat.read_turn = seat.read_speech = 0
    seat.missed_turns, seat.missed_in = 0, None
    seat.draw_offered_in = seat.draw_declined_in = None
    seat.asks_pause = False
    seat.save()
    rename_in_duels(Seat.objects.filter(pk=seat.pk))
    context.record_change(f"Seat of {old}", str(old), str(new))
    context.facts |= {"from": old.pk, "to": new.pk}
    context.also_notified.append(old)
    _wait_for_new_wizard(row.pk, seat, context)


def _open_turn_and_seat(context: ActContext, *, or_awaited: bool = False) -> tuple[OpenTurn, Seat]:
    """Return the open turn and the chosen seat, whose wizard is still in the duel.

    If `or_awaited`, also accept a wizard who is out of the duel but must answer a question.
    rules: R214
    """
    meant: Seat = context.values["seat"]
    turn = context.open_turn()
    seat = next(each for each in turn.seats if each.pk == meant.pk)
    if not seat.is_playing and not (or_awaited and seat.awaited):
        raise Refused("out_of_it", f"{seat.wizard} is out of this duel.", field="seat")
    context.set_seat(seat)
    context.turn = turn.row.ordinal
    return turn, seat


def _check_may_take_seat(context: ActContext, turn: OpenTurn, new: Wizard) -> None:
    # Lock the wizard. If they close their account at the same time, that command has either
    # finished, or waits for the lock and then sees the new seat.
    new = Wizard.objects.select_for_update(of=("self",), no_key=True).get(pk=new.pk)
    has_account = new.user is not None and new.user.is_active  # inactive: account being closed
    if new.kind != WizardKind.PLAYER or not has_account or new.is_suspended_at(context.now):
        raise Refused("opponent_not_player", f"{new} cannot play in this duel.", field="wizard")
    if new.user_id == context.by.user_id:
        raise Refused("own_duel", "You cannot play in this duel yourself.", field="wizard")
    if any(seat.wizard_id == new.pk for seat in turn.seats):
        raise Refused("sits_there", f"{new} is already in this duel.", field="wizard")
    others = [seat.wizard_id for seat in turn.seats]
    parted = Q(wizard=new, blocked__in=others) | Q(wizard__in=others, blocked=new)
    if Block.objects.filter(parted).exists():
        text = f"{new} and a wizard of this duel cannot challenge each other."
        raise Refused("blocked", text, field="wizard")


def _wait_for_new_wizard(turn_id: int, seat: Seat, context: ActContext) -> None:
    """Make the turn wait for the new wizard in this seat, with the turn's full time."""
    turn = load_turn(turn_id)
    assert turn is not None
    await_wizards(turn.row, turn.seats, turn.awaited - {seat.code}, context.now)
    if seat.code not in turn.unsealed_wizards:
        return
    await_wizards(turn.row, turn.seats, turn.awaited | {seat.code}, context.now)
    _notify(YourTurn, seat, turn, f"turn {turn_id} for {seat.wizard_id} instead", context)


def _notify(
    kind: type[NoticeKind], seat: Seat, turn: OpenTurn, occasion: str, context: ActContext
) -> None:
    notify(kind, [seat.wizard], turn.duel, context.now, turn=turn.row, occasion=occasion)
