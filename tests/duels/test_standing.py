"""Beings and effects in force, and spells in progress: those that each hand may complete."""

import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

import engine.orders
import engine.play
from duels.commands import endings
from duels.queries import pages
from duels.screens.duel.screen import duel_screen
from duels.screens.parts.progress_html import progress_html
from duels.standing.beings import Being, beings_of, short_names
from duels.standing.progress import (
    HAND_PARTLY_SEEN_TEXT,
    HAND_UNSEEN_TEXT,
    SpellInProgress,
    WizardProgress,
    spells_in_progress,
)
from engine.positions.position import Position
from tests.cast import NOW, Cast, begin, hands, play, signed_in
from tests.duels.test_views_states import page, set_up
from tests.engine.board import ADA, BRAM, begun, duel, made
from tests.engine.test_view import history_of_turns
from tests.states import STATES, People


def view_of(position: Position, observer: str = ADA) -> engine.play.View:
    return engine.play.view(engine.play.History((), position), observer)


def beings_by_id(position: Position, observer: str = ADA) -> dict[str, Being]:
    return {being.id: being for being in beings_of(view_of(position, observer))}


def effect_durations(position: Position, wizard: str, observer: str = ADA) -> dict[str, str]:
    """Return the text for the remaining time of each effect on a wizard, by effect."""
    return {effect.code: effect.left for effect in beings_by_id(position, observer)[wizard].effects}


def in_progress(view: engine.play.View, wizard: str) -> WizardProgress:
    (found,) = [each for each in spells_in_progress(view) if each.id == wizard]
    return found


def spells_as_text(spells: tuple[SpellInProgress, ...]) -> list[str]:
    """Return spells in the form "Missile S:D right", with two-handed gestures in brackets."""
    return [
        f"{spell.name} {spell.done}:"
        + "".join(f"({step.letter})" if step.both else step.letter for step in spell.needs)
        + f" {spell.hand}"
        for spell in spells
    ]


# Effects in force


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        ({"protection_from_evil": {"turns": 1}}, "this turn"),
        ({"protection_from_evil": {"turns": 3}}, "3 more turns"),
        ({"resist_heat": {}}, "until removed"),
        ({"haste": {"turns": 3, "permanent": True}}, "permanent"),
        ({"disease": {"turns": 4}}, "kills in 4 turns"),
        ({"poison": {"turns": 1}}, "kills this turn"),
    ],
)
def test_effect_shows_how_long_it_lasts(effect: dict[str, Any], words: str):
    """rules: F51"""
    assert list(effect_durations(duel({"effects": effect}), ADA).values()) == [words]


def test_remaining_turns_of_an_effect_are_counted_down():
    position = duel({"effects": {"blindness": {"turns": 3}}})
    assert effect_durations(position, ADA) == {"blindness": "3 more turns"}
    history = history_of_turns(position, {"ada": made("W P")})
    assert effect_durations(history.position, ADA) == {"blindness": "2 more turns"}


def test_monsters_are_listed_under_controllers_and_free_monsters_first():
    """rules: R145, F41"""
    monsters = [{"kind": "ogre", "controller": ""}, {"kind": "goblin", "controller": BRAM}]
    found = beings_by_id(duel(monsters=monsters))
    assert list(found) == ["m0", ADA, BRAM, "m1"]
    assert (found["m0"].is_free, found["m0"].is_controlled) == (True, False)
    assert (found["m1"].is_free, found["m1"].is_controlled, found["m1"].obeys) == (
        False,
        True,
        "Bram",
    )


def test_wizards_are_listed_in_seat_order_and_the_dead_come_last():
    """The order is the same for every observer, and on a phone."""
    monsters = [
        {"kind": "goblin", "controller": "", "state": "corpse"},
        {"kind": "ogre", "controller": "w2"},
        {"kind": "troll", "controller": ""},
    ]
    position = duel({}, {"state": "dead"}, {}, {}, seats=4, monsters=monsters)
    for observer in (ADA, BRAM, "w2", "w3", "all"):
        found = list(beings_by_id(position, observer))
        assert found == ["m2", ADA, "w2", "m1", "w3", BRAM, "m0"]


