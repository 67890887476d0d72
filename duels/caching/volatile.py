"""The cache for data that may be lost at any time, such as polls, pictures and silent servers.

Code that uses it must also work if it does not answer (`redis.exceptions.RedisError`). It stores
JSON. Counts of rate limits, which must be safer, are in Django's default cache, which uses the
database while Redis is down (`spellcaster.shared_cache`).
"""

from django.core.cache import BaseCache, caches
from django.utils.connection import ConnectionProxy

cache: BaseCache = ConnectionProxy(caches, "volatile")  # type: ignore[assignment]  # it acts as one
