"""Commands for challenges: create, accept, decline, counter, leave, withdraw, expire, rematch."""

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q

import engine.play
from duels.clocks.budget import Budget
from duels.clocks.clock import InvalidPace, Pace
from duels.commands.callbacks import acceptance_checks
from duels.commands.duel_limits import check_duels_at_once
from duels.commands.error_isolation import run_for_each
from duels.commands.locking import lock_duel, lock_first_duel, lock_guest
from duels.commands.opening import start_duel
from duels.commands.suspensions import check_may_act
from duels.errors import Refused
from duels.loaded import adjudication
from duels.models import (
    DEFAULT_EXCUSES,
    HUMAN_KINDS,
    MAX_DUEL_NAME_LENGTH,
    MAX_EXCUSES,
    MAX_WIZARDS,
    MAX_WORDS_LENGTH,
    MIN_WIZARDS,
    Block,
    Duel,
    DuelEnding,
    DuelStatus,
    Seat,
    Visibility,
    Wizard,
    WizardKind,
)
from duels.post.kinds.accepted import Accepted
from duels.post.kinds.challenged import Challenged
from duels.post.kinds.declined import Declined
from duels.post.kinds.lapsed import Lapsed
from duels.post.public import new_notice, notified_wizards, notify, queue_notices
from duels.typed_text import clean_line, clean_text
from duels.wording.options import selected_options

CHALLENGE_LIFETIME = timedelta(days=14)
# This limit keeps one wizard from filling the list of open challenges.
MAX_OPEN_CHALLENGES = 20
KINDS_WITH_ACCOUNT = (WizardKind.PLAYER,)
MAX_REMATCHES = 3  # requests per wizard and duel, including declined and expired ones


@transaction.atomic
def create_challenge(
    *,
    challenger: Wizard,
    ruleset: str,
    size: int,
    pace: str,
    visibility: str,
    words: str,
    opponent: Wizard | None,
    invitation: bool,
    options: Collection[str] = (),
    excuses: int = DEFAULT_EXCUSES,
    name: str = "",
    open_to_guests: bool = False,
    rated: bool = False,
    now: datetime,
) -> Duel:
    """Create a challenge to a named wizard, to anyone with its link, or to everyone.

    With `open_to_guests`, guests may also accept a challenge to everyone. A private duel is always
    friendly, even if `rated` is true.
    """
    _check_may_challenge(challenger)
    name, words = clean_line(name), clean_text(words)
    _check_terms(ruleset=ruleset, size=size, visibility=visibility, words=words, name=name)
    _check_pace(pace, excuses)
    if opponent is not None:
        _check_opponent(challenger, opponent)
    duel = Duel(
        challenger=challenger,
        ruleset=ruleset,
        options=_checked_options(ruleset, options),
        size=size,
        pace=pace,
        excuses=excuses,
        visibility=visibility,
        words=words,
        name=name,
        open_to_guests=open_to_guests,
        rated=rated,
    )
    others = [opponent] if opponent else []
    return _store_challenge(duel, others, now, invitation=invitation)


@transaction.atomic
def invite_friend(*, challenger: Wizard, ruleset: str, pace: str, now: datetime) -> Duel:
    """Create an invitation to one friend by link.

    Only the two players can see the duel. The invitation has no message and no name, so anyone with
    the link sees only who sent it.
    """
    lock_guest(challenger)
    _check_may_challenge(challenger, kinds=HUMAN_KINDS)
    _check_terms(ruleset=ruleset, size=MIN_WIZARDS, visibility=Visibility.PRIVATE)
    _check_pace(pace, DEFAULT_EXCUSES)
    duel = Duel(challenger=challenger, ruleset=ruleset, pace=pace, visibility=Visibility.PRIVATE)
    return _store_challenge(duel, [], now, invitation=True)


