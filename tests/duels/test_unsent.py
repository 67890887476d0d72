"""Tests that text is neither lost nor shown to anyone else if a form is sent in a new session."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from duels.models import Orders, Speech, Wizard
from tests.cast import PASSWORD, Cast, begin, hands, open_turn
from tests.walks.forms import forms_in

pytestmark = pytest.mark.django_db

MESSAGE = "A candle for the goblin."
TOKEN_PATTERN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


class Browser:
    """A browser that sends the forms on pages, with their tokens and hidden fields."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)

    def form_fields(self, path: str, target: str) -> dict[str, str]:
        """Return the fields of the form on this page that is sent to `target`."""
        return fields_of(self.client.get(path).content.decode(), target)

    def post(self, path: str, typed: dict[str, str], **headers: str) -> Any:
        return self.client.post(path, typed, headers=headers)

    def sign_in(self, wizard: Wizard, next_page: str = "/") -> Any:
        assert wizard.user is not None
        form = self.form_fields("/accounts/login/", "/accounts/login/")
        typed = form | {"login": wizard.user.email, "password": PASSWORD, "next": next_page}
        answer = self.post("/accounts/login/", typed)
        assert answer.status_code == 302
        return answer

    def sign_out(self) -> None:
        assert (
            self.post("/accounts/logout/", self.form_fields("/about/", "/accounts/logout/")).url
            == "/"
        )


def fields_of(html: str, target: str) -> dict[str, str]:
    found = (dict(form.fields) for form in forms_in(html) if target in form.targets)
    return {name: unescape(values[0]) for name, values in next(found).items()}


def filled_order_fields(browser: Browser, duel_id: int) -> dict[str, str]:
    """Return the fields of the order sheet on the duel's page, with orders filled in."""
    form = browser.form_fields(f"/duels/{duel_id}/", f"/duels/{duel_id}/orders")
    wanted = ("csrfmiddlewaretoken", "form_key", "form_seal", "turn")
    return {name: form[name] for name in wanted} | hands("W", "P", say=MESSAGE)


