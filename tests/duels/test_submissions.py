"""Forms that create something: if one is sent twice, it creates one thing and leads to its page."""

import re
from collections.abc import Callable
from datetime import timedelta
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from duels.commands import endings, sweeping
from duels.commands.submitting import SUBMISSION_LIFETIME
from duels.messages.models import Message
from duels.models import Duel, Orders, Seat, Speech, Submission, User, Wizard
from duels.post.models import Notice
from duels.referees.models import Case, Note
from duels.sign_in import guests
from duels.webhooks.models import Webhook
from tests.cast import LATER, NOW, PASSWORD, Cast, begin, challenge, open_turn
from tests.duels.test_guests import guest_in
from tests.duels.test_invited_guests import invite
from tests.duels.visitors import Committed, Visitor

pytestmark = pytest.mark.django_db

COUNTED_MODELS = (Wizard, User, Duel, Seat, Speech, Case, Note, Notice, Message, Webhook)
KEY_PATTERN = re.compile(r'name="form_key" value="([^"]+)"')


class SentForm(NamedTuple):
    """A form to send: its sender, the path of its page, the path to send it to, and its fields."""

    wizard: Wizard | None
    page: str
    action: str
    typed: dict[str, str]


def row_counts() -> list[int]:
    return [model.objects.count() for model in COUNTED_MODELS]


def form_key_on(page: str) -> str:
    found = KEY_PATTERN.search(page)
    assert found is not None, "the form has no key"
    return found[1]


def signed_in_browser(wizard: Wizard | None, committed: Committed) -> Visitor:
    visitor = Visitor(committed)
    if wizard is not None:
        assert wizard.user is not None
        visitor.client.force_login(wizard.user)
    return visitor


def finished_duel(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    return duel


def disputed_case_number(cast: Cast) -> int:
    duel = begin(cast.ada, cast.bram)
    client = Client()
    assert cast.ada.user is not None
    client.force_login(cast.ada.user)
    client.post(f"/duels/{duel.pk}/turns/1/dispute", {"category": "rule", "words": "No."})
    return Case.objects.get().pk


TERMS = {
    **{"to": "named", "opponent": "Bram", "ruleset": "bartle-1", "size": "2", "pace": "turn"},
    **{"pace_number": "1", "pace_unit": "days", "excuses": "1", "visibility": "public"},
}
FORMS: dict[str, Callable[[Cast], SentForm]] = {
    "challenge": lambda c: SentForm(c.ada, "/challenge/new", "/challenge/new", TERMS),
    "invitation": lambda c: SentForm(
        c.ada, "/invite", "/invite", {"ruleset": "bartle-1", "pace": "none"}
    ),
    "invitation by a guest": lambda c: SentForm(
        None, "/invite", "/invite", {"name": "Tom", "ruleset": "bartle-1", "pace": "none"}
    ),
    "first duel": lambda c: SentForm(None, "/", "/play", {}),
    "practice by a guest": lambda c: SentForm(
        None, "/practice/", "/practice/", {"ruleset": "bartle-1"}
    ),
    "practice": lambda c: SentForm(c.ada, "/practice/", "/practice/", {"ruleset": "bartle-1"}),
    "play on": lambda c: duel_form(finished_duel(c), c.ada, "play-on", turn="1", seat="w0"),
    "rematch": lambda c: duel_form(finished_duel(c), c.ada, "rematch"),
    "message": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "say", words="Well met."),
    "draw": lambda c: duel_form(begin(c.ada, c.bram), c.ada, "draw", do="offer"),
    "dispute": lambda c: page_form(
        f"/duels/{begin(c.ada, c.bram).pk}/turns/1/dispute", c.ada, category="rule", words="No."
    ),
    "message in a case": lambda c: SentForm(
        c.ada,
        f"/disputes/{(case := disputed_case_number(c))}/",
        f"/disputes/{case}/say",
        {"words": "Look."},
    ),
    "private message": lambda c: page_form(
        f"/messages/{opponent_of_ada(c).slug}/", c.ada, words="Well met."
    ),
    "webhook": lambda c: page_form(
        "/settings/webhooks",
        c.ada,
        service="discord",
        address="https://discord.com/api/webhooks/1/hush",
    ),
    "report": lambda c: page_form("/wizards/bram/report", c.ada, words="Rude."),
    "acceptance": lambda c: duel_form(challenge(c.ada, now=timezone.now()), c.bram, "accept"),
    "decline": lambda c: duel_form(challenge(c.ada, c.bram), c.bram, "decline"),
    "sign-up": lambda c: page_form(
        "/accounts/signup/",
        None,
        email="nia@example.test",
        password1=PASSWORD,
        name="Nia",
        pronouns="she",
    ),
}


