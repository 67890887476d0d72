"""The duel page in rare positions, in which it must show every choice and accept valid ones."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

import engine.play
from duels.commands import resolution
from duels.loaded import adjudication
from duels.models import Duel, Orders
from duels.post.models import Notice
from duels.sealing import seals
from engine.positions.position import FOREVER
from tests.cast import NOW, Cast, begin, deliver, hands, open_turn, play, seal, signed_in

pytestmark = pytest.mark.django_db

LASTS_ONE_TURN = {"turns": 1}


def set_up(
    cast: Cast,
    ada: Mapping[str, Any],
    bram: Mapping[str, Any],
    *monsters: Any,
    ruleset: str = "bartle-1",
) -> Duel:
    """Start a duel between Ada (w0) and Bram with this setup before turn 1."""
    duel = begin(cast.ada, cast.bram, ruleset=ruleset)
    duellists = [engine.play.Duellist("Ada", "she"), engine.play.Duellist("Bram", "he")]
    setup = {"wizards": [ada, bram], "monsters": list(monsters)}
    turn = open_turn(duel)
    turn.position = engine.play.dump(engine.play.begin(ruleset, duellists, setup=setup))
    turn.save()
    return duel


def page(client: Client, duel: Duel) -> str:
    return client.get(f"/duels/{duel.pk}/").content.decode()


def preview_orders(client: Client, duel: Duel, **fields: str) -> str:
    typed = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": "look"} | fields
    return client.post(f"/duels/{duel.pk}/orders", typed).content.decode()


def seal_status(client: Client, duel: Duel, **fields: str) -> int:
    turn = str(open_turn(duel).ordinal)
    typed = {"turn": turn, "form_seal": "", "do": "seal", "right": "-"} | fields
    return client.post(f"/duels/{duel.pk}/orders", typed).status_code


def option_values(html: str, field: str) -> list[str]:
    """Return the values of a field's options."""
    found = re.search(rf'<select id="f-{re.escape(field)}".*?</select>', html, re.DOTALL)
    assert found is not None, field
    return re.findall(r'<option value="([^"]*)"', found[0])


def gesture_radio(html: str, field: str, letter: str) -> str:
    """Return the HTML of a gesture's radio button."""
    found = re.search(
        rf'<input type="radio"[^>]*name="{field}" value="{re.escape(letter)}"[^>]*>', html
    )
    assert found is not None, field
    return found[0]


def test_gestures_barred_by_fear_are_disabled_with_the_reason(cast: Cast):
    duel = set_up(cast, {"effects": {"fear": LASTS_ONE_TURN}}, {})
    html = page(signed_in(cast.ada), duel)
    for letter in "FSDC":
        assert "disabled" in gesture_radio(html, "left", letter)
    for letter in "PW>-":
        assert "disabled" not in gesture_radio(html, "left", letter.replace(">", "&gt;"))
    assert "You are afraid" in html
    assert "disabled" not in gesture_radio(page(signed_in(cast.bram), duel), "left", "F")


def test_order_sheet_fixes_the_gesture_of_a_paralysed_hand(cast: Cast):
    paralysis = LASTS_ONE_TURN | {"hand": "R", "letter": "D", "caster": "w1"}
    duel = set_up(cast, {"effects": {"paralysis": paralysis}}, {})
    html = page(signed_in(cast.ada), duel)
    assert "checked" in gesture_radio(html, "right", "D")
    assert "disabled" in gesture_radio(html, "right", "P")
    assert "Paralysis makes this hand do D" in html
    assert seal_status(signed_in(cast.ada), duel, left="W") == 302


def test_order_sheet_fixes_both_gestures_of_a_wizard_with_amnesia(cast: Cast):
    duel = set_up(cast, {"effects": {"amnesia": LASTS_ONE_TURN | {"sets": ["WF"]}}}, {})
    html = page(signed_in(cast.ada), duel)
    assert "checked" in gesture_radio(html, "left", "W")
    assert "checked" in gesture_radio(html, "right", "F")
    assert "the turn does not wait for you" in html


