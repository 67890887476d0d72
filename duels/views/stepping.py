"""Going through a duel turn by turn: where one is, and what lies on either side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from duels import adjudication, queries
from duels.models import Duel
from duels.queries import Depicted, TurnPage
from duels.turns import turn_words
from duels.views.access import duel_or_404, wizard_of
from duels.views.beings import beings
from duels.views.coming import progress
from duels.views.grid import history_grid
from duels.views.lists import versus
from duels.views.sharing import card, title_of
from duels.views.writing import spell_names
from engine import BeingView
from engine.view import ALL, SPECTATOR


@dataclass(frozen=True)
class Stepping:
    """The bar of steps on the page of a turn, or of a duel as it stands.

    Turns are counted from 1 without gaps; beyond the last one is the duel as it stands.
    """

    here: int
    last: int
    turns: str  # what the addresses of turns begin with
    words: str = ""  # which turn it is, in words
    seen: str = ""  # through whose eyes, where the address does not say
    beyond: str = ""  # the address of what follows the last turn
    beyond_words: str = ""

    def address(self, turn: int) -> str:
        """Where a turn is shown through the same eyes; nowhere beyond either end."""
        if not 1 <= turn <= self.last:
            return ""
        return f"{self.turns}{turn}/{self.query}"

    @property
    def query(self) -> str:
        return f"?seen={self.seen}" if self.seen else ""

    @property
    def first(self) -> str:
        return self.address(1) if self.here > 1 else ""

    @property
    def before(self) -> str:
        return self.address(self.here - 1)

    @property
    def after(self) -> str:
        return self.address(self.here + 1)

    @property
    def newest(self) -> str:
        return self.address(self.last) if self.here < self.last else ""

    @property
    def is_beyond(self) -> bool:
        """Whether it is the duel as it stands, from which steps only lead back."""
        return self.here > self.last

    @property
    def has_slider(self) -> bool:
        return self.last > 1 and not self.is_beyond


@dataclass(frozen=True)
class Eyes:
    """One way to look at a turn."""

    words: str
    address: str
    is_mine: bool  # the way in which the page looks


@require_safe
def turn(request: HttpRequest, duel_id: int, ordinal: int) -> HttpResponse:
    """One turn that has been played, as it was known when it had been."""
    viewer = wizard_of(request)
    found = duel_or_404(duel_id, viewer)
    page = queries.turn_page(found, ordinal, viewer, seen=request.GET.get("seen", ""))
    if page is None:
        raise Http404("There is no such turn, or it is not for you to see so.")
    if "known" in request.GET:
        return redirect(_known_then(page))
    return render(request, "duels/turn.html", _turn_context(page))


@require_safe
def turns(request: HttpRequest, duel_id: int) -> HttpResponse:
    """The turn that the slider asks for; without one the duel itself."""
    found = duel_or_404(duel_id, wizard_of(request))
    ordinal = asked_turn(request)
    if ordinal is None:
        return redirect("duel", found.pk)
    seen = request.GET.get("seen", "")
    steps = Stepping(ordinal, ordinal, turns_path(found.pk), seen=seen if seen.isalnum() else "")
    return redirect(steps.address(ordinal))


def asked_turn(request: HttpRequest) -> int | None:
    """The turn that a form asks for; None where it asks for none. Raises Http404 for nonsense."""
    asked = request.GET.get("turn", "")
    if not asked:
        return None
    if not (asked.isascii() and asked.isdigit() and len(asked) < 6 and int(asked)):
        raise Http404("There is no such turn.")
    return int(asked)


def turns_path(duel_id: int) -> str:
    """What the addresses of a duel's turns begin with."""
    return reverse("turns", args=[duel_id])


def steps_back(duel: Duel, last: int) -> Stepping | None:
    """The steps from the duel as it stands to the turns that have been played."""
    return Stepping(last + 1, last, turns_path(duel.pk)) if last else None


def _known_then(page: TurnPage) -> str:
    """Where an older address leads: to what the reader could know, of a duel that is over."""
    path = reverse("turn", args=[page.duel.pk, page.turn.ordinal])
    own = next((seat.code for seat in page.seats if seat.you), SPECTATOR)
    return f"{path}?seen={own}" if page.duel.is_over else path


def announced(words: str, stepping: Stepping, status: Sequence[BeingView]) -> str:
    """What a step tells those who hear the page: where they are, and how the wizards stand."""
    stand = (
        f"{being.name}, {being.damage} damage"
        for being in status
        if being.kind == "wizard" and being.damage is not None
    )
    return f"{words}, {stepping.here} of {stepping.last}. {'; '.join(stand)}."


def _eyes(page: TurnPage, stepping: Stepping) -> tuple[Eyes, ...]:
    """The ways in which the viewer may look at it; none where there is but one."""
    if len(page.eyes) == 1:
        return ()
    return tuple(
        Eyes(
            _eyes_words(page, seen),
            replace(stepping, seen=seen if seen != page.eyes[0] else "").address(stepping.here),
            seen == page.observer,
        )
        for seen in page.eyes
    )


def _eyes_words(page: TurnPage, seen: str) -> str:
    if seen == ALL:
        return "All open"
    if seen == SPECTATOR:
        return "As a spectator" if page.duel.is_over else "As a spectator sees it"
    seat = next(seat for seat in page.seats if seat.code == seen)
    if not page.duel.is_over:
        return "As you see it"
    return "As you saw it" if seat.you else f"As {seat.name} saw it"


def _turn_context(page: TurnPage) -> dict[str, object]:
    """What the page of a turn prints."""
    duel, turn = page.duel, page.turn
    spells = spell_names(duel)
    words = turn_words(duel.ruleset, turn.number, turn.kind)
    names = tuple(seat.name for seat in sorted(page.seats, key=lambda seat: seat.code))
    seen = page.observer if page.observer != page.eyes[0] else ""
    path = reverse("turn", args=[duel.pk, turn.ordinal])
    reports = tuple(report for report in (page.opening, page.report) if report)
    stepping = Stepping(
        here=turn.ordinal,
        last=page.newest,
        turns=turns_path(duel.pk),
        words=capfirst(words),
        seen=seen,
        beyond=reverse("duel", args=[duel.pk]),
        beyond_words="The end" if duel.is_over else "The duel now",
    )
    return {
        "page": page,
        "title": f"{capfirst(words)} of {versus(names)}",
        "turn_words": capfirst(words),
        "duel_title": versus(names),
        "ruleset_name": adjudication.rulesets()[duel.ruleset].name,
        "stepping": stepping,
        "eyes": _eyes(page, stepping),
        "grid": history_grid(page.view, spells),
        "older": page.view.turns[0].ordinal - 1 if page.view.turns else 0,
        "beings": beings(page.view, spells),
        "progress": progress(page.view, spells),
        "reports": reports,
        "announced": announced(capfirst(words), stepping, page.view.status),
        "card": card(
            duel,
            page.view,
            page.report,
            title=title_of(names, words),
            at=Depicted(duel.pk, names, turn.ordinal, is_end=False, is_open=duel.is_over),
            path=path,
            query=stepping.query,
        ),
    }
