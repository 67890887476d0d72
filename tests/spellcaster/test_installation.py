"""Tests that the files of both installations match docs/OPERATING.md, and its commands work."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.fernet import Fernet
from django.contrib.auth import get_user_model
from django.core.management import call_command, get_commands, load_command_class
from pytest_django import Settings

from tests import services
from tests.services import ROOT

OPERATING_GUIDE = (ROOT / "docs" / "OPERATING.md").read_text()
PROCESS_COMMANDS = re.findall(
    r"^\| `((?:gunicorn|celery|python)[^`]*)` \|", OPERATING_GUIDE, re.MULTILINE
)
MANUAL_STEPS = OPERATING_GUIDE.partition("### By hand\n")[2].partition("\n### ")[0]
PREPARATION_COMMANDS = re.findall(r"^    +(python manage\.py .*)$", MANUAL_STEPS, re.MULTILINE)
COMPOSE_FILE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
UNITS_FOLDER = ROOT / "deploy" / "systemd"
CADDYFILE = ROOT / "deploy" / "Caddyfile"
SCRIPT_ARGUMENTS = ("duels.example", "ops@duels.example", "smtp://user:pa&ss|wo\\rd@127.0.0.1:9")


def new_environment() -> dict[str, str]:
    done = subprocess.run(
        [ROOT / "deploy" / "new_env.sh", *SCRIPT_ARGUMENTS],
        capture_output=True,
        text=True,
        check=True,
    )
    words = shlex.split(done.stdout, comments=True)
    return {name: value for name, _, value in (word.partition("=") for word in words)}


def documented_commands() -> list[str]:
    """Return every command of `manage.py` in the documentation and the alerts."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "deploy").rglob("*.yml")]
    texts = [page.read_text() for page in pages]
    inline = [
        " ".join(words.split())
        for text in texts
        for words in re.findall(r"`(?:python )?manage\.py ([^`]+)`", text)
    ]
    blocks = [
        words
        for text in texts
        for words in re.findall(r"^    .*python manage\.py (\S+(?: \S+)*)", text, re.MULTILINE)
    ]
    return sorted({*inline, *blocks})


def unit_commands(unit: Path, checkout: str = "/srv/spellcaster") -> list[str]:
    commands = re.findall(rf"^ExecStart={checkout}/\.venv/bin/(.*)$", unit.read_text(), re.M)
    return [command.replace("%%", "%") for command in commands]


def test_documentation_lists_all_processes_and_preparations() -> None:
    assert len(PROCESS_COMMANDS) == 5
    assert len(PREPARATION_COMMANDS) == 4


@pytest.mark.parametrize("words", documented_commands())
def test_documented_command_exists_with_its_options(words: str) -> None:
    name, *arguments = shlex.split(words)
    command = load_command_class(get_commands()[name], name)
    if arguments:
        command.create_parser("manage.py", name).parse_args(arguments)


