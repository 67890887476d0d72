"""Helpers for tests of referees' acts: create a referee, carry out an act, and compare rows."""

from typing import Any

from django.contrib.auth.models import Group
from django.db import models

from duels.accounts.second_factor import REFEREE_GROUP
from duels.models import Act, ActKind, Draft, Duel, Marker, Orders, Seat, Speech, Turn, User
from duels.post.public import Notice
from duels.referees.acts import carrying_out
from duels.referees.log import act_log
from duels.referees.log.act_log import RefereeRef
from tests.cast import LATER, make_user

REASON = "The rules were misread."


def make_referee(email: str = "referee@example.org") -> RefereeRef:
    """Create a referee without a wizard, and return a reference to them."""
    user = User.objects.filter(email=email).first() or make_user(email)
    user.groups.add(Group.objects.get_or_create(name=REFEREE_GROUP)[0])
    return act_log.referee_ref(user)


def perform_act(
    kind: ActKind, by: RefereeRef, duel: Duel, *, now: Any = LATER, **fields: str
) -> Act:
    """Plan an act, check that the plan writes nothing, carry out the act and refresh `duel`."""
    before = rows_of(duel)
    planned = carrying_out.plan_act(kind, duel_id=duel.pk, by=by, now=now, fields=fields)
    assert rows_of(duel) == before, "a plan changes nothing"
    act = carrying_out.carry_out_act(
        kind,
        duel_id=duel.pk,
        by=by,
        reason=REASON,
        now=now,
        fields=fields,
        seen_stamp=planned.stamp,
    )
    duel.refresh_from_db()
    return act


def rows_of(duel: Duel) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of the duel, by table."""
    found: dict[type[models.Model], Any] = {
        Duel: Duel.objects.filter(pk=duel.pk),
        Seat: Seat.objects.filter(duel=duel),
        Turn: Turn.objects.filter(duel=duel),
        Orders: Orders.objects.filter(turn__duel=duel),
        Draft: Draft.objects.filter(turn__duel=duel),
        Speech: Speech.objects.filter(duel=duel),
        Marker: Marker.objects.filter(duel=duel),
        Notice: Notice.objects.filter(duel=duel),
        Act: Act.objects.filter(duel=duel),
    }
    return {model.__name__: list(rows.order_by("pk").values()) for model, rows in found.items()}


def changed_columns(
    before: dict[str, list[dict[str, Any]]], after: dict[str, list[dict[str, Any]]]
) -> dict[str, set[str]]:
    """Return the changed columns by table, and "rows" for tables with added or removed rows."""
    found: dict[str, set[str]] = {}
    for table, rows in before.items():
        if [row["id"] for row in rows] != [row["id"] for row in after[table]]:
            found.setdefault(table, set()).add("rows")
        kept = {row["id"]: row for row in after[table]}
        for row in rows:
            names = {name for name in row if kept.get(row["id"], row)[name] != row[name]}
            if names:
                found.setdefault(table, set()).update(names)
    return found
