"""Marks for browser tests that do not run on the embedded site, or not only there.

Starting PostgreSQL, Redis and workers is expensive, and most pages do not depend on them. Use
`ON_BOTH` when a worker may act while a page is open, and `ON_SERVICES` when the test is about
workers or about email that is really sent.
"""

import pytest

SERVICES = pytest.param("services", marks=pytest.mark.services)
ON_SERVICES = pytest.mark.parametrize("site", [SERVICES], indirect=True)
ON_BOTH = pytest.mark.parametrize("site", ["embedded", SERVICES], indirect=True)
