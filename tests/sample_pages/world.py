"""Pages of every kind, prepared in the database of the site that shows them.

This module runs in the environment of that site; `sample_pages.site` calls it from outside.
"""

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from duels.accounts import names
from duels.commands import challenges, practising, speaking
from duels.commands.guests import accept_as_guest, create_guest
from duels.feeds import public as feeds
from duels.lessons.first import FIRST_LESSON
from duels.matching import public as matching
from duels.messages.commands import send_message
from duels.messages.models import Message
from duels.models import Duel, Orders, OutboxStatus, Turn, Wizard
from duels.post.commands.bouncing import silence_address
from duels.post.models import DroppedFor, Notice, SilencedFor
from duels.post.tokens import address_token, unsubscribe_token
from duels.push.commands import queueing
from duels.push.models import Push, PushSubscription
from duels.queries.listing import PAGE_ROWS
from duels.sign_in import guests
from duels.webhooks.commands.changing import add_webhook
from duels.webhooks.models import Service
from tests.cast import challenge, hands, make_wizard, seal
from tests.push_service import subscribe_device
from tests.sample_pages import accounts, desk, disputes, emails
from tests.sample_pages.ratings import rated_pages
from tests.states import STATES, People, State, build_all

FCM = "https://fcm.googleapis.com/fcm/send"
ERROR_CODES = ("400", "403", "403_csrf", "429", "500")


@dataclass(frozen=True)
class ShownPage:
    """A page: its address and the viewer's cookie, or the HTML of an error page or email."""

    name: str
    path: str
    cookie: tuple[str, str] | None = None  # the cookie's name and value
    html: str = ""
    text: str = ""  # the plain text of an email
    opens: str = ""  # selector of an element to click first, which opens a dialog


def prepare() -> list[dict[str, Any]]:
    """Return all pages as a JSON-compatible value."""
    return [asdict(shown) for shown in pages()]


def pages() -> Iterator[ShownPage]:
    now = timezone.now()
    states = dict(build_all(now))
    ada = states["long_duel"].viewer
    assert ada is not None
    _write_messages(states["long_duel"])
    yield from _duel_pages(states)
    yield from _turn_pages(states)
    yield from _stopped_duel_pages()
    yield from _home_pages(ada)
    yield from _player_pages(ada)
    yield from _account_pages(ada)
    yield from _unsent_form_pages(states["long_duel"])
    yield from _vacation_pages(states["on_vacation"])
    yield from _dispute_pages(ada)
    yield from (ShownPage(name, path) for name, path in rated_pages())
    yield from _email_pages(states)
    yield from _list_pages(ada)
    yield from _desk_pages()
    yield from _guest_pages()
    yield from _invited_guest_pages()
    yield from SPELLBOOK_PAGES
    yield from SITE_PAGES
    yield from _error_pages()


def _write_messages(state: State) -> None:
    """Write some messages between turns, including a long one."""
    ada, bram = (seat.wizard for seat in state.duel.seats.select_related("wizard")[:2])
    for speaker, words in (
        (ada, "You fight well for somebody who waves at every passing goblin."),
        (bram, "I greet them. One never knows whose they will be tomorrow."),
        (ada, "Mine, as a rule. " * 20),
    ):
        speaking.send_message(
            duel_id=state.duel.pk, wizard=speaker, words=words, now=timezone.now()
        )


def _duel_pages(states: dict[str, State]) -> Iterator[ShownPage]:
    for name, state in states.items():
        yield ShownPage(f"duel {name}", state.path, session_of(state.viewer))


def _turn_pages(states: dict[str, State]) -> Iterator[ShownPage]:
    over, long = states["over"], states["long_duel"]
    yield ShownPage("turn first", f"{over.path}turns/1/")
    yield ShownPage("turn middle", f"{over.path}turns/10/")
    yield ShownPage("turn as then", f"{over.path}turns/17/?known=then")
    yield ShownPage("turn running", f"{long.path}turns/20/", session_of(long.viewer))
    yield ShownPage("turn void", f"{states['rolled_back'].path}void/1/4/")
    yield ShownPage("resign", f"{long.path}resign", session_of(long.viewer))
    yield ShownPage("words", f"{long.path}words/", session_of(long.viewer))
    yield ShownPage("mails of a duel", f"{long.path}mail", session_of(long.viewer))
    assert long.viewer is not None
    yield ShownPage(
        "mails off", reverse("mail_off", args=[unsubscribe_token(long.viewer.pk, long.duel.pk)])
    )


