"""Model for seats, which are wizards' places in duels."""

from collections.abc import Iterable
from datetime import datetime

from django.db import models
from django.db.models import Q

from duels.clocks.clock import Clock, Pace
from duels.models.constraints import check, one_of, partial_index
from duels.models.duels import MAX_WIZARDS, Duel
from duels.models.wizards import Wizard

# A draw offer is valid in the turn in which it was made, and for this many turns afterwards.
DRAW_OFFER_LASTS_TURNS = 1
# After this many turns in a row with default orders for a wizard, the others may claim the duel.
# After the next one, the wizard is removed from the duel.
MISSED_TURNS_BEFORE_CLAIM = 2


class Outcome(models.TextChoices):
    NONE = "", "still in it"
    WON = "won", "won"
    DREW = "drew", "drew"
    LOST = "lost", "lost"
    RESIGNED = "resigned", "resigned"
    FORFEITED = "forfeited", "ran out of time"
    REMOVED = "removed", "removed by a referee"


def seat_of(seats: "Iterable[Seat]", wizard: Wizard | None) -> "Seat | None":
    """Return this wizard's seat among these, or None if they have none."""
    return next((seat for seat in seats if wizard and seat.wizard_id == wizard.pk), None)


class Seat(models.Model):
    """A wizard's seat in a duel. Its place determines its code (`w0`, `w1` …), and is usually
    chosen at random at the start."""

    duel = models.ForeignKey(Duel, models.CASCADE, related_name="seats")
    wizard = models.ForeignKey(Wizard, models.PROTECT, related_name="seats")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    invited_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.NONE, blank=True)
    # Whether the open turn waits for this wizard's seal. Only `commands.awaiting` writes these two
    # columns.
    awaited = models.BooleanField(default=False)
    awaited_since = models.DateTimeField(null=True, blank=True)
    # The wizard's clock (`duels.clocks.clock.Clock`): the deadline and the time of the reminder, or
    # the time left while the clock is stopped. The values are kept after sealing, in case the
    # wizard takes the seal back. Only `commands.awaiting` writes these columns.
    due_at = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    clock_left = models.DurationField(null=True, blank=True)
    is_reminded = models.BooleanField(default=False)
    # The wizard's remaining extensions, the number of turns in a row in which default orders were
    # played for them, and the last such turn's ordinal.
    excuses_left = models.PositiveSmallIntegerField(default=0)
    missed_turns = models.PositiveSmallIntegerField(default=0)
    missed_in = models.PositiveIntegerField(null=True, blank=True)
    # The last turn in which the time lost in an outage was given back. This happens only once per
    # turn, so that deadlines still pass if sweeps are rare.
    given_back_in = models.PositiveIntegerField(null=True, blank=True)
    # The end of the duel, copied from `Duel.ended_at`, so that indexes can find a wizard's finished
    # or unfinished duels without reading the others.
    duel_ended_at = models.DateTimeField(null=True, blank=True)
    # The turn in which this wizard offered a draw. The offer expires at the end of the next turn.
    draw_offered_in = models.PositiveIntegerField(null=True, blank=True)
    # The turn in which another wizard declined it, to show this as long as an offer would be valid.
    draw_declined_in = models.PositiveIntegerField(null=True, blank=True)
    # Whether this wizard has asked for a pause, or to resume the duel during a pause.
    asks_pause = models.BooleanField(default=False)
    # Read marks: the last turn's report and the last message that this wizard has read.
    read_turn = models.PositiveIntegerField(default=0)  # the turn's ordinal
    read_speech = models.BigIntegerField(default=0)  # the message's primary key

    class Meta:
        ordering = ("place", "pk")
        constraints = [
            models.UniqueConstraint("duel", "wizard", name="seat_wizard_once"),
            models.UniqueConstraint("duel", "place", name="seat_place_once"),
            one_of("outcome", Outcome, name="seat_outcome"),
            check("seat_place", Q(place__isnull=True) | Q(place__lt=MAX_WIZARDS)),
            check("seat_placed_has_accepted", Q(place__isnull=True) | Q(accepted_at__isnull=False)),
            # A wizard who is dead or has surrendered may still have questions to answer. rules:
            # R214
            check(
                "seat_awaited_at_the_table",
                Q(awaited=False)
                | Q(
                    place__isnull=False,
                    outcome__in=(Outcome.NONE, Outcome.LOST),
                    awaited_since__isnull=False,
                ),
            ),
            check("seat_clock_runs_or_stands", Q(due_at__isnull=True) | Q(clock_left__isnull=True)),
        ]
        indexes = [
            # Duels in which the wizard must act.
            partial_index("seat_awaited", "wizard", "awaited_since", rows=Q(awaited=True)),
            # Overdue seats, and seats with a reminder due.
            partial_index("seat_due", "due_at", rows=Q(awaited=True)),
            partial_index("seat_to_remind", "remind_at", rows=Q(awaited=True)),
            # Stopped clocks.
            partial_index(
                "seat_standing", "wizard", rows=Q(awaited=True, clock_left__isnull=False)
            ),
            # Challenges, newest first.
            partial_index(
                "seat_challenged",
                "wizard",
                "-duel",
                rows=Q(place__isnull=True, duel_ended_at__isnull=True),
            ),
            # Running duels, newest first, and whether they wait for the wizard.
            partial_index(
                "seat_going_on",
                "wizard",
                "-duel",
                "awaited",
                rows=Q(place__isnull=False, duel_ended_at__isnull=True),
            ),
            # Finished duels, most recent first. Lapsed challenges are left out, because they have
            # no places.
            partial_index(
                "seat_finished",
                "wizard",
                "-duel_ended_at",
                "-duel",
                rows=Q(place__isnull=False, duel_ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.pk} of duel {self.duel_id}"

    @property
    def code(self) -> str:
        """The engine's id for this wizard, or "" before the duel starts."""
        return "" if self.place is None else f"w{self.place}"

    @property
    def clock(self) -> Clock:
        """The clock for this wizard's orders or answers in the open turn."""
        return Clock(self.due_at, self.remind_at, self.clock_left, self.is_reminded)

    @property
    def vacation_until(self) -> datetime | None:
        """The end of this wizard's vacation, or None if none stops their clock in this duel."""
        ends_at = self.wizard.vacation_ends_at
        return ends_at if ends_at is not None and Pace.parse(self.duel.pace).is_slow else None

    @property
    def is_playing(self) -> bool:
        return self.outcome == Outcome.NONE

    def is_absent_in(self, ordinal: int) -> bool:
        """Return whether this wizard has missed so many turns that the others can claim the duel.

        `ordinal` is the open turn's ordinal. That turn does not count, because default orders stay
        secret until the turn ends. rules: promises 1, 9
        """
        missed_in = self.missed_in or 0
        return (
            self.is_playing
            and self.missed_turns >= MISSED_TURNS_BEFORE_CLAIM
            and missed_in < ordinal
        )

    def back_since(self, opened_at: datetime) -> datetime | None:
        """Return when this wizard returned from a vacation, if that was during the open turn.

        `opened_at` is when the turn opened. Return None if the turn does not wait for the wizard.
        """
        back, is_away = self.wizard.vacation_counted_at, self.wizard.vacation_ends_at is not None
        if is_away or back is None or back < opened_at or not self.awaited:
            return None
        return back if Pace.parse(self.duel.pace).is_slow else None

    def offers_draw_in(self, ordinal: int) -> bool:
        """Return whether this wizard's offer of a draw is valid in that turn."""
        return (
            self.draw_offered_in is not None
            and ordinal - self.draw_offered_in <= DRAW_OFFER_LASTS_TURNS
        )

    def has_news_of_declined_draw(self, ordinal: int) -> bool:
        """Return whether an offer of this wizard was declined in that turn or shortly before."""
        declined_in = self.draw_declined_in
        return declined_in is not None and 0 <= ordinal - declined_in <= DRAW_OFFER_LASTS_TURNS
