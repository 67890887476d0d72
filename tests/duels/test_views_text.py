"""Text orders over HTTP: applied to the order sheet, kept in their box, and rejected by line."""

import html
import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils.html import strip_tags

import engine.orders
import engine.play
import engine.words
from duels.models import Draft, Duel, Orders
from duels.screens.order_sheet.build import order_form
from duels.screens.order_sheet.form_parts import SpellTexts
from duels.templatetags.parts import sheet_rest
from tests.cast import Cast, begin, hands, open_turn, play, seal, signed_in
from tests.duels.test_views_states import set_up

pytestmark = pytest.mark.django_db

IDLE_ORDERS = hands("-", "-")


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel of Ada (w0) against Bram (w1) at turn 3. Both left hands have made F twice."""
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("F", "S"), cast.bram: hands("F", "-")})
    play(duel, {cast.ada: hands("F", "-"), cast.bram: hands("F", "-")})
    return duel


def press_text_button(
    client: Client, duel: Duel, text: str, before: str = "", *, do: str = "read", **fields: str
) -> HttpResponse:
    """Post the order sheet, as a browser does if a button next to the text is pressed."""
    own = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": do}
    box = {"text": text.replace("\n", "\r\n"), "text_before": before.replace("\n", "\r\n")}
    return client.post(f"/duels/{duel.pk}/orders", own | box | IDLE_ORDERS | fields)  # type: ignore[return-value]  # a response


def page_of(answer: HttpResponse) -> str:
    return answer.content.decode()


def text_box(page: str) -> str:
    """Return the contents of the text box."""
    found = re.search(r'<textarea id="text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def original_text(page: str) -> str:
    found = re.search(r'name="text_before" value="([^"]*)"', page)
    assert found is not None
    return html.unescape(found[1])


def chosen_values(page: str, field: str) -> list[str]:
    """Return the chosen values of a field on the sheet."""
    radio = rf'name="{field}" value="([^"]*)"[^>]* checked'
    inputs: list[str] = re.findall(radio, page)
    menu = re.search(rf'<select id="f-{field}".*?</select>', page, re.DOTALL)
    inputs += re.findall(r'value="([^"]*)" selected', menu[0] if menu else "")
    return [html.unescape(value) for value in inputs]


def reading_errors(page: str) -> list[tuple[str, str, str]]:
    return re.findall(r'data-misread="(\w+)" data-line="(\d+)" data-column="(\d+)"', page)


def test_text_can_be_applied_to_the_sheet_without_saving(cast: Cast, duel: Duel):
    """F15-F17"""
    answer = press_text_button(
        signed_in(cast.ada), duel, "LH Paralysis\nrh >\nTARGET RH bram\nSAY Ha <b>!"
    )
    assert answer.status_code == 200
    page = page_of(answer)
    assert (chosen_values(page, "left"), chosen_values(page, "right")) == (["F"], [">"])
    assert chosen_values(page, "right_subject") == ["w1"]
    assert "Ha &lt;b&gt;!</textarea>" in page
    assert "data-text-read" in page
    assert 'data-fault="' not in page
    assert text_box(page) == "LH F\nRH >\nLH Paralysis\nTARGET RH Bram\nSAY Ha <b>!\n"
    assert original_text(page) == text_box(page)
    assert (Orders.objects.filter(turn=open_turn(duel)).count(), Draft.objects.count()) == (0, 0)


def test_history_shows_gestures_applied_from_text(cast: Cast, duel: Duel):
    page = page_of(press_text_button(signed_in(cast.ada), duel, "LH F\nRH S"))
    row = page.partition('<tr class="now"')[2].partition("</tr>")[0]
    assert re.findall(r"(fingers|snap), drafted", row) == ["fingers", "snap"]


def test_orders_applied_from_text_can_be_sealed(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    page = page_of(press_text_button(ada, duel, "LH F\nRH -\nLH Paralysis"))
    text = text_box(page)
    fields = {"left": "F", "right": "-", "left_spell": "paralysis"}
    assert (
        press_text_button(ada, duel, text, original_text(page), do="seal", **fields).status_code
        == 302
    )
    assert Orders.objects.filter(turn=open_turn(duel)).count() == 1


def test_unreadable_text_is_shown_with_all_its_errors(cast: Cast, duel: Duel):
    text = "LH F\nTARGET LH Frodal\n\nRH <q>\nfoo"
    answer = press_text_button(signed_in(cast.ada), duel, text, left="W", say="Kept")
    assert answer.status_code == 422
    page = page_of(answer)
    assert reading_errors(page) == [
        ("unknown_name", "2", "11"),
        ("unknown_spell", "4", "4"),
        ("unknown_order", "5", "1"),
    ]
    assert "<code>TARGET LH <mark>Frodal</mark></code>" in page
    assert "<q>" not in page
    assert "None of it counts yet, not even the lines without an error." in page
    assert text_box(page).split() == text.split()
    assert '<details class="text-box" id="text-box" data-remember="text" open>' in page
    assert chosen_values(page, "left") == ["W"]
    assert "Kept</textarea>" in page


def test_error_marks_the_end_of_an_incomplete_line(cast: Cast, duel: Duel):
    page = page_of(press_text_button(signed_in(cast.ada), duel, "TARGET LH"))
    assert "<code>TARGET LH<mark>…</mark></code>" in page
    long = "x" * 100
    page = page_of(press_text_button(signed_in(cast.ada), duel, f"TARGET LH {long} {long}"))
    assert f"<mark>{'x' * 60}…</mark>" in page
    page = page_of(press_text_button(signed_in(cast.ada), duel, f"TARGET #m {long}"))
    assert reading_errors(page) == [("unknown_monster", "1", "8")]


def test_errors_of_readable_but_illegal_text_orders_are_shown_on_the_sheet(cast: Cast, duel: Duel):
    answer = press_text_button(signed_in(cast.ada), duel, "BH >\nTARGET LH Ada")
    page = page_of(answer)
    assert answer.status_code == 200
    assert 'data-fault="two_stabs"' in page
    assert text_box(page) == "LH >\nRH >\nTARGET LH Ada\n"


def test_orders_that_the_sheet_cannot_show_stay_in_the_text_box(cast: Cast, duel: Duel):
    """An idle hand's subject has no field, so sealing would silently drop it."""
    ada = signed_in(cast.ada)
    page = page_of(press_text_button(ada, duel, "LH W\nTARGET LH Bram"))
    assert 'data-fault="nothing_to_aim"' in page
    assert "data-text-read" not in page
    answer = press_text_button(ada, duel, text_box(page), original_text(page), do="seal", left="W")
    assert 'data-fault="nothing_to_aim"' in page_of(answer)
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()


