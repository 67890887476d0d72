"""Redirects back to an invitation after signing up or in, but never to another site."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user
from django.core import mail
from django.test import Client

from duels.models import Duel, Seat, Wizard, WizardWish
from tests.cast import PASSWORD, Cast, make_user
from tests.duels.test_guests import guest_in, sign_in
from tests.duels.test_invited_guests import accept_invitation, invite
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db
GUEST_ADDRESS = "morgana@example.test"


@pytest.fixture
def invitation(cast: Cast) -> tuple[Duel, str]:
    return invite(cast.ada, visibility="private")


def sign_up(visitor: Visitor, came_from: str, **changed: str) -> Any:
    typed = {"email": GUEST_ADDRESS, "password1": PASSWORD, "name": "Morgana", "pronouns": "she"}
    answer = visitor.post("/accounts/signup/", typed | {"next": came_from} | changed)
    assert answer.status_code == 302
    return answer


def link_in_email() -> str:
    found = re.search(r"https?://[^/\s]+(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def confirm_address(visitor: Visitor) -> Any:
    """Open the link of the last email and submit the form of its page."""
    link = link_in_email()
    page = visitor.page(link)
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return visitor.post(link.partition("?")[0], dict(hidden))


def test_sign_in_forms_linked_from_an_invitation_lead_back_to_it(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    page = visitor.page(link)
    for form in ("login", "signup"):
        assert f'href="/accounts/{form}/?next={link.replace("/", "%2F")}"' in page or (
            f'href="/accounts/{form}/?next={link}"' in page
        )
    signs_up = visitor.page(f"/accounts/signup/?next={link}")
    assert f'name="next" value="{link}"' in signs_up
    for other in (f"/accounts/login/?next={link}", f"/accounts/login/code/?next={link}"):
        assert f'name="next" value="{link}"' in visitor.page(other)


def test_confirming_an_address_in_the_same_browser_returns_to_the_invitation(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    duel, link = invitation
    sign_up(visitor, link)
    answer = confirm_address(visitor)
    assert (answer.status_code, answer.url) == (302, link)
    assert get_user(visitor.client).is_authenticated
    assert "Accept" in visitor.page(link)
    visitor.post(f"/duels/{duel.pk}/accept", {"token": duel.token})
    assert Seat.objects.get(duel=duel, wizard__name="Morgana").accepted_at


def test_confirming_an_address_in_another_browser_leads_to_login_first(
    visitor: Visitor, committed: Committed, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    sign_up(visitor, link)
    elsewhere = Visitor(committed)
    answer = confirm_address(elsewhere)
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/login/?next=")
    assert not get_user(elsewhere.client).is_authenticated
    page = elsewhere.page(answer.url)
    assert f'name="next" value="{link}"' in page
    typed = {"login": GUEST_ADDRESS, "password": PASSWORD, "next": link}
    assert elsewhere.post("/accounts/login/", typed).url == link
    assert "Accept" in elsewhere.page(link)


def test_login_redirects_back_to_the_invitation(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    typed = {"login": "bram@example.org", "password": PASSWORD, "next": link}
    assert visitor.post("/accounts/login/", typed).url == link
    assert ">Accept<" in visitor.page(link)


def test_login_by_code_redirects_back_to_the_invitation(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    asked = visitor.post("/accounts/login/code/", {"email": "bram@example.org", "next": link})
    assert link in visitor.page(asked.url)
    code = re.search(r"^\s*([A-Z0-9-]{6,})\s*$", str(mail.outbox[-1].body), re.MULTILINE)
    assert code
    answer = visitor.post("/accounts/login/code/confirm/", {"code": code[1], "next": link})
    assert answer.url == link


def test_guest_who_signs_up_returns_to_their_duel(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    address = accept_invitation(visitor, link).url
    guest = guest_in(visitor)
    assert f"/accounts/signup/?next={address}" in visitor.page(address)
    sign_up(visitor, address)
    assert confirm_address(visitor).url == address
    assert "Morgana" in visitor.page(address)
    assert not Wizard.objects.filter(pk=guest.pk).exists()


def test_naming_a_wizard_after_signup_returns_to_the_invitation(
    visitor: Visitor, invitation: tuple[Duel, str]
) -> None:
    _, link = invitation
    sign_up(visitor, link)
    WizardWish.objects.all().delete()
    assert confirm_address(visitor).url == link
    page = visitor.page(link)
    assert "Name your wizard to answer" in page
    assert visitor.post(f"{link}accept", {"name": "Tom"}).url.startswith("/settings/?next=")
    page = visitor.page(f"/settings/?next={link}")
    assert f'name="next" value="{link}"' in page
    typed = {"name": "Morgana", "pronouns": "she", "next": link}
    assert visitor.post("/settings/", typed).url == link


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x"]
)
def test_emails_and_forms_never_redirect_to_another_site(
    visitor: Visitor, committed: Committed, db: None, elsewhere: str
) -> None:
    sign_up(visitor, elsewhere)
    assert "evil" not in str(mail.outbox[-1].body)
    other = Visitor(committed)
    link = link_in_email().partition("?")[0]
    assert "evil" not in other.post(link, {"from": elsewhere}).url
    user = make_user("nobody@example.org")
    sign_in(visitor, user.email)
    assert (
        visitor.post("/settings/", {"name": "Nia", "pronouns": "she", "next": elsewhere}).url == "/"
    )


def test_signup_from_an_invitation_does_not_reveal_known_addresses(
    committed: Committed, invitation: tuple[Duel, str]
) -> None:
    """Promise 17."""
    _, link = invitation
    make_user(GUEST_ADDRESS)
    pages = []
    for address in (GUEST_ADDRESS, "another@example.tst"):
        somebody = Visitor(committed)
        answer = sign_up(somebody, link, email=address)
        again = somebody.client.get(link).content.decode()
        page = somebody.client.get(answer.url).content.decode() + again
        for changing in (address, r'name="(?:csrfmiddlewaretoken|form_key)" value="[^"]+"'):
            page = re.sub(changing, "", page)
        pages.append((answer.status_code, answer.url, sorted(somebody.client.cookies), page))
    assert pages[0] == pages[1]


def test_confirming_an_address_in_another_browser_does_not_sign_in(
    visitor: Visitor, committed: Committed, invitation: tuple[Duel, str]
) -> None:
    """Only the browser in which the user signed up is signed in."""
    _, link = invitation
    sign_up(visitor, link)
    confirm_address(Visitor(committed))
    assert not get_user(visitor.client).is_authenticated
    assert not get_user(Client()).is_authenticated
