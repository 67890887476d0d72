"""Every kind of page, prepared in the database of a site that is to be looked at.

Runs in that site's own process (`manage.py shell`); `tests/shown.py` asks for it from outside.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone

from duels import commands, guests
from duels.lessons import FIRST
from duels.models import Duel, Wizard
from tests.cast import challenge, hands, make_wizard, seal
from tests.states import State, build_all

ERRORS = ("400", "403", "403_csrf", "429", "500")


@dataclass(frozen=True)
class Shown:
    """A page to look at: its address, and whose browser looks; or its text, for errors."""

    name: str
    path: str
    cookie: tuple[str, str] | None = None  # name and value
    html: str = ""


def main() -> None:
    print(json.dumps([asdict(shown) for shown in pages()]))


def pages() -> Iterator[Shown]:
    now = timezone.now()
    states = dict(build_all(now))
    ada = states["long_duel"].viewer
    assert ada is not None
    _talk(states["long_duel"])
    yield from _duels(states)
    yield from _turns(states)
    yield from _homes(ada)
    yield from _players(ada)
    yield from _guests()
    yield from BOOKS
    yield from SITE
    yield from _errors()


def _talk(state: State) -> None:
    """Some words between turns, one of them long."""
    ada, bram = (seat.wizard for seat in state.duel.seats.select_related("wizard")[:2])
    for speaker, words in (
        (ada, "You fight well for somebody who waves at every passing goblin."),
        (bram, "I greet them. One never knows whose they will be tomorrow."),
        (ada, "Mine, as a rule. " * 20),
    ):
        commands.say(duel_id=state.duel.pk, wizard=speaker, words=words, now=timezone.now())


def _duels(states: dict[str, State]) -> Iterator[Shown]:
    for name, state in states.items():
        yield Shown(f"duel {name}", state.path, session_of(state.viewer))


def _turns(states: dict[str, State]) -> Iterator[Shown]:
    over, long = states["over"], states["long_duel"]
    yield Shown("turn first", f"{over.path}turns/1/")
    yield Shown("turn middle", f"{over.path}turns/10/")
    yield Shown("turn as then", f"{over.path}turns/17/?known=then")
    yield Shown("turn running", f"{long.path}turns/20/", session_of(long.viewer))
    yield Shown("resign", f"{long.path}resign", session_of(long.viewer))
    yield Shown("words", f"{long.path}words/", session_of(long.viewer))


def _homes(ada: Wizard) -> Iterator[Shown]:
    now = timezone.now()
    cleo = Wizard.objects.get(name="Cleo")
    nova = make_wizard("Nova of the Empty Halls")
    to_me = challenge(cleo, ada, words="Dare you? My goblins do.", now=now)
    open_to_all = challenge(cleo, size=3, words="Three, and no mercy.", now=now)
    mine = challenge(ada, nova, strict=True, now=now)
    link = challenge(ada, invitation=True, now=now)
    yield Shown("home visitor", "/")
    yield Shown("home player", "/", session_of(ada))
    yield Shown("home empty", "/", session_of(make_wizard("Newcomer")))
    yield Shown("challenge to me", _path(to_me), session_of(ada))
    yield Shown("challenge open", _path(open_to_all), session_of(nova))
    yield Shown("challenge mine", _path(mine), session_of(ada))
    yield Shown("challenge by link", f"/c/{link.token}/")


def _players(ada: Wizard) -> Iterator[Shown]:
    session = session_of(ada)
    for name, path in (
        ("challenge new", "/challenge/new"),
        ("practice", "/practice/"),
        ("settings", "/settings/"),
        ("close account", "/settings/close"),
        ("wizard", "/wizards/bram/"),
        ("e-mail", "/accounts/email/"),
        ("password", "/accounts/password/change/"),
        ("two factors", "/accounts/2fa/"),
        ("sign out", "/accounts/logout/"),
    ):
        yield Shown(name, path, session)


def _guests() -> Iterator[Shown]:
    """The guided duel at its beginning and some turns on, each with a guest of its own."""
    now = timezone.now()
    for name, turns in (("lesson first turn", 0), ("lesson later", 3)):
        token = guests.new_token()
        guest = commands.create_guest(key=guests.key_of(token), now=now)
        duel = commands.start_lesson(wizard=guest, lesson=FIRST.slug, now=now)
        for step in FIRST.steps[:turns]:
            seal(duel, guest, hands(*step.learner), now=now)  # whereupon the opponent seals too
        answer = HttpResponse()
        guests.hand_over(answer, token)
        yield Shown(name, _path(duel), (guests.COOKIE, answer.cookies[guests.COOKIE].value))
    yield Shown("home guest", "/", (guests.COOKIE, answer.cookies[guests.COOKIE].value))


BOOKS = (
    *(Shown(f"spellbook {order}", f"/spellbook/?order={order}") for order in ("gesture", "name")),
    Shown("spellbook last", "/spellbook/wizards-1/?order=last"),
    Shown("spellbook searched", "/spellbook/archmage-1/?q=wounds"),
    Shown("spellbook not found", "/spellbook/spellcast-1/?q=xyzzy"),
    Shown("rulebooks", "/rules/"),
    Shown("rules bartle", "/rules/bartle-1/"),
    Shown("rules spellcast", "/rules/spellcast-1/"),
    Shown("differences", "/rules/spellcast-1/differences/"),
    Shown("a turn", "/rules/archmage-1/turn/"),
    Shown("game", "/rules/wizards-1/games/froodal-and-bung/"),
    Shown("game turn", "/rules/bartle-1/games/black-and-white/white/17/"),
)
SITE = (
    Shown("about", "/about/"),
    Shown("privacy", "/privacy/"),
    Shown("terms", "/terms/"),
    Shown("sign in", "/accounts/login/"),
    Shown("sign up", "/accounts/signup/"),
    Shown("sign in by code", "/accounts/login/code/"),
    Shown("password lost", "/accounts/password/reset/"),
    Shown("password sent", "/accounts/password/reset/done/"),
    Shown("mail sent", "/accounts/confirm-email/"),
    Shown("inactive", "/accounts/inactive/"),
    Shown("error 404", "/there/is/nothing/"),
)


def _errors() -> Iterator[Shown]:
    for name in ERRORS:
        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        html = render_to_string(f"{name}.html", {}, request if name != "500" else None)
        yield Shown(f"error {name}", f"/shown/{name}/", html=html)


def session_of(wizard: Wizard | None) -> tuple[str, str] | None:
    """The cookie of a browser in which this wizard's user has signed in."""
    if wizard is None or wizard.user is None:
        return None
    session = SessionStore()
    session[SESSION_KEY] = str(wizard.user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = wizard.user.get_session_auth_hash()
    session.save()
    return settings.SESSION_COOKIE_NAME, str(session.session_key)


def _path(duel: Duel) -> str:
    return f"/duels/{duel.pk}/"
