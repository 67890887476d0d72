"""Both installations of docs/OPERATING.md, tried in a temporary folder.

The documented commands run in their order. Stand-ins replace only the parts that need root, a
container engine, systemd or packages from the internet: the services run as plain processes, with
the commands, the environment and the health checks of the installation's own files.
"""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import psycopg
import pytest
import yaml

from tests import daily, prepared, services
from tests.services import ROOT
from tests.spellcaster.test_installation import OPERATING_GUIDE, unit_commands

pytestmark = [pytest.mark.services, pytest.mark.long]

PROGRAMS = Path(sys.executable).parent
OPERATOR = ("operator@duels.example", "dusty-mirror-cabinet-42", "dusty-mirror-cabinet-42")
METRICS_TOKEN = "for-tests-only"
FINISHED_TASK_METRICS = (  # one task of each worker; beat sends them when it starts
    'spellcaster_tasks_total{state="success",task="duels.tasks.sweep"}',
    'spellcaster_tasks_total{state="success",task="duels.tasks.tell_operators"}',
)


class Machine:
    """A folder that serves as a fresh machine, with a database, Redis and free ports."""

    def __init__(self, folder: Path, server: str, redis_url: str, stack: ExitStack) -> None:
        self.folder, self.stack = folder, stack
        self.port, self.mail_port = services.free_port(), services.free_port()
        self.server = urlsplit(server)
        self.name = f"installed_{self.port}"  # of the database and its owner
        self.redis = urlsplit(redis_url).netloc
        self.started: list[subprocess.Popen[bytes]] = []

    def copy_checkout(self, target: Path) -> None:
        """Copy what `git clone` would bring except the tests, and compiled files to save time."""
        patterns = (ROOT / ".dockerignore").read_text().split()
        shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*patterns, ".*_cache"))

    def run(self, command: str | list[str], cwd: Path, env: Mapping[str, str]) -> None:
        arguments = ["/bin/sh", "-euc", command] if isinstance(command, str) else command
        done = subprocess.run(
            arguments, cwd=cwd, env=env, check=False, capture_output=True, text=True
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"

    def start(self, command: list[str], cwd: Path, env: Mapping[str, str]) -> None:
        log = self.folder / f"{len(self.started)}.log"
        running = services.running_server(command, log=log, cwd=cwd, env=env, ready=lambda: True)
        self.started.append(self.stack.enter_context(running))

    def wait_until(self, is_done: Callable[[], bool]) -> None:
        """Wait for this condition, while no process ends."""
        give_up = time.monotonic() + services.PATIENCE_SECONDS
        while not is_done():
            logs = "".join(log.read_text() for log in self.folder.glob("*.log"))
            assert time.monotonic() < give_up, logs
            assert not [each.args for each in self.started if each.poll() is not None], logs
            time.sleep(0.1)

    def fetch(self, path: str) -> str:
        """Request this page as the proxy does, and return it, or "" if the site is not ready."""
        headers = {
            "Host": "duels.example",
            "X-Forwarded-Proto": "https",
            "Authorization": f"Bearer {METRICS_TOKEN}",
        }
        request = Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        try:
            with urlopen(request, timeout=services.PATIENCE_SECONDS) as answer:
                return str(answer.read().decode())
        except OSError:
            return ""

    def check_site(self) -> None:
        """Check that the site answers, beat and all workers work, and the operator exists."""
        self.wait_until(
            lambda: all(line in self.fetch("/metrics") for line in FINISHED_TASK_METRICS)
        )
        assert '"ok"' in self.fetch("/readyz")
        assert "Spellcaster" in self.fetch("/")
        url = self.server._replace(path=f"/{self.name}").geturl()
        with psycopg.connect(url) as connection:
            found = connection.execute("SELECT email FROM duels_user WHERE is_superuser").fetchall()
        assert found == [(OPERATOR[0],)]


@pytest.fixture
def machine(postgresql_server: str, tmp_path: Path) -> Iterator[Machine]:
    with services.redis() as redis_url, ExitStack() as stack:
        yield Machine(tmp_path, postgresql_server, redis_url, stack)


def documented_commands(heading: str) -> list[str]:
    section = OPERATING_GUIDE.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    return [line.strip() for line in section.splitlines() if line.startswith("    ")]


def replaced(text: str, replacements: Mapping[str, object]) -> str:
    for words, replacement in replacements.items():
        text = text.replace(words, str(replacement))
    return text


def environment_file(path: Path) -> dict[str, str]:
    """Return the variables in an environment file, which systemd and compose read like a shell."""
    words = shlex.split(path.read_text(), comments=True)
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def answer_prompts(command: list[str], answers: tuple[str, ...], **options: Any) -> None:
    """Run this command in a terminal, and type one answer at each prompt."""
    terminal, inside = os.openpty()
    process = subprocess.Popen(
        command, stdin=inside, stdout=inside, stderr=inside, start_new_session=True, **options
    )
    os.close(inside)
    shown = b""
    for answer in answers:
        while not shown.endswith(b": "):
            shown += os.read(terminal, 1_000)
        os.write(terminal, f"{answer}\n".encode())
        shown = b""
    assert process.wait(services.PATIENCE_SECONDS) == 0
    os.close(terminal)


# With containers


class Containers:
    """A stand-in for a container engine, which runs each service as a process of this machine."""

    def __init__(self, machine: Machine, checkout: Path) -> None:
        self.machine, self.checkout = machine, checkout
        self.services: dict[str, Any] = yaml.safe_load((checkout / "compose.yaml").read_text())[
            "services"
        ]
        self.dockerfile = (checkout / "Dockerfile").read_text()
        self.on_this_machine = {
            "8024": machine.mail_port,  # replaced first: ports inserted later may contain it
            "0.0.0.0": "127.0.0.1",
            ":8000": f":{machine.port}",
            "postgresql:5432/spellcaster": f"{machine.server.netloc.rpartition('@')[2]}/"
            f"{machine.name}",
            "redis:6379": machine.redis,
            "/srv/static": machine.folder / "static",
            "/var/lib/spellcaster": machine.folder,
            "$$": "$",
        }

    def build(self) -> None:
        """Run the last step of the image's first stage. The packages are installed already."""
        (step,) = re.findall(r"^RUN (DEBUG=.*?[^\\])$", self.dockerfile, re.MULTILINE | re.DOTALL)
        prepared.new_postgresql(
            self.machine.server.geturl(),
            self.machine.name,
            template=prepared.migrated_postgresql(self.machine.server.geturl()),
        )
        env = services.clean_environment(PATH=f"{PROGRAMS}:{os.environ['PATH']}")
        self.machine.run(self._here(step).replace("\\\n", " "), self.checkout, env)

    def up(self, *names: str) -> None:
        for name in names:
            command = self.services[name].get("command")
            if command is None:
                command = yaml.safe_load(re.findall(r"^CMD (.*)$", self.dockerfile, re.M)[0])
            if "listen_for_mail" in command:
                command = [*command, "--port=8024"]  # the default
            here = [self._here(word) for word in command]
            if self.services[name]["restart"] == "no":
                self.machine.run(here, self.checkout, self.environment(name))
            else:
                env = self.environment(name)
                here[0] = shutil.which(here[0], path=env["PATH"]) or here[0]
                self.machine.start(here, self.checkout, env)

    def is_healthy(self, name: str) -> bool:
        kind, *command = self.services[name]["healthcheck"]["test"]
        if kind == "CMD-SHELL":
            command = ["/bin/sh", "-c", *command]
        here = [self._here(word) for word in command]
        env = self.environment(name)
        here[0] = shutil.which(here[0], path=env["PATH"]) or here[0]
        done = subprocess.run(here, cwd=self.checkout, env=env, check=False, capture_output=True)
        return done.returncode == 0

    def environment(self, name: str) -> dict[str, str]:
        file_variables = environment_file(self.checkout / self.services[name]["env_file"])
        image_variables = dict(
            re.findall(r"([A-Z_]+)=(\S+)", self.dockerfile.rpartition("ENV ")[2])
        )
        service_variables = {
            variable: re.sub(r"\$\{(\w+):\?\}", lambda found: file_variables[found[1]], value)
            for variable, value in self.services[name]["environment"].items()
        }
        env = {
            variable: self._here(value)
            for variable, value in (image_variables | file_variables | service_variables).items()
        }
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        return services.clean_environment(**env | {"PATH": path, "HOSTNAME": socket.gethostname()})

    def _here(self, text: str) -> str:
        return replaced(text, self.on_this_machine)


def install_in_containers(machine: Machine) -> None:
    clone, make_environment, up, create_operator = documented_commands("With containers")
    assert clone == "git clone REPOSITORY spellcaster && cd spellcaster"
    checkout = machine.folder / "spellcaster"
    machine.copy_checkout(checkout)
    machine.run(make_environment, checkout, os.environ)
    with (checkout / ".env").open("a") as file:
        file.write(f"METRICS_TOKEN='{METRICS_TOKEN}'\nREPLY_DOMAIN='duels.example'\n")
    containers = Containers(machine, checkout)
    assert up == "docker compose up --detach --build"
    containers.build()
    containers.up("migrate")
    assert not any(containers.is_healthy(name) for name in ("web", "beat", "mail"))
    processes = ("web", "turns", "post", "beat", "mail")
    containers.up(*processes)
    command = create_operator.removeprefix("docker compose exec web ").split()
    command[0] = sys.executable
    answer_prompts(command, OPERATOR, cwd=checkout, env=containers.environment("web"))
    for name in processes:
        machine.wait_until(partial(containers.is_healthy, name))
    machine.check_site()


# On Debian with systemd


STAND_INS = {
    "apt-get": "",
    "git": "",
    "id": "exit 1",  # the site's user does not exist yet
    "useradd": "",
    "systemctl": "",
    # Run the command as a user of the database; a role has the name of each system user.
    "runuser": 'shift 3; if [ "$1" = .venv/bin/python ]; then export PGUSER=$ROLE; fi; exec "$@"',
}


def install_on_debian(machine: Machine) -> None:
    """The second run of `install.sh` is part of the documented upgrade."""
    bring_git, clone, install, create_operator = documented_commands("On Debian with systemd")
    assert bring_git == "apt-get install --yes git"
    assert clone == "git clone REPOSITORY /srv/spellcaster && cd /srv/spellcaster"
    folder = machine.folder
    checkout, settings = folder / "srv/spellcaster", folder / "etc/spellcaster.env"
    machine.copy_checkout(checkout)
    (checkout / ".venv").symlink_to(sys.prefix)
    for name in ("etc/systemd/system", "etc/caddy", "bin"):
        (folder / name).mkdir(parents=True)
    for name, script in STAND_INS.items():
        program = folder / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{folder}/called\n{script}\n')
        program.chmod(0o755)
    paths = {each: f"{folder}{each}" for each in ("/srv/", "/etc/", "/var/lib/")}
    for file in (checkout / "deploy/systemd").iterdir():
        file.write_text(replaced(file.read_text(), paths))
    template = prepared.migrated_postgresql(machine.server.geturl())
    of_database = {
        "qw spellcaster": f"qw {machine.name}",
        # The new database is already migrated, to save time. Its tables belong to another user.
        "createuser spellcaster": f"createuser --superuser {machine.name}",
        "--owner spellcaster spellcaster": f"--template {template} {machine.name}",
        "///spellcaster": f"///{machine.name}",
        "127.0.0.1:6379": machine.redis,
    }
    for name in ("deploy/systemd/install.sh", "deploy/new_env.sh", ".env.example"):
        file = checkout / name
        file.write_text(replaced(file.read_text(), of_database))
    env = services.clean_environment(
        PATH=f"{folder}/bin:{services.postgresql_folder()}:{os.environ['PATH']}",
        PGDATABASE="postgres",
        PGHOST=machine.server.hostname or "",
        PGPORT=str(machine.server.port),
        PGUSER=machine.server.username or "",
        PIP_NO_INDEX="1",  # the packages are installed already
        ROLE=machine.name,
    )
    machine.run(install, checkout, env)
    written = settings.read_text()
    written += f"METRICS_TOKEN='{METRICS_TOKEN}'\nPORT='{machine.port}'\n"
    settings.write_text(written)
    assert f"VAR_DIR='{folder}/var/lib/spellcaster'" in written
    assert settings.stat().st_mode & 0o77 == 0
    start_units(machine, checkout, env | {"PGUSER": machine.name} | environment_file(settings))
    answer_prompts(
        ["/bin/sh", "-euc", replaced(create_operator, paths)], OPERATOR, cwd=checkout, env=env
    )
    machine.check_site()
    (upgrade,) = re.findall(r"^    (git pull && deploy/systemd/.*)$", OPERATING_GUIDE, re.MULTILINE)
    machine.run(upgrade, checkout, env)
    assert settings.read_text() == written
    called = [line.split(maxsplit=1) for line in (folder / "called").read_text().splitlines()]
    starts = ["daemon-reload", "enable --now spellcaster.target", "reload caddy"]
    assert [arguments for name, arguments in called if name == "systemctl"] == [
        *("restart postgresql", *starts),
        *(*starts, "restart spellcaster.target"),
    ]
    assert "https://duels.example {" in (folder / "etc/caddy/Caddyfile").read_text()


def start_units(machine: Machine, checkout: Path, env: Mapping[str, str]) -> None:
    """Run the installed units as `systemctl enable --now spellcaster.target` does."""
    units = machine.folder / "etc/systemd/system"
    wanted = re.findall(r"spellcaster-\w+", (units / "spellcaster.target").read_text())
    assert wanted == [f"spellcaster-{name}" for name in ("web", "turns", "post", "beat")]
    for command in unit_commands(units / "spellcaster-migrate.service", str(checkout)):
        machine.run(_in_venv(command, checkout), checkout, env)
    for name in wanted:
        (command,) = unit_commands(units / f"{name}.service", str(checkout))
        machine.start(_in_venv(command, checkout), checkout, env)


def _in_venv(command: str, checkout: Path) -> list[str]:
    program, *arguments = command.split()
    return [str(checkout / ".venv/bin" / program), *arguments]


# A usual run tries one of them, which depends on the date.
@pytest.mark.parametrize(
    "install",
    daily.sample((install_in_containers, install_on_debian), 2, "installations"),
    ids=lambda install: install.__name__,
)
def test_documented_commands_start_a_site(
    machine: Machine, install: Callable[[Machine], None]
) -> None:
    install(machine)
