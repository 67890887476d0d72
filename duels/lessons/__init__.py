"""Guided duels: lessons turn by turn, as data independent of rows and pages.

A lesson is a setup and a script for both seats. Learners who follow the script are led to its end.
Others continue against the practice opponent, with advice based on their own view.
"""

from collections.abc import Mapping
from typing import Final

from duels.lessons.first import FIRST
from duels.lessons.script import Lesson

LESSONS: Final[Mapping[str, Lesson]] = {lesson.slug: lesson for lesson in (FIRST,)}
