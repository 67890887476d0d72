"""Records of duels with referees' acts: they contain the acts and verify."""

import pytest

from duels.commands import endings, speaking
from duels.models import ActKind, Duel, Turn
from duels.proof.records import duel_record
from engine.proof.verify import verify
from tests.cast import LATER, NOW, Cast, begin, hands, play
from tests.duels.referees.acts.refereeing import make_referee, perform_act

pytestmark = pytest.mark.django_db
IDLE = hands("-", "-")


def duel_of_three_turns(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram, cast.cleo, ruleset="wizards-1")
    for letters in ("WP", "SD", "FF"):
        play(duel, {cast.ada: hands(*letters), cast.bram: IDLE, cast.cleo: IDLE})
    speaking.send_message(duel_id=duel.pk, wizard=cast.bram, words="Once more.", now=NOW)
    return duel


@pytest.mark.parametrize("end", [ActKind.DECLARE, ActKind.ANNUL, ActKind.REMOVE])
def test_record_of_a_duel_with_acts_verifies(cast: Cast, end: ActKind):
    duel, by = duel_of_three_turns(cast), make_referee()
    perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
    perform_act(ActKind.REPLACE, by, duel, seat="w1", wizard="Dorn")
    perform_act(ActKind.MESSAGE, by, duel, words="Well met.")
    play(duel, {cast.ada: hands("S", "S"), cast.dorn: IDLE, cast.cleo: IDLE}, now=LATER)
    if end == ActKind.REMOVE:
        perform_act(end, by, duel, seat="w1")
        perform_act(end, by, duel, seat="w2")
    else:
        perform_act(end, by, duel, **({"result": "w2"} if end == ActKind.DECLARE else {}))
    written = duel_record(duel)
    kinds = [act["act"] for act in written["acts"]]
    assert kinds[:3] == ["roll_back", "replace", "message"]
    assert set(kinds[3:]) == {str(end)}
    assert [turn["ordinal"] for turn in written["void_turns"]][:2] == [2, 3]
    assert "Well met." not in str(written)
    assert verify(written) == []
    if end == ActKind.DECLARE:
        perform_act(ActKind.ROLL_BACK, by, duel, turn="1")
        play(duel, {cast.ada: IDLE, cast.dorn: IDLE, cast.cleo: IDLE}, now=LATER)
        for wizard in (cast.ada, cast.dorn):
            endings.resign(duel_id=duel.pk, wizard=wizard, now=LATER)
        duel.refresh_from_db()
        assert verify(duel_record(duel)) == []


def test_links_of_void_turns_are_computed_again_for_the_record(cast: Cast):
    """The duel began before links covered whole turns, and was later rolled back twice."""
    duel, by = duel_of_three_turns(cast), make_referee()
    Duel.objects.filter(pk=duel.pk).update(link_format=1)
    perform_act(ActKind.ROLL_BACK, by, duel, turn="3")
    play(duel, {cast.ada: hands("S", "S"), cast.bram: IDLE, cast.cleo: IDLE}, now=LATER)
    perform_act(ActKind.ROLL_BACK, by, duel, turn="2")
    play(duel, {cast.ada: hands("P", "S"), cast.bram: IDLE, cast.cleo: IDLE}, now=LATER)
    for wizard in (cast.ada, cast.bram):
        endings.resign(duel_id=duel.pk, wizard=wizard, now=LATER)
    duel.refresh_from_db()
    # The stored links cover less than the links in the record, and are not copied into it.
    Turn.with_voided.filter(duel=duel).update(chain="0" * 64)
    written = duel_record(duel)
    assert {turn["voided_in"] for turn in written["void_turns"]} == {1, 2}
    assert all(turn["chain"] != "0" * 64 for turn in written["void_turns"])
    assert verify(written) == []
