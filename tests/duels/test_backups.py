"""Rehearsals of a restore: back up a site, restore it into an empty database, and verify it."""

import hashlib
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import engine.play
from tests import prepared, services
from tests.inside import SiteProcess
from tests.released import site_environment

PASSPHRASE_ENVIRONMENT = {"BACKUP_PASSPHRASE": "correct horse battery staple"}
REHEARSED_DUELS = 200  # duels
GUIDE = (services.ROOT / "docs" / "OPERATING.md").read_text()
GUIDE = GUIDE.partition("\n## Back up\n")[2].partition("\n## ")[0]
PRODUCTION_VARIABLES = (
    *("DATABASE_URL", "VAR_DIR", "STATIC_ROOT", "ALLOWED_HOSTS", "EMAIL_URL", "HTTPS"),
    *services.TEST_KEYS,
)


def create_duels(number: int) -> None:
    """Begin duels under all rulesets, play a turn in each, and end every other one."""
    from duels.commands import endings
    from tests.cast import NOW, begin, hands, make_cast, play

    cast = make_cast()
    for count, ruleset in zip(range(number), itertools.cycle(engine.play.RULESETS), strict=False):
        duel = begin(cast.ada, cast.bram, ruleset=ruleset)
        play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
        if count % 2:
            endings.resign(duel_id=duel.pk, wizard=cast.bram, now=NOW)


def damage_rows() -> None:
    """Change a stored turn, a result and a seal, as a faulty restore could."""
    from duels.models import Duel, Orders, Turn
    from duels.sealing import seals

    running, finished = (
        Duel.objects.filter(status=status).earliest("pk") for status in ("running", "over")
    )
    Turn.objects.filter(duel=running, ordinal=2).update(
        position=Turn.objects.earliest("pk").position
    )
    Duel.objects.filter(pk=finished.pk).update(result="w1")
    sealed = Orders.objects.filter(turn__duel=running).earliest("pk")
    Orders.objects.filter(pk=sealed.pk).update(body=seals.FERNET_PREFIX + "lost")


def tables() -> list[str]:
    from django.db import connection

    return connection.introspection.table_names()


def run_manage(*arguments: str) -> str:
    """Run a command of manage.py, and return its output and any error message."""
    from django.core.management import CommandError, call_command

    output = StringIO()
    try:
        call_command(*arguments, stdout=output)
    except CommandError as error:
        return f"{output.getvalue()}error: {error}"
    return output.getvalue()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteProcess]:
    folder = tmp_path / "site"
    prepared.migrated_sqlite(folder)
    with closing(SiteProcess({**site_environment("", folder), **PASSPHRASE_ENVIRONMENT})) as inside:
        yield inside


@pytest.fixture(scope="module")
def unchanged_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteProcess]:
    """Yield a site for all tests that do not write to its database."""
    folder = tmp_path_factory.mktemp("unchanged") / "site"
    prepared.migrated_sqlite(folder)
    with closing(SiteProcess({**site_environment("", folder), **PASSPHRASE_ENVIRONMENT})) as inside:
        yield inside


@pytest.fixture
def new_site(tmp_path: Path) -> Iterator[SiteProcess]:
    folder = tmp_path / "new"
    folder.mkdir()
    with closing(SiteProcess({**site_environment("", folder), **PASSPHRASE_ENVIRONMENT})) as inside:
        yield inside


def rehearse_restore(site: SiteProcess, new_site: SiteProcess, folder: Path, number: int) -> str:
    """Restore a backup of the filled site elsewhere, with the documented commands in their order.

    Return the result of the last one, `verify_all`.
    """
    site.call(create_duels, number)
    steps = GUIDE.partition("**With containers**")[0]
    files = {"DIR": str(folder / "backup"), "FILE": str(folder / "keys.json")}
    commands = [
        [files.get(word, word) for word in command.split()]
        for command in re.findall(r"python manage\.py ([^`\n]+)", steps)
    ]
    assert [name for name, *_ in commands] == [
        "backup",
        "restore",
        "restore",
        "migrate",
        "verify_all",
    ]
    output = site.call(run_manage, *commands[0])
    for command in commands[1:]:
        assert "error" not in output
        output = new_site.call(run_manage, *command)
    return output


