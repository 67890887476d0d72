"""Settings of sites under test: the site's own, with changes that make processes start faster.

Only `tests/sites.py` and `tests/sample_pages/site.py` use this module; real sites cannot select it.
"""

import gc
import os

from spellcaster.settings import *  # noqa: F403  # every setting except those below

# collect garbage rarely: these processes end soon, and full collections scan all of Django
gc.set_threshold(50_000, 20, 20)

# hash passwords fast, because secure hashing takes a third of a second by design
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if DEBUG and "STATIC_ROOT" in os.environ:  # noqa: F405
    # Serve collected files even in debug mode. Then a page needs only a sixth of the requests, and
    # Django does not have to search for the files.
    STORAGES |= {"staticfiles": {"BACKEND": "tests.collected.CollectedFiles"}}  # noqa: F405
    WHITENOISE_USE_FINDERS = False
    WHITENOISE_AUTOREFRESH = False
