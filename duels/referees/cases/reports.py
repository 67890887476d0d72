"""Commands for players and guests: report messages and names to referees. Clocks keep running."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.models import Duel, Speech, Visibility, Wizard, WizardKind
from duels.queries.speeches import SpeechRow, all_messages
from duels.referees.cases.case_state import checked_text
from duels.referees.models import MAX_CASE_WORDS_LENGTH, OPEN_STATUSES, Case, CaseCategory, CaseKind

# Maximum number of reports by one player within a day.
MAX_REPORTS_PER_DAY: Final = 10
DAY: Final = timedelta(days=1)


def report_message(*, speech_id: int, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report a message that was sent between turns. Each reader can report a message once."""
    shown = Speech.objects.filter(removed_at=None)
    speech = shown.select_related("duel", "wizard").filter(pk=speech_id).first()
    if speech is None or not _can_read(speech.duel, wizard):
        raise _no_such_message_refusal()
    report = Case(category=CaseCategory.CONDUCT, about=speech.wizard, quoted=speech.words)
    report.duel, report.ordinal, report.speech = speech.duel, speech.ordinal, speech
    return _store_report(report, wizard, words, now, Q(speech=speech))


def report_private_message(
    *, message_id: int, about: Wizard, quoted: str, wizard: Wizard, words: str, now: datetime
) -> Case:
    """Report a private message (`duels.messages`), quoted together with neighbouring messages."""
    report = Case(category=CaseCategory.CONDUCT, about=about, quoted=quoted)
    return _store_report(report, wizard, words, now, Q(reported_message=message_id))


def report_message_with_turn(
    *, duel: Duel, ordinal: int, seat: str, wizard: Wizard, words: str, now: datetime
) -> Case:
    """Report a message that the wizard in this seat (such as "w0") sent with a turn."""
    said = message_with_turn(duel, ordinal, seat, wizard)
    if said is None or not _can_read(duel, wizard):
        raise _no_such_message_refusal()
    report = Case(category=CaseCategory.CONDUCT, about=said.speaker, quoted=said.words)
    report.duel, report.ordinal = duel, ordinal
    same = Q(speech=None, duel=duel, ordinal=ordinal, about=said.speaker)
    return _store_report(report, wizard, words, now, same)


def message_with_turn(duel: Duel, ordinal: int, seat: str, reader: Wizard) -> SpeechRow | None:
    """Return the readable message that this seat sent with the turn, or None."""
    found = (
        each
        for each in all_messages(duel, reader)
        if each.with_turn and each.words and (each.ordinal, each.code) == (ordinal, seat)
    )
    return next(found, None)


def report_name(
    *, about: Wizard, wizard: Wizard, words: str, now: datetime, duel: Duel | None = None
) -> Case:
    """Report a wizard's name and line about themselves, or the name that they gave a duel.

    Each reader can have only one open report about the same name.
    """
    quoted = public_words(about) if duel is None else duel.name
    report = Case(category=CaseCategory.NAME, duel=duel, about=about, quoted=quoted)
    same = Q(category=CaseCategory.NAME, duel=duel, about=about, status__in=OPEN_STATUSES)
    return _store_report(report, wizard, words, now, same)


def public_words(wizard: Wizard) -> str:
    """Return a wizard's name, followed by their line about themselves, if any."""
    return f"{wizard.name}\n{wizard.about}".strip()


def report_name_of_duel(*, duel: Duel, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report the name that a challenger has given to a duel."""
    if not duel.name or not _can_read(duel, wizard):
        raise Refused("no_such_name", "This duel has no name.")
    return report_name(about=duel.challenger, wizard=wizard, words=words, now=now, duel=duel)


def hand_over_reports(*, guest: Wizard, wizard: Wizard) -> None:
    """Move the reports about and by a guest to the player who has claimed the guest's duels."""
    Case.objects.filter(about=guest).update(about=wizard)
    Case.objects.filter(opened_by=guest).update(opened_by=wizard)


@transaction.atomic
def _store_report(report: Case, wizard: Wizard, words: str, now: datetime, same: Q) -> Case:
    """Store the wizard's report. Raise `Refused` if they have a report that matches `same`."""
    assert report.about is not None
    mine = Case.objects.filter(kind=CaseKind.REPORT, opened_by=wizard)
    _check_reporter(wizard, report.about, mine.filter(opened_at__gt=now - DAY), now)
    if mine.filter(same).exists():
        what = "name" if report.category == CaseCategory.NAME else "message"
        raise Refused("reported_already", f"You have already reported this {what}.")
    report.kind, report.opened_by, report.opened_at = CaseKind.REPORT, wizard, now
    report.words = checked_text(words, MAX_CASE_WORDS_LENGTH)
    report.save()
    return report


def _can_read(duel: Duel, wizard: Wizard) -> bool:
    return duel.visibility == Visibility.PUBLIC or duel.seats.filter(wizard=wizard).exists()


def _no_such_message_refusal() -> Refused:
    return Refused("no_such_words", "There is no such message.")


def _check_reporter(wizard: Wizard, about: Wizard, recent: QuerySet[Case], now: datetime) -> None:
    # Lock the wizard, so that simultaneous reports cannot exceed the limits.
    Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk)
    check_may_act(wizard, now)
    if about.pk == wizard.pk:
        raise Refused("own_report", "You cannot report yourself.")
    if about.kind == WizardKind.PRACTICE:
        raise Refused("no_player", f"{about.name} is not a player and cannot be reported.")
    if recent.count() >= MAX_REPORTS_PER_DAY:
        most = MAX_REPORTS_PER_DAY
        text = f"You have sent {most} reports within a day, which is the maximum. Wait a day."
        raise Refused("too_many_reports", text)
