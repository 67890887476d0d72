"""Pictures of a duel's grid for share links.

`Scene` is the contents of a picture. `scene_of` creates it from a view of the engine, which leaves
out everything that the observer may not see. `paint_scene` renders it as a PNG. This package does
not use requests, rows or rules.
"""

from duels.pictures.columns import HEIGHT, WIDTH
from duels.pictures.painting import STYLE, paint_scene
from duels.pictures.scene import ROWS, Duellist, Mark, Scene, SceneRow, scene_of

__all__ = [
    "HEIGHT",
    "ROWS",
    "STYLE",
    "WIDTH",
    "Duellist",
    "Mark",
    "Scene",
    "SceneRow",
    "paint_scene",
    "scene_of",
]
