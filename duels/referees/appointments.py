"""Commands that appoint and dismiss referees. Operators run them in the shell."""

from django.contrib.auth.models import Group
from django.db import transaction

from duels.accounts.second_factor import REFEREE_GROUP
from duels.email_addresses import address_condition
from duels.errors import Refused
from duels.models import User


@transaction.atomic
def appoint_referee(*, email: str) -> User:
    """Make the user with this address a referee. At the desk they also need a second factor."""
    user = _user_with(email)
    user.groups.add(Group.objects.get_or_create(name=REFEREE_GROUP)[0])
    return user


@transaction.atomic
def dismiss_referee(*, email: str) -> User:
    """Remove the user with this address from the referees."""
    user = _user_with(email)
    user.groups.remove(*Group.objects.filter(name=REFEREE_GROUP))
    return user


def _user_with(email: str) -> User:
    try:
        return User.objects.get(address_condition("email", email), is_active=True)
    except User.DoesNotExist:
        raise Refused("no_such_user", "No account uses this address.", field="email") from None
