"""Tests that the desk is open only to uninvolved referees with a second factor."""

import pytest
from django.test import Client
from django.urls import URLPattern

from duels.errors import Refused
from duels.models import ActKind, Duel, User
from duels.referees import appointments
from duels.referees.acts.carrying_out import plan_act
from duels.referees.cases.case_acts import carry_out_in_case, open_sealed_orders
from duels.referees.cases.disputes import withdraw_own_case
from duels.referees.desk.urls import urlpatterns
from duels.referees.log.act_log import referee_ref
from duels.referees.models import Case
from tests.cast import NOW, make_wizard
from tests.duels.referees.desk.conftest import acts_on_duels, create_referee, signed_in_referee


def desk_paths(case: Case) -> list[str]:
    """Return the paths of all desk pages, with the numbers of this case."""
    given = {"<int:number>": str(case.pk), "<int:ordinal>": "2", "<slug:kind>": "pause"}
    found: list[str] = []
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        address = f"/{pattern.pattern}"
        for name, value in given.items():
            address = address.replace(name, value)
        assert "<" not in address
        found.append(address)
    return found


def test_only_referees_can_open_the_desk(held: Case) -> None:
    wizard = make_wizard("Edda")
    assert wizard.user is not None
    staff = User.objects.create_superuser("root@example.org", "a hand and a half")
    outside = [signed_in_referee(wizard.user), signed_in_referee(staff)]
    for address in desk_paths(held):
        for client in outside:
            assert client.get(address, follow=True).status_code == 404, address
            assert client.post(address).status_code in (404, 405), address
        answer = Client().get(address, follow=True)
        assert "/accounts/login/" in answer.redirect_chain[-1][0]
    assert not acts_on_duels()


def test_settings_link_to_the_desk_for_referees(theo: User) -> None:
    other = make_wizard("Edda").user
    assert other is not None
    for user, is_shown in ((theo, True), (other, False)):
        client = Client()
        client.force_login(user)
        assert ('href="/desk/"' in client.get("/settings/").content.decode()) is is_shown


def test_desk_requires_a_second_factor(held: Case, theo: User) -> None:
    client = Client()
    client.force_login(theo)
    for address in desk_paths(held):
        answer = client.get(address, follow=True)
        assert answer.redirect_chain, address
        assert "/desk/" not in answer.redirect_chain[-1][0].partition("?")[0]


def test_referee_without_a_wizard_can_open_every_page(held: Case, desk: Client) -> None:
    for address in desk_paths(held):
        answer = desk.get(address, follow=True)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "private, no-store", address


def test_referee_cannot_see_a_case_about_their_own_duel(held: Case, blind_duel: Duel) -> None:
    ada = blind_duel.seats.get(place=0).wizard
    assert ada.user is not None
    appointments.appoint_referee(email=ada.user.email)
    client = signed_in_referee(ada.user)
    for address in desk_paths(held):
        if "/cases/" in address:
            answer = client.get(address, follow=True)
            assert answer.status_code == 403, address
            assert "another referee" in answer.content.decode()
            assert held.words not in answer.content.decode()
    queue = client.get("/desk/").content.decode()
    assert f"Dispute {held.pk}" not in queue
    assert "1 more case is for other referees" in queue


@pytest.mark.parametrize("path", ["/desk/cases/999/", "/desk/cases/999999999999999999999/"])
def test_unknown_case_is_not_found(desk: Client, path: str) -> None:
    assert desk.get(path).status_code == 404


def test_only_the_referee_who_claimed_a_case_can_act_in_it(held: Case, blind_duel: Duel) -> None:
    uma = signed_in_referee(create_referee("uma@example.org"))
    base = f"/desk/cases/{held.pk}"
    for path, typed in (
        ("/turns/2/open", {"reason": "I want to see."}),
        ("/acts/pause", {"do": "preview"}),
        ("/acts/pause", {"do": "carry_out", "reason": "So.", "seen": "x"}),
        ("/ruling/", {"verdict": "engine_right", "words": "So.", "rules": "R94"}),
        ("/hand-over", {"hand_over-to": "1", "hand_over-reason": "So."}),
        ("/claim", {}),
    ):
        answer = uma.post(base + path, typed)
        assert answer.status_code in (409, 422), path
    assert not acts_on_duels()
    held.refresh_from_db()
    assert held.referee is not None
    assert held.referee.email == "theo@example.org"


def test_acts_of_a_referee_in_a_withdrawn_case_are_rejected(
    held: Case, blind_duel: Duel, theo: User
) -> None:
    """The player withdraws the dispute while the referee has the form open."""
    withdraw_own_case(case_id=held.pk, wizard=held.opened_by, now=NOW)
    seen = plan_act(ActKind.PAUSE, duel_id=blind_duel.pk, by=referee_ref(theo), now=NOW).stamp
    with pytest.raises(Refused) as refused:
        carry_out_in_case(
            ActKind.PAUSE,
            by=referee_ref(theo),
            case=held.pk,
            referee=theo,
            reason="So.",
            seen=seen,
            now=NOW,
            duel_id=blind_duel.pk,
        )
    assert refused.value.code == "case_over"
    with pytest.raises(Refused):
        open_sealed_orders(case_id=held.pk, referee=theo, ordinal=3, reason="So.", now=NOW)
    blind_duel.refresh_from_db()
    assert blind_duel.stopped_at is None
    assert not acts_on_duels()
