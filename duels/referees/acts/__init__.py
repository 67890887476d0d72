"""Referees' acts on a duel or a wizard, which are planned first, then carried out and logged.

    plan = acts.plan(ActKind.PAUSE, duel_id=7, by=referee, now=now)      # the changes it would make
    acts.carry_out(ActKind.PAUSE, duel_id=7, by=referee, reason=…, seen=plan.stamp, now=now)

`ACTS` lists every kind of act with the fields of its form; `fields` takes the values entered there,
as text. The referees' desk decides who may act in which case. This package prevents referees from
acting on their own duels.
"""
