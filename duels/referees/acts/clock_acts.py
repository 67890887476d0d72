"""Acts on the clocks of a duel: pause or resume it, give time, and restart clocks."""

from duels.clocks import clock
from duels.commands.awaiting import clock_is_stopped, store_clock, timing_of
from duels.commands.halting import halt, resume
from duels.errors import Refused
from duels.loaded.open_turn import OpenTurn, hides_questions
from duels.models import DuelStatus, Seat
from duels.referees.acts.act_types import ActContext
from duels.wording.moments import span_words


def pause_duel(context: ActContext) -> None:
    """Pause the duel until a referee resumes it: clocks stop, and no turn is played."""
    duel = context.the_duel
    if duel.status != DuelStatus.RUNNING:
        raise Refused("duel_not_running", "This duel is not running.")
    if not halt(duel, "stopped_at", context.now):
        raise Refused("stands_already", "A referee has already paused this duel.")
    context.record_change("The duel", "is running", "is paused until a referee resumes it")


def resume_paused_duel(context: ActContext) -> None:
    """Resume a duel that a referee paused. Clocks have at least a fifth of the turn's time."""
    duel = context.the_duel
    if not resume(duel, "stopped_at", context.now):
        raise Refused("goes_on_already", "No referee has paused this duel.")
    stays = "is still paused because of a dispute" if duel.is_halted else "is running"
    context.record_change("The duel", "is paused until a referee resumes it", stays)


def extend_clocks(context: ActContext) -> None:
    """Give more time to every wizard who must still act, or only to the chosen one."""
    turn, more = context.open_turn(), context.values["time"]
    timing = timing_of(turn.row)
    for seat in _seats_with_clocks(context, turn):
        store_clock(seat, clock.extended_clock(seat.clock, timing, more, context.now))
    words = span_words(more)
    context.record_change(f"The time of {_target_words(context)}", "as it is", f"{words} more")
    context.facts["seconds"] = int(more.total_seconds())


def restart_clocks(context: ActContext) -> None:
    """Restart the turn's full time for every wizard who must still act, or only the chosen one."""
    turn = context.open_turn()
    timing = timing_of(turn.row)
    for seat in _seats_with_clocks(context, turn):
        stops = clock_is_stopped(seat)
        store_clock(seat, clock.new_clock(timing, context.now, is_stopped=stops))
    whole = turn.duel.pace_words.removesuffix(" for each turn")
    context.record_change(
        f"The time of {_target_words(context)}", "as it is", f"begins again: {whole}"
    )


def _seats_with_clocks(context: ActContext, turn: OpenTurn) -> list[Seat]:
    """Return the seats that must still act and have a clock, or only the chosen seat."""
    context.turn = turn.row.ordinal
    meant: Seat | None = context.values["seat"]
    waiting = [seat for seat in turn.seats if seat.awaited and seat.clock != clock.NO_CLOCK]
    if meant is not None:
        context.set_seat(meant)
        waiting = [seat for seat in waiting if seat.pk == meant.pk]
        if hides_questions(turn.row.kind):
            # Only the wizard concerned may know whether an extra turn waits for them.
            text = "In an extra turn, give time to everyone who must still act."
            raise Refused("hidden_turn", text, field="seat", rule="R121")
    if not waiting:
        raise Refused("no_clock", "There is no clock to change.", field="seat")
    return waiting


def _target_words(context: ActContext) -> str:
    meant: Seat | None = context.values["seat"]
    return str(meant.wizard) if meant is not None else "everyone who must still act"
