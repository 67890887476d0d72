"""Forms on the site that change something, except those of `test_submissions`.

Together with those, they are all forms that browsers may send twice (`test_form_races`).
"""

from collections.abc import Callable
from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from duels.commands import challenges, deadlines, resolution, vacations
from duels.commands.profiles import block
from duels.commands.speaking import mute, send_message
from duels.feeds import public as feeds
from duels.lessons.script import gesture_fields
from duels.messages import commands as messages
from duels.messages.models import Message
from duels.models import Duel, User, Wizard
from duels.post.models import Notice
from duels.post.tokens import unsubscribe_token
from duels.push import endpoints
from duels.referees import appointments
from duels.referees.cases import handling, reports
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.rulings import rule_on_case
from duels.referees.models import Case
from tests.cast import Cast, begin, challenge, hands, make_wizard, open_turn, play, seal
from tests.duels.test_submissions import SentForm, duel_form, page_form
from tests.push_service import AUTH_SECRET, P256DH, subscribe_device

DAY = timedelta(days=1)
PUSH_ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc:def-123"
SEAL_FIELDS = {"turn": "1", "form_seal": "", **hands("P", "S")}


def create_referee(name: str) -> Wizard:
    """Return a new wizard whose user is a referee."""
    wizard = make_wizard(name)
    appointments.appoint_referee(email=user_of(wizard).email)
    return Wizard.objects.get(pk=wizard.pk)


def user_of(wizard: Wizard) -> User:
    assert wizard.user is not None
    return wizard.user


def open_case(cast: Cast) -> Case:
    """Return Ada's dispute about a duel with Bram."""
    given = {"category": "rule", "words": "No.", "rule": ""}
    duel = begin(cast.ada, cast.bram, pace="86400")
    return open_dispute(duel_id=duel.pk, wizard=cast.ada, ordinal=1, now=timezone.now(), **given)


def claimed_case(cast: Cast) -> tuple[Case, Wizard]:
    """Return a dispute and the referee who has claimed it. There is another referee, Silas."""
    case, rhea, _ = open_case(cast), create_referee("Rhea"), create_referee("Silas")
    handling.claim_case(case_id=case.pk, user=user_of(rhea), now=timezone.now())
    return case, rhea


def desk_form(cast: Cast, form: str, typed: dict[str, str]) -> SentForm:
    case, rhea = claimed_case(cast)
    path = f"/desk/cases/{case.pk}/"
    return SentForm(rhea, path, path + form, typed)


def claim_form(cast: Cast) -> SentForm:
    path = f"/desk/cases/{open_case(cast).pk}/"
    return SentForm(create_referee("Rhea"), path, f"{path}claim", {})


def hand_over_form(cast: Cast) -> SentForm:
    sent = desk_form(cast, "hand-over", {"hand_over-reason": "I leave."})
    silas = Wizard.objects.get(name="Silas")
    return sent._replace(typed=sent.typed | {"hand_over-to": str(silas.user_id)})


def close_report_form(cast: Cast) -> SentForm:
    now = timezone.now()
    case = reports.report_name(about=cast.bram, wizard=cast.ada, words="Rude.", now=now)
    rhea = create_referee("Rhea")
    handling.claim_case(case_id=case.pk, user=user_of(rhea), now=now)
    path = f"/desk/cases/{case.pk}/"
    return SentForm(rhea, path, f"{path}close", {"close-words": "It is a name."})


def ruling_form(cast: Cast) -> SentForm:
    return desk_form(cast, "ruling/", {"verdict": "no_conduct", "words": "The turn is valid."})


def objection_form(cast: Cast) -> SentForm:
    case, _ = claimed_case(cast)
    return page_form(f"/disputes/{case.pk}/object", cast.ada, objection="A friend of Bram.")


def appeal_form(cast: Cast) -> SentForm:
    case, rhea = claimed_case(cast)
    rule_on_case(
        case_id=case.pk,
        user=user_of(rhea),
        verdict="no_conduct",
        words="The turn is valid.",
        now=timezone.now(),
    )
    return page_form(f"/disputes/{case.pk}/appeal", cast.ada, appeal_words="It does not.")


def leave_form(cast: Cast) -> SentForm:
    duel = challenge(cast.ada, size=3, now=timezone.now())
    challenges.accept(duel_id=duel.pk, wizard=cast.bram, now=timezone.now())
    return duel_form(duel, cast.bram, "leave")