def test_hasted_wizard_has_two_sets_and_two_rows_of_the_history(cast: Cast):
    duel = set_up(cast, {"effects": {"haste": {"turns": 3}}}, {})
    ada = signed_in(cast.ada)
    html = preview_orders(ada, duel, left="S", right="W", left2="D", right2="P")
    assert "Second set of gestures" in html
    completed = re.findall(r'data-completes="(\w+)"', html)
    assert completed == ["nothing", "L", "R"]
    assert 'name="left_subject2"' in html
    assert re.findall(r'<tr class="now" data-turn="([^"]*)">', html) == ["1", "1″"]
    two = {"left2": "D", "right2": "P", "left_subject2": "w1"}
    play(duel, {cast.ada: hands("S", "W", **two), cast.bram: hands("W", "D")})
    html = page(Client(), duel)
    rows = re.findall(r'<tr class="more-set" data-turn="1″">(.*?)</tr>', html, re.DOTALL)
    assert len(rows) == 1
    assert rows[0].count("blank") == 2
    assert "Missile" in rows[0]


def test_order_sheet_of_a_charmer_has_a_field_for_the_charmed_hand(cast: Cast):
    charm = LASTS_ONE_TURN | {"hand": "L", "caster": "w0"}
    duel = set_up(cast, {}, {"effects": {"charm_person": charm}})
    ada = signed_in(cast.ada)
    assert "P" in option_values(page(ada, duel), "charmed:w1.L")
    assert "Bram’s left hand" in page(ada, duel)
    assert "Ada may choose another gesture for this hand" in page(signed_in(cast.bram), duel)
    assert seal_status(ada, duel, left="W", right="W", **{"charmed:w1.L": "P"}) == 302


def test_monsters_have_fields_for_victims_and_are_listed_under_controllers(cast: Cast):
    goblin = {"kind": "goblin", "controller": "w0"}
    ogre = {"kind": "ogre", "controller": "w1", "state": "corpse"}
    duel = set_up(cast, {}, {}, goblin, ogre)
    html = page(signed_in(cast.ada), duel)
    assert option_values(html, "victim:m0")[0] == ""
    assert ">Bram (default)</option>" in html
    assert {"w0", "no_one"} <= set(option_values(html, "victim:m0"))
    assert re.search(r'<li class="under seat-0[^"]*" data-being="m0">', html)
    assert 'name="victim:m0"' not in page(signed_in(cast.bram), duel)
    assert seal_status(signed_in(cast.ada), duel, left="W", **{"victim:m0": "no_one"}) == 302


def test_only_its_owner_sees_and_can_release_a_banked_spell(cast: Cast):
    duel = set_up(cast, {"bank": "fireball"}, {})
    ada = signed_in(cast.ada)
    html = page(ada, duel)
    assert option_values(html, "release") == ["", "yes"]
    assert "w0" in option_values(html, "release_subject")
    assert re.search(r"banked</span> <b><a [^>]*>Fireball</a></b>", html)
    for other in (signed_in(cast.bram), Client()):
        assert "Fireball" not in page(other, duel)
    assert seal_status(ada, duel, left="W", release="yes", release_subject="w1") == 302


def test_order_sheet_shows_which_spells_a_delayed_effect_can_bank(cast: Cast):
    window = {"effects": {"delayed_effect": {"turns": 4}, "permanency": {"turns": 4}}}
    duel = set_up(cast, {"left": "WWF", "right": "WWF"} | window, {})
    html = preview_orders(signed_in(cast.ada), duel, left="P", right="-")
    assert option_values(html, "bank") == [""]
    assert ">left hand: Resist Heat (default)</option>" in html


def test_wizard_can_choose_between_a_two_handed_and_a_one_handed_spell(cast: Cast):
    duel = set_up(cast, {"left": "PPW", "right": "WWW"}, {})
    ada = signed_in(cast.ada)
    html = preview_orders(ada, duel, left="S", right="S")
    assert re.findall(r'data-completes="(\w+)"', html) == ["BH", "R"]
    assert 'data-spell="invisibility"' in html
    assert 'data-spell="counter_spell"' in html
    assert seal_status(ada, duel, left="S", right="S", right_spell="counter_spell") == 302
    receipt = page(ada, duel)
    assert "Right hand casts: <strong>Counter-spell</strong>" in receipt


