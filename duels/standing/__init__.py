"""The state of a duel as one observer sees it: gestures so far, effects on beings and spells in
progress.

The state is derived from the observer's `engine.play.view`. Pages, emails and pictures render it.
"""
