"""The bell in the header, which counts news that a wizard has not seen, emailed or not."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from duels.commands import endings, speaking
from duels.feeds.commands import follow_duel
from duels.post.models import EmailTiming, Notice
from duels.post.public import set_mail_choice
from tests.cast import NOW, Cast, begin, deliver, hands, play, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def bell_number(client: Client, path: str = "/rules/") -> str:
    """Return the number next to the bell on this page, or ""."""
    found = re.search(r'<a href="/news/">(.*?)</a>', page(client, path))
    assert found
    return "".join(re.findall(r"\((.*?)\)", found[1]))


def news_entries(client: Client) -> list[tuple[str, str, str]]:
    """Return the path, title and event of each entry in the list of news."""
    found = re.findall(
        r'<a class="who" href="([^"]*)">(.*?)</a>.*?<span class="about">(.*?)</span>',
        page(client, "/news/"),
    )
    plain = [(path, title, re.sub(r"<[^>]+>", "", event).strip()) for path, title, event in found]
    return plain


@pytest.mark.parametrize("when", [EmailTiming.EVERY, EmailTiming.OFF])
def test_bell_counts_news_until_its_page_is_opened(cast: Cast, when: EmailTiming) -> None:
    set_mail_choice(wizard=cast.ada, when=when, hour=8, though_here=True, now=NOW)
    ada, first, second = signed_in(cast.ada), begin(cast.ada, cast.bram), begin(cast.ada, cast.cleo)
    deliver()
    before = int(bell_number(ada))
    assert before >= 2
    assert news_entries(ada)[0][:2] == (f"/duels/{second.pk}/", "Against Cleo, turn 1")
    assert bell_number(ada, f"/duels/{first.pk}/") == bell_number(ada) == str(before // 2)
    bell_number(ada, f"/duels/{second.pk}/")
    assert bell_number(ada) == ""
    assert len(news_entries(ada)) == before
    play(first, {cast.ada: hands("P", "D"), cast.bram: hands("W", "F")})
    assert bell_number(ada) == "1"
    assert news_entries(ada)[0] == (f"/duels/{first.pk}/", "Against Bram, turn 2", "New: Your turn")


@pytest.mark.parametrize(
    "header", [{"X-Page-Hidden": "yes"}, {"Sec-Purpose": "prefetch;prerender"}]
)
def test_page_that_is_not_in_view_does_not_mark_news_as_read(
    cast: Cast, header: dict[str, str]
) -> None:
    duel, ada = begin(cast.ada, cast.bram), signed_in(cast.ada)
    ada.get(f"/duels/{duel.pk}/", headers=header)
    assert bell_number(ada) == "1"
    ada.get(f"/duels/{duel.pk}/")
    assert bell_number(ada) == ""


def test_news_can_be_marked_as_read_without_scripts(cast: Cast) -> None:
    begin(cast.ada, cast.bram)
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert "Mark all as read" in page(ada, "/news/")
    assert bell_number(ada) != ""
    ada.post("/news/read")
    assert "Mark all as read" not in page(ada, "/news/")
    assert bell_number(ada) == ""
    assert bell_number(bram) != "", "it is still news for others"


def test_page_needs_one_query_for_the_bell_and_one_update_to_mark_news_as_read(cast: Cast) -> None:
    duel, ada = begin(cast.ada, cast.bram), signed_in(cast.ada)

    def statements(path: str) -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            ada.get(path)
        return [each["sql"] for each in captured if "post_notice" in each["sql"]]

    assert [sql.split()[0] for sql in statements("/rules/")] == ["SELECT"]
    assert [sql.split()[0] for sql in statements(f"/duels/{duel.pk}/")] == ["SELECT", "UPDATE"]
    assert [sql.split()[0] for sql in statements(f"/duels/{duel.pk}/")] == ["SELECT"]


def test_bell_counts_each_message_added_to_a_queued_email(cast: Cast) -> None:
    duel, ada = begin(cast.ada, cast.bram), signed_in(cast.ada)
    path = f"/duels/{duel.pk}/"
    for words in ("Well met.", "Your move."):
        bell_number(ada, path)
        speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words=words, now=NOW)
        assert bell_number(ada) == "1"
    assert Notice.objects.filter(kind="said").count() == 1
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    bell_number(ada, path)
    deliver()
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Are you there?", now=NOW)
    assert bell_number(ada) == ""


def test_followers_get_news_of_duels_even_without_emails(cast: Cast) -> None:
    duel, cleo = begin(cast.ada, cast.bram), signed_in(cast.cleo)
    follow_duel(wizard=cast.cleo, duel=duel, now=NOW)
    play(duel, {cast.ada: hands("P", "D"), cast.bram: hands("W", "F")})
    assert bell_number(cleo) == ""
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert news_entries(cleo) == [
        (f"/duels/{duel.pk}/", "Ada against Bram", "New: A duel that you follow")
    ]


def test_news_of_the_end_of_a_duel_states_the_result(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert news_entries(signed_in(cast.ada))[0][2] == "New: The duel is over: you won"
    assert Notice.objects.filter(kind="over", wizard=cast.ada).count() == 1


def test_visitors_have_no_bell(cast: Cast) -> None:
    assert "/news/" not in page(Client(), "/rules/")
    assert Client().get("/news/").status_code == 302


def test_rejected_forms_and_unknown_addresses_do_not_mark_news_as_read(cast: Cast) -> None:
    duel, ada = begin(cast.ada, cast.bram), signed_in(cast.ada)
    before = bell_number(ada)
    for path in (f"/duels/{duel.pk}/", "/duels/\0/"):
        assert ada.post(path).status_code >= 400
    assert ada.get("/messages/\0/").status_code == 404
    assert bell_number(ada) == before
