"""Views that list, add, test, turn on and delete webhooks."""

from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.requests.access import add_refusal, player_only, post_only, refusal_response
from duels.requests.submitting import redirect_once
from duels.screens.webhooks.form import WebhookForm
from duels.webhooks import public as webhooks


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def webhook_list(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Show the wizard's webhooks, without their addresses. On POST, add one."""
    data = request.POST if request.method == "POST" else None
    form = WebhookForm(data, wizard=wizard, initial={"duel": request.GET.get("duel", "")})
    if form.is_bound and form.is_valid():
        try:
            return redirect_once(request, partial(_add_webhook, form, wizard))
        except Refused as refused:
            add_refusal(form, refused)
    found = webhooks.webhooks_of(wizard)
    can_add = len(found) < webhooks.MAX_WEBHOOKS
    context = {
        "form": form,
        "webhooks": found,
        "can_add": can_add,
        "most": webhooks.MAX_WEBHOOKS,
        "formats": [(service.label, each) for service, each in webhooks.ADDRESS_FORMATS.items()],
    }
    status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
    return render(request, "duels/webhooks/webhooks.html", context, status=status)


def _add_webhook(form: WebhookForm, wizard: Wizard, _: str) -> FormResult:
    values: dict[str, Any] = {**form.cleaned_data, "duel": form.chosen_duel()}
    values["service"] = webhooks.Service(values["service"])
    webhooks.add_webhook(wizard=wizard, now=site_now(), **values)
    added = "Added. Send a test message to see whether it works."
    return FormResult(reverse("webhooks"), added)


@post_only
@player_only
def webhook(request: HttpRequest, wizard: Wizard, webhook_id: int) -> HttpResponse:
    """Test a webhook, turn it on again, or delete it."""
    match request.POST.get("do"):
        case "test":
            try:
                return redirect_once(request, partial(_send_test, wizard, webhook_id))
            except Refused as refused:
                return refusal_response(request, refused, back="/settings/webhooks")
        case "on":
            webhooks.turn_on_webhook(wizard=wizard, webhook_id=webhook_id)
            messages.success(request, "The webhook is on again.")
        case "delete":
            webhooks.delete_webhook(wizard=wizard, webhook_id=webhook_id)
            messages.success(request, "The webhook is deleted.")
    return redirect("webhooks")


def _send_test(wizard: Wizard, webhook_id: int, _: str) -> FormResult:
    webhooks.send_test(wizard=wizard, webhook_id=webhook_id, now=site_now())
    sent = "A test message is on its way. Reload this page to see the response."
    return FormResult(reverse("webhooks"), sent)
