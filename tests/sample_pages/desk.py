"""Pages of the referees' desk: a claimed case with its evidence, and waiting cases."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.test import Client
from django.utils import timezone

from duels.models import User
from duels.referees.appointments import appoint_referee
from duels.referees.cases import handling
from duels.referees.cases.case_acts import open_sealed_orders
from duels.referees.cases.disputes import open_dispute
from duels.referees.cases.handling import claim_case
from duels.referees.cases.reports import report_name
from duels.referees.models import Case
from tests.cast import make_user, sign_in_with_second_factor
from tests.states import STATES, People

REFEREE = "referee@example.org"
Cookie = tuple[str, str]


def pages() -> Iterator[tuple[str, str, Cookie]]:
    """Yield the name and address of each page of the desk, with the referee's cookie.

    The pages include the queue, a claimed and an unclaimed case, a turn before and after a referee
    opened it, an act and a ruling.
    """
    now = timezone.now()
    duel = STATES["blind"](People(now)).duel
    ada, bram = (seat.wizard for seat in duel.seats.select_related("wizard").order_by("place"))
    referee = make_user(REFEREE)
    appoint_referee(email=REFEREE)
    about: dict[str, Any] = {"duel_id": duel.pk, "ordinal": 2, "rule": "R94", "now": now}
    words = "I could not see what Bram did, and was hit all the same."
    case = open_dispute(wizard=ada, category="rule", words=words, **about)
    slow = "Ada is slow on purpose."
    other = open_dispute(wizard=bram, category="conduct", words=slow, **about)
    report_name(about=bram, wizard=ada, words="It is rude in my language.", now=now)
    claim_case(case_id=case.pk, user=referee, now=now)
    note: dict[str, Any] = {"case_id": case.pk, "user": referee, "now": now}
    handling.add_note(words="Blindness began on turn 1: look at R94.", **note)
    handling.add_note(words="I am looking at it; give me a day.", for_players=True, **note)
    open_sealed_orders(case_id=case.pk, referee=referee, ordinal=2, reason="What fog hid.", now=now)
    session = desk_session_of(referee)
    base = f"/desk/cases/{case.pk}/"
    for name, path in (
        ("desk queue", "/desk/"),
        ("desk log", "/desk/log/"),
        ("desk case waiting", f"/desk/cases/{other.pk}/"),
        ("desk case", base),
        ("desk timeline", f"{base}timeline/"),
        ("desk turn", f"{base}turns/2/?first=w0&second=all"),
        ("desk turn opened", f"{base}turns/2/?at=opened&first=w0&second=w1"),
        ("desk turn closed", f"{base}turns/3/"),
        ("desk dry run closed", f"{base}turns/1/dry-run/"),
        ("desk open", f"{base}turns/3/open"),
        ("desk acts", f"{base}acts/"),
        ("desk act", f"{base}acts/roll_back"),
        ("desk ruling", f"{base}ruling/"),
    ):
        yield name, path, session


def form_responses() -> Iterator[tuple[str, str]]:
    """Yield the names and HTML of responses to forms that do not change anything.

    `pages` must be called first.
    """
    case = Case.objects.get(referee__email=REFEREE)
    client = Client(SERVER_NAME="127.0.0.1")
    sign_in_with_second_factor(client, User.objects.get(email=REFEREE))
    base = f"/desk/cases/{case.pk}/"
    for name, path, typed in (
        ("desk dry run", "turns/2/dry-run/", {"orders-w1": "LH W\nRH P"}),
        ("desk dry run faults", "turns/2/dry-run/", {"orders-w1": "LH nonsense"}),
        ("desk act planned", "acts/roll_back", {"do": "preview", "turn": "2"}),
    ):
        yield name, client.post(base + path, typed).content.decode()


def desk_session_of(user: User) -> Cookie:
    """Return the cookie of a browser that is signed in as this user, with a second factor."""
    client = Client()
    sign_in_with_second_factor(client, user)
    name = settings.SESSION_COOKIE_NAME
    return name, client.cookies[name].value
