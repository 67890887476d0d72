"""Who stands and what is in force; and what each wizard's hands may complete, and when."""

import re
from typing import Any

import pytest
from django.test import Client

import engine
from duels.views.beings import Being, beings
from duels.views.coming import ComingSpell, WizardProgress, progress
from engine.position import Position
from tests.cast import Cast
from tests.duels.test_views import signed_in
from tests.duels.test_views_states import page, set_up
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import story
from tests.states import STATES, People

SPELLS = {spell.id: spell.name for spell in engine.RULESETS["bartle-1"].spells.values()}


def view_of(position: Position, observer: str = ADA) -> engine.View:
    return engine.view(engine.History((), position), observer)


def stand(position: Position, observer: str = ADA) -> dict[str, Being]:
    return {being.id: being for being in beings(view_of(position, observer), SPELLS)}


def in_force(position: Position, wizard: str, observer: str = ADA) -> dict[str, str]:
    """How long each effect on a wizard goes on, in words."""
    return {effect.code: effect.left for effect in stand(position, observer)[wizard].effects}


def coming(view: engine.View, wizard: str) -> WizardProgress:
    (found,) = [each for each in progress(view, SPELLS) if each.id == wizard]
    return found


def written(spells: tuple[ComingSpell, ...]) -> list[str]:
    """Spells as "Missile S:D right", gestures of both hands in brackets."""
    return [
        f"{spell.name} {spell.done}:"
        + "".join(f"({step.letter})" if step.both else step.letter for step in spell.needs)
        + f" {spell.hand}"
        for spell in spells
    ]


# What is in force


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ({"protection_from_evil": {"turns": 1}}, "this turn"),
        ({"protection_from_evil": {"turns": 3}}, "3 more turns"),
        ({"resist_heat": {}}, "until removed"),
        ({"haste": {"turns": 3, "permanent": True}}, "for ever"),
        ({"disease": {"turns": 4}}, "kills in 4 turns"),
        ({"poison": {"turns": 1}}, "kills this turn"),
    ],
)
def test_an_effect_says_how_long_it_goes_on(effect: dict[str, Any], words: str):
    """rules: F51"""
    assert list(in_force(duel({"effects": effect}), ADA).values()) == [words]


def test_the_turns_of_an_effect_run_down():
    position = duel({"effects": {"blindness": {"turns": 3}}})
    assert in_force(position, ADA) == {"blindness": "3 more turns"}
    history = story(position, {"ada": made("W P")})
    assert in_force(history.position, ADA) == {"blindness": "2 more turns"}


def test_the_seven_letters_have_words():
    """rules: F42"""
    names = (
        *("invisibility", "resist_heat", "resist_cold", "protection_from_evil"),
        *("blindness", "disease", "poison"),
    )
    effects = {name: {"turns": 2} for name in names}
    found = stand(duel({"effects": effects}))[ADA].letters
    assert "".join(letter for letter, _ in found) == "IHCPbdp"
    assert all(words for _, words in found)


def test_monsters_stand_under_whom_they_obey_and_the_free_stand_first():
    """rules: R145, F41"""
    monsters = [{"kind": "ogre", "controller": ""}, {"kind": "goblin", "controller": BRAM}]
    found = stand(duel(monsters=monsters))
    assert list(found) == ["m0", ADA, BRAM, "m1"]
    assert (found["m0"].is_free, found["m0"].under) == (True, False)
    assert (found["m1"].is_free, found["m1"].under, found["m1"].obeys) == (False, True, "Bram")


def test_after_a_charm_the_monster_stands_under_its_new_master():
    """rules: F92"""
    ogre = {"kind": "ogre", "controller": BRAM}
    position = duel(begun("PSD", "---"), monsters=[ogre])
    assert stand(position)["m0"].obeys == "Bram"
    after = story(position, {"ada": made("D -", left_subject="m0")}).position
    assert stand(after)["m0"].obeys == "Ada"


def test_what_the_blind_do_not_see_is_not_told():
    blind = {"effects": {"blindness": {"turns": 3}}}
    after = story(duel(blind, {"damage": 4}), {"ada": made("W P")}, {"ada": made("W P")}).position
    assert stand(after, ADA)[BRAM].damage is None
    assert stand(after, "all")[BRAM].damage == 4


@pytest.mark.django_db
def test_letters_open_to_their_words_without_a_script(cast: Cast):
    running = set_up(cast, {"effects": {"resist_heat": {}, "blindness": {"turns": 2}}}, {})
    html = page(signed_in(cast.ada), running)
    letters = re.search(r'<details class="letters">.*?</details>', html, re.DOTALL)
    assert letters is not None
    assert re.findall(r"<li><b>(.)</b> ([^<]+)</li>", letters[0]) == [
        ("H", "resists heat"),
        ("b", "blind"),
    ]


