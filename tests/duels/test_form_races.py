"""Forms sent at the same moment: copies of one form, or two forms that exclude each other.

A test lists all forms on the site, so that none is left out.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, resolve
from django.utils import timezone

import duels.urls
from duels.commands import endings
from duels.feeds.models import Follow, PrivateNote
from duels.matching.models import Availability
from duels.messages.commands import send_message
from duels.models import ActKind, Duel, DuelStatus, Orders, User, Wizard, WizardKind
from duels.ratings.models import RatingChange
from duels.referees import appointments
from duels.referees.acts import carrying_out
from duels.referees.models import Case, CaseStatus
from duels.sign_in import guests
from duels.webhooks.commands.changing import add_webhook
from duels.webhooks.models import Service, Webhook
from tests import daily, services
from tests.cast import (
    PASSWORD,
    Cast,
    begin,
    challenge,
    hands,
    make_user,
    reauthenticate,
    sign_in_with_second_factor,
)
from tests.duels.other_forms import OTHER_FORMS, appeal_form, claimed_case, ruling_form
from tests.duels.referees.acts.refereeing import REASON, make_referee
from tests.duels.test_races import run_simultaneously
from tests.duels.test_submissions import (
    FORMS,
    TERMS,
    SentForm,
    disputed_case_number,
    duel_form,
    page_form,
)
from tests.walks.addresses import every_address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]

FORM_KEY = {"form_key": "k" * 22}
# Models whose rows are about requests, not about what the forms do.
UNCOUNTED_MODELS = ("Session", "UserSession", "Submission", "ContentType", "Permission")


def duel_with_draw_offer(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, now=timezone.now(), ordinal=1)
    return duel


OPEN_TERMS = {"rulesets": "bartle-1", "paces": "259200", "rated": "either", "most_duels": "1"}
MORE_FORMS: dict[str, Callable[[Cast], SentForm]] = {
    "follow": lambda c: page_form("/wizards/bram/follow", c.ada),
    "follow a duel": lambda c: duel_form(begin(c.cleo, c.bram), c.ada, "follow"),
    "block": lambda c: page_form("/wizards/bram/block", c.ada),
    "mute": lambda c: page_form("/wizards/bram/mute", c.ada),
    "note": lambda c: page_form("/wizards/bram/note", c.ada, words="Likes goblins."),
    "calendar": lambda c: page_form("/settings/calendar", c.ada, do="new"),
    "somebody": lambda c: page_form("/somebody", c.ada),
    "counter-proposal": lambda c: duel_form(
        challenge(c.ada, c.bram, now=timezone.now()),
        c.bram,
        "counter",
        **{"ruleset": "bartle-1", "pace": "turn", "pace_number": "2", "pace_unit": "days"},
        excuses="1",
    ),
    "resignation": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "resign", sure="yes"),
    "agreed draw": lambda c: duel_form(
        duel_with_draw_offer(c), c.ada, "draw", do="agree", turn="1"
    ),
    "pause": lambda c: duel_form(begin(c.ada, c.bram, pace="86400"), c.ada, "pause"),
    "open to duels": lambda c: page_form("/open-to-duels/", c.ada, **OPEN_TERMS),
    "deleted webhook": lambda c: SentForm(
        c.ada, "/settings/webhooks", f"/settings/webhooks/{create_webhook(c)}", {"do": "delete"}
    ),
    "accepted messages": lambda c: page_form(f"/messages/{written_by_bram(c)}/accept", c.ada),
    "withdrawn dispute": lambda c: SentForm(
        c.ada, "/", f"/disputes/{disputed_case_number(c)}/withdraw", {}
    ),
    "webhook test": lambda c: SentForm(
        c.ada, "/settings/webhooks", f"/settings/webhooks/{create_webhook(c)}", {"do": "test"}
    ),
}
ALL_FORMS = FORMS | MORE_FORMS | OTHER_FORMS
# Names of other addresses that accept POST requests, with the reason why `ALL_FORMS` lacks them.
OTHER_TESTS: Final[Mapping[str, str]] = {
    "sheet": "returns a part of the page, and stores nothing",
    "desk_dry_run": "stores nothing",
    "account_export": "returns a file, and stores nothing",
    "account_close": "ends the session, so a copy leads to the sign-in page; see `EXCLUSIVE_PAIRS`",
    "guest_forget": "deletes the guest, so a copy does nothing; see `test_guests`",
    "guest_mail": "is only for guests; see `test_guest_addresses`",
    "guest_mail_confirm": "is only for guests; see `test_guest_addresses`",
    "invitation_accept": "creates a guest; see `test_submission_races`",
    "desk_act": "see `test_act_races`",
}


def create_webhook(cast: Cast) -> int:
    address = "https://discord.com/api/webhooks/1/hush"
    service = Service.DISCORD
    return add_webhook(wizard=cast.ada, service=service, address=address, now=timezone.now()).pk


def written_by_bram(cast: Cast) -> str:
    begin(cast.ada, cast.bram)
    send_message(author=cast.bram, reader=cast.ada, words="Well met.", now=timezone.now())
    return cast.bram.slug


def row_counts() -> dict[str, int]:
    models = [each for each in apps.get_models() if each.__name__ not in UNCOUNTED_MODELS]
    return {each.__name__: each._default_manager.count() for each in models}


def post_call(path: str, typed: dict[str, str], user: User | None = None) -> Callable[[], Any]:
    client = Client()
    if user is not None:
        client.force_login(user)
    return partial(client.post, path, typed)


def sender_browser(sent: SentForm) -> Client:
    """Return a new browser of the form's sender. At the desk, the sender has a second factor."""
    client = Client()
    user = sent.wizard.user if sent.wizard is not None else None
    if user is not None and sent.action.startswith("/desk/"):
        sign_in_with_second_factor(client, user)
    elif user is not None:
        client.force_login(user)
    return client


