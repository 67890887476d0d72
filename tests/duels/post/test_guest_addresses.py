"""A guest's email address: optional, confirmed by its owner, and deleted with the guest."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any
from unittest import mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client

from duels.commands import guests
from duels.commands.guests import GUEST_LIFETIME
from duels.models import Wizard, WizardKind
from duels.post.commands.addressing import delete_guest_address
from duels.post.commands.bouncing import delete_silenced_addresses, reactivate_addresses
from duels.post.commands.choosing import set_mail_choice
from duels.post.commands.delivering import deliver_due
from duels.post.models import GuestAddress, MailChoice, SilencedAddress, When
from duels.post.queries import address_of
from tests.cast import NOW, Cast, hands, make_user, seal
from tests.duels.test_guests import guest_in, sign_in
from tests.duels.test_invited_guests import accept_invitation, invite
from tests.duels.test_submissions import form_key_on
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db
GUEST_ADDRESS = "tom@example.test"


@pytest.fixture
def guest_browser(cast: Cast, visitor: Visitor) -> Visitor:
    """The browser of a guest who duels with Ada."""
    _, link = invite(cast.ada)
    assert accept_invitation(visitor, link).status_code == 302
    mail.outbox.clear()
    return visitor


def confirmation_link() -> str:
    found = re.search(r"https?://[^/\s]+(/guest/mail/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    return found[1]


def request_confirmation(visitor: Visitor, address: str = GUEST_ADDRESS) -> Any:
    return visitor.post("/guest/mail", {"do": "ask", "address": address})


def test_copy_of_the_form_does_not_send_a_second_email(guest_browser: Visitor) -> None:
    typed = {
        "do": "ask",
        "address": GUEST_ADDRESS,
        "form_key": form_key_on(guest_browser.page("/guest/mail")),
    }
    assert [guest_browser.post("/guest/mail", typed).url for _ in range(2)] == ["/guest/mail"] * 2
    assert len(mail.outbox) == 1


def test_form_can_be_sent_again_if_its_email_could_not_be_sent(guest_browser: Visitor) -> None:
    typed = {
        "do": "ask",
        "address": GUEST_ADDRESS,
        "form_key": form_key_on(guest_browser.page("/guest/mail")),
    }
    with mock.patch(
        "django.core.mail.EmailMultiAlternatives.send", side_effect=SMTPServerDisconnected
    ):
        answer = guest_browser.post("/guest/mail", typed)
    typed["form_key"] = form_key_on(answer.content.decode())
    assert guest_browser.post("/guest/mail", typed).status_code == 302
    assert len(mail.outbox) == 1


def test_unconfirmed_address_of_a_guest_does_not_receive_emails(
    guest_browser: Visitor, cast: Cast
) -> None:
    """Promise 12: a stranger cannot fill anyone's mailbox."""
    assert "Enter your address" in guest_browser.page(
        "/guest/mail"
    ) or "Your email address" in guest_browser.page("/guest/mail")
    assert request_confirmation(guest_browser).url == "/guest/mail"
    (letter,) = mail.outbox
    assert letter.to == [GUEST_ADDRESS]
    assert "Guest Tom" in letter.subject
    guest = guest_in(guest_browser)
    assert address_of(guest) == ""
    assert "Follow the link in the email to" in guest_browser.page("/guest/mail")

    reader = Client()
    page = reader.get(confirmation_link())
    assert "Are you Guest Tom?" in page.content.decode()
    assert address_of(guest) == "", "opening a link does nothing"
    confirmed = reader.post(confirmation_link()).content.decode()
    assert "Emails are on" in confirmed
    assert "at once. If you have just left the site" in confirmed
    assert reader.post(confirmation_link()).status_code == 200, "confirming twice is harmless"
    assert address_of(guest) == GUEST_ADDRESS
    assert "When it is your turn, we email" in guest_browser.page("/guest/mail")


def test_guest_is_emailed_about_their_turn(
    guest_browser: Visitor, cast: Cast, committed: Committed
) -> None:
    request_confirmation(guest_browser)
    Client().post(confirmation_link())
    mail.outbox.clear()
    guest = guest_in(guest_browser)
    duel = guest.seats.get().duel
    with committed():
        seal(duel, guest, hands("S", "-"))
        seal(duel, cast.ada, hands("-", "-"))
    deliver_due()
    (letter,) = [each for each in mail.outbox if each.to == [GUEST_ADDRESS]]
    assert f"/duels/{duel.pk}/" in str(letter.body)
    assert "you are duelling at Spellcaster as Guest Tom" in str(letter.body)
    assert "only works in the browser where you play as Guest Tom" in " ".join(
        str(letter.body).split()
    )
    assert "tom@" not in " ".join(str(each.body) for each in mail.outbox)
    off = re.search(r"https?://[^/\s]+(/mail-off/\S+)", str(letter.body))
    assert off is not None
    Client().post(off[1], {"which": "all"})
    assert MailChoice.objects.get(wizard=guest).when == "off"


def test_receipt_states_how_the_reader_is_notified(guest_browser: Visitor, cast: Cast) -> None:
    guest = guest_in(guest_browser)
    duel = guest.seats.get().duel
    seal(duel, guest, hands("S", "-"))

    def receipt_text(browser: Client) -> str:
        html = browser.get(f"/duels/{duel.pk}/").content.decode()
        return " ".join(html.partition("data-receipt")[2].partition("receipt-foot")[0].split())

    request_confirmation(guest_browser)
    emailed = "We will email you when it is your turn again."
    assert "You may close this page." in receipt_text(guest_browser.client)
    assert "enter your address" in receipt_text(guest_browser.client)
    assert emailed not in receipt_text(guest_browser.client)
    Client().post(confirmation_link())
    assert emailed in receipt_text(guest_browser.client)
    set_mail_choice(wizard=guest, when=When.OFF, hour=8, though_here=False, now=NOW)
    assert emailed not in receipt_text(guest_browser.client)
    seal(duel, cast.ada, hands("-", "-"))
    assert "You may close this page." not in receipt_text(guest_browser.client), (
        "the next turn is open"
    )