def _stopped_duel_pages() -> Iterator[ShownPage]:
    """Yield stopped duels as seen by a wizard who has sealed, and one as seen by a visitor.

    The duels are stopped because of a release that plays differently, an error and a missing key.
    """
    now = timezone.now()
    for name in ("held", "stopped", "lost"):
        state = STATES["sealed"](People(now))
        turn = Turn.objects.get(duel=state.duel, closed_at__isnull=True)
        if name == "held":
            Duel.objects.filter(pk=state.duel.pk).update(held_at=now)
        else:
            Turn.objects.filter(pk=turn.pk).update(failed_at=now)
        if name == "lost":
            gone = Fernet(Fernet.generate_key()).encrypt(b"{}").decode()
            Orders.objects.filter(turn=turn).update(body=gone)
        yield ShownPage(f"duel {name}", state.path, session_of(state.viewer))
    yield ShownPage("duel stopped watched", state.path)


def _home_pages(ada: Wizard) -> Iterator[ShownPage]:
    now = timezone.now()
    cleo = Wizard.objects.get(name="Cleo")
    nova = make_wizard("Nova of the Empty Halls")
    to_me = challenge(cleo, ada, words="Dare you? My goblins do.", now=now)
    open_to_all = challenge(cleo, size=3, words="Three, and no mercy.", now=now)
    mine = challenge(ada, nova, options=["strict"], now=now)
    link = challenge(ada, invitation=True, now=now)
    countered = challenges.make_counterproposal(
        duel_id=challenge(ada, nova, now=now).pk,
        wizard=nova,
        ruleset="warlocks-1",
        options=["parafc"],
        pace="86400",
        now=now,
    )
    yield ShownPage("home visitor", "/")
    yield ShownPage("home player", "/", session_of(ada))
    yield ShownPage("home empty", "/", session_of(make_wizard("Newcomer")))
    yield ShownPage("challenge to me", _duel_path(to_me), session_of(ada))
    yield ShownPage("challenge to counter", f"{_duel_path(to_me)}counter", session_of(ada))
    yield ShownPage("challenge countered", _duel_path(countered), session_of(ada))
    yield ShownPage("challenge open", _duel_path(open_to_all), session_of(nova))
    limited = matching.create_challenge(
        challenger=cleo,
        ruleset="bartle-1",
        size=2,
        pace="none",
        visibility="public",
        words="",
        opponent=None,
        invitation=False,
        open_to_guests=False,
        least_rating=1600,
        most_rating=1900,
        least_reliability=90,
        now=now,
    )
    yield ShownPage("challenge with limits", _duel_path(limited), session_of(nova))
    yield ShownPage("challenge mine", _duel_path(mine), session_of(ada))
    yield ShownPage("challenge by link", f"/c/{link.token}/")


def _list_pages(ada: Wizard) -> Iterator[ShownPage]:
    """Yield lists of duels and wizards, some with several pages."""
    session = session_of(ada)
    yield ShownPage("duels waiting", "/duels/", session)
    yield ShownPage("duels finished", "/duels/?show=finished", session)
    yield ShownPage("duels to watch", "/duels/?show=watch")
    yield ShownPage("duels filtered", "/duels/?show=finished&opponent=a&result=won", session)
    yield ShownPage("duels nothing", "/duels/?show=practice", session)
    yield ShownPage("archive", "/archive/")
    yield ShownPage("archive searched", "/archive/?result=won&sort=longest", session)
    yield ShownPage("archive with errors", "/archive/?opponent=nobody&opening=xyz")
    yield ShownPage("duels of a wizard", "/duels/?show=finished&wizard=bram")
    now = timezone.now()
    for number in range(PAGE_ROWS + 2):
        name = f"Apprentice {number}"
        challenge(
            Wizard.objects.create(  # without a user, because hashing a password takes time
                name=name,
                slug=names.name_slug(name),
                skeleton=f"apprentice{number}",
                created_at=now,
            ),
            words="Anybody?",
            now=now,
        )
    yield ShownPage("duels go on", "/duels/?show=open", session)
    yield ShownPage("wizards", "/wizards/")
    yield ShownPage("wizards go on", "/wizards/?q=apprentice&after=apprentice-3")
    yield ShownPage("wizards not found", "/wizards/?q=xyzzy")


