"""Players follow wizards and public duels, and write notes that only they can read."""

import json
import re
from datetime import timedelta
from zipfile import ZipFile

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from duels.commands import endings
from duels.commands.closing import begin_closing
from duels.commands.profiles import block
from duels.errors import Refused
from duels.feeds.commands import follow_duel, follow_wizard, set_private_note
from duels.feeds.models import MAX_NOTE_LENGTH, Follow, PrivateNote
from duels.models import Duel, Wizard
from duels.post.public import set_mail_choice, unsubscribe_by_token
from duels.post.tokens import unsubscribe_token
from duels.screens.account.export import data_archive
from tests.cast import NOW, Cast, begin, deliver, signed_in

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def followed_on_home(wizard: Wizard) -> list[int]:
    """Return the duels in the section of followed duels on the home page."""
    _, _, section = page(signed_in(wizard), "/").partition('id="followed"')
    return [int(pk) for pk in re.findall(r'data-duel="(\d+)"', section.partition("</section>")[0])]


def want_emails(wizard: Wizard) -> None:
    set_mail_choice(wizard=wizard, when="every", hour=8, though_here=True, followed=True, now=NOW)


def email_subjects(wizard: Wizard) -> list[str]:
    """Return the subjects of the emails to this wizard."""
    deliver(now=timezone.now())
    assert wizard.user
    return [str(each.subject) for each in mail.outbox if each.to == [wizard.user.email]]


def resign(duel: Duel, wizard: Wizard) -> Duel:
    return endings.resign(duel_id=duel.pk, wizard=wizard, now=timezone.now())


def test_home_page_shows_public_duels_of_followed_wizards(cast: Cast) -> None:
    running, over = begin(cast.ada, cast.bram), resign(begin(cast.ada, cast.dorn), cast.dorn)
    begin(cast.ada, cast.bram, visibility="private")
    begin(cast.ada, cast.cleo)
    begin(cast.bram, cast.dorn)
    client = signed_in(cast.cleo)
    assert "Unfollow" not in page(client, "/wizards/ada/")
    client.post("/wizards/ada/follow")
    assert "Unfollow" in page(client, "/wizards/ada/")
    assert followed_on_home(cast.cleo) == [running.pk, over.pk]
    assert ">Ada</a>" in page(client, "/following/")
    client.post("/wizards/ada/unfollow")
    assert followed_on_home(cast.cleo) == []


def test_home_page_shows_a_followed_duel_until_it_is_unfollowed(cast: Cast) -> None:
    duel, client = begin(cast.ada, cast.bram), signed_in(cast.cleo)
    client.post(f"/duels/{duel.pk}/follow")
    assert "Unfollow this duel" in page(client, f"/duels/{duel.pk}/")
    assert "Ada against Bram" in page(client, "/following/")
    assert followed_on_home(cast.cleo) == [duel.pk]
    client.post(f"/duels/{duel.pk}/unfollow")
    assert followed_on_home(cast.cleo) == []


def test_duels_that_ended_long_ago_are_not_shown_as_news(cast: Cast) -> None:
    duel = resign(begin(cast.ada, cast.bram), cast.bram)
    follow_wizard(wizard=cast.cleo, other=cast.ada, now=NOW)
    Duel.objects.filter(pk=duel.pk).update(ended_at=timezone.now() - timedelta(days=15))
    assert followed_on_home(cast.cleo) == []


def test_players_cannot_follow_themselves_or_their_own_or_private_duels(cast: Cast) -> None:
    own, private = begin(cast.ada, cast.bram), begin(cast.ada, cast.bram, visibility="private")
    assert "Follow" not in page(signed_in(cast.ada), f"/duels/{own.pk}/")
    assert signed_in(cast.cleo).post(f"/duels/{private.pk}/follow").status_code == 404
    with pytest.raises(Refused):
        follow_duel(wizard=cast.bram, duel=private, now=NOW)
    with pytest.raises(Refused):
        follow_wizard(wizard=cast.ada, other=cast.ada, now=NOW)


