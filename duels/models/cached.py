"""Storage for values of the shared cache while Redis is down."""

from django.db import models


class CachedValue(models.Model):
    """A value that processes share for a limited time, such as a count or a lock
    (`spellcaster.shared_cache`)."""

    key = models.CharField(max_length=250, primary_key=True)
    value = models.JSONField()
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.key