def test_every_form_of_the_site_is_sent_twice_by_a_test(cast: Cast) -> None:
    """If this fails, add the new form to `OTHER_FORMS`, or a reason to `OTHER_TESTS`."""
    accepting = {
        each.name
        for each in every_address({})
        if each.name in url_names(duels.urls.urlpatterns)
        and Client().post(each.path).status_code != HTTPStatus.METHOD_NOT_ALLOWED
    }
    tested = set()
    for form in ALL_FORMS.values():
        with transaction.atomic():
            tested.add(resolve(form(cast).action).url_name)
            transaction.set_rollback(True)
    assert accepting - tested == OTHER_TESTS.keys()


def url_names(patterns: Iterable[URLPattern | URLResolver]) -> set[str]:
    """Return the names of these URL patterns and of those that they include."""
    found = set[str]()
    for each in patterns:
        if isinstance(each, URLPattern):
            found.add(each.name or "")
        else:
            found |= url_names(each.url_patterns)
    return found


@pytest.mark.parametrize("name", daily.sample(list(ALL_FORMS), 3))
def test_copies_of_a_form_sent_simultaneously_or_later_have_one_effect(
    cast: Cast, name: str, settings: Any
) -> None:
    for key, value in services.VAPID_SETTINGS.items():
        setattr(settings, key, value)
    settings.PUSH_SENT_IMMEDIATELY = settings.POST_SENT_IMMEDIATELY = False
    sent = ALL_FORMS[name](cast)
    typed = sent.typed | FORM_KEY
    calls = [partial(sender_browser(sent).post, sent.action, typed) for _ in range(3)]
    answers = run_simultaneously(*calls[:2])
    made = row_counts()
    answers.append(calls[2]())
    places = [each.get("Location", "") for each in answers]
    if name == "answers":  # the turn may be resolved after the first response
        places = [each.partition("#")[0] for each in places]
    assert len({*zip((each.status_code for each in answers), places, strict=True)}) == 1, answers
    assert answers[0].status_code in ((200,) if name in FORMS_WITHOUT_REDIRECT else (302, 204))
    assert row_counts() == made
    assert len({guests.GUEST_COOKIE in each.cookies for each in answers}) == 1


FORMS_WITHOUT_REDIRECT = ("draft", "emails off")  # forms whose response is not a redirect

FormPair = tuple[Callable[[], Any], Callable[[], Any]]