def test_applying_edited_text_keeps_other_changes_of_the_sheet(cast: Cast, duel: Duel):
    """Only edited lines of the text replace values of the sheet."""
    before = "LH -\nRH -\nSAY old\n"
    text = "LH F\nRH -\nSAY old\n"
    page = page_of(
        press_text_button(signed_in(cast.ada), duel, text, before, right="P", say="newer")
    )
    assert (chosen_values(page, "left"), chosen_values(page, "right")) == (["F"], ["P"])
    assert "newer</textarea>" in page
    page = page_of(press_text_button(signed_in(cast.ada), duel, "LH F\nRH -\n", before, say="old"))
    assert "old</textarea>" not in page


def test_invalid_original_text_counts_as_empty(cast: Cast, duel: Duel):
    page = page_of(press_text_button(signed_in(cast.ada), duel, "LH F", "LH foo", right="P"))
    assert (chosen_values(page, "left"), chosen_values(page, "right")) == (["F"], ["P"])


@pytest.mark.parametrize("do", ["seal", "draft", "look"])
def test_edited_text_is_applied_before_anything_is_saved(cast: Cast, duel: Duel, do: str):
    """Edited text is what the player wants to seal, so the page first shows it as sentences."""
    ada = signed_in(cast.ada)
    answer = press_text_button(ada, duel, "LH P", "LH -\nRH -\n", do=do, left="W")
    assert answer.status_code == 200
    page = page_of(answer)
    assert chosen_values(page, "left") == ["P"]
    assert text_box(page) == original_text(page) == "LH P\nRH -\n"
    assert "data-text-read" in page
    words = " ".join(strip_tags(page).split())
    assert "Your left hand makes P and casts Shield on yourself" in words
    assert (Orders.objects.filter(turn=open_turn(duel)).count(), Draft.objects.count()) == (0, 0)
    seal_again = {"text": text_box(page), "before": original_text(page)}
    if do != "look":
        answer = press_text_button(ada, duel, *seal_again.values(), do=do, left="P")
        assert answer.status_code == 302


