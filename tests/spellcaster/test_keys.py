"""Tests of the keys that a fresh checkout generates."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from spellcaster.keys import generated_keys


def test_generated_seal_keys_can_be_used_for_encryption(tmp_path: Path) -> None:
    (key,) = generated_keys(tmp_path / "keys.json").seal_keys
    assert Fernet(key).decrypt(Fernet(key).encrypt(b"W P")) == b"W P"


def test_processes_that_start_at_the_same_time_get_the_same_keys(tmp_path: Path) -> None:
    path = tmp_path / "new" / "keys.json"
    with ThreadPoolExecutor(8) as starting:
        keys = set(starting.map(generated_keys, [path] * 16))
    assert len(keys) == 1
    assert [file.name for file in path.parent.iterdir()] == ["keys.json"]


@pytest.mark.parametrize("content", ["", "[]", "{}", "not JSON", '{"secret_key": "alone"}'])
def test_invalid_key_file_is_rejected_and_not_replaced(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    with pytest.raises(ImproperlyConfigured, match=r"keys\.json"):
        generated_keys(path)
    assert path.read_text() == content
