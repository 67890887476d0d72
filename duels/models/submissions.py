"""Forms that were sent, stored so that a form that is sent twice does not act twice."""

from django.db import models

ADDRESS_LENGTH = 500
MESSAGE_LENGTH = 200


class Submission(models.Model):
    """A form that has created something, and the page shown next.

    The row is written in the transaction that creates it. The row contains hashes of the form's key
    and fields, never their values.
    """

    digest = models.CharField(max_length=64, unique=True)  # hash of its key and address
    content = models.CharField(max_length=64)  # hash of the form's fields
    address = models.CharField(max_length=ADDRESS_LENGTH, blank=True)  # page to show next
    message = models.CharField(max_length=MESSAGE_LENGTH, blank=True)  # shown on that page
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"submission {self.pk}"
