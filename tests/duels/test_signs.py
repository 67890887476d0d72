"""Every gesture, spell, effect and kind of being has a drawn sign, and none is drawn twice."""

import importlib.util
import re
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import Client

from duels.pages import signs
from engine.gestures import LETTERS
from engine.rulesets import RULESETS
from engine.spellbook import MONSTER_KINDS, Lasts

ROOT = Path(__file__).parent.parent.parent
SPRITE = (ROOT / "static" / "img" / "sprite.svg").read_text("utf-8")
DRAWN = re.findall(r'<symbol id="([^"]+)" viewBox="[^"]+">\S.+?</symbol>', SPRITE)
LETTERS_OF_ROWS = [*LETTERS, ">", "-", "?"]
BOOKS = [book for ruleset in RULESETS.values() for book in (ruleset, *ruleset.variants.values())]
EFFECTS = {
    row.id for book in BOOKS for row in book.spells.values() if row.lasts is not Lasts.INSTANT
}
SPELLS = sorted({spell for ruleset in RULESETS.values() for spell in ruleset.spells})


def drawn_by(tag: str) -> str:
    """The name of the sign that a template's tag prints."""
    html = Template(f"{{% load signs %}}{{% {tag} %}}").render(Context())
    found = re.fullmatch(r'<i class="sign sign-([\w-]+)"></i>', html)
    assert found is not None
    return found[1] if len(found[1]) > 1 else f"gesture-{found[1]}"


def test_no_sign_is_drawn_twice():
    assert len(DRAWN) == len(set(DRAWN)) == SPRITE.count("<symbol")
    bodies = re.findall(r'viewBox="[^"]+">(.+?)</symbol>', SPRITE)
    assert len(bodies) == len(set(bodies))


def test_the_style_sheet_has_every_sign_as_it_is_drawn():
    """`python docs/signs.py` makes it."""
    spec = importlib.util.spec_from_file_location("making_signs", ROOT / "docs" / "signs.py")
    assert spec is not None
    assert spec.loader is not None
    making = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(making)
    style = (ROOT / "static" / "css" / "signs.css").read_text("utf-8")
    assert style == making.stylesheet()
    shaped = re.findall(r"^\.sign-([\w-]+) \{ --sign: url\(", style, re.MULTILINE)
    assert [name if len(name) > 1 else f"gesture-{name}" for name in shaped] == DRAWN


@pytest.mark.parametrize("spell", SPELLS)
def test_every_spell_has_a_sign(spell: str):
    assert drawn_by(f'sign "{spell}"') in DRAWN


@pytest.mark.parametrize("effect", sorted(EFFECTS))
def test_every_effect_has_a_sign(effect: str):
    assert drawn_by(f'sign "{effect}"') in DRAWN


@pytest.mark.parametrize("kind", [*MONSTER_KINDS, "wizard", ""])
def test_every_kind_of_being_has_a_sign_of_its_own(kind: str):
    assert drawn_by(f'kind_sign "{kind}"') in DRAWN
    others = [
        drawn_by(f'kind_sign "{other}"')
        for other in [*MONSTER_KINDS, "wizard", ""]
        if other != kind
    ]
    assert drawn_by(f'kind_sign "{kind}"') not in others


@pytest.mark.parametrize("letter", LETTERS_OF_ROWS)
def test_every_gesture_has_a_sign_of_its_own(letter: str):
    assert drawn_by(f'gesture_sign "{letter}"') in DRAWN
    others = [drawn_by(f'gesture_sign "{other}"') for other in LETTERS_OF_ROWS if other != letter]
    assert drawn_by(f'gesture_sign "{letter}"') not in others


@pytest.mark.parametrize("name", ["half_clap", "break", "corpse", "bank", "flourish"])
def test_half_claps_breaks_corpses_banks_and_flourishes_have_signs(name: str):
    assert name in DRAWN


def test_every_sign_that_a_template_names_is_drawn():
    named = {
        name
        for template in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% sign "(\w+)"', template.read_text("utf-8"))
    }
    assert len(named) > 10
    assert {signs.ALIASES.get(name, name) for name in named} <= set(DRAWN)


def test_the_about_page_credits_the_makers_of_signs_and_fonts(client: Client):
    html = client.get("/about/").content.decode()
    for owner in ("Microsoft", "Lorc", "Delapouite", "CC BY 3.0", "Alegreya", "htmx"):
        assert owner in html
