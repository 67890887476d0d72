"""Mutants: rules changed one at a time, to see whether a test notices.

`values` changes data: switches of rulesets, rows of the book, tables and constants, the order of
the phases. `code` changes the functions of the engine: conditions, the spells they name, numbers.
`jury` runs cases, matrix and recorded duels on a mutant, and `later` the other tests of the engine.
`kept` stores results from one run to the next. The command is `python -m tests.engine.mutants`.
"""
