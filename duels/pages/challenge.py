"""A challenge: its terms, its places, and what the reader may do with it."""

from typing import Any

import engine
from duels import adjudication
from duels.forms import ChallengeForm
from duels.models import Duel, DuelStatus, Wizard
from duels.pages.presence import presence_data
from duels.queries import presence


def form_context(form: ChallengeForm) -> dict[str, Any]:
    """The form, and how each ruleset that it offers differs from Bartle's."""
    told = [(ruleset, engine.differences(ruleset)) for ruleset in adjudication.rulesets().values()]
    return {"form": form, "rulesets": [(ruleset, lines) for ruleset, lines in told if lines]}


def challenge_context(duel: Duel, viewer: Wizard | None, token: str) -> dict[str, Any]:
    """What the page of a duel prints that is still gathering, or has come to nothing.

    `token`: of the invitation by which the reader has come; empty without one.
    """
    seats = list(duel.seats.select_related("wizard").order_by("pk"))
    mine = next((seat for seat in seats if viewer and seat.wizard_id == viewer.pk), None)
    is_challenger = viewer is not None and duel.challenger_id == viewer.pk
    invited = mine is not None and mine.accepted_at is None
    free_places = max(0, duel.size - len(seats))
    may_join = mine is None and free_places > 0 and (duel.open or bool(token))
    ruleset = adjudication.rulesets().get(duel.ruleset)
    context = {
        "duel": duel,
        "ruleset_name": ruleset.name if ruleset else duel.ruleset,
        "ruleset": ruleset,
        "differences": engine.differences(ruleset) if ruleset else (),
        "seats": seats,
        "free_places": free_places if duel.status == DuelStatus.GATHERING else 0,
        "is_challenger": is_challenger,
        "can_accept": viewer is not None and (invited or may_join),
        "can_decline": invited,
        "can_leave": mine is not None and not invited and not is_challenger,
        "shows_link": bool(duel.token) and (is_challenger or bool(token)),
        "token": token,
    }
    if viewer and duel.started_at is None:
        state = presence.presence_state(duel.pk, viewer)
        context |= presence_data(state) if state else {}
    return context
