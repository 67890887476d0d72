"""The act that rolls a duel back to the start of a turn.

The turn and all later turns become void, but they are kept. Wizards then seal orders again.

Even if they seal the same orders, the commitments and therefore the draws are different. The seed
of a finished duel is public, so the duel continues with a new seed, to which the act commits.
"""

from collections.abc import Sequence

from django.db.models import Max

import engine.play
import engine.words
from duels.commands.awaiting import await_wizards
from duels.commands.end_steps import resume_duel
from duels.commands.opening import close_turn, open_turn
from duels.delivery.nudging import request_resolution
from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import Draft, Duel, Orders, Outcome, SealSource, Seat, Speech, Stage, Turn
from duels.post.kinds.your_turn import YourTurn
from duels.post.public import notify
from duels.referees.acts import standings
from duels.referees.acts.act_types import ActContext
from duels.sealing import seeds
from engine.play import STANDING


def roll_back_duel(context: ActContext) -> None:
    """Void this turn and all later turns, and open the turn again from its start."""
    duel, back_to = context.the_duel, context.values["turn"]
    turns = list(Turn.objects.filter(duel=duel).order_by("ordinal"))
    void = [turn for turn in turns if turn.ordinal >= back_to.ordinal]
    kept = turns[: len(turns) - len(void)]
    _check_not_at_start(void)
    _check_seed_is_known(duel)
    seats, newest = standings.seats_of(duel), turns[-1]
    outcomes = [standings.outcome_words(seat) for seat in seats]
    _record_void_turns(context, void, newest)
    numbers = Turn.with_voided.filter(duel=duel).aggregate(last=Max("voided_in"))
    number = numbers["last"] + 1
    await_wizards(newest, seats, (), context.now)
    if newest.is_open:
        standing = context.open_turn()
        close_turn(standing, standing.position, context.now, stage=Stage.VOID)
    if duel.is_over:
        result = standings.result_words(duel, seats)
        standings.take_back_end(context, seats)
        resume_duel(duel, seats, number)
        context.facts["seed_commitment"] = duel.seed_commitment
        context.record_change("The result", result, standings.result_words(duel, seats))
        context.record_change("The seed of the dice", "open", "a new one, secret until the end")
    Turn.with_voided.filter(pk__in=[turn.pk for turn in void]).update(voided_in=number)
    Draft.objects.filter(turn__in=[turn.pk for turn in void]).delete()
    Speech.objects.filter(duel=duel, ordinal__gt=back_to.ordinal).update(ordinal=back_to.ordinal)
    position = adjudication.position_at_start(back_to)
    _restore_seats(context, seats, position, kept, void)
    standings.record_outcome_changes(context, seats, outcomes)
    context.turn = back_to.ordinal
    context.facts |= {"void": [turn.ordinal for turn in void], "roll_back": number}
    previous = kept[-1] if kept else None
    turn = open_turn(duel, seats, position, context.now, previous_turn=previous, roll_backs=number)
    readers = [seat.wizard for seat in seats if seat.is_playing]
    notify(YourTurn, readers, duel, context.now, turn=turn.row)
    if not turn.awaited:
        request_resolution(turn.row.pk)


def _check_not_at_start(void: Sequence[Turn]) -> None:
    """Raise `Refused` if the duel is already at the start of this turn and nobody has sealed."""
    first = void[0]
    is_untouched = first.stage == Stage.ORDERS and not first.resigned
    if is_untouched and not Orders.objects.filter(turn=first).exists():
        text = "The duel is already at the start of this turn."
        raise Refused("there_already", text, field="turn")


def _check_seed_is_known(duel: Duel) -> None:
    """Raise `Refused` if the seed of the dice is lost.

    The turn could not be played without the seed. If the duel's last turn was linked without the
    seed, the duel cannot continue either, because only the last link of a duel may lack the seed.
    """
    seeds.seed_of(duel)
    if seeds.ended_without_seed(duel):
        text = "The seed of the dice was lost when the duel ended, so the duel cannot continue."
        raise Refused("seed_was_lost", text, field="turn")


def _record_void_turns(context: ActContext, void: Sequence[Turn], newest: Turn) -> None:
    ruleset = context.the_duel.ruleset
    first, last = (
        engine.words.turn_name(ruleset, turn.kind, turn.number) for turn in (void[0], void[-1])
    )
    words = first if len(void) == 1 else f"{first} to {last}"
    played = "being played" if void == [newest] and newest.is_open else "played"
    context.record_change(words, played, "void: does not count, but can still be read")
    context.record_change("The duel", f"at {last}", f"at {first}, with new orders")


def _restore_seats(
    context: ActContext,
    seats: Sequence[Seat],
    position: engine.play.Position,
    kept_turns: Sequence[Turn],
    void: Sequence[Turn],
) -> None:
    """Restore each seat's outcome, extensions and missed turns to their values before the turn."""
    standing = {wizard.id: wizard.standing for wizard in position.wizards}
    back_to = void[0].ordinal
    for seat in seats:
        seat.outcome = _outcome_of_standing(standing[seat.code])
        used = sum(turn.excused.count(seat.code) for turn in void)
        # A referee who excused an absence may have given back some extensions already.
        left = max(seat.excuses_left, min(seat.excuses_left + used, context.the_duel.excuses))
        if left != seat.excuses_left:
            words = f"Extensions of {seat.wizard.name}"
            context.record_change(words, f"{seat.excuses_left} left", f"{left} left")
            seat.excuses_left = left
        seat.missed_turns, seat.missed_in = _missed_turns(seat, kept_turns)
        if seat.given_back_in is not None and seat.given_back_in >= back_to:
            seat.given_back_in = None
        seat.draw_offered_in = None
        seat.asks_pause = False
        # The turn will be played differently, so the report before it counts as unread again.
        seat.read_turn = min(seat.read_turn, max(back_to - 2, 0))
    columns = (
        "outcome excuses_left missed_turns missed_in given_back_in draw_offered_in asks_pause "
        "read_turn duel_ended_at"
    )
    Seat.objects.bulk_update(seats, columns.split())


def _outcome_of_standing(standing: str) -> Outcome:
    if standing == STANDING:
        return Outcome.NONE
    return Outcome(standing) if standing in adjudication.DEPARTURES else Outcome.LOST


def _missed_turns(seat: Seat, kept_turns: Sequence[Turn]) -> tuple[int, int | None]:
    """Return the number of consecutive turns missed at the end, and the ordinal of the last one."""
    sealed = Orders.objects.filter(seat=seat, turn__in=kept_turns, superseded=False)
    sources: dict[int, set[str]] = {}
    for ordinal, source in sealed.values_list("turn__ordinal", "source"):
        sources.setdefault(ordinal, set()).add(source)
    missed: list[int] = []
    for ordinal in sorted(sources, reverse=True):
        if SealSource.DEFAULT not in sources[ordinal]:
            break
        missed.append(ordinal)
    return len(missed), missed[0] if missed else None