@transaction.atomic
def challenge_anyone(
    *, challenger: Wizard, ruleset: str, pace: str, expires_at: datetime, now: datetime
) -> Duel:
    """Create an open challenge by a player or guest to one opponent, who may also be a guest."""
    lock_guest(challenger)
    _check_may_challenge(challenger, kinds=HUMAN_KINDS)
    duel = Duel(
        challenger=challenger,
        ruleset=ruleset,
        pace=pace,
        open_to_guests=True,
        rated=challenger.kind == WizardKind.PLAYER,
        expires_at=expires_at,
    )
    return _store_challenge(duel, [], now)


@transaction.atomic
def begin_paired_duel(
    *, first: Wizard, second: Wizard, ruleset: str, pace: str, rated: bool, now: datetime
) -> Duel:
    """Begin a public duel between two wizards who are open to duels on these terms."""
    _check_may_challenge(first)
    duel = Duel(challenger=first, ruleset=ruleset, pace=pace, rated=rated, paired=True)
    _store_challenge(duel, [], now)
    return accept(duel_id=duel.pk, wizard=second, now=now)


@transaction.atomic
def accept(*, duel_id: int, wizard: Wizard, now: datetime, token: str = "") -> Duel:
    """Accept the challenge. When the last place is taken, the duel and its first turn start.

    A guest can accept with an invitation link, when invited to a rematch, or if the challenge is
    open to guests.
    """
    lock_guest(wizard)
    duel = lock_duel(duel_id)
    seats = _seats_by_joining(duel)
    seat = next((seat for seat in seats if seat.wizard_id == wizard.pk), None)
    if seat is not None and seat.accepted_at is not None:
        return duel
    _check_waits_for_players(duel, now)
    check_may_act(wizard, now)
    check_duels_at_once(wizard)
    if seat is None:
        _check_may_join(duel, seats, wizard, token)
        seat = Seat(duel=duel, wizard=wizard, invited_at=now)
        seats.append(seat)
    seat.accepted_at = now
    seat.save()
    if len(seats) == duel.size and all(seat.accepted_at for seat in seats):
        before = previous_places(duel)
        if before.keys() >= {seat.wizard_id for seat in seats}:
            seats.sort(key=lambda seat: before[seat.wizard_id])
            start_duel(duel, seats, now, by_lot=False)
        else:
            start_duel(duel, seats, now)
    else:
        notify(Accepted, [duel.challenger], duel, now, about=wizard, occasion=f"seat {seat.pk}")
    return duel


def previous_places(duel: Duel) -> dict[int, int]:
    """Return each wizard's place in the duel before this rematch, so that colours stay."""
    if duel.rematch_of_id is None:
        return {}
    taken = Seat.objects.filter(duel=duel.rematch_of_id, place__isnull=False)
    return {seat.wizard_id: seat.place or 0 for seat in taken}


