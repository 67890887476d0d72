from collections.abc import Callable
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.db import migrations

BEGINS = "gAAAA"  # how each text begins that Fernet has encrypted


def encrypt(apps: Any, schema_editor: Any) -> None:
    """What one-time and recovery codes are made of is not in clear."""
    cipher = _cipher()
    _change(apps, lambda text: cipher.encrypt(text.encode()).decode(), is_encrypted=False)


def decrypt(apps: Any, schema_editor: Any) -> None:
    """As it was."""
    cipher = _cipher()
    _change(apps, lambda text: cipher.decrypt(text.encode()).decode(), is_encrypted=True)


def _cipher() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.SEAL_KEYS])


def _change(apps: Any, change: Callable[[str], str], *, is_encrypted: bool) -> None:
    for row in apps.get_model("mfa", "Authenticator").objects.order_by("pk"):
        for key in ("secret", "seed"):
            value = row.data.get(key)
            if isinstance(value, str) and value.startswith(BEGINS) == is_encrypted:
                row.data[key] = change(value)
        row.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0040_ask_those_who_are_out"),
        ("mfa", "0003_authenticator_type_uniq"),
    ]

    operations = [migrations.RunPython(encrypt, decrypt)]
