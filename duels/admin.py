"""The operators' admin. It lists and filters rows and can resolve stuck turns, but cannot edit
duels.

Operators cannot see sealed orders before their turn is resolved: no admin page has a field with the
body of orders, or with positions, drafts or dice. Chat in private duels is not shown at all;
referees see it in their cases.
"""

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import Count, Exists, Model, OuterRef, Q, QuerySet
from django.http import HttpRequest

import engine.orders
from duels import errors, models
from duels.errors import MissingKey
from duels.loaded.database_clock import site_now
from duels.read_only_admin import ReadOnlyAdmin
from duels.referees.acts import carrying_out
from duels.sealing import seals

if TYPE_CHECKING:  # generic only for the type checker
    SeatTable = admin.TabularInline[models.Seat, models.Duel]
else:
    SeatTable = admin.TabularInline
SIGN_IN_COLUMNS = ("is_verified", "date_joined", "last_login")
DUEL_COLUMNS = tuple(
    "pk status challenger ruleset size pace visibility lesson ended result created_at "
    "started_at ended_at".split()
)
TURN_COLUMNS = tuple(
    "pk duel ordinal voided_in number kind stage batch awaited opened_at closed_at attempts "
    "last_error".split()
)
ORDERS_COLUMNS = tuple(
    "pk turn seat stage batch commitment source sealed_at superseded taken_back_at".split()
)


@admin.register(models.User)
class UserAdmin(ReadOnlyAdmin):
    """Users, also searchable by exact email address. The address itself is not shown."""

    list_display = ("pk", "wizard", "is_active", "is_staff", *SIGN_IN_COLUMNS)
    list_filter = ("is_active", "is_staff")
    list_select_related = ("wizard",)
    search_fields = ("wizard__name", "=email")
    fields = ("is_active", "is_staff", "is_superuser", "groups", *SIGN_IN_COLUMNS)
    readonly_fields = ("is_verified",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.User]:
        verified = EmailAddress.objects.filter(user=OuterRef("pk"), verified=True)
        users: QuerySet[models.User] = (
            super().get_queryset(request).annotate(verified=Exists(verified))
        )
        return users

    @admin.display(description="verified address", boolean=True)
    def is_verified(self, user: Any) -> bool:
        verified: bool = user.verified
        return verified


# The admin pages of these packages would allow edits and show secrets. An operator could take over
# any account by adding a verified address and requesting a password reset by email. Only users
# themselves may see where they are signed in.
admin.site.unregister([EmailAddress, Authenticator, Group, UserSession])


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnlyAdmin):
    """The types of users' second factors. Their data is secret."""

    list_display = fields = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    search_fields = ("user__wizard__name",)


@admin.register(Group)
class GroupAdmin(ReadOnlyAdmin):
    """The list of referees. Use `manage.py referees` to appoint and dismiss them."""

    list_display = fields = ("name", "members")
    readonly_fields = ("members",)

    @admin.display(description="members")
    def members(self, group: Group) -> str:
        return ", ".join(
            str(pk) for pk in group.user_set.order_by("pk").values_list("pk", flat=True)
        )


@admin.register(models.Wizard)
class WizardAdmin(ReadOnlyAdmin):
    list_display = ("name", "kind", "pronouns", "created_at", "closed_at", "kept_until")
    list_filter = ("kind", ("closed_at", admin.EmptyFieldListFilter), "pronouns")
    search_fields = ("name",)
    fields = (*list_display, "slug", "vacation_began_at", "vacation_ends_at")


@admin.register(models.Block)
class BlockAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "blocked", "created_at")
    search_fields = ("wizard__name", "blocked__name")


@admin.register(models.Mute)
class MuteAdmin(ReadOnlyAdmin):
    list_display = ("wizard", "muted", "created_at")
    search_fields = ("wizard__name", "muted__name")


@admin.register(models.Speech)
class SpeechAdmin(ReadOnlyAdmin):
    """Chat messages between turns. Messages in private duels are shown without their text."""

    list_display = fields = (
        "pk",
        "duel",
        "ordinal",
        "wizard",
        "words_if_public",
        "said_at",
        "removed_at",
    )
    readonly_fields = ("words_if_public",)
    search_fields = ("=duel__id", "wizard__name")
    date_hierarchy = "said_at"

    @admin.display(description="words")
    def words_if_public(self, speech: models.Speech) -> str:
        """Return the text if everyone may read it, otherwise "removed" or "private"."""
        if speech.removed_at is not None:
            return "removed"
        return speech.words if speech.duel.visibility == models.Visibility.PUBLIC else "private"


class SeatInline(SeatTable):
    model = models.Seat
    fields = ("place", "wizard", "accepted_at", "outcome", "awaited", "awaited_since")
    readonly_fields = fields
    can_delete = False
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(models.Duel)
class DuelAdmin(ReadOnlyAdmin):
    list_display = DUEL_COLUMNS
    list_filter = ("status", "ended", "ruleset", "visibility", "pace", "lesson")
    search_fields = ("=id", "seats__wizard__name")
    date_hierarchy = "created_at"
    inlines = (SeatInline,)
    fields = (
        *DUEL_COLUMNS[1:],
        "options",
        "open",
        "rematch_of",
        "seed_commitment",
        "expires_at",
    )


