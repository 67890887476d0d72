"""The forms of what referees do: which acts there are, their fields, and what each will change."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.text import capfirst

from duels.commands.acts import ACTS, ActPlan, ActSpec, FieldType
from duels.desk.access import CaseFile
from duels.desk.forms import ActForm, Choices, ConfirmForm
from duels.desk.pages.case import frame_context
from duels.models import ActKind, Duel, Seat, Speech, Turn, Wizard
from duels.moments import moment_words
from duels.referee.public import parties
from duels.turns import turn_words

SPEECHES: Final = 100  # the newest are offered
EXCERPT: Final = 60


def acts_context(file: CaseFile) -> dict[str, Any]:
    """Every act that this case has a subject for."""
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
    """The form of one act; once it is planned, what it will change and the last question."""
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
    """The act of this name, if this case has a subject for it."""
    spec = ACTS.get(ActKind(kind)) if kind in ActKind.values else None
    return spec if spec is not None and _fits(spec, file) else None


def wizards(file: CaseFile) -> Sequence[Wizard]:
    """The wizards whom the case is about, who has opened it among them, and those whom a referee
    has replaced."""
    return list(Wizard.objects.filter(pk__in=parties(file.case)).order_by("name"))


def choices_for(duel: Duel | None) -> Mapping[FieldType, Choices]:
    """What the selects of an act offer, by the type of the field."""
    if duel is None:
        return {}
    seats = list(Seat.objects.filter(duel=duel, place__isnull=False).select_related("wizard"))
    own = [(seat.code, seat.wizard.name) for seat in seats]
    turns = Turn.objects.filter(duel=duel).order_by("-ordinal").only("ordinal", "number", "kind")
    said = Speech.objects.filter(duel=duel).select_related("wizard").order_by("-pk")[:SPEECHES]
    return {
        FieldType.SEAT: own,
        FieldType.RESULT: [*((code, f"{name} wins") for code, name in own), ("draw", "A draw")],
        FieldType.TURN: [
            (str(turn.ordinal), capfirst(turn_words(duel.ruleset, turn.number, turn.kind)))
            for turn in turns
        ],
        FieldType.SPEECH: [(str(each.pk), _excerpt(each)) for each in said],
    }


def _excerpt(speech: Speech) -> str:
    words = speech.words if len(speech.words) <= EXCERPT else f"{speech.words[:EXCERPT]}…"
    return f"{speech.wizard.name}, {moment_words(speech.said_at)}: {words}"
