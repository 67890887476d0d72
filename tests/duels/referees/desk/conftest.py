"""Fixtures: a dispute in a duel with a blind wizard, and the referee who claimed the case."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from duels.models import Act, ActKind, Duel, User
from duels.referees import appointments
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.handling import claim_case
from duels.referees.models import Case
from tests.cast import NOW, make_user, seal, sign_in_with_second_factor
from tests.states import STATES, People

Desk = Callable[[User], Client]


def create_referee(email: str) -> User:
    """Return a new referee without a wizard."""
    make_user(email)
    return appointments.appoint_referee(email=email)


def signed_in_referee(user: User) -> Client:
    """Return a client in which this user is signed in with a second factor."""
    client = Client()
    sign_in_with_second_factor(client, user)
    return client


def open_dispute_at(duel: Duel, ordinal: int, **given: str) -> Case:
    """Open a dispute as the wizard in the first seat."""
    wizard = duel.seats.get(place=0).wizard
    words = {"category": "rule", "rule": "R94", "words": "I could not see that."} | given
    return open_dispute(duel_id=duel.pk, wizard=wizard, ordinal=ordinal, now=NOW, **words)


def acts_on_duels() -> list[Act]:
    """Return all referees' acts except those that open, close or rule on disputes."""
    of_cases = (ActKind.OPEN_DISPUTE, ActKind.CLOSE_DISPUTE, ActKind.RULING)
    return list(Act.objects.exclude(kind__in=of_cases))


@pytest.fixture
def theo(db: None) -> User:
    return create_referee("theo@example.org")


@pytest.fixture
def blind_duel(db: None) -> Duel:
    """A duel in turn 3, whose first wizard is blind. The second wizard has sealed."""
    duel = STATES["blind"](People()).duel
    bram = duel.seats.get(place=1).wizard
    seal(duel, bram, {"left": "S", "right": "P"})
    return duel


@pytest.fixture
def case(blind_duel: Duel) -> Case:
    return open_dispute_at(blind_duel, 2)


@pytest.fixture
def held(case: Case, theo: User) -> Case:
    return claim_case(case_id=case.pk, user=theo, now=timezone.now())


@pytest.fixture
def desk(theo: User) -> Client:
    """Theo's browser, signed in with a second factor."""
    return signed_in_referee(theo)