def post_call_as(wizard: Wizard, path: str, **typed: str) -> Callable[[], Any]:
    assert wizard.user is not None
    return post_call(path, typed, wizard.user)


def closing_account(wizard: Wizard) -> Callable[[], Any]:
    """Return a call that closes the account. This needs a recent sign-in."""
    assert wizard.user is not None
    client = Client()
    client.force_login(wizard.user)
    reauthenticate(client)
    return partial(client.post, "/settings/close", {"name": wizard.name})


def accept_and_withdraw(cast: Cast) -> FormPair:
    path = f"/duels/{challenge(cast.ada, cast.bram, now=timezone.now()).pk}/"
    return post_call_as(cast.bram, f"{path}accept"), post_call_as(cast.ada, f"{path}withdraw")


def accept_and_decline(cast: Cast) -> FormPair:
    path = f"/duels/{challenge(cast.ada, cast.bram, now=timezone.now()).pk}/"
    return post_call_as(cast.bram, f"{path}accept"), post_call_as(cast.bram, f"{path}decline")


def accept_and_counter(cast: Cast) -> FormPair:
    path = f"/duels/{challenge(cast.ada, cast.bram, now=timezone.now()).pk}/"
    terms = {"ruleset": "bartle-1", "pace": "turn", "pace_number": "2", "pace_unit": "days"}
    counter = post_call_as(cast.bram, f"{path}counter", excuses="1", **terms)
    return post_call_as(cast.bram, f"{path}accept"), counter


def two_acceptances(cast: Cast) -> FormPair:
    path = f"/duels/{challenge(cast.ada, now=timezone.now()).pk}/accept"
    return post_call_as(cast.bram, path), post_call_as(cast.cleo, path)


def seal_and_surrender(cast: Cast) -> FormPair:
    duel = begin(cast.ada, cast.bram)
    path = f"/duels/{duel.pk}/"
    sealed = post_call_as(
        cast.ada, f"{path}orders", do="seal", turn="1", form_seal="", **hands("P", "S")
    )
    return sealed, post_call_as(cast.ada, f"{path}resign", sure="yes")


def both_surrender(cast: Cast) -> FormPair:
    path = f"/duels/{begin(cast.ada, cast.bram).pk}/resign"
    return post_call_as(cast.ada, path, sure="yes"), post_call_as(cast.bram, path, sure="yes")


def offer_and_surrender(cast: Cast) -> FormPair:
    path = f"/duels/{duel_with_draw_offer(cast).pk}/"
    agreed = post_call_as(cast.ada, f"{path}draw", do="agree", turn="1")
    return agreed, post_call_as(cast.ada, f"{path}resign", sure="yes")


def answer_and_withdrawal_of_draw(cast: Cast) -> FormPair:
    path = f"/duels/{duel_with_draw_offer(cast).pk}/draw"
    withdrawn = post_call_as(cast.bram, path, do="withdraw", turn="1")
    return post_call_as(cast.ada, path, do="agree", turn="1"), withdrawn


def two_offers(cast: Cast) -> FormPair:
    path = f"/duels/{begin(cast.ada, cast.bram).pk}/draw"
    return tuple(post_call_as(each, path, do="offer", turn="1") for each in (cast.ada, cast.bram))  # type: ignore[return-value]


def block_and_message(cast: Cast) -> FormPair:
    begin(cast.ada, cast.bram)
    message = post_call_as(cast.ada, "/messages/bram/", words="Well met.")
    return post_call_as(cast.bram, "/wizards/ada/block"), message


def block_and_challenge(cast: Cast) -> FormPair:
    return post_call_as(cast.bram, "/wizards/ada/block"), post_call_as(
        cast.ada, "/challenge/new", **TERMS
    )


def close_and_accept(cast: Cast) -> FormPair:
    duel = challenge(cast.ada, cast.bram, now=timezone.now())
    closing = closing_account(cast.ada)
    return closing, post_call_as(cast.bram, f"/duels/{duel.pk}/accept")


def close_and_seal(cast: Cast) -> FormPair:
    duel = begin(cast.ada, cast.bram)
    sealed = {"do": "seal", "turn": "1", "form_seal": "", **hands("P", "S")}
    closing = closing_account(cast.ada)
    return closing, post_call_as(cast.ada, f"/duels/{duel.pk}/orders", **sealed)


