"""Tests of folded proofs on receipts and pages of past turns, and of instructions to check them."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from duels.commands import endings, resolution
from duels.models import Duel
from duels.screens.about.by_hand import COMMANDS
from engine.proof import chain, record_schema
from tests.cast import LATER, NOW, Cast, begin, hands, open_turn, seal, signed_in

pytestmark = pytest.mark.django_db
HASH_PATTERN = re.compile(r"[0-9a-f]{64}")
FOLDED_PROOF_PATTERN = re.compile(r"<details class=\"proof\">.*?</details>", re.DOTALL)


def test_hashes_on_the_duel_page_are_folded_by_default(cast: Cast):
    """The hashes of your own seal and those of opponents' seals are folded."""
    duel = begin(cast.ada, cast.bram)
    sealed = {seal(duel, wizard, hands("W", "P")).commitment for wizard in (cast.ada, cast.bram)}
    for client in (signed_in(cast.ada), signed_in(cast.bram), Client()):
        html = client.get(f"/duels/{duel.pk}/").content.decode()
        folded = " ".join(FOLDED_PROOF_PATTERN.findall(html))
        assert sealed <= set(HASH_PATTERN.findall(folded))
        shown = re.sub(r"<[^>]*>", "", FOLDED_PROOF_PATTERN.sub("", html))
        assert HASH_PATTERN.search(shown) is None


@pytest.fixture
def duel(cast: Cast) -> Duel:
    """A duel whose turn 1 has been played, and in which Ada replaced her seal."""
    duel = begin(cast.ada, cast.bram)
    first = seal(duel, cast.ada, hands("W", "P", say="sesame"))
    seal(duel, cast.ada, hands("F", "P", say="abracadabra"), form_seal=first.commitment, now=LATER)
    seal(duel, cast.bram, hands("D", "D"), now=LATER)
    resolution.resolve_turn(turn_id=open_turn(duel).pk, now=LATER)
    return duel


def proof_section(client: Client, duel: Duel) -> str:
    html = client.get(f"/duels/{duel.pk}/turns/1/").content.decode()
    return html[html.index("data-proof") :].partition("</section>")[0]


def test_page_of_a_past_turn_lists_every_seal_and_shows_contents_at_the_end(cast: Cast, duel: Duel):
    """Replaced seals are listed too, with their times.

    The contents of seals are private until the end.
    """
    ada, bram, visitor = signed_in(cast.ada), signed_in(cast.bram), Client()
    for client in (ada, bram, visitor):
        html = proof_section(client, duel)
        assert len(set(re.findall(r'data-seal="([0-9a-f]{64})"', html))) == 3
        assert html.count("(replaced)") == 1
        assert html.count("2026-03-01T12:00:00+00:00") == 1
        assert html.count("2026-03-01T13:00:00+00:00") == 2
    assert "sesame" in proof_section(ada, duel)
    assert "sesame" not in proof_section(bram, duel) + proof_section(visitor, duel)
    assert "finger" in proof_section(bram, duel)  # the name of a gesture that Bram sealed
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    for client in (ada, bram, visitor):
        html = proof_section(client, duel)
        assert "sesame" in html
        assert "abracadabra" in html


def test_instructions_for_checking_proofs_are_public_and_linked(duel: Duel):
    shown = proof_section(Client(), duel)
    assert 'href="/proof/"' in shown
    assert f'href="/duels/{duel.pk}/turns/1/proof.json"' in shown
    assert Client().get(f"/duels/{duel.pk}/turns/1/proof.json").status_code == 200
    html = Client().get("/proof/").content.decode()
    assert "python -m engine verify record.json" in html


def test_commands_in_the_instructions_work_and_detect_changes(
    cast: Cast, duel: Duel, tmp_path: Path
):
    """The commands run in a shell in the record's folder, without any code of this project."""
    endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)
    page = Client().get("/proof/").content.decode()
    blocks = [
        unescape(block) for block in re.findall(r"<pre data-run>(.*?)</pre>", page, re.DOTALL)
    ]
    assert len(blocks) == len(COMMANDS) == 6
    answer = Client().get(f"/duels/{duel.pk}/record.json")
    (tmp_path / "record.json").write_bytes(answer.content)
    told = "\n".join(_run_in_shell(block, tmp_path) for block in blocks)
    record = answer.json()
    seals = [seal for turn in record["turns"] for seal in turn["seals"]]
    assert told.count("True") == 2 * len(seals) + 1  # and one for the seed
    assert "False" not in told
    (seed,) = record["dice"]["seeds"]
    assert told.count(seed["seed_commitment"]) == 2  # one from openssl, and one from the record
    record["turns"][0]["seals"][1]["fields"]["left"] = "S"
    record["turns"][0]["draws"] = [{"label": "turn 1 anything", "sides": 6, "value": 6}]
    record["turns"][0]["seals"][0]["salts"]["left"] = "00" * 32
    seed["seed_commitment"] = "00" * 32
    record["acts"] = [{"ordinal": 1, "chain": "0" * 64}]
    (tmp_path / "record.json").write_text(json.dumps(record), encoding="utf-8")
    altered = [_run_in_shell(block, tmp_path) for block in blocks]
    assert [text.count("False") for text in altered] == [2, 1, 1, 0, 1, 1]


def test_browser_and_command_line_check_the_same_fields_of_a_record():
    """The script and the engine must list the same fields in turns, seals, links and so on."""
    folder = Path(__file__).parents[2] / "static" / "js" / "proof"
    script = (folder / "record_check.js").read_text("utf-8")

    def names_after(start: str) -> list[str]:
        return re.findall(r'"(\w+)"', script.partition(start)[2].partition("]")[0])

    assert names_after("const LINKED_TURN_FIELDS = [") == list(chain.LINKED_TURN_FIELDS)
    assert names_after("const LINKED_SEAL_FIELDS = [") == list(chain.LINKED_SEAL_FIELDS)
    covered = {"turn": chain.LINKED_TURN_FIELDS, "seal": chain.LINKED_SEAL_FIELDS}
    for name, known in (
        ("record", record_schema.RECORD_SCHEMA),
        ("turn", record_schema.TURN_SCHEMA),
        ("seal", record_schema.SEAL_SCHEMA),
        ("seed", record_schema.SEED_SCHEMA),
        ("ended", record_schema.END_SCHEMA),
    ):
        assert {*names_after(f"  {name}: ["), *covered.get(name, ())} == set(known), name


def _run_in_shell(command: str, folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-eu"], input=command, cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout
