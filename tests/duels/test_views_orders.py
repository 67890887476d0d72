"""Orders over HTTP: sealed, drafted, taken back, and rejected with errors next to their fields."""

import re

import pytest
from django.test import Client

from duels.commands import resolution
from duels.models import Draft, Duel, Orders
from duels.sealing import seals
from tests.cast import Cast, begin, hands, open_turn, play, seal, signed_in
from tests.duels.duel_page import duel_html, post_orders, seal_count
from tests.duels.test_views_states import set_up
from tests.states import STATES, People

pytestmark = pytest.mark.django_db


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel of Ada (w0) and Bram (w1) at turn 1, without seals."""
    return begin(cast.ada, cast.bram)


def test_turn_is_played_after_the_last_seal(
    cast: Cast, duel: Duel, django_capture_on_commit_callbacks
):
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert post_orders(ada, duel, hands("W", "P")).status_code == 302
    with django_capture_on_commit_callbacks(execute=True):
        assert post_orders(bram, duel, hands("W", "D")).status_code == 302
    assert open_turn(duel).ordinal == 2
    html = duel_html(bram, duel)
    assert "What happened in turn 1" in html
    assert re.search(r'data-turn="1"[^\n]*?class="sign-W[^>]*data-hand="w0-left"', html, re.DOTALL)


def test_duel_page_shows_only_who_has_sealed_and_when(cast: Cast, duel: Duel):
    bram = signed_in(cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    html = duel_html(bram, duel)
    assert 'data-seal-of="Ada" data-sealed="yes"' in html
    assert 'data-seal-of="Bram" data-sealed="no"' in html
    assert "data-receipt" not in html


def test_other_readers_see_only_the_commitment_of_sealed_orders(cast: Cast, duel: Duel):
    """Promise 1 over HTTP, for an opponent, a spectator and a visitor."""
    readers = [signed_in(cast.bram), signed_in(cast.dorn), Client()]
    first = seal(duel, cast.ada, hands("W", "P", say="Nothing to see"))
    before = [without_commitment(duel_html(reader, duel), first) for reader in readers]
    orders = hands(">", "D", left_subject="w1")
    second = seal(duel, cast.ada, orders, form_seal=first.commitment)
    assert [without_commitment(duel_html(reader, duel), second) for reader in readers] == before


def without_commitment(html: str, orders: Orders) -> str:
    """Return the page without commitments, and without the form token, which always changes."""
    assert orders.commitment in html
    html = re.sub(r'name="(?:csrfmiddlewaretoken|form_key)" value="[^"]+"', "", html)
    return html.replace(orders.commitment, "")


def test_page_shows_players_a_receipt_of_their_sealed_orders(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    post_orders(ada, duel, hands("W", "P", say="Have at you"))
    html = duel_html(ada, duel)
    assert "data-receipt" in html
    assert "Have at you" in html
    assert Orders.objects.get().commitment in html


FAULTY_ORDERS = [
    (hands(">", ">"), "left"),
    (hands(">", "-", left_subject="w0"), "left_subject"),
    (hands("W", "W", left_spell="missile"), "left_spell"),
    (hands("W", "P", right_subject="m7"), "right_subject"),
    (hands("X", "P"), "left"),
    (hands("W", "P", **{"victim:m3": "w1"}), "victim:m3"),
    (hands("W", "P", **{"charmed:w1.L": "F"}), "charmed:w1.L"),
    (hands("W", "P", release="yes"), "release"),
    (hands("W", "P", left2="W"), "left2"),
    (hands("W", "P", colour="red"), "colour"),
    (hands("W", "P", say="x" * 501), "say"),
    (hands("W", "P", say="nul \0"), "say"),
]


@pytest.mark.parametrize(
    ("fields", "field"), FAULTY_ORDERS, ids=[field for _, field in FAULTY_ORDERS]
)
def test_illegal_orders_are_kept_in_the_form_and_errors_name_field_and_rule(
    cast: Cast, duel: Duel, fields: dict[str, str], field: str
):
    ada = signed_in(cast.ada)
    answer = post_orders(ada, duel, {"say": "Keep this"} | fields)
    assert answer.status_code == 422
    html = answer.content.decode()
    faults = re.findall(r'data-fault="[a-z_]+" data-fault-field="([^"]*)"', html)
    assert field in faults
    shown = re.findall(r'data-fault-field="[^"]*">(.+?)</li>', html, re.DOTALL)
    assert any(re.search(r'<a class="rule-link"[^>]*>.+?</a>', fault) for fault in shown)
    assert "say" in fields or "Keep this" in html
    assert seal_count(duel) == 0


def test_two_stabs_are_an_error_of_both_hands_but_listed_once(cast: Cast, duel: Duel) -> None:
    html = post_orders(signed_in(cast.ada), duel, hands(">", ">")).content.decode()
    assert html.count('<p class="fault" data-fault="two_stabs">') == 2
    assert html.count('data-fault="two_stabs" data-fault-field=') == 1


INCOMPLETE_FIELD_NAMES = (
    "gesture",
    "spell",
    "subject",
    "victim",
    "charmed",
    "held",
    "answer",
    "unknown",
    "both",
    "victim:",
    "charmed:w1",
    "charmed:.L",
    "held:",
    "answer:",
    "left_",
    "right3",
)


@pytest.mark.parametrize("name", INCOMPLETE_FIELD_NAMES)
def test_incomplete_field_name_is_reported_and_kept_as_typed(cast: Cast, duel: Duel, name: str):
    """If it is sealed, it is listed as an error with a rule; if the form is rejected, as typed."""
    ada = signed_in(cast.ada)
    answer = post_orders(ada, duel, {name: "w1"})
    assert answer.status_code == 422
    html = answer.content.decode()
    assert re.search(rf'data-fault-field="{re.escape(name)}">[^<]+<a class="rule-link"', html)
    refused = post_orders(ada, duel, {name: "w1"}, do="take_back", all_attack="w1")
    assert refused.status_code == 409
    typed = re.search(r'data-version="typed">(.*?)</ul>', refused.content.decode(), re.DOTALL)
    assert typed is not None
    assert name in typed[1]
    assert "Bram" in typed[1]
    assert seal_count(duel) == 0


def test_all_errors_in_orders_are_shown_at_once(cast: Cast, duel: Duel):
    fields = hands(">", "P", left_subject="w0", release="yes", **{"victim:m3": "w1"})
    html = post_orders(signed_in(cast.ada), duel, fields).content.decode()
    assert len(re.findall('data-fault-field="', html)) >= 3


def test_response_to_a_stale_form_shows_both_versions_of_the_orders(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    post_orders(ada, duel, hands("W", "P"))
    answer = post_orders(ada, duel, hands("D", "F"), form_seal="")
    assert answer.status_code == 409
    html = answer.content.decode()
    now, mine = (
        re.search(rf'data-version="{version}">(.*?)</ul>', html, re.DOTALL)
        for version in ("sealed", "typed")
    )
    assert now is not None
    assert mine is not None
    assert "W wave" in now[1]
    assert "D digit" in mine[1]
    assert seal_count(duel) == 1
    form_seal = re.search(r'name="form_seal" value="([0-9a-f]+)"', html)
    assert form_seal is not None
    assert post_orders(ada, duel, hands("D", "F"), form_seal=form_seal[1]).status_code == 302


def test_sealing_identical_orders_changes_nothing(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    post_orders(ada, duel, hands("W", "P"))
    assert post_orders(ada, duel, hands("W", "P"), form_seal="stale").status_code == 302
    assert seal_count(duel) == 1


def test_orders_for_a_resolved_turn_are_rejected_and_shown_again(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("W", "D")})
    answer = post_orders(signed_in(cast.ada), duel, hands("D", "F", say="Too late"), turn="1")
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "Too late" in html
    assert "This turn has been played" in html


@pytest.mark.parametrize("turn", ["", "0", "2", "-1", "one", "9" * 40, "1\0", "½"])
def test_orders_without_a_valid_turn_are_rejected_and_shown_again(
    cast: Cast, duel: Duel, turn: str
):
    answer = post_orders(signed_in(cast.ada), duel, hands("D", "F", say="Keep this"), turn=turn)
    assert answer.status_code == 400
    assert "Keep this" in answer.content.decode()


def test_sealing_orders_for_another_wizard_is_rejected(cast: Cast, duel: Duel):
    assert post_orders(signed_in(cast.dorn), duel, hands("W", "P")).status_code == 403
    assert post_orders(Client(), duel, hands("W", "P")).status_code == 302
    assert seal_count(duel) == 0
    private = begin(cast.ada, cast.bram, visibility="private")
    assert post_orders(signed_in(cast.dorn), private, hands("W", "P")).status_code == 404


def test_draft_is_stored_but_not_sealed(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    assert post_orders(ada, duel, hands("W", "P", say="Perhaps"), do="draft").status_code == 302
    assert seal_count(duel) == 0
    assert "Perhaps" in duel_html(ada, duel)
    assert "Perhaps" not in duel_html(signed_in(cast.bram), duel)
    assert "Perhaps" not in Draft.objects.get().body


def test_seal_can_be_taken_back_with_a_button(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    post_orders(ada, duel, hands("W", "P"))
    assert post_orders(ada, duel, {}, do="take_back").status_code == 302
    assert 'data-seal-of="Ada" data-sealed="no"' in duel_html(signed_in(cast.bram), duel)
    assert post_orders(signed_in(cast.bram), duel, {}, do="take_back").status_code == 409


def test_unknown_button_of_the_order_sheet_is_rejected(cast: Cast, duel: Duel):
    assert post_orders(signed_in(cast.ada), duel, hands("W", "P"), do="win").status_code == 422
    assert seal_count(duel) == 0


def test_preview_shows_completed_spells_and_saves_nothing(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    answer = post_orders(ada, duel, hands("W", "P", say="Hm"), do="look")
    assert answer.status_code == 200
    html = answer.content.decode()
    assert re.search(r'data-completes="R".*?Shield', html, re.DOTALL)
    assert 'name="right_subject"' in html
    assert "Hm" in html
    assert seal_count(duel) == 0
    assert not Draft.objects.exists()


def test_request_by_script_returns_only_the_order_sheet(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    typed = hands("P", "-", turn="1")
    answer = ada.post(f"/duels/{duel.pk}/sheet", typed, headers={"hx-request": "true"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in html
    assert re.search(r'id="sheet-said"[^>]*>Left hand: Shield\.\s*</p>', html)
    assert re.search(r'data-completes="L".*?Shield', html, re.DOTALL)
    assert signed_in(cast.dorn).post(f"/duels/{duel.pk}/sheet", typed).status_code == 409
    assert ada.post(f"/duels/{duel.pk}/sheet", typed | {"turn": "7"}).status_code == 409


def test_order_sheet_has_a_field_for_the_subject_of_a_stab(cast: Cast, duel: Duel):
    html = post_orders(signed_in(cast.ada), duel, hands(">", "-"), do="look").content.decode()
    chosen = re.search(r'<select id="f-left_subject".*?</select>', html, re.DOTALL)
    assert chosen is not None
    assert "Bram (default)" in chosen[0]
    assert 'value="w0"' not in chosen[0]


def test_private_duels_are_only_shown_to_their_wizards(cast: Cast):
    duel = begin(cast.ada, cast.bram, visibility="private")
    assert signed_in(cast.ada).get(f"/duels/{duel.pk}/").status_code == 200
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("W", "D")})
    for stranger in (signed_in(cast.dorn), Client()):
        for path in ("", "turns/1/", "record.json", "transcript.txt"):
            assert stranger.get(f"/duels/{duel.pk}/{path}").status_code == 404


def test_past_turn_has_its_own_address(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("W", "D")})
    answer = Client().get(f"/duels/{duel.pk}/turns/1/")
    assert answer.status_code == 200
    assert "Shield" in answer.content.decode()
    assert Client().get(f"/duels/{duel.pk}/turns/2/").status_code == 404


def test_sealing_redirects_to_the_receipt_or_to_the_report_of_the_turn(cast: Cast, duel: Duel):
    """After the turn was played, the page must not say that its orders are sealed."""
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    typed = {"turn": "1", "form_seal": "", "do": "seal"} | hands("W", "P")
    first = ada.post(f"/duels/{duel.pk}/orders", typed)
    assert first["Location"] == f"/duels/{duel.pk}/#orders"
    last = bram.post(f"/duels/{duel.pk}/orders", typed)
    resolution.resolve_turn(turn_id=open_turn(duel).pk)
    html = duel_html(ada, duel)
    assert "are sealed" not in html
    assert '<a class="played" href="#news">Turn 1 has been played' in html
    assert 'id="turn-1"' in html
    assert last["Location"] == f"/duels/{duel.pk}/#orders", "the turn has not been played yet"


def test_messages_of_a_blocked_wizard_are_hidden(cast: Cast, duel: Duel):
    orders = {cast.ada: hands("W", "D", say="Rubbish!"), cast.bram: hands("W", "D")}
    play(duel, orders)
    bram = signed_in(cast.bram)
    assert "Rubbish!" in duel_html(bram, duel)
    bram.post("/wizards/ada/block")
    assert "Rubbish!" not in duel_html(bram, duel)
    assert "Rubbish!" in duel_html(signed_in(cast.cleo), duel)


def test_messages_in_orders_are_escaped(cast: Cast, duel: Duel):
    play(duel, {cast.ada: hands("W", "D", say="<b>bold</b>"), cast.bram: hands("W", "D")})
    html = duel_html(Client(), duel)
    assert "<b>bold" not in html
    assert "&lt;b&gt;bold" in html


FORM = "application/x-www-form-urlencoded"
UNREADABLE_BODIES = [
    (b"", FORM),
    (b"%ff%fe=%00", FORM),
    (b"\xff\xfe\x00", FORM),
    (b"left=W", f"{FORM}; charset=utf-7"),
    (b"{}", "application/json"),
    (b"--x\r\n", "multipart/form-data; boundary=x"),
    (b"garbage", "multipart/form-data"),
    (b"&".join(b"left%d=W" % n for n in range(1500)), FORM),
]


@pytest.mark.parametrize("place", ["orders", "sheet", "answers"])
def test_unreadable_request_bodies_are_rejected(cast: Cast, duel: Duel, place: str):
    ada = signed_in(cast.ada)
    for body, kind in UNREADABLE_BODIES:
        answer = ada.post(f"/duels/{duel.pk}/{place}", body, content_type=kind)
        assert 400 <= answer.status_code < 500, (body[:20], kind)


def test_sheet_warns_that_two_palms_are_a_surrender(cast: Cast, duel: Duel):
    """The sheet warns before sealing, but not about a single palm. F13"""
    ada = signed_in(cast.ada)
    both, one = (
        post_orders(ada, duel, hands("P", right), do="look").content.decode()
        for right in ("P", "W")
    )
    assert 'data-caution="surrender"' in both
    assert "data-caution" not in one


@pytest.mark.django_db(transaction=True)
def test_message_after_sealing_names_the_turn_and_its_state(cast: Cast):
    """There is no message if the page already shows the next turn."""
    duel = begin(cast.ada, cast.bram)
    said = []
    for wizard in (cast.ada, cast.bram):
        client = signed_in(wizard)
        fields = {"turn": "1", "left": "P", "right": "D", "do": "seal"}
        response = client.post(f"/duels/{duel.pk}/orders", fields, follow=True)
        said.append([str(message) for message in response.context["messages"]])
    assert said == [["Your orders for turn 1 are sealed."], []], (
        "the report is about the played turn"
    )


def test_one_choice_can_aim_all_monsters_at_one_being():
    """The choice fills in all monsters' fields, even without JavaScript. They can be changed."""
    state = STATES["many_monsters"](People())
    assert state.viewer is not None
    client = signed_in(state.viewer)
    html = client.get(state.path).content.decode()
    monsters = re.findall(r'<select id="f-(victim:m\d+)"', html)
    assert len(monsters) > 3
    fields = {**dict.fromkeys(monsters, ""), "left": "-", "right": "-"}
    typed = {**fields, "turn": "1", "form_seal": "", "all_attack": "m1"}
    sheet = client.post(f"{state.path}sheet", typed).content.decode()
    assert sheet.count('<option value="m1" selected>') == len(monsters)
    assert '<option value="" selected>their own victims, below' in sheet
    assert client.post(f"{state.path}orders", {**typed, "do": "draft"}).status_code == 302
    draft = seals.decrypt_draft(Draft.objects.get().body)
    assert {draft[name] for name in monsters} == {"m1"}
    assert "all_attack" not in draft


def test_one_choice_for_all_monsters_is_not_offered_for_few_monsters(cast: Cast):
    goblins = [{"kind": "goblin", "controller": "w0"}] * 2
    html = duel_html(signed_in(cast.ada), set_up(cast, {}, {}, *goblins))
    assert 'id="f-victim:m1"' in html
    assert "all_attack" not in html
