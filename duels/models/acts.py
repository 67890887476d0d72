"""What referees do to duels and wizards: a log to which lines are added, and nothing else."""

from datetime import UTC
from typing import Any

from django.db import models
from django.db.models import Q

from duels.models.constraints import one_of
from duels.models.duels import Duel

REASON_LENGTH = 1000


class ActKind(models.TextChoices):
    PAUSE = "pause", "stop the clocks"
    GO_ON = "go_on", "let the duel go on"
    EXTEND = "extend", "give time"
    RESTART_CLOCK = "restart_clock", "restart clocks"
    EXCUSE = "excuse", "excuse an absence"
    DEFAULTS = "defaults", "play default orders"
    ROLL_BACK = "roll_back", "roll back"
    REMOVE = "remove", "remove a player"
    REPLACE = "replace", "replace a player"
    DECLARE = "declare", "declare a result"
    ANNUL = "annul", "annul the duel"
    LOCK_SPEECH = "lock_speech", "lock speech"
    UNLOCK_SPEECH = "unlock_speech", "allow speech again"
    REMOVE_WORDS = "remove_words", "remove words"
    RENAME = "rename", "rename a wizard"
    SUSPEND = "suspend", "suspend a wizard"
    REINSTATE = "reinstate", "reinstate a wizard"
    MESSAGE = "message", "write to players"
    OPEN_SEALED = "open_sealed", "look at what is sealed or fogged"
    RULING = "ruling", "rule"
    OPEN_DISPUTE = "open_dispute", "a dispute was opened"
    CLOSE_DISPUTE = "close_dispute", "a dispute was closed"
    NUDGE = "nudge", "look again whether a turn is complete"
    SEND_AGAIN = "send_again", "send a mail again"


class Act(models.Model):
    """One thing that a referee, or an operator, has done. The database refuses to change or to
    delete it, and nothing it refers to can make it change: people are named by their numbers. (A
    migration that remakes its table on SQLite must create the triggers again: `protect_acts` in
    `duels/migrations/0001_first_release.py`.)

    `chain` ties it to all acts before it on the same duel, or on no duel: `duels.act_log`.
    """

    duel = models.ForeignKey(Duel, models.PROTECT, null=True, blank=True, related_name="acts")
    ordinal = models.PositiveIntegerField()  # counts the acts on that duel, or on none, from 1
    kind = models.CharField(max_length=16, choices=ActKind)
    case = models.PositiveIntegerField(null=True, blank=True)  # the number of the dispute
    referee = models.BigIntegerField()  # the user's key
    referee_name = models.CharField(max_length=60)  # as it is shown
    seat = models.CharField(max_length=2, blank=True)  # "w0"… where one wizard of the duel is meant
    wizard_id = models.BigIntegerField(null=True, blank=True)  # the wizard who is meant
    turn = models.PositiveIntegerField(null=True, blank=True)  # the turn's ordinal
    reason = models.CharField(max_length=REASON_LENGTH)
    # What was changed, as plain JSON: nothing that is sealed or hidden by fog, and of wizards their
    # places, so that it holds when they go by another name.
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
            models.CheckConstraint(condition=~Q(reason=""), name="act_has_reason"),
            models.CheckConstraint(condition=Q(ordinal__gte=1), name="act_counts_from_one"),
            models.CheckConstraint(
                condition=Q(chain__regex=r"^[0-9a-f]{64}$"), name="act_chain_is_hash"
            ),
        ]
        indexes = [
            models.Index("wizard_id", name="act_on_wizard", condition=Q(wizard_id__isnull=False)),
            models.Index("case", name="act_in_case", condition=Q(case__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"act {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Once. Raises `TypeError` after that, as the database would refuse it."""
        if not self._state.adding:
            raise TypeError("An act is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Never: raises `TypeError`."""
        raise TypeError("An act is never deleted.")

    @property
    def entry(self) -> dict[str, Any]:
        """The act as the log and the duel's record state it: what `chain` is made over."""
        stated: dict[str, Any] = {
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
        return stated if self.duel_id is not None else stated | {"wizard": self.wizard_id}


class RefereeMessage(models.Model):
    """What a referee has written to players of a duel. The log holds a digest of it, and to whom
    it went; the words are for them alone."""

    act = models.OneToOneField(Act, models.PROTECT, related_name="message")
    readers = models.JSONField(default=list)  # the keys of the wizards who may read it
    words = models.TextField()
    salt = models.CharField(max_length=64)  # hexadecimal; of the digest in the log

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(words=""), name="referee_message_says_something"),
        ]

    def __str__(self) -> str:
        return f"message of act {self.act_id}"
