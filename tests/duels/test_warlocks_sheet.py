"""The order sheet of Warlocks over HTTP, without JavaScript. rules: W18, W27, W34, W35

The tests cover paralysed and charmed hands, marked spells, the bank, and stopping your heart.
"""

import re
from functools import partial

import pytest
from django.utils.html import strip_tags

from duels.commands import resolution
from duels.models import Orders
from tests.cast import NOW, Cast, hands, open_turn, play, signed_in
from tests.duels import test_views_states as states
from tests.duels.test_views_states import option_values, page, preview_orders, seal_status
from tests.duels.test_warlocks import set_up as among_many

pytestmark = pytest.mark.django_db

set_up = partial(states.set_up, ruleset="warlocks-1")
PARALYSED_WIZARD = {"effects": {"paralysis": {"caster": "w0", "turns": 1}}}
CHARMED_WIZARD = {"effects": {"charm_person": {"caster": "w0", "turns": 1}}}
OPEN_EFFECTS = {"delayed_effect": {"turns": 2}, "permanency": {"turns": 2}}


def markable_hands(html: str, field: str) -> list[tuple[str, str]]:
    """Return the hands whose spells can be marked, with their labels."""
    found = re.findall(
        rf'name="{field}" value="(\w*)"(?: checked)?> ([^<]*?)</label>', html, re.DOTALL
    )
    return [(value, words.strip()) for value, words in found]


def test_caster_of_a_paralysis_can_name_the_hand_to_paralyse(cast: Cast):
    duel = set_up(cast, {}, {**PARALYSED_WIZARD, "left": "W", "right": "W"})
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert option_values(page(ada, duel), "held:w1") == ["", "R"]
    assert "held:" not in page(bram, duel)
    assert seal_status(ada, duel, left="W", right="-", **{"held:w1": "R"}) == 302
    assert "Bram’s hand to paralyse" in page(ada, duel)
    assert seal_status(bram, duel, left="S", right="S") == 302
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    assert "Bram’s right hand, paralysed, makes palm (P)." in page(ada, duel)


def test_charmed_hand_shows_its_gestures_and_the_spells_that_it_would_complete(cast: Cast):
    """rules: W18. Warned players do not complete a spell of their opponent by mistake."""
    duel = set_up(cast, {}, {})
    for letter in "WF":
        play(duel, {cast.ada: hands("W", "-"), cast.bram: hands("D", letter)})
    turn = open_turn(duel)
    effect = {"first": turn.number, "last": turn.number, "caster": "w0"}
    turn.position["wizards"][1]["effects"] = {"charm_person": effect}
    turn.save()
    ada = signed_in(cast.ada)
    html = page(ada, duel)
    assert "Bram’s right hand (W F so far)" in html
    assert ">P palm: completes Cause Light Wounds</option>" in html
    assert ">S snap</option>" in html
    warning = 'data-caution="charm_completes"'
    assert warning not in preview_orders(ada, duel, **{"charmed:w1.R": "S"})
    html = preview_orders(ada, duel, **{"charmed:w1.R": "P"})
    assert warning in html
    words = " ".join(strip_tags(html).split())
    assert "Bram’s right hand completes Cause Light Wounds, and Bram chooses its target." in words


def test_caster_chooses_a_gesture_for_only_one_charmed_hand(cast: Cast):
    duel = set_up(cast, {}, CHARMED_WIZARD)
    ada = signed_in(cast.ada)
    html = page(ada, duel)
    for hand in "LR":
        assert option_values(html, f"charmed:w1.{hand}")[1:] == [*"FPSWDC", "&gt;", "-"]
    # The sentence comes after both fields.
    assert html.index("charmed:w1.R") < html.index("Choose a gesture for one of the two hands")
    assert "Bram’s right hand (" not in html
    both = {"charmed:w1.L": "D", "charmed:w1.R": "P"}
    assert seal_status(ada, duel, left="W", right="-", **both) == 422
    assert seal_status(ada, duel, left="W", right="-", **{"charmed:w1.R": "-"}) == 302


def test_spell_that_a_gesture_abandons_is_listed_once(cast: Cast):
    """rules: R25. S-P-P leads to Time Stop in two ways."""
    duel = set_up(cast, {"left": "SP", "right": "--"}, {})
    html = preview_orders(signed_in(cast.ada), duel, left="S", right="-")
    (told,) = re.findall(r"<p class=\"given-up\"[^>]*>(.*?)</p>", html)
    assert strip_tags(told).count("Time Stop (S P so far)") == 1


def test_spells_can_be_marked_while_a_permanency_or_delay_is_in_effect(cast: Cast):
    duel = set_up(cast, {"left": "WS", "right": "--", "effects": OPEN_EFFECTS}, {})
    ada = signed_in(cast.ada)
    html = preview_orders(ada, duel, left="D", right="P")
    hands = [("", "nothing"), ("L", "left hand: Magic Missile"), ("R", "right hand: Shield")]
    assert markable_hands(html, "bank") == hands
    assert [value for value, _ in markable_hands(html, "permanency")] == ["", "L", "R"]
    marked = preview_orders(ada, duel, left="D", right="P", bank="L")
    assert re.search(r'name="bank" value="L" checked', marked)
    assert markable_hands(page(signed_in(cast.bram), duel), "bank") == []
    assert seal_status(ada, duel, left="D", right="P", bank="L") == 302


