"""Wizards: their page, blocking, one's own settings, and closing an account."""

from collections.abc import Mapping
from dataclasses import asdict
from http import HTTPStatus

from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from duels import commands, guests, preferences, queries
from duels.forms import CloseAccountForm, PronounsForm, WizardForm
from duels.models import Block, Mute, User, Wizard, WizardKind
from duels.views.access import changes_only, player_of, player_only, refusal, status_of
from duels.views.lists import entries


def wizard_or_404(slug: str) -> Wizard:
    """The wizard whose page this is. A guest has none: nobody need find him."""
    known = Wizard.objects.exclude(kind=WizardKind.GUEST)
    return get_object_or_404(known, slug=slug.replace("\0", " "))


@require_safe
def wizard(request: HttpRequest, slug: str) -> HttpResponse:
    """What everybody may know of a wizard."""
    shown = wizard_or_404(slug)
    viewer = player_of(request)
    is_player = shown.kind == WizardKind.PLAYER
    other = is_player and viewer is not None and viewer.pk != shown.pk
    blocked = other and Block.objects.filter(wizard=viewer, blocked=shown).exists()
    context = {
        "shown": shown,
        "is_practice": shown.kind == WizardKind.PRACTICE,
        "can_challenge": other and not shown.is_closed and not blocked,
        "can_block": other and not shown.is_closed and not blocked,
        "can_unblock": blocked,
        "can_mute": other,
        "is_muted": other and Mute.objects.filter(wizard=viewer, muted=shown).exists(),
        "rank": queries.rank_of(shown, viewer),
        "running": entries(queries.duels_to_watch(shown), as_wizard=False),
        "finished": entries(queries.finished_duels(shown, viewer), as_wizard=False),
    }
    return render(request, "duels/wizard.html", context)


@changes_only
@player_only
def wizard_block(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    try:
        commands.block(wizard=wizard, other=other, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused)
    messages.success(request, f"{other.name} is blocked.")
    return redirect("wizard", other.slug)


@changes_only
@player_only
def wizard_unblock(request: HttpRequest, wizard: Wizard, slug: str) -> HttpResponse:
    other = wizard_or_404(slug)
    commands.unblock(wizard=wizard, other=other)
    messages.success(request, f"{other.name} is not blocked any more.")
    return redirect("wizard", other.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """One's own wizard: made here if signing up made none; afterwards the pronouns."""
    wizard = player_of(request)
    typed = request.POST if request.method == "POST" else None
    form: forms.Form
    if wizard is None:
        form = WizardForm(typed)
    else:
        form = PronounsForm(typed, initial={"pronouns": wizard.pronouns})
    status = HTTPStatus.OK
    if typed is not None:
        status = HTTPStatus.BAD_REQUEST
        if form.is_valid():
            try:
                saved = _save(request, wizard, form)
            except commands.Refused as refused:
                form.add_error(refused.field or None, refused.text)
                status = status_of(refused)
            else:
                messages.success(request, "Saved.")
                response = redirect("settings" if wizard else "home")
                guests.keep(request, response, saved)
                return response
    context = {"form": form, "wizard": wizard, "reading_fields": reading_fields(request)}
    return render(request, "duels/settings.html", context, status=status)


def reading_fields(request: HttpRequest) -> list[tuple[str, str, Mapping[str, str], str, str]]:
    """The preferences one by one: field, label, choices, what is chosen, and a word of help."""
    chosen = asdict(preferences.reading_of(request))
    return [
        (name, preferences.LABELS[name], choices, chosen[name], preferences.HELP.get(name, ""))
        for name, choices in preferences.CHOICES.items()
    ]


def _save(request: HttpRequest, wizard: Wizard | None, form: forms.Form) -> Wizard:
    typed = form.cleaned_data
    if wizard is not None:
        return commands.change_pronouns(wizard=wizard, pronouns=typed["pronouns"])
    assert isinstance(request.user, User)
    return commands.create_wizard(
        user=request.user, name=typed["name"], pronouns=typed["pronouns"], now=timezone.now()
    )


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def account_close(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Asks, and with the wizard's name typed closes the account."""
    if request.method != "POST":
        form = CloseAccountForm(expected=wizard.name)
        return render(request, "duels/account_close.html", {"form": form})
    form = CloseAccountForm(request.POST, expected=wizard.name)
    if not form.is_valid():
        context = {"form": form}
        return render(request, "duels/account_close.html", context, status=HTTPStatus.BAD_REQUEST)
    user = request.user
    assert isinstance(user, User)
    commands.close_account(user=user, now=timezone.now())
    logout(request)
    messages.success(request, "Your account is closed. Farewell.")
    return redirect("home")
