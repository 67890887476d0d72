"""Pictures of a duel's grid for share links.

`Scene` is the contents of a picture. `scene_of` creates it from a view of the engine, which leaves
out everything that the observer may not see. `paint_scene` renders it as a PNG. This package does
not use requests, rows or rules.
"""