def duel_with_absent_opponent(cast: Cast) -> Duel:
    """Return a duel in which Ada has sealed two turns in time, and Bram has missed both."""
    duel, began = begin(cast.ada, cast.bram, pace="86400"), timezone.now()
    for turn in (1, 2):
        seal(duel, cast.ada, hands("W", "W"), now=began)
        deadlines.process_deadlines(duel_id=duel.pk, now=began + turn * DAY)
        resolution.resolve_turn(turn_id=open_turn(duel).pk, now=began + turn * DAY)
    return duel


def answers_form(cast: Cast) -> SentForm:
    """Return the form with which Ada chooses which of Bram's hands to paralyse."""
    duel = begin(cast.ada, cast.bram)
    for letter in "WDW":
        turn = play(duel, {cast.ada: hands("F", letter), cast.bram: hands("-", "-")})
    (question,) = turn.questions
    typed = {"turn": "3", "round": "1", "form_seal": "", question["id"]: "R"}
    return duel_form(duel, cast.ada, "answers", **typed)


def return_to_lesson_form(cast: Cast) -> SentForm:
    """Return the form with which Ada returns to the first lesson after an unexpected turn."""
    client = Client()
    client.force_login(user_of(cast.ada))
    path = client.post("/play").url  # type: ignore[attr-defined]  # of a redirect
    turn = {"do": "seal", "turn": "1", "form_seal": "", **gesture_fields("WW")}
    client.post(f"{path}orders", turn)
    return SentForm(cast.ada, path, f"{path}back-to-lesson", {})


def report_message_form(cast: Cast) -> SentForm:
    duel = begin(cast.ada, cast.bram)
    said = send_message(duel_id=duel.pk, wizard=cast.bram, words="Boo.", now=timezone.now())
    return duel_form(duel, cast.ada, f"words/{said.pk}/report", words="Rude.")


def report_turn_message_form(cast: Cast) -> SentForm:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("-", "-"), cast.bram: hands("-", "-", say="Boo.")})
    return duel_form(duel, cast.ada, "turns/1/words/w1/report", words="Rude.")


def report_private_message_form(cast: Cast) -> SentForm:
    said = private_message_by_bram(cast)
    return page_form(f"/messages/bram/{said.pk}/report", cast.ada, words="Rude.")


def private_message_by_bram(cast: Cast) -> Message:
    begin(cast.ada, cast.bram)
    return messages.send_message(
        author=cast.bram, reader=cast.ada, words="Well met.", now=timezone.now()
    )


def thread_form(form: str) -> Callable[[Cast], SentForm]:
    return lambda c: page_form(f"/messages/{private_message_by_bram(c).author.slug}/{form}", c.ada)


def unfollow_form(cast: Cast) -> SentForm:
    feeds.follow_wizard(wizard=cast.ada, other=cast.bram, now=timezone.now())
    return page_form("/wizards/bram/unfollow", cast.ada)


def unfollow_duel_form(cast: Cast) -> SentForm:
    duel = begin(cast.cleo, cast.bram)
    feeds.follow_duel(wizard=cast.ada, duel=duel, now=timezone.now())
    return duel_form(duel, cast.ada, "unfollow")


def unblock_form(cast: Cast) -> SentForm:
    block(wizard=cast.ada, other=cast.bram, now=timezone.now())
    return page_form("/wizards/bram/unblock", cast.ada)


def unmute_form(cast: Cast) -> SentForm:
    mute(wizard=cast.ada, other=cast.bram, now=timezone.now())
    return page_form("/wizards/bram/unmute", cast.ada)


def resend_form(cast: Cast) -> SentForm:
    begin(cast.ada, cast.bram)
    challenge(cast.bram, cast.ada, now=timezone.now())
    notice = Notice.objects.filter(wizard=cast.ada).latest("pk")
    Notice.objects.filter(pk=notice.pk).update(status="sent", sent_at=timezone.now())
    return page_form(f"/settings/mail/{notice.pk}/again", cast.ada)


def subscribed_device(cast: Cast) -> str:
    return str(subscribe_device(cast.ada, "https://fcm.googleapis.com").pk)


