"""Commands with which players report messages and names to referees. Clocks keep running."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction

from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.models import Duel, Speech, Visibility, Wizard, WizardKind
from duels.queries.speeches import SpeechRow, all_speech
from duels.referees.cases.case_state import checked_words
from duels.referees.models import CASE_WORDS_LENGTH, OPEN_STATUSES, Case, CaseKind, Category

# Maximum number of reports by one player within a day.
MOST_IN_A_DAY: Final = 10
DAY: Final = timedelta(days=1)


@transaction.atomic
def report_words(*, speech_id: int, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report a message between turns. Each reader can report it once."""
    shown = Speech.objects.filter(removed_at=None)
    speech = shown.select_related("duel", "wizard").filter(pk=speech_id).first()
    if speech is None or not _can_read(speech.duel, wizard):
        raise _no_such_words()
    _check_reporter(wizard, speech.wizard, now)
    if Case.objects.filter(opened_by=wizard, speech=speech).exists():
        raise _reported_already()
    return Case.objects.create(
        kind=CaseKind.REPORT,
        category=Category.CONDUCT,
        duel=speech.duel,
        ordinal=speech.ordinal,
        speech=speech,
        quoted=speech.words,
        about=speech.wizard,
        opened_by=wizard,
        words=checked_words(words, CASE_WORDS_LENGTH),
        opened_at=now,
    )


@transaction.atomic
def report_words_with_turn(
    *, duel: Duel, ordinal: int, seat: str, wizard: Wizard, words: str, now: datetime
) -> Case:
    """Report a message that the wizard in this seat (such as "w0") sent with a turn."""
    said = words_with_turn(duel, ordinal, seat, wizard)
    if said is None or not _can_read(duel, wizard):
        raise _no_such_words()
    _check_reporter(wizard, said.speaker, now)
    about: dict[str, Any] = {
        "duel": duel,
        "ordinal": ordinal,
        "about": said.speaker,
        "opened_by": wizard,
    }
    same = Case.objects.filter(kind=CaseKind.REPORT, speech=None, **about)
    if same.exists():
        raise _reported_already()
    return Case.objects.create(
        kind=CaseKind.REPORT,
        category=Category.CONDUCT,
        quoted=said.words,
        words=checked_words(words, CASE_WORDS_LENGTH),
        opened_at=now,
        **about,
    )


def words_with_turn(duel: Duel, ordinal: int, seat: str, reader: Wizard) -> SpeechRow | None:
    """Return the message that the wizard in this seat sent with the turn, if `reader` may see
    it."""
    found = (
        each
        for each in all_speech(duel, reader)
        if each.with_turn and each.words and (each.ordinal, each.code) == (ordinal, seat)
    )
    return next(found, None)


@transaction.atomic
def report_name(*, about: Wizard, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report a wizard's name. Each reader can have only one open report about a name."""
    _check_reporter(wizard, about, now)
    again = Case.objects.filter(
        kind=CaseKind.REPORT, category=Category.NAME, duel=None, about=about, opened_by=wizard
    )
    if again.filter(status__in=OPEN_STATUSES).exists():
        raise Refused("reported_already", "You have already reported this name.")
    return Case.objects.create(
        kind=CaseKind.REPORT,
        category=Category.NAME,
        quoted=about.name,
        about=about,
        opened_by=wizard,
        words=checked_words(words, CASE_WORDS_LENGTH),
        opened_at=now,
    )


@transaction.atomic
def report_name_of_duel(*, duel: Duel, wizard: Wizard, words: str, now: datetime) -> Case:
    """Report a duel's name, which its challenger has chosen."""
    if not duel.name or not _can_read(duel, wizard):
        raise Refused("no_such_name", "This duel has no name.")
    _check_reporter(wizard, duel.challenger, now)
    about: dict[str, Any] = {
        "kind": CaseKind.REPORT,
        "category": Category.NAME,
        "duel": duel,
        "about": duel.challenger,
        "opened_by": wizard,
    }
    if Case.objects.filter(status__in=OPEN_STATUSES, **about).exists():
        raise Refused("reported_already", "You have already reported this name.")
    return Case.objects.create(
        quoted=duel.name,
        words=checked_words(words, CASE_WORDS_LENGTH),
        opened_at=now,
        **about,
    )


def hand_over_reports(*, guest: Wizard, wizard: Wizard) -> None:
    """Move reports about a guest to the player that the guest has become."""
    Case.objects.filter(about=guest).update(about=wizard)


def _can_read(duel: Duel, wizard: Wizard) -> bool:
    return duel.visibility == Visibility.PUBLIC or duel.seats.filter(wizard=wizard).exists()


def _no_such_words() -> Refused:
    return Refused("no_such_words", "There is no such message.")


def _reported_already() -> Refused:
    return Refused("reported_already", "You have already reported this message.")


def _check_reporter(wizard: Wizard, about: Wizard, now: datetime) -> None:
    # Lock the wizard, so that simultaneous reports cannot exceed the limits.
    Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk)
    check_may_act(wizard, now)
    if wizard.kind != WizardKind.PLAYER:
        raise Refused(
            "players_only", "Sign up first: only players with an account can send reports."
        )
    if about.pk == wizard.pk:
        raise Refused("own_report", "You cannot report yourself.")
    if about.kind == WizardKind.PRACTICE:
        raise Refused("no_player", f"{about.name} is not a player and cannot be reported.")
    mine = Case.objects.filter(kind=CaseKind.REPORT, opened_by=wizard)
    if mine.filter(opened_at__gt=now - DAY).count() >= MOST_IN_A_DAY:
        text = (
            f"You have sent {MOST_IN_A_DAY} reports within a day, which is the maximum. Wait a day."
        )
        raise Refused("too_many_reports", text)
