"""The settings of sites under test: the site's own, with passwords hashed fast.

Only `tests/sites.py` and `tests/shown.py` name this module; no variable of a real site leads here.
"""

import os

from spellcaster.settings import *  # noqa: F403  # every setting except those below

# Hashing a password well takes a third of a second, by design.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if DEBUG and "STATIC_ROOT" in os.environ:  # noqa: F405
    # Files that are collected are served as they are, even in debug mode: a page then needs a
    # sixth of the requests, and none of them searches for its file.
    STORAGES |= {"staticfiles": {"BACKEND": "tests.collected.CollectedFiles"}}  # noqa: F405
    WHITENOISE_USE_FINDERS = False
    WHITENOISE_AUTOREFRESH = False