def opponent_of_ada(cast: Cast) -> Wizard:
    begin(cast.ada, cast.bram)
    return cast.bram


def duel_form(duel: Duel, wizard: Wizard, form: str, **typed: str) -> SentForm:
    return SentForm(wizard, f"/duels/{duel.pk}/", f"/duels/{duel.pk}/{form}", typed)


def page_form(page: str, wizard: Wizard | None, **typed: str) -> SentForm:
    return SentForm(wizard, page, page, typed)


@pytest.mark.parametrize("name", FORMS)
def test_form_sent_twice_creates_one_thing_and_redirects_to_the_same_page(
    cast: Cast, committed: Committed, name: str
) -> None:
    """The first response and its cookies are lost, so the browser sends the form again."""
    sent = FORMS[name](cast)
    visitor = signed_in_browser(sent.wizard, committed)
    typed = sent.typed | {"form_key": form_key_on(visitor.page(sent.page))}
    kept = SimpleCookie(visitor.client.cookies.output(header="", sep=";"))
    first = visitor.post(sent.action, typed)
    assert first.status_code == 302, first.content.decode()
    made, emails, cookies = row_counts(), len(mail.outbox), visitor.client.cookies
    visitor.client.cookies = kept
    again = visitor.post(sent.action, typed)
    assert (again.status_code, again.url) == (302, first.url)
    assert (row_counts(), len(mail.outbox)) == (made, emails)
    messages = {"messages"} if name == "sign-up" else set()  # says that an email was sent
    assert again.cookies.keys() == first.cookies.keys() - messages
    if guests.GUEST_COOKIE in first.cookies:
        mine = cookies[guests.GUEST_COOKIE].value.rsplit(":", 2)[0]
        assert again.cookies[guests.GUEST_COOKIE].value.rsplit(":", 2)[0] == mine
    visitor.page(again.url)


def test_guest_can_play_even_if_the_first_response_was_lost(cast: Cast, visitor: Visitor) -> None:
    """The guest may even have changed the name before sending the form again."""
    duel, link = invite(cast.ada, visibility="private")
    key = form_key_on(visitor.page(link))
    visitor.post(f"{link}accept", {"name": "Tom", "form_key": key})
    visitor.client.cookies.clear()
    again = visitor.post(f"{link}accept", {"name": "Thomas", "form_key": key})
    assert (again.status_code, again.url) == (302, f"/duels/{duel.pk}/")
    assert guest_in(visitor).name == "Guest Tom"
    visitor.seal(again.url, {"left": "S", "right": "-"})
    assert Orders.objects.get(turn=open_turn(duel)).seat.wizard == guest_in(visitor)
    visitor.client.cookies.clear()
    stranger = visitor.post(f"{link}accept", {"name": "Tom", "form_key": "A" * 22})
    assert stranger.status_code != 302, "another form does not lead to this guest"


def test_guest_can_open_the_link_again_after_a_lost_response(cast: Cast, visitor: Visitor) -> None:
    """The browser opens the invitation again instead of sending the form again."""
    duel, link = invite(cast.ada, visibility="private")
    key = form_key_on(visitor.page(link))
    kept = SimpleCookie(visitor.client.cookies.output(header="", sep=";"))
    visitor.post(f"{link}accept", {"name": "Tom", "form_key": key})
    guest = guest_in(visitor)
    visitor.client.cookies.clear()
    assert visitor.get(link).url == f"/duels/{duel.pk}/"
    assert visitor.get(f"/duels/{duel.pk}/").status_code == 404, "the link is not enough"
    assert guests.GUEST_COOKIE not in visitor.client.cookies
    visitor.client.cookies = kept
    answer = visitor.get(link)
    assert (answer.status_code, answer.url) == (302, f"/duels/{duel.pk}/")
    assert guest_in(visitor) == guest
    visitor.seal(answer.url, {"left": "S", "right": "-"})
    assert Orders.objects.get(turn=open_turn(duel)).seat.wizard == guest


