"""Limits on the number of devices per wizard and of push notifications per device."""

from datetime import datetime, timedelta
from typing import Final

from duels.models import OutboxStatus, Wizard
from duels.push.models import Push, PushKind

WITHIN: Final = timedelta(days=1)
TESTS_WITHIN: Final = timedelta(hours=1)

DEVICES: Final = 10
TO_ONE_DEVICE: Final = 200  # notifications to one device within a day
TESTS: Final = 10  # tests within an hour; each goes to all devices
MOST_FAILURES: Final = 10  # consecutive rejections before a device is removed


def is_over_limit(push: Push, now: datetime) -> bool:
    """Return whether this notification would exceed its device's limit."""
    sent = Push.objects.filter(
        subscription=push.subscription_id, status=OutboxStatus.SENT, created_at__gt=now - WITHIN
    )
    return sent.order_by()[:TO_ONE_DEVICE].count() >= TO_ONE_DEVICE


def has_reached_test_limit(wizard: Wizard, now: datetime) -> bool:
    """Return whether the wizard has sent too many test notifications recently."""
    tests = Push.objects.filter(
        wizard=wizard, kind=PushKind.TEST, created_at__gt=now - TESTS_WITHIN
    )
    return tests.order_by().values("created_at").distinct().count() >= TESTS
