"""Create demonstration data, including two wizards and a referee who can sign in.

The data includes the sample duel from the rules, a duel that waits for orders, a dispute about the
sample duel, and a few rated duels. Existing data is kept. This command is only for trying out the
site, because it prints the passwords.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse

from duels import demonstration, errors
from duels.archive.public import choose_daily_duel
from duels.clocks.clock import Pace
from duels.commands import challenges, endings, profiles, resolution, sealing
from duels.email_addresses import address_condition
from duels.loaded.database_clock import site_now
from duels.models import Duel, DuelStatus, Turn, User, Wizard
from duels.post.public import drop_queued, mark_page_read
from duels.referees import appointments
from duels.referees.cases.disputes import open_dispute
from duels.referees.models import Case

PASSWORD = "abracadabra"
WIZARDS = (
    (demonstration.BLACK, "he", "black@example.org"),
    (demonstration.WHITE, "she", "white@example.org"),
)
TIME_PER_TURN = timedelta(hours=3)
REFEREE: Final = "referee@example.org"


class Command(BaseCommand):
    help = __doc__

    def handle(self, **options: Any) -> None:
        if not settings.DEBUG:
            raise CommandError("DEBUG is off: the demonstration's passwords are not secret.")
        now = site_now()
        with transaction.atomic():
            black, white = (_create_wizard(*row, now) for row in WIZARDS)
            sample = _play_sample_duel(black, white, now)
            waiting = _create_waiting_duel(black, white, now)
            _create_referee()
            case = _open_dispute(sample, black, now)
            _play_rated_duels(now)
        self.stdout.write("Demonstration data:")
        for _, _, email in WIZARDS:
            self.stdout.write(f"  sign in as {email}, password {PASSWORD}")
        self.stdout.write(f"  sign in as the referee {REFEREE}, same password; for the code, run")
        self.stdout.write("    .venv/bin/python manage.py demonstration_code")
        if case is not None:
            url = f"{settings.SITE_URL}/desk/cases/{case.pk}/"
            self.stdout.write(f"  dispute for the referee: {url}")
        self.stdout.write(f"  finished duel: {settings.SITE_URL}/duels/{sample.pk}/")
        if waiting is not None:
            url = f"{settings.SITE_URL}/duels/{waiting.pk}/"
            self.stdout.write(f"  duel that waits for orders: {url}")


def _create_referee() -> User:
    """Create a referee without a wizard. `demonstration_code` replaces their authenticator app."""
    user = User.objects.filter(address_condition("email", REFEREE)).first()
    if user is None:
        user = User.objects.create_user(REFEREE, PASSWORD)
        EmailAddress.objects.create(user=user, email=REFEREE, verified=True, primary=True)
        TOTP.activate(user, generate_totp_secret())
    return appointments.appoint_referee(email=REFEREE)


def _open_dispute(sample: Duel, black: Wizard, now: datetime) -> Case | None:
    """Dispute Black's confusion on turn 10. Return None if it is too late for disputes."""
    made = Case.objects.filter(duel=sample).order_by("pk").first()
    if made is not None:
        return made
    with suppress(errors.Refused):
        made = open_dispute(
            duel_id=sample.pk,
            wizard=black,
            ordinal=10,
            category="rule",
            rule="spell:confusion",
            words="My right hand made a C that I never ordered. Who threw that die?",
            now=now,
        )
        drop_queued(duel=sample)
    return made


def _create_wizard(name: str, pronouns: str, email: str, now: datetime) -> Wizard:
    """Create a wizard, and a user who can sign in without first verifying an address."""
    user = User.objects.filter(address_condition("email", email)).first()
    if user is None:
        user = User.objects.create_user(email, PASSWORD)
        EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return profiles.create_wizard(user=user, name=name, pronouns=pronouns, now=now)


def _play_sample_duel(black: Wizard, white: Wizard, now: datetime) -> Duel:
    """Play the sample duel to its end, with the usual commands."""
    played = Duel.objects.filter(recorded_draws__isnull=False, seats__wizard=black).first()
    if played is not None:
        return played
    began = now - TIME_PER_TURN * (len(demonstration.SAMPLE_DUEL) + 1)
    duel = _begin_duel(
        black, white, began, "The sample duel of the rules.", draws=demonstration.SAMPLE_DRAWS
    )
    for number, (blacks, whites) in enumerate(demonstration.SAMPLE_DUEL, 1):
        _play_turn(duel, {black: blacks, white: whites}, began + TIME_PER_TURN * number)
    duel.refresh_from_db()
    _clear_notices(duel)
    return duel


