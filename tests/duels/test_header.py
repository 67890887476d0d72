"""The header of all pages."""

from html import unescape

import pytest
from django.test import Client

from duels.models import User
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def header_text(user: User | None) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    html = client.get("/about/").content.decode()
    return unescape(html.partition("<header")[2].partition("</header>")[0])


def test_name_in_the_header_links_to_the_players_own_page(cast: Cast):
    shown = header_text(cast.ada.user)
    assert '<a class="own-name" href="/wizards/ada/">Ada</a>' in shown
    assert 'href="/settings/"' in shown
    assert 'href="/wizards/">Wizards</a>' in shown


def test_header_shows_who_is_signed_in_without_a_wizard(cast: Cast):
    """Users without a wizard cannot challenge anyone, so the menu asks them to name one."""
    user = User.objects.create_user(email="referee@example.test")
    shown = header_text(user)
    assert "Signed in as referee@example.test" in shown
    assert '<a href="/settings/">Name your wizard</a>' in shown
    assert "New challenge" not in shown
    assert "New challenge" in header_text(cast.ada.user)


def test_header_has_a_link_to_sign_in_for_visitors():
    shown = header_text(None)
    assert "Sign in" in shown
    assert 'href="/settings/"' not in shown
