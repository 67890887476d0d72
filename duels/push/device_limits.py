"""Limits on the number of devices per wizard and of push notifications per device."""

from datetime import datetime, timedelta
from typing import Final

from duels.models import OutboxStatus, Wizard
from duels.push.models import Push, PushKind

LIMIT_PERIOD: Final = timedelta(days=1)
TEST_LIMIT_PERIOD: Final = timedelta(hours=1)

MAX_DEVICES: Final = 10
MAX_TO_ONE_DEVICE: Final = 200  # notifications to one device within a day
MAX_TESTS: Final = 10  # tests within an hour; each goes to all devices
MAX_FAILURES: Final = 10  # consecutive rejections before a device is removed


def is_over_limit(push: Push, now: datetime) -> bool:
    """Return whether this notification would exceed its device's limit."""
    sent = Push.objects.filter(
        subscription=push.subscription_id,
        status=OutboxStatus.SENT,
        created_at__gt=now - LIMIT_PERIOD,
    )
    return sent.order_by()[:MAX_TO_ONE_DEVICE].count() >= MAX_TO_ONE_DEVICE


def has_reached_test_limit(wizard: Wizard, now: datetime) -> bool:
    """Return whether the wizard has sent too many test notifications recently."""
    tests = Push.objects.filter(
        wizard=wizard, kind=PushKind.TEST, created_at__gt=now - TEST_LIMIT_PERIOD
    )
    return tests.order_by().values("created_at").distinct().count() >= MAX_TESTS
