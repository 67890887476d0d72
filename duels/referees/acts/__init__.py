"""Referees' acts on a duel or a wizard. An act is planned first, then carried out and logged.

    plan = plan_act(ActKind.PAUSE, duel_id=7, by=referee, now=now)  # the changes it would make
    carry_out_act(
        ActKind.PAUSE, duel_id=7, by=referee, reason=…, seen_stamp=plan.stamp, now=now
    )

`SPEC_BY_ACT` lists every kind of act and the fields of its form. The argument `fields` contains the
values of these fields as text. The referees' desk decides which referee may act in which case. This
package prevents referees from acting on their own duels.
"""