def test_finished_duels_can_be_unfollowed_but_not_followed_on_their_page(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    address = f"/duels/{duel.pk}/"
    assert "Follow this duel" in page(signed_in(cast.cleo), address)
    follow_duel(wizard=cast.cleo, duel=duel, now=NOW)
    resign(duel, cast.bram)
    assert "Unfollow this duel" in page(signed_in(cast.cleo), address)
    assert signed_in(cast.cleo).post(f"{address}unfollow").status_code == 302
    assert "ollow this duel" not in page(signed_in(cast.cleo), address)


def test_blocked_wizard_cannot_follow_the_one_who_blocked_them(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    follow_wizard(wizard=cast.cleo, other=cast.ada, now=NOW)
    follow_duel(wizard=cast.cleo, duel=duel, now=NOW)
    want_emails(cast.cleo)
    block(wizard=cast.ada, other=cast.cleo, now=NOW)
    assert followed_on_home(cast.cleo) == []
    resign(duel, cast.bram)
    assert email_subjects(cast.cleo) == []
    client = signed_in(cast.cleo)
    assert "A duel that you follow" not in page(client, "/news/")
    assert client.post("/wizards/ada/follow").status_code == 403
    assert client.post(f"/duels/{duel.pk}/follow").status_code == 403


def test_visitors_and_guests_cannot_follow(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    assert "Follow this duel" not in page(Client(), f"/duels/{duel.pk}/")
    assert Client().post(f"/duels/{duel.pk}/follow").status_code == 302
    assert Client().get("/following/").status_code == 302
    assert not Follow.objects.exists()


def test_number_of_follows_is_limited(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duels.feeds.commands.MAX_FOLLOWED", 1)
    follow_wizard(wizard=cast.cleo, other=cast.ada, now=NOW)
    assert signed_in(cast.cleo).post("/wizards/bram/follow").status_code == 429


def test_followers_get_emails_only_if_they_have_asked_for_them(cast: Cast) -> None:
    for reader in (cast.cleo, cast.dorn):
        follow_wizard(wizard=reader, other=cast.ada, now=NOW)
    want_emails(cast.cleo)
    duel = begin(cast.ada, cast.bram)
    assert email_subjects(cast.cleo) == ["Ada and Bram: a duel has begun"]
    resign(duel, cast.bram)
    begin(cast.ada, cast.bram, visibility="private")
    assert email_subjects(cast.cleo)[1:] == ["Ada and Bram: Ada has won"]
    assert email_subjects(cast.dorn) == []


def test_news_is_emailed_once_and_not_to_the_duellists(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    follow_wizard(wizard=cast.cleo, other=cast.ada, now=NOW)
    follow_duel(wizard=cast.cleo, duel=duel, now=NOW)
    follow_wizard(wizard=cast.bram, other=cast.ada, now=NOW)
    for reader in (cast.cleo, cast.bram):
        want_emails(reader)
    resign(duel, cast.bram)
    assert email_subjects(cast.cleo) == ["Ada and Bram: Ada has won"]
    assert "Ada and Bram: Ada has won" not in email_subjects(cast.bram)


@pytest.mark.parametrize("only_duel", [True, False])
def test_unsubscribe_link_stops_emails_about_followed_duels(cast: Cast, only_duel: bool) -> None:
    duel = begin(cast.ada, cast.bram)
    follow_duel(wizard=cast.cleo, duel=duel, now=NOW)
    want_emails(cast.cleo)
    token = unsubscribe_token(cast.cleo.pk, duel.pk)
    unsubscribe_by_token(token=token, only_duel=only_duel, now=NOW)
    resign(duel, cast.bram)
    assert email_subjects(cast.cleo) == []


def test_private_note_is_only_visible_to_its_author(cast: Cast) -> None:
    client = signed_in(cast.cleo)
    client.post("/wizards/ada/note", {"words": "Opens with a <missile>."})
    assert "Opens with a &lt;missile&gt;." in page(client, "/wizards/ada/")
    assert "Opens with a &lt;missile&gt;." in page(client, "/following/")
    for reader in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        assert "missile" not in page(reader, "/wizards/ada/")
    client.post("/wizards/ada/note", {"words": "  "})
    assert not PrivateNote.objects.exists()
    long = "x" * (MAX_NOTE_LENGTH + 1)
    assert client.post("/wizards/ada/note", {"words": long}).status_code == 422


def test_follows_and_notes_are_exported_and_deleted_with_the_account(cast: Cast) -> None:
    follow_wizard(wizard=cast.ada, other=cast.bram, now=NOW)
    follow_wizard(wizard=cast.bram, other=cast.ada, now=NOW)
    for author, about in ((cast.ada, cast.bram), (cast.bram, cast.ada)):
        set_private_note(wizard=author, about=about, words=f"{author}’s note", now=NOW)
    assert cast.ada.user
    with data_archive(cast.ada.user) as file, ZipFile(file) as archive:
        exported = json.loads(archive.read("feeds.json"))
    assert [each["followed__name"] for each in exported["follows"]] == ["Bram"]
    assert [each["words"] for each in exported["private_notes"]] == ["Ada’s note"]
    begin_closing(user=cast.ada.user, now=NOW)
    assert not Follow.objects.exists()
    assert not PrivateNote.objects.exists()