def test_form_sent_again_with_other_content_is_shown_as_typed(
    cast: Cast, committed: Committed
) -> None:
    """If the player sends that form, it is accepted."""
    ada = signed_in_browser(cast.ada, committed)
    typed = TERMS | {"form_key": form_key_on(ada.page("/challenge/new"))}
    assert ada.post("/challenge/new", typed).status_code == 302
    changed = typed | {"words": "Mind the goblin."}
    answer = ada.post("/challenge/new", changed)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "You have already sent this form with different content." in page
    assert "Mind the goblin." in page
    assert Duel.objects.count() == 1
    assert ada.post("/challenge/new", changed | {"form_key": form_key_on(page)}).status_code == 302
    assert Duel.objects.count() == 2
    duel = begin(cast.ada, cast.bram)
    said = {"form_key": form_key_on(ada.page(f"/duels/{duel.pk}/")), "words": "One."}
    ada.post(f"/duels/{duel.pk}/say", said)
    answer = ada.post(f"/duels/{duel.pk}/say", said | {"words": "Two."})
    assert (answer.status_code, Speech.objects.count()) == (409, 1)
    assert ">Two.</textarea>" in answer.content.decode()
    again = said | {"words": "Two.", "form_key": form_key_on(answer.content.decode())}
    assert ada.post(f"/duels/{duel.pk}/say", again).status_code == 302
    assert Speech.objects.count() == 2


def test_form_keeps_its_key_after_a_rejection_until_it_creates_something(
    cast: Cast, committed: Committed
) -> None:
    """A rate-limited player can send the form again after a copy of it was accepted."""
    ada = signed_in_browser(cast.ada, committed)
    key = form_key_on(ada.page("/challenge/new"))
    rejected = ada.post("/challenge/new", TERMS | {"opponent": "Nobody", "form_key": key})
    assert rejected.status_code == 400
    assert form_key_on(rejected.content.decode()) == key
    assert ada.post("/challenge/new", TERMS | {"form_key": key}).status_code == 302
    malformed = ada.post("/challenge/new", TERMS | {"form_key": "short"})
    assert malformed.status_code == 422
    assert "The field “form_key” is not valid." in malformed.content.decode()
    assert Duel.objects.count() == 1


def test_copies_of_a_form_do_not_count_towards_rate_limits(
    cast: Cast, committed: Committed, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"challenge": "1/h/key"}
    ada = signed_in_browser(cast.ada, committed)
    typed = TERMS | {"form_key": form_key_on(ada.page("/challenge/new"))}
    first, again = (ada.post("/challenge/new", typed) for _ in range(2))
    assert (again.status_code, again.url) == (302, first.url)


def test_message_sent_twice_by_script_is_stored_once(cast: Cast, committed: Committed) -> None:
    duel = begin(cast.ada, cast.bram)
    ada = signed_in_browser(cast.ada, committed)
    typed = {"form_key": form_key_on(ada.page(f"/duels/{duel.pk}/")), "words": "Well met."}
    for _ in range(2):
        with committed():
            answer = ada.client.post(f"/duels/{duel.pk}/say", typed, headers={"hx-request": "true"})
        assert answer.status_code == 200
        assert answer.content.decode().count("Well met.") == 1
        assert form_key_on(answer.content.decode()) != typed["form_key"], (
            "a new key for the next message"
        )
    assert Speech.objects.count() == 1


def test_emailed_link_works_if_the_sign_up_form_was_sent_twice(
    cast: Cast, visitor: Visitor
) -> None:
    sent = FORMS["sign-up"](cast)
    typed = sent.typed | {"form_key": form_key_on(visitor.page(sent.page))}
    for _ in range(2):
        assert visitor.post(sent.action, typed).status_code == 302
    assert len(mail.outbox) == 1
    link = re.search(r"https?://[^/\s]+(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))
    assert link is not None
    visitor.post(link[1])
    assert "_auth_user_id" in visitor.client.session
    stranger = Visitor(visitor.committed)
    typed["name"] = "Nell"
    for password in ("another password", PASSWORD):
        answer = stranger.post(sent.action, typed | {"password1": password})
        assert answer.status_code == 302
    assert "_auth_user_id" not in stranger.client.session, "a confirmed account needs its password"


def test_form_to_name_a_wizard_leads_to_the_requested_page_if_sent_twice(
    cast: Cast, committed: Committed
) -> None:
    user = User.objects.create_user("nia@example.test", PASSWORD)
    nia = Visitor(committed)
    nia.client.force_login(user)
    key = form_key_on(nia.page("/settings/?next=/duels/"))
    typed = {"name": "Nia", "pronouns": "she", "next": "/duels/", "form_key": key}
    assert [nia.post("/settings/", typed).url for _ in range(2)] == ["/duels/"] * 2
    assert Wizard.objects.filter(user=user).count() == 1


def test_sweep_deletes_old_submissions(cast: Cast) -> None:
    for number, age in enumerate((SUBMISSION_LIFETIME, timedelta(days=1))):
        Submission.objects.create(digest=f"{number}", content="", created_at=LATER - age)
    sweeping.sweep(now=LATER)
    assert list(Submission.objects.values_list("digest", flat=True)) == ["1"]
