"""Queries for notices, addresses, and wizards' email preferences."""

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet

from duels.email_addresses import address_condition
from duels.models import Duel, OutboxStatus, Seat, Speech, Turn, Wizard
from duels.post import loading, models
from duels.queries.stories import silenced_wizards

LOG_ROWS = 20  # notices in a wizard's log
NEWS_ROWS = 50  # notices in a wizard's list of news


def address_of(wizard: Wizard) -> str:
    """Return the wizard's email address if it is verified and not turned off, or ""."""
    return loading.load_address(wizard.pk)


def gets_emails(wizard: Wizard, duel: Duel) -> bool:
    """Return whether the wizard has an address, and emails about this duel are not turned off."""
    if not address_of(wizard):
        return False
    return (duel_mail_choice(wizard, duel) or mail_choice(wizard).when) != models.EmailTiming.OFF


def guest_address(wizard: Wizard) -> models.GuestAddress | None:
    """Return the address that this guest has entered, confirmed or not, or None."""
    return models.GuestAddress.objects.filter(wizard=wizard).first()


def has_played_with(reader: Wizard, other: Wizard) -> bool:
    """Return whether the two wizards have begun a duel, or the reader has accepted the other's
    challenge.
    """
    accepted = Seat.objects.filter(accepted_at__isnull=False)
    shared = accepted.filter(wizard=other, duel__in=accepted.filter(wizard=reader).values("duel"))
    return shared.filter(Q(duel__started_at__isnull=False) | Q(duel__challenger=other)).exists()


def notified_wizards(code: str, duel: Duel) -> set[int]:
    """Return the ids of the wizards who have been or are being sent such a notice about this duel.

    Include notices that were probably sent by a worker that died before it could mark them.
    """
    sent = models.Notice.objects.filter(kind=code, duel=duel)
    probably = Q(was_interrupted=True) & ~Q(status=OutboxStatus.FAILED)
    sent = sent.filter(Q(status__in=[OutboxStatus.SENT, OutboxStatus.SENDING]) | probably)
    return set(sent.values_list("wizard", flat=True))


def has_notice(code: str, *, turn: Turn, about: Wizard) -> bool:
    """Return whether there is a notice of this kind about this wizard and turn."""
    return models.Notice.objects.filter(kind=code, turn=turn, about=about).exists()


def readers_of_speech(speech: Speech) -> list[Wizard]:
    """Return the duel's other wizards, except those who have blocked or muted the speaker."""
    seated = Wizard.objects.filter(seats__duel=speech.duel_id).exclude(pk=speech.wizard_id)
    readers = seated.order_by("pk")
    return [reader for reader in readers if speech.wizard_id not in silenced_wizards(reader)]


def mail_choice(wizard: Wizard) -> models.MailChoice:
    """Return the wizard's preferences for emails, or unsaved defaults if there are none."""
    found = models.MailChoice.objects.filter(wizard=wizard).first()
    return found or models.MailChoice(wizard=wizard)


def duel_mail_choice(wizard: Wizard, duel: Duel | None) -> models.EmailTiming | None:
    """Return the wizard's preference for emails about this duel, or None if they have none."""
    if duel is None:
        return None
    chosen = models.DuelMailChoice.objects.filter(wizard=wizard, duel=duel)
    found = chosen.values_list("when", flat=True).first()
    return models.EmailTiming(found) if found else None


def has_reached_others(wizard: Wizard, *, since: datetime) -> bool:
    """Return whether a notice created since this time was sent to another wizard."""
    sent = models.Notice.objects.filter(status=OutboxStatus.SENT, created_at__gt=since)
    return sent.exclude(wizard=wizard).exists()


def delivery_log(wizard: Wizard) -> QuerySet[models.Notice]:
    """Return the newest notices to this wizard, newest first."""
    return models.Notice.objects.filter(wizard=wizard).order_by("-created_at", "-pk")[:LOG_ROWS]


def newest_notices(wizard: Wizard) -> QuerySet[models.Notice]:
    """Return the notices for the wizard's list of news, newest first."""
    found = models.Notice.objects.filter(wizard=wizard).select_related("about")
    return found.order_by("-created_at", "-pk")[:NEWS_ROWS]


def silenced_addresses(wizard: Wizard) -> QuerySet[models.SilencedAddress]:
    """Return the wizard's addresses that are turned off because of bounces.

    Also find the main address in other spellings, such as punycode.
    """
    if wizard.user is None:
        return models.SilencedAddress.objects.none()
    mine = EmailAddress.objects.filter(email__iexact=OuterRef("address"), user=wizard.user)
    own = Exists(mine) | address_condition("address", wizard.user.email)
    return models.SilencedAddress.objects.filter(own, lifted_at=None).order_by("since", "pk")