def test_blind_wizard_sees_no_gestures_and_can_aim_a_monster_at_the_attacker(cast: Cast):
    goblin = {"kind": "goblin", "controller": "w0"}
    duel = set_up(cast, {"effects": {"blindness": {"turns": 3}}}, {}, goblin)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("D", "F")})
    html = page(signed_in(cast.ada), duel)
    assert re.search(
        r'data-turn="1".*?class="sign-fog fogged" data-hand="w1-left"', html, re.DOTALL
    )
    assert "attacker" in option_values(html, "victim:m0")
    assert "damage not seen" in html


def test_only_the_time_stopped_wizard_plays_an_extra_turn(cast: Cast):
    duel = set_up(cast, {"left": "SPP", "right": "---"}, {})
    # both hands make it, so the clap counts
    duel_turn = {cast.ada: hands("C", "C"), cast.bram: hands("W", "D")}
    play(duel, duel_turn)
    assert open_turn(duel).kind == "extra"
    html = page(signed_in(cast.ada), duel)
    assert "Your orders for extra turn" in html
    assert 'id="orders"' not in page(signed_in(cast.bram), duel)
    assert "Waiting for Ada" in page(signed_in(cast.bram), duel)
    assert 'data-seal-of="Bram" data-sealed="no"' in page(Client(), duel)
    seal(duel, cast.ada, hands("S", "D"))
    assert seal_status(signed_in(cast.bram), duel, left="W") in (403, 409)


def test_page_of_a_duel_without_any_decision_says_that_it_has_paused(cast: Cast):
    """Both wizards have permanent amnesia, so some turns are resolved without them."""
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    turn = open_turn(duel)
    position = adjudication.position_after_departures(turn)
    for duellist in position.wizards:
        duellist.effects["amnesia"] = engine.play.Effect(2, FOREVER, permanent=True, sets=("--",))
    turn.position = engine.play.dump(position)
    turn.save()
    assert "It resumes when one of you seals" not in page(ada, duel)
    Notice.objects.all().delete()
    play(duel, {cast.ada: hands("-", "-"), cast.bram: hands("-", "-")})
    stopped = open_turn(duel)
    assert stopped.number == resolution.MAX_TURNS_AT_ONCE + 1
    for wizard in (cast.ada, cast.bram):
        html = page(signed_in(wizard), duel)
        assert "It resumes when one of you seals" in html
        assert "the turn does not wait for you" not in html
    deliver(now=NOW)
    assert len(mail.outbox) == 2
    for message in mail.outbox:
        assert message.subject.endswith(f"(turn {stopped.number})")
        assert isinstance(message, EmailMultiAlternatives)
        html = str(message.alternatives[0][0])
        for text in (str(message.body), html):
            assert "has paused" in text
            assert "played without you" not in text
    assert seal_status(ada, duel) == 302
    resolution.resolve_turn(turn_id=stopped.pk)
    assert open_turn(duel).number == 2 * resolution.MAX_TURNS_AT_ONCE + 1


def test_messages_keep_line_breaks_and_letters_of_any_alphabet(cast: Cast):
    duel = begin(cast.ada, cast.bram)
    words = "Zwei Hände,\n両手 & <eine> “Klatsche”"
    assert seal_status(signed_in(cast.ada), duel, left="W", say=words) == 302
    html = page(signed_in(cast.ada), duel)
    assert "両手 &amp; &lt;eine&gt;" in html
    (stored,) = Orders.objects.filter(turn__duel=duel)
    assert seals.decrypt_seal(stored.body).orders["say"] == words


def test_empty_lines_around_a_message_are_removed(cast: Cast):
    """Browsers send such a line if the writer presses Enter at the end."""
    duel = begin(cast.ada, cast.bram)
    ada = signed_in(cast.ada)
    assert seal_status(ada, duel, left="W", say=" \r\nWell met.\r\n\r\nAt last.\r\n") == 302
    assert seal_status(ada, duel, left="W", say="Well met.\n\nAt last.") == 302
    (stored,) = Orders.objects.filter(turn__duel=duel)
    assert seals.decrypt_seal(stored.body).orders["say"] == "Well met.\n\nAt last."