def _create_messages(ada: Wizard, bram: Wizard, now: datetime) -> Message:
    """Let Ada and Bram write to each other, and Cleo to Ada. Return the last message of Bram."""
    cleo = Wizard.objects.get(name="Cleo")
    send_message(author=ada, reader=bram, words="Well fought! That mirror surprised me.", now=now)
    words = "Thank you. I had hoped for the fireball.\n\nAnother duel next week?"
    said = send_message(author=bram, reader=ada, words=words, now=now)
    send_message(author=cleo, reader=ada, words="May I ask how you opened?", now=now)
    return said


def _player_pages(ada: Wizard) -> Iterator[ShownPage]:
    session, now = session_of(ada), timezone.now()
    bram = Wizard.objects.get(name="Bram")
    feeds.renew_calendar_key(wizard=ada, now=now)
    _add_webhooks(ada)
    feeds.follow_wizard(wizard=ada, other=bram, now=now)
    for each in (ada, bram):
        matching.become_open(
            wizard=each,
            rulesets=["bartle-1", "warlocks-1"],
            paces=["3600" if each == ada else "259200"],
            rated="either",
            most_duels=10,
            now=now,
        )
    reported = _create_messages(ada, bram, now)
    words = "Opens with a shield. Never surrenders."
    feeds.set_private_note(wizard=ada, about=bram, words=words, now=now)
    for name, path in (
        ("challenge new", "/challenge/new"),
        ("challenge new with limits", "/challenge/new?least_rating=1400&most_rating=1700"),
        ("play with a friend as a player", "/invite"),
        ("practice", "/practice/"),
        ("settings", "/settings/"),
        ("calendar", "/settings/calendar"),
        ("settings of mails", "/settings/mail"),
        ("webhooks", "/settings/webhooks"),
        ("following", "/following/"),
        ("open to duels", "/open-to-duels/"),
        ("news", "/news/"),
        ("messages", "/messages/"),
        ("messages of a thread", "/messages/bram/"),
        ("messages, a request", "/messages/cleo/"),
        ("messages, a report", f"/messages/bram/{reported.pk}/report"),
        ("close account", "/settings/close"),
        ("wizard", "/wizards/bram/"),
        ("e-mail", "/accounts/email/"),
        ("password", "/accounts/password/change/"),
        ("two factors", "/accounts/2fa/"),
        ("sign out", "/accounts/logout/"),
    ):
        yield ShownPage(name, path, session)


def _add_webhooks(wizard: Wizard) -> None:
    """Add a webhook that works, and one that has failed for days."""
    now, three_days = timezone.now(), timedelta(days=3)
    for service, address, status, words in (
        (Service.DISCORD, "https://discord.com/api/webhooks/1/hook", 200, '{"id": "1"}'),
        (Service.NTFY, "https://ntfy.sh/hook", 404, "gone"),
    ):
        webhook = add_webhook(wizard=wizard, service=service, address=address, now=now)
        at = now.isoformat()
        webhook.responses = [{"at": at, "status": status, "words": words}] * 2
        webhook.responses.append({"at": at, "status": None, "words": "The host did not answer."})
        if status != HTTPStatus.OK:
            webhook.failing_since, webhook.turned_off_at = now - three_days, now
        webhook.save()


