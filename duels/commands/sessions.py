"""Commands that end sessions and delete expired ones."""

from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef

from duels.models import User


@transaction.atomic
def end_sessions(*, user: User) -> None:
    theirs = UserSession.objects.filter(user_id=user.pk)
    Session.objects.filter(session_key__in=theirs.values("session_key")).delete()
    theirs.delete()


def delete_expired_sessions(*, now: datetime) -> None:
    """Delete expired sessions, along with their rows in the users' lists of sessions."""
    Session.objects.filter(expire_date__lte=now).delete()
    standing = Session.objects.filter(session_key=OuterRef("session_key"))
    UserSession.objects.filter(~Exists(standing)).delete()