@pytest.mark.services
def test_two_hundred_duels_survive_backup_and_restore(
    postgresql_server: str, tmp_path: Path
) -> None:
    template = prepared.migrated_postgresql(postgresql_server)
    name = f"backup_{tmp_path.name}"
    old = prepared.new_postgresql(postgresql_server, name, template=template)
    new = prepared.new_postgresql(postgresql_server, f"{name}_restored", template="template0")
    site, new_site = (
        SiteProcess({**site_environment(url, tmp_path), **PASSPHRASE_ENVIRONMENT})
        for url in (old, new)
    )
    with closing(site), closing(new_site):
        verified = rehearse_restore(site, new_site, tmp_path, REHEARSED_DUELS)
    half = REHEARSED_DUELS // 2
    assert verified.startswith(f"{half} records of finished duels, {half} turns of running duels, ")
    assert verified.endswith(": 0 faults\n")


def back_up_two_duels(postgresql_server: str, folder: Path) -> Path:
    old = prepared.new_postgresql(
        postgresql_server,
        f"old_{folder.name}",
        template=prepared.migrated_postgresql(postgresql_server),
    )
    with closing(SiteProcess({**site_environment(old, folder), **PASSPHRASE_ENVIRONMENT})) as site:
        site.call(create_duels, 2)
        assert "error" not in site.call(
            run_manage, "backup", str(folder / "backup"), "--without-keys"
        )
    return folder / "backup"


