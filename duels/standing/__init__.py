"""The state of a duel as text: the effects on every being, and the spells in progress.

Everything comes from an observer's `engine.view`. Pages and emails use it.
"""
