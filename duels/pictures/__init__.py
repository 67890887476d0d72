"""A duel's grid as a picture, for those who follow a share link.

`Scene` is all that a picture shows; `scene_of` takes it from an engine's view, which has left out
whatever the observer may not know; `painted` makes a PNG of it. Nothing here knows of requests,
rows or rules.
"""

from duels.pictures.columns import HEIGHT, WIDTH
from duels.pictures.painting import STYLE, painted
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
    "painted",
    "scene_of",
]
