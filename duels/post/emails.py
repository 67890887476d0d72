"""The mails: one function and three templates for each kind of notice.

A mail is written from what its reader may see (`queries.story`). Its links only open pages.
Nobody's address is in another's mail.
"""

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

import engine
from duels import adjudication, queries, seals
from duels.models import CLAIMABLE_AFTER, Duel, Outcome, Speech, Stage, Wizard
from duels.moments import MINUTE, SPACE, TIME_IS_UP, moment_words, span_words
from duels.post import tokens
from duels.post.bounce_address import bounce_address
from duels.post.grid import grid
from duels.post.headers import choices_url, daily_headers, headers
from duels.post.models import Notice, NoticeKind
from duels.post.queries import address_of, has_taken_part_with, words_to_tell
from duels.post.reply_address import reply_address
from duels.post.standing import being_table, prospects
from duels.post.wrapping import with_short_lines, wrapped
from duels.preferences import preferences_from, zone_of

MOST_WORDS = 40  # speeches in one mail; the page has the others
SITE_NAME = "Spellcaster"
NAMED_IN_SUBJECT = 2  # of the others; a list of seven says nothing at a glance


def message(letter: Sequence[Notice]) -> EmailMultiAlternatives | None:
    """The mail for one notice, or for those of one daily mail; all are for the same reader.

    None when there is nobody to send it to, or nothing to say any more.
    """
    first = letter[0]
    address = address_of(first.wizard)
    if not address:
        return None
    # Moments are the reader's, whoever's request or worker it is in which the mail is written.
    with timezone.override(zone_of(first.wizard)):
        if first.daily_at is not None:
            mail = _daily(letter, address, first.daily_at)
        else:
            mail = MAILS[NoticeKind(first.kind)](first, address)
    comes_back_to = bounce_address(first.pk, address)
    if mail is not None and comes_back_to and not settings.EMAIL_SERVICE:
        # Django's way to say that the envelope has another sender than the mail's own.
        mail.extra_headers["From"] = mail.from_email
        mail.from_email = comes_back_to
    return mail


def _daily(
    letter: Sequence[Notice], address: str, moment: datetime
) -> EmailMultiAlternatives | None:
    mails = [(notice, MAILS[NoticeKind(notice.kind)](notice, address)) for notice in letter]
    lines = [(mail.subject, _url(notice)) for notice, mail in mails if mail is not None]
    if not lines:
        return None
    wizard = letter[0].wizard
    token = tokens.token(wizard.pk)
    context = {
        "wizard": wizard,
        "lines": lines,
        "url": settings.SITE_URL + reverse("home"),
        "choices_url": choices_url(token),
    }
    return _rendered("daily", context, address, daily_headers(wizard.pk, moment))


def challenged(notice: Notice, address: str) -> EmailMultiAlternatives:
    ruleset = engine.RULESETS[notice.duel.ruleset]
    is_known = notice.about is not None and has_taken_part_with(notice.wizard, notice.about)
    return _mail(
        "challenged",
        notice,
        address,
        differences=engine.differences(ruleset),
        expires_on=moment_words(notice.duel.expires_at, "day"),
        # A stranger's words could be anybody's, to anybody: they stand on the page.
        words=notice.duel.words if is_known else "",
    )


