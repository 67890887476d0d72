"""Tests that the alert rules and the dashboard are valid and use only existing metrics."""

import json
import re
import shutil
import subprocess
from typing import Any
from unittest import mock

import pytest
import yaml

from duels.loaded.database_clock import database_now
from spellcaster import counters, metrics
from tests.services import ROOT

MONITORING_FOLDER = ROOT / "deploy" / "monitoring"
ALERT_RULES: list[dict[str, Any]] = yaml.safe_load((MONITORING_FOLDER / "alerts.yml").read_text())[
    "groups"
][0]["rules"]
DASHBOARD = json.loads((MONITORING_FOLDER / "dashboard.json").read_text())
QUERY_EXPRESSIONS = {
    **{rule["alert"]: rule["expr"] for rule in ALERT_RULES},
    **{
        f"{panel['title']}: {target['refId']}": target["expr"]
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    },
}


@pytest.fixture
def known_metrics(db: None) -> set[str]:
    with mock.patch("redis.Redis.from_url"):
        gauges = [*metrics.database_gauges(database_now()), *metrics.queue_gauges()]
    return {metric.name for metric in (*gauges, *counters.CountersCollector().collect())} | {
        "spellcaster_up",
        "up",  # Prometheus adds this metric
    }


def test_alerts_and_dashboard_use_existing_metrics(known_metrics: set[str]) -> None:
    used = {
        re.sub("_(total|bucket|sum|count)$", "", name)
        for expression in QUERY_EXPRESSIONS.values()
        for name in re.findall(r"\bspellcaster_\w+|\bup\b", expression)
    }
    assert used <= known_metrics


def test_dashboard_shows_every_metric(known_metrics: set[str]) -> None:
    shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    assert [name for name in known_metrics - {"up"} if name not in shown] == []


def test_documentation_lists_every_metric(known_metrics: set[str]) -> None:
    table = (ROOT / "docs" / "OPERATING.md").read_text().partition("| metric `spellcaster_…`")[2]
    names = re.findall(r"`(\w+?)(?:_total)?(?:\{[\w,]+\})?`", table.partition("\n\n")[0])
    assert {f"spellcaster_{name}" for name in names} == known_metrics - {"up"}


def test_documentation_names_the_file_with_the_token() -> None:
    """Without this file, Prometheus does not start."""
    (job,) = yaml.safe_load((MONITORING_FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    guide = (ROOT / "docs" / "OPERATING.md").read_text()
    assert f"`{job['authorization']['credentials_file']}`" in guide


@pytest.mark.parametrize("rule", ALERT_RULES, ids=lambda rule: rule["alert"])
def test_each_alert_says_what_to_do(rule: dict[str, Any]) -> None:
    assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert len(rule["annotations"]["description"].split()) > 15


def test_promtool_accepts_the_rules() -> None:
    """Without promtool (Debian package `prometheus`), check only that brackets are balanced."""
    if promtool := shutil.which("promtool"):
        command = [promtool, "check", "rules", str(MONITORING_FOLDER / "alerts.yml")]
        subprocess.run(command, check=True, capture_output=True)
    for expression in QUERY_EXPRESSIONS.values():
        for opening, closing in ("()", "[]", "{}"):
            assert expression.count(opening) == expression.count(closing), expression
