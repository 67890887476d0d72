"""Instructions in `docs/RECORDS.md` for checking a record by hand, which tests carry out."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings

from duels.commands import endings
from duels.models import ActKind
from duels.queries import stories
from tests.cast import LATER, NOW, Cast, begin, hands, play, seal
from tests.duels.referees.acts.refereeing import make_referee, perform_act

CODE_START = re.compile(r"(import|salt|hashes|for|def|began|turns|seals)\b")
INDENTED_BLOCK = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)


@pytest.mark.parametrize("is_rolled_back", [False, True])
def test_python_code_in_the_instructions_checks_a_record(cast: Cast, is_rolled_back: bool) -> None:
    """The record has a confused wizard, a replaced seal, random bytes and messages.

    If the duel was rolled back after its end, the record has two seeds.
    """
    duel = begin(cast.ada, cast.bram)
    for left, more in (("D", {}), ("S", {}), ("F", {"left_subject": "w1"})):
        play(duel, {cast.ada: hands(left, "-", **more), cast.bram: hands("-", "-")})
    first = seal(duel, cast.ada, hands("W", "-", say="„Ho!“"))
    seal(duel, cast.ada, hands("W", "D"), form_seal=first.commitment, chance="0f" * 16)
    play(duel, {cast.bram: hands("-", "W")}, now=NOW)
    endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
    duel.refresh_from_db()
    if is_rolled_back:
        perform_act(ActKind.ROLL_BACK, make_referee(), duel, turn="4")
        seal(duel, cast.ada, hands("W", "D"), chance="f0" * 16)
        play(duel, {cast.bram: hands("-", "W")}, now=NOW)
        endings.resign(duel_id=duel.pk, wizard=cast.ada, now=LATER)
        duel.refresh_from_db()
    record = json.loads(json.dumps(stories.record_of_finished_duel(duel)))
    assert any(turn["draws"] for turn in record["turns"])
    text = (Path(settings.BASE_DIR) / "docs" / "RECORDS.md").read_text("utf-8")
    blocks = [re.sub(r"(?m)^    ", "", block) for block in INDENTED_BLOCK.findall(text)]
    python = [each for each in blocks if CODE_START.match(each.strip())]
    assert len(python) == 10
    assert len(record["dice"]["seeds"]) == 1 + is_rolled_back
    names: dict[str, object] = {}
    with_seals = [number for number, turn in enumerate(record["turns"]) if turn["seals"]]
    assert len(with_seals) == 4
    for turn in with_seals:
        code = "\n".join(python).replace('record["turns"][0]', f'record["turns"][{turn}]')
        code = code.replace('json.load(open("spellcaster-7.json"))', "RECORD")
        exec(code, names | {"RECORD": record})