def _account_pages(ada: Wizard) -> Iterator[ShownPage]:
    """Yield the pages about account security, after Ada has entered her password again."""
    assert ada.user is not None
    session = session_of(ada)
    assert session is not None
    for agent in (
        "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
    ):
        cookie = session_of(ada)
        assert cookie is not None
        UserSession.objects.create(
            user=ada.user, ip="203.0.113.7", user_agent=agent, session_key=cookie[1]
        )
    yield ShownPage("sessions", "/accounts/sessions/", session)
    yield ShownPage("export", "/settings/export", session)
    yield ShownPage("is it you", "/accounts/reauthenticate/?next=/settings/", session)
    asked = HttpRequest()
    asked.session = SessionStore(session[1])
    record_authentication(asked, ada.user, "password", reauthenticated=True)
    accounts.postpone_expiry(asked.session[AUTHENTICATION_METHODS_SESSION_KEY])
    asked.session.save()
    yield ShownPage("authenticator app", "/accounts/2fa/totp/activate/", session)
    yield ShownPage("passkey", "/accounts/2fa/webauthn/add/", session)
    bram = Wizard.objects.get(name="Bram")
    assert bram.user is not None
    Authenticator.objects.create(
        user=bram.user,
        type=Authenticator.Type.WEBAUTHN,
        data={
            "name": "Telephone",
            "credential": {"clientExtensionResults": {"credProps": {"rk": True}}},
        },
    )
    yield ShownPage("passkeys", "/accounts/2fa/webauthn/", session_of(bram))
    for name, path, cookie in accounts.pages(bram):
        yield ShownPage(name, path, cookie)
    yield ShownPage("sign in too often", "/shown/too-often/", html=accounts.rate_limited_form())


def _unsent_form_pages(state: State) -> Iterator[ShownPage]:
    """Yield the page that offers orders again after they were sent without a valid session."""
    assert state.viewer is not None
    assert state.viewer.user is not None
    browser = Client()
    browser.force_login(state.viewer.user)
    key = re.search(r'name="form_key" value="([^"]+)"', browser.get(state.path).content.decode())
    assert key is not None
    browser.logout()
    browser.post(f"{state.path}orders", {"form_key": key[1], **hands("W", "P", say="Well met.")})
    browser.force_login(state.viewer.user)
    cookie = browser.cookies[settings.SESSION_COOKIE_NAME]
    yield ShownPage("not sent yet", "/unsent/", (cookie.key, cookie.value))


def _vacation_pages(state: State) -> Iterator[ShownPage]:
    away = Wizard.objects.exclude(vacation_ends_at=None).get()
    yield ShownPage("settings on vacation", "/settings/", session_of(away))
    yield ShownPage("duel on my vacation", state.path, session_of(away))
    yield ShownPage("wizard on vacation", f"/wizards/{away.slug}/")


def _dispute_pages(ada: Wizard) -> Iterator[ShownPage]:
    """Yield disputes, reports and rulings, as players and visitors see them."""
    bram, cleo = (Wizard.objects.get(name=name) for name in ("Bram", "Cleo"))
    made = disputes.create_disputes(ada, bram, cleo, timezone.now())
    hers, his = session_of(ada), session_of(bram)
    yield ShownPage("dispute to open", f"{_duel_path(made.other)}turns/2/dispute", hers)
    yield ShownPage("dispute with a referee", f"/disputes/{made.open.pk}/", hers)
    yield ShownPage("dispute ruled", f"/disputes/{made.ruled.pk}/", his)
    yield ShownPage("disputes of mine", "/disputes/", hers)
    yield ShownPage("duel disputed", _duel_path(made.duel), hers)
    yield ShownPage("duel disputed watched", _duel_path(made.duel))
    yield ShownPage("duel ruled", _duel_path(made.other), his)
    yield ShownPage("report of words", f"{_duel_path(made.other)}words/{made.speech}/report", hers)
    yield ShownPage("report of a wizard", f"/wizards/{cleo.slug}/report", hers)
    yield ShownPage("report of a name", f"/disputes/{made.report.pk}/", hers)
    yield ShownPage("rulings", "/rulings/")
    yield ShownPage("rulings not found", "/rulings/?rule=R9999")
    yield ShownPage("ruling", f"/rulings/{made.ruling.pk}/")
    yield ShownPage("referees", "/referees/")


