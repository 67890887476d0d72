"""A problem that a check finds."""

from typing import NamedTuple


class Problem(NamedTuple):
    """A problem with the site, and what the operator can do about it, each as a sentence.

    Neither contains secrets, such as keys, passwords or addresses with passwords.
    """

    text: str
    remedy: str