# Commands that other tests run: servers and steps of installations, checks, backups.
RUN_ELSEWHERE = frozenset(
    "backup check collectstatic createsuperuser doctor listen_for_mail migrate restore".split()
)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words", [words for words in documented_commands() if words.split()[0] not in RUN_ELSEWHERE]
)
def test_documented_command_runs_on_a_new_site(
    words: str, settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    operator = get_user_model().objects.create_user("operator@duels.example")
    call_command(*shlex.split(words.replace("EMAIL", operator.email)))


def test_each_installation_takes_at_most_five_commands() -> None:
    for heading in ("With containers", "On Debian with systemd"):
        section = OPERATING_GUIDE.partition(f"### {heading}\n")[2].partition("\n### ")[0]
        block = re.findall(r"^    +\S.*$", section.partition("\n\n    ")[2], re.MULTILINE)
        assert 3 <= len(block) + 1 <= 5, heading


def test_containers_run_the_documented_commands() -> None:
    of = {name: each.get("command") for name, each in COMPOSE_FILE["services"].items()}
    dockerfile = (ROOT / "Dockerfile").read_text()
    web = json.loads(re.findall(r"^CMD (.*)$", dockerfile, re.MULTILINE)[0])
    commands = [web, of["turns"], of["post"], of["beat"], of["mail"]]
    for command, documented in zip(commands, PROCESS_COMMANDS, strict=True):
        assert " ".join(command).startswith(documented)
    assert "collectstatic --no-input" in dockerfile
    assert of["migrate"][-1].splitlines() == [
        each for each in PREPARATION_COMMANDS if "static" not in each
    ]


def test_containers_wait_for_their_dependencies() -> None:
    of_site = {name: each for name, each in COMPOSE_FILE["services"].items() if "build" in each}
    assert set(of_site) == {"migrate", "web", "turns", "post", "beat", "mail"}
    for name, each in of_site.items():
        if name != "migrate":
            assert each["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
            assert each["restart"] == "always"
    checked = {name for name, each in COMPOSE_FILE["services"].items() if "healthcheck" in each}
    assert set(COMPOSE_FILE["services"]) - checked == {"migrate"}
    volumes = (each.get("volumes", []) for each in COMPOSE_FILE["services"].values())
    named = {volume.partition(":")[0] for each in volumes for volume in each}
    assert {name for name in named if "/" not in name} == set(COMPOSE_FILE["volumes"])


def test_units_run_the_documented_commands() -> None:
    commands = {unit.stem: unit_commands(unit) for unit in UNITS_FOLDER.glob("*.service")}
    assert commands.pop("spellcaster-migrate") == PREPARATION_COMMANDS
    assert sorted(command for (command,) in commands.values()) == sorted(PROCESS_COMMANDS)


def test_commands_run_by_hand_have_the_environment_of_the_units(tmp_path: Path) -> None:
    """Otherwise `doctor` would not look for static files where the web processes do."""
    install = (UNITS_FOLDER / "install.sh").read_text()
    step = re.findall(r"^if ! grep .*?^fi$", install, re.MULTILINE | re.DOTALL)
    file = tmp_path / "spellcaster.env"
    file.write_text("DEBUG='off'\n")
    script = "\n".join(step).replace("/etc/spellcaster.env", str(file))
    for _ in range(2):
        subprocess.run(["/bin/sh", "-euc", script], check=True)
    folder = "/var/lib/spellcaster"
    assert [line for line in file.read_text().splitlines() if line and line[0] != "#"] == [
        "DEBUG='off'",
        f"VAR_DIR='{folder}'",
        f"STATIC_ROOT='{folder}/static'",
    ]
    for unit in UNITS_FOLDER.glob("*.service"):
        lines = [each for each in unit.read_text().splitlines() if each.startswith("Environment")]
        assert lines == ["EnvironmentFile=/etc/spellcaster.env"], unit.name


def test_systemd_and_caddy_accept_their_configuration(tmp_path: Path) -> None:
    """Skip systemd-analyze or caddy if it is not installed."""
    if analyze := shutil.which("systemd-analyze"):
        for unit in UNITS_FOLDER.glob("spellcaster*"):
            text = unit.read_text().replace(
                "/srv/spellcaster/.venv/bin", str(Path(sys.executable).parent)
            )
            (tmp_path / unit.name).write_text(text)
        command = [analyze, "verify", *map(str, tmp_path.glob("*.service"))]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
    if caddy := shutil.which("caddy"):
        command = [caddy, "validate", "--adapter", "caddyfile", "--config", str(CADDYFILE)]
        env = {"SITE_URL": "https://duels.example", "HOME": str(tmp_path)}
        subprocess.run(command, check=True, capture_output=True, env=env)
    assert "reverse_proxy" in CADDYFILE.read_text()


def test_new_environment_has_its_own_keys() -> None:
    one, another = new_environment(), new_environment()
    assert one["EMAIL_URL"] == SCRIPT_ARGUMENTS[2]
    assert one["ALLOWED_HOSTS"] == "duels.example"
    Fernet(one["SEAL_KEYS"])
    for secret in ("SECRET_KEY", "SEAL_KEYS", "POSTGRES_PASSWORD"):
        assert len(one[secret]) >= 32
        assert one[secret] != another[secret]
    assert set(services.example_environment()) == set(one) - {"POSTGRES_PASSWORD"}
