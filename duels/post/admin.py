"""The operators' admin for the outbox of emails. It lists, filters and resends notices."""

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from duels.loaded.database_clock import site_now
from duels.models import ActKind, User
from duels.post.commands import delivering
from duels.post.models import Notice, SilencedAddress
from duels.read_only_admin import DELIVERY_COLUMNS, ReadOnlyAdmin
from duels.referees.log.act_log import log_operator_action


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ("pk", "kind", "wizard", "duel", "turn", *DELIVERY_COLUMNS)
    list_filter = ("status", "dropped_for", "was_interrupted", "kind")
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "created_at"
    actions = ("resend",)

    @admin.action(description="Send these emails again")
    def resend(self, request: HttpRequest, notices: QuerySet[Notice]) -> None:
        assert isinstance(request.user, User)
        now, again = site_now(), 0
        for notice in notices.select_related("duel").order_by("pk"):
            with transaction.atomic():
                if delivering.resend_notice(notice_id=notice.pk, now=now):
                    again += 1
                    log_operator_action(
                        ActKind.SEND_AGAIN,
                        request.user,
                        now,
                        duel=notice.duel,
                        wizard_id=notice.wizard_id,
                        facts={"notice": notice.pk, "kind": str(notice.kind)},
                    )
        self.message_user(request, f"Queued again: {again}.", messages.SUCCESS)


@admin.register(SilencedAddress)
class SilencedAddressAdmin(ReadOnlyAdmin):
    list_display = ("pk", "since", "cause", "answer", "lifted_at")
    list_filter = ("cause",)
    exclude = ("address",)  # never shows addresses
    date_hierarchy = "since"
