"""Commands for wizards' preferences about emails."""

from datetime import datetime

from django.db import transaction

from duels.errors import Refused
from duels.models import Duel, OutboxStatus, Seat, Wizard
from duels.post import tokens
from duels.post.commands.addressing import delete_guest_address
from duels.post.models import DuelMailChoice, EmailTiming, MailChoice, Notice

HOURS_OF_DAY = range(24)


@transaction.atomic
def set_mail_choice(
    *,
    wizard: Wizard,
    when: str,
    hour: int,
    though_here: bool,
    now: datetime,
    words: bool = False,
    followed: bool = False,
    messages: bool = True,
) -> MailChoice:
    """Set when the wizard gets emails about all duels without a preference of their own."""
    _check_when(when)
    if hour not in HOURS_OF_DAY:
        raise Refused("unknown_hour", "Choose an hour from 0 to 23.", field="hour")
    values = {
        "when": when,
        "hour": hour,
        "though_here": though_here,
        "words": words,
        "followed": followed,
        "messages": messages,
    }
    choice, _ = MailChoice.objects.update_or_create(wizard=wizard, defaults=values)
    _requeue_daily(wizard, now)
    return choice


@transaction.atomic
def set_duel_mail_choice(*, wizard: Wizard, duel: Duel, when: str, now: datetime) -> None:
    """Set when the wizard gets emails about this duel. "" restores the preference for all duels."""
    if not Seat.objects.filter(duel=duel, wizard=wizard).exists():
        raise Refused("not_your_duel", "You are not in this duel.")
    _store_duel_choice(wizard, duel, when, now)


def _store_duel_choice(wizard: Wizard, duel: Duel, when: str, now: datetime) -> None:
    if when:
        _check_when(when)
        DuelMailChoice.objects.update_or_create(wizard=wizard, duel=duel, defaults={"when": when})
    else:
        DuelMailChoice.objects.filter(wizard=wizard, duel=duel).delete()
    _requeue_daily(wizard, now)


@transaction.atomic
def unsubscribe_by_token(*, token: str, only_duel: bool, now: datetime) -> None:
    """Turn off all emails to the wizard in this token, or only those about the duel in it."""
    named = tokens.read_unsubscribe_token(token)
    wizard = Wizard.objects.filter(pk=named.wizard_id).first() if named else None
    if named is None or wizard is None:
        raise Refused("no_such_token", "This link is not valid.")
    if only_duel:
        duel = Duel.objects.filter(pk=named.duel_id or 0).first()
        if duel is None:
            raise Refused("no_such_duel", "There is no such duel.")
        # even if the wizard only follows the duel
        _store_duel_choice(wizard, duel, EmailTiming.OFF, now)
        return
    MailChoice.objects.update_or_create(wizard=wizard, defaults={"when": EmailTiming.OFF})
    # Preferences for single duels would otherwise still cause emails.
    DuelMailChoice.objects.filter(wizard=wizard).exclude(when=EmailTiming.OFF).delete()
    _requeue_daily(wizard, now)


@transaction.atomic
def delete_mail_choices(*, wizard: Wizard) -> None:
    """Delete the wizard's preferences and, for a guest, the email address."""
    delete_guest_address(wizard=wizard)
    MailChoice.objects.filter(wizard=wizard).delete()
    DuelMailChoice.objects.filter(wizard=wizard).delete()


def _check_when(when: str) -> None:
    if when not in EmailTiming.values:
        raise Refused("unknown_when", "Choose one of the options.", field="when")


def _requeue_daily(wizard: Wizard, now: datetime) -> None:
    """Requeue notices that wait for a daily email, because its time may have changed."""
    waiting = Notice.objects.filter(
        wizard=wizard, status=OutboxStatus.QUEUED, daily_at__isnull=False
    )
    waiting.update(daily_at=None, due_at=now)
