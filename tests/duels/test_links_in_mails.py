"""Tests that links in emails work for the recipient and reveal nothing to anyone else."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from tests.cast import PASSWORD, Cast, begin, challenge
from tests.duels.visitors import Visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def challenge_path(cast: Cast, visitor: Visitor) -> str:
    """The path of a private challenge in the email to Bram."""
    with visitor.committed():
        challenge(cast.ada, cast.bram, visibility="private")
    (letter,) = [each for each in mail.outbox if each.to == ["bram@example.org"]]
    found = re.search(r"https?://[^/\s]+(/duels/\d+/)", str(letter.body))
    assert found is not None
    return found[1]


def test_login_redirects_back_to_the_linked_page(visitor: Visitor, challenge_path: str) -> None:
    answer = visitor.get(challenge_path)
    assert answer.status_code == 404
    assert f'href="/accounts/login/?next={challenge_path}"' in answer.content.decode()
    typed = {"login": "bram@example.org", "password": PASSWORD, "next": challenge_path}
    assert visitor.post("/accounts/login/", typed).url == challenge_path
    assert ">Accept<" in visitor.page(challenge_path)


def test_error_page_names_the_wizard_who_is_signed_in(cast: Cast, challenge_path: str) -> None:
    dorn: Any = Client()
    assert cast.dorn.user is not None
    dorn.force_login(cast.dorn.user)
    answer = dorn.get(challenge_path)
    assert answer.status_code == 404
    assert "You are signed in as Dorn." in answer.content.decode()


def test_page_of_a_private_duel_looks_like_that_of_a_missing_one(
    cast: Cast, challenge_path: str
) -> None:
    """Promise 2: nobody else can find out whether a hidden duel exists."""
    hidden = begin(cast.ada, cast.bram, visibility="private")
    pages = []
    for path in (challenge_path, f"/duels/{hidden.pk}/", "/duels/987654/"):
        answer = Client().get(path)
        assert answer.status_code == 404
        page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        pages.append(page.replace(path, "").replace(path.replace("/", "%2F"), ""))
    assert pages[0] == pages[1] == pages[2]


def test_path_in_the_login_link_is_escaped(db: None) -> None:
    page = Client().get('/nowhere/"><script>alert(1)</script>').content.decode()
    assert "<script>alert" not in page
