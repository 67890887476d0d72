"""Views for email settings: for all duels, for one duel, and for turning emails off through a link
in an email."""

from http import HTTPStatus

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from duels.commands.submitting import FormResult
from duels.loaded.database_clock import site_now
from duels.models import Duel, Wizard
from duels.post import public as post
from duels.requests.access import player_only, post_only
from duels.requests.submitting import redirect_once
from duels.screens.mail.context import mail_context
from duels.screens.mail.forms import DuelEmailPreferencesForm, EmailPreferencesForm


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def mail_settings(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    choice = post.mail_choice(wizard)
    chosen = {field: getattr(choice, field) for field in EmailPreferencesForm.base_fields}
    form = EmailPreferencesForm(request.POST if request.method == "POST" else None, initial=chosen)
    if form.is_bound and form.is_valid():
        post.set_mail_choice(wizard=wizard, now=site_now(), **form.cleaned_data)
        messages.success(request, "Saved.")
        return redirect("mail_settings")
    context = {"form": form, **mail_context(wizard)}
    status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
    return render(request, "duels/mail/mail_settings.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def duel_mail(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    """Show and save the wizard's email setting for this duel."""
    duel = get_object_or_404(Duel, pk=duel_id, seats__wizard=wizard)
    when = post.duel_mail_choice(wizard, duel) or ""
    form = DuelEmailPreferencesForm(
        request.POST if request.method == "POST" else None,
        initial={"when": when},
        usual=post.EmailTiming(post.mail_choice(wizard).when).label,
    )
    if form.is_bound and form.is_valid():
        chosen = form.cleaned_data["when"]
        post.set_duel_mail_choice(wizard=wizard, duel=duel, when=chosen, now=site_now())
        messages.success(request, "Saved.")
        return redirect("duel", duel.pk)
    status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
    return render(request, "duels/mail/duel_mail.html", {"form": form, "duel": duel}, status=status)


@post_only
@player_only
def resend_mail(request: HttpRequest, wizard: Wizard, notice_id: int) -> HttpResponse:
    def resend(_: str) -> FormResult:
        post.resend_own_notice(notice_id=notice_id, wizard=wizard, now=site_now())
        return FormResult(reverse("mail_settings"), "The email is being sent again.")

    return redirect_once(request, resend)


@post_only
@player_only
def reactivate_addresses_view(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Resume emails to the wizard's addresses that were turned off after emails bounced."""
    post.reactivate_addresses(wizard=wizard, now=site_now())
    messages.success(request, "Your emails are turned on again.")
    return redirect("mail_settings")


@csrf_exempt  # email programs post here without a session; the token identifies the wizard
@require_http_methods(["GET", "HEAD", "POST"])
def turn_emails_off(request: HttpRequest, token: str) -> HttpResponse:
    """Ask which emails to turn off. On POST, also from an email program, turn them off."""
    named = post.read_unsubscribe_token(token)
    if named is None:
        raise Http404("This link is not valid.")
    context = {"token": token, "duel_id": named.duel_id}
    if request.method != "POST":
        return render(request, "duels/mail/mail_off.html", context)
    only_duel = request.POST.get("which") == "duel"
    post.unsubscribe_by_token(token=token, only_duel=only_duel, now=site_now())
    return render(
        request, "duels/mail/mail_off.html", context | {"is_off": True, "only": only_duel}
    )
