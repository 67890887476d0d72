"""Guided duels, which teach the game turn by turn. Lessons are data without rows or pages.

A lesson is a setup and a script for both seats. Learners who follow the script win at its end.
Learners who leave it continue against the practice opponent, with advice based on their own view.
"""

from collections.abc import Mapping
from typing import Final

from duels.lessons.first import FIRST_LESSON
from duels.lessons.script import Lesson

LESSONS: Final[Mapping[str, Lesson]] = {lesson.slug: lesson for lesson in (FIRST_LESSON,)}
