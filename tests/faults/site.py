"""The site with the processes of production. Every process that ends is restarted."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

import urllib3

from tests import prepared, services
from tests.faults.mail_server import MailServer, mail_server
from tests.faults.supervised import SupervisedProcess
from tests.inside import SiteProcess

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE_SECONDS = 180
# A crash of the server loses no commits. Crashes of the whole machine are not tested.
DATABASE_SETTINGS = {"max_connections": "200", "full_page_writes": "off"}


@dataclass(frozen=True)
class SupervisedSite:
    """A running site. `parts` are its processes by name, in order of their start."""

    url: str
    env: dict[str, str]
    parts: dict[str, SupervisedProcess]
    mail: MailServer
    inside: SiteProcess
    folder: Path
    lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function with the site's settings and database, in one thread at a time."""
        with self.lock:
            return self.inside.call(function, *args, **kwargs)

    def is_ready(self) -> bool:
        """Return whether a web process reaches the database, the cache and the broker."""
        try:
            answer = urllib3.request("GET", f"{self.url}/readyz", retries=False, timeout=2)
        except urllib3.exceptions.HTTPError:
            return False
        return answer.status == 200


@contextmanager
def supervised_site(
    *, settings: str = "tests.site_settings", include: str = ""
) -> Iterator[SupervisedSite]:
    with ExitStack() as stack:
        folder = stack.enter_context(services.temporary_folder())
        mail = stack.enter_context(mail_server())
        cluster = stack.enter_context(services.postgresql_cluster())
        parts: dict[str, SupervisedProcess] = {}

        def start(name: str, command: list[str], **options: object) -> None:
            options = {"log": folder / f"{name}.log"} | options
            parts[name] = SupervisedProcess(command, **options)  # type: ignore[arg-type]
            stop = signal.SIGINT if name == "postgresql" else signal.SIGTERM
            stack.callback(parts[name].stop, stop)

        redis_port = services.free_port()
        start("redis", services.redis_command(redis_port, folder))
        command = cluster.command(**DATABASE_SETTINGS)
        start("postgresql", command, log=cluster.log, user=cluster.user)
        wait_until(cluster.is_ready)
        port = services.free_port()
        env = _environment(cluster.url, redis_port, port, mail, folder, settings)
        start("web", [sys.executable, "-m", "gunicorn", f"--bind=127.0.0.1:{port}"], env=env)
        start("turns", services.worker_command("turns,sweep", include=include), env=env)
        start("post", services.worker_command("post"), env=env)
        start("beat", services.beat_command(folder), env=env)
        inside = stack.enter_context(closing(SiteProcess(env)))
        site = SupervisedSite(env["SITE_URL"], env, parts, mail, inside, folder)
        wait_until(site.is_ready)
        workers = [parts["turns"].log, parts["post"].log]
        wait_until(lambda: all(b" ready." in log.read_bytes() for log in workers))
        yield site


def _environment(
    postgresql: str, redis_port: int, port: int, mail: MailServer, folder: Path, settings: str
) -> dict[str, str]:
    template = prepared.migrated_postgresql(postgresql)
    return services.clean_environment(
        ALLOWED_HOSTS="127.0.0.1",
        DATABASE_URL=prepared.new_postgresql(postgresql, "site", template=template),
        DJANGO_SETTINGS_MODULE=settings,
        EMAIL_TIMEOUT="3",
        EMAIL_URL=f"smtp://127.0.0.1:{mail.port}",
        HTTPS="off",
        REDIS_URL=f"redis://127.0.0.1:{redis_port}/0",
        SITE_URL=f"http://127.0.0.1:{port}",
        STATIC_ROOT=str(prepared.static_root()),
        VAR_DIR=str(folder),
        **services.TEST_KEYS,
    )


def wait_until(is_true: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    give_up = time.monotonic() + seconds
    while not is_true():
        if time.monotonic() > give_up:
            raise TimeoutError("The site has not become ready.")
        time.sleep(0.1)
