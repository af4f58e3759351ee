"""Starts runs and reads them."""

from __future__ import annotations

import time
import uuid
from datetime import datetime, timezone
from typing import Any, Mapping, Sequence, TypedDict
from urllib.parse import quote, urlencode

from .errors import ApiError
from .transport import Transport
from .values import TYPE, decode_shown, encode
from .workflow import said

PATIENCE_SECONDS = 30.0
LONGEST_WAIT_MS = 60_000
ENDED = frozenset({"completed", "failed", "cancelled", "compensated"})


class Run(TypedDict, total=False):
    """A run as the API shows it; these fields and more. Masked values are `{"$type": "masked", …}`."""

    id: str
    workflow: str
    version: int
    status: str
    attention: str | None
    input: Any
    output: Any
    error: dict[str, Any] | None
    tags: dict[str, str]
    steps: list[dict[str, Any]]
    createdAt: str
    revision: int


class RunPage(TypedDict):
    """A page of runs; `nextCursor` is None on the last one."""

    runs: list[Run]
    nextCursor: str | None


class Client:
    """The part of the API that programs use. Every request is sent again until it is answered, and takes effect once.

    Each method raises ApiError with a code of the API's closed set, or `unreachable`.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:3000",
        token: str | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`patience_seconds`: for how long a request is sent again while the server does not answer or is busy."""
        self._transport = Transport(url, token)
        self._patience = patience_seconds

    def start(
        self,
        workflow: str,
        input: Any = None,
        *,
        idempotency_key: str | None = None,
        run_at: datetime | None = None,
        delay_ms: int | None = None,
        priority: int | None = None,
        tags: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        version: int | None = None,
        begin_within_ms: int | None = None,
        end_within_ms: int | None = None,
    ) -> Run:
        """The run that was started, or the one that the same `idempotency_key` and input had started."""
        more = said(idempotencyKey=idempotency_key, delayMs=delay_ms, priority=priority, tags=tags)
        more |= said(version=version, beginWithinMs=begin_within_ms, endWithinMs=end_within_ms, headers=headers)
        at = said(runAt=run_at and run_at.astimezone(timezone.utc).isoformat())
        run: Run = self._post("runs", {"workflow": workflow, "input": encode(input), **more, **at})
        return run

    def run(self, run_id: str) -> Run:
        """One run whole."""
        run: Run = self._get(f"runs/{quote(run_id, safe='')}")
        return run

    def result(self, run_id: str, timeout_seconds: float | None = None) -> Any:
        """The run's output, once it has ended.

        Raises ApiError `run_failed` (the run's status and error are in `details`) if it ended otherwise,
        `wait_timed_out` after `timeout_seconds`; without, it waits for as long as that takes.
        """
        until = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while True:
            left_ms = LONGEST_WAIT_MS if until is None else max(0, int((until - time.monotonic()) * 1000))
            wait_ms = min(left_ms, LONGEST_WAIT_MS)
            run = self._get(f"runs/{quote(run_id, safe='')}/result?waitMs={wait_ms}")
            if run["status"] == "completed":
                return decode_shown(self._whole(run_id, run["output"]))
            facts = {"runId": run_id, "status": run["status"], "error": run.get("error")}
            if run["status"] in ENDED:
                because = (run.get("error") or {}).get("message", "it has no error")
                raise ApiError("run_failed", f"The run {run_id} is {run['status']}: {because}", details=facts)
            if until is not None and time.monotonic() >= until:
                message = f"The run {run_id} has not ended within {timeout_seconds} s: it is {run['status']}."
                raise ApiError("wait_timed_out", message, details=facts)

    def _whole(self, run_id: str, output: Any) -> Any:
        """A value over 1 MiB has a placeholder in answers about its run."""
        is_elsewhere = isinstance(output, dict) and output.get(TYPE) == "blob"
        return self._get(f"runs/{quote(run_id, safe='')}/value?part=output")["value"] if is_elsewhere else output

    def list(
        self,
        *,
        status: Sequence[str] = (),
        workflow: Sequence[str] = (),
        tags: Mapping[str, str] | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> RunPage:
        """A page of runs, newest first. Lists select runs with any of their values."""
        query = said(status=",".join(status) or None, workflow=",".join(workflow) or None, limit=limit, cursor=cursor)
        named = {f"tag.{name}": value for name, value in (tags or {}).items()}
        page: RunPage = self._get("runs?" + urlencode({**query, **named}))
        return page

    def cancel(self, run_id: str, reason: str = "A program cancelled it.") -> Run:
        """Ends it: at once if no worker has it, else at the end of the body in flight. `reason` is for the audit."""
        run: Run = self._post(f"runs/{quote(run_id, safe='')}/cancellation", {"reason": reason})
        return run

    def send(
        self, name: str, payload: Any = None, *, run_id: str | None = None, key: str | None = None, id: str | None = None
    ) -> None:
        """Sends an event to a run, or to the business key `key`. `id`: events of one name and id count once."""
        if run_id is not None and key is not None:
            raise ValueError("Send it to a run or to a key, not to both.")
        event = {"name": name, "payload": encode(payload), **said(key=key), "id": id or str(uuid.uuid4())}
        self._post("events" if run_id is None else f"runs/{quote(run_id, safe='')}/events", event)

    def _get(self, path: str) -> Any:
        return self._transport.ask("GET", path, patience=self._patience)

    def _post(self, path: str, body: Any) -> Any:
        return self._transport.ask("POST", path, body, key=str(uuid.uuid4()), patience=self._patience)