@transaction.atomic
def decline(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Decline an invitation. If the challenge is open or has a link, others can take the place."""
    duel = lock_duel(duel_id)
    seat = Seat.objects.filter(duel=duel, wizard=wizard, accepted_at__isnull=True).first()
    if seat is None or duel.status != DuelStatus.GATHERING:
        raise Refused("not_invited", "This challenge is not waiting for your answer.")
    _free_place(duel, seat, now)
    return duel


@transaction.atomic
def make_counterproposal(
    *,
    duel_id: int,
    wizard: Wizard,
    ruleset: str,
    options: Collection[str],
    pace: str,
    now: datetime,
) -> Duel:
    """Replace a challenge between two wizards with a counter-proposal of other terms.

    A repeated call returns the same challenge.
    """
    lock_guest(wizard)
    duel = lock_duel(duel_id)
    earlier = duel.counters.filter(challenger=wizard).first()
    if earlier is not None:
        return earlier
    _check_waits_for_players(duel, now)
    if not can_make_counterproposal(duel, wizard):
        raise Refused("not_invited", "You cannot answer this challenge with other terms.")
    _check_terms(ruleset=ruleset, size=duel.size, visibility=duel.visibility)
    _check_pace(pace, duel.excuses)
    options = _checked_options(ruleset, options)
    if (ruleset, options, pace) == (duel.ruleset, duel.options, duel.pace):
        text = "These are the terms of the challenge. Change something, or accept it."
        raise Refused("same_terms", text)
    challenger = duel.challenger
    _check_opponent(wizard, challenger, kinds=HUMAN_KINDS)
    _close_challenge(duel, DuelEnding.COUNTERED, now, except_wizards=(wizard, challenger))
    other_terms = _same_terms(duel, wizard)
    other_terms.ruleset, other_terms.options, other_terms.pace = ruleset, options, pace
    other_terms.rematch_of, other_terms.counter_to = duel.rematch_of, duel
    return _store_challenge(other_terms, [challenger], now)


def can_make_counterproposal(duel: Duel, wizard: Wizard) -> bool:
    """Return whether the wizard is invited to this duel of two and has not answered yet."""
    is_open = duel.size == MIN_WIZARDS and duel.status == DuelStatus.GATHERING
    return is_open and duel.seats.filter(wizard=wizard, accepted_at=None).exists()


@transaction.atomic
def leave(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Leave a challenge that the wizard has accepted. There is no penalty."""
    duel = lock_duel(duel_id)
    seat = Seat.objects.filter(duel=duel, wizard=wizard, accepted_at__isnull=False).first()
    if seat is None:
        raise Refused("not_in_it", "You are not in this duel.")
    if duel.status != DuelStatus.GATHERING:
        raise Refused(
            "has_started", "This duel has begun. You can no longer leave it, but you can resign."
        )
    if duel.challenger_id == wizard.pk:
        raise Refused(
            "own_challenge",
            "This is your own challenge. You cannot leave it, but you can withdraw it.",
        )
    _free_place(duel, seat, now)
    return duel


@transaction.atomic
def withdraw(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Withdraw the challenger's own challenge. Withdrawing it again has no effect."""
    duel = lock_duel(duel_id)
    if duel.challenger_id != wizard.pk:
        raise Refused("not_your_challenge", "Only the challenger can withdraw a challenge.")
    if duel.status == DuelStatus.LAPSED:
        return duel
    if duel.status != DuelStatus.GATHERING:
        raise Refused(
            "has_started",
            "This duel has begun. You can no longer withdraw the challenge, but you can resign.",
        )
    _close_challenge(duel, DuelEnding.WITHDRAWN, now, except_wizards=(wizard,))
    return duel


@transaction.atomic
def request_rematch(*, duel_id: int, wizard: Wizard, now: datetime) -> Duel:
    """Challenge the same wizards on the same terms, or accept a rematch that one proposed."""
    lock_guest(wizard)
    duel = lock_duel(duel_id)
    others = [seat.wizard for seat in _seats_by_joining(duel) if seat.wizard_id != wizard.pk]
    if len(others) == duel.size:
        raise Refused("not_your_duel", "You are not in this duel.")
    if not duel.is_over:
        raise Refused("not_over", "You can ask for a rematch when the duel is over.")
    asked = duel.rematches.exclude(status=DuelStatus.LAPSED).order_by("pk").first()
    if asked is not None:
        return accept(duel_id=asked.pk, wizard=wizard, now=now)
    if duel.rematches.filter(challenger=wizard).count() >= MAX_REMATCHES:
        text = "You cannot ask for this rematch again. Send a new challenge instead."
        raise Refused("too_many_rematches", text)
    for other in others:
        _check_opponent(wizard, other, kinds=HUMAN_KINDS)
    again = _same_terms(duel, wizard)
    again.rematch_of = duel
    return _store_challenge(again, others, now)


def expire_challenges(*, now: datetime, budget: Budget) -> tuple[int, int]:
    """Close expired challenges. Return how many were closed, and how many failed."""
    due = Duel.objects.filter(status=DuelStatus.GATHERING, expires_at__lte=now)
    found = due.order_by("pk").values_list("pk", flat=True)
    return run_for_each(found, partial(_expire, now=now), budget, "Failed to expire challenge")


@transaction.atomic
def _expire(duel_id: int, *, now: datetime) -> bool:
    duel = lock_first_duel(Duel.objects.filter(pk=duel_id))
    if duel is None or duel.status != DuelStatus.GATHERING or duel.expires_at > now:
        return False
    _close_challenge(duel, DuelEnding.EXPIRED, now)
    return True


def _same_terms(duel: Duel, challenger: Wizard) -> Duel:
    """Return a new challenge on the terms of this duel."""
    return Duel(
        challenger=challenger,
        ruleset=duel.ruleset,
        options=duel.options,
        size=duel.size,
        pace=duel.pace,
        excuses=duel.excuses,
        visibility=duel.visibility,
        name=duel.name,
        rated=duel.rated,
    )


def _store_challenge(
    duel: Duel, others: Sequence[Wizard], now: datetime, *, invitation: bool = False
) -> Duel:
    """Store a challenge to these wizards. With `invitation`, it can be accepted with a link."""
    challenger = duel.challenger
    check_may_act(challenger, now)
    if challenger.challenges.filter(status=DuelStatus.GATHERING).count() >= MAX_OPEN_CHALLENGES:
        raise Refused(
            "too_many_challenges",
            "You have too many open challenges. Wait for answers, or withdraw one.",
        )
    check_duels_at_once(challenger)
    # An invitation to a named wizard keeps its link, which others can use if they decline.
    duel.token = secrets.token_urlsafe() if invitation else None
    duel.open = len(others) + 1 < duel.size and not invitation
    duel.open_to_guests = duel.open_to_guests and duel.open
    duel.rated = duel.rated and duel.visibility == Visibility.PUBLIC
    duel.created_at, duel.expires_at = now, duel.expires_at or now + CHALLENGE_LIFETIME
    duel.save()
    Seat.objects.create(duel=duel, wizard=challenger, invited_at=now, accepted_at=now)
    for other in others:
        Seat.objects.create(duel=duel, wizard=other, invited_at=now)
    notify(Challenged, others, duel, now, about=challenger)
    return duel


def _free_place(duel: Duel, seat: Seat, now: datetime) -> None:
    """Free this place, or close the challenge if nobody else can take the place."""
    wizard, occasion = seat.wizard, f"seat {seat.pk}"
    if not duel.open and duel.token is None:
        _close_challenge(duel, DuelEnding.DECLINED, now, except_wizards=(wizard, duel.challenger))
    else:
        seat.delete()
    notify(Declined, [duel.challenger], duel, now, about=wizard, occasion=occasion)


def _close_challenge(
    duel: Duel, ending: DuelEnding, now: datetime, *, except_wizards: Sequence[Wizard] = ()
) -> None:
    """Close the challenge without a duel, and notify the wizards concerned, except
    `except_wizards`.

    If the challenge expired, notify all its wizards, otherwise only those who accepted it. If it
    was declined, also notify wizards who got an email about it.
    """
    duel.status = DuelStatus.LAPSED
    duel.ended = ending
    duel.ended_at = now
    duel.save(update_fields=["status", "ended", "ended_at"])
    Seat.objects.filter(duel=duel).update(duel_ended_at=now)
    seats = (
        Seat.objects.filter(duel=duel).exclude(wizard__in=except_wizards).select_related("wizard")
    )
    mailed = (
        notified_wizards(Challenged.code, duel) if ending == DuelEnding.DECLINED else set[int]()
    )
    challenger = duel.challenger
    queue_notices(
        new_notice(
            Lapsed,
            seat.wizard,
            duel,
            now,
            # An email to someone else counts towards the challenger's limit; one to the challenger
            # does not.
            about=challenger if seat.wizard_id != challenger.pk else None,
        )
        for seat in seats
        if seat.accepted_at or ending == DuelEnding.EXPIRED or seat.wizard_id in mailed
    )


def _seats_by_joining(duel: Duel) -> list[Seat]:
    return list(Seat.objects.filter(duel=duel).select_related("wizard").order_by("pk"))


def _check_pace(pace: str, excuses: int) -> None:
    try:
        Pace.parse(pace)
    except InvalidPace as error:
        raise Refused("unknown_pace", error.text, field=error.field) from error
    if not 0 <= excuses <= MAX_EXCUSES:
        text = f"Choose at most {MAX_EXCUSES} extensions for each wizard."
        raise Refused("wrong_excuses", text, field="excuses")


def _check_terms(
    *, ruleset: str, size: int, visibility: str, words: str = "", name: str = ""
) -> None:
    if ruleset not in engine.play.RULESETS:
        raise Refused("unknown_ruleset", "Choose a ruleset from the list.", field="ruleset")
    if not MIN_WIZARDS <= size <= MAX_WIZARDS:
        text = f"Choose {MIN_WIZARDS} to {MAX_WIZARDS} wizards."
        raise Refused("wrong_size", text, field="size")
    if visibility not in Visibility.values:
        raise Refused("unknown_visibility", "Choose who can watch.", field="visibility")
    if len(words) > MAX_WORDS_LENGTH:
        text = f"Use at most {MAX_WORDS_LENGTH} characters."
        raise Refused("words_too_long", text, field="words")
    if len(name) > MAX_DUEL_NAME_LENGTH:
        text = f"Use at most {MAX_DUEL_NAME_LENGTH} characters."
        raise Refused("name_too_long", text, field="name")


def _checked_options(ruleset: str, options: Collection[str]) -> list[str]:
    """Return these options, or raise `Refused` if the ruleset lacks one. rules: R24"""
    known = adjudication.available_options(ruleset)
    for option in selected_options(options):
        if option.name not in known:
            raise Refused("no_such_option", option.missing, field=option.name, rule=option.rule)
    return [option.name for option in selected_options(options)]


def _check_opponent(
    challenger: Wizard, opponent: Wizard, *, kinds: Collection[str] = KINDS_WITH_ACCOUNT
) -> None:
    if opponent.pk == challenger.pk:
        raise Refused("own_opponent", "You cannot challenge yourself.", field="opponent")
    if opponent.kind not in kinds:
        text = f"You cannot challenge {opponent}."
        raise Refused("opponent_not_player", text, field="opponent")
    if opponent.is_closed:
        raise Refused("opponent_gone", f"{opponent} has left.", field="opponent")
    if _is_blocked_between(challenger, [opponent]):
        text = f"You and {opponent} cannot challenge each other."
        raise Refused("blocked", text, field="opponent")


def _check_may_challenge(wizard: Wizard, *, kinds: Collection[str] = KINDS_WITH_ACCOUNT) -> None:
    if wizard.kind not in kinds:
        raise Refused("players_only", "Challenges need an account. Sign up first.")
    if wizard.is_closed:
        raise Refused("account_closed", "This account is closed.")


def _check_waits_for_players(duel: Duel, now: datetime) -> None:
    if duel.status == DuelStatus.LAPSED or (
        duel.status == DuelStatus.GATHERING and duel.expires_at <= now
    ):
        raise Refused("challenge_lapsed", "This challenge is no longer open.")
    if duel.status != DuelStatus.GATHERING:
        raise Refused("has_started", "This duel has begun without you.")


def _check_may_join(duel: Duel, seats: Sequence[Seat], wizard: Wizard, token: str) -> None:
    has_link = duel.token is not None and secrets.compare_digest(
        duel.token.encode(), token.encode()
    )
    if not duel.open and not has_link:
        raise Refused("not_invited", "This challenge is not addressed to you.")
    _check_may_challenge(
        wizard, kinds=HUMAN_KINDS if has_link or duel.open_to_guests else KINDS_WITH_ACCOUNT
    )
    if len(seats) >= duel.size:
        raise Refused("no_place", "All places in this duel are taken.")
    if _is_blocked_between(wizard, [seat.wizard for seat in seats]):
        raise Refused("blocked", "You and a wizard in this duel cannot challenge each other.")
    if not has_link:
        for check in acceptance_checks:
            check(duel, wizard)


def _is_blocked_between(wizard: Wizard, others: Sequence[Wizard]) -> bool:
    return Block.objects.filter(
        Q(wizard=wizard, blocked__in=others) | Q(wizard__in=others, blocked=wizard)
    ).exists()