@pytest.mark.django_db
def test_wizards_who_resigned_are_last_in_the_list_of_seals(cast: Cast):
    running = begin(cast.ada, cast.bram, cast.cleo)
    endings.resign(duel_id=running.pk, wizard=cast.bram, now=NOW)
    html = page(signed_in(cast.cleo), running)
    assert re.findall('data-seal-of="(.*?)"', html) == ["Ada", "Cleo", "Bram"]


@pytest.mark.django_db
def test_line_of_wounds_on_a_phone_says_whether_it_shows_damage_or_hit_points_left(cast: Cast):
    """ "5/15" could be damage or hit points left."""
    running = set_up(cast, {"damage": 5}, {"damage": 1})
    client = signed_in(cast.ada)

    def line_text() -> str:
        found = re.search(r'<div class="wounds">(.*?)</div>', page(client, running), re.DOTALL)
        assert found is not None
        return " ".join(re.sub("<[^>]+>", " ", found[1]).split())

    assert line_text() == "Damage: You 5 of 15 Bram 1 of 15"
    client.post("/reading", {"points": "left"})
    assert line_text() == "Hit points left: You 10 Bram 14"


def test_charmed_monster_is_listed_under_its_new_controller():
    """rules: F92"""
    ogre = {"kind": "ogre", "controller": BRAM}
    position = duel(begun("PSD", "---"), monsters=[ogre])
    assert beings_by_id(position)["m0"].obeys == "Bram"
    after = history_of_turns(position, {"ada": made("D -", left_subject="m0")}).position
    assert beings_by_id(after)["m0"].obeys == "you"


def test_page_does_not_show_damage_that_a_blind_wizard_cannot_see():
    blind = {"effects": {"blindness": {"turns": 3}}}
    after = history_of_turns(
        duel(blind, {"damage": 4}), {"ada": made("W P")}, {"ada": made("W P")}
    ).position
    assert beings_by_id(after, ADA)[BRAM].damage is None
    assert beings_by_id(after, "all")[BRAM].damage == 4


@pytest.mark.django_db
def test_effects_on_a_being_are_listed_as_text(cast: Cast):
    """rules: F42"""
    effects = (
        "invisibility",
        "resist_heat",
        "resist_cold",
        "protection_from_evil",
        "blindness",
        "disease",
        "poison",
    )
    running = set_up(cast, {"effects": {name: {"turns": 2} for name in effects}}, {})
    html = page(signed_in(cast.ada), running)
    told = re.findall(r'<li data-effect="(\w+)">.*?<span><a [^>]*>([^<]+)</a></span>', html)
    assert {name for name, words in told if words} == set(effects)
    assert {words for _, words in told} >= {"Invisibility", "Resist Heat", "Blindness"}


@pytest.mark.django_db
def test_permanent_effect_is_marked_as_permanent(cast: Cast):
    running = set_up(cast, {"effects": {"haste": {"turns": 3, "permanent": True}}}, {})
    html = page(signed_in(cast.bram), running)
    assert re.search(r'data-effect="haste">.*?>∞</span> permanent', html, re.DOTALL)


@pytest.mark.django_db
def test_readers_can_choose_to_see_damage_or_remaining_hit_points(cast: Cast):
    """rules: F9"""
    running = set_up(cast, {"damage": 5}, {})
    client = signed_in(cast.ada)

    def figure_text() -> str:
        """Return the text after checking that the meter shows the same figure."""
        found = re.search(r'data-damage="5">(.*?)</span>', page(client, running), re.DOTALL)
        assert found is not None
        figure = re.search(r"<b>(\d+)</b>", found[1])
        assert figure
        assert f'value="{figure[1]}"' in found[1]
        return " ".join(re.sub("<[^>]+>", "", found[1]).split())

    assert figure_text() == "5 of 15 damage"
    assert 'name="points" value="left">Show hit points left' in page(client, running)
    address = f"/duels/{running.pk}/"
    answer = client.post(
        "/reading", {"points": "left"}, headers={"referer": f"http://testserver{address}"}
    )
    assert answer["Location"].endswith(address)
    assert figure_text() == "10 of 15 left"
    assert 'name="points" value="damage">Show damage taken' in page(client, running)


