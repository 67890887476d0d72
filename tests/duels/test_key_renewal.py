"""Renewal of encryption keys: rows are counted by key and re-encrypted with the newest key."""

from io import StringIO
from typing import Any
from unittest import mock

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from cryptography.fernet import Fernet
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models

from duels.commands import key_renewal, sealing
from duels.models import Draft, Duel, Orders
from duels.post.models import Notice
from duels.sealing import seals
from tests.cast import NOW, Cast, begin, hands, open_turn, play, seal

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]
OLD, NEW = (Fernet.generate_key().decode() for _ in range(2))


def command_output(name: str) -> str:
    out = StringIO()
    call_command(name, stdout=out)
    return out.getvalue()


def save_draft(cast: Cast, duel: Duel) -> None:
    sealing.save_draft(turn_id=open_turn(duel).pk, wizard=cast.ada, fields=hands("W", "P"), now=NOW)


@pytest.fixture
def duel(cast: Cast, settings: Any) -> Duel:
    """A duel in turn 2 with orders, a draft and an email, encrypted with the old key."""
    settings.SEAL_KEYS = [OLD]
    duel = begin(cast.ada, cast.bram)
    play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("-", "-")})
    seal(duel, cast.bram, hands("D", "D"))
    save_draft(cast, duel)
    notice = Notice.objects.filter(duel=duel)[:1].get()
    Notice.objects.filter(pk=notice.pk).update(details=seals.encrypt("{}"))
    return duel


def test_commands_count_and_reencrypt_the_rows_of_each_key(duel: Duel, settings: Any):
    settings.SEAL_KEYS = [NEW, OLD]
    begun = command_output("seal_keys")
    assert "key 1 (" in begun
    assert "the newest, encrypts): nothing" in begun
    assert (
        f"only decrypts): orders 3, drafts 1, duel seeds 1, emails 1; running duels {duel.pk}"
        in begun
    )
    assert "missing keys: nothing" in begun
    assert not any(key in begun for key in (OLD, NEW))
    with mock.patch.object(key_renewal, "BATCH_SIZE", 2):
        assert "orders 3, drafts 1, duel seeds 1, emails 1" in command_output("renew_seals")
    assert "re-encrypted: nothing" in command_output("renew_seals")
    assert "not needed any longer: you can remove it" in command_output("seal_keys")
    settings.SEAL_KEYS = [NEW]
    assert {seals.decrypt_seal(row.body).orders["left"] for row in Orders.objects.all()} == {
        "W",
        "-",
        "D",
    }
    assert seals.decrypt_draft(Draft.objects.get().body)["left"] == "W"


def test_key_renewal_does_not_overwrite_simultaneous_changes(cast: Cast, duel: Duel, settings: Any):
    """Another process saves a draft between the reading and the writing of a batch."""
    settings.SEAL_KEYS = [NEW, OLD]
    written = seals.encrypt_draft({"left": "S"})
    reencrypt = seals.reencrypt

    def fake_reencrypt(token: str) -> str:
        Draft.objects.update(body=written)
        return reencrypt(token)

    with mock.patch.object(seals, "reencrypt", fake_reencrypt):
        list(key_renewal.renew_keys())
    assert Draft.objects.get().body == written


@pytest.mark.django_db(transaction=True)
def test_key_renewal_locks_one_row_at_a_time(duel: Duel, settings: Any):
    """The end of a duel also locks its seals, in any order, so two locks could cause a deadlock."""
    settings.SEAL_KEYS = [NEW, OLD]
    reencrypt, held = seals.reencrypt, []

    def fake_reencrypt(token: str) -> str:
        held.append(connection.in_atomic_block)
        return reencrypt(token)

    with mock.patch.object(seals, "reencrypt", fake_reencrypt):
        list(key_renewal.renew_keys())
    assert len(held) == 6
    assert not any(held)


def test_key_renewal_skips_rows_whose_key_is_lost_and_counts_them(duel: Duel, settings: Any):
    settings.SEAL_KEYS = [NEW]
    bodies = list(Orders.objects.order_by("pk").values_list("body", flat=True))
    assert (
        f"missing keys: orders 3, drafts 1, duel seeds 1, emails 1; running duels "
        f"{duel.pk}" in command_output("seal_keys")
    )
    with pytest.raises(CommandError, match="orders 3, drafts 1, duel seeds 1, emails 1"):
        call_command("renew_seals", verbosity=0)
    assert list(Orders.objects.order_by("pk").values_list("body", flat=True)) == bodies


def test_key_renewal_lists_every_encrypted_column(duel: Duel):
    """No other column contains values that begin like encrypted text."""
    listed = {(each.model.lower(), each.name) for each in key_renewal.ENCRYPTED_COLUMNS}
    found = set()
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, models.TextField | models.CharField):
                rows = model._base_manager.filter(
                    **{f"{field.name}__startswith": seals.FERNET_PREFIX}
                )
                if rows.exists():
                    found.add((model._meta.label_lower, field.name))
    assert found <= listed
    assert len(found) == 4


def test_second_factors_still_work_after_key_renewal(cast: Cast, settings: Any):
    """A recovery code that is used during the renewal cannot be used again."""
    settings.SEAL_KEYS = [OLD]
    user = cast.ada.user
    assert user
    secret = generate_totp_secret()
    TOTP.activate(user, secret)
    codes = RecoveryCodes.activate(user)
    first, second, *_ = codes.generate_codes()
    assert codes.validate_code(first)
    stored = {row.type: row.data for row in Authenticator.objects.all()}
    assert secret not in f"{stored}"
    assert all(text.startswith(seals.FERNET_PREFIX) for text in (stored["totp"]["secret"],))
    settings.SEAL_KEYS = [NEW, OLD]
    assert "authenticator apps 1, recovery codes 1" in command_output("seal_keys")
    assert "authenticator apps 1, recovery codes 1" in command_output("renew_seals")
    settings.SEAL_KEYS = [NEW]
    app = Authenticator.objects.get(type="totp")
    assert get_adapter().decrypt(app.data["secret"]) == secret
    again = RecoveryCodes(Authenticator.objects.get(type="recovery_codes"))
    assert not again.validate_code(first), "it is used"
    assert again.validate_code(second)


def test_second_factor_whose_key_is_lost_accepts_no_code(
    cast: Cast, settings: Any, caplog: pytest.LogCaptureFixture
):
    settings.SEAL_KEYS = [OLD]
    kept = get_adapter().encrypt("JBSWY3DPEHPK3PXP")
    assert get_adapter().decrypt("JBSWY3DPEHPK3PXP") == "JBSWY3DPEHPK3PXP", (
        "plain text from earlier versions"
    )
    settings.SEAL_KEYS = [NEW]
    found = {get_adapter().decrypt(kept) for _ in range(3)}
    assert len(found) == 3, "values are random"
    assert "JBSWY3DPEHPK3PXP" not in found
    assert "its key is not in SEAL_KEYS" in caplog.text
