"""The cache of data that may be lost at any moment: polls, pictures, silent servers.

If it does not answer (`redis.exceptions.RedisError`), its users do without it. It stores JSON. Data
that must be safer, the counts of the rate limits, are in Django's default cache, which continues in
the database while Redis is down (`spellcaster.shared_cache`).
"""

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy

cache: BaseCache = ConnectionProxy(caches, "volatile")  # type: ignore[assignment]  # it acts as one
