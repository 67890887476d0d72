"""The line in which wizards describe themselves, and the day of their last visit."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from duels.commands import profiles
from duels.errors import Refused
from duels.models import ActKind, Wizard
from duels.referees.models import Case
from tests.cast import NOW, Cast, signed_in
from tests.duels.list_pages import page_html
from tests.duels.referees.acts.refereeing import make_referee
from tests.duels.referees.acts.test_act_words import carry_out_on

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def save(client: Client, **fields: str) -> int:
    status: int = client.post("/settings/", {"pronouns": "she", **fields}).status_code
    return status


def test_profile_line_is_cleaned_and_shown_on_the_wizards_page(cast: Cast) -> None:
    ada = signed_in(cast.ada)
    assert save(ada, about=" I  like\u202e <b>goblins</b> ") == 302
    html = page_html(None, "/wizards/ada/")
    assert "I like &lt;b&gt;goblins&lt;/b&gt;" in html
    assert save(ada, about="x" * 201) == 400
    assert 'value="I like' in page_html(cast.ada, "/settings/")
    assert save(ada) == 302
    assert "goblins" not in page_html(None, "/wizards/ada/")


def test_profile_line_can_be_reported_and_removed_by_a_referee(cast: Cast) -> None:
    profiles.change_profile(wizard=cast.ada, about="Rude!", shows_last_seen=False, now=NOW)
    reporter = signed_in(cast.bram)
    more = page_html(cast.bram, "/wizards/ada/").partition("<summary>More</summary>")[2]
    assert "Report the name or line" in more
    assert ">Block</button>" in more
    assert "Rude!" in reporter.get("/wizards/ada/report").content.decode()
    reporter.post("/wizards/ada/report", {"words": "It is rude."})
    assert Case.objects.get().quoted == "Ada\nRude!"
    cast.ada.refresh_from_db()
    act = carry_out_on(ActKind.RENAME, make_referee(), cast.ada, name="Ada")
    assert (cast.ada.name, cast.ada.about, act.facts) == ("Ada", "", {"from": "Ada", "to": "Ada"})


def test_wizard_whose_messages_are_locked_cannot_write_a_profile_line(cast: Cast) -> None:
    Wizard.objects.filter(pk=cast.ada.pk).update(speech_locked_at=NOW)
    with pytest.raises(Refused, match="stopped you from sending messages"):
        profiles.change_profile(wizard=cast.ada, about="Hm.", shows_last_seen=False, now=NOW)


def test_last_visit_is_stored_and_shown_only_if_the_wizard_wants_it(cast: Cast) -> None:
    ada = signed_in(cast.ada)
    ada.get("/waiting")
    assert Wizard.objects.get(pk=cast.ada.pk).seen_on is None
    save(ada, shows_last_seen="on")
    assert "last here today" in page_html(None, "/wizards/ada/")
    for days, words in ((1, "yesterday"), (5, "5 days ago"), (90, "more than a month ago")):
        Wizard.objects.filter(pk=cast.ada.pk).update(seen_on=timezone.now() - timedelta(days=days))
        assert f"last here {words}" in page_html(None, "/wizards/ada/")
    ada.get("/waiting?away")
    assert "more than a month ago" in page_html(None, "/wizards/ada/")
    ada.get("/")
    assert "last here today" in page_html(None, "/wizards/ada/")
    with CaptureQueriesContext(connection) as captured:
        ada.get("/waiting")
    assert not [query for query in captured if query["sql"].startswith("UPDATE")]
    save(ada)
    assert "last here" not in page_html(None, "/wizards/ada/")
    assert Wizard.objects.get(pk=cast.ada.pk).seen_on is None


def test_closing_an_account_deletes_the_profile_line_and_last_visit(cast: Cast) -> None:
    profiles.change_profile(wizard=cast.ada, about="Hello.", shows_last_seen=True, now=NOW)
    cast.ada.refresh_from_db()
    profiles.anonymise_wizard(cast.ada, NOW)
    row = Wizard.objects.get(pk=cast.ada.pk)
    assert (row.about, row.shows_last_seen, row.seen_on) == ("", False, None)
