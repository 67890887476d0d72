"""Pictures of a duel's grid, for previews of shared links.

A `Scene` is the contents of a picture. `scene_of` creates it from an engine view, which leaves out
everything that the observer may not see. `paint_scene` renders it as a PNG. This package does not
use requests, database rows or rules.
"""
