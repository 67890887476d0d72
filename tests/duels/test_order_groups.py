"""Lists of beings on the order sheet, with monsters grouped by controller."""

import re
from html import unescape

import pytest
from django.test import Client

from duels.models import Duel
from tests.cast import Cast, signed_in
from tests.duels.test_views_states import set_up
from tests.states import STATES, People

pytestmark = pytest.mark.django_db

GROUP_PATTERN = re.compile(r'<optgroup label="([^"]*)">(.*?)</optgroup>')
OPTION_PATTERN = re.compile(r'<option value="([^"]*)"[^>]*>([^<]*)')
BRAMS_GROUP = "Bram’s monsters"


def page(client: Client, duel: Duel) -> str:
    return client.get(f"/duels/{duel.pk}/").content.decode()


def field_html(html: str, name: str) -> str:
    found = re.search(rf'<select id="f-{re.escape(name)}".*?</select>', html, re.DOTALL)
    assert found is not None, name
    return found[0]


def option_groups(html: str, name: str) -> dict[str, list[str]]:
    """Return the options under each heading of a field's list."""
    return {
        unescape(label): [unescape(words) for _, words in OPTION_PATTERN.findall(options)]
        for label, options in GROUP_PATTERN.findall(field_html(html, name))
    }


def test_monsters_are_listed_under_their_controllers():
    """Each list contains every being once. The last options of a list have no heading."""
    state = STATES["crowd"](People())
    assert state.viewer is not None
    html = signed_in(state.viewer).get(state.path).content.decode()
    shown = option_groups(html, "all_attack")
    assert list(shown) == [
        "Wizards",
        "Bram’s monsters",
        "Dorn’s monsters",
        "Edda of the North’s monsters",
        "Gwendolyn the Unlikely’s monsters",
        "Monsters that obey nobody",
        "Not summoned yet",
    ]
    assert len(shown["Wizards"]) == 8
    assert shown["Monsters that obey nobody"] == ["Silver Giant"]
    of_one = option_groups(html, "victim:m0")
    assert of_one["Your monsters"] == ["Green Ogre", "Blue Troll"], "a monster cannot attack itself"
    assert of_one["Edda of the North’s monsters"] == ["Black Ogre", "Brown Goblin"]
    values = [value for value, _ in OPTION_PATTERN.findall(field_html(html, "victim:m0"))]
    assert len(values) == len(set(values))
    assert values[0] == ""
    assert values[-1] == "no_one"


def test_lists_of_beings_have_no_headings_if_there_are_no_monsters(cast: Cast):
    html = page(signed_in(cast.ada), set_up(cast, {"left": "SD", "right": "--"}, {}))
    assert "optgroup" not in html


def test_chosen_option_stays_selected_under_its_heading(cast: Cast):
    goblins = [{"kind": "goblin", "controller": "w1"}, {"kind": "ogre", "controller": "w0"}]
    client = signed_in(cast.ada)
    duel = set_up(cast, {}, {}, *goblins)
    typed = {"turn": "1", "form_seal": "", "left": ">", "left_subject": "m0", "victim:m1": "w1"}
    sheet = client.post(f"/duels/{duel.pk}/sheet", typed).content.decode()
    headed = rf'<optgroup label="{BRAMS_GROUP}">\s*<option value="m0" selected>Red Goblin'
    assert re.search(headed, sheet)
    assert '<optgroup label="Wizards">' in field_html(sheet, "victim:m1")
    assert field_html(sheet, "victim:m1").count(" selected>") == 1


def test_default_being_is_listed_only_once(cast: Cast):
    """The default option has the value that was submitted, because text orders name the being."""
    client = signed_in(cast.ada)
    duel = set_up(cast, {}, {})
    typed = {"turn": "1", "form_seal": "", "left": ">", "right": "-"}
    for subject in ("", "w1"):
        written = {**typed, "left_subject": subject}
        sheet = client.post(f"/duels/{duel.pk}/sheet", written).content.decode()
        shown = OPTION_PATTERN.findall(field_html(sheet, "left_subject"))
        assert [value for value, words in shown if "Bram" in words] == [subject]
        assert f'<option value="{subject}" selected>Bram (default)' in sheet


def test_corpses_are_listed_under_a_heading_of_their_own(cast: Cast):
    """Corpses are targets for wizards who raise the dead."""
    corpse = {"kind": "goblin", "controller": "w1", "state": "corpse"}
    duel = set_up(cast, {"left": "DWWFW", "right": "-----"}, {}, corpse)
    typed = {"turn": "1", "form_seal": "", "left": "C", "right": "C"}
    sheet = signed_in(cast.ada).post(f"/duels/{duel.pk}/sheet", typed).content.decode()
    assert option_groups(sheet, "both_subject")["Corpses"] == ["Red Goblin"]


def test_list_for_a_blind_wizard_does_not_show_current_controllers():
    """rules: R94.

    A blind wizard knows only that Bram controlled the goblin before; it may have been charmed
    since.
    """
    state = STATES["blind"](People())
    assert state.viewer is not None
    html = signed_in(state.viewer).get(state.path).content.decode()
    shown = option_groups(html, "victim:m1")
    assert shown["Monsters as you last saw them"] == ["Red Goblin"]
    assert BRAMS_GROUP not in shown
