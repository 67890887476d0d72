"""The state of a duel as text, with the effects on every being and the spells in progress.

Everything is based on an observer's `engine.play.view`. Pages and emails use this package.
"""
