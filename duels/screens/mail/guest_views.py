"""Views to enter a guest's email address, and to confirm it through a link in an email."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from duels.email_addresses import canonical_address
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.post import public as post
from duels.requests.access import duellist_only, refusal_status
from duels.requests.rate_limits import check_rate
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
            address = form.cleaned_data["address"]
            try:
                check_rate(request, "guest_mail")
                check_rate(request, "guest_mail_to", key=canonical_address(address))
                post.request_address_confirmation(wizard=wizard, address=address, now=site_now())
            except Refused as refused:
                form.add_error("address" if refused.field else None, refused.text)
                status = refusal_status(refused)
            else:
                return redirect("guest_mail")
    context = {"form": form, "given": post.guest_address(wizard)}
    return render(request, "duels/mail/guest_mail.html", context, status=status)


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
