"""Guests: what they can do without an account, how long they are kept, and their deletion."""

import re
from datetime import timedelta
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

import engine.orders
from duels import errors
from duels.commands import challenges, endings, practising, sealing, sweeping
from duels.commands import guests as guest_commands
from duels.commands.guests import (
    GUEST_LIFETIME,
    claim_guest,
    create_guest,
    delete_expired_guests,
    delete_guest,
)
from duels.models import (
    Block,
    Draft,
    Duel,
    DuelStatus,
    Marker,
    Orders,
    Seat,
    Speech,
    Turn,
    User,
    Wizard,
    WizardKind,
)
from duels.post.models import Notice
from duels.proof import records
from duels.sealing import seeds
from duels.sign_in import guests
from engine.proof.verify import verify
from tests.cast import (
    NOW,
    PASSWORD,
    Cast,
    begin,
    challenge,
    hands,
    make_wizard,
    open_turn,
    seal,
)
from tests.duels import duel_rows
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def guest_in(visitor: Visitor) -> Wizard:
    """Return the guest who uses this browser."""
    token = guests.token_hash(visitor.client.cookies[guests.GUEST_COOKIE].value.rsplit(":", 2)[0])
    return Wizard.objects.get(guest_key=token)


def make_guest(token: str = "token", committed: Committed | None = None) -> tuple[Wizard, Duel]:
    guest = create_guest(key=guests.token_hash(token), now=NOW)
    return guest, practising.start_lesson(wizard=guest, lesson="first", now=NOW)


