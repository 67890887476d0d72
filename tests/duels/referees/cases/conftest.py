"""Fixtures for tests of referees. Rhea and Silas have wizards, but Theo does not."""

import pytest

from duels.models import Duel, User, Wizard
from duels.referees import appointments
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.handling import claim_case
from duels.referees.models import Case
from tests.cast import NOW, begin, make_user, make_wizard


def appoint_as_referee(user: User) -> User:
    """Make this user a referee."""
    return appointments.appoint_referee(email=user.email)


def referee_of_wizard(wizard: Wizard) -> User:
    """Make the wizard's user a referee."""
    assert wizard.user is not None
    return appoint_as_referee(wizard.user)


@pytest.fixture
def rhea(db) -> User:
    return referee_of_wizard(make_wizard("Rhea"))


@pytest.fixture
def silas(db) -> User:
    return referee_of_wizard(make_wizard("Silas"))


@pytest.fixture
def theo(db) -> User:
    return appoint_as_referee(make_user("theo@example.org"))


@pytest.fixture
def duel(ada, bram) -> Duel:
    """A duel of Ada against Bram at turn 1, with three days for each turn."""
    return begin(ada, bram, pace="259200", excuses=2)


@pytest.fixture
def case(duel, ada) -> Case:
    """Ada's dispute about turn 1."""
    return open_dispute(
        duel_id=duel.pk,
        wizard=ada,
        ordinal=1,
        category="rule",
        rule="r21",
        words="My shield should have stopped it.",
        now=NOW,
    )


@pytest.fixture
def held(case, rhea) -> Case:
    """Ada's dispute, claimed by Rhea."""
    return claim_case(case_id=case.pk, user=rhea, now=NOW)