def close_and_be_open(cast: Cast) -> FormPair:
    return closing_account(cast.ada), post_call_as(cast.ada, "/open-to-duels/", **OPEN_TERMS)


def close_and_add_webhook(cast: Cast) -> FormPair:
    address = "https://discord.com/api/webhooks/1/hush"
    added = post_call_as(cast.ada, "/settings/webhooks", service="discord", address=address)
    return closing_account(cast.ada), added


def close_and_follow(cast: Cast) -> FormPair:
    closing = closing_account(cast.ada)
    return closing, post_call_as(cast.bram, "/wizards/ada/follow")


def statement_and_withdrawal(cast: Cast) -> FormPair:
    path = f"/disputes/{disputed_case_number(cast)}/"
    return post_call_as(cast.ada, f"{path}say", words="Look."), post_call_as(
        cast.ada, f"{path}withdraw"
    )


def desk_browser(number: int) -> Client:
    """Return the browser of a new referee."""
    user = make_user(f"referee{number}@example.org")
    client = Client()
    sign_in_with_second_factor(client, appointments.appoint_referee(email=user.email))
    return client


def ruling_and_withdrawal(cast: Cast) -> FormPair:
    number, desk = disputed_case_number(cast), desk_browser(1)
    desk.post(f"/desk/cases/{number}/claim")
    path = f"/desk/cases/{number}/ruling/"
    typed = desk.get(path).context["form"].initial | {"words": "The turn stands.", "settles": ""}
    typed = {name: value for name, value in typed.items() if value is not None}
    withdrawal = post_call_as(cast.ada, f"/disputes/{number}/withdraw")
    return partial(desk.post, path, typed), withdrawal


def two_claims(cast: Cast) -> FormPair:
    path = f"/desk/cases/{disputed_case_number(cast)}/claim"
    return partial(desk_browser(1).post, path), partial(desk_browser(2).post, path)


def two_disputes(cast: Cast) -> FormPair:
    path = f"/duels/{begin(cast.ada, cast.bram).pk}/turns/1/dispute"
    typed = {"category": "rule", "words": "No."}
    return post_call_as(cast.ada, path, **typed), post_call_as(cast.bram, path, **typed)


def two_rematches(cast: Cast) -> FormPair:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=timezone.now())
    path = f"/duels/{duel.pk}/rematch"
    return post_call_as(cast.ada, path), post_call_as(cast.bram, path)


def two_accounts_with_one_name(cast: Cast) -> FormPair:
    typed = {"password1": PASSWORD, "name": "Nia", "pronouns": "she"}
    return tuple(  # type: ignore[return-value]
        post_call("/accounts/signup/", {**typed, "email": f"{each}@example.test"}) for each in "no"
    )


def two_accounts_with_one_address(cast: Cast) -> FormPair:
    typed = {"password1": PASSWORD, "email": "n@example.test", "pronouns": "she"}
    return tuple(  # type: ignore[return-value]
        post_call("/accounts/signup/", {**typed, "name": each}) for each in ("Nia", "Noor")
    )


def objection_and_withdrawal(cast: Cast) -> FormPair:
    case, _ = claimed_case(cast)
    path = f"/disputes/{case.pk}/"
    objected = post_call_as(cast.ada, f"{path}object", objection="A friend of Bram.")
    return objected, post_call_as(cast.ada, f"{path}withdraw")


def two_objections(cast: Cast) -> FormPair:
    path = f"/disputes/{claimed_case(cast)[0].pk}/object"
    one, other = (post_call_as(each, path, objection="No.") for each in (cast.ada, cast.bram))
    return one, other


def two_appeals(cast: Cast) -> FormPair:
    sent = appeal_form(cast)
    one, other = (post_call_as(each, sent.action, **sent.typed) for each in (cast.ada, cast.bram))
    return one, other


def objection_and_ruling(cast: Cast) -> FormPair:
    sent = ruling_form(cast)
    number = Case.objects.get().pk
    objected = post_call_as(cast.ada, f"/disputes/{number}/object", objection="A friend of Bram.")
    return objected, partial(sender_browser(sent).post, sent.action, sent.typed)


