"""The append-only log of referees' acts on duels and wizards."""

from datetime import UTC
from typing import Any

from django.db import models
from django.db.models import Q

from duels.models.constraints import check, one_of, partial_index
from duels.models.duels import Duel

MAX_REASON_LENGTH = 1000


class ActKind(models.TextChoices):
    PAUSE = "pause", "pause the duel"
    GO_ON = "go_on", "resume the duel"
    EXTEND = "extend", "give time"
    RESTART_CLOCK = "restart_clock", "restart clocks"
    EXCUSE = "excuse", "excuse an absence"
    DEFAULTS = "defaults", "play default orders"
    ROLL_BACK = "roll_back", "roll back"
    REMOVE = "remove", "remove a player"
    REPLACE = "replace", "replace a player"
    DECLARE = "declare", "declare a result"
    ANNUL = "annul", "annul the duel"
    LOCK_SPEECH = "lock_speech", "lock messages"
    UNLOCK_SPEECH = "unlock_speech", "unlock messages"
    REMOVE_WORDS = "remove_words", "remove a message"
    RENAME = "rename", "rename a wizard"
    SUSPEND = "suspend", "suspend a wizard"
    REINSTATE = "reinstate", "reinstate a wizard"
    MESSAGE = "message", "write to players"
    OPEN_SEALED = "open_sealed", "look at sealed or hidden orders"
    RULING = "ruling", "rule"
    OPEN_DISPUTE = "open_dispute", "a dispute was opened"
    CLOSE_DISPUTE = "close_dispute", "a dispute was closed"
    NUDGE = "nudge", "check again if a turn is complete"
    SEND_AGAIN = "send_again", "send an email again"


class Act(models.Model):
    """An act of a referee or operator.

    Database triggers prevent changes and deletions. People are stored by id, so that changes in
    other tables do not affect acts. (A migration that recreates the table on SQLite must recreate
    the triggers: `protect_acts` in `duels/migrations/0001_first_release.py`.)

    `chain` is a hash that covers all earlier acts on the same duel, or all earlier acts that have
    no duel (`duels.referees.log.act_log`).
    """

    duel = models.ForeignKey(Duel, models.PROTECT, null=True, blank=True, related_name="acts")
    ordinal = models.PositiveIntegerField()  # in the duel, or among acts without one
    kind = models.CharField(max_length=16, choices=ActKind)
    case = models.PositiveIntegerField(null=True, blank=True)  # number of the dispute
    referee = models.BigIntegerField()  # the user's id
    referee_name = models.CharField(max_length=60)  # as shown
    seat = models.CharField(max_length=2, blank=True)  # such as "w0", or "" for several
    wizard_id = models.BigIntegerField(null=True, blank=True)  # the wizard concerned
    turn = models.PositiveIntegerField(null=True, blank=True)  # the turn's ordinal
    reason = models.CharField(max_length=MAX_REASON_LENGTH)
    # The changes, as plain JSON, without anything that is sealed or hidden by fog. Wizards are
    # identified by their seats' codes, so that renaming a wizard does not affect acts.
    facts = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    chain = models.CharField(max_length=64)

    class Meta:
        ordering = ("duel", "ordinal")
        constraints = [
            models.UniqueConstraint("duel", "ordinal", name="act_ordinal_once"),
            models.UniqueConstraint(
                "ordinal", name="act_ordinal_once_of_no_duel", condition=Q(duel__isnull=True)
            ),
            one_of("kind", ActKind, name="act_kind"),
            check("act_has_reason", ~Q(reason="")),
            check("act_counts_from_one", Q(ordinal__gte=1)),
            check("act_chain_is_hash", Q(chain__regex=r"^[0-9a-f]{64}$")),
        ]
        indexes = [
            partial_index("act_on_wizard", "wizard_id", rows=Q(wizard_id__isnull=False)),
            partial_index("act_in_case", "case", rows=Q(case__isnull=False)),
            partial_index("act_of_renaming", "id", rows=Q(kind=ActKind.RENAME)),
        ]

    def __str__(self) -> str:
        return f"act {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save a new act. Raise `TypeError` for an existing act, like the database."""
        if not self._state.adding:
            raise TypeError("An act is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raise `TypeError`."""
        raise TypeError("An act is never deleted.")

    @property
    def entry(self) -> dict[str, Any]:
        """The act as it appears in the log and in the duel's record. `chain` is computed from this
        value."""
        entry: dict[str, Any] = {
            "ordinal": self.ordinal,
            "at": self.at.astimezone(UTC).isoformat(),
            "referee": self.referee_name,
            "act": str(self.kind),
            "case": self.case,
            "turn": self.turn,
            "seat": self.seat,
            "reason": self.reason,
            "facts": self.facts,
        }
        return entry if self.duel_id is not None else entry | {"wizard": self.wizard_id}


class RefereeMessage(models.Model):
    """A private message from a referee to some players of a duel.

    The log contains only the message's digest and its recipients.
    """

    act = models.OneToOneField(Act, models.PROTECT, related_name="message")
    readers = models.JSONField(default=list)  # ids of the wizards who may read it
    words = models.TextField()
    salt = models.CharField(max_length=64)  # salt of the digest in the log, in hexadecimal

    class Meta:
        constraints = [
            check("referee_message_says_something", ~Q(words="")),
        ]

    def __str__(self) -> str:
        return f"message of act {self.act_id}"
