"""Databases and code of the newest published release, for tests that migrate and upgrade a site.

    python -m tests.released    write both for this release before publishing it

`tests/releases/sqlite.sql` and `postgresql.sql` contain tables and rows of running duels as SQL
statements; `migrations.txt` has the SHA-256 of every migration that has been published;
`code.tar.xz` has the code that a worker runs, because a shallow clone does not contain the older
commit.
"""

import hashlib
import inspect
import lzma
import re
import sqlite3
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import psycopg
from django.db.migrations.loader import MigrationLoader

import engine.play
from tests import prepared, services
from tests.inside import SiteProcess

RELEASES_FOLDER = services.ROOT / "tests" / "releases"
CODE_PATHS = ("manage.py", "duels", "engine", "spellcaster", "static/css", "templates")
RELEASED_APPS = ("duels", "post", "push", "referee", "replies")
SEALED_HANDS = {"left": "F", "right": "S"}


def begin_released_duels() -> None:
    """Begin a duel under each ruleset. In turn 2, Ada has sealed and Bram has not.

    A process of the site runs this function and the next one, with its database.
    """
    from duels.commands import endings, speaking
    from tests.cast import NOW, begin, challenge, hands, make_cast, play, seal

    cast = make_cast()
    for ruleset in engine.play.RULESETS:
        duel = begin(cast.ada, cast.bram, ruleset=ruleset, pace="86400")
        speaking.send_message(duel_id=duel.pk, wizard=cast.ada, words="En garde!", now=NOW)
        play(duel, {cast.ada: hands("W", "P"), cast.bram: hands("S", "D")})
        seal(duel, cast.ada, SEALED_HANDS)
    challenge(cast.cleo, cast.dorn)
    finished = begin(cast.cleo, cast.dorn)
    endings.resign(duel_id=finished.pk, wizard=cast.dorn, now=NOW)


def play_on() -> list[str]:
    """Play turn 2 of each running duel with Ada's sealed orders, and return the rulesets."""
    from django.test import Client

    from duels.models import Duel, Wizard
    from tests.cast import hands, open_turn, play

    ada, bram = (Wizard.objects.get(name=name) for name in ("Ada", "Bram"))
    client = Client()
    assert ada.user is not None
    client.force_login(ada.user)
    rulesets = []
    for duel in Duel.objects.filter(status="running").order_by("pk"):
        turn = play(duel, {bram: hands("D", "W")})
        assert turn.events is not None
        (ada_made,) = (
            event
            for event in turn.events["events"]
            if event["code"] == "gestured" and event["wizard"] == "w0"
        )
        assert SEALED_HANDS.items() <= ada_made.items()
        assert open_turn(duel).ordinal == 3
        assert client.get(f"/duels/{duel.pk}/").status_code == 200
        rulesets.append(duel.ruleset)
    return rulesets


def run_migrations() -> None:
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def alarm_statuses() -> dict[str, str]:
    """Return the status of each alarm, by its subject."""
    from duels.models import Alarm

    return dict(Alarm.objects.order_by("about").values_list("about", "status"))


def store_alarm(env: Mapping[str, str], about: str, told_at: str) -> None:
    """Store an alarm in the database of this site, as a worker of release 0.1.0 does."""
    statement = (
        "INSERT INTO duels_alarm (kind, about, words, raised_at, told_at)"
        f" VALUES ('turn', '{about}', 'It fails.', '2026-03-01 12:00:00+00:00', {told_at})"
    )
    if url := env.get("DATABASE_URL"):
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(statement.encode())
        return
    with closing(_restore_sqlite(Path(env["VAR_DIR"]))) as database:
        database.execute(statement)
        database.commit()


