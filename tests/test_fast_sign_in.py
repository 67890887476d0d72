"""Tests that `fast_sign_in` has the same result as Django's function."""

from django.contrib.auth.models import update_last_login
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.cast import make_user
from tests.fast_sign_in import djangos_force_login


def test_fast_sign_in_equals_djangos(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    found = []
    for number, force_login in enumerate((Client.force_login, djangos_force_login)):
        user, client = make_user(f"user-{number}@example.org"), Client()
        with django_assert_num_queries(15 if number else 2):
            force_login(client, user)
        session = client.session
        assert session.pop("_auth_user_id") == str(user.pk)
        assert session.pop("_auth_user_hash") == user.get_session_auth_hash()
        user.refresh_from_db()
        assert user.last_login is not None
        assert client.get("/settings/").status_code == 200
        found.append(dict(session))
    assert found[0] == found[1]
    assert Session.objects.count() == len(found)


def test_signing_in_only_updates_the_last_login() -> None:
    """`fast_sign_in` does not call any other receiver of Django's signal."""
    receivers, asynchronous = user_logged_in._live_receivers(sender=None)
    assert (receivers, asynchronous) == ([update_last_login], [])
