"""Guided duels: what is taught turn by turn, as data. Nothing here knows rows or pages.

A lesson is a setup and a script for both seats. Whoever follows it is led to its end; whoever does
not, goes on against the practice opponent, and is advised from what their own seat may know.
"""

from collections.abc import Mapping
from typing import Final

from duels.lessons.first import FIRST
from duels.lessons.script import LEARNER, RIVAL, Lesson, Step

LESSONS: Final[Mapping[str, Lesson]] = {lesson.slug: lesson for lesson in (FIRST,)}

__all__ = ["FIRST", "LEARNER", "LESSONS", "RIVAL", "Lesson", "Step"]