@pytest.mark.django_db
def test_thirty_monsters_are_all_listed():
    """rules: F54"""
    state = STATES["many_monsters"](People())
    html = Client().get(state.path).content.decode()
    assert len(re.findall(r'data-being="m\d+"', html)) == 30


# Spells in progress


def test_spells_in_progress_are_shown_for_the_coming_turn_and_the_one_after():
    position = duel(begun("S", "-"), begun("WD", "-D"))
    ada = in_progress(view_of(position, "all"), ADA)
    assert [when.words for when in ada.soon] == ["Turn 1", "The turn after that"]
    assert spells_as_text(ada.soon[0].spells) == ["Missile S:D left"]
    assert "Anti-spell S:PF left" in spells_as_text(ada.soon[1].spells)


def test_next_turn_of_a_wizard_without_haste_is_the_one_after_a_hasted_turn():
    """rules: W8, W9"""
    setup = {"wizards": [begun("PWPWW", "-----"), begun("----S", "-----")]}
    duellists = [engine.play.Duellist("Ada"), engine.play.Duellist("Bram")]
    position = engine.play.begin("warlocks-1", duellists, setup=setup)
    orders = {
        ADA: engine.orders.from_fields(made("C C")),
        BRAM: engine.orders.from_fields(made("S -")),
    }
    after, _ = engine.play.resolve(position, orders, {}, engine.play.NoDice())
    assert (after.turn, after.kind) == (2, engine.play.HASTE)
    ada, bram = (in_progress(view_of(after, "all"), wizard) for wizard in (ADA, BRAM))
    assert ada.soon[0].words == "Hasted turn 2"
    assert bram.soon[0].words == "Turn 3"
    assert "missile" in [spell.id for spell in bram.soon[0].spells]


def test_spells_in_progress_of_a_revealed_turn_are_listed_for_the_next_turn():
    """The gestures of turn 3 have been made, so the next chance to complete spells is turn 4."""
    position = duel(turn=3)
    shown = engine.play.Turn(3, position, (engine.play.Gestured(BRAM, 1, "S", "-"),))
    revealed = engine.play.History((shown,), position, is_open=True)
    for observer in (ADA, BRAM, "spectator"):
        bram = in_progress(engine.play.view(revealed, observer), BRAM)
        assert bram.soon[0].words == "Turn 4"
        assert "Missile S:D left" in spells_as_text(bram.soon[0].spells)
    begins = duel(begun("S", "-"), turn=3)
    resigned = engine.play.History((engine.play.Turn(3, begins, ()),), begins, is_open=True)
    assert in_progress(engine.play.view(resigned, ADA), ADA).soon[0].words == "Turn 3"


@pytest.mark.parametrize(
    ("ruleset", "kind", "words"),
    [
        ("bartle-1", "haste", "Turn 3"),
        ("bartle-1", "extra", "Turn 4"),
        ("spellcast-1", "haste", "Turn 3"),
        ("spellcast-1", "extra", "Turn 3"),
        ("wizards-1", "extra", "Turn 4"),
        ("archmage-1", "extra", "Turn 3"),
        ("warlocks-1", "haste", "Turn 4"),
        ("warlocks-1", "extra", "Turn 4"),
    ],
)
def test_spells_after_a_revealed_extra_turn_are_listed_for_the_next_turn(
    ruleset: str, kind: str, words: str
):
    """rules: R97, R98, W8"""
    position = duel({"effects": {"haste": {"turns": 9}}}, turn=3, ruleset=ruleset)
    position.kind, position.stopped = kind, (ADA,)
    shown = engine.play.Turn(3, position, (engine.play.Gestured(ADA, 1, "S", "-"),))
    view = engine.play.view(engine.play.History((shown,), position, is_open=True), ADA)
    assert in_progress(view, ADA).soon[0].words == words


