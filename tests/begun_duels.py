"""Copies of duels that have begun, which take a third of the time of the site's commands."""

from collections.abc import Hashable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from typing import Self, TypeVar

from django.db import transaction
from django.db.models import Exists, Model

from duels.caching.poll_cache import mark_duel_changed_on_commit
from duels.feeds.models import Follow
from duels.models import Block, Duel, Seat, Turn, Wizard, WizardKind
from duels.post.kinds.started import Started
from duels.post.public import notify
from duels.ratings.models import WizardRating
from duels.sealing import links, seeds

Row = TypeVar("Row", bound=Model)


def unsaved_copy(row: Row, **changes: object) -> Row:
    """Return an unsaved copy of this row, without its key and relations and with these changes."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    values = {field.name: field.value_from_object(row) for field in fields if not field.is_relation}
    return type(row)(**deepcopy(values) | changes)


def names_if_copyable(wizards: Sequence[Wizard]) -> Hashable | None:
    """Return the wizards' names and pronouns if nothing else affects how their duel begins.

    Return None if a wizard is not a player, is suspended or on vacation, or if any wizard in the
    database has a rating, blocks somebody or follows somebody.
    """
    found = Wizard.objects.filter(
        pk__in=[wizard.pk for wizard in wizards],
        kind=WizardKind.PLAYER,
        suspended_at=None,
        vacation_began_at=None,
    )
    blocks, follows, ratings = (
        Exists(model._default_manager.all()) for model in (Block, Follow, WizardRating)
    )
    names = found.exclude(blocks | follows | ratings).in_bulk()
    if len(names) < len(wizards):
        return None
    return tuple((names[each.pk].name, names[each.pk].pronouns) for each in wizards)


@dataclass(frozen=True)
class BegunDuel:
    """The rows of a duel in its first turn, with the seats in order of joining."""

    duel: Duel
    seats: Sequence[Seat]
    turn: Turn

    @classmethod
    def load(cls, pk: int) -> Self:
        seats = list(Seat.objects.filter(duel=pk).order_by("pk"))
        return cls(Duel.objects.get(pk=pk), seats, Turn.objects.get(duel=pk))

    @transaction.atomic(savepoint=False)
    def copy(self, wizards: Sequence[Wizard], now: datetime) -> Duel:
        """Store the duel again, between these wizards and with another seed."""
        duel = unsaved_copy(self.duel, challenger_id=wizards[0].pk)
        seeds.begin_seed(duel)
        duel.save()
        duel.chain = links.new_first_link(duel, len(wizards))
        duel.save(update_fields=["chain"])
        Seat.objects.bulk_create(
            unsaved_copy(seat, duel=duel, wizard=wizard)
            for seat, wizard in zip(self.seats, wizards, strict=True)
        )
        turn = unsaved_copy(self.turn, duel=duel)
        turn.save()
        notify(Started, wizards, duel, now, turn=turn)
        mark_duel_changed_on_commit(duel.pk)
        return duel
