"""Every gesture, spell, effect and kind of being has a drawn sign, and none is drawn twice."""

import re
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import Client

from duels.templatetags import signs
from engine.begin import EFFECTS
from engine.gestures import LETTERS
from engine.rulesets import RULESETS
from engine.spellbook import KINDS

ROOT = Path(__file__).parent.parent.parent
SPRITE = (ROOT / "static" / "img" / "sprite.svg").read_text("utf-8")
DRAWN = re.findall(r'<symbol id="([^"]+)" viewBox="[^"]+">\S.+?</symbol>', SPRITE)
SPELLS = sorted({spell for ruleset in RULESETS.values() for spell in ruleset.spells})


def drawn_by(tag: str) -> str:
    """The name of the sign that a template's tag prints."""
    html = Template(f"{{% load signs %}}{{% {tag} %}}").render(Context())
    found = re.search(r'<use href="/static/img/sprite\.svg#([^"]+)">', html)
    assert found is not None
    return found[1]


def test_no_sign_is_drawn_twice():
    assert len(DRAWN) == len(set(DRAWN)) == SPRITE.count("<symbol")
    bodies = re.findall(r'viewBox="[^"]+">(.+?)</symbol>', SPRITE)
    assert len(bodies) == len(set(bodies))


@pytest.mark.parametrize("spell", SPELLS)
def test_every_spell_has_a_sign(spell: str):
    assert drawn_by(f'sign "{spell}"') in DRAWN


@pytest.mark.parametrize("effect", sorted(EFFECTS))
def test_every_effect_has_a_sign(effect: str):
    assert drawn_by(f'sign "{effect}"') in DRAWN


@pytest.mark.parametrize("kind", [*KINDS, "wizard", ""])
def test_every_kind_of_being_has_a_sign_of_its_own(kind: str):
    assert drawn_by(f'kind_sign "{kind}"') in DRAWN
    others = [drawn_by(f'kind_sign "{other}"') for other in [*KINDS, "wizard", ""] if other != kind]
    assert drawn_by(f'kind_sign "{kind}"') not in others


@pytest.mark.parametrize("letter", [*LETTERS, ">", "-", "?"])
def test_every_gesture_has_a_hand_of_its_own(letter: str):
    assert drawn_by(f'gesture_sign "{letter}"') in DRAWN
    others = [name for other, name in signs.GESTURE_SIGNS.items() if other != letter]
    assert drawn_by(f'gesture_sign "{letter}"') not in others


@pytest.mark.parametrize("name", ["half_clap", "break", "corpse", "bank", "flourish"])
def test_what_befalls_a_gesture_or_a_being_has_a_sign(name: str):
    assert name in DRAWN


def test_every_sign_that_a_template_names_is_drawn():
    named = {
        name
        for template in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% sign "(\w+)"', template.read_text("utf-8"))
    }
    assert len(named) > 10
    assert {signs.ALIASES.get(name, name) for name in named} <= set(DRAWN)


def test_the_credits_name_whose_signs_they_are(client: Client):
    html = client.get("/about/").content.decode()
    for owner in ("Microsoft", "Lorc", "Delapouite", "CC BY 3.0", "Alegreya", "htmx"):
        assert owner in html