@pytest.mark.parametrize(
    ("spell", "subject", "aim"),
    [
        ("fireball", "w1", "at Bram"),
        ("shield", "w0", "on yourself"),
        ("summon_goblin", "w0", "for yourself"),
        ("summon_goblin", "w1", "for Bram"),
        ("summon_goblin", "nowhere", "at nobody"),
    ],
)
def test_order_sheet_describes_the_subject_of_a_banked_spell(
    cast: Cast, spell: str, subject: str, aim: str
):
    duel = set_up(cast, {"bank": spell, "bank_subject": subject}, {})
    assert f"Released, it is cast {aim}." in page(signed_in(cast.ada), duel)


def test_options_for_a_paralysis_show_the_resulting_gestures(cast: Cast):
    """rules: R80"""
    duel = set_up(cast, {"left": "FF", "right": "--"}, {})
    play(duel, {cast.ada: hands("F", "-", left_subject="w1"), cast.bram: hands("D", "W")})
    html = page(signed_in(cast.ada), duel)
    assert ">left hand: D stays D (default)</option>" in html
    assert ">right hand: W becomes P</option>" in html


def test_banked_spell_is_shown_to_everyone_and_keeps_its_subject(cast: Cast):
    duel = set_up(cast, {"bank": "fireball", "bank_subject": "w1"}, {})
    html = page(signed_in(cast.ada), duel)
    assert option_values(html, "release") == ["", "yes"]
    assert "Released, it is cast at Bram." in html
    assert "f-release_subject" not in html
    for reader in (cast.bram, cast.cleo):
        assert "Fireball" in page(signed_in(reader), duel).partition('id="standing"')[2]


def test_option_to_hold_a_monster_back_is_marked_once_as_the_default(cast: Cast):
    goblin = {"kind": "goblin", "controller": "w0"}
    duel = set_up(cast, {}, {}, goblin)
    play(duel, {cast.ada: hands("W", "-", **{"victim:m0": "no_one"}), cast.bram: hands("W", "-")})
    html = page(signed_in(cast.ada), duel)
    assert ">nobody (hold back, default)</option>" in html
    assert ">nobody (hold back)</option>" not in html


def test_stopping_your_heart_must_be_confirmed(cast: Cast):
    fear = {"effects": {"fear": {"caster": "w1", "permanent": True}}}
    duel = set_up(cast, fear, {})
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert option_values(page(ada, duel), "heart") == ["", "yes"]
    assert 'name="heart"' not in page(bram, duel)
    assert seal_status(ada, duel, left="W", right="-", heart="yes") == 422
    assert not Orders.objects.exists()
    asked = preview_orders(ada, duel, left="W", right="-", heart="yes")
    assert "Stop your heart and seal" in asked
    seen = re.findall(r'name="seen" value="([^"]*)"', asked)
    typed = {"turn": str(open_turn(duel).ordinal), "form_seal": "", "do": "seal", "seen": seen}
    more = {"left": "W", "right": "-", "heart": "yes"}
    assert ada.post(f"/duels/{duel.pk}/orders", typed | more).status_code == 302
    assert seal_status(bram, duel, left="W", right="-") == 302
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    duel.refresh_from_db()
    assert duel.result == "w1"


def test_wizard_without_orders_in_an_extra_turn_sees_why_and_is_not_awaited(cast: Cast):
    duel = set_up(cast, {"left": "PWPWW", "right": "-----"}, {})
    ada, bram = signed_in(cast.ada), signed_in(cast.bram)
    assert seal_status(ada, duel, left="C", right="C") == 302
    assert seal_status(bram, duel, left="W", right="-") == 302
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    html = page(bram, duel)
    assert "hasted turn 2" in html
    assert "Only hasted wizards act this turn: your hands rest" in html
    assert 'id="order-form"' not in html
    assert "You are hasted: only hasted wizards act this turn." in page(ada, duel)
    assert seal_status(ada, duel, left="W", right="P") == 302
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    assert open_turn(duel).number == 3


def test_order_sheet_says_if_a_subject_is_random_or_not_needed(cast: Cast):
    """rules: W3. With two opponents, the subject is random. A storm needs no subject."""
    troll = {"kind": "troll", "controller": "w0"}
    duel = among_many(cast, {"left": "S", "right": "-"}, {}, {}, monsters=[troll])
    html = preview_orders(signed_in(cast.ada), duel, left="D", right=">")
    drawn = "an opponent, drawn by lot"
    assert html.count(f">{drawn} (default)</option>") == 3
    assert f"The Red Troll attacks {drawn}." in html
    duel = set_up(cast, {"left": "SWW", "right": "---"}, {})
    html = preview_orders(signed_in(cast.ada), duel, left="C", right="C")
    assert ">nobody (default)</option>" in html
    assert drawn not in html


def test_hit_point_above_the_maximum_is_shown_as_such(cast: Cast):
    """rules: W4. No page shows negative damage."""
    duel = set_up(cast, {"damage": -1}, {})
    html = page(signed_in(cast.ada), duel)
    assert "<b>1</b> above the full 15 points" in html
    assert "0<small> of 15, +1</small>" in html
    assert "-1" not in re.sub(r"<[^>]*>", "", html.partition("<h1")[2].partition("</main>")[0])


def test_page_says_which_wizards_do_not_act_in_an_extra_turn(cast: Cast):
    """rules: W8, W9"""
    duel = set_up(cast, {"effects": {"haste": {"turns": 1}}}, {})
    for wizard in (cast.ada, cast.bram):
        seal_status(signed_in(wizard), duel, left="W", right="-")
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=NOW)
    html = page(signed_in(cast.ada), duel)
    assert "Bram</span> does not have to act" in html
    assert "nothing to decide" not in html
