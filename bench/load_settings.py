"""Settings of the site that `bench.load` measures: production's, and a bare page."""

from tests.site_settings import *  # noqa: F403  # every setting except the next one

ROOT_URLCONF = "bench.urls"