@pytest.mark.django_db
def test_what_lasts_for_ever_has_a_sign_and_the_word(cast: Cast):
    running = set_up(cast, {"effects": {"haste": {"turns": 3, "permanent": True}}}, {})
    html = page(signed_in(cast.bram), running)
    assert re.search(r'data-effect="haste">.*?>∞</span> for ever', html, re.DOTALL)


@pytest.mark.django_db
def test_wounds_are_counted_as_the_reader_likes(cast: Cast):
    """rules: F9"""
    running = set_up(cast, {"damage": 5}, {})
    client = signed_in(cast.ada)

    def shown() -> str:
        found = re.search(r'data-damage="5">(.*?)</span>', page(client, running), re.DOTALL)
        assert found is not None
        return " ".join(re.sub("<[^>]+>", "", found[1]).split())

    assert shown() == "5 of 15 damage"
    assert 'name="points" value="left">Show hit points left' in page(client, running)
    address = f"/duels/{running.pk}/"
    answer = client.post(
        "/reading", {"points": "left"}, headers={"referer": f"http://testserver{address}"}
    )
    assert answer["Location"].endswith(address)
    assert shown() == "10 of 15 left"
    assert 'name="points" value="damage">Show damage taken' in page(client, running)


@pytest.mark.django_db
def test_thirty_monsters_can_all_be_read():
    """rules: F54"""
    state = STATES["many_monsters"](People())
    html = Client().get(state.path).content.decode()
    assert len(re.findall(r'data-being="m\d+"', html)) == 30


# What may come


def test_what_may_be_complete_next_turn_and_the_turn_after():
    position = duel(begun("S", "-"), begun("WD", "-D"))
    ada = coming(view_of(position, "all"), ADA)
    assert [when.words for when in ada.soon] == ["Next turn", "The turn after"]
    assert written(ada.soon[0].spells) == ["Missile S:D left"]
    assert "Anti-spell S:PF left" in written(ada.soon[1].spells)


def test_nothing_is_told_while_nobody_has_begun_anything():
    assert progress(view_of(duel()), SPELLS) == ()
    one, other = progress(view_of(duel(begun("S", "-"))), SPELLS)
    assert (one.has_begun, other.has_begun) == (True, False)


def test_harm_comes_first():
    position = duel(begun("WF", "--"))
    spells = coming(view_of(position), ADA).soon[0].spells
    assert [spell.is_harm for spell in spells] == sorted(
        (spell.is_harm for spell in spells), reverse=True
    )
    assert spells[0].id == "cause_light_wounds"


def test_gestures_of_both_hands_are_told_apart():
    position = duel(begun("C", "C"))
    spells = coming(view_of(position), ADA).soon[0].spells
    assert "Magic Mirror C:(W) either hand" in written(spells)


def test_what_needs_longer_waits_under_later():
    later = written(coming(view_of(duel(begun("P", "-"))), ADA).later)
    assert "Haste P:WPWW(C) left" in later


def test_no_more_of_the_turn_after_than_one_takes_in():
    ada = coming(view_of(duel(begun("SDWF", "WPDP"))), ADA)
    assert all(len(when.spells) <= 6 for when in ada.soon[1:])


def test_of_others_only_what_was_seen_may_come():
    invisible = {"effects": {"invisibility": {"turns": 3}}}
    history = story(duel({}, invisible), {"ada": made("S -"), "bram": made("S -")})
    seen = coming(engine.view(history, ADA), BRAM)
    assert [when.spells for when in seen.soon] == [(), ()]
    assert seen.later == ()
    own = coming(engine.view(history, BRAM), BRAM)
    assert "Missile S:D left" in written(own.soon[0].spells)


def test_the_hasted_complete_sooner():
    slow, fast = begun("S", "-"), begun("S", "-", effects={"haste": {"turns": 3}})
    next_turn = written(coming(view_of(duel(fast)), ADA).soon[0].spells)
    assert "Anti-spell S:PF left" in next_turn
    assert "Anti-spell S:PF left" not in written(coming(view_of(duel(slow)), ADA).soon[0].spells)


def test_one_view_is_put_into_words_once():
    view = view_of(duel(begun("S", "-")))
    assert progress(view, SPELLS) is progress(view, SPELLS)
    assert beings(view, SPELLS) is beings(view, SPELLS)


@pytest.mark.django_db
def test_the_page_tells_what_may_come_of_each_wizard(cast: Cast):
    running = set_up(cast, {"left": "S", "right": "-"}, {"left": "-", "right": "W"})
    html = page(signed_in(cast.ada), running)
    blocks = re.findall(r'data-coming="(w\d)".*?</section>', html, re.DOTALL)
    assert blocks == ["w0", "w1"]
    ada = re.search(r'data-coming="w0".*?</section>', html, re.DOTALL)
    assert ada is not None
    assert 'data-spell="missile"' in ada[0]


@pytest.mark.django_db
def test_nothing_may_come_after_the_end():
    assert "data-coming" in Client().get(STATES["sample"](People()).path).content.decode()
    assert "data-coming" not in Client().get(STATES["over"](People()).path).content.decode()