def site_environment(database_url: str, folder: Path) -> dict[str, str]:
    """Return settings for a site with this database, or with SQLite in the folder if it is ""."""
    return services.clean_environment(
        ALLOWED_HOSTS="testserver",
        EMAIL_URL="smtp://127.0.0.1:9",
        HTTPS="off",
        STATIC_ROOT=str(prepared.static_root()),
        VAR_DIR=str(folder),
        **({"DATABASE_URL": database_url} if database_url else {}),
        **services.TEST_KEYS,
    )


def restored_sqlite(folder: Path) -> dict[str, str]:
    """Restore the released database, and return the environment of a site that uses it."""
    with closing(_restore_sqlite(folder)) as database:
        database.executescript((RELEASES_FOLDER / "sqlite.sql").read_text(encoding="utf-8"))
    return site_environment("", folder)


def _restore_sqlite(folder: Path) -> sqlite3.Connection:
    database = sqlite3.connect(folder / prepared.SQLITE_FILE)
    # Constraints call REGEXP, which Django adds only to its own connections.
    database.create_function("REGEXP", 2, lambda regex, value: bool(re.search(regex, value)))
    return database


def restored_postgresql(server_url: str, folder: Path) -> dict[str, str]:
    """Restore the released database on this server, and return the environment of its site."""
    url = prepared.new_postgresql(server_url, f"released_{folder.name}")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute((RELEASES_FOLDER / "postgresql.sql").read_bytes())
    return site_environment(url, folder)


def unpack_code(folder: Path) -> None:
    archive = lzma.decompress((RELEASES_FOLDER / "code.tar.xz").read_bytes())
    # Python 3.11.2, Debian's, has no filter for tarfile.extractall().
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)


def published_migrations() -> dict[str, str]:
    """Return the SHA-256 of each published migration, by app and name."""
    lines = (RELEASES_FOLDER / "migrations.txt").read_text().splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def migration_digests() -> dict[str, str]:
    """Return the SHA-256 of each migration of this project, by app and name."""
    migrations = MigrationLoader(None).disk_migrations
    return {
        f"{app}.{name}": hashlib.sha256(Path(inspect.getfile(type(each))).read_bytes()).hexdigest()
        for (app, name), each in sorted(migrations.items())
        if app in RELEASED_APPS
    }


def main() -> None:
    RELEASES_FOLDER.mkdir(exist_ok=True)
    with services.temporary_folder() as folder, services.postgresql() as server:
        database = prepared.migrated_sqlite(folder)
        _begin_duels(site_environment("", folder))
        with closing(sqlite3.connect(database)) as connection:
            _write_file("sqlite.sql", "\n".join(connection.iterdump()))
        template = prepared.migrated_postgresql(server)
        url = prepared.new_postgresql(server, "released", template=template)
        _begin_duels(site_environment(url, folder))
        _write_file("postgresql.sql", _dump_database(url))
        with closing(SiteProcess(site_environment(url, folder))) as inside:
            digests = inside.ask("tests.released", "migration_digests")
    lines = (f"{digest}  {name}" for name, digest in digests.items())
    _write_file("migrations.txt", "\n".join(lines))
    archive = ["git", "archive", "HEAD", *CODE_PATHS]
    content = subprocess.run(archive, cwd=services.ROOT, check=True, capture_output=True).stdout
    (RELEASES_FOLDER / "code.tar.xz").write_bytes(lzma.compress(content, preset=9))


def _begin_duels(env: dict[str, str]) -> None:
    with closing(SiteProcess(env)) as inside:
        inside.ask("tests.released", "begin_released_duels")


def _dump_database(url: str) -> str:
    """Return the database as SQL statements, without commands that only psql understands."""
    programs = services.postgresql_folder()
    assert programs is not None
    command = [str(programs / "pg_dump"), "--no-owner", "--inserts", f"--dbname={url}"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.sub(r"^(--.*|\\(un)?restrict .*|)\n", "", text, flags=re.MULTILINE)


def _write_file(name: str, text: str) -> None:
    (RELEASES_FOLDER / name).write_text(text.rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
