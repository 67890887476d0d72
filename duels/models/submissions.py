"""Model for submitted forms, which prevents a form that is sent twice from acting twice."""

from django.db import models

ADDRESS_LENGTH = 500
MESSAGE_LENGTH = 200


class Submission(models.Model):
    """A form that has created an object, and the page that was shown next.

    The row is written in the transaction that creates the object. It contains hashes of the form's
    key and fields, never their values.
    """

    digest = models.CharField(max_length=64, unique=True)  # hash of the form's key and address
    content = models.CharField(max_length=64)  # hash of the form's fields
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True)  # page to show next
    message = models.CharField(max_length=MESSAGE_LENGTH, blank=True)  # shown on that page
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"submission {self.pk}"
