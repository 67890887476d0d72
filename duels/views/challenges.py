"""Challenges: posting one, reading one, and what a wizard may answer to it."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, Protocol

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from duels import adjudication, commands, queries
from duels.forms import ChallengeForm
from duels.models import Duel, DuelStatus, Wizard
from duels.queries import presence
from duels.views.access import (
    changes_only,
    duel_or_404,
    player_of,
    player_only,
    refusal,
    status_of,
)
from duels.views.presence import presence_of
from engine.differences import differences

LONGEST_TOKEN = 43


class Answer(Protocol):
    """A command by which a wizard answers a challenge."""

    def __call__(self, *, duel_id: int, wizard: Wizard, now: datetime) -> Duel: ...


@require_http_methods(["GET", "HEAD", "POST"])
@player_only
def challenge_new(request: HttpRequest, wizard: Wizard) -> HttpResponse:
    """Write and post a challenge."""
    if request.method != "POST":
        opponent = request.GET.get("opponent", "")[:24]
        form = ChallengeForm(
            initial={"opponent": opponent, "to": ChallengeForm.NAMED} if opponent else None
        )
        return render(request, "duels/challenge_new.html", _form_context(form))
    form = ChallengeForm(request.POST)
    status = HTTPStatus.BAD_REQUEST
    if form.is_valid():
        typed = form.cleaned_data
        try:
            duel = commands.create_challenge(
                by=wizard,
                ruleset=typed["ruleset"],
                size=typed["size"],
                pace=typed["pace"],
                visibility=typed["visibility"],
                words=typed["words"],
                opponent=typed["opponent"],
                invitation=typed["to"] == ChallengeForm.INVITATION,
                strict=typed["strict"],
                sacrifice=typed["sacrifice"],
                now=timezone.now(),
            )
        except commands.Refused as refused:
            form.add_error(refused.field if refused.field in form.fields else None, refused.text)
            status = status_of(refused)
        else:
            return redirect("duel", duel.pk)
    return render(request, "duels/challenge_new.html", _form_context(form), status=status)


def _form_context(form: ChallengeForm) -> dict[str, Any]:
    """The form, and how each ruleset that it offers differs from Bartle's."""
    told = [(ruleset, differences(ruleset)) for ruleset in adjudication.rulesets().values()]
    return {"form": form, "rulesets": [(ruleset, lines) for ruleset, lines in told if lines]}


def challenge(
    request: HttpRequest, duel: Duel, viewer: Wizard | None, token: str = ""
) -> HttpResponse:
    """The page of a duel that is still gathering, or has come to nothing."""
    seats = list(duel.seats.select_related("wizard").order_by("pk"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    is_challenger = viewer is not None and duel.challenger_id == viewer.pk
    invited = mine is not None and mine.accepted_at is None
    free_places = max(0, duel.size - len(seats))
    may_join = mine is None and free_places > 0 and (duel.open or bool(token))
    link = ""
    if duel.token and (is_challenger or token):
        link = request.build_absolute_uri(reverse("invitation", args=[duel.token]))
    ruleset = adjudication.rulesets().get(duel.ruleset)
    context = {
        "duel": duel,
        "ruleset_name": ruleset.name if ruleset else duel.ruleset,
        "ruleset": ruleset,
        "differences": differences(ruleset) if ruleset else (),
        "seats": seats,
        "free_places": free_places if duel.status == DuelStatus.GATHERING else 0,
        "is_challenger": is_challenger,
        "can_accept": viewer is not None and (invited or may_join),
        "can_decline": invited,
        "can_leave": mine is not None and not invited and not is_challenger,
        "invitation_link": link,
        "token": token,
    }
    felt = presence.pulse(duel.pk, viewer) if viewer and duel.started_at is None else None
    if felt is not None:
        context |= presence_of(felt)
    return render(request, "duels/challenge.html", context)


@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The page that an invitation link opens. Opening it accepts nothing."""
    if len(token) > LONGEST_TOKEN or "\0" in token:
        raise Http404("No such invitation.")
    duel = queries.challenge_by_token(token)
    if duel is None:
        raise Http404("No such invitation.")
    viewer = player_of(request)
    if duel.started_at is not None:
        return redirect("duel", duel.pk)
    return challenge(request, duel, viewer, token)


@changes_only
@player_only
def challenge_accept(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    token = request.POST.get("token", "")[: LONGEST_TOKEN + 1]
    duel_or_404(duel_id, wizard, token)
    try:
        commands.accept(duel_id=duel_id, wizard=wizard, now=timezone.now(), token=token)
    except commands.Refused as refused:
        return refusal(request, refused)
    return redirect("duel", duel_id)


@changes_only
@player_only
def challenge_decline(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    return _answered(request, wizard, duel_id, commands.decline, "You have declined.")


@changes_only
@player_only
def challenge_leave(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    return _answered(request, wizard, duel_id, commands.leave, "You have left this challenge.")


@changes_only
@player_only
def challenge_withdraw(request: HttpRequest, wizard: Wizard, duel_id: int) -> HttpResponse:
    return _answered(request, wizard, duel_id, commands.withdraw, "Your challenge is withdrawn.")


def _answered(
    request: HttpRequest, wizard: Wizard, duel_id: int, command: Answer, words: str
) -> HttpResponse:
    duel_or_404(duel_id, wizard)
    try:
        command(duel_id=duel_id, wizard=wizard, now=timezone.now())
    except commands.Refused as refused:
        return refusal(request, refused)
    messages.success(request, words)
    return redirect("home")
