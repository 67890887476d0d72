"""A race between wizards who turn on notifications in the same browser at the same time."""

from functools import partial

import pytest

from duels.push import endpoints
from duels.push.commands import subscribing
from duels.push.models import PushSubscription
from tests.cast import NOW, Cast
from tests.duels.test_races import run_simultaneously
from tests.push_service import AUTH_SECRET, P256DH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

FCM_ENDPOINT = "https://fcm.googleapis.com/fcm/send/abc:def-123"


def test_browser_belongs_to_one_of_several_simultaneous_subscribers(cast: Cast):
    for _ in range(8):
        PushSubscription.objects.all().delete()
        calls = [
            partial(
                subscribing.subscribe,
                wizard=wizard,
                endpoint=FCM_ENDPOINT,
                p256dh=P256DH,
                auth=endpoints.encode_key(AUTH_SECRET),
                device="Firefox",
                now=NOW,
            )
            for wizard in (cast.ada, cast.bram, cast.cleo)
        ]
        answers = run_simultaneously(*calls)
        assert all(isinstance(each, PushSubscription) for each in answers), answers
        assert PushSubscription.objects.get().pk in {each.pk for each in answers}
