"""Tests that the 404 page is the same with and without DEBUG."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.cast import begin, make_cast

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/duels/{}/", "/no/such/page/", "/c/no-such-token/"])
def test_not_found_page_links_to_sign_in_even_in_debug_mode(settings: Any, path: str):
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


def test_other_pages_do_not_change_in_debug_mode(settings: Any):
    settings.DEBUG = True
    assert "The game in two minutes" in Client().get("/primer/").content.decode()
    told = Client().get("/guest/mail/no-such-token/")
    assert told.status_code == 404
    assert "Only mist" not in told.content.decode()
