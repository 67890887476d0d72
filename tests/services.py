"""The servers that tests need, each started from its own program and stopped by its process id.

All listen on a free port of 127.0.0.1 and keep what they write in a temporary folder.

    postgresql()            the address of a PostgreSQL server, for DATABASE_URL
    redis()                 the address of a Redis server, for REDIS_URL
    celery_worker(env)      a Celery worker with this environment; the file it logs to
    mail_sink()             an SMTP server that keeps what it is sent: `.url`, `.mails`
    silent_server()         the port of a server that accepts connections and never answers
    temporary_folder()      its path
    running(command, ...)   any other server
    free_port()             a port that nobody listens on
    chromium()              the path of Debian's Chromium
    missing_programs()      what is not installed, with the Debian package that brings it
    clean_environment(...)  the variables of a site that knows nothing of this process's settings

Each is a context manager, but the last four. The whole site is in `tests/sites.py`, and
`tests/conftest.py` has fixtures of most.
"""

import email
import email.policy
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_SECONDS = 60

# What Chromium needs where there is no desktop, and to leave the network alone.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# What the environment of a test run must not hand down to a server.
SITE_VARIABLES = (
    "ALLOWED_HOSTS",
    "DATABASE_URL",
    "DEBUG",
    "EMAIL_URL",
    "HTTPS",
    "REDIS_URL",
    "SEAL_KEYS",
    "SECRET_KEY",
    "SITE_URL",
    "STATIC_ROOT",
    "TRUSTED_PROXIES",
    "VAR_DIR",
)

# Keys for sites of tests only.
TEST_KEYS = {
    "SECRET_KEY": "for-tests-only-" + "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "SEAL_KEYS": "Zm9yLXRlc3RzLW9ubHktZm9yLXRlc3RzLW9ubHktMDA=",
}


# Programs


def postgresql_folder() -> Path | None:
    """Where Debian keeps PostgreSQL's programs: the newest version's folder."""
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    with_server = [folder for folder in folders if (folder / "postgres").exists()]
    return max(with_server, key=lambda folder: int(folder.parent.name), default=None)


def chromium() -> str | None:
    return shutil.which("chromium")


def missing_programs() -> dict[str, str]:
    """The services that cannot be started here, each with the Debian package that brings it."""
    found = {
        "PostgreSQL": (postgresql_folder(), "postgresql"),
        "Redis": (shutil.which("redis-server"), "redis-server"),
        "Chromium": (chromium(), "chromium"),
    }
    return {name: package for name, (program, package) in found.items() if program is None}


# Starting and stopping


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: list[str],
    *,
    log: Path,
    ready: Callable[[], bool],
    env: Mapping[str, str] | None = None,
    user: str | None = None,
    stop: signal.Signals = signal.SIGTERM,
) -> Iterator[subprocess.Popen[bytes]]:
    """A server that is ready inside the block and gone after it."""
    with log.open("wb") as out:
        server = subprocess.Popen(
            command,
            cwd="/" if user else ROOT,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
    try:
        _wait_for(ready, server, log)
        yield server
    finally:
        server.send_signal(stop)
        try:
            server.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(ready: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    give_up = time.monotonic() + PATIENCE_SECONDS
    while not ready():
        if server.poll() is not None or time.monotonic() > give_up:
            raise RuntimeError(f"{server.args!r} did not start:\n{log.read_text()}")
        time.sleep(0.05)


def accepts(port: int) -> bool:
    with closing(socket.socket()) as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="spellcaster-") as folder:
        yield Path(folder)


# Servers


@contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL server of our own. It refuses to run as root, so root lends it a user."""
    programs = postgresql_folder()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None
    port = free_port()
    with temporary_folder() as folder:
        data = folder / "data"
        if user:
            shutil.chown(folder, user)
            folder.chmod(0o755)
        subprocess.run(
            [
                *(str(programs / "initdb"), "-D", str(data), "-U", "spellcaster", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            cwd="/",
            check=True,
            stdout=subprocess.DEVNULL,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )
        ready = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        with running(
            [
                *(str(programs / "postgres"), "-D", str(data), "-p", str(port), "-h", "127.0.0.1"),
                # No socket file, and no waiting for the disk: the data does not outlive the tests.
                *("-c", "unix_socket_directories=", "-c", "fsync=off"),
                *("-c", "full_page_writes=off"),
            ],
            log=folder / "log",
            ready=lambda: subprocess.run(ready, check=False).returncode == 0,
            user=user,
            stop=signal.SIGINT,  # a fast shutdown, which does not wait for clients
        ):
            yield f"postgres://spellcaster@127.0.0.1:{port}/postgres"


@contextmanager
def redis() -> Iterator[str]:
    port = free_port()
    with (
        temporary_folder() as folder,
        running(
            [
                *("redis-server", "--port", str(port), "--bind", "127.0.0.1"),
                *("--dir", str(folder), "--save", "", "--appendonly", "no"),
            ],
            log=folder / "log",
            ready=lambda: accepts(port),
        ),
    ):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def celery_worker(
    env: Mapping[str, str], *, concurrency: int = 2, include: str = ""
) -> Iterator[Path]:
    with temporary_folder() as folder:
        log = folder / "log"
        with running(
            [
                *(sys.executable, "-m", "celery", "-A", "spellcaster", "worker"),
                *("--loglevel=INFO", f"--concurrency={concurrency}"),
                *("--without-gossip", "--without-mingle"),
                *(["--include", include] if include else []),
            ],
            log=log,
            env=env,
            ready=lambda: b" ready." in log.read_bytes(),
        ):
            yield log


class _Keep:
    """Puts every mail on a list."""

    def __init__(self, mails: list[EmailMessage]) -> None:
        self.mails = mails

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        self.mails.append(parsed(envelope.original_content or b""))
        return "250 Message accepted for delivery"


def parsed(content: bytes) -> EmailMessage:
    return email.message_from_bytes(content, policy=email.policy.default)


@dataclass(frozen=True)
class MailSink:
    url: str
    mails: list[EmailMessage] = field(default_factory=list)


@contextmanager
def mail_sink() -> Iterator[MailSink]:
    port = free_port()
    sink = MailSink(f"smtp://127.0.0.1:{port}")
    controller = Controller(_Keep(sink.mails), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield sink
    finally:
        controller.stop()


@contextmanager
def silent_server() -> Iterator[int]:
    """As a broker looks behind a firewall that drops what comes back."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        held: list[socket.socket] = []

        def hold() -> None:
            while True:
                try:
                    held.append(listener.accept()[0])
                except OSError:  # the listener was closed: the test is over
                    return

        thread = threading.Thread(target=hold, daemon=True)
        thread.start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in held:
            connection.close()


# What a site is told


def clean_environment(**variables: str) -> dict[str, str]:
    """This process's environment without settings of the site, then these."""
    inherited = {name: value for name, value in os.environ.items() if name not in SITE_VARIABLES}
    return inherited | {"DJANGO_SETTINGS_MODULE": "spellcaster.settings"} | variables
