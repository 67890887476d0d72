"""A duel as one observer sees it: the history of gestures, the effects on every being, and the
spells in progress.

Everything is based on an observer's `engine.play.view`. Pages, emails and pictures only render it.
"""
