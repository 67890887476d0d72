"""Tests that the pages of all sample states open without errors."""

import pytest
from django.test import Client

from tests.states import STATES, People

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", STATES)
def test_duel_page_opens_in_every_state(name: str):
    state = STATES[name](People())
    client = Client()
    if state.viewer is not None:
        assert state.viewer.user is not None
        client.force_login(state.viewer.user)
    answer = client.get(state.path)
    assert answer.status_code == 200
    assert 'class="history' in answer.content.decode()
