"""A test of the page of sent emails on a phone."""

from playwright.sync_api import expect

from tests.browser.scenes import Desks, session_of
from tests.sites import Site

LINK = f"https://duels.example/accounts/password/reset/key/{'7f3a' * 16}/"


def send_long_link() -> str:
    """Send an email with a long link, show the page of emails, and return a session for it."""
    from django.conf import settings
    from django.core.mail import EmailMessage

    from spellcaster.mailbox import MailboxBackend
    from tests.cast import make_wizard

    settings.MAILBOX_SHOWN = True
    reader = make_wizard("Postmistress")
    assert reader.user is not None
    message = EmailMessage("A link", f"Open {LINK}", "site@duels.example", [reader.user.email])
    MailboxBackend().send_messages([message])
    return session_of(reader)


def hide_page() -> None:
    from django.conf import settings

    settings.MAILBOX_SHOWN = False


def test_emails_do_not_scroll_sideways_on_a_phone(desks: Desks, embedded_site: Site) -> None:
    session = embedded_site.call(send_long_link)
    try:
        phone = desks.window("/mail/", session, {"viewport": {"width": 360, "height": 740}})
        text = phone.locator(".mail pre")
        expect(text).to_contain_text(LINK)
        assert text.evaluate("each => each.scrollWidth <= each.clientWidth")
    finally:
        embedded_site.call(hide_page)
