"""What a case can be judged by. Everything is read and computed here, and nothing is written.

`opening` says how far a referee may look: what is sealed or fogged is opened turn by turn.
`timeline` has all that happened in a duel, `sight` what somebody had before them at a moment of a
turn, `dry_run` a turn resolved again, as it was sealed or with something changed, `difference` what
two outcomes of one turn have not in common, and `branches` the turns around a turn, void ones too.
"""