def test_orders_are_offered_again_after_a_new_sign_in_in_another_tab(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    path = f"/duels/{duel.pk}/"
    browser = Browser()
    browser.sign_in(cast.ada)
    typed = filled_order_fields(browser, duel.pk)
    chat = browser.form_fields(path, f"{path}say") | {"words": "Well met."}
    browser.sign_out()
    browser.sign_in(cast.ada)
    draft = browser.post(f"{path}draft", typed)
    assert draft.headers["Content-Type"].startswith("text/plain")
    assert "Draft not saved: you have signed in again" in draft.content.decode()
    sheet = browser.post(f"{path}sheet", typed, **{"hx-request": "true"})
    assert (sheet.status_code, sheet.headers["HX-Retarget"]) == (403, "#sheet-notice")
    assert "so this was not sent" in sheet.content.decode()
    by_script = browser.post(f"{path}say", chat, **{"hx-request": "true"})
    assert (by_script.status_code, by_script.headers["HX-Retarget"]) == (403, "#talk-notice")
    answer = browser.post(f"{path}orders", typed | {"do": "seal"})
    page = answer.content.decode()
    assert (answer.status_code, MESSAGE in page) == (403, True)
    assert "written as" not in page
    again = browser.post(f"{path}orders", fields_of(page, f"{path}orders"))
    assert again.status_code == 200
    assert re.search(rf"<textarea [^>]*name=.say.[^>]*>{MESSAGE}<", again.content.decode())
    assert not Orders.objects.exists(), "only the player seals"
    sealing = fields_of(again.content.decode(), f"{path}orders")
    sealing = typed | {"csrfmiddlewaretoken": sealing["csrfmiddlewaretoken"], "do": "seal"}
    assert browser.post(f"{path}orders", sealing).status_code == 302
    assert Orders.objects.get(turn=open_turn(duel)).seat.wizard == cast.ada
    said = browser.post(f"{path}say", chat)
    assert browser.post(f"{path}say", fields_of(said.content.decode(), f"{path}say")).url
    assert Speech.objects.get().words == "Well met."
    typed["csrfmiddlewaretoken"] = typed["csrfmiddlewaretoken"][::-1]
    other = Browser()
    other.sign_in(cast.bram)
    assert (
        "written as Ada, but you are signed in as Bram"
        in other.post(f"{path}orders", typed).content.decode()
    )


def test_form_of_a_signed_out_player_is_offered_only_to_that_player(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    path = f"/duels/{duel.pk}/"
    browser = Browser()
    browser.sign_in(cast.ada)
    typed = filled_order_fields(browser, duel.pk)
    browser.sign_out()
    answer = browser.post(f"{path}orders", typed | {"do": "seal"})
    assert (answer.status_code, answer.url) == (302, "/accounts/login/?next=/unsent/")
    assert "Sign in to send what you wrote." in browser.client.get(answer.url).content.decode()
    assert all(MESSAGE not in str(row.get_decoded()) for row in Session.objects.all()), "encrypted"
    stranger = Browser()
    stranger.client.cookies["sessionid"] = browser.client.cookies["sessionid"].value
    stranger.sign_in(cast.bram, "/unsent/")
    assert stranger.client.get("/unsent/")["Location"] == "/", "it is not for Bram"
    answer = browser.post(f"{path}orders", typed | {"do": "seal"})
    assert browser.sign_in(cast.ada, "/unsent/").url == "/unsent/"
    page = browser.client.get("/unsent/").content.decode()
    assert MESSAGE in page
    again = browser.post(f"{path}orders", fields_of(page, f"{path}orders"))
    assert MESSAGE in again.content.decode()


def test_form_sent_by_a_visitor_without_a_wizard_is_not_kept(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    visitor = Client()
    path = f"/duels/{duel.pk}/orders"
    for key in ("", "A" * 22, f"{'A' * 22}.{cast.ada.pk}"):
        typed = {"turn": "1", "say": MESSAGE * (1000 if "." in key else 1), "form_key": key}
        answer = visitor.post(path, typed)
        assert answer["Location"] == f"/accounts/login/?next={path}"
    assert not Session.objects.exists()
    sheet = visitor.post(f"/duels/{duel.pk}/sheet", typed, headers={"hx-request": "true"})
    assert "You are signed out, so this was not sent." in sheet.content.decode()
    no_token = Client(enforce_csrf_checks=True).post(path, typed)
    assert "could not check where this form came from" in no_token.content.decode()


def test_every_form_in_which_a_player_can_type_has_a_key(cast: Cast) -> None:
    """Without a key, what was typed is lost if the player has been signed out."""
    duel = begin(cast.ada, cast.bram)
    browser = Browser()
    browser.sign_in(cast.ada)
    pages = (
        *("/settings/", "/settings/mail", "/challenge/new", "/invite", "/wizards/bram/"),
        *("/wizards/bram/report", "/messages/bram/", "/settings/webhooks", "/open-to-duels/"),
        *(f"/duels/{duel.pk}/", f"/duels/{duel.pk}/turns/1/dispute", f"/duels/{duel.pk}/mail"),
    )
    checked = 0
    for page in pages:
        html = browser.client.get(page).content.decode()
        for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
            is_sent = 'method="post"' in form and "/reading" not in form.partition(">")[0]
            if is_sent and re.search(r'<textarea|<input[^>]*type="(text|date|email|url)"', form):
                assert 'name="form_key"' in form, (page, form[:200])
                checked += 1
    assert checked >= 8


def test_note_submitted_while_signed_out_is_offered_after_sign_in(cast: Cast) -> None:
    browser = Browser()
    browser.sign_in(cast.ada)
    typed = browser.form_fields("/wizards/bram/", "/wizards/bram/note") | {"words": MESSAGE}
    browser.sign_out()
    assert browser.post("/wizards/bram/note", typed).url == "/accounts/login/?next=/unsent/"
    browser.sign_in(cast.ada, "/unsent/")
    assert MESSAGE in browser.client.get("/unsent/").content.decode()


def test_long_text_in_another_alphabet_of_a_signed_out_player_is_kept(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    browser = Browser()
    browser.sign_in(cast.ada)
    path = f"/duels/{duel.pk}/turns/1/dispute"
    typed = browser.form_fields(path, path) | {"words": "地精" * 1500}
    browser.sign_out()
    assert browser.post(path, typed).url == "/accounts/login/?next=/unsent/"


def test_profile_line_of_a_signed_out_player_is_offered_again(cast: Cast) -> None:
    browser = Browser()
    browser.sign_in(cast.ada)
    typed = browser.form_fields("/settings/", "/settings/") | {"about": MESSAGE, "pronouns": "she"}
    browser.sign_out()
    assert browser.post("/settings/", typed).url == "/accounts/login/?next=/unsent/"
    browser.sign_in(cast.ada, "/unsent/")
    page = browser.client.get("/unsent/").content.decode()
    assert browser.post("/settings/", fields_of(page, "/settings/")).status_code == 302
    cast.ada.refresh_from_db()
    assert cast.ada.about == MESSAGE


def test_address_typed_before_a_new_sign_in_is_offered_again(cast: Cast) -> None:
    browser = Browser()
    browser.sign_in(cast.ada)
    path = "/accounts/email/"
    typed = add_address_form(browser) | {"email": "second@example.org", "action_add": ""}
    browser.sign_out()
    browser.sign_in(cast.ada)
    answer = browser.post(path, typed)
    assert answer.status_code == 403
    assert '<dd dir="auto">' in answer.content.decode()
    assert browser.post(path, fields_of(answer.content.decode(), path)).url == path
    assert "second@example.org" in browser.client.get(path).content.decode()


def add_address_form(browser: Browser) -> dict[str, str]:
    html = browser.client.get("/accounts/email/").content.decode()
    form = next(dict(each.fields) for each in forms_in(html) if "action_add" in dict(each.fields))
    return {name: unescape(values[0]) for name, values in form.items()}


def test_address_typed_while_signed_out_is_offered_after_sign_in(cast: Cast) -> None:
    browser = Browser()
    browser.sign_in(cast.ada)
    path = "/accounts/email/"
    typed = add_address_form(browser) | {"email": "second@example.org", "action_add": ""}
    browser.sign_out()
    assert browser.post(path, typed).url == "/accounts/login/?next=/unsent/"
    browser.sign_in(cast.ada, "/unsent/")
    page = browser.client.get("/unsent/").content.decode()
    assert browser.post(path, fields_of(page, path)).url == path
    assert "second@example.org" in browser.client.get(path).content.decode()


def test_passwords_in_an_unsent_form_are_neither_shown_nor_stored(cast: Cast) -> None:
    browser = Browser()
    browser.sign_in(cast.ada)
    path, secret = "/accounts/password/change/", "nine-black-cats"
    typed = browser.form_fields(path, path)
    typed |= {"oldpassword": PASSWORD, "password1": secret, "password2": secret}
    browser.sign_out()
    stale = Browser()
    stale.sign_in(cast.ada)
    answer = stale.post(path, typed)
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "The site does not keep passwords and codes." in page
    assert secret not in page
    assert PASSWORD not in page
    assert browser.post(path, typed).url == "/accounts/login/?next=/unsent/"
    browser.sign_in(cast.ada, "/unsent/")
    assert secret not in browser.client.get("/unsent/").content.decode()


def test_sign_up_form_opened_before_a_sign_in_keeps_what_was_typed(cast: Cast) -> None:
    browser = Browser()
    path = "/accounts/signup/"
    typed = browser.form_fields(path, path) | {"email": "nia@example.org", "name": "Nia"}
    browser.sign_in(cast.ada)
    assert browser.post(path, typed).url == "/", "the user is signed in already"
    browser.sign_out()
    page = browser.post(path, typed | {"password1": "nine-black-cats"}).content.decode()
    again = browser.post(path, fields_of(page, path))
    assert 'value="nia@example.org"' in again.content.decode()
