"""Commands that create, change, block, unblock and anonymise wizards."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import IntegrityError, transaction

from duels.accounts import names, preferences
from duels.commands.challenges import decline, leave
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.loaded.database_clock import site_now
from duels.models import Block, Duel, DuelStatus, Mute, Pronouns, Seat, User, Wizard
from duels.models.wizards import MAX_ABOUT_LENGTH
from duels.post.public import delete_mail_choices
from duels.push.public import delete_push_data
from duels.typed_text import clean_line


@transaction.atomic
def create_wizard(*, user: User, name: str, pronouns: str, now: datetime) -> Wizard:
    """Create a wizard for the user, or return the one they already have."""
    # After a double click, the second request waits here, and then finds the new wizard instead of
    # failing because the name is taken.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    existing = Wizard.objects.filter(user=user).first()
    if existing is not None:
        return existing
    _check_pronouns(pronouns)
    created = create_wizard_if_name_available(
        available_name(name), user=user, pronouns=pronouns, created_at=now
    )
    if created is None:  # another user has just taken the name
        raise _name_taken_refusal()
    return created


def create_wizard_if_name_available(name: str, **columns: Any) -> Wizard | None:
    """Create a wizard. Return None if the name is taken or looks like a taken name."""
    try:
        with transaction.atomic():
            return Wizard.objects.create(**names.name_columns(name), **columns)
    except IntegrityError:
        return None


def available_name(name: str) -> str:
    """Return the name as it will be stored. Raise `Refused` if it is reserved or taken."""
    name = names.validated_name(name)
    if Wizard.objects.filter(skeleton=names.confusable_skeleton(name)).exists():
        raise _name_taken_refusal()
    return name


@transaction.atomic
def change_pronouns(*, wizard: Wizard, pronouns: str, now: datetime | None = None) -> Wizard:
    """Change the wizard's pronouns for duels that start from now on."""
    _check_pronouns(pronouns)
    check_may_act(Wizard.objects.get(pk=wizard.pk), now or site_now())
    Wizard.objects.filter(pk=wizard.pk).update(pronouns=pronouns)
    wizard.pronouns = pronouns
    return wizard


@transaction.atomic
def change_profile(*, wizard: Wizard, about: str, shows_last_seen: bool, now: datetime) -> None:
    """Change the line about the wizard, and whether others see when they last visited."""
    row = Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk)
    check_may_act(row, now)
    row.about = clean_line(about)
    if len(row.about) > MAX_ABOUT_LENGTH:
        raise Refused("too_long", f"Use at most {MAX_ABOUT_LENGTH} characters.", field="about")
    if row.about and row.speech_locked_at:
        text = "A referee has stopped you from sending messages, so leave this line empty."
        raise Refused("speech_locked", text, field="about")
    row.shows_last_seen = shows_last_seen
    row.seen_on = now.astimezone(UTC).date() if shows_last_seen else None
    row.save(update_fields=["about", "shows_last_seen", "seen_on"])


def note_visit(wizard: Wizard, now: datetime) -> None:
    """Record that the wizard has been on the site today, if they let others see this."""
    today = now.astimezone(UTC).date()
    if wizard.shows_last_seen and wizard.seen_on != today:
        Wizard.objects.filter(pk=wizard.pk, shows_last_seen=True).update(seen_on=today)


@transaction.atomic
def set_reading_preferences(
    *, wizard: Wizard, typed: Mapping[str, str]
) -> preferences.ReadingPreferences:
    """Change the given preferences, and leave the others unchanged."""
    row = Wizard.objects.select_for_update(no_key=True).get(pk=wizard.pk)
    reading = preferences.updated_preferences(preferences.parse_preferences(row.preferences), typed)
    wizard.preferences = preferences.non_default_preferences(reading)
    Wizard.objects.filter(pk=wizard.pk).update(preferences=wizard.preferences)
    return reading


@transaction.atomic
def block(*, wizard: Wizard, other: Wizard, now: datetime) -> Block:
    """Block the other wizard: neither can challenge the other, and their messages are hidden."""
    if wizard.pk == other.pk:
        raise Refused("own_block", "You cannot block yourself.")
    check_may_act(Wizard.objects.get(pk=wizard.pk), now)
    made, _ = Block.objects.get_or_create(
        wizard=wizard, blocked=other, defaults={"created_at": now}
    )
    _end_shared_challenges(wizard, other, now)
    return made


@transaction.atomic
def unblock(*, wizard: Wizard, other: Wizard) -> None:
    Block.objects.filter(wizard=wizard, blocked=other).delete()


def _end_shared_challenges(wizard: Wizard, other: Wizard, now: datetime) -> None:
    """Make sure that the two wizards share no challenge that is still waiting for players.

    If the blocking wizard is the challenger, the blocked wizard gives up their place. In all other
    challenges, the blocking wizard gives up theirs.
    """
    seats = Seat.objects.filter(wizard__in=[wizard, other])
    gathering = Duel.objects.filter(
        pk__in=seats.values("duel"), status=DuelStatus.GATHERING
    ).order_by("pk")
    # Lock both wizards' challenges, so that neither can join a challenge by the other, and no duel
    # starts.
    for duel in list(gathering.select_for_update(of=("self",), no_key=True)):
        together = {seat.wizard_id: seat for seat in seats.filter(duel=duel)}
        if len(together) == 2:
            goes = other if duel.challenger_id == wizard.pk else wizard
            give_up = leave if together[goes.pk].accepted_at else decline
            give_up(duel_id=duel.pk, wizard=goes, now=now)


def anonymise_wizard(wizard: Wizard, now: datetime) -> None:
    """Detach the wizard from its user, and remove personal data, except names in their duels."""
    set_name(wizard, f"Departed {wizard.pk}")
    wizard.pronouns = Pronouns.THEY
    wizard.preferences = {}
    wizard.about, wizard.shows_last_seen, wizard.seen_on = "", False, None
    wizard.user = None
    wizard.closed_at = now
    wizard.vacation_saved = wizard.vacation_counted_at = None
    wizard.vacation_began_at = wizard.vacation_ends_at = None
    wizard.suspended_at, wizard.suspended_until, wizard.suspended_for = None, None, ""
    wizard.save()
    delete_mail_choices(wizard=wizard)
    delete_push_data(wizard=wizard)
    Block.objects.filter(wizard=wizard).delete()
    Mute.objects.filter(wizard=wizard).delete()


def set_name(wizard: Wizard, name: str) -> tuple[str, ...]:
    """Give the wizard another name. Return the columns for the caller to save."""
    columns = names.name_columns(name)
    for column, value in columns.items():
        setattr(wizard, column, value)
    return tuple(columns)


def _check_pronouns(pronouns: str) -> None:
    if pronouns not in Pronouns.values:
        raise Refused("unknown_pronouns", "Choose pronouns from the list.", field="pronouns")


def _name_taken_refusal() -> Refused:
    text = "Another wizard has this name or one that looks like it. Choose a different one."
    return Refused("name_taken", text, field="name")
