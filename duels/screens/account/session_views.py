"""The view that signs out one of the user's sessions. Django-allauth lists the sessions."""

from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from duels.requests.access import post_only


@post_only
@login_required
def session_end(request: HttpRequest, session_id: int) -> HttpResponse:
    """Sign out one of the user's own sessions at once."""
    session = get_object_or_404(UserSession, pk=session_id, user_id=request.user.pk)
    session.end()
    messages.success(request, "Signed out on that device.")
    return redirect("usersessions_list")