@admin.register(models.Seat)
class SeatAdmin(ReadOnlyAdmin):
    list_display = ("pk", "duel", "place", "wizard", "outcome", "awaited", "awaited_since")
    list_filter = ("awaited", "outcome", "duel__status")
    search_fields = ("=duel__id", "wizard__name")


@admin.register(models.Marker)
class MarkerAdmin(ReadOnlyAdmin):
    list_display = ("pk", "holder", "bears", "duel", "won_at", "returned_at", "returned_in")
    list_filter = (("returned_at", admin.EmptyFieldListFilter),)
    search_fields = ("=duel__id", "holder__name", "bears__name")


@admin.register(models.Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = TURN_COLUMNS
    list_filter = ("stage", "kind", ("failed_at", admin.EmptyFieldListFilter))
    search_fields = ("=duel__id", "duel__seats__wizard__name")
    fields = (*TURN_COLUMNS[1:], "resigned", "excused", "chain", "failed_at")
    readonly_fields = ("awaited",)
    actions = ("nudge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[models.Turn]:
        awaited = Q(stage__in=models.OPEN_STAGES, duel__seats__awaited=True)
        counted = Count("duel__seats", filter=awaited)
        return models.Turn.with_voided.order_by("-pk").annotate(awaited_wizards=counted)

    @admin.display(description="wizards still to act")
    def awaited(self, turn: Any) -> int:
        """Return the number of wizards that the turn waits for."""
        number: int = turn.awaited_wizards
        return number

    @admin.action(description="Resolve the selected turns if they are complete")
    def nudge(self, request: HttpRequest, turns: QuerySet[models.Turn]) -> None:
        assert isinstance(request.user, models.User)
        resolved = failed = 0
        for turn_id in turns.filter(voided_in=0).order_by("pk").values_list("pk", flat=True):
            try:
                resolved += carrying_out.resolve_for_operator(
                    turn_id=turn_id, by=request.user, now=site_now()
                )
            except errors.ResolutionFailed:
                failed += 1
        level = messages.ERROR if failed else messages.SUCCESS
        self.message_user(request, f"Resolved {resolved}, failed {failed}.", level)


@admin.register(models.Act)
class ActAdmin(ReadOnlyAdmin):
    list_display = ("pk", "duel", "ordinal", "kind", "case", "referee_name", "seat", "turn", "at")
    list_filter = ("kind",)
    search_fields = ("=duel__id", "=case", "referee_name", "reason")
    date_hierarchy = "at"
    fields = (*list_display[1:], "referee", "wizard_id", "reason", "facts", "chain")


@admin.register(models.Alarm)
class AlarmAdmin(ReadOnlyAdmin):
    list_display = ("kind", "about", "words", "created_at", "status", "sent_at", "ended_at")
    list_filter = ("kind", ("ended_at", admin.EmptyFieldListFilter))
    search_fields = ("about", "words")
    date_hierarchy = "created_at"
    fields = (*list_display, "due_at", "claimed_at", "attempts", "last_error")


@admin.register(models.ReleaseCheck)
class ReleaseCheckAdmin(ReadOnlyAdmin):
    list_display = ("release", "fingerprint", "checked_at", "turns", "held", "words")
    fields = list_display


@admin.register(models.SiteKey)
class SiteKeyAdmin(ReadOnlyAdmin):
    """Fingerprints of the site's keys. The keys themselves are not stored."""

    list_display = fields = ("purpose", "fingerprint", "earlier", "noted_at")


@admin.register(models.Orders)
class OrdersAdmin(ReadOnlyAdmin):
    list_display = ORDERS_COLUMNS
    list_filter = ("stage", "source", "superseded", ("taken_back_at", admin.EmptyFieldListFilter))
    search_fields = ("=turn__duel__id", "=commitment", "seat__wizard__name")
    fields = (*ORDERS_COLUMNS[1:], "fields_when_over")
    readonly_fields = ("fields_when_over",)

    @admin.display(description="fields")
    def fields_when_over(self, orders: models.Orders) -> str:
        """Return the fields, without the message, if everyone may see them, otherwise "sealed"."""
        is_open = orders.turn.duel.is_over and orders.turn.stage == models.Stage.RESOLVED
        if not is_open or orders.superseded:
            return "sealed"
        try:
            fields = seals.decrypt_seal(orders.body).orders
            fields.pop(engine.orders.MESSAGE_FIELD, None)
        except MissingKey:
            return "key missing"
        return ", ".join(f"{name} {value}" for name, value in sorted(fields.items()))


@admin.register(models.RejectedSeal)
class RejectedSealAdmin(ReadOnlyAdmin):
    """Rejected orders and answers, without their fields."""

    list_display = fields = (
        "pk",
        "turn",
        "seat",
        "stage",
        "batch",
        "commitment",
        "code",
        "rejected_at",
    )
    list_filter = ("stage", "code")
    search_fields = ("=turn__duel__id", "=commitment", "seat__wizard__name")
