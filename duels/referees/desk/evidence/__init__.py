"""Evidence for a case. This package does not write to the database.

`opening` limits the information that a referee may see: referees open sealed orders and fog turn by
turn. `timeline` lists the events of a duel. `sight` reconstructs an observer's view at a moment of
a turn. `dry_run` resolves a turn again, either as sealed or with changes. `difference` compares two
outcomes of a turn. `branches` finds the turns before and after a turn, including void turns.
"""
