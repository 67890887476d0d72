"""Contexts for a case's pages: its notes, referees and acts, and links to its evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.paginator import Paginator
from django.urls import reverse
from django.utils.text import capfirst

import engine.play
import engine.words
from duels.desk.access import CaseFile
from duels.desk.evidence.timeline import KINDS, timeline
from duels.desk.forms import CloseForm, HandOverForm, NoteForm, ReasonForm
from duels.desk.pages.queue import names_of
from duels.loaded import adjudication
from duels.models import Act, ActKind, Duel, DuelStatus, Turn, User
from duels.pages.outcomes import outcome_words
from duels.referee.public import Assignment, Case, can_be_claimed, notes_of, public_name
from duels.wording.moments import span_words
from duels.wording.turns import turn_words

ACTS_ON_A_PAGE: Final = 50


@dataclass(frozen=True)
class Tab:
    """A tab for one of the pages of a case."""

    words: str
    address: str
    is_here: bool


@dataclass(frozen=True)
class TurnLink:
    """A link to the evidence for a turn of the case's duel."""

    ordinal: int
    words: str
    address: str
    is_disputed: bool
    is_here: bool = False


def tabs(case: Case, here: str) -> tuple[Tab, ...]:
    """Return the tabs of a case. Reports about wizards' names have no duel and no evidence."""
    pages = {"case": ("Case", reverse("desk_case", args=[case.pk]))}
    if case.duel_id is not None:
        pages["timeline"] = ("Timeline", reverse("desk_timeline", args=[case.pk]))
        ordinal = case.ordinal or 1
        pages["turn"] = ("Turns", reverse("desk_turn", args=[case.pk, ordinal]))
        pages["dry-run"] = ("Dry run", reverse("desk_dry_run", args=[case.pk, ordinal]))
    pages["acts"] = ("Actions", reverse("desk_acts", args=[case.pk]))
    pages["ruling"] = ("Ruling", reverse("desk_ruling", args=[case.pk]))
    return tuple(Tab(words, address, name == here) for name, (words, address) in pages.items())


def frame_context(file: CaseFile, here: str) -> dict[str, Any]:
    """Return the context shared by all pages of a case."""
    case = file.case
    return {
        "file": file,
        "case": case,
        "tabs": tabs(case, here),
        "duel_names": engine.words.versus_text(names_of(case.duel)) if case.duel else "",
        "holder": public_name(case.referee) if case.referee else "",
    }


def case_context(
    file: CaseFile, now: datetime, forms: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the context of a case's first page. `forms` are submitted forms with errors."""
    case, given = file.case, forms or {}
    context = frame_context(file, "case") | {
        "age": span_words((case.ended_at or now) - case.opened_at),
        "can_be_claimed": not file.is_held and can_be_claimed(case, now),
        "notes": notes_of(case, for_players=False),
        "assignments": list(Assignment.objects.filter(case=case)),
        "acts": list(Act.objects.filter(case=case.pk)),
        "appeals": list(case.appeals.select_related("wizard")),
        "rulings": list(case.rulings.order_by("pk")),
        "note_form": given.get("note") or NoteForm(prefix="note"),
        "turns": turn_links(case),
    }
    if case.duel is not None:
        context |= duel_context(case.duel)
    if file.is_held:
        context |= {
            "hand_over_form": given.get("hand_over")
            or HandOverForm(referee=file.referee, prefix="hand_over"),
            "give_back_form": given.get("give_back") or ReasonForm(prefix="give_back"),
        }
        if not case.is_dispute:
            context["close_form"] = given.get("close") or CloseForm(prefix="close")
    return context


def duel_context(duel: Duel) -> dict[str, Any]:
    """Return the state of a duel that a spectator may see."""
    seats = list(duel.seats.select_related("wizard").order_by("place"))
    names = {seat.code: seat.wizard.name for seat in seats}
    return {
        "seats": seats,
        "ruleset": engine.play.RULESETS[duel.ruleset],
        "rules_name": adjudication.ruleset_label(duel),
        "outcome": outcome_words(duel, names) if duel.is_over else "",
    }


def turn_links(case: Case, here: Turn | None = None) -> tuple[TurnLink, ...]:
    """Return links to all turns of the duel, including void ones."""
    if case.duel is None:
        return ()
    turns = Turn.with_voided.filter(duel=case.duel).order_by("voided_in", "ordinal")
    return tuple(
        TurnLink(
            turn.ordinal,
            turn_title(case.duel, turn),
            reverse("desk_turn", args=[case.pk, turn.ordinal]) + turn_query(turn),
            turn.ordinal == case.ordinal and not turn.voided_in,
            here is not None and turn.pk == here.pk,
        )
        for turn in turns.only("ordinal", "number", "kind", "voided_in")
    )


def turn_title(duel: Duel, turn: Turn) -> str:
    """Return the turn's name, with the rollback that made it void, if any."""
    words = capfirst(turn_words(duel.ruleset, turn.number, turn.kind))
    return f"{words}, void since rollback {turn.voided_in}" if turn.voided_in else words


def turn_query(turn: Turn) -> str:
    """Return the query string that identifies a void turn, otherwise ""."""
    return f"?void={turn.voided_in}" if turn.voided_in else ""


def timeline_context(file: CaseFile, kind: str) -> dict[str, Any]:
    """Return the context of the timeline, with all entries or those of one kind."""
    assert file.duel is not None
    kind = kind if kind in KINDS else ""
    address = reverse("desk_timeline", args=[file.case.pk])
    entries = timeline(file.duel, file.opening)
    return frame_context(file, "timeline") | {
        "entries": [each for each in entries if not kind or each.kind == kind],
        "kinds": [
            Tab("Everything", address, not kind),
            *(Tab(words, f"{address}?kind={each}", each == kind) for each, words in KINDS.items()),
        ],
    }


def log_context(referee: User, page_number: str) -> dict[str, Any]:
    """Return the context for a page of the log of acts, newest first.

    Until a duel is over, a referee who plays in it does not see which of its sealed orders were
    opened. Promise 10
    """
    own = Duel.objects.filter(status=DuelStatus.RUNNING, seats__wizard__user=referee)
    acts = Act.objects.select_related("duel").order_by("-pk")
    acts = acts.exclude(kind=ActKind.OPEN_SEALED, duel__in=own.values("pk"))
    page = Paginator(acts, ACTS_ON_A_PAGE).get_page(page_number)
    return {"acts": list(page), "page": page, "asked": ""}
