"""Base class of all admin pages, which show rows but cannot edit them."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:  # generic only for the type checker
    Admin = admin.ModelAdmin[Any]
else:
    Admin = admin.ModelAdmin


ATTEMPT_COLUMNS = ("attempts", "last_error", "created_at", "due_at", "claimed_at", "sent_at")
"""Columns of all outboxes, about attempts to send."""
DELIVERY_COLUMNS = ("status", "dropped_for", "was_interrupted", *ATTEMPT_COLUMNS)
"""Columns of the outboxes of emails and notifications, about their delivery."""


class ReadOnlyAdmin(Admin):
    """An admin page on which rows cannot be added, changed or deleted."""

    list_per_page = 50
    show_full_result_count = False

    def get_list_select_related(self, request: HttpRequest) -> Any:
        """Return the relations among the columns of the list, so that they are loaded with it."""
        relations = {field.name for field in self.opts.fields if field.is_relation}
        columns = [name for name in self.list_display if name in relations]
        return self.list_select_related or columns

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
