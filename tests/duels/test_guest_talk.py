"""Messages to and from guests, who can send, mute and report them."""

import pytest

from duels.commands import guests, speaking
from duels.models import Block, Duel, Mute, Speech, Wizard
from duels.referees.models import Case
from tests.cast import NOW, Cast, hands, play
from tests.duels.test_guests import guest_in
from tests.duels.test_invite_friend import create_invitation
from tests.duels.test_invited_guests import accept_invitation, invited_guest
from tests.duels.visitors import Committed, Visitor

IDLE = hands("-", "-")

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_guests(visitor: Visitor, committed: Committed) -> tuple[Visitor, Visitor, str]:
    """Two guests who have used the same link, and the address of their duel."""
    duel, link = create_invitation(visitor, name="Ida")
    friend = Visitor(committed)
    accept_invitation(friend, link)
    return visitor, friend, f"/duels/{duel.pk}/"


def test_two_guests_talk(two_guests: tuple[Visitor, Visitor, str]) -> None:
    ida, tom, address = two_guests
    assert "Only the players of this duel can read it" in ida.page(address)
    assert ida.post(f"{address}say", {"words": "Well met."}).url == f"{address}#talk"
    assert "Well met." in tom.page(address)
    tom.post(f"{address}say", {"words": "Good luck."})
    assert "Good luck." in ida.page(address)
    assert "Good luck." in ida.page(f"{address}words/")
    assert Speech.objects.count() == 2


def test_guest_mutes_another_guest(two_guests: tuple[Visitor, Visitor, str]) -> None:
    ida, tom, address = two_guests
    tom.post(f"{address}say", {"words": "Nonsense."})
    path = f"/wizards/{guest_in(tom).slug}/mute"
    assert f'action="{path}"' in ida.page(address)
    duel = address.split("/")[2]
    assert ida.post(path, {"duel": duel}).url == f"{address}#talk"
    assert "Nonsense." not in ida.page(address)
    ida.post(path.replace("mute", "unmute"))
    assert "Nonsense." in ida.page(address)


def test_stranger_cannot_mute_a_guest_of_a_private_duel(
    two_guests: tuple[Visitor, Visitor, str], committed: Committed
) -> None:
    """The response does not reveal whether there is a guest with this name."""
    stranger = Visitor(committed)
    stranger.begin()
    for slug in (guest_in(two_guests[1]).slug, "guest-nobody"):
        assert stranger.post(f"/wizards/{slug}/mute").status_code == 404
    assert not Mute.objects.exists()


def test_guest_reports_a_message(two_guests: tuple[Visitor, Visitor, str]) -> None:
    ida, tom, address = two_guests
    tom.post(f"{address}say", {"words": "Drivel."})
    path = f"{address}words/{Speech.objects.get().pk}/report"
    assert f'href="{path}"' in ida.page(address)
    assert f'href="{path}"' not in tom.page(address)
    case = ida.post(path, {"words": "Rude."}).url
    assert "Rude." in ida.page(case)
    assert Case.objects.get().about == guest_in(tom)
    assert tom.get(case).status_code == 404


def test_guest_blocks_a_player_and_keeps_the_block_after_signing_up(
    cast: Cast, visitor: Visitor
) -> None:
    visitor.begin()
    assert "Challenge Bram" not in visitor.page("/wizards/bram/")
    assert 'action="/wizards/bram/block"' in visitor.page("/wizards/bram/")
    visitor.post("/wizards/bram/block")
    assert 'action="/wizards/bram/unblock"' in visitor.page("/wizards/bram/")
    guests.claim_guest(guest=guest_in(visitor), wizard=cast.ada)
    assert Block.objects.get().wizard == cast.ada


def test_guest_sees_why_disputes_need_an_account(two_guests: tuple[Visitor, Visitor, str]) -> None:
    ida, _, address = two_guests
    html = " ".join(ida.page(address).split())
    assert "until a referee has ruled, so it needs an account." in html
    assert f'<a href="/accounts/signup/?next={address}">Sign up</a> to keep this duel' in html
    play(Duel.objects.get(), dict.fromkeys(Wizard.objects.exclude(name="Old Quill"), IDLE))
    assert "Dispute this turn" not in ida.page(f"{address}turns/1/")


def test_player_and_guest_can_exchange_messages(cast: Cast) -> None:
    duel, guest = invited_guest(cast.ada)
    for wizard in (cast.ada, guest):
        speaking.send_message(duel_id=duel.pk, wizard=wizard, words="Well met.", now=NOW)
    play(duel, {cast.ada: hands("-", "-"), guest: hands("-", "-", say="En garde!")})
    assert Speech.objects.count() == 2


def test_message_form_explains_why_a_guest_cannot_write(
    two_guests: tuple[Visitor, Visitor, str],
) -> None:
    ida, tom, address = two_guests
    Duel.objects.update(visibility="public")
    Wizard.objects.filter(pk=guest_in(ida).pk).update(speech_locked_at=NOW)
    assert "A referee has locked your messages." in ida.page(address)
    assert ida.post(f"{address}say", {"words": "Hm."}).status_code == 422
    Duel.objects.update(speech_locked_at=NOW)
    assert "A referee has locked messages in this duel." in tom.page(address)
    stranger = Visitor(ida.committed)
    assert "Only the wizards in this duel can write here." in stranger.page(address)
    assert "data-say" not in stranger.page(address)


def test_mutes_and_locked_messages_are_kept_after_sign_up(cast: Cast) -> None:
    _, guest = invited_guest(cast.ada)
    for wizard, other in ((guest, cast.cleo), (cast.bram, cast.cleo), (cast.dorn, guest)):
        speaking.mute(wizard=wizard, other=other, now=NOW)
    speaking.mute(wizard=cast.bram, other=guest, now=NOW)
    Wizard.objects.filter(pk=guest.pk).update(speech_locked_at=NOW)
    guests.claim_guest(guest=guest, wizard=cast.bram)
    left = set(Mute.objects.values_list("wizard__name", "muted__name"))
    assert left == {("Bram", "Cleo"), ("Dorn", "Bram")}
    cast.bram.refresh_from_db()
    assert cast.bram.speech_locked_at == NOW
