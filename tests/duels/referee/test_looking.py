"""Promise 10: after the duel, players can read which turns a referee opened."""

from django.test import Client

from duels import commands
from duels.desk.commands import open_sealed
from duels.referee.public import withdraw
from tests.cast import NOW


def test_players_see_openings_after_the_duel(held, duel, ada, bram, rhea):
    open_sealed(case_id=held.pk, referee=rhea, ordinal=1, reason="Was it in time?", now=NOW)
    hers = Client()
    hers.force_login(ada.user)
    addresses = (f"/disputes/{held.pk}/", f"/duels/{duel.pk}/")
    for address in addresses:
        assert "Was it in time?" not in hers.get(address).content.decode()
    withdraw(case_id=held.pk, wizard=ada, now=NOW)
    commands.resign(duel_id=duel.pk, wizard=bram, now=NOW)
    for address in addresses:
        assert "Was it in time?" in hers.get(address).content.decode()
