"""Invitations of a friend by link, from players, guests and new visitors."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from duels import errors
from duels.commands import challenges, endings, practising, sweeping
from duels.commands.challenges import CHALLENGE_LIFETIME
from duels.commands.guests import (
    GUEST_LIFETIME,
    delete_expired_guests,
    delete_guest,
    invite_as_guest,
)
from duels.models import Duel, DuelEnding, DuelStatus, Seat, Visibility, Wizard, WizardKind
from duels.post.models import Notice
from duels.sign_in import guests
from tests.cast import NOW, PASSWORD, Cast, make_user
from tests.duels.post.test_guest_addresses import (
    GUEST_ADDRESS,
    confirmation_link,
    request_confirmation,
)
from tests.duels.test_back_to_invitations import confirm_address, sign_up
from tests.duels.test_guests import guest_in, sign_in
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db
TERMS: dict[str, Any] = {"ruleset": "bartle-1", "pace": "259200"}


def create_invitation(visitor: Visitor, **typed: str) -> tuple[Duel, str]:
    """Create an invitation, and return its duel and the link that the page shows."""
    answer = visitor.post("/invite", TERMS | typed)
    assert answer.status_code == 302, answer.content.decode()
    found = re.search(r'value="https?://[^/"]+(/c/[^"]+/)"', visitor.page(answer.url))
    assert found is not None
    return Duel.objects.get(pk=int(answer.url.strip("/").rpartition("/")[2])), found[1]


def page_without_header(page: str) -> str:
    """Return a page without the menus in its header."""
    return page.partition("<main")[2]


def invited_by_guest(name: str = "Ida") -> Duel:
    return invite_as_guest(name=name, key=guests.token_hash(name), now=NOW, **TERMS)


def test_two_visitors_can_play_after_entering_a_name(
    db: None, visitor: Visitor, committed: Committed
):
    assert 'href="/invite"' in page_without_header(visitor.page("/"))
    assert "Neither of you needs an account." in visitor.page("/invite")
    duel, link = create_invitation(visitor, name="Ida")
    ida = guest_in(visitor)
    assert (duel.challenger, duel.visibility, duel.size) == (ida, Visibility.PRIVATE, 2)
    assert (ida.kind, ida.name) == (WizardKind.GUEST, "Guest Ida")
    friend = Visitor(committed)
    assert "Guest Ida invites you to a duel" in friend.page(link)
    address = friend.post(f"{link}accept", {"name": "Tom"}).url
    duel.refresh_from_db()
    assert duel.status == DuelStatus.RUNNING
    for each in (visitor, friend):
        assert 'id="orders"' in each.page(address)
        each.seal(address, {"left": "S", "right": "-"})
    assert "Turn 2" in visitor.page(address)


def test_duel_of_a_guest_is_hidden_from_other_users(visitor: Visitor, committed: Committed):
    duel, link = create_invitation(visitor, name="Ida")
    stranger = Visitor(committed)
    assert stranger.get(f"/duels/{duel.pk}/").status_code == 404
    for path in ("/", "/duels/?show=open", "/duels/?show=watch"):
        assert "Guest Ida" not in stranger.page(path)
    stranger.post(f"{link}accept", {"name": "Tom"})
    third = Visitor(committed)
    assert third.get(f"/duels/{duel.pk}/").status_code == 404
    assert "Guest" not in third.page("/duels/?show=watch")


def test_guest_with_a_generated_name_is_asked_for_a_name(visitor: Visitor):
    """The chosen name replaces the generated one, even in practice duels already played."""
    practice = visitor.begin()
    made_up = guest_in(visitor)
    page = visitor.page("/invite")
    assert 'name="name"' in page
    assert f"It replaces {made_up.name} in all your duels." in page
    assert "You play as" not in page
    unnamed = visitor.post("/invite", TERMS)
    assert unnamed.status_code == 400
    assert "This field is required." in unnamed.content.decode()
    duel, _ = create_invitation(visitor, name="Ida")
    guest = guest_in(visitor)
    assert (duel.challenger, guest.pk, guest.name) == (guest, made_up.pk, "Guest Ida")
    assert made_up.name not in visitor.page(practice)
    assert Wizard.objects.filter(kind=WizardKind.GUEST).count() == 1


def test_guest_who_already_has_a_name_is_not_asked_for_one(visitor: Visitor):
    create_invitation(visitor, name="Ida")
    page = visitor.page("/invite")
    assert "You play as <strong>Guest Ida</strong>" in page
    assert 'name="name"' not in page
    duel, _ = create_invitation(visitor, name="Eve")
    assert duel.challenger.name == "Guest Ida"
    assert 'href="/guest/mail"' in visitor.page(f"/duels/{duel.pk}/")
    front = visitor.page("/")
    card = front[front.index('id="guests-duels"') :]
    assert f"/duels/{duel.pk}/" in card
    assert 'href="/invite"' in card[: card.index("</section>")]


def test_menu_and_pages_without_a_next_step_link_to_the_invitation_form(visitor: Visitor):
    """Such pages are a finished practice duel and an empty list of the guest's own duels."""
    practice = visitor.post("/practice/", {"ruleset": "bartle-1"}).url
    menu = visitor.page("/about/").partition('id="site-menu"')[2].partition("</div>")[0]
    endings.resign(
        duel_id=int(practice.split("/")[2]), wizard=guest_in(visitor), now=timezone.now()
    )
    outcome = visitor.page(practice).partition('id="outcome"')[2].partition("duel-bar")[0]
    empty = page_without_header(visitor.page("/duels/?show=waiting")).partition("</section>")[0]
    for part in (menu, outcome, empty):
        assert re.search(r'href="/invite">\s*Play with a friend\s*</a>', part)
    finished = page_without_header(visitor.page("/duels/?show=finished"))
    assert 'href="/invite"' not in finished


