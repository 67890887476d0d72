"""The second sample game, Froodal against Bung, played under bartle-1 by HTTP requests.

All orders name their subjects, and every turn ends with the printed hit points.
"""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from duels.models import Duel
from tests.cast import begin, make_wizard, open_turn, signed_in

GAME_FILE = Path(__file__).parent.parent / "engine" / "sample_games" / "froodal_and_bung.json"
HIT_POINTS = [
    (15, 15),
    (15, 15),
    (14, 15),
    (14, 15),
    (9, 9),
    (9, 9),
    (9, 9),
    (8, 9),
    (8, 8),
    (7, 3),
    (7, -2),
]
MAX_HIT_POINTS = 15
RECORDED_TURNS = json.loads(GAME_FILE.read_text())["record"]["turns"]


@pytest.mark.django_db(transaction=True)
def test_second_sample_game_can_be_played_over_http():
    froodal, bung = make_wizard("Froodal"), make_wizard("Bung")
    duel = begin(froodal, bung)
    players = {"w0": signed_in(froodal), "w1": signed_in(bung)}
    for turn, hit_points in zip(RECORDED_TURNS, HIT_POINTS, strict=True):
        assert open_turn(duel).number == turn["number"]
        play_turn(duel, players, turn)
        for reader in (*players.values(), Client()):
            assert shown_hit_points(reader, duel) == hit_points, f"turn {turn['number']}"
    html = players["w1"].get(f"/duels/{duel.pk}/").content.decode()
    assert "Froodal wins" in html
    record = Client().get(f"/duels/{duel.pk}/record.json").json()
    assert [complete_orders(turn) for turn in record["turns"]] == [
        complete_orders(turn) for turn in RECORDED_TURNS
    ]


def complete_orders(turn: dict[str, Any]) -> dict[str, Any]:
    """Return the orders of a turn, including those of idle hands."""
    idle = {"left": "-", "right": "-"}
    return {code: idle | fields for code, fields in turn["orders"].items()}


def play_turn(duel: Duel, players: dict[str, Client], turn: dict[str, Any]) -> None:
    """Seal for both wizards, and answer for the wizard who is asked after the reveal."""
    ordinal = str(turn["ordinal"])
    for code, client in players.items():
        typed = turn["orders"][code] | {"turn": ordinal, "form_seal": "", "do": "seal"}
        answer = client.post(f"/duels/{duel.pk}/orders", typed)
        if answer.status_code == 422:  # warnings must be confirmed
            warned = re.findall(r'name="seen" value="([^"]*)"', answer.content.decode())
            typed |= {"seen": [unescape(key) for key in warned]}
            answer = client.post(f"/duels/{duel.pk}/orders", typed)
        assert answer.status_code == 302, answer.content.decode()
    for question, option in turn["answers"].items():
        typed = {question: option, "turn": ordinal, "form_seal": ""}
        given = [client.post(f"/duels/{duel.pk}/answers", typed) for client in players.values()]
        assert 302 in [answer.status_code for answer in given]


def shown_hit_points(reader: Client, duel: Duel) -> tuple[int, ...]:
    """Return the hit points of both wizards, based on the damage that the page shows."""
    html = reader.get(f"/duels/{duel.pk}/").content.decode()
    damage = [
        re.search(rf'data-being="{code}".*?data-damage="(\d+)"', html, re.DOTALL)
        for code in ("w0", "w1")
    ]
    return tuple(MAX_HIT_POINTS - int(found[1]) for found in damage if found is not None)
