"""People without an account who are invited, play as guests, and may sign up later."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import engine.play
from duels import errors
from duels.commands import challenges, endings, profiles
from duels.commands.guests import (
    GUEST_LIFETIME,
    accept_as_guest,
    claim_guest,
    delete_expired_guests,
)
from duels.models import (
    Duel,
    DuelEnding,
    DuelStatus,
    Marker,
    Orders,
    Outcome,
    Seat,
    Turn,
    Wizard,
    WizardKind,
)
from duels.post.models import GuestAddress, Notice
from duels.proof import records
from duels.referees.cases.reports import report_message_with_turn
from duels.referees.models import Case
from duels.sign_in import guests
from engine.proof.verify import verify
from tests.cast import NOW, Cast, challenge, hands, make_wizard, open_turn, play, seal
from tests.duels.test_guests import guest_in, sign_in, sign_up
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db


def invite(by: Wizard, **terms: Any) -> tuple[Duel, str]:
    """Create an invitation and return its duel and link."""
    duel = challenge(by, invitation=True, **{"now": timezone.now()} | terms)
    return duel, f"/c/{duel.token}/"


def accept_invitation(visitor: Visitor, link: str, name: str = "Tom") -> Any:
    return visitor.post(f"{link}accept", {"name": name})


def invited_guest(by: Wizard, name: str = "Tom", **terms: Any) -> tuple[Duel, Wizard]:
    """Start a duel between this wizard and a guest, and return both."""
    duel, _ = invite(by, now=NOW, **terms)
    guest = accept_as_guest(
        duel_id=duel.pk, token=duel.token or "", name=name, key=guests.token_hash(name), now=NOW
    )
    duel.refresh_from_db()
    return duel, guest


# Accepting


def test_invited_guest_needs_only_a_name(cast: Cast, visitor: Visitor) -> None:
    duel, link = invite(cast.ada, visibility="private")
    page = visitor.page(link)
    assert "Accept as a guest" in page
    assert "autofocus" not in page
    assert "Ada" in page
    answer = accept_invitation(visitor, link)
    assert (answer.status_code, answer.url) == (302, f"/duels/{duel.pk}/")
    duel.refresh_from_db()
    guest = guest_in(visitor)
    assert duel.status == DuelStatus.RUNNING
    assert (guest.name, guest.kind, guest.user) == ("Guest Tom", WizardKind.GUEST, None)
    page = visitor.page(answer.url)
    assert 'id="orders"' in page
    assert "You play as Guest Tom" in page
    assert visitor.client.cookies[guests.GUEST_COOKIE]["httponly"]
    turn = open_turn(duel)
    visitor.seal(answer.url, {"left": "S", "right": "-"})
    assert Orders.objects.get(turn=turn).seat.wizard == guest


def test_note_about_guests_is_short_after_the_first_turn(cast: Cast, visitor: Visitor) -> None:
    duel, link = invite(cast.ada)
    address = accept_invitation(visitor, link).url
    assert "your duels are deleted thirty" in visitor.page(address)
    play(duel, {cast.ada: hands("-", "-"), guest_in(visitor): hands("-", "-")})
    page = visitor.page(address)
    assert "You play as Guest Tom." in page
    assert "your duels are deleted thirty" not in page


def test_first_turn_of_an_invited_guest_offers_the_lesson_and_the_way_back(
    cast: Cast, visitor: Visitor
) -> None:
    duel, link = invite(cast.ada)
    address = accept_invitation(visitor, link).url
    offer = "Learn in five minutes first"
    assert offer in visitor.page(address)
    lesson = visitor.post("/play").url
    endings.resign(duel_id=int(lesson.split("/")[2]), wizard=guest_in(visitor), now=timezone.now())
    what_next = visitor.page(lesson).partition("What next")[2]
    assert f'href="{address}">Go to your duel</a>' in what_next
    assert visitor.page(address).count('id="orders"') == 1
    play(duel, {cast.ada: hands("-", "-"), guest_in(visitor): hands("-", "-")})
    assert offer not in visitor.page(address)


def test_guest_with_an_address_is_not_offered_emails_primer_or_lesson(
    cast: Cast, visitor: Visitor
) -> None:
    _, link = invite(cast.ada)
    address = accept_invitation(visitor, link).url
    offers = ("Email me", "primer", "Learn in five minutes first")
    main = visitor.page(address).partition("<main")[2].partition("</main>")[0]
    assert all(offer in main for offer in offers)
    GuestAddress.objects.create(wizard=guest_in(visitor), address="tom@example.test", asked_at=NOW)
    main = visitor.page(address).partition("<main")[2].partition("</main>")[0]
    assert not any(offer in main for offer in offers)


def test_guest_who_has_sealed_orders_is_not_offered_the_lesson(
    cast: Cast, visitor: Visitor
) -> None:
    address = accept_invitation(visitor, invite(cast.ada)[1]).url
    assert "Learn in five minutes first" in visitor.page(address)
    visitor.follow(visitor.begin())
    assert "Learn in five minutes first" not in visitor.page(address)


def test_invitation_page_asks_for_a_name_before_explaining_the_game(
    cast: Cast, visitor: Visitor
) -> None:
    page = visitor.page(invite(cast.ada)[1])
    parts = ('name="name"', "Accept as a guest", "Every turn each hand", "Try it first")
    assert [page.index(part) for part in parts] == sorted(page.index(part) for part in parts)


def test_invited_guest_with_a_generated_name_is_asked_for_a_name(
    cast: Cast, visitor: Visitor
) -> None:
    """The chosen name replaces the generated one, even in practice duels already played."""
    duel, link = invite(cast.ada)
    practice = visitor.begin()
    made_up = guest_in(visitor).name
    page = visitor.page(link)
    assert "Accept as a guest" in page
    assert f"It replaces {made_up} in all your duels." in page
    assert f"Accept as {made_up}" not in page
    refused = accept_invitation(visitor, link, "Goblin")
    assert "This name is reserved. Choose another one." in refused.content.decode()
    assert guest_in(visitor).name == made_up
    assert accept_invitation(visitor, link).url == f"/duels/{duel.pk}/"
    assert guest_in(visitor).name == "Guest Tom"
    for address in (practice, f"/duels/{duel.pk}/"):
        page = visitor.page(address)
        assert "Guest Tom" in page
        assert made_up not in page
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 1
    other, second = invite(cast.ada)
    assert "Accept as Guest Tom" in visitor.page(second)
    assert accept_invitation(visitor, second, "Bob").url == f"/duels/{other.pk}/"
    assert guest_in(visitor).name == "Guest Tom"


def test_guest_keeps_the_generated_name_if_the_chosen_name_is_taken(
    cast: Cast, visitor: Visitor
) -> None:
    invited_guest(cast.ada, "Tom")
    _, link = invite(cast.ada)
    visitor.begin()
    refused = accept_invitation(visitor, link, "tom")
    assert "Another guest has this name" in refused.content.decode()
    assert Seat.objects.filter(wizard=guest_in(visitor)).count() == 1


def test_nobody_else_can_see_a_private_duel_of_a_guest(
    cast: Cast, visitor: Visitor, committed: Committed
) -> None:
    """Others cannot act in the duel either. Promise 8: no one can act for someone else."""
    duel, link = invite(cast.ada, visibility="private")
    accept_invitation(visitor, link)
    stranger = Visitor(committed)
    stranger.begin()
    address = f"/duels/{duel.pk}/"
    for path in ("orders", "draw", "resign", "rematch", "claim"):
        assert stranger.post(address + path, {"turn": "1"}).status_code == 404, path
    assert stranger.get(address).status_code == 404
    assert stranger.get(link).url == address, "the invitation is taken"
    assert accept_invitation(stranger, link, "Bob").status_code == 409
    assert Seat.objects.filter(duel=duel).count() == 2
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "This field is required."),
        ("T", "Use 2 to 24 letters."),
        ("Goblin", "This name is reserved. Choose another one."),
        ("T<b>m", "only letters, digits, spaces, hyphens"),
        ("Tom the very long one", "at most 18 letters"),
        ("Eve", "Another guest has this name"),
        ("eve", "Another guest has this name"),
        ("Tom\0", "Null characters are not allowed."),
    ],
)
def test_invalid_guest_name_is_rejected(cast: Cast, visitor: Visitor, name: str, said: str) -> None:
    invited_guest(cast.bram, "Eve")
    duel, link = invite(cast.ada)
    answer = accept_invitation(visitor, link, name)
    page = answer.content.decode()
    assert answer.status_code in (400, 422)
    assert said in page
    field = re.search(r'<input[^>]* name="name"[^>]*>', page)
    assert field is not None
    assert "autofocus" in field[0], "the browser focuses it, even without a script"
    if name.isalpha():
        assert f'value="{name}"' in page, "the input is kept"
    assert guests.GUEST_COOKIE not in visitor.client.cookies
    assert Seat.objects.filter(duel=duel).count() == 1
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 1


def test_name_of_a_guest_can_end_with_the_name_of_a_player(cast: Cast, visitor: Visitor) -> None:
    _, link = invite(cast.ada)
    accept_invitation(visitor, link, "Bram")
    assert guest_in(visitor).name == "Guest Bram"
    assert make_wizard("Tom")
    assert profiles.available_name("Brama")


def test_guest_who_has_a_name_accepts_an_invitation_with_one_click(
    cast: Cast, visitor: Visitor
) -> None:
    accept_invitation(visitor, invite(cast.bram)[1])
    guest = guest_in(visitor)
    duel, link = invite(cast.ada)
    page = visitor.page(link)
    assert f"Accept as {guest.name}" in page
    assert "Your name" not in page
    path = f"/duels/{duel.pk}/accept"
    assert visitor.post(path, {"token": duel.token}).url == f"/duels/{duel.pk}/"
    assert visitor.post(path, {"token": duel.token}).url == f"/duels/{duel.pk}/", (
        "accepting twice is harmless"
    )
    assert Seat.objects.get(duel=duel, wizard=guest).accepted_at
    assert f"/duels/{duel.pk}/" in visitor.page("/")


def test_accepting_an_invitation_twice_creates_one_guest(cast: Cast, visitor: Visitor) -> None:
    duel, link = invite(cast.ada, size=3)
    accept_invitation(visitor, link)
    assert accept_invitation(visitor, link).url == f"/duels/{duel.pk}/"
    assert Seat.objects.filter(duel=duel).count() == 2
    page = visitor.page(f"/duels/{duel.pk}/")
    assert "1 free place" in page
    assert f"/duels/{duel.pk}/leave" in page
    assert visitor.post(f"/duels/{duel.pk}/leave").url == "/"
    assert Seat.objects.filter(duel=duel).count() == 1


def test_number_of_invited_guests_per_network_is_limited(
    cast: Cast, committed: Committed, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest": "1/h/ip"}
    _, link = invite(cast.ada, size=4)
    assert accept_invitation(Visitor(committed), link, "Tom").status_code == 302
    refused = accept_invitation(Visitor(committed), link, "Bob")
    assert refused.status_code == 429
    assert 'value="Bob"' in refused.content.decode()
    elsewhere = Visitor(committed, REMOTE_ADDR="198.51.100.7")
    assert accept_invitation(elsewhere, link, "Bob").status_code == 302


def test_number_of_duels_of_a_guest_is_limited(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duels.commands.duel_limits.MAX_DUELS_OF_GUEST", 1)
    _, guest = invited_guest(cast.ada)
    other, _ = invite(cast.bram, now=NOW)
    with pytest.raises(errors.Refused) as refused:
        challenges.accept(duel_id=other.pk, wizard=guest, now=NOW, token=other.token or "")
    assert refused.value.code == "too_many_duels"


def test_challenger_is_notified_and_sees_the_guest(cast: Cast, visitor: Visitor) -> None:
    duel, link = invite(cast.ada, size=3)
    accept_invitation(visitor, link)
    assert Notice.objects.filter(kind="accepted", wizard=cast.ada, duel=duel).exists()
    player = Client()
    assert cast.ada.user is not None
    player.force_login(cast.ada.user)
    page = player.get(f"/duels/{duel.pk}/").content.decode()
    assert "Guest Tom" in page
    assert "/wizards/guest-tom/" not in page


def test_accepting_an_invitation_without_a_csrf_token_is_rejected(
    cast: Cast, committed: Committed
) -> None:
    _, link = invite(cast.ada)
    visitor = Visitor(committed, enforce_csrf_checks=True)
    assert accept_invitation(visitor, link).status_code == 403
    assert visitor.get(f"{link}accept").url == link
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()


# Playing


def test_guest_can_use_draws_pauses_and_rematches(
    cast: Cast, visitor: Visitor, committed: Committed
) -> None:
    duel, link = invite(cast.ada, pace="3600", visibility="private")
    accept_invitation(visitor, link)
    guest, address = guest_in(visitor), f"/duels/{duel.pk}/"
    assert visitor.post(f"{address}pause", {"do": "ask"}).url == f"{address}#live-time"
    assert Seat.objects.get(duel=duel, wizard=guest).asks_pause
    assert visitor.post(f"{address}draw", {"do": "offer"}).url == f"{address}#live-ending"
    endings.offer_draw(duel_id=duel.pk, wizard=cast.ada, ordinal=None, now=NOW)
    duel.refresh_from_db()
    assert (duel.status, duel.ended) == (DuelStatus.OVER, DuelEnding.AGREED)
    assert "Keep this duel: sign up" in visitor.page(address)

    again = visitor.post(f"{address}rematch").url
    asked = Duel.objects.get(rematch_of=duel)
    assert again == f"/duels/{asked.pk}/"
    assert asked.challenger == guest
    assert "Withdraw" in visitor.page(again)
    assert challenges.request_rematch(duel_id=duel.pk, wizard=cast.ada, now=NOW) == asked
    asked.refresh_from_db()
    assert asked.status == DuelStatus.RUNNING

    endings.resign(duel_id=asked.pk, wizard=cast.ada, now=NOW)
    third = challenges.request_rematch(duel_id=asked.pk, wizard=cast.ada, now=timezone.now())
    assert f"/duels/{third.pk}/" in visitor.page("/")
    assert "Accept" in visitor.page(f"/duels/{third.pk}/")
    assert visitor.post(f"/duels/{third.pk}/accept").url == f"/duels/{third.pk}/"
    third.refresh_from_db()
    assert third.status == DuelStatus.RUNNING


def test_duels_with_guests_do_not_affect_markers(cast: Cast) -> None:
    """rules: R114. Players must not be able to gain rank by creating guests."""
    duel, guest = invited_guest(cast.ada, ruleset="wizards-1")
    assert engine.play.RULESETS["wizards-1"].markers
    surrendered = play(duel, {cast.ada: hands("-", "-"), guest: hands("P", "P")})
    assert surrendered.closed_at
    duel.refresh_from_db()
    assert duel.status == DuelStatus.OVER
    assert not Marker.objects.exists()
    assert cast.ada.user is not None
    player = Client()
    player.force_login(cast.ada.user)
    page = player.get(f"/duels/{duel.pk}/").content.decode()
    assert 'class="outcome"' in page
    assert 'class="moved' not in page


def test_report_about_a_guest_applies_to_their_account_after_sign_up(cast: Cast) -> None:
    duel, guest = invited_guest(cast.ada)
    play(duel, {cast.ada: hands("-", "-"), guest: hands("S", "-", say="a foul word")})
    code = Seat.objects.get(duel=duel, wizard=guest).code
    report_message_with_turn(
        duel=duel, ordinal=1, seat=code, wizard=cast.ada, words="That is foul.", now=NOW
    )
    claim_guest(guest=guest, wizard=cast.bram)
    assert Case.objects.get().about == cast.bram


# Keeping guests


def test_signing_up_keeps_a_guests_duel_with_a_player(cast: Cast, visitor: Visitor) -> None:
    duel, link = invite(cast.ada)
    address = accept_invitation(visitor, link).url
    guest = guest_in(visitor)
    visitor.seal(address, {"left": "S", "right": "-"})
    assert "The duels that Guest Tom has played" in visitor.page("/accounts/signup/")
    email = sign_up(visitor, "Morgana")
    if Wizard.objects.filter(pk=guest.pk).exists():
        sign_in(visitor, email)
    morgana = Wizard.objects.get(name="Morgana")
    assert not Wizard.objects.filter(pk=guest.pk).exists()
    assert set(Seat.objects.filter(duel=duel).values_list("wizard", flat=True)) == {
        cast.ada.pk,
        morgana.pk,
    }
    page = visitor.page(address)
    assert "Morgana" in page
    assert "Guest Tom" not in page
    assert "Guest Tom" not in str(list(Turn.objects.values("position", "events")))
    seal(duel, cast.ada, hands("-", "-"))
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    duel.refresh_from_db()
    assert verify(records.duel_record(duel)) == []


def test_sign_up_form_proposes_the_name_that_a_guest_has_chosen(
    cast: Cast, visitor: Visitor, committed: Committed
) -> None:
    """A generated name, such as Guest 4KTM, is not proposed."""
    accept_invitation(visitor, invite(cast.ada)[1], name="Tom")
    assert 'name="name" value="Tom"' in visitor.page("/accounts/signup/")
    unnamed = Visitor(committed)
    unnamed.begin()
    assert 'name="name" value=' not in unnamed.page("/accounts/signup/")


def test_guest_is_kept_if_the_user_who_signs_in_plays_against_them(
    cast: Cast, visitor: Visitor
) -> None:
    """Users who try their own invitation and then sign in must not lose the duel."""
    duel, link = invite(cast.ada)
    accept_invitation(visitor, link)
    guest = guest_in(visitor)
    sign_in(visitor, "ada@example.org")
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    assert Seat.objects.filter(duel=duel, wizard=guest).exists()
    assert visitor.client.cookies[guests.GUEST_COOKIE].value


# Deleting guests


def test_guest_is_kept_for_another_thirty_days_after_sealing(cast: Cast, visitor: Visitor) -> None:
    _, link = invite(cast.ada)
    address = accept_invitation(visitor, link).url
    Wizard.objects.filter(kind=WizardKind.GUEST).update(kept_until=NOW)
    visitor.seal(address, {"left": "S", "right": "-"})
    kept_until = guest_in(visitor).kept_until
    assert kept_until is not None
    assert kept_until > NOW + GUEST_LIFETIME - timedelta(days=1)


def test_deleted_guest_resigns_and_loses_their_name(cast: Cast) -> None:
    duel, guest = invited_guest(cast.ada)
    play(duel, {cast.ada: hands("-", "-"), guest: hands("S", "-")})
    gathering, _ = invite(cast.bram, size=3, now=NOW)
    challenges.accept(duel_id=gathering.pk, wizard=guest, now=NOW, token=gathering.token or "")
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME - timedelta(days=1)) == 0
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 1
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 0
    guest.refresh_from_db()
    assert (guest.name, guest.guest_key, guest.kept_until) == (f"Departed {guest.pk}", None, None)
    assert guest.is_closed
    duel.refresh_from_db()
    assert (duel.status, duel.ended) == (DuelStatus.OVER, DuelEnding.RESIGNED)
    assert Seat.objects.get(duel=duel, wizard=cast.ada).outcome == Outcome.WON
    assert not Seat.objects.filter(duel=gathering, wizard=guest).exists()
    assert "Guest Tom" not in str(list(Turn.objects.values("position", "events")))
    assert verify(records.duel_record(duel)) == []


def test_guest_is_not_deleted_while_deadlines_are_running(cast: Cast) -> None:
    """Promise 9: deadlines take effect automatically, after reminders and extensions."""
    duel, guest = invited_guest(cast.ada, pace=str(30 * 24 * 3600), excuses=1)
    assert delete_expired_guests(now=NOW + 2 * GUEST_LIFETIME) == 0
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=NOW)
    assert delete_expired_guests(now=NOW + 2 * GUEST_LIFETIME) == 1
    assert not Wizard.objects.filter(pk=guest.pk, kind=WizardKind.GUEST).exists()


def test_guest_is_warned_that_deleting_their_data_resigns_duels(
    cast: Cast, visitor: Visitor
) -> None:
    duel, link = invite(cast.ada)
    accept_invitation(visitor, link)
    assert "You resign from your running duels" in visitor.page("/forget-me")
    assert visitor.post("/forget-me").url == "/"
    duel.refresh_from_db()
    assert duel.ended == DuelEnding.RESIGNED
    assert "Guest Tom" not in visitor.page(f"/duels/{duel.pk}/")
