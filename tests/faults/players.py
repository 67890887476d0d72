"""Players who duel over HTTP, with random orders."""

import random
import secrets
import threading
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import urllib3

from tests.faults.ledger import AcknowledgedSeal, FailedRequest, Ledger, SharedDuel
from tests.walks.forms import forms_in

POLL_SECONDS = 0.25
RESIGNATION_TURN = 15  # number of turns after which a wizard resigns
MAX_REJECTED_ORDERS = 12  # in succession, all of them random
COPIED_FIELDS = ("turn", "roll_backs", "round", "form_seal", "form_key")
HAND_FIELDS = ("left", "right", "left2", "right2")


class Client:
    """A browser that is signed in."""

    def __init__(self, url: str, session: str, ledger: Ledger) -> None:
        self.url, self.ledger = url, ledger
        self.token = secrets.token_hex(16)
        self.cookies = f"sessionid={session}; csrftoken={self.token}"
        self.pool = urllib3.PoolManager(timeout=urllib3.Timeout(30), retries=False)

    def get(self, path: str, **headers: str) -> urllib3.BaseHTTPResponse | None:
        return self._request("GET", path, headers=headers)

    def post(self, path: str, form: Mapping[str, Any]) -> urllib3.BaseHTTPResponse | None:
        body = urlencode({**form, "csrfmiddlewaretoken": self.token}, doseq=True)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._request("POST", path, headers=headers, body=body)

    def _request(
        self, method: str, path: str, *, headers: Mapping[str, str], body: str | None = None
    ) -> urllib3.BaseHTTPResponse | None:
        """Return the response, or None if there is none or it reports an error of the site."""
        self.ledger.requests += 1
        status = 0
        headers = {**headers, "Cookie": self.cookies}
        try:
            answer = self.pool.request(
                method, self.url + path, headers=headers, body=body, redirect=False
            )
            status = answer.status
        except urllib3.exceptions.HTTPError:
            pass
        if 0 < status < 500:
            return answer
        self.ledger.failures.append(FailedRequest(time.monotonic(), status, path))
        time.sleep(POLL_SECONDS)
        return None


class Player:
    """A wizard who seals as soon as it is their turn in a duel."""

    def __init__(self, client: Client, name: str, luck: random.Random, think: float = 0) -> None:
        self.client, self.name, self.luck, self.think = client, name, luck, think
        self.etag = ""

    def play(self, duel: SharedDuel, is_over: threading.Event) -> None:
        """Play until the duel is over or the time for playing has passed."""
        self.etag = ""
        while not (is_over.is_set() or duel.is_over):
            state = self._poll(duel)
            if state is None:
                time.sleep(POLL_SECONDS)
                continue
            if state["status"] != "running":
                duel.is_over = True
                return
            duel.note_turn(state["turn"], self.client.ledger)
            seats = {seat["code"]: seat for seat in state["seats"]}
            if seats[duel.seats[self.name]]["awaited"]:
                time.sleep(self.luck.uniform(0.5, 1.5) * self.think)
                self._act(duel, state["turn"])

    def _poll(self, duel: SharedDuel) -> dict[str, Any] | None:
        """Return the duel's state, or None if it is unchanged or unknown."""
        headers = {"If-None-Match": self.etag} if self.etag else {}
        answer = self.client.get(f"/duels/{duel.id}/poll", **headers)
        if answer is None or answer.status != 200:
            return None
        self.etag = answer.headers["ETag"]
        return dict(answer.json())

    def _act(self, duel: SharedDuel, ordinal: int) -> None:
        self.etag = ""  # so that the next poll shows whether sealing was successful
        if ordinal >= RESIGNATION_TURN:
            self.client.post(f"/duels/{duel.id}/resign", {"sure": "yes"})
            return
        page = self.client.get(f"/duels/{duel.id}/")
        for number in range(MAX_REJECTED_ORDERS):
            if page is None:
                return
            found = order_form(page.data.decode(), duel.id)
            if found is None:
                time.sleep(POLL_SECONDS)
                return
            page = self._seal(duel, *found, is_first=number == 0)

    def _seal(
        self, duel: SharedDuel, path: str, form: Mapping[str, tuple[str, ...]], *, is_first: bool
    ) -> urllib3.BaseHTTPResponse | None:
        """Seal random orders. If the site rejects them, return its response."""
        copied = {name: form[name][0] for name in COPIED_FIELDS if name in form}
        fields = random_fields(form, self.luck, with_details=is_first)
        seen = {"seen": form.get("seen", ())}
        started = time.monotonic()
        answer = self.client.post(path, {**copied, **fields, **seen, "do": "seal"})
        if answer is None or answer.status != 302:
            return answer if answer is not None and answer.status == 422 else None
        with duel.lock:
            duel.sealed_at = max(duel.sealed_at, started)
        seal = AcknowledgedSeal(
            duel.id, int(copied["turn"]), int(copied.get("round", 0)), self.name, fields
        )
        self.client.ledger.seals.append(seal)
        return None


def order_form(html: str, duel_id: int) -> tuple[str, dict[str, tuple[str, ...]]] | None:
    """Return the address of the form for orders or answers, and the values of its fields."""
    for form in forms_in(html):
        for path in (f"/duels/{duel_id}/orders", f"/duels/{duel_id}/answers"):
            fields = dict(form.fields)
            if path in form.targets and ("left" in fields or "round" in fields):
                return path, fields
    return None


def random_fields(
    form: Mapping[str, tuple[str, ...]], luck: random.Random, *, with_details: bool
) -> dict[str, str]:
    """Choose gestures or answers, and with `with_details` some of the other fields."""
    others = [name for name in form if name not in (*COPIED_FIELDS, "do", "chance", "seen", "say")]
    chosen = {}
    for name in others:
        is_needed = name in HAND_FIELDS or "round" in form
        if name not in ("text", "text_before", "csrfmiddlewaretoken") and (
            is_needed or (with_details and luck.random() < 0.5)
        ):
            chosen[name] = luck.choice(form[name])
    return {name: value for name, value in chosen.items() if value}
