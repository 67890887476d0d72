"""Views to enter a guest's email address, and to confirm it through a link in an email."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import FormResult
from duels.email_addresses import canonical_address
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.post import public as post
from duels.requests.access import duellist_only, refusal_status
from duels.requests.rate_limits import check_rate
from duels.requests.submitting import redirect_once
from duels.screens.mail.forms import GuestMailForm


@require_http_methods(["GET", "HEAD", "POST"])
@duellist_only
def guest_mail(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Show, change or delete the guest's address. Redirect players to their own settings."""
    if not wizard.is_guest:
        return redirect("mail_settings")
    if request.POST.get("do") == "drop":
        post.delete_guest_address(wizard=wizard)
        messages.success(request, "We no longer email you, and your address has been deleted.")
        return redirect("guest_mail")
    form = GuestMailForm(request.POST if request.method == "POST" else None)
    status = HTTPStatus.OK
    if form.is_bound:
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                return _request_confirmation_once(request, wizard, form.cleaned_data["address"])
            except Refused as refused:
                form.add_error("address" if refused.field else None, refused.text)
                status = refusal_status(refused)
    context = {"form": form, "given": post.guest_address(wizard)}
    return render(request, "duels/mail/guest_mail.html", context, status=status)


def _request_confirmation_once(request: HttpRequest, guest: Wizard, address: str) -> HttpResponse:
    """Email the address once for each form, and redirect.

    A slow mail server must not keep a transaction open, so the email is sent after the commit. If
    that fails, the page shows the form again with a new key.
    """
    is_first = False

    def check_limits() -> None:
        check_rate(request, "guest_mail")
        check_rate(request, "guest_mail_to", key=canonical_address(address))

    def note_first(_: str) -> FormResult:
        nonlocal is_first
        is_first = True
        return FormResult(reverse("guest_mail"))

    response = redirect_once(request, note_first, limit=check_limits)
    if is_first:
        post.request_address_confirmation(wizard=guest, address=address, now=site_now())
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def guest_mail_confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether the guest's emails may be sent to this address. On POST, confirm the address."""
    named = post.read_address_token(token)
    guest = Wizard.objects.filter(pk=named.wizard_id).first() if named else None
    address, is_confirmed = named.address if named and guest else "", False
    if request.method == "POST":
        is_confirmed = post.confirm_address(token=token, now=site_now())
        address = address if is_confirmed else ""
    context = {
        "token": token,
        "name": guest.name if guest else "",
        "address": address,
        "is_confirmed": is_confirmed,
    }
    status = HTTPStatus.OK if address else HTTPStatus.NOT_FOUND
    return render(request, "duels/mail/guest_mail_confirm.html", context, status=status)