def accepted_messages_and_block(cast: Cast) -> FormPair:
    path = f"/messages/{written_by_bram(cast)}/accept"
    return post_call_as(cast.ada, path), post_call_as(cast.ada, "/wizards/bram/block")


def block_and_follow(cast: Cast) -> FormPair:
    return post_call_as(cast.bram, "/wizards/ada/block"), post_call_as(
        cast.ada, "/wizards/bram/follow"
    )


def close_and_note(cast: Cast) -> FormPair:
    closing = closing_account(cast.ada)
    return closing, post_call_as(cast.ada, "/wizards/bram/note", words="Likes goblins.")


def deleted_and_tested_webhook(cast: Cast) -> FormPair:
    path = f"/settings/webhooks/{create_webhook(cast)}"
    return post_call_as(cast.ada, path, do="delete"), post_call_as(cast.ada, path, do="test")


def open_to_duels_and_not(cast: Cast) -> FormPair:
    begun = post_call_as(cast.ada, "/open-to-duels/", **OPEN_TERMS)
    return begun, post_call_as(cast.ada, "/open-to-duels/stop")


def annulment_and_surrender(cast: Cast) -> FormPair:
    duel = begin(cast.ada, cast.bram, rated=True)
    annul = partial(
        carrying_out.carry_out_act,
        ActKind.ANNUL,
        duel_id=duel.pk,
        by=make_referee(),
        reason=REASON,
        now=timezone.now(),
    )
    return annul, post_call_as(cast.ada, f"/duels/{duel.pk}/resign", sure="yes")


EXCLUSIVE_PAIRS = (
    objection_and_withdrawal,
    two_objections,
    two_appeals,
    objection_and_ruling,
    accepted_messages_and_block,
    block_and_follow,
    close_and_note,
    deleted_and_tested_webhook,
    open_to_duels_and_not,
    annulment_and_surrender,
    accept_and_withdraw,
    accept_and_decline,
    accept_and_counter,
    two_acceptances,
    seal_and_surrender,
    both_surrender,
    offer_and_surrender,
    answer_and_withdrawal_of_draw,
    two_offers,
    block_and_message,
    block_and_challenge,
    close_and_accept,
    close_and_seal,
    close_and_be_open,
    close_and_add_webhook,
    close_and_follow,
    statement_and_withdrawal,
    ruling_and_withdrawal,
    two_claims,
    two_disputes,
    two_rematches,
    two_accounts_with_one_name,
    two_accounts_with_one_address,
)


@pytest.mark.parametrize("pair", daily.sample(EXCLUSIVE_PAIRS, 3), ids=lambda each: each.__name__)
def test_mutually_exclusive_forms_leave_a_consistent_state(
    cast: Cast, pair: Callable[[Cast], FormPair]
) -> None:
    one, other = pair(cast)
    answers = run_simultaneously(one, other)
    codes = [getattr(each, "status_code", 0) for each in answers]  # commands have none
    assert all(code < 500 for code in codes), codes
    for duel in Duel.objects.all():
        check_consistency(duel)
    assert not RatingChange.objects.filter(duel__status=DuelStatus.ANNULLED).exists()
    for case in Case.objects.all():
        assert (case.status == CaseStatus.CLAIMED) <= (case.referee is not None)
        assert case.is_open == (case.ended_at is None)
    for model in (Availability, Webhook, Follow, PrivateNote):
        assert not model.objects.filter(wizard__user=None, wizard__kind=WizardKind.PLAYER).exists()


def check_consistency(duel: Duel) -> None:
    """Check that a running duel has one open turn, all its wizards, and one seal of each."""
    open_turns = duel.turns.filter(closed_at=None).count()
    assert open_turns == (duel.status == DuelStatus.RUNNING)
    assert duel.seats.count() <= duel.size
    assert duel.seats.count() == duel.size or not duel.turns.exists()
    for turn in duel.turns.all():
        live = Orders.objects.filter(turn=turn, superseded=False)
        assert live.count() == live.values("seat").distinct().count()