def accepted(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("accepted", notice, address)


def declined(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("declined", notice, address)


def started(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("started", notice, address, **_reply(notice), **_due(notice), **_story(notice))


def your_turn(notice: Notice, address: str) -> EmailMultiAlternatives:
    assert notice.turn is not None
    position = notice.turn.position
    seat = notice.duel.seats.get(wizard=notice.wizard)
    decides = seat.code in engine.awaited(adjudication.loaded_position(position))
    # Waited for without anything to decide: see `resolution.MOST_TURNS_AT_ONCE`.
    stopped = notice.turn.is_open and seat.awaited and not decides
    return _mail(
        "your-turn",
        notice,
        address,
        decides=decides,
        stopped=stopped,
        **_reply(notice),
        **_due(notice),
        **_story(notice, with_hands=decides),
    )


def question(notice: Notice, address: str) -> EmailMultiAlternatives:
    seat = notice.duel.seats.get(wizard=notice.wizard)
    questions = queries.questions_for(notice.turn, seat)
    return _mail(
        "question",
        notice,
        address,
        questions=questions,
        **_reply(notice),
        **_due(notice),
        **_story(notice),
    )


def answered(notice: Notice, address: str) -> EmailMultiAlternatives:
    """What came of a mail that the reader has written: see `duels.replies`."""
    details = json.loads(seals.decrypt(notice.details))
    return _mail("answered", notice, address, **_reply(notice) | {"reply_lines": []}, **details)


def draw_offered(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("draw-offered", notice, address)


def reminder(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """None once the reader has sealed, or the turn is over: it would come too late."""
    due = _due(notice)
    if not due["is_waited_for"]:
        return None
    assert notice.turn is not None
    draft = notice.turn.drafts.filter(seat__wizard=notice.wizard)
    return _mail("reminder", notice, address, has_draft=draft.exists(), **_reply(notice), **due)


def excused(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("excused", notice, address, **_due(notice))


def played_for(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("played-for", notice, address, **_due(notice))


def claimable(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("claimable", notice, address)


def pause_asked(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("pause-asked", notice, address)


def paused(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("paused", notice, address)


def went_on(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("went-on", notice, address, **_due(notice))


def time_given(notice: Notice, address: str) -> EmailMultiAlternatives:
    return _mail("time-given", notice, address, **_due(notice))


def vacation(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """None once the opponent is back, or the duel is over."""
    ends_at = notice.about.vacation_ends_at if notice.about else None
    if ends_at is None or notice.duel.is_over:
        return None
    until, day = (moment_words(ends_at, style) for style in ("year", "day"))
    return _mail("vacation", notice, address, until=until, day=day)


def returned(notice: Notice, address: str) -> EmailMultiAlternatives:
    """They are back before the end that was told."""
    announced = datetime.fromisoformat(json.loads(seals.decrypt(notice.details))["until"])
    since, until = (moment_words(at, "year") for at in (notice.created_at, announced))
    return _mail("returned", notice, address, since=since, until=until)


def said(notice: Notice, address: str) -> EmailMultiAlternatives | None:
    """None where nothing of it is for this reader any more."""
    words = words_to_tell(notice)
    if not words:
        return None
    runs = groupby(words[:MOST_WORDS], key=lambda speech: speech.wizard.name)
    return _mail(
        "said",
        notice,
        address,
        speakers=_in_short(list(dict.fromkeys(speech.wizard.name for speech in words))),
        runs=[(name, [_words_line(speech) for speech in run]) for name, run in runs],
        more=max(len(words) - MOST_WORDS, 0),
        url=f"{_url(notice)}#talk",
    )


def _words_line(speech: Speech) -> dict[str, str]:
    lines = [wrapped(line, "    ") for line in speech.words.split("\n")]
    return {
        "at": moment_words(speech.said_at),
        "words": speech.words,
        "text": "\n".join(lines),
    }


def lapsed(notice: Notice, address: str) -> EmailMultiAlternatives:
    challenger = notice.duel.challenger
    is_challenger = challenger == notice.wizard
    return _mail("lapsed", notice, address, challenger=challenger.name, is_challenger=is_challenger)


def over(notice: Notice, address: str) -> EmailMultiAlternatives:
    seat = notice.duel.seats.get(wizard=notice.wizard)
    winner = notice.duel.seats.filter(outcome=Outcome.WON).select_related("wizard").first()
    return _mail(
        "over",
        notice,
        address,
        outcome=seat.outcome,
        winner=winner.wizard.name if winner else "",
        **_story(notice),
    )


MAILS: dict[NoticeKind, Callable[[Notice, str], EmailMultiAlternatives | None]] = {
    NoticeKind.CHALLENGED: challenged,
    NoticeKind.ACCEPTED: accepted,
    NoticeKind.DECLINED: declined,
    NoticeKind.STARTED: started,
    NoticeKind.YOUR_TURN: your_turn,
    NoticeKind.QUESTION: question,
    NoticeKind.DRAW_OFFERED: draw_offered,
    NoticeKind.REMINDER: reminder,
    NoticeKind.EXCUSED: excused,
    NoticeKind.PLAYED_FOR: played_for,
    NoticeKind.CLAIMABLE: claimable,
    NoticeKind.PAUSE_ASKED: pause_asked,
    NoticeKind.PAUSED: paused,
    NoticeKind.WENT_ON: went_on,
    NoticeKind.TIME_GIVEN: time_given,
    NoticeKind.VACATION: vacation,
    NoticeKind.RETURNED: returned,
    NoticeKind.SAID: said,
    NoticeKind.LAPSED: lapsed,
    NoticeKind.ANSWERED: answered,
    NoticeKind.OVER: over,
}


def _mail(name: str, notice: Notice, address: str, **more: Any) -> EmailMultiAlternatives:
    others = _others(notice.duel, notice.wizard)
    context = {
        "wizard": notice.wizard,
        "duel": notice.duel,
        "turn": notice.turn,
        "turn_name": _turn_name(notice),
        "about": notice.about,
        "rules": engine.RULESETS[notice.duel.ruleset].name,
        "others": engine.listed(others),
        "others_in_short": _in_short(others),
        "site_url": settings.SITE_URL,
        "url": _url(notice),
        "choices_url": choices_url(tokens.token(notice.wizard_id, notice.duel_id)),
        **more,
    }
    return _rendered(name, context, address, headers(notice))


def _rendered(
    name: str, context: dict[str, Any], address: str, headers: dict[str, str]
) -> EmailMultiAlternatives:
    """The mail of these three templates."""
    subject = " ".join(render_to_string(f"emails/{name}-subject.txt", context).split())
    context = {**context, "subject": subject}
    mail = EmailMultiAlternatives(
        subject=subject,
        body=_text(f"emails/{name}-body.txt", context),
        to=[address],
        headers=headers,
    )
    if reply_to := context.get("reply_address"):
        mail.reply_to = [f"{SITE_NAME} <{reply_to}>"]
    mail.attach_alternative(render_to_string(f"emails/{name}-body.html", context), "text/html")
    return mail


def _url(notice: Notice) -> str:
    return f"{settings.SITE_URL}{reverse('duel', args=[notice.duel_id])}"


def _text(template: str, context: dict[str, Any]) -> str:
    """Paragraphs with one empty line between them, whatever their templates end with, in lines
    that fit a terminal."""
    text = re.sub(r"\n{3,}", "\n\n", render_to_string(template, context).strip())
    return with_short_lines(text) + "\n"


def _turn_name(notice: Notice) -> str:
    """The notice's turn in words; of the challenge and the end there is none."""
    turn = notice.turn
    return engine.turn_name(notice.duel.ruleset, turn.kind, turn.number) if turn else ""


def _others(duel: Duel, wizard: Wizard) -> list[str]:
    """The names of the others, in the order of their places."""
    seats = duel.seats.exclude(wizard=wizard).select_related("wizard")
    return [seat.wizard.name for seat in seats]


def _in_short(names: Sequence[str]) -> str:
    """For a subject: "Bram", "Bram and Cleo", "Bram and 6 others"."""
    if len(names) <= NAMED_IN_SUBJECT:
        return engine.listed(names)
    return f"{names[0]} and {len(names) - 1} others"


def _due(notice: Notice) -> dict[str, Any]:
    """How the reader stands with the clock of the notice's turn."""
    assert notice.turn is not None
    seat = notice.duel.seats.get(wizard=notice.wizard)
    is_waited_for = notice.turn.is_open and seat.awaited and seat.due_at is not None
    return {
        "asks": notice.turn.stage == Stage.ANSWERS,
        "is_waited_for": is_waited_for,
        "due_words": due_words(seat.due_at, timezone.now()) if seat.due_at else "",
        "left": _left_words(seat.due_at, timezone.now()) if seat.due_at else "",
        "excuses_left": seat.excuses_left,
        "may_be_claimed": seat.is_playing and seat.missed_turns >= CLAIMABLE_AFTER,
    }


def _reply(notice: Notice) -> dict[str, Any]:
    """How the reader can answer this mail with orders; nothing, where they cannot.

    `reply_lines`: what will be played if nobody writes anything else.
    """
    turn = notice.turn
    assert turn is not None
    seat = notice.duel.seats.get(wizard=notice.wizard)
    address = reply_address(notice.wizard_id, turn.pk)
    if not (address and turn.is_open):
        return {}
    if not seat.awaited:  # they have sealed, and may seal anew
        return {"reply_address": address}
    if turn.stage == Stage.ANSWERS:
        questions = queries.questions_for(turn, seat)
        lines = [
            f"{number}: {words.get(question.default, question.words[0])}"
            for number, question in enumerate(questions, 1)
            for words in [dict(zip(question.options, question.words, strict=True))]
        ]
    else:
        position = adjudication.position_of(turn)
        lines = adjudication.default_orders_as_text(position, seat.code).splitlines()
    return {"reply_address": address, "reply_lines": lines}


def due_words(due_at: datetime, now: datetime) -> str:
    """When something is due and how long that is: "3 March 2026, 13:00 CET, in 2 days, 4 hours"."""
    left = _left_words(due_at, now)
    return f"{moment_words(due_at, 'year')}, " + (f"in {left}" if left else TIME_IS_UP)


def _left_words(due_at: datetime, now: datetime) -> str:
    """What is left until then; "" if that is nothing. Seconds are told only where there is no more:
    a mail takes its time."""
    left = due_at - now
    if left >= MINUTE:
        left -= left % MINUTE
    return span_words(left).replace(SPACE, " ") if left > timedelta(0) else ""


def _story(notice: Notice, *, with_hands: bool = False) -> dict[str, Any]:
    """What has just happened, how things stand and the grid, as the reader may see them; what every
    hand can complete, where they are to choose gestures."""
    turn = notice.turn
    story = queries.story(notice.duel, notice.wizard, turn)
    shows_left = preferences_from(notice.wizard.preferences).points == "left"
    asks = turn is not None and turn.stage == Stage.ANSWERS
    told = {
        # Of a turn that asks, nothing need be known yet, not even its gestures.
        "reports": [report for report in story.reports if report.lines or not asks],
        "grid": grid(story.view),
        "beings": being_table(story.view, shows_left=shows_left),
    }
    if not with_hands or turn is None or turn.stage != Stage.ORDERS:
        return told
    return told | {"prospects": prospects(story.view, adjudication.position_of(turn))}
