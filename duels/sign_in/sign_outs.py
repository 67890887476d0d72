"""Code that stops notifications on a browser when its user signs out.

When a user turns on notifications in a browser, a cookie stores the id of the device. The cookie
outlives sessions and is useless to other sites.
"""

from typing import Any, Final

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from duels.accounts.preferences import COOKIE_SECONDS
from duels.models import User, Wizard
from duels.push import public as push
from duels.push.public import PushSubscription
from duels.sign_in.cookies import read_cookie, set_cookie

DEVICE_COOKIE: Final = "push_device"


def remember_device(response: HttpResponse, device: PushSubscription) -> None:
    """Store a cookie that identifies this browser among the wizard's devices."""
    set_cookie(response, DEVICE_COOKIE, str(device.pk), COOKIE_SECONDS)


@receiver(user_logged_out)
def stop_notifications(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Stop this browser's notifications, so that its next user cannot read about these duels."""
    number = read_cookie(request, DEVICE_COOKIE)
    wizard = Wizard.objects.filter(user=user).first() if user is not None else None
    if wizard is not None and number and number.isdecimal():
        push.unsubscribe(wizard=wizard, subscription_id=int(number))