def end_session_form(cast: Cast) -> SentForm:
    client = Client()
    client.force_login(user_of(cast.ada))
    session = UserSession.objects.create(
        user=user_of(cast.ada), ip="192.0.2.1", session_key=client.session.session_key
    )
    return page_form(f"/settings/sessions/{session.pk}/end", cast.ada)


def vacation_form(cast: Cast) -> SentForm:
    until = timezone.now() + 5 * DAY
    return page_form("/settings/vacation", cast.ada, do="start", until=f"{until:%Y-%m-%d}")


def end_vacation_form(cast: Cast) -> SentForm:
    now = timezone.now()
    vacations.start_vacation(wizard=cast.ada, until=now + 5 * DAY, now=now)
    return page_form("/settings/vacation", cast.ada, do="end")


def duel_with_seal(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    return duel


SUBSCRIPTION = {
    "endpoint": PUSH_ENDPOINT,
    "p256dh": P256DH,
    "auth": endpoints.encode_key(AUTH_SECRET),
}
OTHER_FORMS: dict[str, Callable[[Cast], SentForm]] = {
    "orders": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "orders", do="seal", **SEAL_FIELDS),
    "draft by a button": lambda c: duel_form(
        begin(c.ada, c.bram), c.ada, "orders", do="draft", **SEAL_FIELDS
    ),
    "taking orders back": lambda c: duel_form(
        duel_with_seal(c), c.ada, "orders", do="take_back", **SEAL_FIELDS
    ),
    "draft": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "draft", **SEAL_FIELDS),
    "answers": answers_form,
    "read": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "read", turn="1"),
    "claim": lambda c: duel_form(duel_with_absent_opponent(c), c.ada, "claim"),
    "time": lambda c: duel_form(begin(c.ada, c.bram, pace="86400"), c.ada, "time", to="w1"),
    "back to the lesson": return_to_lesson_form,
    "withdrawn challenge": lambda c: duel_form(
        challenge(c.ada, c.bram, now=timezone.now()), c.ada, "withdraw"
    ),
    "left challenge": leave_form,
    "report of a message": report_message_form,
    "report of a message with a turn": report_turn_message_form,
    "report of a private message": report_private_message_form,
    "report of a name in a duel": lambda c: duel_form(
        begin(c.ada, c.bram), c.ada, "names/w1/report", words="Rude."
    ),
    "emails of a duel": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "mail", when="off"),
    "unblock": unblock_form,
    "unmute": unmute_form,
    "unfollow": unfollow_form,
    "unfollow a duel": unfollow_duel_form,
    "declined messages": thread_form("decline"),
    "muted messages": thread_form("mute"),
    "unmuted messages": thread_form("unmute"),
    "read news": lambda c: page_form("/news/read", c.ada),
    "emails": lambda c: page_form("/settings/mail", c.ada, when="daily", hour="8"),
    "email again": resend_form,
    "addresses on": lambda c: page_form("/settings/mail/on", c.ada),
    "emails off": lambda c: page_form(f"/mail-off/{unsubscribe_token(c.ada.pk)}", None),
    "notifications": lambda c: page_form("/settings/push-on", c.ada, **SUBSCRIPTION),
    "no notifications": lambda c: page_form(
        "/settings/push-off", c.ada, device=subscribed_device(c)
    ),
    "kinds of notifications": lambda c: page_form("/settings/push-choice", c.ada, turns="on"),
    "test notification": lambda c: page_form(
        "/settings/push-test", c.ada, device=subscribed_device(c)
    ),
    "profile": lambda c: page_form("/settings/", c.ada, pronouns="she", about="A line."),
    "vacation": vacation_form,
    "ended vacation": end_vacation_form,
    "reading": lambda c: page_form("/reading", c.ada, scheme="dark"),
    "ended session": end_session_form,
    "not open to duels": lambda c: page_form("/open-to-duels/stop", c.ada),
    "objection": objection_form,
    "appeal": appeal_form,
    "claimed case": claim_form,
    "case given back": lambda c: desk_form(c, "give-back", {"give_back-reason": "I leave."}),
    "case handed over": hand_over_form,
    "referee's note": lambda c: desk_form(c, "note", {"note-words": "Look."}),
    "closed report": close_report_form,
    "opened orders": lambda c: desk_form(c, "turns/1/open", {"reason": "To see them."}),
    "ruling": ruling_form,
}
