"""Marks for browser tests that run on a site with services, or on both kinds of site.

Starting PostgreSQL, Redis and workers is expensive, and most pages do not depend on them. Use
`ON_BOTH` if a worker may change the duel while a page is open. Use `ON_SERVICES` for tests of
workers, or of email that is sent to a real mail server.
"""

import pytest

SERVICES = pytest.param("services", marks=pytest.mark.services)
ON_SERVICES = pytest.mark.parametrize("site", [SERVICES], indirect=True)
ON_BOTH = pytest.mark.parametrize("site", ["embedded", SERVICES], indirect=True)
