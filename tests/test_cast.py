"""Tests that a cast copied from stored rows equals a cast that commands create."""

import re
from collections import Counter
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.db.models import Model

from duels.models import Duel, User, Wizard
from tests import cast
from tests.cast import begin, make_cast

OWN = ("id", "user_id", "password", "date_joined")  # passwords have different salts


def contents(model: type[Model]) -> list[dict[str, object]]:
    rows = model._default_manager.order_by("pk").values()
    return [{name: value for name, value in row.items() if name not in OWN} for row in rows]


def test_copied_cast_equals_the_cast_created_by_commands(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast, "_KEPT", [])
    casts = []
    for _ in range(3):
        people = make_cast()
        assert people.ada.user
        assert people.ada.user.wizard == people.ada
        assert people.ada.user.check_password(cast.PASSWORD)
        casts.append([contents(model) for model in (User, EmailAddress, Wizard)])
        people.ada.preferences["night"] = True  # changes of this cast must not affect the next one
        User.objects.all().delete()
        Wizard.objects.all().delete()
    assert casts[0] == casts[1] == casts[2]
    assert all(len(rows) == 4 for rows in casts[0])


def test_creating_the_cast_rejects_rows_that_are_not_copied(db: None) -> None:
    people = make_cast()
    other = f'INSERT INTO "{Duel._meta.db_table}"'
    with pytest.raises(AssertionError, match=other), cast._only_accounts_are_made():
        begin(people.ada, people.bram)


def test_browser_tests_use_unique_wizard_names_on_the_shared_site() -> None:
    """If two tests share a name, each passes alone, but one fails if a single process runs both."""
    browser = Path(__file__).parent / "browser"
    names = [
        name
        for path in sorted(browser.glob("*.py"))
        for name in re.findall(r'\bmake_wizard\(\s*"([^"]+)"', path.read_text(encoding="utf-8"))
    ]
    assert names
    assert [name for name, times in Counter(names).items() if times > 1] == []
