"""The state of a duel as one observer sees it: gestures so far, effects on beings and spells in
progress.

The state is derived from the observer's `engine.play.view`. It is shown on pages, in emails and in
pictures.
"""
