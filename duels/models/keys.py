"""Fingerprints of the keys that all of the site's processes must share."""

from django.db import models

from duels.models.constraints import one_of


class KeyPurpose(models.TextChoices):
    SEALS = "seals", "sealed orders"
    LINKS = "links", "sessions and links"


class SiteKey(models.Model):
    """The fingerprint of the site's key for one purpose.

    The first process records it, and processes without this key do not start. The key itself is not
    stored.
    """

    purpose = models.CharField(max_length=5, choices=KeyPurpose, primary_key=True)
    fingerprint = models.CharField(max_length=64)
    earlier = models.JSONField(default=list, blank=True)  # fingerprints of earlier keys
    noted_at = models.DateTimeField()

    class Meta:
        constraints = [one_of("purpose", KeyPurpose, name="site_key_purpose")]

    def __str__(self) -> str:
        return f"the key for {self.get_purpose_display()}"
