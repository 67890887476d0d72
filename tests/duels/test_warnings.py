"""Warnings, orders as text, and hints on the order sheet, all of which the engine provides.

Orders cannot be sealed before their warnings have been shown.
"""

import html as text
import re
from collections.abc import Iterator, Mapping

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

import engine.orders
import engine.play
from duels.commands import endings, sealing
from duels.loaded import adjudication
from duels.models import Draft, Duel, Orders, TurnKind
from duels.screens.order_sheet.advice import WARNINGS_AT_SEALING
from duels.screens.order_sheet.form_parts import Hint
from duels.screens.order_sheet.hands_html import hint_html
from engine.positions.position import Position
from tests import daily
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal, signed_in
from tests.engine.board import begun, under_effects
from tests.engine.board import duel as at_table
from tests.engine.caution_rows.cases import Row
from tests.engine.test_cautions import ROWS

pytestmark = pytest.mark.django_db

CLAP = hands("C", "W")
PALMS = hands("P", "P")


@pytest.fixture(autouse=True)
def advice_does_not_fail(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that warnings and hints are computed without an error, unless a test causes one."""
    yield
    failed = [record for record in caplog.get_records("call") if "Advice failed" in record.message]
    assert not failed


@pytest.fixture
def duel(cast: Cast) -> Duel:
    return begin(cast.ada, cast.bram)


def duel_from_position(cast: Cast, position: Position) -> Duel:
    """Start a duel from this position."""
    duel = begin(cast.ada, cast.bram, ruleset=position.ruleset)
    if position.options:
        Duel.objects.filter(pk=duel.pk).update(options=list(position.options))
    turn = open_turn(duel)
    turn.position = engine.play.dump(position)
    turn.number, turn.kind = position.turn, TurnKind(position.kind)
    turn.save()
    return Duel.objects.get(pk=duel.pk)


def post(
    client: Client, duel: Duel, fields: Mapping[str, str], where: str = "orders", **more: object
) -> HttpResponse:
    form = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": "seal", **fields, **more}
    return client.post(f"/duels/{duel.pk}/{where}", form)  # type: ignore[return-value]  # a response


def warnings_in(page: str) -> set[str]:
    return set(re.findall(r'data-caution="(\w+)"', page))


def faults_in(page: str) -> list[str]:
    return re.findall(r'data-live-fault="(\w+)"', page)


def seen_in(page: str) -> list[str]:
    """Return the warnings that a browser will report as seen after showing this page."""
    return [text.unescape(key) for key in re.findall(r'name="seen" value="([^"]*)"', page)]


# The engine's tests check every row every day. The page shows whatever the engine returns, except
# that it warns about hands without a choice instead of orders without gestures.
SAMPLED_ROWS = daily.sample(
    [number for number, row in enumerate(ROWS) if row.code != "no_gesture"], 3, "warnings"
)


@pytest.mark.parametrize(
    "row", [pytest.param(ROWS[n], id=f"{ROWS[n].code}-{n}") for n in SAMPLED_ROWS]
)
def test_each_warning_is_shown_only_for_orders_that_deserve_it(cast: Cast, row: Row) -> None:
    """Each warning is shown with its rule. Similar but harmless orders do not cause it.

    Some warnings are not shown on the sheet, but only in the confirmation before sealing.
    """
    ruleset = row.rulesets[0]
    for (setup, fields), deserved in ((row.deserving, True), (row.undeserving, False)):
        position = setup(ruleset)
        duel = duel_from_position(cast, position)
        ada = signed_in(cast.ada)
        html = post(ada, duel, fields, "sheet", part="summary").content.decode()
        orders = engine.orders.from_fields(fields)
        told = {
            caution.code: caution
            for caution in engine.play.cautions(position, "w0", orders)
            if caution.code != "no_gesture"
        }
        assert (row.code in warnings_in(html)) is deserved
        assert warnings_in(html) - {"unchosen_hand"} == set(told)
        sheet = post(ada, duel, fields, "sheet").content.decode()
        assert warnings_in(sheet) == set(told) - WARNINGS_AT_SEALING
        without_links = re.sub(r"</?a\b[^>]*>", "", html)
        for caution in told.values():
            assert text.escape(caution.text) in without_links
            assert f'#{caution.rule}"' in html


def test_order_sheet_shows_the_orders_as_text(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    html = post(ada, duel, hands("P", ">", say="En garde"), "sheet").content.decode()
    slip = re.search(r'<p class="to-seal" data-to-seal[^>]*>(.*?)</p>', html, re.DOTALL)
    assert slip is not None
    words = " ".join(re.sub("<[^>]+>", "", slip[1]).split())
    assert "casts Shield on yourself; your right hand stabs Bram." in words
    assert "You say: “En garde”" in words
    summary = post(ada, duel, hands("P", ">"), "sheet", part="summary").content.decode()
    assert "casts Shield on yourself" in strip_tags(summary)
    assert 'form="order-form" name="do" value="seal" autofocus' in summary
    assert "<form" not in summary


def test_unread_warning_must_be_confirmed_before_sealing(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    asked = post(ada, duel, CLAP, say="Keep this")
    assert asked.status_code == 422
    html = asked.content.decode()
    assert "data-unwarned" in html
    assert warnings_in(html) == {"half_a_clap"}
    assert "Keep this" in html
    assert re.search(r'name="left" value="C"[^>]* checked', html)
    assert not Orders.objects.exists()
    assert not Draft.objects.exists()
    assert post(ada, duel, CLAP, say="Keep this", seen=seen_in(html)).status_code == 302
    assert Orders.objects.count() == 1


def test_warning_seen_while_choosing_orders_is_not_repeated(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    helping = hands("P", "W", left_subject="w1")
    live = post(ada, duel, helping, "sheet").content.decode()
    assert warnings_in(live) == {"helps_rival"}
    assert post(ada, duel, helping, seen=seen_in(live)).status_code == 302


def test_clap_with_one_hand_must_be_confirmed_even_if_its_warning_was_seen(
    cast: Cast, duel: Duel
) -> None:
    ada = signed_in(cast.ada)
    live = post(ada, duel, CLAP, "sheet").content.decode()
    assert warnings_in(live) == {"half_a_clap"}
    assert 'data-asks="clap"' in live
    assert seen_in(live) == []
    asked = post(ada, duel, CLAP, "sheet", part="summary").content.decode()
    assert post(ada, duel, CLAP, seen=seen_in(asked)).status_code == 302


def test_unseen_warning_is_shown_even_if_another_was_seen(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    seen = seen_in(post(ada, duel, CLAP).content.decode())
    assert seen
    other = hands("P", "W", left_subject="w1")
    asked = post(ada, duel, other, seen=seen)
    assert asked.status_code == 422
    assert warnings_in(asked.content.decode()) == {"helps_rival"}


def test_surrender_must_always_be_confirmed(cast: Cast, duel: Duel) -> None:
    """F13. Seeing the warning on the order sheet is not enough."""
    ada = signed_in(cast.ada)
    live = post(ada, duel, PALMS, "sheet").content.decode()
    assert "surrender" in warnings_in(live)
    asked = post(ada, duel, PALMS, seen=seen_in(live))
    assert asked.status_code == 422
    html = asked.content.decode()
    assert "Surrender and seal" in html
    assert "autofocus" not in html
    assert not Orders.objects.exists()
    assert post(ada, duel, PALMS, seen=seen_in(html)).status_code == 302


def test_surrender_that_dice_may_cause_must_be_confirmed(cast: Cast) -> None:
    """rules: R84.

    If a confused wizard makes one palm, the sheet shows a warning, and sealing must be confirmed.
    """
    duel = duel_from_position(cast, at_table(under_effects(confusion={"turns": 1})))
    ada, palm = signed_in(cast.ada), hands("P", "W")
    live = post(ada, duel, palm, "sheet").content.decode()
    assert "may_surrender" in warnings_in(live)
    asked = post(ada, duel, palm, seen=seen_in(live))
    assert asked.status_code == 422
    assert "Risk a surrender and seal" in asked.content.decode()
    assert not Orders.objects.exists()
    assert post(ada, duel, palm, seen=seen_in(asked.content.decode())).status_code == 302


def test_empty_order_sheet_must_be_confirmed(cast: Cast, duel: Duel) -> None:
    """The sheet does not show a warning, but sealing it must be confirmed."""
    ada = signed_in(cast.ada)
    sheet = ada.get(f"/duels/{duel.pk}/").content.decode()
    assert not warnings_in(sheet)
    assert seen_in(sheet) == []
    assert "data-asks" in sheet
    asked = post(ada, duel, {}, say="Keep this")
    assert asked.status_code == 422
    html = asked.content.decode()
    assert warnings_in(html) == {"unchosen_hand"}
    assert "Seal anyway" in html
    assert "Keep this" in html
    assert not Orders.objects.exists()
    assert post(ada, duel, {}, say="Keep this", seen=seen_in(html)).status_code == 302
    assert Orders.objects.count() == 1


def test_hand_without_a_choice_must_be_confirmed(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    empty = ada.get(f"/duels/{duel.pk}/").content.decode()
    assert not re.search(r'<input type="radio" id="(left|right)-\d"[^>]* checked', empty)
    live = post(ada, duel, {"left": "S"}, "sheet").content.decode()
    assert 'data-asks="idle"' in live
    assert not warnings_in(live)
    asked = post(ada, duel, {"left": "S"})
    assert asked.status_code == 422
    html = asked.content.decode()
    assert warnings_in(html) == {"unchosen_hand"}
    assert "not chosen a gesture for your right hand" in html
    assert not Orders.objects.exists()
    assert post(ada, duel, {"left": "S"}, seen=seen_in(html)).status_code == 302


@pytest.mark.parametrize("pair", ["S-", "-S", "--"])
def test_hand_that_does_nothing_on_purpose_is_sealed_at_once(
    cast: Cast, duel: Duel, pair: str
) -> None:
    ada = signed_in(cast.ada)
    assert "data-asks" not in post(ada, duel, hands(*pair), "sheet").content.decode()
    assert post(ada, duel, hands(*pair)).status_code == 302


ONCE: dict[str, object] = {"turns": 1}
HASTED = at_table(under_effects(haste=ONCE))
FORGETFUL = at_table(begun("S", "W", effects={"amnesia": {**ONCE, "sets": ["SW"]}}))
HELD = at_table(begun("-", "S", effects={"paralysis": {**ONCE, "hand": "L", "letter": "-"}}))
CLUMSY = at_table(under_effects(maladroitness=ONCE), ruleset="warlocks-1", options=["maladroit"])
WITH_GOBLIN = at_table(monsters=[{"kind": "goblin", "controller": "w0"}])


@pytest.mark.parametrize(
    ("position", "fields", "hands"),
    [
        (HASTED, hands("S", "-", left2="W"), "your right hand in the second set."),
        (HASTED, hands("S", "-", left2="W", right2="-"), ""),
        (FORGETFUL, {}, ""),
        (HELD, {"right": "D"}, ""),
        (HELD, {}, "your right hand."),
        (CLUMSY, {"right": "S"}, ""),
        (CLUMSY, {}, "your right hand."),
        (WITH_GOBLIN, {"victim:m0": "w1"}, "your left hand or your right hand."),
    ],
)
def test_only_hands_that_could_make_a_gesture_need_a_choice(
    position: Position, fields: Mapping[str, str], hands: str
) -> None:
    found = adjudication.form_cautions(position, "w0", fields)
    told = [each.text for each in found if each.code == "unchosen_hand"]
    assert len(told) == bool(hands)
    for each in told:
        assert each.startswith(f"You have not chosen a gesture for {hands} ")


def test_summary_of_a_turn_without_a_gesture_focuses_the_button_to_go_back(
    cast: Cast, duel: Duel
) -> None:
    """Pressing Enter twice on an empty sheet must not seal it."""
    html = post(signed_in(cast.ada), duel, {}, "sheet", part="summary").content.decode()
    focused = re.search(r"<button[^>]* autofocus>(.*?)</button>", html, re.DOTALL)
    assert focused is not None
    assert "Back to order sheet" in focused[1]
    assert "Seal anyway" in html


def test_summary_of_a_surrender_focuses_the_button_to_go_back(cast: Cast, duel: Duel) -> None:
    html = post(signed_in(cast.ada), duel, PALMS, "sheet", part="summary").content.decode()
    focused = re.search(r"<button[^>]* autofocus>(.*?)</button>", html, re.DOTALL)
    assert focused is not None
    assert "Back to order sheet" in focused[1]


def test_command_to_seal_orders_does_not_require_confirmation(cast: Cast, duel: Duel) -> None:
    """Workers and the practice opponent seal without reading warnings; their seals are valid."""
    seal(duel, cast.ada, PALMS)
    assert post(signed_in(cast.ada), duel, PALMS).status_code == 302  # the same orders again
    assert Orders.objects.count() == 1


def test_errors_and_stale_forms_are_reported_before_warnings(cast: Cast, duel: Duel) -> None:
    """A stale form is reported as stale, whatever warnings its orders have."""
    ada = signed_in(cast.ada)
    faulty = post(ada, duel, hands("C", "W", left_subject="w9")).content.decode()
    assert "data-unwarned" not in faulty
    assert 'data-fault-field="left_subject"' in faulty
    seal(duel, cast.ada, hands("W", "W"))
    assert post(ada, duel, CLAP).status_code == 409


def test_order_sheet_does_not_depend_on_opponents_orders(cast: Cast, duel: Duel) -> None:
    """Promise 1: hints, text and warnings must not depend on an opponent's orders.

    An opponent's orders include drafts, and orders that caused a warning.
    """
    bram = signed_in(cast.bram)
    fields = hands(">", "D")
    before = post(bram, duel, fields, "sheet").content
    seal(duel, cast.ada, PALMS)
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.ada, fields=CLAP, now=NOW)
    assert post(bram, duel, fields, "sheet").content == before


def test_orders_can_be_sealed_even_if_computing_warnings_fails(
    cast: Cast, duel: Duel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The failure is logged, without the orders."""

    def fails(position: Position, wizard: str, orders: engine.orders.Orders) -> tuple[str, ...]:
        raise KeyError(orders.say)

    for name in ("cautions", "orders_text", "hints"):
        monkeypatch.setattr(engine.play, name, fails)
    ada = signed_in(cast.ada)
    fields = hands("C", "W", say="Secret")
    assert post(ada, duel, fields, "sheet").status_code == 200
    assert post(ada, duel, fields).status_code == 302
    assert ada.get(f"/duels/{duel.pk}/").status_code == 200
    told = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert told
    assert all("KeyError" in line and "Secret" not in line for line in told)
    caplog.clear()


# Errors shown while choosing orders


def test_two_stabs_are_shown_as_an_error_while_choosing_orders(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    assert faults_in(post(ada, duel, hands(">", ">"), "sheet").content.decode()) == ["two_stabs"]
    assert faults_in(post(ada, duel, hands(">", "-"), "sheet").content.decode()) == []
    both = post(ada, duel, hands(">", ">"), "sheet").content.decode()
    assert "data-to-seal" not in both  # these orders cannot be sealed
    assert not warnings_in(both)
    summary = post(ada, duel, hands(">", ">"), "sheet", part="summary").content.decode()
    assert 'value="seal"' not in summary


# Hints


def test_gestures_on_the_order_sheet_have_hints_about_spells(cast: Cast, duel: Duel) -> None:
    """In the first turn, P completes Shield at once, and S begins a Missile, which D completes."""
    page = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    assert re.search(
        r'id="hint-left-2"><span class="completes"[^>]*><i [^>]*shield"></i> <a [^>]*>Shield<', page
    )
    assert re.search(
        r'id="hint-left-3"><span class="leads soon"[^>]*><i>D</i> ▸ <a [^>]*>Missile', page
    )
    assert "completes Shield" in page
    assert "then D: Missile" in page


def test_cards_of_both_hands_show_a_two_handed_spell(cast: Cast) -> None:
    """Only the left hand has made S W W, but a clap with both hands completes Fire Storm."""
    duel = begin(cast.ada, cast.bram)
    for pair in ("S-", "W-", "W-"):
        play(duel, {cast.ada: hands(*pair), cast.bram: hands("-", "-")})
    ada = signed_in(cast.ada)
    for right, kind, spoken in (
        ("-", "leads soon", "if both hands make it, completes Fire Storm"),
        ("C", "completes", "both hands complete Fire Storm"),
    ):
        sheet = post(ada, duel, hands("C", right), "sheet").content.decode()
        left, right_hand = hints_of(sheet, "left", "C"), hints_of(sheet, "right", "C")
        assert f'class="{kind}" aria-hidden="true"><i>both</i> ▸ <a class="spell-link"' in left
        assert spoken in left
        assert "Fire Storm" in right_hand
    assert "both hands complete Fire Storm" in right_hand


def hints_of(page: str, side: str, letter: str) -> str:
    """Return the hint on one gesture of a hand."""
    number = "FPSWDC".index(letter) + 1
    return page.partition(f'id="hint-{side}-{number}"')[2].partition('<span id="hint-')[0]


def test_legend_explains_the_marks_of_hints_in_the_words_of_screen_readers(
    cast: Cast, duel: Duel
) -> None:
    page = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    legend = page.partition('class="hint-legend"')[2].partition("</details>")[0]
    for hint in (
        Hint(completes=(("shield", "Shield"),)),
        Hint(both=(("fire_storm", "Fire Storm"),)),
        Hint(leads=(("paralysis", "Paralysis", "F F"),)),
        Hint(leads=(("magic_mirror", "Magic Mirror", "w"),)),
    ):
        assert hint.words in legend
        (visible,) = re.findall(r'aria-hidden="true">(.*?)</span>', hint_html(hint, "bartle-1"))
        assert strip_tags(visible) in strip_tags(legend)


def test_subjects_include_only_monsters_that_other_hands_may_summon(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    ada, rival = signed_in(cast.ada), duel.seats.get(wizard=cast.bram).code

    def future_monsters() -> set[str]:
        answer = post(ada, duel, hands("P", "-"), do="look")
        return set(re.findall(r'<option value="([LR]:w\d)"', answer.content.decode()))

    assert future_monsters() == set()
    for letter in "SF":  # Bram's left hand may then complete Summon Goblin
        play(duel, {cast.ada: hands("-", "-"), cast.bram: hands(letter, "-")})
    assert future_monsters() == {f"L:{rival}"}


def spells_set_back(page: str) -> str:
    found = re.search(r"data-given-up>(.*?)</p>", page, re.DOTALL)
    return found[1] if found else ""


def test_order_sheet_lists_spells_that_a_gesture_sets_back(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    for pair in ("S-", "W-"):
        play(duel, {cast.ada: hands(*pair), cast.bram: hands("-", "-")})
    ada = signed_in(cast.ada)
    lost = post(ada, duel, hands("F", "-"), "sheet").content.decode()
    kept = post(ada, duel, hands("D", "-"), "sheet").content.decode()
    assert "Fear" in spells_set_back(lost)
    assert "Fire Storm" in spells_set_back(kept)
    assert "Fear" not in spells_set_back(kept)
    assert 'data-spell="fear"' in kept


def test_order_sheet_describes_the_effect_of_a_completed_spell(cast: Cast, duel: Duel) -> None:
    html = post(signed_in(cast.ada), duel, hands("P", "-"), "sheet").content.decode()
    assert "stops missiles, stabs and monsters’ attacks" in html
    assert "yourself (default)" in html


# Drafts and receipts


def test_draft_is_marked_and_can_be_discarded(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    address = f"/duels/{duel.pk}/"
    seal(duel, cast.ada, hands("W", "D"))
    assert "data-draft-note" not in ada.get(address).content.decode()
    said = post(ada, duel, hands("F", "S"), "draft")
    assert said.status_code == 200
    assert re.fullmatch(r"Draft saved at \d\d:\d\d UTC\. It is not sealed\.", said.content.decode())
    html = ada.get(address).content.decode()
    assert "data-draft-note" in html
    assert "the orders you sealed earlier count" in html
    assert re.search(r'name="left" value="F"[^>]* checked', html)
    assert "data-draft-note" not in signed_in(cast.bram).get(address).content.decode()
    assert post(ada, duel, {}, do="drop").status_code == 302
    html = ada.get(address).content.decode()
    assert "data-draft-note" not in html
    assert re.search(r'name="left" value="W"[^>]* checked', html)


def test_draft_that_equals_the_sealed_orders_is_deleted(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    post(ada, duel, hands("F", "S"), "draft")
    seal(duel, cast.ada, hands("W", "D"))
    post(ada, duel, hands("F", "S"), "draft")
    assert Draft.objects.count() == 1
    answer = post(ada, duel, hands("W", "D", say=""), "draft")
    assert answer.content.decode() == "Same as your sealed orders."
    assert not Draft.objects.exists()


def test_reason_is_shown_if_a_draft_is_rejected(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    assert post(ada, duel, {"colour": "red"}, "draft").status_code == 422
    assert post(ada, duel, hands("W", "W"), "draft", turn="7").status_code == 409
    assert post(signed_in(cast.dorn), duel, hands("W", "W"), "draft").status_code == 403
    play(duel, {cast.ada: hands("W", "D"), cast.bram: hands("W", "D")})
    late = post(ada, duel, hands("F", "S"), "draft", turn="1")
    assert late.status_code == 409
    assert late.content.decode() == "Draft not saved: This turn has been played."
    assert not Draft.objects.exists()


def test_receipt_shows_orders_as_text_and_who_must_still_act(cast: Cast, duel: Duel) -> None:
    ada = signed_in(cast.ada)
    sealed = seal(duel, cast.ada, hands("P", ">", say="En garde"))
    html = ada.get(f"/duels/{duel.pk}/").content.decode()
    receipt = html[html.index("data-receipt") :].partition("Change your orders")[0]
    assert "casts Shield on yourself; your right hand stabs Bram." in strip_tags(receipt)
    assert "Still waiting for Bram" in receipt
    proof = receipt[receipt.index("<summary>Proof of your orders</summary>") :].partition(
        "</details>"
    )[0]
    assert f"<code data-commitment>{sealed.commitment}</code>" in proof
    assert 'href="/proof/"' in proof
    assert "P palm" in receipt
    assert "2026-03-01T12:00:00+00:00" in receipt
    assert post(ada, duel, {}, do="take_back").status_code == 302
    html = ada.get(f"/duels/{duel.pk}/").content.decode()
    assert "Unsealed" in html
    assert "Change your orders" not in html
    box = html[html.index("data-receipt") :].partition("</div>")[0]
    assert "sign-seal" not in box, "unsealed orders have no seal sign"
    assert "your time and your extensions run out" in box


def test_message_written_for_a_played_turn_is_kept_in_the_next_sheet(
    cast: Cast, duel: Duel
) -> None:
    play(duel, {cast.ada: hands("W", "D"), cast.bram: hands("W", "D")})
    for do in ("seal", "look"):
        answer = post(signed_in(cast.ada), duel, hands("F", "S", say="Later"), do=do, turn="1")
        assert answer.status_code == 409
        html = answer.content.decode()
        assert re.search(r'<textarea id="say"[^>]*>Later</textarea>', html)
        assert "F fingers" in html[html.index('data-version="typed"') :].partition("</ul>")[0]


def test_order_sheet_of_a_played_turn_is_not_updated(cast: Cast, duel: Duel) -> None:
    play(duel, {cast.ada: hands("W", "D"), cast.bram: hands("W", "D")})
    answer = post(signed_in(cast.ada), duel, hands("F", "S"), "sheet", turn="1")
    assert answer.status_code == 409
    assert answer["HX-Retarget"] == "#sheet-notice"
    assert answer["HX-Reswap"] == "innerHTML"
    assert "data-turn-over" in answer.content.decode()


def test_receipt_of_an_answer_names_who_must_still_answer(cast: Cast) -> None:
    """Both wizards are asked. After the first answer, the receipt names the other wizard."""
    duel = begin(cast.ada, cast.bram, strict=True)
    for letters in ("FW", "FS", "FD"):
        both = hands(letters[0], letters[1])
        play(duel, {cast.ada: both, cast.bram: both})
    turn = open_turn(duel)
    asked = [each for each in turn.questions if each["wizard"] == "w0"]
    assert len({each["wizard"] for each in turn.questions}) == 2
    form = {"turn": "3", "form_seal": "", **{each["id"]: "R" for each in asked}}
    ada = signed_in(cast.ada)
    assert ada.post(f"/duels/{duel.pk}/answers", form).status_code == 302
    html = ada.get(f"/duels/{duel.pk}/").content.decode()
    receipt = html[html.index("data-receipt") :].partition("<fieldset")[0]
    assert "the right hand" in receipt
    assert "Still waiting for Bram" in receipt


def test_sealed_wizard_sees_a_draw_offer_in_the_sticky_bar(cast: Cast) -> None:
    duel = begin(cast.ada, cast.bram)
    seal(duel, cast.ada, hands("W", "P"))
    endings.offer_draw(duel_id=duel.pk, wizard=cast.bram, ordinal=None, now=NOW)
    page = signed_in(cast.ada).get(f"/duels/{duel.pk}/").content.decode()
    (bar,) = re.findall(r'<p class="has-sealed"[^>]*>(.*?)</p>', page)
    assert bar == "Bram offers a draw."
