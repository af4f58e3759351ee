"""What can go wrong, as exceptions."""

from __future__ import annotations

import traceback
from typing import Any

MAX_MESSAGE = 8_000
MAX_STACK = 16_000


class ApiError(Exception):
    """The server refused, failed or did not answer.

    `code` is one of the API's closed set, such as `claim_lost`, or `unreachable`. `status` is the HTTP status, 0 when
    no answer came. `request_id` names the request in the server's log.
    """

    def __init__(
        self,
        code: str,
        message: str,
        status: int = 0,
        request_id: str | None = None,
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id
        self.details = details or {}


class StepFailed(Exception):
    """A step has failed for good: its retries are used up, or its error was final. `error` is as it was recorded."""

    def __init__(self, step: str, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.step = step
        self.error = error


class Final(Exception):
    """Raise it from a body: it failed for good, and nothing of it has happened."""


class MayHaveHappened(Exception):
    """Raise it from a body whose answer was lost. A step with effect "once" then waits for a person."""


class RetryAfter(Exception):
    """Raise it from a body or a compensation: try again after exactly this many milliseconds, if attempts are left."""

    def __init__(self, message: str, after_ms: float) -> None:
        super().__init__(message)
        self.after_ms = after_ms


class Suspended(BaseException):
    """Ends a pass that has to wait. No Exception, so that a workflow's own `except` lets it through."""

    def __init__(self, **rest: Any) -> None:
        self.rest = rest


class Refused(BaseException):
    """Ends a pass: the server has refused a question or an outcome. No Exception, as `Suspended`."""

    def __init__(self, refusal: ApiError) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def refused_error(what: str, refusal: ApiError) -> dict[str, Any]:
    """What was refused, and why. Without a stack: that of a request says nothing of the author's code."""
    return {"name": "ApiError", "code": refusal.code, "message": f"The {what} was refused: {refusal}"}


def shown_text(text: object, most: int) -> str:
    """A text for people as the server takes it: the database stores no NUL and no half of a surrogate pair, and a
    longer one is cut. `most` counts UTF-16 code units, as the server does."""
    units = str(text).replace("\0", "\ufffd").encode("utf-16-le", "surrogatepass")
    cut = len(units) > 2 * most
    whole = units[: 2 * (most - 1)] if cut else units
    return whole.decode("utf-16-le", "replace") + ("…" if cut else "")


def as_json(error: BaseException) -> dict[str, Any]:
    """An error as the server keeps it: name, message (8,000 characters at most), stack (16,000 at most)."""
    stack = "".join(traceback.format_exception(error))[-MAX_STACK:]
    return {"name": type(error).__name__, "message": str(error)[:MAX_MESSAGE], "stack": stack}
