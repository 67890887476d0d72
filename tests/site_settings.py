"""The settings of sites under test: the site's own, with passwords hashed fast.

Only `tests/sites.py` and `tests/shown.py` name this module; no variable of a real site leads here.
"""

from spellcaster.settings import *  # noqa: F403  # every setting but the one below

# Hashing a password well takes a third of a second, by design.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