def _email_pages(states: dict[str, State]) -> Iterator[ShownPage]:
    """Yield every email, then the pages about bounced and unwanted emails."""
    for number, (name, message) in enumerate(emails.all_emails(states)):
        ((html, _),) = message.alternatives
        text = f"Subject: {message.subject}\n\n{message.body}"
        yield ShownPage(f"mail {name}", f"/shown/mail/{number}/", html=str(html), text=text)
    ada = states["long_duel"].viewer
    assert ada is not None
    _mark_newest_emails(ada)
    _create_devices(ada)
    newcomer = make_wizard("Oona")
    silence_address(address="oona@example.org", answer="550 5.1.1", now=timezone.now())
    yield ShownPage("mail came back", "/settings/mail", session_of(newcomer))
    yield ShownPage("home mail came back", "/", session_of(newcomer))
    complaining = make_wizard("Orla")
    unwanted = SilencedFor.COMPLAINT
    silence_address(address="orla@example.org", answer="", now=timezone.now(), cause=unwanted)
    yield ShownPage("mail unwanted", "/settings/mail", session_of(complaining))


def _mark_newest_emails(wizard: Wizard | None) -> None:
    """Mark the newest three emails as sent, failed and dropped. All others stay queued."""
    ends: tuple[dict[str, Any], ...] = (
        {"status": OutboxStatus.SENT, "sent_at": timezone.now()},
        {"status": OutboxStatus.FAILED, "attempts": 12},
        {"status": OutboxStatus.DROPPED, "dropped_for": DroppedFor.READ},
    )
    newest = Notice.objects.filter(wizard=wizard).order_by("-created_at", "-pk")
    for pk, end in zip(list(newest.values_list("pk", flat=True)[:3]), ends, strict=True):
        Notice.objects.filter(pk=pk).update(**end)


def _create_devices(wizard: Wizard) -> None:
    """Create two devices; one received a notification today."""
    now = timezone.now()
    queueing.send_test(wizard=subscribe_device(wizard, FCM, now=now).wizard, now=now)
    Push.objects.filter(wizard=wizard).update(status=OutboxStatus.SENT, sent_at=now)
    PushSubscription.objects.filter(wizard=wizard).update(last_success_at=now)
    subscribe_device(wizard, FCM, name="two", now=now - timedelta(days=20))


def _guest_pages() -> Iterator[ShownPage]:
    """Yield the guided duel at its beginning and a few turns later, each with its own guest."""
    now = timezone.now()
    for name, turns in (("lesson first turn", 0), ("lesson later", 3)):
        token = guests.new_token()
        guest = create_guest(key=guests.token_hash(token), now=now)
        duel = practising.start_lesson(wizard=guest, lesson=FIRST_LESSON.slug, now=now)
        for step in FIRST_LESSON.steps[:turns]:
            seal(duel, guest, hands(*step.learner), now=now)  # then the opponent seals
        answer = HttpResponse()
        guests.set_guest_cookie(answer, token)
        yield ShownPage(
            name, _duel_path(duel), (guests.GUEST_COOKIE, answer.cookies[guests.GUEST_COOKIE].value)
        )
    cookie = (guests.GUEST_COOKIE, answer.cookies[guests.GUEST_COOKIE].value)
    yield ShownPage("home guest", "/", cookie)
    yield ShownPage("delete a guest", reverse("guest_forget"), cookie)


