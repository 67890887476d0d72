"""Tests that copied casts and duels equal those that commands create."""

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

import engine.proof
from duels.errors import Refused
from duels.models import Block, Duel, User, Wizard
from duels.sealing import links, seeds
from tests import cast
from tests.cast import begin, make_cast

USER_COLUMNS = ("id", "user_id", "password", "date_joined")  # passwords have different salts
# columns that depend on the duel's number or seed
DUEL_COLUMNS = ("duel_id", "turn_id", "seed", "seed_commitment", "chain", "key", "path")
# Tables that commands read when a duel begins, apart from those in which they store it.
TABLES_READ_AT_START = {
    "duels_wizard",
    "duels_block",  # `names_if_copyable` expects this table and the next two to be empty
    "feeds_follow",
    "ratings_wizardrating",
    "matching_challengelimits",  # empty, because the duel is new
}


def column_values(model: type[Model]) -> list[dict[str, object]]:
    rows = model._default_manager.order_by("pk").values()
    omitted = {*USER_COLUMNS, *DUEL_COLUMNS}
    return [{name: value for name, value in row.items() if name not in omitted} for row in rows]


def test_copied_cast_equals_the_cast_created_by_commands(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast, "_KEPT_ACCOUNTS", [])
    casts = []
    for _ in range(3):
        people = make_cast()
        assert people.ada.user
        assert people.ada.user.wizard == people.ada
        assert people.ada.user.check_password(cast.PASSWORD)
        casts.append([column_values(model) for model in (User, EmailAddress, Wizard)])
        people.ada.preferences["night"] = True  # changes to this cast must not affect the next one
        User.objects.all().delete()
        Wizard.objects.all().delete()
    assert casts[0] == casts[1] == casts[2]
    assert all(len(rows) == 4 for rows in casts[0])


def test_creating_the_cast_rejects_rows_that_are_not_copied(db: None) -> None:
    people = make_cast()
    other = f'INSERT INTO "{Duel._meta.db_table}"'
    with pytest.raises(AssertionError, match=other), cast._assert_only_accounts_created():
        begin(people.ada, people.bram)


@pytest.mark.parametrize(
    "terms",
    [
        {},
        {"pace": "86400", "excuses": 2, "visibility": "private", "rated": True},
        {"strict": True, "ruleset": "spellcast-1"},
    ],
)
def test_copied_duel_equals_the_duel_begun_by_commands(
    db: None,
    django_capture_on_commit_callbacks: Any,
    monkeypatch: pytest.MonkeyPatch,
    terms: Mapping[str, Any],
) -> None:
    monkeypatch.setattr(cast, "_BEGUN_DUELS", {})
    people = make_cast()
    begun = []
    for _ in range(2):
        with django_capture_on_commit_callbacks() as callbacks:
            duel = begin(people.bram, people.ada, **terms)
        assert duel.chain == links.new_first_link(duel, 2)
        assert duel.seed_commitment == engine.proof.seed_commitment(seeds.seed_of(duel))
        rows = {model: column_values(model) for model in apps.get_models()}
        begun.append((rows, {each.__qualname__ for each in callbacks}, duel.seed_commitment))
        Duel.objects.all().delete()
    assert begun[0][:2] == begun[1][:2]
    assert begun[0][2] != begun[1][2]


def test_copied_duels_take_account_of_every_table_that_commands_read(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast, "_BEGUN_DUELS", {})
    people = make_cast()
    with CaptureQueriesContext(connection) as queries:
        begin(people.ada, people.bram, pace="86400", rated=True)
    found = " ".join(query["sql"] for query in queries)
    written = set(re.findall(r'INSERT INTO "(\w+)"', found))
    read = set(re.findall(r'(?:FROM|JOIN) "(\w+)"', found))
    assert read - written == TABLES_READ_AT_START


def test_duel_is_not_copied_if_somebody_has_blocked_a_wizard(db: None) -> None:
    people = make_cast()
    begin(people.ada, people.bram)
    Block.objects.create(wizard=people.ada, blocked=people.bram, created_at=cast.NOW)
    with pytest.raises(Refused):
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
