"""Sample replies from many email programs, each with the text that its author typed."""

from pathlib import Path

import pytest

from duels.replies.message import parse_email
from duels.replies.own_text import own_text

MESSAGES_FOLDER = Path(__file__).parent / "messages"
SITE_ADDRESS = "spellcaster@duels.example"
MESSAGE_NAMES = sorted(path.stem for path in MESSAGES_FOLDER.glob("*.eml"))


@pytest.mark.parametrize("name", MESSAGE_NAMES)
def test_text_that_the_author_of_a_reply_typed_is_extracted(name: str):
    letter = parse_email((MESSAGES_FOLDER / f"{name}.eml").read_bytes())
    expected = (MESSAGES_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert own_text(letter.text, addresses=[SITE_ADDRESS]) == expected.removesuffix("\n")
    assert not letter.is_automatic


def test_there_are_sample_replies_of_many_email_programs():
    assert len(MESSAGE_NAMES) >= 60