def _invited_guest_pages() -> Iterator[ShownPage]:
    """Yield pages of a guest who accepted an invitation, including their email settings."""
    now = timezone.now()
    host = make_wizard("Vesper the Host")
    link = challenge(host, invitation=True, now=now)
    token = guests.new_token()
    guest = accept_as_guest(
        duel_id=link.pk, token=link.token or "", name="Tom", key=guests.token_hash(token), now=now
    )
    answer = HttpResponse()
    guests.set_guest_cookie(answer, token)
    cookie = (guests.GUEST_COOKIE, answer.cookies[guests.GUEST_COOKIE].value)
    yield ShownPage("duel of a guest", _duel_path(link), cookie)
    yield ShownPage("home invited guest", "/", cookie)
    yield ShownPage("wizard for a guest", reverse("wizard", args=[host.slug]), cookie)
    yield ShownPage("mails of a guest", reverse("guest_mail"), cookie)
    link = challenge(host, invitation=True, size=3, now=now)
    challenges.accept(duel_id=link.pk, wizard=guest, now=now, token=link.token or "")
    yield ShownPage("challenge of a guest", _duel_path(link), cookie)
    theirs = challenges.invite_friend(challenger=guest, ruleset="bartle-1", pace="none", now=now)
    yield ShownPage("invitation of a guest", _duel_path(theirs), cookie)
    yield ShownPage("duels of a guest", "/duels/?show=challenges", cookie)
    asked = reverse("guest_mail_confirm", args=[address_token(guest.pk, "tom@example.test")])
    yield ShownPage("mails of a guest confirmed", asked)


def _desk_pages() -> Iterator[ShownPage]:
    """Yield the referees' pages, and the responses to some of their forms."""
    for name, path, session in desk.pages():
        yield ShownPage(name, path, session)
    for name, html in desk.form_responses():
        yield ShownPage(name, f"/shown/{name.replace(' ', '-')}/", html=html)


SPELLBOOK_PAGES = (
    *(
        ShownPage(f"spellbook {order}", f"/spellbook/?order={order}")
        for order in ("gesture", "name")
    ),
    ShownPage("spellbook last", "/spellbook/wizards-1/?order=last"),
    ShownPage("spellbook searched", "/spellbook/archmage-1/?q=wounds"),
    ShownPage("spellbook not found", "/spellbook/spellcast-1/?q=xyzzy"),
    ShownPage("rulebooks", "/rules/"),
    ShownPage("rules bartle", "/rules/bartle-1/"),
    ShownPage("rules spellcast", "/rules/spellcast-1/"),
    ShownPage("differences", "/rules/spellcast-1/differences/"),
    ShownPage("a turn", "/rules/archmage-1/turn/"),
    ShownPage("game", "/rules/wizards-1/games/froodal-and-bung/"),
    ShownPage("game turn", "/rules/bartle-1/games/black-and-white/white/17/"),
)
SITE_PAGES = (
    ShownPage("primer", "/primer/"),
    ShownPage("rule in short", "/primer/", opens="a.rule-link"),
    ShownPage("for players of warlocks", "/from-warlocks/"),
    ShownPage("practice visitor", "/practice/"),
    ShownPage("practice warlocks", "/practice/?ruleset=warlocks-1"),
    ShownPage("play with a friend", "/invite"),
    ShownPage("challenge without an account", "/challenge/new?opponent=Bram"),
    ShownPage("about", "/about/"),
    ShownPage("proof", "/proof/"),
    ShownPage("privacy", "/privacy/"),
    ShownPage("terms", "/terms/"),
    ShownPage("sign in", "/accounts/login/"),
    ShownPage("sign up", "/accounts/signup/"),
    ShownPage("sign in by code", "/accounts/login/code/"),
    ShownPage("password lost", "/accounts/password/reset/"),
    ShownPage("password sent", "/accounts/password/reset/done/"),
    ShownPage("mail sent", "/accounts/confirm-email/"),
    ShownPage("inactive", "/accounts/inactive/"),
    ShownPage("error 404", "/there/is/nothing/"),
)


def _error_pages() -> Iterator[ShownPage]:
    for name in ERROR_CODES:
        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        html = render_to_string(f"{name}.html", {}, request if name != "500" else None)
        yield ShownPage(f"error {name}", f"/shown/{name}/", html=html)


def session_of(wizard: Wizard | None) -> tuple[str, str] | None:
    """Return the cookie of a browser that is signed in as this wizard's user."""
    if wizard is None or wizard.user is None:
        return None
    session = SessionStore()
    session[SESSION_KEY] = str(wizard.user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = wizard.user.get_session_auth_hash()
    session.save()
    return settings.SESSION_COOKIE_NAME, str(session.session_key)


def _duel_path(duel: Duel) -> str:
    return f"/duels/{duel.pk}/"