def test_player_can_create_an_invitation(ada: Wizard, visitor: Visitor):
    sign_in(visitor, "ada@example.org")
    assert 'href="/invite"' in page_without_header(visitor.page("/"))
    page = visitor.page("/invite")
    assert "Your friend does not need an account." in page
    assert "Neither of you" not in page
    assert "You play as <strong>Ada</strong>" in page
    duel, link = create_invitation(visitor, ruleset="wizards-1", pace="none")
    assert (duel.challenger, duel.ruleset, duel.pace) == (ada, "wizards-1", "none")
    assert duel.visibility == Visibility.PRIVATE
    assert link == f"/c/{duel.token}/"
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()


def test_user_without_a_wizard_must_name_one_before_inviting(visitor: Visitor, db: None):
    make_user("nameless@example.org")
    sign_in(visitor, "nameless@example.org")
    assert visitor.get("/invite").url == "/settings/?next=%2Finvite"
    assert visitor.get("/challenge/new").url == "/settings/?next=%2Fchallenge%2Fnew"
    assert not Duel.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        ({}, "name", "This field is required."),
        ({"name": "Goblin"}, "name", "This name is reserved. Choose another one."),
        ({"name": "Eve"}, "name", "Another guest has this name"),
        ({"name": "Ida", "ruleset": "chess-1"}, "ruleset", "chess-1 is not one of the available"),
        ({"name": "Ida", "pace": "1"}, "pace", "1 is not one of the available choices"),
    ],
)
def test_invitation_form_shows_errors_next_to_their_fields(
    visitor: Visitor, db: None, typed: dict[str, str], field: str, said: str
):
    invited_by_guest("Eve")
    answer = visitor.post("/invite", TERMS | typed)
    page = answer.content.decode()
    assert answer.status_code in (400, 422)
    (part,) = re.findall(rf'<div class="field faulty" data-field="{field}">.*', page, re.S)
    assert said in page
    assert "autofocus" in part
    if typed.get("name"):
        assert f'value="{typed["name"]}"' in page
    if field != "name":
        assert '<details class="more-settings" open>' in page
    assert Duel.objects.count() == 1
    assert guests.GUEST_COOKIE not in visitor.client.cookies


