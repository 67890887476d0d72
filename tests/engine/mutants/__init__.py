"""Mutants: rules changed one at a time, to see whether a test notices.

`values` changes data: switches of rulesets, rows of the book, tables, constants, and the order of
the phases. `code` changes functions of the engine: conditions, spell ids and numbers. `jury` runs
the cases, the matrix and the stored duels on a mutant, and `later` runs the other tests of the
engine. `kept` stores results between runs. The command is `python -m tests.engine.mutants`.
"""