def test_no_spells_in_progress_are_shown_before_any_gesture():
    assert spells_in_progress(view_of(duel())) == ()
    one, other = spells_in_progress(view_of(duel(begun("S", "-"))))
    assert (one.has_begun, other.has_begun) == (True, False)


def test_page_does_not_suggest_that_a_wizard_without_gestures_is_harmless():
    """A single palm is already a Shield."""
    html = progress_html(spells_in_progress(view_of(duel(begun("S", "-")))), "bartle-1")
    bram = html.partition('data-progress="w1"')[2]
    assert bram.count("no started spell can be completed") == 2
    assert "nothing" not in html


def test_harmful_spells_in_progress_come_first():
    position = duel(begun("WF", "--"))
    spells = in_progress(view_of(position), ADA).soon[0].spells
    assert [spell.is_harm for spell in spells] == sorted(
        (spell.is_harm for spell in spells), reverse=True
    )
    assert spells[0].id == "cause_light_wounds"


def test_two_handed_gestures_are_marked_in_spells_in_progress():
    position = duel(begun("C", "C"))
    spells = in_progress(view_of(position), ADA).soon[0].spells
    assert "Magic Mirror C:(W) either hand" in spells_as_text(spells)


def test_spells_that_need_more_than_two_turns_are_listed_as_later():
    later = spells_as_text(in_progress(view_of(duel(begun("P", "-"))), ADA).later)
    assert "Haste P:WPWW(C) left" in later


def test_at_most_six_spells_are_listed_for_the_second_turn():
    ada = in_progress(view_of(duel(begun("SDWF", "WPDP"))), ADA)
    assert all(len(when.spells) <= 6 for when in ada.soon[1:])


def test_spells_in_progress_of_other_wizards_depend_only_on_seen_gestures():
    invisible = {"effects": {"invisibility": {"turns": 3}}}
    history = history_of_turns(duel({}, invisible), {"ada": made("S -"), "bram": made("S -")})
    seen = in_progress(engine.play.view(history, ADA), BRAM)
    assert [(when.spells, when.unseen) for when in seen.soon] == [((), HAND_UNSEEN_TEXT)] * 2
    assert seen.later == ()
    own = in_progress(engine.play.view(history, BRAM), BRAM)
    assert "Missile S:D left" in spells_as_text(own.soon[0].spells)
    assert [when.unseen for when in own.soon] == ["", ""]


def test_list_of_spells_in_progress_is_marked_incomplete_after_unseen_gestures():
    invisible = {"effects": {"invisibility": {"turns": 1}}}
    history = history_of_turns(duel({}, invisible), {"bram": made("S -")}, {"bram": made("F -")})
    seen = in_progress(engine.play.view(history, ADA), BRAM)
    assert {when.unseen for when in seen.soon} == {HAND_PARTLY_SEEN_TEXT}
    assert seen.soon[1].spells


@pytest.mark.django_db
@pytest.mark.parametrize(("ada", "bram"), [("blindness", ""), ("", "invisibility")])
def test_page_says_that_unseen_hands_may_complete_any_spell(cast: Cast, ada: str, bram: str):
    effects = [{"effects": {name: {"turns": 3}}} if name else {} for name in (ada, bram)]
    running = set_up(cast, *effects)
    play(running, {cast.ada: hands("W", "-"), cast.bram: hands("S", "F")})
    html = page(signed_in(cast.ada), running)
    his = re.search(r'data-progress="w1".*?</section>', html, re.DOTALL)
    assert his is not None
    assert his[0].count(HAND_UNSEEN_TEXT) == 2
    assert "nothing" not in his[0]


