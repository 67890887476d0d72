"""Contexts for the pages about acts: the list of acts, each act's form, and its plan."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.text import capfirst

from duels.models import ActKind, Duel, Seat, Speech, Turn, Wizard
from duels.referees.acts.reading import NAME_OF_DUEL
from duels.referees.acts.registry import ACTS
from duels.referees.acts.shapes import ActPlan, ActSpec, FieldType
from duels.referees.cases.eligibility import parties
from duels.referees.desk.access import CaseFile
from duels.referees.desk.case import frame_context
from duels.referees.desk.evidence.opening import Opening
from duels.referees.desk.evidence.timeline import said_with
from duels.referees.desk.forms import ActForm, Choices, ConfirmForm
from duels.wording.moments import moment_words
from duels.wording.turns import turn_words

EXCERPT: Final = 60


def acts_context(file: CaseFile) -> dict[str, Any]:
    """Return the context for the list of all acts that are possible in this case."""
    return frame_context(file, "acts") | {
        "specs": [spec for spec in ACTS.values() if _fits(spec, file)],
    }


def act_context(
    file: CaseFile,
    spec: ActSpec,
    form: ActForm,
    *,
    subject: str = "",
    plan: ActPlan | None = None,
    confirm: ConfirmForm | None = None,
    fault: str = "",
) -> dict[str, Any]:
    """Return the context for an act's form and, if the act is planned, its changes."""
    return frame_context(file, "acts") | {
        "spec": spec,
        "form": form,
        "subjects": [(str(each.pk), each.name, str(each.pk) == subject) for each in wizards(file)]
        if "duel" not in spec.subjects
        else [],
        "subject": subject,
        "plan": plan,
        "confirm": confirm,
        "fault": fault,
        "typed": form.typed if plan is not None else {},
    }


def _fits(spec: ActSpec, file: CaseFile) -> bool:
    return "wizard" in spec.subjects or file.case.duel_id is not None


def spec_of(kind: str, file: CaseFile) -> ActSpec | None:
    """Return the act with this name if it is possible in this case."""
    spec = ACTS.get(ActKind(kind)) if kind in ActKind.values else None
    return spec if spec is not None and _fits(spec, file) else None


def wizards(file: CaseFile) -> Sequence[Wizard]:
    """Return the wizards involved in the case, including its author and replaced players."""
    return list(Wizard.objects.filter(pk__in=parties(file.case)).order_by("name"))


def choices_for(duel: Duel | None, opening: Opening) -> Mapping[FieldType, Choices]:
    """Return the choices for the selects in an act's form, by field type."""
    if duel is None:
        return {}
    seats = list(Seat.objects.filter(duel=duel, place__isnull=False).select_related("wizard"))
    own = [(seat.code, seat.wizard.name) for seat in seats]
    turns = list(Turn.objects.filter(duel=duel).order_by("-ordinal"))
    said = Speech.objects.filter(duel=duel, removed_at=None)
    said = said.select_related("wizard").order_by("-pk")
    return {
        FieldType.SEAT: own,
        FieldType.RESULT: [*((code, f"{name} wins") for code, name in own), ("draw", "A draw")],
        FieldType.TURN: [
            (str(turn.ordinal), capfirst(turn_words(duel.ruleset, turn.number, turn.kind)))
            for turn in turns
        ],
        FieldType.SPEECH: [
            *([(NAME_OF_DUEL, f"Name of the duel: {duel.name}")] if duel.name else []),
            *((str(each.pk), _speech_words(each)) for each in said),
            *_said_with_orders(turns, dict(own), opening),
        ],
    }


def _speech_words(speech: Speech) -> str:
    return f"{speech.wizard.name}, {moment_words(speech.said_at)}: {_excerpt(speech.words)}"


def _said_with_orders(
    turns: Sequence[Turn], names: Mapping[str, str], opening: Opening
) -> Iterator[tuple[str, str]]:
    """Yield the messages sent with orders, except removed ones, that this referee may see."""
    for turn in turns:
        for said in said_with(turn, opening):
            if said.wizard not in turn.silenced:
                words = f"{names[said.wizard]}, turn {turn.ordinal}: {_excerpt(said.words)}"
                yield f"turn {turn.ordinal} {said.wizard}", words


def _excerpt(words: str) -> str:
    return words if len(words) <= EXCERPT else f"{words[:EXCERPT]}…"
