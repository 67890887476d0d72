"""Rules changed one at a time, to see whether any test notices: `python -m tests.engine.mutants`.

`values` changes what is written down as data: switches of rulesets, rows of the book, tables and
constants, the order of the phases. `code` changes what stands in the functions of the engine: the
conditions, the spells they name, the numbers. `jury` tries cases, matrix and recorded duels,
`later` the other tests of the engine; `kept` holds what was found from one run to the next.
"""
