"""Context for the page of a challenge, with its terms, its seats and the reader's choices."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse

import engine.play
from duels.commands import guests
from duels.matching import public as matching
from duels.models import MIN_WIZARDS, Duel, DuelEnding, DuelStatus, Seat, Wizard
from duels.post import public as post
from duels.queries import presence
from duels.queries.terms import changed_terms
from duels.screens.challenge.forms import ChallengeForm, CounterForm
from duels.screens.parts.people import players_online_words
from duels.screens.presence.context import presence_of
from duels.screens.primer.context import picture_of_a_turn
from duels.wording.options import selected_options
from duels.wording.rule_index import differences


def form_context(form: ChallengeForm | CounterForm) -> dict[str, Any]:
    """Return the form, with the differences of each ruleset from Bartle's."""
    told = [(ruleset, differences(ruleset)) for ruleset in engine.play.RULESETS.values()]
    return {"form": form, "rulesets": [(ruleset, lines) for ruleset, lines in told if lines]}


def challenge_address(duel_id: int, token: str) -> str:
    """Return the address of the challenge's page; `token` is "" without an invitation."""
    return reverse("invitation", args=[token]) if token else reverse("duel", args=[duel_id])


def _preview_title(duel: Duel) -> str:
    whom = "anyone" if duel.open else "you"
    return f"{duel.challenger.name} challenges {whom} to a wizards’ duel"


def _names_of_accepting_wizards(duel: Duel, seats: Iterable[Seat]) -> list[str]:
    accepted = (seat for seat in seats if seat.accepted_at)
    return [seat.wizard.name for seat in accepted if seat.wizard_id != duel.challenger_id]


def challenge_context(
    duel: Duel, viewer: Wizard | None, token: str, *, is_user: bool = False
) -> dict[str, Any]:
    """Return the context for the page of a challenge that is waiting for players or has lapsed.

    `token` is the token in the reader's invitation link, or "" without one. `is_user` states
    whether the reader has signed in, with or without a wizard.
    """
    found = Seat.objects.filter(duel=duel).select_related("wizard", "duel__limits")
    seats = list(found.order_by("pk"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    is_challenger = viewer is not None and duel.challenger_id == viewer.pk
    invited = mine is not None and mine.accepted_at is None
    free_places = max(0, duel.size - len(seats))
    is_player = viewer is not None and not viewer.is_guest
    is_for_me = bool(token) or (duel.open and (is_player or duel.open_to_guests))
    limits = matching.limits_of(seats[0].duel) if seats else None
    excluded = ""
    if limits and viewer and is_player and mine is None:
        excluded = matching.exclusion_words(limits, viewer)
    can_join = mine is None and free_places > 0 and is_for_me and not excluded
    ruleset = engine.play.RULESETS.get(duel.ruleset)
    is_gathering = duel.status == DuelStatus.GATHERING
    has_no_name = viewer is None or guests.has_generated_name(viewer)
    can_join_as_guest = has_no_name and can_join and is_gathering and not is_user
    context: dict[str, Any] = {
        "duel": duel,
        "viewer": viewer,
        # Return to this address after sign-in. The address of a rejected form accepts only POST
        # requests.
        "here": challenge_address(duel.pk, token),
        "ruleset_name": ruleset.name if ruleset else duel.ruleset,
        "ruleset": ruleset,
        "options": selected_options(duel.options),
        "differences": differences(ruleset) if ruleset else (),
        "seats": seats,
        "accepted": _names_of_accepting_wizards(duel, seats),
        "limits": limits,
        "excluded": excluded,
        "free_places": free_places if is_gathering else 0,
        "is_challenger": is_challenger,
        "can_accept": viewer is not None and (invited or can_join) and not can_join_as_guest,
        "can_join_as_guest": can_join_as_guest,
        "scene": picture_of_a_turn(duel.ruleset) if can_join_as_guest and ruleset else None,
        "can_decline": invited,
        "can_counter": invited and duel.size == MIN_WIZARDS,
        "is_too_large_to_counter": invited and duel.size > MIN_WIZARDS,
        "changed_terms": changed_terms(duel),
        "counter": duel.counters.first() if duel.ended == DuelEnding.COUNTERED else None,
        "can_leave": mine is not None and not invited and not is_challenger,
        "shows_link": bool(duel.token) and is_challenger,
        "token": token,
        "preview_title": _preview_title(duel) if duel.open or duel.token else "",
    }
    if viewer is not None and is_challenger and duel.open:
        context["people_words"] = players_online_words(viewer)
        context["gets_emails"] = post.gets_emails(viewer, duel)
    if viewer and duel.started_at is None and (state := presence.presence_state(duel.pk, viewer)):
        context["presence"] = presence_of(state)
    return context
