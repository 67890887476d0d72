"""Evidence for a case. Nothing here writes to the database.

`opening` limits what a referee may see: sealed orders and fog are opened turn by turn. `timeline`
lists everything that happened in a duel. `sight` reconstructs what an observer saw at a moment of a
turn. `dry_run` resolves a turn again, as sealed or with changes. `difference` compares two outcomes
of a turn. `branches` finds the turns before and after a turn, including void ones.
"""