@pytest.mark.django_db
def test_spells_in_progress_of_a_revealed_turn_include_its_gestures():
    """Bram's right hand has made S, and the turn now waits for Ada's answer."""
    people = People()
    path = STATES["answers"](people).path
    for client in (signed_in(people[0]), signed_in(people[1]), Client()):
        html = client.get(path).content.decode()
        bram = re.search(r'data-progress="w1".*?</section>', html, re.DOTALL)
        assert bram is not None
        assert "<dt>Turn 2</dt>" in bram[0]
        assert "<dt>Turn 1</dt>" not in bram[0]
        missile = re.search(r'<li[^>]*data-spell="missile".*?</li>', bram[0])
        assert missile is not None
        assert '<i>, right, done </i><span class="done">S</span>' in missile[0]


@pytest.mark.django_db
def test_page_of_a_revealed_turn_mentions_another_wizards_decision():
    """Ada is asked which of Bram's hands to paralyse. Bram has seen the gestures of that spell."""
    people = People()
    path = STATES["answers"](people).path
    html = signed_in(people[1]).get(path).content.decode()
    assert f"Turn 1 is revealed: {people[0].name} chooses which of your hands is paralysed." in html
    assert "chooses which" not in Client().get(path).content.decode()


def test_spells_of_a_hasted_wizard_are_listed_for_an_earlier_turn():
    slow, fast = begun("S", "-"), begun("S", "-", effects={"haste": {"turns": 3}})
    next_turn = spells_as_text(in_progress(view_of(duel(fast)), ADA).soon[0].spells)
    assert "Anti-spell S:PF left" in next_turn
    assert "Anti-spell S:PF left" not in spells_as_text(
        in_progress(view_of(duel(slow)), ADA).soon[0].spells
    )


@pytest.mark.django_db
def test_beings_and_spells_in_progress_are_computed_once_per_view(cast: Cast):
    running = set_up(cast, {"left": "S", "right": "-"}, {"left": "-", "right": "W"})
    shown = pages.duel_page(running, cast.ada)
    state = duel_screen(shown, cast.ada).state
    assert (state.beings, state.progress) == (beings_of(shown.view), spells_in_progress(shown.view))
    assert duel_screen(pages.duel_page(running, cast.ada), cast.ada).state is state
    assert duel_screen(pages.duel_page(running, cast.bram), cast.bram).state is not state


@pytest.mark.django_db
def test_duel_page_shows_spells_in_progress_of_each_wizard(cast: Cast):
    running = set_up(cast, {"left": "S", "right": "-"}, {"left": "-", "right": "W"})
    html = page(signed_in(cast.ada), running)
    blocks = re.findall(r'data-progress="(w\d)".*?</section>', html, re.DOTALL)
    assert blocks == ["w0", "w1"]
    ada = re.search(r'data-progress="w0".*?</section>', html, re.DOTALL)
    assert ada is not None
    assert 'data-spell="missile"' in ada[0]


@pytest.mark.django_db
def test_no_spells_in_progress_are_shown_after_the_end():
    assert "data-progress" in Client().get(STATES["sample"](People()).path).content.decode()
    assert "data-progress" not in Client().get(STATES["over"](People()).path).content.decode()


def renamed_beings(view: engine.play.View, *names: str) -> tuple[Being, ...]:
    """Return the first beings of a view, renamed to these names."""
    pairs = zip(beings_of(view), names, strict=False)
    return tuple(replace(being, name=name) for being, name in pairs)


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Guest Nora", "Guest Ben"), ("You", "Ben")),
        (("Nora", "Guest Ben"), ("You", "Ben")),
        (("Guest Ben", "Ben"), ("You", "Ben")),
        (("Guestly", "Guesting"), ("You", "Guesting")),
    ],
)
def test_short_names_replace_the_readers_name_by_you_and_omit_the_word_guest(
    names: tuple[str, ...], short: tuple[str, ...]
):
    view = engine.play.view(history_of_turns(duel({}, {})), ADA)
    assert short_names(renamed_beings(view, *names), ADA) == short
    assert short_names(renamed_beings(view, "Guest Ben", "Ben"), "") == ("Guest Ben", "Ben")
