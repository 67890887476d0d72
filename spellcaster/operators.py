"""Django's admin for this site, only for staff with a second factor.

Staff sign in and change their passwords on the same pages as all other users.
"""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from duels.accounts.second_factor import ask_for_second_factor, has_second_factor


class OperatorsAdminSite(AdminSite):
    site_header = site_title = "Spellcaster’s operators"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and has_second_factor(request)

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Redirect to the sign-in page or the second factor. Reject users who are not staff."""
        response = _redirect_to_admin(request)
        assert isinstance(response, HttpResponse)
        return response

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Redirect to the usual page, which also notifies the account's owner by email."""
        return redirect("account_change_password")


@login_required
def _redirect_to_admin(request: HttpRequest) -> HttpResponseBase:
    if not request.user.is_staff:
        raise PermissionDenied
    if not has_second_factor(request):
        return ask_for_second_factor(request, request.get_full_path())
    wanted = request.GET.get("next", "")
    is_inside = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect(wanted if is_inside else "admin:index")