def restore_with(
    installation: str, replacements: Mapping[str, str], stand_ins: str, env: Mapping[str, str]
) -> None:
    """Restore two duels with the documented commands, of which some words are replaced.

    `stand_ins` defines shell functions for programs that need root or a container engine.
    """
    section = GUIDE.partition(f"**{installation}**")[2].partition("\n**")[0]
    steps = "\n".join(line.strip() for line in section.splitlines() if line.startswith("    "))
    for words, replacement in replacements.items():
        assert words in steps
        steps = steps.replace(words, replacement)
    done = subprocess.run(
        ["/bin/sh", "-euc", stand_ins + steps],
        env=env,
        cwd=services.ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "1 records of finished duels, 1 turns of running duels, " in done.stdout
    assert done.stdout.endswith(": 0 faults\n")


@pytest.mark.services
def test_documented_steps_restore_a_site_on_debian(postgresql_server: str, tmp_path: Path) -> None:
    """The new site's database is already migrated. `systemctl` does nothing, and `runuser` runs the
    rest of its command as the present user."""
    backup = back_up_two_duels(postgresql_server, tmp_path)
    template = prepared.migrated_postgresql(postgresql_server)
    name = f"installed_{tmp_path.name}"
    new = prepared.new_postgresql(postgresql_server, name, template=template)
    settings, variables = tmp_path / "spellcaster.env", site_environment(new, tmp_path)
    settings.write_text(
        "".join(f"{key}={shlex.quote(variables[key])}\n" for key in PRODUCTION_VARIABLES)
    )
    server = urlsplit(new)
    restore_with(
        "On Debian",
        {
            "chown -R spellcaster DIR": ":",
            "/etc/spellcaster.env": str(settings),
            ".venv/bin/python": sys.executable,
            "--owner spellcaster spellcaster": name,
            "dropdb spellcaster": f"dropdb {name}",
            "restore DIR": f"restore {backup}",
        },
        'systemctl() { :; }\nrunuser() { shift 3; "$@"; }\n',
        services.clean_environment(
            PATH=f"{services.postgresql_folder()}:{os.environ['PATH']}",
            PGHOST=server.hostname or "",
            PGPORT=str(server.port or 5432),
            PGUSER=server.username or "",
            PGPASSWORD=server.password or "",
        ),
    )


@pytest.mark.services
def test_documented_steps_restore_a_site_in_containers(
    postgresql_server: str, tmp_path: Path
) -> None:
    """`docker` runs the commands of the container `web`, and fails if the site would start with a
    database that lacks migrations."""
    backup = back_up_two_duels(postgresql_server, tmp_path)
    name = f"container_{tmp_path.name}"
    new = prepared.new_postgresql(postgresql_server, name, template="template0")
    docker = """docker() {
        case "$*" in
            *" web "*) while [ "$1" != web ]; do shift; done; shift; "$@" ;;
            "compose up --detach") python manage.py migrate --check ;;
        esac
    }
    """
    env = site_environment(new, tmp_path)
    path = f"{Path(sys.executable).parent}:{env['PATH']}"
    restore_with(
        "With containers", {"restore /backup": f"restore {backup}"}, docker, env | {"PATH": path}
    )


def test_backup_of_a_sqlite_database_can_be_restored(
    site: SiteProcess, new_site: SiteProcess, tmp_path: Path
) -> None:
    assert rehearse_restore(site, new_site, tmp_path, 10).endswith(": 0 faults\n")
    manifest = json.loads((tmp_path / "backup" / "manifest.json").read_text())
    dump = (tmp_path / "backup" / "database.dump").read_bytes()
    assert manifest["sha256"] == {"database.dump": hashlib.sha256(dump).hexdigest()}
    assert manifest["rows"]["duels_duel"] == 10


def test_keys_are_encrypted_and_readable_only_by_their_owner(
    unchanged_site: SiteProcess, tmp_path: Path
) -> None:
    keys = tmp_path / "keys.json"
    unchanged_site.call(run_manage, "backup", str(tmp_path / "backup"), f"--keys={keys}")
    seal_keys = services.TEST_KEYS["SEAL_KEYS"]
    assert keys.stat().st_mode & 0o77 == 0
    assert seal_keys not in keys.read_text()
    assert f"SEAL_KEYS='{seal_keys}'\n" in unchanged_site.call(
        run_manage, "restore", f"--keys={keys}"
    )
    sealed = json.loads(keys.read_text())
    keys.write_text(json.dumps(sealed | {"salt": "00" * 16}))
    assert "passphrase is wrong" in unchanged_site.call(run_manage, "restore", f"--keys={keys}")


def test_backup_is_readable_only_by_its_owner(unchanged_site: SiteProcess, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    unchanged_site.call(run_manage, "backup", str(folder), "--without-keys")
    assert folder.stat().st_mode & 0o77 == 0


def test_verify_all_names_every_damaged_row(site: SiteProcess) -> None:
    site.call(create_duels, 2)
    site.call(damage_rows)
    words = site.call(run_manage, "verify_all")
    assert words.endswith("3 faults")
    assert "duel 1: turn 1: " in words
    assert "duel 2: " in words
    assert "orders 1: no key" in words


def test_damaged_backup_is_not_restored(
    unchanged_site: SiteProcess, new_site: SiteProcess, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    unchanged_site.call(run_manage, "backup", str(folder), "--without-keys")
    dump = folder / "database.dump"
    dump.write_bytes(dump.read_bytes() + b" ")
    assert "has changed since the backup" in new_site.call(run_manage, "restore", str(folder))
    assert new_site.call(tables) == []


def test_backup_does_not_overwrite_anything(unchanged_site: SiteProcess, tmp_path: Path) -> None:
    folder = str(tmp_path / "backup")
    unchanged_site.call(run_manage, "backup", folder, "--without-keys")
    assert "name a new folder" in unchanged_site.call(
        run_manage, "backup", folder, "--without-keys"
    )
    assert "database is not empty" in unchanged_site.call(run_manage, "restore", folder)
