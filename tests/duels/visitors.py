"""Browsers of visitors, without JavaScript, for tests of guests and lessons."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from html.parser import HTMLParser
from typing import Any

from django.test import Client

Committed = Callable[[], AbstractContextManager[Any]]


class GuideParser(HTMLParser):
    """Parser for a duel's page, which finds the suggested gestures and the hidden fields."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.gestures: dict[str, str] = {}
        self.hidden: dict[str, str] = {}
        self.seen: list[str] = []  # the warnings on the page
        self._marked = False
        self._in_sheet = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._in_sheet = found.get("id") == "order-form"
        if "gesture-choice" in found.get("class", "").split():
            self._marked = "data-suggested" in found
        if tag == "input" and found.get("type") == "radio" and self._marked:
            assert "disabled" not in found, "a disabled gesture is suggested"
            self.gestures[found["name"]] = found["value"]
            self._marked = False
        if self._in_sheet and tag == "input" and found.get("name") in ("turn", "form_seal"):
            self.hidden[found["name"]] = found["value"]
        if tag == "input" and found.get("name") == "seen":
            self.seen.append(found["value"])


class Visitor:
    """A visitor with a browser. On-commit callbacks run after every POST request."""

    def __init__(self, committed: Committed, **defaults: Any) -> None:
        self.client = Client(**defaults)
        self.committed = committed

    def get(self, path: str) -> Any:
        return self.client.get(path)

    def post(self, path: str, data: dict[str, Any] | None = None) -> Any:
        with self.committed():
            return self.client.post(path, data or {})

    def begin(self) -> str:
        """Start the guided duel with the button on the front page, and return its path."""
        answer = self.post("/play")
        assert answer.status_code == 302, answer.status_code
        address: str = answer.url
        return address

    def page(self, address: str) -> str:
        answer = self.get(address)
        assert answer.status_code == 200
        text: str = answer.content.decode()
        return text

    def follow(self, address: str) -> dict[str, str]:
        """Seal the gestures that the guide suggests, without any warning, and return them."""
        marks = GuideParser(self.page(address))
        answer = self.post(f"{address}orders", marks.hidden | marks.gestures | {"do": "seal"})
        assert answer.status_code == 302, "a suggested gesture caused a warning"
        return marks.gestures

    def seal(self, address: str, fields: dict[str, str]) -> None:
        """Seal these orders, and confirm all warnings."""
        marks = GuideParser(self.page(address))
        typed: dict[str, Any] = marks.hidden | fields | {"do": "seal"}
        answer = self.post(f"{address}orders", typed)
        if answer.status_code != 302:
            seen = GuideParser(answer.content.decode()).seen
            answer = self.post(f"{address}orders", typed | {"seen": seen})
        assert answer.status_code == 302, answer.content.decode()
