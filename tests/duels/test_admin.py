"""Tests of the admin, where operators can read rows and start tasks but not change anything."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.core import mail
from django.db.models import Model
from django.test import Client, RequestFactory

from duels import errors
from duels.commands import alarms, endings, process_check, profiles, speaking
from duels.models import Act, ActKind, AlarmKind, Duel, Orders, OutboxStatus, Stage, Turn, User
from duels.post.commands import bouncing
from duels.post.models import Notice
from duels.read_only_admin import ReadOnlyAdmin
from duels.referees.log.visible_acts import visible_acts
from tests.cast import (
    NOW,
    Cast,
    begin,
    deliver,
    hands,
    make_user,
    open_turn,
    play,
    seal,
    sign_in_with_second_factor,
)

ADMIN_MODELS = list(admin.site._registry)
# Fields that let anyone who sees them use an account, play a duel or receive its emails.
SECRET_FIELDS = {
    "password",
    "data",
    "session_key",
    "guest_key",
    "email",
    "address",
    "endpoint",
    "p256dh",
    "auth",
    "body",
    "salts",
    "position",
    "dice",
    "seed",
    "draft",
    "token",
}
OWN_APPS = ("duels", "post", "push", "replies", "referee", "ratings")
# Models without a page in the admin
MODELS_WITHOUT_PAGE = {
    "hidden from operators": (
        "draft",
        "guestaddress",
        "refereemessage",
        "unclearbounce",
        "wizardwish",
        "appeal",
        "assignment",
        "citedrule",
        "note",
        "objection",
    ),
    "choices of players": ("duelmailchoice", "mailchoice", "pushchoice"),
    "the site's own bookkeeping": (
        "accountclosing",
        "ladder",
        "lastsweep",
        "questionround",
        "submission",
    ),
}


@pytest.fixture
def admin_client(db: None, client: Client) -> Client:
    sign_in_with_second_factor(client, User.objects.create_superuser("root@example.org", "x"))
    return client


@pytest.fixture
def duel(cast: Cast) -> Duel:
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
    seal(duel, cast.ada, hands("F", "F"))
    with pytest.raises(errors.StaleForm):
        seal(duel, cast.ada, hands("S", "S"))
    process_check.accept_keys(now=NOW)
    profiles.block(wizard=cast.ada, other=cast.cleo, now=NOW)
    speaking.mute(wizard=cast.ada, other=cast.bram, now=NOW)
    sign_in_with_second_factor(Client(), make_user("staff@example.org"))
    bouncing.silence_address(address="gone@example.org", answer="550 5.1.1", now=NOW)
    speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="Hm.", now=NOW)
    alarms.raise_alarm(AlarmKind.TURN, "turn 1", "It does not resolve.", NOW)
    return duel


@pytest.fixture
def duel_with_marker(cast: Cast) -> None:
    """A finished duel whose winner got a marker."""
    duel = begin(cast.cleo, cast.dorn, ruleset="wizards-1")
    endings.resign(duel_id=duel.pk, wizard=cast.dorn, now=NOW)


def run_admin_action(root: Client, model: str, action: str, pks: list[int]) -> str:
    """Run an action on rows of a model such as "duels/turn", and return the resulting page."""
    data = {"action": action, "_selected_action": [str(pk) for pk in pks]}
    answer = root.post(f"/admin/{model}/", data, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_admin_has_every_model_except_those_left_out_for_a_reason():
    models = {model for app in OWN_APPS for model in apps.get_app_config(app).get_models()}
    missing = {model._meta.model_name for model in models if not admin.site.is_registered(model)}
    assert missing == {each for names in MODELS_WITHOUT_PAGE.values() for each in names}
    assert {"authenticator", "group"} <= {model._meta.model_name for model in ADMIN_MODELS}


@pytest.mark.parametrize("model", ADMIN_MODELS, ids=lambda model: model._meta.model_name)
def test_admin_is_read_only_and_hides_secrets(rf: RequestFactory, model):
    """Even superusers cannot edit; otherwise they could verify an address and act as a player."""
    page = admin.site._registry[model]
    request = rf.get("/")
    request.user = User(pk=1, is_active=True, is_staff=True, is_superuser=True)
    assert isinstance(page, ReadOnlyAdmin)
    assert not page.has_add_permission(request)
    assert not page.has_change_permission(request)
    assert not page.has_delete_permission(request)
    shown = {*flatten_fieldsets(page.get_fieldsets(request)), *page.get_list_display(request)}
    assert SECRET_FIELDS.isdisjoint(shown)
    for inline in page.get_inline_instances(request):
        assert SECRET_FIELDS.isdisjoint(inline.get_fields(request))
        assert not inline.has_add_permission(request, None)
        assert not inline.can_delete
    assert "delete_selected" not in page.get_actions(request)


@pytest.mark.usefixtures("duel_with_marker", "duel")
def test_admin_pages_are_searchable_and_read_only(admin_client: Client, subtests: pytest.Subtests):
    for model in ADMIN_MODELS:
        with subtests.test(model._meta.model_name):
            check_pages_in_admin(admin_client, model)


def check_pages_in_admin(root: Client, model: type[Model]) -> None:
    name = model._meta.model_name
    assert root.get(f"/admin/{model._meta.app_label}/{name}/").status_code == 200
    assert root.get(f"/admin/{model._meta.app_label}/{name}/?q=1").status_code == 200
    row = model._default_manager.order_by("pk").first()
    if row is None:
        return  # only tests of the accounts app create such rows
    assert root.get(f"/admin/{model._meta.app_label}/{name}/{row.pk}/change/").status_code == 200
    for url in (f"{row.pk}/change/", "add/", f"{row.pk}/delete/"):
        answer = root.post(f"/admin/{model._meta.app_label}/{name}/{url}", {"status": "over"})
        assert answer.status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


def test_admin_is_for_staff_only(client: Client, cast: Cast):
    assert cast.ada.user
    client.force_login(cast.ada.user)
    assert client.get("/admin/duels/duel/").status_code == 302


def test_admin_shows_played_orders_when_the_duel_is_over(
    admin_client: Client, duel: Duel, cast: Cast
):
    played = Orders.objects.filter(turn__ordinal=1).first()
    assert played
    url = f"/admin/duels/orders/{played.pk}/change/"
    assert "left W" not in admin_client.get(url).content.decode()
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    assert "left W" in admin_client.get(url).content.decode()
    unplayed = Orders.objects.get(turn__ordinal=2)
    url = f"/admin/duels/orders/{unplayed.pk}/change/"
    assert "left F" not in admin_client.get(url).content.decode()


def test_admin_action_resolves_a_turn_that_everyone_has_sealed(
    admin_client: Client, duel: Duel, cast: Cast
):
    turn = open_turn(duel)
    assert "Resolved 0, failed 0." in run_admin_action(
        admin_client, "duels/turn", "nudge", [turn.pk]
    )
    seal(duel, cast.bram, hands("W", "W"))
    assert "Resolved 1, failed 0." in run_admin_action(
        admin_client, "duels/turn", "nudge", [turn.pk]
    )
    turn.refresh_from_db()
    assert turn.stage == Stage.RESOLVED
    logged = Act.objects.filter(kind=ActKind.NUDGE, duel=duel, turn=turn.ordinal)
    assert [each.referee_name[:8] for each in logged] == ["Operator", "Operator"]


def test_admin_shows_why_a_turn_failed(admin_client: Client, duel: Duel, cast: Cast, monkeypatch):
    turn = open_turn(duel)
    seal(duel, cast.bram, hands("W", "W"))
    monkeypatch.setattr("engine.play.resolve", None)
    assert "Resolved 0, failed 1." in run_admin_action(
        admin_client, "duels/turn", "nudge", [turn.pk]
    )
    assert "TypeError at" in admin_client.get("/admin/duels/turn/").content.decode()
    assert (
        "TypeError at"
        in admin_client.get("/admin/duels/turn/?failed_at__isempty=0").content.decode()
    )
    assert Turn.objects.get(pk=turn.pk).attempts == 1


def test_email_can_be_sent_again_in_the_admin(
    admin_client: Client, duel: Duel, django_capture_on_commit_callbacks
):
    deliver(now=NOW)
    notice = Notice.objects.filter(status=OutboxStatus.SENT).first()
    assert notice
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        assert "Queued again: 1." in run_admin_action(
            admin_client, "post/notice", "resend", [notice.pk]
        )
    assert len(mail.outbox) == 1
    logged = Act.objects.get(kind=ActKind.SEND_AGAIN, duel=duel)
    assert logged.facts == {"notice": notice.pk, "kind": notice.kind}
    assert visible_acts(duel, notice.wizard) == ()


def test_admin_pages_do_not_show_email_addresses(admin_client: Client, duel: Duel):
    for model in ADMIN_MODELS:
        name = model._meta.model_name
        for row in model._default_manager.all()[:3]:
            page = admin_client.get(
                f"/admin/{model._meta.app_label}/{name}/{row.pk}/change/"
            ).content.decode()
            assert "example.org" not in page.replace("root@example.org", "")


def test_admin_does_not_show_what_players_write(admin_client: Client, cast: Cast):
    """Operators must not read messages in private duels, even after the duels have ended."""
    duel = begin(cast.ada, cast.bram, visibility="private")
    Duel.objects.filter(pk=duel.pk).update(words="Spoken with care", name="Named with care")
    said = speaking.send_message(
        duel_id=duel.pk, wizard=cast.ada, words="Whispered with care", now=NOW
    )
    play(duel, {cast.ada: hands("W", "P", say="Sealed with care"), cast.bram: hands("W", "P")})
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    sealed = Orders.objects.get(turn__duel=duel, seat__wizard=cast.ada)
    for path in (f"speech/{said.pk}", f"duel/{duel.pk}", f"orders/{sealed.pk}"):
        model = path.partition("/")[0]
        for address in (f"{model}/", f"{path}/change/"):
            page = admin_client.get(f"/admin/duels/{address}")
            assert page.status_code == 200
            assert "with care" not in page.content.decode()
    assert "0 speeches" in admin_client.get("/admin/duels/speech/?q=Whispered").content.decode()
