"""Model for incoming emails to reply addresses."""

from django.db import models

from duels.models.constraints import one_of
from duels.models.turns import Turn
from duels.models.wizards import Wizard


class ReplyOutcome(models.TextChoices):
    """The outcome of an incoming email.

    The last six outcomes are never stored, because such emails either do not identify a wizard or
    get no response.
    """

    SEALED = "sealed", "sealed"
    ASKED = "asked", "needs confirmation"  # these orders cause a warning
    UNREADABLE = "unreadable", "a line could not be read"
    ILLEGAL = "illegal", "against the rules"
    EMPTY = "empty", "no orders found"
    REFUSED = "refused", "rejected"  # the turn is over, or the wizard does not act
    OTHER_ADDRESS = "other_address", "from another address"
    FORGED = "forged", "forged"
    REPEATED = "repeated", "delivered twice"
    TOO_MANY = "too_many", "too many for one turn"
    AUTOMATIC = "automatic", "automatic email"
    CAME_BACK = "came_back", "bounced email"
    UNKNOWN = "unknown", "no valid address"
    NO_MAIL = "no_mail", "not an email"


UNSTORED_OUTCOMES = frozenset(
    {
        ReplyOutcome.REPEATED,
        ReplyOutcome.TOO_MANY,
        ReplyOutcome.AUTOMATIC,
        ReplyOutcome.CAME_BACK,
        ReplyOutcome.UNKNOWN,
        ReplyOutcome.NO_MAIL,
    }
)
STORED_OUTCOMES = tuple(each for each in ReplyOutcome if each not in UNSTORED_OUTCOMES)


class Reply(models.Model):
    """A reply that was read. Its orders are stored only if the wizard must confirm them."""

    wizard = models.ForeignKey(Wizard, models.CASCADE, related_name="replies")
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="replies")
    digest = models.CharField(max_length=64)  # hash of Message-ID, sender and text
    # Digest of the sender's own text. If the same text cannot be sealed repeatedly, the site
    # responds only once.
    text_digest = models.CharField(max_length=64, default="", db_default="")
    outcome = models.CharField(
        max_length=13, choices=[(each, each.label) for each in STORED_OUTCOMES]
    )
    is_from_other_address = models.BooleanField(default=False)
    # Orders returned for confirmation, with their warnings, as encrypted JSON.
    asked = models.TextField(blank=True, editable=False)
    received_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "replies"
        constraints = [
            models.UniqueConstraint("turn", "wizard", "digest", name="reply_once"),
            one_of("outcome", STORED_OUTCOMES, name="reply_outcome"),
        ]

    def __str__(self) -> str:
        return f"reply {self.pk}"