def test_guests_can_only_challenge_by_invitation_link(cast: Cast):
    guest = invited_by_guest().challenger
    with pytest.raises(errors.Refused) as refused:
        challenges.create_challenge(
            challenger=guest,
            ruleset="bartle-1",
            size=2,
            pace="none",
            visibility=Visibility.PRIVATE,
            words="",
            opponent=cast.ada,
            invitation=True,
            now=NOW,
        )
    assert refused.value.code == "players_only"
    practice_opponent = practising.practice_wizard(NOW)
    with pytest.raises(errors.Refused) as refused:
        challenges.invite_friend(challenger=practice_opponent, now=NOW, **TERMS)
    assert refused.value.code == "players_only"


def test_number_of_open_invitations_of_a_guest_is_limited(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("duels.commands.duel_limits.MAX_DUELS_OF_GUEST", 1)
    create_invitation(visitor, name="Ida")
    answer = visitor.post("/invite", TERMS)
    assert answer.status_code == 429
    assert "1 duels and challenges" in answer.content.decode()


def test_guest_sees_unfinished_duels_first_on_the_front_page(visitor: Visitor):
    def section_order() -> list[str]:
        return re.findall(r'<section [^>]*(guests-title|welcome-title)"', visitor.page("/"))

    create_invitation(visitor, name="Ida")
    assert section_order() == ["guests-title", "welcome-title"]
    duel = Duel.objects.get()
    challenges.withdraw(duel_id=duel.pk, wizard=duel.challenger, now=NOW)
    visitor.begin()
    assert section_order() == ["guests-title", "welcome-title"]
    endings.resign(duel_id=Duel.objects.latest("pk").pk, wizard=guest_in(visitor), now=NOW)
    assert section_order() == ["welcome-title", "guests-title"]


def test_number_of_inviting_guests_per_network_is_limited(committed: Committed, settings: Any):
    settings.ACCOUNT_RATE_LIMITS = {"guest": "1/h/ip"}
    assert Visitor(committed).post("/invite", TERMS | {"name": "Ida"}).status_code == 302
    refused = Visitor(committed).post("/invite", TERMS | {"name": "Eve"})
    assert refused.status_code == 429
    assert 'value="Eve"' in refused.content.decode()


def test_invitation_form_is_rejected_without_a_csrf_token(committed: Committed):
    visitor = Visitor(committed, enforce_csrf_checks=True)
    assert visitor.post("/invite", TERMS | {"name": "Ida"}).status_code == 403
    assert visitor.get("/invite").status_code == 200
    assert not Wizard.objects.exists()


def test_guest_cannot_accept_their_own_invitation(visitor: Visitor):
    duel, link = create_invitation(visitor, name="Ida")
    page = visitor.page(link)
    assert "Your challenge" in page
    assert "you cannot accept your own invitation" in page
    assert "Accept" not in page
    for path, typed in ((f"{link}accept", {}), (f"/duels/{duel.pk}/accept", {"token": duel.token})):
        assert visitor.post(path, typed).url == f"/duels/{duel.pk}/"
    duel.refresh_from_db()
    assert duel.status == DuelStatus.GATHERING
    assert Seat.objects.filter(duel=duel).count() == 1


def test_guest_can_withdraw_an_invitation(visitor: Visitor, committed: Committed):
    duel, link = create_invitation(visitor, name="Ida")
    assert visitor.post(f"/duels/{duel.pk}/withdraw").url == "/"
    duel.refresh_from_db()
    assert (duel.status, duel.ended) == (DuelStatus.LAPSED, DuelEnding.WITHDRAWN)
    assert "no longer open" in Visitor(committed).page(link)


def test_invitation_of_an_expired_guest_is_deleted(cast: Cast):
    duel = invited_by_guest()
    assert sweeping.sweep(now=NOW + CHALLENGE_LIFETIME).expired == 1
    assert delete_expired_guests(now=NOW + GUEST_LIFETIME) == 1
    assert not Wizard.objects.filter(pk=duel.challenger_id).exists()
    assert not Duel.objects.filter(pk=duel.pk).exists()


def test_deleting_a_guest_deletes_open_invitations(cast: Cast):
    duel = invited_by_guest()
    assert delete_guest(guest=duel.challenger, now=NOW)
    assert not Duel.objects.exists()
    assert not Wizard.objects.filter(kind=WizardKind.GUEST).exists()


def test_duel_of_a_deleted_guest_is_kept_without_their_name(cast: Cast):
    duel = invited_by_guest()
    challenges.accept(duel_id=duel.pk, wizard=cast.ada, now=NOW, token=duel.token or "")
    assert delete_guest(guest=duel.challenger, now=NOW + timedelta(days=1))
    duel.refresh_from_db()
    assert (duel.status, duel.ended) == (DuelStatus.OVER, DuelEnding.RESIGNED)
    assert duel.challenger.name == f"Departed {duel.challenger_id}"


def test_invitation_of_a_guest_is_kept_after_signing_up(visitor: Visitor):
    duel, _ = create_invitation(visitor, name="Ida")
    sign_up(visitor, f"/duels/{duel.pk}/")
    assert confirm_address(visitor).url == f"/duels/{duel.pk}/"
    duel.refresh_from_db()
    assert duel.challenger.name == "Morgana"
    assert duel.challenger.kind == WizardKind.PLAYER
    assert "Withdraw" in visitor.page(f"/duels/{duel.pk}/")


def test_guest_gets_an_email_when_the_invited_friend_accepts(
    visitor: Visitor, committed: Committed
):
    duel, link = create_invitation(visitor, name="Ida")
    request_confirmation(visitor)
    assert Visitor(committed).post(confirmation_link()).status_code == 200
    mail.outbox.clear()
    Visitor(committed).post(f"{link}accept", {"name": "Tom"})
    assert Notice.objects.filter(wizard=guest_in(visitor), kind="started").exists()
    (letter,) = mail.outbox
    assert letter.to == [GUEST_ADDRESS]
    assert "Guest Tom" in letter.subject
    assert f"/duels/{duel.pk}/" in str(letter.body)


# Challenges that need an account


def test_challenge_form_explains_why_it_needs_an_account(visitor: Visitor):
    page = visitor.page("/challenge/new")
    assert "you need an account" in page
    assert 'href="/invite"' in page_without_header(page)
    assert 'href="/accounts/signup/?next=/challenge/new"' in page


def test_choices_in_the_challenge_form_are_kept_while_signing_up(cast: Cast, visitor: Visitor):
    typed = {"to": "named", "opponent": "Bram", "ruleset": "wizards-1", "pace": "daily"}
    typed |= {"pace_hour": "21:30", "words": "At dawn & not before", "size": "3", "strict": "on"}
    typed |= {"pace_zone": "Europe/Berlin", "visibility": "private"}
    answer = visitor.post("/challenge/new", typed)
    assert (answer.status_code, Duel.objects.count()) == (302, 0)
    found = re.search(r'href="/accounts/signup/\?next=([^"]+)"', visitor.page(answer.url))
    assert found is not None
    signs_up = visitor.page(f"/accounts/signup/?next={found[1]}")
    hidden = re.search(r'name="next" value="([^"]+)"', signs_up)
    assert hidden is not None
    came_from = hidden[1].replace("&amp;", "&")
    sign_up(visitor, came_from)
    assert confirm_address(visitor).url == came_from
    form = visitor.get(came_from).context["form"]
    assert {name: form[name].value() for name in typed} == typed
    assert form.is_more_open
    assert visitor.post("/challenge/new", typed).status_code == 302
    assert Duel.objects.get().challenger.name == "Morgana"


def test_challenge_link_of_a_wizard_fills_in_the_opponent(cast: Cast, visitor: Visitor):
    page = visitor.page("/challenge/new?opponent=Bram&nonsense=7&to=")
    assert "to%3Dnamed" in page
    assert "nonsense" not in page
    typed = {"login": "ada@example.org", "password": PASSWORD}
    assert visitor.post("/accounts/login/", typed).status_code == 302
    form = visitor.get("/challenge/new?opponent=Bram").context["form"]
    assert (form["to"].value(), form["opponent"].value()) == ("named", "Bram")
    assert not mail.outbox


# Pages with links to a guest's duels


def test_guest_has_the_same_duel_lists_as_a_player(visitor: Visitor, committed: Committed):
    duel, link = create_invitation(visitor, name="Ida")
    assert f'data-duel="{duel.pk}"' in visitor.page("/duels/?show=challenges")
    friend = Visitor(committed)
    address = friend.post(f"{link}accept", {"name": "Tom"}).url
    assert f'data-duel="{duel.pk}"' in visitor.page("/duels/")
    assert f'data-duel="{duel.pk}"' not in visitor.page("/duels/?show=running")
    visitor.seal(address, {"left": "S", "right": "-"})
    assert f'data-duel="{duel.pk}"' not in visitor.page("/duels/?show=waiting")
    assert f'data-duel="{duel.pk}"' in visitor.page("/duels/?show=running")
    assert friend.get("/duels/?show=running").status_code == 200
    nobody = Visitor(committed)
    assert nobody.get("/duels/?show=waiting").status_code == 404


def test_every_page_links_to_the_guests_next_duel(visitor: Visitor, committed: Committed):
    addresses = []
    for name in ("Ida", ""):
        _, link = create_invitation(visitor, **({"name": name} if name else {}))
        addresses.append(Visitor(committed).post(f"{link}accept", {"name": f"Tom{name}"}).url)
    first, second = addresses
    accepted = r"<span[^>]*>Guest [^<]+ has accepted your challenge</span>"
    next_to = rf'<a class="next-duel" href="([^"]+)">{accepted}.* \((\d)\)</a>'
    assert re.findall(next_to, visitor.page("/about/")) == [(second, "2")]
    assert re.findall(next_to, visitor.page(second)) == [(first, "1")]
    assert 'data-waiting="/waiting"' in visitor.page("/about/")
    assert visitor.get("/waiting").json()["waiting"] == 2
    assert not re.findall(next_to, Visitor(committed).page("/about/"))


def test_pages_of_a_guest_link_to_their_duels_and_the_primer(
    visitor: Visitor, committed: Committed
):
    """The header also names the guest, even on phones."""
    _, link = create_invitation(visitor, name="Ida")
    friend = Visitor(committed)
    address = friend.post(f"{link}accept", {"name": "Tom"}).url
    for page in (visitor.page(address), friend.page(address)):
        head = page.partition('<nav class="site-nav"')[2].partition("</nav>")[0]
        assert '<a href="/duels/">Duels</a>' in head
        assert re.search('<a class="own-name" href="/#guests-duels">Guest (Ida|Tom)<', head)
        assert 'href="/primer/"' in page_without_header(page).partition("</main>")[0]
    other, _ = create_invitation(visitor)
    assert 'href="/primer/?next=/' in visitor.page(f"/duels/{other.pk}/").partition("</header>")[2]
    nobody = Visitor(committed).page("/about/")
    assert '<a href="/duels/">Duels</a>' in nobody


def test_invitation_link_leads_to_the_duel_once_it_is_accepted(
    visitor: Visitor, committed: Committed
):
    """The link then leads both players to the duel."""
    duel, link = create_invitation(visitor, name="Ida")
    Visitor(committed).post(f"{link}accept", {"name": "Tom"})
    assert visitor.get(link).url == f"/duels/{duel.pk}/"
    assert timezone.now() < duel.expires_at