def test_seal_button_shows_the_errors_of_an_edited_text(cast: Cast, duel: Duel):
    answer = press_text_button(signed_in(cast.ada), duel, "LH Q", "", do="seal", left="W")
    assert answer.status_code == 422
    page = page_of(answer)
    assert reading_errors(page)
    assert text_box(page).strip() == "LH Q"
    assert chosen_values(page, "left") == ["W"]
    assert not Orders.objects.filter(turn=open_turn(duel)).exists()


def test_unreadable_text_can_be_discarded_to_seal_the_sheet(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    page = page_of(press_text_button(ada, duel, "LH WFP", do="seal", left="P"))
    assert "data-unread-text" in page[page.index('class="seal-bar"') :]
    page = page_of(press_text_button(ada, duel, "LH WFP", do="discard_text", left="P"))
    assert (reading_errors(page), "data-unread-text" in page) == ([], False)
    assert text_box(page) == original_text(page) == "LH P\nRH -\n"
    assert (
        press_text_button(
            ada, duel, text_box(page), original_text(page), do="seal", left="P"
        ).status_code
        == 302
    )


def test_there_is_no_summary_of_a_sheet_with_an_edited_text(cast: Cast, duel: Duel):
    typed = {"turn": "3", "form_seal": "", "part": "summary", "text": "LH P", "text_before": ""}
    answer = signed_in(cast.ada).post(f"/duels/{duel.pk}/sheet", typed | hands("W", "-"))
    assert answer.status_code == 422


@pytest.mark.parametrize("ruleset", engine.play.RULESETS)
def test_example_in_the_help_works_as_written(cast: Cast, ruleset: str):
    """The example can be copied into the box and sealed; every other line can be read."""
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    crowded = set_up(cast, {}, {}, {"kind": "goblin", "controller": "w0"}, ruleset=ruleset)
    ada = signed_in(cast.ada)
    shown = ada.get(f"/duels/{duel.pk}/").content.decode()
    example = html.unescape(re.findall(r"<pre data-example>(.*?)</pre>", shown, re.DOTALL)[0])
    applied = page_of(press_text_button(ada, duel, example))
    assert "data-text-read" in applied
    fields = {"left": "P", "right": ">", "right_subject": "w1", "say": "Well met!"}
    answer = press_text_button(
        ada, duel, text_box(applied), original_text(applied), do="seal", **fields
    )
    assert answer.status_code == 302
    help_text = ada.get(f"/duels/{crowded.pk}/").content.decode().partition('class="text-help"')[2]
    lines = re.findall(r"<code>([^<]*)</code>", help_text.partition("</dl>")[0])
    parts = {"#", "LH2", "TARGET2", "nowhere", "RH:Bram"}  # these are only parts of lines
    position = engine.play.load(open_turn(crowded).position)
    assert isinstance(position, engine.play.Position)
    for line in map(html.unescape, lines):
        assert line in parts or engine.words.stated_fields(line, position, "w0"), line


def test_text_box_contains_the_draft_or_the_sealed_orders(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    address = f"/duels/{duel.pk}/"
    assert text_box(ada.get(address).content.decode()) == ""
    seal(duel, cast.ada, hands("F", "W", left_subject="nowhere"))
    sealed = ada.get(address).content.decode()
    assert text_box(sealed) == "LH F\nRH W\nTARGET LH nowhere\n"
    press_text_button(ada, duel, "", "", do="draft", left="D", left_subject="m7")
    assert text_box(ada.get(address).content.decode()) == "LH D\nRH -\nTARGET LH #m7\n"


def test_text_box_follows_the_sheet_unless_it_was_edited(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    own = {"turn": str(open_turn(duel).ordinal), "form_seal": ""}
    box = {"text": "LH -\r\nRH -", "text_before": "LH -\nRH -\n"}
    address = f"/duels/{duel.pk}/sheet"
    answer = ada.post(address, own | box | hands("F", "P")).content.decode()
    assert 'id="text-written" hx-swap-oob="outerHTML"' in answer
    assert text_box(answer) == "LH F\nRH P\n"
    answer = ada.post(address, own | box | {"text": "LH D"} | hands("F", "P")).content.decode()
    assert "text-written" not in answer


def test_text_box_is_left_empty_if_the_sheet_has_unknown_values(cast: Cast, duel: Duel):
    page = page_of(press_text_button(signed_in(cast.ada), duel, "", "", do="look", left="X"))
    assert text_box(page) == ""
    answer = press_text_button(signed_in(cast.ada), duel, "RH F", "", colour="red")
    assert answer.status_code == 422
    assert 'data-fault-field="colour"' in page_of(answer)
    assert text_box(page_of(answer)) == "RH F"


def test_text_orders_for_a_played_turn_are_rejected_and_kept(cast: Cast, duel: Duel):
    ada = signed_in(cast.ada)
    old = str(open_turn(duel).ordinal)
    play(duel, {cast.ada: hands("-", "-"), cast.bram: hands("-", "-")})
    for do in ("read", "seal"):
        answer = press_text_button(ada, duel, "LH F\nSAY <b>", "LH -", do=do, turn=old)
        assert answer.status_code in (409, 422)
        assert "SAY &lt;b&gt;" in page_of(answer)


def test_only_players_of_a_duel_can_apply_text_orders(cast: Cast, duel: Duel):
    for wizard in (cast.cleo, cast.dorn):
        answer = press_text_button(signed_in(wizard), duel, "LH F")
        assert answer.status_code == 409
        assert 'id="text"' not in page_of(answer)
    assert press_text_button(Client(), duel, "LH F").status_code == 302


def test_errors_in_text_orders_do_not_reveal_opponents_orders(cast: Cast, duel: Duel):
    """Promise 1: an opponent's sealed orders must not affect the response to text orders."""
    bram = signed_in(cast.bram)
    text = "TARGET LH Frodal\nTARGET Goblin Ada\nLH F"
    seal(duel, cast.ada, hands("W", "P", say="Nothing to see"))
    before = reading_errors(page_of(press_text_button(bram, duel, text)))
    assert len(before) == 2
    page = page_of(press_text_button(bram, duel, text))
    assert "Nothing to see" not in page


def test_sacrifice_needs_a_monster_and_can_be_ordered_as_text():
    """rules: R24"""
    goblin = {"kind": "goblin", "controller": "w0"}
    position = engine.play.begin(
        "wizards-1",
        [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")],
        setup={"wizards": [{"left": "DWFF", "right": "----"}], "monsters": [goblin]},
        options=["sacrifice"],
    )
    orders = engine.words.parse_orders("BH Sacrifice\nSACRIFICE RedGoblin", position, "w0")
    flat = engine.orders.fields(orders)
    assert engine.play.check(position, "w0", orders) == ()
    form = order_form(engine.play.sheet(position, "w0", orders), flat, SpellTexts({}, {}))
    (choice,) = form.sacrifice
    words = [option.words for option in choice.options]
    assert words == ["nobody", "Red Goblin"]
    assert [option.value for option in choice.options if option.chosen] == ["m0"]
    assert str(choice.words) in sheet_rest(form, "wizards-1")
    plain = order_form(engine.play.sheet(position, "w0"), {}, SpellTexts({}, {}))
    assert plain.sacrifice == ()
