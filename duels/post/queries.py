"""Queries on notices, on addresses and on wizards' preferences for emails."""

from datetime import datetime
from functools import reduce
from operator import or_

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Min, Q, QuerySet

from duels.email_addresses import spellings_of
from duels.models import Duel, OutboxStatus, Seat, Speech, Turn, Wizard
from duels.post import loading
from duels.post.models import (
    DuelMailChoice,
    GuestAddress,
    MailChoice,
    Notice,
    NoticeKind,
    SilencedAddress,
    When,
)
from duels.queries.stories import silenced_for

LOGGED = 20  # newest notices of a wizard


def address_of(wizard: Wizard) -> str:
    """Return the address where the wizard reads email: verified and not silenced; "" if none."""
    return loading.load_address(wizard.pk)


def guest_address(wizard: Wizard) -> GuestAddress | None:
    """Return the address that this guest has entered, confirmed or not, or None."""
    return GuestAddress.objects.filter(wizard=wizard).first()


def has_played_with(reader: Wizard, other: Wizard) -> bool:
    """Return whether the reader has ever accepted a challenge or a duel with the other.

    It is the other's challenge, or a duel that has begun with both.
    """
    accepted = Seat.objects.filter(accepted_at__isnull=False)
    shared = accepted.filter(wizard=other, duel__in=accepted.filter(wizard=reader).values("duel"))
    return shared.filter(Q(duel__started_at__isnull=False) | Q(duel__challenger=other)).exists()


def notified_wizards(kind: NoticeKind, duel: Duel) -> set[int]:
    """Return the wizards who got a notice of this kind about this duel, or are being sent one.

    This includes those who got it from a worker that died before it could note that.
    """
    sent = Notice.objects.filter(kind=kind, duel=duel)
    probably = Q(was_interrupted=True) & ~Q(status=OutboxStatus.FAILED)
    sent = sent.filter(Q(status__in=[OutboxStatus.SENT, OutboxStatus.SENDING]) | probably)
    return set(sent.values_list("wizard", flat=True))


def has_notice(kind: NoticeKind, *, turn: Turn, about: Wizard) -> bool:
    """Return whether anyone has a notice of this kind about this wizard in this turn."""
    return Notice.objects.filter(kind=kind, turn=turn, about=about).exists()


def speeches_to_send(notice: Notice) -> list[Speech]:
    """Return the speeches for the email of this notice, up to those of the next notice.

    They exclude the reader's own, and those of wizards that the reader has blocked or muted.
    """
    unheard = {notice.wizard_id, *silenced_for(notice.wizard)}
    heard = Speech.objects.filter(duel=notice.duel_id, pk__gte=notice.speech_id)
    heard = heard.exclude(wizard__in=unheard).filter(removed_at=None).select_related("wizard")
    # Read before looking for the next notice: a speech is stored together with its notices.
    said = list(heard.order_by("pk"))
    later = Notice.objects.filter(
        kind=NoticeKind.SAID,
        wizard=notice.wizard_id,
        duel=notice.duel_id,
        speech__gt=notice.speech_id,
    )
    next_words = later.aggregate(first=Min("speech"))["first"]
    return [each for each in said if next_words is None or each.pk < next_words]


def readers_of_speech(speech: Speech) -> list[Wizard]:
    """Return the duel's other wizards who want speeches by email and do not mute the speaker."""
    wanted = MailChoice.objects.filter(words=True, wizard__seats__duel=speech.duel_id)
    choices = wanted.exclude(wizard=speech.wizard_id).select_related("wizard").order_by("wizard")
    readers = [choice.wizard for choice in choices]
    return [reader for reader in readers if speech.wizard_id not in silenced_for(reader)]


def mail_choice(wizard: Wizard) -> MailChoice:
    """Return when the wizard wants emails, or the unsaved default if they have not chosen."""
    found = MailChoice.objects.filter(wizard=wizard).first()
    return found or MailChoice(wizard=wizard)


def duel_mail_choice(wizard: Wizard, duel: Duel | None) -> When | None:
    """Return when the wizard wants emails about this duel, or None for the usual choice."""
    if duel is None:
        return None
    chosen = DuelMailChoice.objects.filter(wizard=wizard, duel=duel)
    found = chosen.values_list("when", flat=True).first()
    return When(found) if found else None


def has_reached_others(wizard: Wizard, *, since: datetime) -> bool:
    """Return whether anyone else was sent a notice created since then."""
    sent = Notice.objects.filter(status=OutboxStatus.SENT, created_at__gt=since)
    return sent.exclude(wizard=wizard).exists()


def delivery_log(wizard: Wizard) -> QuerySet[Notice]:
    """Return the newest notices to this wizard, newest first."""
    return Notice.objects.filter(wizard=wizard).order_by("-created_at", "-pk")[:LOGGED]


def silenced_addresses(wizard: Wizard) -> list[SilencedAddress]:
    """Return the wizard's addresses that are turned off because of bounces."""
    mine = EmailAddress.objects.filter(user__wizard=wizard).values_list("email", flat=True)
    own = reduce(or_, (spellings_of("address", email) for email in mine), Q(pk__in=()))
    return list(SilencedAddress.objects.filter(own, lifted_at=None).order_by("since"))


def kept_days() -> int:
    """Return how many days the fate of an email is kept."""
    days: int = settings.NOTICES_KEPT_DAYS
    return days
