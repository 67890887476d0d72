"""Mutants: rules changed one at a time, to see whether a test notices.

`values` changes data: switches of rulesets, rows of the book, tables, constants, and the order of
the phases. `code` changes functions of the engine: conditions, spell ids and numbers. `rule_trials`
runs the cases, the matrix and the stored duels on a mutant, and `other_tests` runs the other tests
of the engine. `result_store` stores results between runs. The command is
`python -m tests.engine.mutants`.
"""
