"""Where users are signed in, as far as it is over: rows that nobody needs any more."""

from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef

from duels.models import User


@transaction.atomic
def end_sessions(*, user: User) -> None:
    """The user is signed out everywhere."""
    theirs = UserSession.objects.filter(user_id=user.pk)
    Session.objects.filter(session_key__in=theirs.values("session_key")).delete()
    theirs.delete()


def forget_sessions(*, now: datetime) -> None:
    """Sessions that have expired are gone, with what was kept of them for their owners."""
    Session.objects.filter(expire_date__lte=now).delete()
    standing = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(standing)).delete()
