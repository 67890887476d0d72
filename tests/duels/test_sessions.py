"""Tests that only the user of a session can see it and end it."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from duels.commands import sweeping
from duels.models import User
from tests.cast import PASSWORD, make_user

pytestmark = pytest.mark.django_db

FIREFOX_USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME_USER_AGENT = (
    "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
)


def signed_in_browser(user: User, user_agent: str) -> Client:
    """Return a client in which this user has signed in with this browser."""
    client = Client(headers={"user-agent": user_agent})
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    assert get_user(client) == user
    return client


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada@example.org")


def test_user_can_see_their_sessions_and_end_another_one(ada: User):
    here, there = (
        signed_in_browser(ada, FIREFOX_USER_AGENT),
        signed_in_browser(ada, CHROME_USER_AGENT),
    )
    page = here.get("/accounts/sessions/").content.decode()
    assert "Firefox on Linux" in page
    assert "Chrome on Android" in page
    assert page.count("this browser") == 1
    assert page.count("Sign out there") == 1
    other = UserSession.objects.get(session_key=there.session.session_key)
    assert here.post(f"/settings/sessions/{other.pk}/end").status_code == 302
    assert not get_user(there).is_authenticated
    assert get_user(here).is_authenticated


def test_user_can_end_all_other_sessions_at_once(ada: User):
    here, *others = (signed_in_browser(ada, FIREFOX_USER_AGENT) for _ in range(3))
    assert here.post("/accounts/sessions/").status_code == 302
    assert not any(get_user(other).is_authenticated for other in others)
    assert get_user(here).is_authenticated


def test_session_can_only_be_ended_by_its_user_with_a_post_request(ada: User):
    theirs = signed_in_browser(ada, FIREFOX_USER_AGENT)
    session = UserSession.objects.get()
    path = f"/settings/sessions/{session.pk}/end"
    assert (
        signed_in_browser(make_user("bram@example.org"), CHROME_USER_AGENT).post(path).status_code
        == 404
    )
    assert Client().post(path)["Location"].startswith("/accounts/login/")
    assert theirs.get(path).status_code == 302
    assert get_user(theirs).is_authenticated


def test_changing_the_password_ends_all_other_sessions(ada: User):
    here, other = (
        signed_in_browser(ada, FIREFOX_USER_AGENT),
        signed_in_browser(ada, CHROME_USER_AGENT),
    )
    form = {
        "oldpassword": PASSWORD,
        "password1": "seven-white-owls",
        "password2": "seven-white-owls",
    }
    assert here.post("/accounts/password/change/", form).status_code == 302
    assert get_user(here).is_authenticated
    assert not get_user(other).is_authenticated


def test_sweep_deletes_expired_sessions(ada: User):
    here, gone = (
        signed_in_browser(ada, FIREFOX_USER_AGENT),
        signed_in_browser(ada, CHROME_USER_AGENT),
    )
    Session.objects.filter(session_key=gone.session.session_key).update(expire_date=timezone.now())
    sweeping.sweep(now=timezone.now())
    assert UserSession.objects.get().session_key == here.session.session_key
    assert not Session.objects.exclude(session_key=here.session.session_key).exists()
