"""Tests of the page about the site."""

import pytest
from django.test import Client

from duels.clocks.clock import DAY
from duels.clocks.vacation import INITIAL_VACATION
from tests.cast import make_wizard

pytestmark = pytest.mark.django_db


def test_page_for_new_challenges_links_to_the_help_on_being_away(client: Client) -> None:
    ada = make_wizard("Ada")
    assert ada.user is not None
    client.force_login(ada.user)
    assert 'href="/about/#away"' in client.get("/challenge/new").content.decode()
    page = client.get("/about/").content.decode()
    assert 'id="away"' in page
    assert "twenty days of vacation" in page
    assert INITIAL_VACATION == 20 * DAY