def sign_up(visitor: Visitor, name: str) -> str:
    """Sign up, confirm the address and return it."""
    address = f"{name.lower()}@example.test"
    typed = {"email": address, "password1": PASSWORD, "name": name, "pronouns": "she"}
    assert visitor.post("/accounts/signup/", typed).status_code == 302
    found = re.search(r"https?://[^/\s]+(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))
    assert found is not None
    assert visitor.post(found[1]).status_code == 302
    return address


def sign_in(visitor: Visitor, address: str) -> Any:
    return visitor.post("/accounts/login/", {"login": address, "password": PASSWORD})


# Becoming a guest


def test_visitor_becomes_a_guest_with_one_click(visitor: Visitor) -> None:
    address = visitor.begin()
    cookie = visitor.client.cookies[guests.GUEST_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == GUEST_LIFETIME.total_seconds()
    guest = guest_in(visitor)
    assert cookie.value.split(":")[0] not in str(Wizard.objects.values())
    assert guest.kind == WizardKind.GUEST
    assert re.fullmatch(r"Guest [A-Z2-9]{5}", guest.name)
    assert guest.user is None
    assert not User.objects.exists()
    assert "Old Quill" in visitor.page(address)


def test_visitor_who_clicks_again_continues_the_same_duel(visitor: Visitor) -> None:
    assert visitor.begin() == visitor.begin()
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 1
    assert Duel.objects.count() == 1


def test_get_request_neither_creates_nor_deletes_a_guest(visitor: Visitor) -> None:
    for path in ("/play", "/forget-me"):
        answer = visitor.get(path)
        assert (answer.status_code, answer.url) == (302, "/")
    assert not Wizard.objects.exists()


def test_play_request_without_a_csrf_token_is_rejected(committed: Committed) -> None:
    visitor = Visitor(committed, enforce_csrf_checks=True)
    assert visitor.post("/play").status_code == 403
    assert not Wizard.objects.exists()


def test_player_who_is_signed_in_plays_the_guided_duel_without_becoming_a_guest(
    ada: Wizard, visitor: Visitor
) -> None:
    assert ada.user is not None
    visitor.client.force_login(ada.user)
    visitor.begin()
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()
    assert Seat.objects.filter(wizard=ada).exists()
    assert guests.GUEST_COOKIE not in visitor.client.cookies


def test_visitors_without_a_valid_guest_cookie_cause_no_queries(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        client.get("/about/")
        client.get("/accounts/signup/")
    client.cookies[guests.GUEST_COOKIE] = "forged:signature"
    with django_assert_num_queries(0):
        client.get("/about/")
        client.get("/accounts/signup/")


def test_forged_or_expired_guest_cookie_is_ignored(visitor: Visitor, committed: Committed) -> None:
    address = visitor.begin()
    stranger = Visitor(committed)
    stranger.client.cookies[guests.GUEST_COOKIE] = (
        visitor.client.cookies[guests.GUEST_COOKIE].value + "x"
    )
    assert stranger.get(address).status_code == 404
    delete_guest(guest=guest_in(visitor), now=NOW)
    assert visitor.get(address).status_code == 404
    assert visitor.get("/").status_code == 200
    assert visitor.begin() != address


def test_forty_visitors_at_one_ip_address_can_play(db: None, committed: Committed) -> None:
    answers = [Visitor(committed).post("/play").status_code for _ in range(40)]
    assert answers == [302] * 40


def test_number_of_guests_per_ip_address_is_limited(
    db: None, committed: Committed, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest": "2/h/ip"}
    answers = [Visitor(committed).post("/play").status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    for path, typed in (("/play", {}), ("/somebody", {}), ("/practice/", {"ruleset": "bartle-1"})):
        refused = Visitor(committed).post(path, typed)
        assert refused.status_code == 429
        assert "Too many guests have started from your network" in refused.content.decode()
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 2
    elsewhere = Visitor(committed, REMOTE_ADDR="198.51.100.7")
    assert elsewhere.post("/play").status_code == 302


def test_number_of_guests_per_browser_is_limited(visitor: Visitor, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest_browser": "2/h/key"}
    visitor.get("/invite")  # this form sets the cookie that identifies the browser
    for _ in range(2):
        visitor.begin()
        visitor.post("/forget-me")
    refused = visitor.post("/play")
    assert refused.status_code == 429
    assert "Too many guests have started from this browser" in refused.content.decode()
    del visitor.client.cookies["csrftoken"]
    visitor.begin()


def test_number_of_practice_duels_per_hour_is_limited(visitor: Visitor, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"practice": "1/h/ip"}
    visitor.begin()
    codes = [visitor.post("/practice/", {"ruleset": "bartle-1"}).status_code for _ in range(2)]
    assert codes == [302, 429]


def test_guest_cookie_is_marked_as_secure_with_https(visitor: Visitor, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    visitor.begin()
    assert visitor.client.cookies[guests.GUEST_COOKIE]["secure"]


# What guests cannot do


def test_another_browser_cannot_act_for_a_guest(visitor: Visitor, committed: Committed) -> None:
    """Promise 8: no one can act for someone else."""
    address = visitor.begin()
    other = Visitor(committed)
    other.begin()
    before = Orders.objects.count()
    for path in ("", "orders", "sheet", "resign", "draft"):
        fields = {"turn": "1", "form_seal": "", "left": "S", "right": "D", "sure": "yes"}
        post = other.post(f"{address}{path}", fields) if path else other.get(address)
        assert post.status_code == 404, path
    assert Orders.objects.count() == before
    assert Duel.objects.filter(status=DuelStatus.RUNNING).count() == 2


def test_request_with_an_invalid_host_is_rejected(visitor: Visitor) -> None:
    """It is rejected before the site looks for a guest, with a page that does not mention one."""
    visitor.begin()
    for client in (Client(), visitor.client):
        for method in (client.get, client.post):
            assert method("/", HTTP_HOST="'\"").status_code == 400


def test_guest_cannot_challenge_or_accept_open_challenges(cast: Cast, visitor: Visitor) -> None:
    visitor.begin()
    open_one = challenge(cast.ada, now=timezone.now())
    invited = challenge(cast.ada, invitation=True, now=timezone.now())
    running = begin(cast.ada, cast.bram)
    for path in (f"/duels/{running.pk}/mail", "/settings/"):
        answer = visitor.post(path)
        assert answer.status_code == 302, path
        assert answer.url.startswith("/accounts/login/"), path
    typed = {"to": "open", "ruleset": "bartle-1", "size": "2"}
    refused = visitor.post("/challenge/new", typed)
    path, _, kept = refused.url.partition("?")
    assert path == "/challenge/new"
    assert dict(parse_qsl(kept)) == typed
    for path, fields in (
        (f"/duels/{open_one.pk}/accept", {}),
        (f"/duels/{open_one.pk}/accept", {"token": "guessed"}),
        (f"/duels/{running.pk}/draw", {"do": "offer"}),
        (f"/duels/{running.pk}/say", {"words": "Well met."}),
    ):
        assert visitor.post(path, fields).status_code == 403, path
    for token in ("", "guessed"):
        path = f"/duels/{invited.pk}/accept"
        assert visitor.post(path, {"token": token}).status_code == 404
    assert visitor.post("/c/guessed/accept", {"name": "Tom"}).status_code == 404
    assert "Accept" not in visitor.page(f"/duels/{open_one.pk}/")
    assert Seat.objects.filter(duel__in=[open_one, invited, running]).count() == 4
    assert not Block.objects.exists()
    assert visitor.post(
        f"/duels/{running.pk}/orders", {"turn": "1", "left": "S", "right": "D"}
    ).status_code in (403, 409)
    assert not Orders.objects.filter(turn__duel=running).exists()


def test_guests_cannot_be_found_or_challenged(cast: Cast, visitor: Visitor) -> None:
    visitor.begin()
    guest = guest_in(visitor)
    player = Client()
    assert cast.ada.user is not None
    player.force_login(cast.ada.user)
    assert player.get(f"/wizards/{guest.slug}/").status_code == 404
    assert visitor.get(f"/wizards/{guest.slug}/").status_code == 404
    typed = {
        "to": "named",
        "opponent": guest.name,
        "ruleset": "bartle-1",
        "size": "2",
        "pace": "none",
        "visibility": "public",
    }
    answer = player.post("/challenge/new", typed)
    assert "There is no wizard with this name. Check the spelling." in answer.content.decode()
    for by, opponent in ((cast.ada, guest), (guest, cast.ada)):
        with pytest.raises(errors.Refused) as refused:
            challenge(by, opponent)
        assert refused.value.code in ("opponent_not_player", "players_only")
    with pytest.raises(errors.Refused) as refused:
        challenges.accept(duel_id=challenge(cast.bram).pk, wizard=guest, now=NOW)
    assert refused.value.code == "players_only"
    assert guest.name not in player.get("/").content.decode()
    assert guest.name not in Client().get("/").content.decode()


def test_guest_can_practise_under_any_ruleset(visitor: Visitor) -> None:
    for ruleset in ("bartle-1", "spellcast-1", "wizards-1", "archmage-1"):
        answer = visitor.post("/practice/", {"ruleset": ruleset, "strict": "on"})
        assert "Old Quill" in visitor.page(answer.url)
    found = set(Duel.objects.values_list("ruleset", flat=True))
    assert found == {"bartle-1", "spellcast-1", "wizards-1", "archmage-1"}
    wrong = visitor.post("/practice/", {"ruleset": "chess-1"})
    assert wrong.status_code == 400
    assert "Guest" in visitor.page("/")


# Keeping guests


def test_duels_of_a_guest_are_kept_when_they_sign_up(
    visitor: Visitor, committed: Committed
) -> None:
    address = visitor.begin()
    visitor.follow(address)
    guest = guest_in(visitor)
    other = Visitor(committed)
    others = other.begin()

    email = sign_up(visitor, "Morgana")
    if "login" in visitor.get("/settings/").get("Location", ""):
        assert visitor.get(address).status_code == 200, "still the guest's until they sign in"
        sign_in(visitor, email)
    morgana = Wizard.objects.get(name="Morgana")
    assert not Wizard.objects.filter(pk=guest.pk).exists()
    page = visitor.page(address)
    assert "Morgana" in page
    assert guest.name not in page
    assert guest.name not in str(list(Turn.objects.values("position", "events")))
    assert visitor.client.cookies[guests.GUEST_COOKIE].value == ""
    assert [row.duel.pk for row in duel_rows.duels_awaiting(morgana, NOW)] == [duel_id_of(address)]
    visitor.follow(address)
    assert other.get(others).status_code == 200
    assert other.get(address).status_code == 404

    again = visitor.begin()
    assert again == address, "the duel continues with the same guide"


def duel_id_of(address: str) -> int:
    return int(address.strip("/").rpartition("/")[2])


def test_signing_in_keeps_the_duels_of_each_new_guest_in_the_browser(
    ada: Wizard, visitor: Visitor, committed: Committed
) -> None:
    kept = set()
    for _ in range(2):
        address = visitor.begin()
        kept.add(duel_id_of(address))
        assert sign_in(visitor, "ada@example.org").status_code == 302
        assert "Ada" in visitor.page(address)
        endings.resign(duel_id=duel_id_of(address), wizard=ada, now=NOW)
        visitor.post("/accounts/logout/")
    assert len(kept) == 2
    assert set(Seat.objects.filter(wizard=ada).values_list("duel_id", flat=True)) == kept
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()
    # After signing out, the browser no longer has a guest, because the account owns the duels.
    assert visitor.get(f"/duels/{min(kept)}/").status_code == 404


def test_moving_a_guests_duels_to_an_account_twice_has_no_further_effect(ada: Wizard) -> None:
    guest, duel = make_guest()
    assert claim_guest(guest=guest, wizard=ada) == 1
    assert claim_guest(guest=guest, wizard=ada) == 0
    assert Seat.objects.filter(duel=duel, wizard=ada).count() == 1
    duel.refresh_from_db()
    assert duel.challenger == ada


def test_duels_of_players_or_the_practice_opponent_cannot_be_moved_to_an_account(
    cast: Cast,
) -> None:
    make_guest()
    practice_opponent = practising.practice_wizard(NOW)
    assert claim_guest(guest=cast.bram, wizard=cast.ada) == 0
    assert claim_guest(guest=practice_opponent, wizard=cast.ada) == 0
    guest = Wizard.objects.get(kind=WizardKind.GUEST)
    with pytest.raises(errors.Refused):
        claim_guest(guest=cast.ada, wizard=guest)
    assert Wizard.objects.count() == 6


def test_duels_of_a_guest_are_kept_when_the_user_names_a_wizard_after_signing_up(
    visitor: Visitor, committed: Committed
) -> None:
    """If the guest's name has been taken, the user must name a wizard after signing in."""
    user = make_wizard("Elsewhere").user
    assert user is not None
    Wizard.objects.filter(user=user).update(user=None, closed_at=NOW)
    address = visitor.begin()
    sign_in(visitor, "elsewhere@example.org")
    assert visitor.post("/settings/", {"name": "Morgana", "pronouns": "she"}).url == "/"
    assert "Morgana" in visitor.page(address)


def test_record_of_a_duel_kept_after_signup_verifies_under_the_new_name(
    ada: Wizard, committed: Committed
) -> None:
    """Dice drawn for the guest must still follow from the seed under the new name."""
    guest = create_guest(key=guests.token_hash("token"), now=NOW)
    idle = engine.orders.from_fields(hands("-", "-"))
    with mock.patch("duels.practice.play.choose_orders", return_value=idle):
        with committed():
            duel = practising.start_practice(wizard=guest, ruleset="bartle-1", now=NOW)
        myself = Seat.objects.get(duel=duel, wizard=guest).code
        # the guest is confused, so that dice are drawn for their hands
        for more in ({}, {}, {"left_subject": myself}, {}):
            with committed():
                seal(duel, guest, hands("DSF-"[open_turn(duel).ordinal - 1], "-", **more))
    assert "'drew'" in str(list(Turn.objects.filter(duel=duel).values("events")))
    claim_guest(guest=guest, wizard=ada)
    endings.resign(duel_id=duel.pk, wizard=ada, now=NOW)
    duel.refresh_from_db()
    record = records.duel_record(duel)
    assert {wizard["name"] for wizard in record["wizards"]} == {"Ada", "Old Quill"}
    assert record["dice"] == {"kind": "hmac", "seeds": seeds.seeds_of(duel)}
    assert verify(record) == []


# Deleting guests


def test_guests_are_deleted_after_thirty_days(cast: Cast, committed: Committed) -> None:
    guest = create_guest(key=guests.token_hash("token"), now=NOW)
    with committed():
        duel = practising.start_lesson(wizard=guest, lesson="first", now=NOW)
    seal(duel, guest, hands("-", "S"))
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=guest, fields={"left": "W"}, now=NOW)
    real = begin(cast.ada, cast.bram)
    assert sweeping.sweep(now=NOW + GUEST_LIFETIME - DAY).forgotten == 0
    assert Wizard.objects.filter(pk=guest.pk).exists()
    assert sweeping.sweep(now=NOW + GUEST_LIFETIME).forgotten == 1
    assert sweeping.sweep(now=NOW + GUEST_LIFETIME).forgotten == 0
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()
    assert list(Duel.objects.all()) == [real]
    for model in (Turn, Orders, Draft, Seat, Speech, Marker):
        assert not model.objects.filter(**{duel_lookup(model): duel.pk}).exists()
    assert not Notice.objects.filter(duel_id=duel.pk).exists()
    assert Wizard.objects.filter(kind=WizardKind.PRACTICE).exists()


def duel_lookup(model: type[Any]) -> str:
    return "turn__duel" if model in (Orders, Draft) else "duel"


def test_guest_is_kept_for_another_thirty_days_after_a_new_duel(db: None) -> None:
    guest, _ = make_guest()
    practising.start_practice(wizard=guest, ruleset="bartle-1", now=NOW + 20 * DAY)
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 0
    assert delete_expired_guests(now=NOW + 20 * DAY + GUEST_LIFETIME) == 1


def test_guests_are_deleted_in_batches(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duels.commands.guests.DELETION_BATCH", 2)
    for number in range(3):
        make_guest(str(number))
    late = NOW + GUEST_LIFETIME
    assert [delete_expired_guests(now=late) for _ in range(3)] == [2, 1, 0]


def test_guests_are_deleted_even_if_deleting_one_of_them_fails(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (bad, _), _ = make_guest("1"), make_guest("2")
    delete = guest_commands._delete_guest_rows

    def fail_for_first(guest: Wizard) -> None:
        delete(guest)
        if guest.name == bad.name:
            raise RuntimeError

    monkeypatch.setattr(guest_commands, "_delete_guest_rows", fail_for_first)
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 1
    assert list(Wizard.objects.filter(kind=WizardKind.GUEST)) == [bad]
    assert f"Failed to delete guest {bad.pk}: RuntimeError" in caplog.text
    monkeypatch.undo()
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 1


def test_guest_can_delete_their_own_data(visitor: Visitor, committed: Committed) -> None:
    address = visitor.begin()
    other = Visitor(committed)
    others = other.begin()
    assert "delete your data now" in visitor.page("/")
    assert "Your practice duels, your email address" in visitor.page("/forget-me")
    assert visitor.get(address).status_code == 200
    assert visitor.post("/forget-me").url == "/"
    assert visitor.get(address).status_code == 404
    assert "delete your data now" not in visitor.page("/")
    assert visitor.get("/forget-me").url == "/"
    assert visitor.post("/forget-me").status_code == 302
    assert other.get(others).status_code == 200
    assert Duel.objects.count() == 1


def test_front_page_links_to_a_guests_first_duel(visitor: Visitor) -> None:
    address = visitor.begin()
    page = visitor.page("/")
    assert f'href="{address}"' in page
    assert f"{timezone.now() + GUEST_LIFETIME:%B %Y}" in page
    assert "Continue your first duel" in page
    endings.resign(duel_id=duel_id_of(address), wizard=guest_in(visitor), now=NOW)
    page = visitor.page("/")
    assert "Play the first duel again" in page
    assert f'href="{address}"' in page
    assert "Play your first duel" in Client().get("/").content.decode()
