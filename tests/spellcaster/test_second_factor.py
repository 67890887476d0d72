"""Tests of the second factor that the admin and the referees' desk require."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from duels.accounts.second_factor import REFEREE_GROUP
from duels.commands import profiles
from duels.models import User
from tests.cast import NOW, PASSWORD, make_user, sign_in_with_second_factor

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"


def code_of(secret: str) -> str:
    """Return the code that an authenticator app shows for this secret."""
    counter = next(iter(yield_hotp_counters_from_time()))
    return str(format_hotp_value(hotp_value(secret, counter)))


@pytest.fixture
def staff_user() -> User:
    user = make_user("staff@example.org")
    user.is_staff = user.is_superuser = True
    user.save()
    return user


def sign_in(client: Client, next: str = "") -> Any:
    form = {"login": "staff@example.org", "password": PASSWORD, "next": next}
    return client.post("/accounts/login/", form)


def test_staff_without_second_factor_are_redirected_to_set_one_up(client: Client, staff_user: User):
    sign_in(client)
    page = client.get("/admin/", follow=True)
    assert page.redirect_chain[-1][0] == reverse("mfa_index")
    assert "requires a second factor" in page.content.decode()
    assert client.get("/admin/duels/user/").status_code == 302


def test_staff_who_signed_in_with_an_app_code_can_open_the_admin(client: Client, staff_user: User):
    TOTP.activate(staff_user, SECRET)
    answer = sign_in(client, next="/admin/")
    assert answer["Location"].startswith(reverse("mfa_authenticate"))
    assert client.get("/admin/").status_code == 302
    client.post(answer["Location"], {"code": code_of(SECRET)})
    assert client.get("/admin/").status_code == 200


def test_session_without_the_second_factor_must_enter_it(client: Client, staff_user: User):
    """The session may be older than the authenticator app, or may have been stolen."""
    client.force_login(staff_user)
    TOTP.activate(staff_user, SECRET)
    asked = client.get("/admin/duels/user/", follow=True)
    assert asked.redirect_chain[-1][0].startswith(reverse("mfa_reauthenticate"))
    client.post(asked.redirect_chain[-1][0], {"code": code_of(SECRET)})
    assert client.get("/admin/duels/user/").status_code == 200


def test_staff_cannot_open_the_admin_after_deleting_the_second_factor(
    client: Client, staff_user: User
):
    sign_in_with_second_factor(client, staff_user)
    assert client.get("/admin/").status_code == 200
    Authenticator.objects.all().delete()
    assert client.get("/admin/").status_code == 302


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_setting_up_a_second_factor_counts_as_using_it(client: Client, staff_user: User):
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    client.post(reverse("mfa_activate_totp"), {"code": code_of(page.context["form"].secret)})
    assert client.get("/admin/").status_code == 200


def test_players_cannot_open_the_admin(client: Client):
    sign_in_with_second_factor(client, make_user("ada@example.org"))
    assert client.get("/admin/", follow=True).status_code == 403


def test_admin_does_not_redirect_to_other_sites(client: Client, staff_user: User):
    sign_in_with_second_factor(client, staff_user)
    answer = client.get("/admin/login/?next=https://evil.example/")
    assert answer["Location"] == "/admin/"
    assert client.get("/admin/login/?next=/admin/duels/")["Location"] == "/admin/duels/"
    assert client.get("/admin/password_change/")["Location"] == "/accounts/password/change/"


def test_desk_requires_a_second_factor_but_no_wizard(client: Client):
    user = make_user("referee@example.org")
    user.groups.add(Group.objects.get_or_create(name=REFEREE_GROUP)[0])
    assert client.get("/desk/")["Location"] == "/accounts/login/?next=/desk/"
    client.force_login(user)
    assert client.get("/desk/")["Location"] == reverse("mfa_index")
    sign_in_with_second_factor(client, user)
    assert client.get("/desk/").status_code == 200


def test_referees_command_appoints_and_dismisses_referees(capsys: Any):
    user = make_user("referee@example.org")
    profiles.create_wizard(user=user, name="Hazel", pronouns="she", now=NOW)
    call_command("referees", "--appoint", "Referee@example.org")
    assert user.groups.filter(name=REFEREE_GROUP).exists()
    assert "Hazel" in capsys.readouterr().out
    call_command("referees", "--dismiss", "referee@example.org")
    assert not user.groups.exists()
    with pytest.raises(CommandError, match="No account uses"):
        call_command("referees", "--appoint", "nobody@example.org")
