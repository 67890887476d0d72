"""Promise 10: after the duel, players can read which turns a referee opened."""

import re

from django.test import Client

from duels.commands import endings
from duels.models import ActKind
from duels.queries import pages
from duels.queries.presence import page_state, presence_state
from duels.referees.acts import carrying_out
from duels.referees.cases.case_acts import open_sealed_orders
from duels.referees.cases.disputes import withdraw_own_case
from duels.referees.log import act_log
from tests.cast import NOW

CHANGING_VALUE = re.compile(
    r'\b\w{64}\b|name="form_key" value="[^"]+"'
)  # these differ in each response


def test_players_see_opened_turns_only_once_the_case_and_duel_have_ended(
    held, duel, ada, bram, rhea
):
    open_sealed_orders(case_id=held.pk, referee=rhea, ordinal=1, reason="Was it in time?", now=NOW)
    hers = Client()
    hers.force_login(ada.user)
    addresses = (f"/disputes/{held.pk}/", f"/duels/{duel.pk}/")
    for address in addresses:
        assert "Was it in time?" not in hers.get(address).content.decode()
    withdraw_own_case(case_id=held.pk, wizard=ada, now=NOW)
    endings.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    for address in addresses:
        assert "Was it in time?" in hers.get(address).content.decode()


def test_pages_do_not_change_when_a_referee_looks_at_sealed_orders(held, duel, ada, cleo, rhea):
    """The address of the picture for link previews does not change either."""

    def pages_of_readers() -> list[str]:
        found = []
        for reader in (ada, cleo):
            client = Client()
            client.force_login(reader.user)
            page = client.get(f"/duels/{duel.pk}/").content.decode()
            found.append(CHANGING_VALUE.sub("", page))
        return found

    before = pages_of_readers()
    open_sealed_orders(case_id=held.pk, referee=rhea, ordinal=1, reason="Was it in time?", now=NOW)
    assert pages_of_readers() == before


def test_pages_and_polls_do_not_reveal_hidden_acts_of_referees(held, duel, ada, bram, cleo, rhea):
    """`last_act` does not reveal to players that a referee has looked at sealed orders."""
    readers = (ada, bram, cleo, None)

    def last_acts_shown() -> list[int]:
        duel.refresh_from_db()
        found = []
        for reader in readers:
            state = presence_state(duel.pk, reader)
            assert state is not None
            page = pages.duel_page(duel, reader)
            assert page_state(page, state.page.last_speech) == state.page
            found.append(state.page.last_act)
        return found

    assert last_acts_shown() == [1, 1, 0, 0], "only the players know of the dispute"
    open_sealed_orders(case_id=held.pk, referee=rhea, ordinal=1, reason="Was it in time?", now=NOW)
    assert last_acts_shown() == [1, 1, 0, 0]
    by = act_log.referee_ref(rhea)
    carry_out = {"duel_id": duel.pk, "by": by, "reason": "A question.", "now": NOW}
    carrying_out.carry_out_act(ActKind.MESSAGE, fields={"words": "Why?", "seat": "w1"}, **carry_out)
    assert last_acts_shown() == [1, 3, 0, 0], "only Bram can read the message"
    carrying_out.carry_out_act(ActKind.EXTEND, fields={"time": "2 days"}, **carry_out)
    assert last_acts_shown() == [4, 4, 4, 4]
    act_log.append_act(ActKind.NUDGE, by=by, reason="Is it complete?", now=NOW, duel=duel)
    assert last_acts_shown() == [4, 4, 4, 4]
    assert duel.last_act == 5
