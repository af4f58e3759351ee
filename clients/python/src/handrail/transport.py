"""Requests that are sent again until they are answered."""

from __future__ import annotations

import http.client
import itertools
import json
import re
import time
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import quote

from .errors import ApiError

TIMEOUT_SECONDS = 90.0
"""For one answer: more than the 60 seconds that the server may hold a request back."""
LONGEST_PAUSE_SECONDS = 60.0


class Transport:
    """Where requests go, and with which token."""

    def __init__(self, url: str, token: str | None) -> None:
        self.base = url.rstrip("/") + "/api/v1/"
        self.headers = {"accept": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
        self.seen: str | None = None
        """The latest position of the database's log that an answer had: a read from a standby must not show less."""

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        secret: str | None = None,
        patience: float | None = None,
    ) -> Any:
        """The answer's JSON.

        A request is sent again when the connection is lost, for 429 and for 5xx, after the time that `Retry-After`
        asks for, or after 0.1 to 3.2 seconds. `patience`: for how many seconds; None: without an end.
        Raises ApiError for any other refusal, and once the patience is over.
        """
        own = {"content-type": body is not None and "application/json", "idempotency-key": key, "handrail-claim": secret}
        own["handrail-wal"] = self.seen
        headers = {**self.headers, **{name: value for name, value in own.items() if value}}
        data = None if body is None else json.dumps(body, allow_nan=False).encode()
        until = None if patience is None else time.monotonic() + patience
        for failures in itertools.count():
            request = urllib.request.Request(self.base + path, data, headers, method=method)
            pause = 0.1 * 2 ** min(failures, 5)
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                    self.seen = _later(self.seen, answer.headers.get("handrail-wal"))
                    return json.load(answer)
            except urllib.error.HTTPError as refusal:
                error = _refusal(refusal)
                # "throttled" refuses the start itself: the caller decides when to start again.
                if refusal.code < 500 and (refusal.code != 429 or error.code == "throttled"):
                    raise error from None
                pause = _retry_after(refusal.headers.get("retry-after")) or pause
            except (OSError, ValueError, http.client.HTTPException):  # no connection, or half an answer
                error = ApiError("unreachable", "Handrail does not answer. Check that it is running.")
            if until is not None and time.monotonic() + pause > until:
                raise error
            time.sleep(pause)


def _refusal(refusal: urllib.error.HTTPError) -> ApiError:
    try:
        error = json.load(refusal)["error"]
        return ApiError(error["code"], error["message"], refusal.code, error.get("requestId"), error.get("details"))
    except (OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        message = f"Handrail answered with HTTP {refusal.code} and no reason."
        return ApiError("internal", message, refusal.code)


def _retry_after(text: str | None) -> float | None:
    """Whole seconds, as Handrail says it; a date is not understood."""
    return min(float(text), LONGEST_PAUSE_SECONDS) if text and text.isdigit() else None


def _later(one: str | None, other: str | None) -> str | None:
    """Of two positions, such as 16/B374D848. Answers to several threads come in any order."""
    if one is None or other is None:
        return one or other
    return max(one, other, key=lambda position: [int(half, 16) for half in position.split("/")])


def address_part(name: str) -> str:
    """A name as one part of an address: "." and ".." would be taken away, so that they get a tilde in front."""
    return quote("~" + name if re.fullmatch(r"~*\.{1,2}", name) else name, safe="")
