"""Context for the page of a ruling, with the dry run of the disputed turn."""

import re
from typing import Any, Final

from duels.loaded.loading import load_turn
from duels.models import Act, ActKind, Stage, Turn
from duels.referees.cases.rulings import role_names
from duels.referees.desk.access import CaseFile
from duels.referees.desk.case import frame_context
from duels.referees.desk.dry_run import verdict_words
from duels.referees.desk.forms import RulingForm
from duels.referees.log.visible_acts import act_sentence
from duels.referees.models import Case

# Acts that can end a duel, or change its end.
ENDING_ACTS: Final = (ActKind.REMOVE, ActKind.DECLARE, ActKind.ANNUL)


def ruling_context(file: CaseFile, form: RulingForm) -> dict[str, Any]:
    """Return the context with the form, and with titles for wizards in place of their names."""
    comes_out, words = _dry_run(file.case)
    return frame_context(file, "ruling") | {
        "form": form,
        "roles": role_names(file.case).items(),
        "comes_out": comes_out,
        "verdict": words,
    }


def drafted_ruling(case: Case) -> str:
    """Return a public text for the act by which a referee ended the duel in this case, or "".

    It does not name anyone.
    """
    if case.duel is None or not case.duel.is_over:
        return ""
    ended_by = Act.objects.filter(duel=case.duel, case=case.pk, kind__in=ENDING_ACTS)
    act = ended_by.select_related("duel").order_by("-ordinal").first()
    if act is None:
        return ""
    roles = role_names(case)
    seats = case.duel.seats.select_related("wizard")
    names = {seat.code: roles[seat.wizard.name] for seat in seats}
    reason = act.reason
    for name, role in roles.items():
        reason = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", role, reason)
    return f"{act_sentence(act, names)} The reason: {reason}"


def with_evidence(words: str, case: Case) -> str:
    """Return the text of a ruling, followed by the result of the dry run of the disputed turn."""
    _, came_to = _dry_run(case)
    return f"{words}\n\n{came_to}" if came_to else words


def _dry_run(case: Case) -> tuple[bool, str]:
    """Return whether the disputed turn replays as stored, with a sentence ("" if it is not
    resolved)."""
    if case.duel_id is None or case.ordinal is None:
        return False, ""
    turns = Turn.objects.filter(duel=case.duel_id, ordinal=case.ordinal, stage=Stage.RESOLVED)
    row = turns.first()
    turn = load_turn(row.pk) if row is not None else None
    return verdict_words(turn) if turn is not None else (False, "")
