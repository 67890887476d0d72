"""Admin lists of threads and messages, without the text, which only the two wizards may read."""

from django.contrib import admin

from duels.messages.models import Message, Thread
from duels.read_only_admin import ReadOnlyAdmin


@admin.register(Thread)
class ThreadAdmin(ReadOnlyAdmin):
    list_display = ("pk", "first", "second")
    search_fields = ("first__name", "second__name")


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    list_display = ("pk", "thread", "author", "sent_at", "case")
    search_fields = ("author__name",)
    date_hierarchy = "sent_at"
    exclude = ("words",)
