"""The log of referees' acts, a hash chain to which the database only allows additions."""

import hashlib
import json
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from duels.errors import Refused
from duels.models import Act, ActKind, Duel
from duels.referees.acts import carrying_out
from duels.referees.log.act_log import append_act, referee_ref
from engine.proof import record
from tests.cast import LATER, NOW, Cast, begin
from tests.duels.referees.acts.refereeing import REASON, make_referee

pytestmark = pytest.mark.sqlite


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram, pace="86400")


def assert_database_rejects(statement: str, values: list[Any]) -> None:
    with (
        pytest.raises((IntegrityError, DatabaseError), match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement, values)


def test_database_rejects_changing_or_deleting_an_act(duel: Duel):
    act = append_act(ActKind.RULING, by=make_referee(), reason=REASON, duel=duel, now=NOW)
    for column, value in (("reason", "another"), ("chain", "0" * 64), ("kind", "pause")):
        assert_database_rejects(
            f"UPDATE duels_act SET {column} = %s WHERE id = %s", [value, act.pk]
        )
    assert_database_rejects("DELETE FROM duels_act WHERE id = %s", [act.pk])
    for change in (
        lambda: Act.objects.filter(pk=act.pk).update(reason="another"),
        lambda: Act.objects.filter(pk=act.pk).delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    with pytest.raises(TypeError):
        act.save()
    with pytest.raises(TypeError):
        act.delete()
    assert Act.objects.get() == act
    assert Act.objects.get().reason == REASON


def test_acts_of_a_duel_form_a_hash_chain(duel: Duel, cast: Cast):
    by, other = make_referee(), begin(cast.ada, cast.cleo)
    for place in (duel, other, None, duel, None):
        append_act(
            ActKind.RULING, by=by, reason=REASON, now=LATER, duel=place, facts={"b": 1, "a": "ü"}
        )
    for place, number in ((duel, 2), (other, 1), (None, 2)):
        found = list(Act.objects.filter(duel=place).order_by("ordinal"))
        assert [act.ordinal for act in found] == list(range(1, number + 1))
        before = ""
        for act in found:
            text = json.dumps(act.entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            assert act.chain == hashlib.sha256((before + text).encode()).hexdigest()
            before = act.chain
    duel.refresh_from_db()
    assert duel.last_act == 2


def test_log_names_a_referee_by_their_wizard_or_a_number(cast: Cast):
    assert cast.ada.user is not None
    assert referee_ref(cast.ada.user).name == "Ada"
    by = make_referee()
    assert by.name == f"Referee {by.user_id}"


@pytest.mark.parametrize(("reason", "code"), [("  ", "no_reason"), ("x" * 1001, "reason_too_long")])
def test_every_act_of_a_referee_needs_a_reason(duel: Duel, reason: str, code: str):
    with pytest.raises(Refused) as refused:
        carrying_out.carry_out_act(
            ActKind.PAUSE, duel_id=duel.pk, by=make_referee(), reason=reason, now=NOW
        )
    assert (refused.value.code, refused.value.field) == (code, "reason")
    duel.refresh_from_db()
    assert duel.stopped_at is None


def test_records_can_contain_every_kind_of_act():
    """`verify` rejects any other kind of act in a record."""
    assert set(record.ACT_KINDS) == set(ActKind.values)
