"""Backups of the whole site: a consistent dump of the database, a manifest, and the keys.

    DIR/database.dump    PostgreSQL's custom format, or an SQLite database
    DIR/manifest.json    release, migrations, rows of each table, SHA-256 of the dump
    KEYS                 keys in a file of its own, encrypted with a passphrase

The dump is useless without the keys, and anyone who has both can read sealed orders, so store them
in different places.
"""

import base64
import hashlib
import json
import os
import sqlite3
import subprocess
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

import engine

DUMP_FILE: Final = "database.dump"
MANIFEST_FILE: Final = "manifest.json"
MANIFEST_FORMAT: Final = 1
KEY_SETTINGS: Final = ("SECRET_KEY", "SEAL_KEYS", "VAPID_PRIVATE_KEY")
# Cost of deriving a key from the passphrase: 128 MB and about half a second.
SCRYPT_COST: Final = {"length": 32, "n": 2**17, "r": 8, "p": 1}


class BackupError(Exception):
    """Error for a backup that cannot be written or restored; the message says what to do."""


def write_backup(folder: Path) -> dict[str, Any]:
    """Write the dump and its manifest into this folder, which must be new or empty.

    The row counts match the dump, even if the site is running. Only the owner of a new folder can
    read it, because the dump contains addresses and messages.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty: name a new folder for each backup.")
    dump = folder / DUMP_FILE
    write = _dump_postgresql if connection.vendor == "postgresql" else _dump_sqlite
    found = write(dump)
    manifest = {
        "format": MANIFEST_FORMAT,
        "created_at": timezone.now().isoformat(timespec="seconds"),
        "release": engine.RELEASE,
        "database": connection.vendor,
        **found,
        "sha256": {DUMP_FILE: _file_digest(dump)},
    }
    # The manifest is written last, so a folder without one is an interrupted backup.
    (folder / MANIFEST_FILE).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return manifest


def restore_backup(folder: Path) -> dict[str, Any]:
    """Restore the dump into this site's empty database, and return the manifest.

    Raise `BackupError` before anything is written if a file has changed or the database is not
    empty, and at the end if the numbers of rows differ.
    """
    manifest = _read_manifest(folder)
    if connection.vendor != manifest["database"]:
        raise BackupError(
            f"The backup is of {manifest['database']}, but DATABASE_URL names {connection.vendor}."
        )
    if connection.introspection.table_names():
        raise BackupError("The database is not empty. Create a new one, and do not migrate it.")
    dump = folder / DUMP_FILE
    if connection.vendor == "postgresql":
        _run_postgresql_program(
            "pg_restore", "--no-owner", "--no-acl", "--exit-on-error", str(dump)
        )
    else:
        connection.close()
        target = connection.settings_dict["NAME"]
        with closing(sqlite3.connect(dump)) as read, closing(sqlite3.connect(target)) as written:
            read.backup(written)
    with connection.cursor() as cursor:
        rows = database_contents(cursor)["rows"]
    wrong = [name for name, count in manifest["rows"].items() if rows.get(name) != count]
    if wrong:
        raise BackupError(f"The number of rows differs from the manifest in: {', '.join(wrong)}.")
    return manifest


def write_keys(file: Path, passphrase: str) -> None:
    """Write this site's keys into a new file, encrypted with the passphrase."""
    if not passphrase:
        raise BackupError("The passphrase is empty.")
    salt = os.urandom(16)
    text = json.dumps({name: getattr(settings, name) for name in KEY_SETTINGS})
    token = _cipher(passphrase, salt).encrypt(text.encode())
    sealed = {"format": MANIFEST_FORMAT, "salt": salt.hex(), "token": token.decode()}
    with open(file, "x", encoding="utf-8", opener=partial(os.open, mode=0o600)) as out:
        json.dump(sealed, out)


def read_keys(file: Path, passphrase: str) -> dict[str, str]:
    """Return the keys as values of environment variables."""
    sealed = json.loads(file.read_text(encoding="utf-8"))
    try:
        cipher = _cipher(passphrase, bytes.fromhex(sealed["salt"]))
        text = cipher.decrypt(sealed["token"].encode())
    except InvalidToken:
        raise BackupError("The passphrase is wrong, or the file has changed.") from None
    keys = json.loads(text)
    return {
        name: ",".join(value) if isinstance(value, list) else value for name, value in keys.items()
    }


def database_contents(cursor: Any) -> dict[str, Any]:
    """Return the names of the applied migrations, and the number of rows in each table."""
    with_tables = "sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    if connection.vendor == "postgresql":
        with_tables = "pg_catalog.pg_tables WHERE schemaname = current_schema()"
    column = "tablename" if connection.vendor == "postgresql" else "name"
    cursor.execute(f"SELECT {column} FROM {with_tables} ORDER BY 1")  # noqa: S608  # constants
    tables = [name for (name,) in cursor.fetchall()]
    rows = {}
    for name in tables:
        cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608  # the database's own name
        (rows[name],) = cursor.fetchone()
    cursor.execute("SELECT app, name FROM django_migrations ORDER BY app, name")
    return {"migrations": [f"{app}.{name}" for app, name in cursor.fetchall()], "rows": rows}


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BackupError(f"{folder} is not a complete backup: {error}") from None
    if manifest["format"] != MANIFEST_FORMAT:
        raise BackupError(f"The backup has format {manifest['format']}, not {MANIFEST_FORMAT}.")
    for name, digest in manifest["sha256"].items():
        if _file_digest(folder / name) != digest:
            raise BackupError(f"{folder / name} has changed since the backup.")
    return manifest


def _dump_postgresql(dump: Path) -> dict[str, Any]:
    """Dump the database, and return its contents in the same snapshot."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        _run_postgresql_program(
            "pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={dump}"
        )
        return database_contents(cursor)


def _dump_sqlite(dump: Path) -> dict[str, Any]:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(dump)])
    with closing(sqlite3.connect(dump)) as copy:
        return database_contents(copy.cursor())


def _run_postgresql_program(program: str, *arguments: str) -> None:
    """Run a PostgreSQL program such as pg_dump on this site's database."""
    settings_of = connection.settings_dict
    address = {
        "host": settings_of["HOST"],
        "port": settings_of["PORT"],
        "user": settings_of["USER"],
        "dbname": settings_of["NAME"],
    }
    target = " ".join(f"{name}='{value}'" for name, value in address.items() if value)
    command = [program, f"--dbname={target}", *arguments]
    env = {**os.environ, "PGPASSWORD": str(settings_of["PASSWORD"])}
    try:
        subprocess.run(  # noqa: S603  # no shell; the operator's address
            command, env=env, check=True, capture_output=True, text=True
        )
    except FileNotFoundError:
        raise BackupError(
            f"{program} is missing: install the Debian package postgresql-client."
        ) from None
    except subprocess.CalledProcessError as error:
        raise BackupError(f"{program} failed: {error.stderr.strip()}") from None


def _cipher(passphrase: str, salt: bytes) -> Fernet:
    key = Scrypt(salt=salt, **SCRYPT_COST).derive(passphrase.encode())
    return Fernet(base64.urlsafe_b64encode(key))


def _file_digest(file: Path) -> str:
    with file.open("rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()
