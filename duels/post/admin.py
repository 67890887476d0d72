"""The operators' view of the outbox: it shows, filters and sends again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from duels.post import commands
from duels.post.models import Notice, SilencedAddress
from duels.read_only_admin import ReadOnly


@admin.register(Notice)
class NoticeAdmin(ReadOnly):
    list_display = (
        *(
            "pk",
            "kind",
            "wizard",
            "duel",
            "turn",
            "status",
            "dropped_for",
            "attempts",
            "last_error",
        ),
        *("created_at", "due_at", "claimed_at", "sent_at"),
    )
    list_filter = ("status", "dropped_for", "kind")
    list_select_related = ("wizard", "duel", "turn")
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "created_at"
    actions = ("resend",)

    @admin.action(description="Send these mails again")
    def resend(self, request: HttpRequest, notices: QuerySet[Notice]) -> None:
        now = timezone.now()
        again = sum(
            commands.resend_notice(notice_id=pk, now=now)
            for pk in notices.order_by("pk").values_list("pk", flat=True)
        )
        self.message_user(request, f"Queued again: {again}.", messages.SUCCESS)


@admin.register(SilencedAddress)
class SilencedAddressAdmin(ReadOnly):
    list_display = ("pk", "since", "cause", "answer", "lifted_at")
    list_filter = ("cause",)
    exclude = ("address",)  # addresses are shown to nobody
    date_hierarchy = "since"