def test_confirmation_link_is_rejected_after_the_address_was_removed_or_replaced(
    guest_browser: Visitor,
) -> None:
    request_confirmation(guest_browser)
    first = confirmation_link()
    request_confirmation(guest_browser, "other@example.test")
    assert Client().post(first).status_code == 404
    second = confirmation_link()
    assert guest_browser.post("/guest/mail", {"do": "drop"}).url == "/guest/mail"
    assert not GuestAddress.objects.exists()
    answer = Client().post(second)
    assert answer.status_code == 404
    assert "This link no longer works" in answer.content.decode()
    assert Client().get("/guest/mail/forged/").status_code == 404


def test_confirmation_link_expires_after_three_days(
    guest_browser: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    request_confirmation(guest_browser)
    monkeypatch.setattr("duels.post.tokens.TOKEN_LIFETIME", timedelta(seconds=-1))
    assert Client().post(confirmation_link()).status_code == 404


@pytest.mark.parametrize("address", ["", "tom", "tom@", "a" * 250 + "@example.test", "t\0@x.org"])
def test_invalid_address_of_a_guest_is_rejected(guest_browser: Visitor, address: str) -> None:
    answer = request_confirmation(guest_browser, address)
    assert answer.status_code == 400
    assert 'id="id_address_error"' in answer.content.decode()
    assert not mail.outbox


def test_known_and_unknown_addresses_get_the_same_response(guest_browser: Visitor) -> None:
    make_user("known@example.test")
    pages = []
    for address in ("known@example.test", "never@example.test"):
        assert request_confirmation(guest_browser, address).status_code == 302
        page = re.sub(
            r'name="(csrfmiddlewaretoken|form_key)" value="[\w.-]+"',
            "",
            guest_browser.page("/guest/mail"),
        )
        pages.append(page.replace(address, ""))
    assert pages[0] == pages[1]
    assert [letter.to for letter in mail.outbox] == [["known@example.test"], ["never@example.test"]]


@pytest.mark.sqlite
@pytest.mark.parametrize("limits", [{"guest_mail": "1/h/ip"}, {"guest_mail_to": "1/d/key"}])
def test_confirmation_emails_are_rate_limited(
    guest_browser: Visitor, settings: Any, limits: dict[str, str]
) -> None:
    settings.ACCOUNT_RATE_LIMITS = limits
    assert request_confirmation(guest_browser).status_code == 302
    refused = request_confirmation(guest_browser, GUEST_ADDRESS.upper())
    assert refused.status_code == 429
    assert f'value="{GUEST_ADDRESS.upper()}"' in refused.content.decode()
    assert len(mail.outbox) == 1


def test_guest_sees_an_error_if_the_confirmation_email_cannot_be_sent(
    guest_browser: Visitor,
) -> None:
    away = SMTPServerDisconnected("gone")
    with mock.patch("django.core.mail.EmailMultiAlternatives.send", side_effect=away):
        answer = request_confirmation(guest_browser)
    assert answer.status_code == 422
    assert "could not be sent" in answer.content.decode()
    assert GUEST_ADDRESS in answer.content.decode()


def test_only_guests_can_use_the_guest_address_page(cast: Cast, visitor: Visitor) -> None:
    assert visitor.get("/guest/mail").url.startswith("/accounts/login/")
    sign_in(visitor, "ada@example.org")
    assert visitor.get("/guest/mail").url == "/settings/mail"
    assert request_confirmation(visitor).url == "/settings/mail"
    assert not GuestAddress.objects.exists()


def test_bounced_address_of_a_guest_does_not_receive_emails(guest_browser: Visitor) -> None:
    request_confirmation(guest_browser)
    Client().post(confirmation_link())
    SilencedAddress.objects.create(address=GUEST_ADDRESS, since=NOW, answer="550")
    guest = guest_in(guest_browser)
    assert address_of(guest) == ""
    delete_guest_address(wizard=guest)
    assert not SilencedAddress.objects.exists()


@pytest.mark.sqlite
def test_only_the_owner_of_an_address_can_lift_its_spam_complaint(
    guest_browser: Visitor, cast: Cast
) -> None:
    """A guest who enters the address, or a player who adds it, cannot lift the complaint.

    Closing the account does not lift it either, and the site still does not write to the address.
    """
    SilencedAddress.objects.create(
        address=GUEST_ADDRESS, since=NOW, answer="550", cause="complaint"
    )
    assert request_confirmation(guest_browser).url == "/guest/mail"
    assert not mail.outbox
    assert "Follow the link in the email to" in guest_browser.page("/guest/mail"), (
        "same response as for any other address"
    )
    delete_guest_address(wizard=guest_in(guest_browser))
    user = cast.ada.user
    assert user
    EmailAddress.objects.create(
        user=user, email=GUEST_ADDRESS.upper(), verified=False, primary=False
    )
    assert reactivate_addresses(wizard=cast.ada, now=NOW) == 0
    delete_silenced_addresses(user=user)
    assert SilencedAddress.objects.get().lifted_at is None


def test_deleting_a_guest_deletes_their_address(guest_browser: Visitor, cast: Cast) -> None:
    request_confirmation(guest_browser)
    Client().post(confirmation_link())
    assert guests.delete_expired_guests(now=NOW + 4000 * GUEST_LIFETIME) == 1
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()
    assert not GuestAddress.objects.exists()
