"""Referees' acts on a duel or a wizard, which are planned first, then carried out and logged.

    plan = acts.plan(ActKind.PAUSE, duel_id=7, by=referee, now=now)      # the changes it would make
    acts.carry_out(ActKind.PAUSE, duel_id=7, by=referee, reason=…, seen=plan.stamp, now=now)

`ACTS` lists every kind of act with the fields of its form; `fields` takes the values entered there,
as text. The referees' desk decides who may act in which case. This package prevents referees from
acting on their own duels.
"""

from duels.act_log import RefereeRef, referee_ref
from duels.commands.acts.carrying_out import carry_out, note, nudge, plan
from duels.commands.acts.reading import NAME_OF_DUEL
from duels.commands.acts.registry import ACTS
from duels.commands.acts.shapes import ActField, ActPlan, ActSpec, Change, FieldType
from duels.commands.halting import halt_for_dispute, resume_after_dispute

__all__ = [
    "ACTS",
    "NAME_OF_DUEL",
    "ActField",
    "ActPlan",
    "ActSpec",
    "Change",
    "FieldType",
    "RefereeRef",
    "carry_out",
    "halt_for_dispute",
    "note",
    "nudge",
    "plan",
    "referee_ref",
    "resume_after_dispute",
]
