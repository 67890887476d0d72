"""The emails, with one function and three templates for each kind of notice.

Emails about referees are in `referee_mails`. An email contains only what its reader may see
(`queries.story`). Following a link only opens a page. Nobody's address is in another person's
email.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from django.utils import timezone

import engine
from duels.accounts.preferences import zone_of
from duels.loaded import adjudication
from duels.models import Speech
from duels.post import tokens
from duels.post.bounce_address import bounce_address
from duels.post.contexts import (
    clock_context,
    due_words,
    duel_state_context,
    question_context,
    reply_context,
    result_context,
)
from duels.post.headers import choices_url, daily_headers
from duels.post.loading import reader_of
from duels.post.models import Notice, NoticeKind
from duels.post.queries import has_played_with, speeches_to_send
from duels.post.receipts import receipt_context
from duels.post.referee_mails import disputed_email, refereed_email, ruled_email
from duels.post.rendering import (
    build_email,
    details_of,
    rendered,
    shortened_names,
    turn_name,
    url_of,
)
from duels.post.wrapping import wrapped
from duels.wording.moments import moment_words
from duels.wording.options import selected_options
from duels.wording.rule_index import differences

MOST_WORDS = 40  # chat messages in one email; the page has the others


def message(letter: Sequence[Notice]) -> EmailMultiAlternatives | None:
    """Return the email for one notice, or for all notices of one daily email to a reader.

    Return None if there is no address to send it to, or nothing left to report.
    """
    first = letter[0]
    address = reader_of(first).address
    if not address:
        return None
    # Use the reader's time zone, not that of the current request or worker.
    with timezone.override(zone_of(first.wizard)):
        if first.daily_at is not None:
            mail = _daily(letter, address, first.daily_at)
        else:
            mail = EMAIL_BUILDERS[NoticeKind(first.kind)](first, address)
    bounce_to = bounce_address(first.pk, address)
    if mail is not None and bounce_to and not settings.EMAIL_SERVICE:
        # In Django, `from_email` sets the envelope sender if there is also a From header.
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = bounce_to
    return mail


def _daily(
    letter: Sequence[Notice], address: str, moment: datetime
) -> EmailMultiAlternatives | None:
    mails = [
        (notice, EMAIL_BUILDERS[NoticeKind(notice.kind)](notice, address)) for notice in letter
    ]
    lines = [
        (mail.subject, _time_limit(notice), url_of(notice))
        for notice, mail in mails
        if mail is not None
    ]
    if not lines:
        return None
    wizard = letter[0].wizard
    token = tokens.unsubscribe_token(wizard.pk)
    context = {
        "wizard": wizard,
        "lines": lines,
        "url": settings.SITE_URL + reverse("home"),
        "choices_url": choices_url(token),
    }
    return rendered("daily", context, address, daily_headers(wizard.pk, moment))


def _time_limit(notice: Notice) -> str:
    """Return a sentence with the deadline for acting on this notice, or "" if there is none."""
    if notice.kind == NoticeKind.CHALLENGED:
        return f"Open until {moment_words(notice.the_duel.expires_at, 'day')}."
    clock = clock_context(notice) if notice.turn is not None else {}
    return f"Due on {clock['due_words']}." if clock.get("is_waited_for") else ""


def challenged_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    is_known = notice.about is not None and has_played_with(notice.wizard, notice.about)
    return build_email(
        "challenged",
        notice,
        address,
        differences=differences(adjudication.rules_of(notice.the_duel)),
        options=selected_options(notice.the_duel.options),
        expires_on=moment_words(notice.the_duel.expires_at, "day"),
        # Strangers could email anything to anyone in this message, so only the page shows it.
        words=notice.the_duel.words if is_known else "",
    )


def accepted_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("accepted", notice, address)


def declined_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("declined", notice, address)


def started_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email(
        "started",
        notice,
        address,
        **reply_context(notice),
        **clock_context(notice),
        **duel_state_context(notice),
    )


def your_turn_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    assert notice.turn is not None
    position = notice.turn.position
    seat = reader_of(notice).own_seat
    decides = seat.code in engine.deciding_wizards(adjudication.loaded_position(position))
    # The turn waits although there is nothing to decide: see `resolution.MOST_TURNS_AT_ONCE`.
    stopped = notice.turn.is_open and seat.awaited and not decides
    return build_email(
        "your-turn",
        notice,
        address,
        decides=decides,
        stopped=stopped,
        **reply_context(notice),
        **clock_context(notice),
        **duel_state_context(notice, with_hands=decides),
    )


def question_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email(
        "question",
        notice,
        address,
        **question_context(notice, notice.turn),
        **reply_context(notice),
        **clock_context(notice),
        **duel_state_context(notice),
    )


def answered_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    """Return the email with the result of an email that the reader sent (`duels.replies`)."""
    details = details_of(notice)
    told = details | receipt_context(notice, details) | result_context(notice)
    open_turn = told.get("open_turn", notice.turn)
    if open_turn is not None:
        seat = reader_of(notice).own_seat
        told |= reply_context(notice, open_turn)
        told |= {"open_turn_name": turn_name(notice, open_turn), "is_awaited": seat.awaited}
        told["due_words"] = due_words(seat.due_at, timezone.now()) if seat.due_at else ""
    if not told.get("is_played"):
        told["reply_lines"] = ()
    if details["outcome"] != "sealed":
        told |= question_context(notice, open_turn)
    return build_email("answered", notice, address, **told)


def draw_offered_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("draw-offered", notice, address)


def reminder_email(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """Return the reminder, or None if the reader has sealed or the turn is over."""
    due = clock_context(notice)
    if not due["is_waited_for"]:
        return None
    assert notice.turn is not None
    draft = notice.turn.drafts.filter(seat__wizard=notice.wizard)
    return build_email(
        "reminder",
        notice,
        address,
        has_draft=draft.exists(),
        **question_context(notice, notice.turn),
        **reply_context(notice),
        **due,
    )


def excused_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("excused", notice, address, **clock_context(notice))


def played_for_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("played-for", notice, address, **clock_context(notice))


def claimable_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("claimable", notice, address)


def pause_asked_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("pause-asked", notice, address)


def paused_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("paused", notice, address)


def went_on_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("went-on", notice, address, **clock_context(notice))


def time_given_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email("time-given", notice, address, **clock_context(notice))


def vacation_email(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """Return the email about an opponent's vacation, or None if the vacation or the duel is
    over."""
    ends_at = notice.about.vacation_ends_at if notice.about else None
    if ends_at is None or notice.the_duel.is_over:
        return None
    until, day = (moment_words(ends_at, style) for style in ("year", "day"))
    return build_email("vacation", notice, address, until=until, day=day)


def returned_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    """Return the email about an opponent who has returned from a vacation before its announced
    end."""
    announced = datetime.fromisoformat(details_of(notice)["until"])
    since, until = (moment_words(at, "year") for at in (notice.created_at, announced))
    return build_email("returned", notice, address, since=since, until=until)


def said_email(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """Return the email with chat messages, or None if none is left for this reader."""
    words = speeches_to_send(notice)
    if not words:
        return None
    runs = groupby(words[:MOST_WORDS], key=lambda speech: speech.wizard.name)
    return build_email(
        "said",
        notice,
        address,
        speakers=shortened_names(list(dict.fromkeys(speech.wizard.name for speech in words))),
        runs=[(name, [_speech_context(speech) for speech in run]) for name, run in runs],
        more=max(len(words) - MOST_WORDS, 0),
        url=f"{url_of(notice)}#talk",
    )


def _speech_context(speech: Speech) -> dict[str, str]:
    lines = [wrapped(line, "    ") for line in speech.words.split("\n")]
    return {
        "at": moment_words(speech.said_at),
        "words": speech.words,
        "text": "\n".join(lines),
    }


def lapsed_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    challenger = notice.the_duel.challenger
    is_challenger = challenger == notice.wizard
    return build_email(
        "lapsed", notice, address, challenger=challenger.name, is_challenger=is_challenger
    )


def over_email(notice: Notice, address: str) -> EmailMultiAlternatives:
    return build_email(
        "over", notice, address, **result_context(notice), **duel_state_context(notice)
    )


EMAIL_BUILDERS: dict[NoticeKind, Callable[[Notice, str], EmailMultiAlternatives | None]] = {
    NoticeKind.CHALLENGED: challenged_email,
    NoticeKind.ACCEPTED: accepted_email,
    NoticeKind.DECLINED: declined_email,
    NoticeKind.STARTED: started_email,
    NoticeKind.YOUR_TURN: your_turn_email,
    NoticeKind.QUESTION: question_email,
    NoticeKind.DRAW_OFFERED: draw_offered_email,
    NoticeKind.REMINDER: reminder_email,
    NoticeKind.EXCUSED: excused_email,
    NoticeKind.PLAYED_FOR: played_for_email,
    NoticeKind.CLAIMABLE: claimable_email,
    NoticeKind.PAUSE_ASKED: pause_asked_email,
    NoticeKind.PAUSED: paused_email,
    NoticeKind.WENT_ON: went_on_email,
    NoticeKind.TIME_GIVEN: time_given_email,
    NoticeKind.VACATION: vacation_email,
    NoticeKind.RETURNED: returned_email,
    NoticeKind.SAID: said_email,
    NoticeKind.LAPSED: lapsed_email,
    NoticeKind.ANSWERED: answered_email,
    NoticeKind.DISPUTED: disputed_email,
    NoticeKind.RULED: ruled_email,
    NoticeKind.REFEREED: refereed_email,
    NoticeKind.OVER: over_email,
}
