"""The 404 page, which is the same with and without DEBUG."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.cast import begin, make_cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/duels/{}/", "/no/such/page/", "/c/no-such-token/"])
def test_what_is_hidden_leads_to_signing_in_with_debug_on_as_well(settings: Any, path: str):
    cast = make_cast()
    hidden = path.format(begin(cast.ada, cast.bram, visibility="private").pk)
    pages = []
    for debug in (False, True):
        settings.DEBUG = debug
        answer = Client().get(hidden)
        assert answer.status_code == 404
        page = answer.content.decode()
        assert f'href="/accounts/login/?next={hidden}"' in page
        pages.append(re.sub(r'(nonce|value)="[^"]*"', "", page))
    assert pages[0] == pages[1]


def test_a_page_that_is_found_stays_as_it_is_with_debug_on(settings: Any):
    settings.DEBUG = True
    assert "The game in two minutes" in Client().get("/primer/").content.decode()
    told = Client().get("/guest/mail/no-such-token/")
    assert told.status_code == 404
    assert "Only mist" not in told.content.decode()
