"""Protection against duplicate submissions, so that a form creates an object only once.

If a form is sent several times at once, the unique digest lets only one request create the object.
The other requests wait for the end of its transaction. They then return its result, or create the
object if it failed.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction

from duels.errors import Refused
from duels.models import Submission

SUBMISSION_LIFETIME: Final = timedelta(days=7)
DELETION_BATCH: Final = 1000  # rows deleted in one sweep


class FormDigest(NamedTuple):
    """Hashes that identify a submitted form: one of its key and address, and one of its fields."""

    key: str
    content: str


class FormResult(NamedTuple):
    """The page to show after a form has been processed, and a message to show on it."""

    address: str
    message: str = ""


@transaction.atomic
def create_once(*, form: FormDigest, now: datetime, create: Callable[[], FormResult]) -> FormResult:
    """Call `create` unless this form was sent before. Return the result of the first call.

    If the result has no address, nothing was created, and the form can be sent again.
    Raise `Refused` if `create` does, or if the form was sent before with different content.
    """
    row, is_first = Submission.objects.get_or_create(
        digest=form.key, defaults={"content": form.content, "created_at": now}
    )
    if not is_first:
        return _stored_result(row, form)
    made = create()
    if not made.address:
        row.delete()
        return made
    row.address, row.message = made
    row.save(update_fields=["address", "message"])
    return made


def earlier_result(form: FormDigest, *, ignores_content: bool = False) -> FormResult | None:
    """Return the result of this form if it was sent before. Raise `Refused` like `create_once`."""
    row = Submission.objects.filter(digest=form.key).first()
    return None if row is None else _stored_result(row, form, ignores_content=ignores_content)


def delete_old_submissions(*, now: datetime) -> int:
    """Delete a batch of old submissions, which browsers no longer send again."""
    old = Submission.objects.filter(created_at__lte=now - SUBMISSION_LIFETIME).order_by(
        "created_at"
    )
    found = list(old.values_list("pk", flat=True)[:DELETION_BATCH])
    return Submission.objects.filter(pk__in=found).delete()[0]


def _stored_result(
    row: Submission, form: FormDigest, *, ignores_content: bool = False
) -> FormResult:
    if row.content != form.content and not ignores_content:
        text = (
            "You have already sent this form with different content. Nothing more has been sent. "
            "To send this version as well, send it again."
        )
        raise Refused("already_sent", text)
    return FormResult(row.address, row.message)
