"""The cache of what may be lost at any moment: polls, pictures, which servers are silent.

Where it does not answer (`redis.exceptions.RedisError`) whoever asks does without. It holds JSON.
What must not be lost so easily, the counts of the rate limits, stands in Django's default cache,
which lives on in the database while Redis is away (`spellcaster.shared_cache`).
"""

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy

cache: BaseCache = ConnectionProxy(caches, "volatile")  # type: ignore[assignment]  # it acts as one