def _play_rated_duels(now: datetime) -> None:
    """Play the rated duels, and choose a duel of the day.

    Two of the wizards do not have a password.
    """
    if Duel.objects.filter(rated=True).exists():
        return
    for name, pronouns in ((demonstration.GRIZELDA, "she"), (demonstration.OSWIN, "he")):
        user = User.objects.create_user(f"{name.lower()}@example.org")
        profiles.create_wizard(user=user, name=name, pronouns=pronouns, now=now)
    for script in demonstration.RATED_DUELS:
        _play_rated_duel(script, now - timedelta(days=script.days_ago))
    choose_daily_duel(now)


def _play_rated_duel(script: demonstration.RatedDuel, at: datetime) -> None:
    one, other = wizards = [Wizard.objects.get(name=name) for name in (script.one, script.other)]
    duel = _begin_duel(one, other, at, "", rated=True)
    _play_gestures(duel, dict(zip(wizards, script.gestures, strict=True)), at)
    if script.end == "resign":
        endings.resign(duel_id=duel.pk, wizard=other, now=at)
    elif script.end == "draw":
        for wizard in wizards:
            endings.offer_draw(duel_id=duel.pk, wizard=wizard, ordinal=None, now=at)
    _clear_notices(duel)


def _create_waiting_duel(black: Wizard, white: Wizard, now: datetime) -> Duel | None:
    """Return the running duel of the two wizards, or None if it is over. Create it if needed."""
    others = Duel.objects.filter(challenger=white, seats__wizard=black, rematch_of=None)
    running = others.filter(status=DuelStatus.RUNNING).order_by("pk").first()
    if running is not None or others.exists():
        return running
    duel = _begin_duel(white, black, now, "Whoever wins, tea is at five.")
    _play_gestures(duel, {white: ("SFW", "WPP"), black: ("DSF", "WWD")}, now)
    _clear_notices(duel)
    return duel


def _clear_notices(duel: Duel) -> None:
    """Drop the dozens of outdated emails about this duel, and mark its news as read."""
    drop_queued(duel=duel)
    for seat in duel.seats.select_related("wizard"):
        mark_page_read(wizard=seat.wizard, path=reverse("duel", args=[duel.pk]))


def _begin_duel(
    challenger: Wizard,
    opponent: Wizard,
    now: datetime,
    words: str,
    draws: dict[str, int] | None = None,
    *,
    rated: bool = False,
) -> Duel:
    """Begin a duel. If draws are fixed in advance, the challenger gets the first place."""
    duel = challenges.create_challenge(
        challenger=challenger,
        ruleset="bartle-1",
        size=2,
        pace=str(Pace(seconds=24 * 3600)),
        visibility="public",
        words=words,
        opponent=opponent,
        invitation=False,
        rated=rated,
        now=now,
    )
    if draws is not None:
        Duel.objects.filter(pk=duel.pk).update(recorded_draws=draws)
    return challenges.accept(duel_id=duel.pk, wizard=opponent, now=now)


def _play_gestures(duel: Duel, hands: Mapping[Wizard, Sequence[str]], at: datetime) -> None:
    """Play a turn for each letter. `hands` contains the letters of both hands of each wizard."""
    for letters in zip(*(zip(*each, strict=True) for each in hands.values()), strict=True):
        orders = [{"left": left, "right": right} for left, right in letters]
        _play_turn(duel, dict(zip(hands, orders, strict=True)), at)


def _play_turn(duel: Duel, orders: Mapping[Wizard, dict[str, str]], at: datetime) -> None:
    turn = Turn.objects.get(duel=duel, closed_at__isnull=True)
    for wizard, fields in orders.items():
        sealing.seal_orders(turn_id=turn.pk, wizard=wizard, fields=fields, form_seal="", now=at)
    resolution.resolve_turn(turn_id=turn.pk, now=at)
