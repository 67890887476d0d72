"""Views to turn a device's notifications on and off, choose their kinds and test them."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from duels.commands.submitting import FormResult
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import Wizard
from duels.push import public as push
from duels.requests.access import player_only, post_only, refusal_response
from duels.requests.submitting import redirect_once
from duels.screens.mail.forms import DeviceForm, PushPreferencesForm
from duels.sign_in.sign_outs import remember_device
from duels.typed_text import parse_number

MAIL_SETTINGS_PATH = "/settings/mail"


@require_safe
@never_cache
@player_only
def push_public_key(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Return the public key and a form token.

    The service worker needs both to register a new push address.
    """
    if not push.is_configured():
        raise Http404("This site does not send notifications.")
    return JsonResponse({"key": push.public_key(), "token": get_token(request)})


@post_only
@player_only
def subscribe_device(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Turn on notifications in this browser."""
    form = DeviceForm(request.POST)
    try:
        if not form.is_valid():
            field, (error, *_) = next(iter(form.errors.items()))
            raise Refused("bad_subscription", f"{field}: {error}", field=field)
        device = push.device_name(request.headers.get("User-Agent", ""))
        found = push.subscribe(wizard=wizard, device=device, now=site_now(), **form.cleaned_data)
    except Refused as refused:
        return refusal_response(request, refused, back=MAIL_SETTINGS_PATH)
    answer: HttpResponse
    if request.POST.get("quietly"):  # the request was sent by a service worker
        answer = HttpResponse(status=HTTPStatus.NO_CONTENT)
    else:
        messages.success(request, "Notifications are on for this device.")
        answer = redirect("mail_settings")
    remember_device(answer, found)
    return answer


@post_only
@player_only
def unsubscribe_device(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Turn off notifications on one of the wizard's devices."""
    number = parse_number(request.POST.get("device", ""))
    push.unsubscribe(wizard=wizard, subscription_id=number)
    messages.success(request, "Notifications are off for that device.")
    return redirect("mail_settings")


@post_only
@player_only
def push_choice(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Save the choice of events for which the wizard's devices show notifications."""
    form = PushPreferencesForm(request.POST)
    if form.is_valid():  # always valid, because it only has optional checkboxes
        push.set_push_choice(wizard=wizard, **form.cleaned_data)
        messages.success(request, "Saved.")
    return redirect("mail_settings")


@post_only
@player_only
def send_test_notification(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Send a test notification to each of the wizard's devices."""

    def send_test(_: str) -> FormResult:
        number = push.send_test(wizard=wizard, now=site_now())
        words = "your device" if number == 1 else f"your {number} devices"
        return FormResult(MAIL_SETTINGS_PATH, f"A test notification is on its way to {words}.")

    try:
        return redirect_once(request, send_test)
    except Refused as refused:
        return refusal_response(request, refused, back=MAIL_SETTINGS_PATH)
