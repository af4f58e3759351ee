"""What a workflow's code calls: each of its steps is asked for, run, and recorded."""

from __future__ import annotations

import math
import uuid
from threading import Event
from typing import TYPE_CHECKING, Any, Callable, Mapping, TypeVar

from .errors import (
    ApiError,
    Final,
    MayHaveHappened,
    Refused,
    RetryAfter,
    StepFailed,
    Suspended,
    as_json,
    refused_error,
    shown_text,
)
from .transport import address_part
from .values import decode, encode
from .workflow import Retry, Workflow, said

if TYPE_CHECKING:
    from .worker import Worker

Output = TypeVar("Output")
NO_DEFAULT: Any = object()
MAX_REFERENCE = 500
MAX_INSTRUCTIONS = 4_000
"""The longest texts that the server takes, in UTF-16 code units."""
OF_CONTENT = frozenset({400, 413, 422})
"""Statuses that refuse what was sent, such as a value that is too large. Others refuse the claim, or whoever holds it."""


class Context:
    """One pass of a workflow's code over a run."""

    def __init__(self, worker: Worker, run: dict[str, Any], workflow: Workflow, lost: Event) -> None:
        self.worker = worker
        self.run = run
        """As it was claimed: `id`, `workflow`, `version`, `generation`, `tags`, `headers`, `createdAt`, `traceparent`, …"""
        self.workflow = workflow
        self.over: Suspended | Refused | None = None
        """Why this pass has ended: its code runs nothing more, not even where it catches every exception."""
        self._met: set[str] = set()
        self._lost = lost

    @property
    def is_stopping(self) -> bool:
        """Whether the run is to stop: it was cancelled or paused, or is no longer this worker's. For long bodies."""
        return self.worker.is_stopping(self.run["id"])

    def step(
        self,
        name: str,
        body: Callable[[str], Output],
        *,
        effect: str = "idempotent",
        retry: Retry | None = None,
        reference: Callable[[Any], object] | None = None,
        instructions: str | None = None,
    ) -> Output:
        """Runs `body(idempotency_key)` once its start is on record, and keeps its outcome under `name`. The key is the
        same for every attempt: hand it to the provider.

        `effect`: "pure", "idempotent" (the provider honours the key) or "once" (nothing protects a repetition).
        `reference`: the provider's id, from the output; code that raises gives none. `instructions`: how a person
        compensates it. Both are cut, at 500 and 4,000 characters.
        Raises StepFailed once its retries are used up, ValueError for a name that was used in this pass.
        """
        compensation = self._compensation(name, instructions)
        answer = self._ask(name, kind="step", effect=effect, **said(retry=retry and retry.as_json()), **compensation)
        if answer["next"] == "go":
            outcome = self._attempt(answer["idempotencyKey"], body, effect, retry or Retry(), reference)
            if outcome["outcome"] == "completed":
                outcome.update(compensation)
            may_have_happened = outcome.get("mayHaveHappened", effect == "once")
            answer = self._record(name, answer["attempt"], outcome, may_have_happened)
        output: Output = self._settled(name, answer)
        return output

    def sleep(self, name: str, seconds: float) -> None:
        """Frees the worker for so long, by the database's clock."""
        self._settled(name, self._ask(name, kind="sleep", forMs=seconds * 1000))

    def wait_for_event(
        self,
        name: str,
        event: str,
        *,
        key: str | None = None,
        where: Mapping[str, Any] | None = None,
        timeout_ms: float | None = None,
        default: Any = NO_DEFAULT,
    ) -> Any:
        """The payload of an event sent to the run, or to the business key `key`, before or after this was reached.

        `where`: conditions by field of the payload, such as `{"cents": {"gte": 100_000}, "country": ["DE", "AT"]}`; an
        event that does not fit stays for other waits. `default`: the result on timeout; without it, the step fails
        with `wait_timed_out`.
        """
        given = said(key=key, where=where, timeoutMs=timeout_ms)
        if default is not NO_DEFAULT:
            given["default"] = encode(default)
        return self._settled(name, self._ask(name, kind="event", event=event, **given))

    def approval(
        self,
        name: str,
        question: str,
        *,
        choices: list[str] | None = None,
        data: Any = None,
        timeout_ms: float | None = None,
        default: str | None = None,
    ) -> dict[str, Any]:
        """What a person answers: `{"choice", "by", "note", "at"}`. `default`: the choice on timeout."""
        given = said(choices=choices, data=encode(data), timeoutMs=timeout_ms, default=default)
        answer: dict[str, Any] = self._settled(name, self._ask(name, kind="approval", question=question, **given))
        return answer

    def say(self, what: str, body: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        """A request about this claim; once the lease is lost, none is sent. Raises ApiError."""
        if self._lost.is_set():
            raise ApiError("claim_lost", "The lease has ended: the run is another worker's.")
        path = f"runs/{self.run['id']}/{what}"
        return self.worker.call(path, {"epoch": self.run["epoch"], **body}, idempotency_key, self.run.get("secret"))

    def say_or(self, what: str, body: Mapping[str, Any], instead: Callable[[ApiError], Mapping[str, Any]]) -> Any:
        """A request about this claim; where the server refuses its content, what takes its place. Raises ApiError."""
        try:
            return self.say(what, body)
        except ApiError as refusal:
            if refusal.status not in OF_CONTENT:
                raise
            return self.say(what, instead(refusal))

    def undo(self) -> None:
        """Compensates what the run did, in reverse order of completion, until there is no more to do here."""
        while not self.is_stopping:
            due = self.say("undos", {})
            if due["next"] == "none":
                return
            # A process that was frozen past its lease must not begin one.
            if not self.worker.owns():
                break
            step, ended = due["step"], {"generation": due["generation"], "attempt": due["attempt"]}
            what = f'outcome of the compensation of step "{step}"'
            self.say_or(
                f"undos/{address_part(step)}/outcome",
                {**ended, **self._undo(step, due["output"], due["idempotencyKey"])},
                lambda refusal: {**ended, **_refused(what, refusal)},
            )
        self.say("handback", {})

    def _undo(self, step: str, output: Any, key: str) -> dict[str, Any]:
        try:
            undo = self.workflow.undos.get(_stem(step))
            if undo is None:
                raise Final(f'This worker has no compensation for the step "{step}".')
            undo(decode(output), key)
            return {"outcome": "completed"}
        except Exception as error:
            return {"outcome": "failed", "error": as_json(error), **_verdict(error)}

    def _compensation(self, name: str, instructions: str | None) -> dict[str, str]:
        if _stem(name) in self.workflow.undos:
            return {"compensate": "automatic"}
        return {"compensate": "manual", "instructions": shown_text(instructions, MAX_INSTRUCTIONS)} if instructions else {}

    def _ask(self, name: str, **declared: Any) -> dict[str, Any]:
        if self.over:
            raise self.over
        if name in self._met:
            raise ValueError(f'The step "{name}" is met twice: make its name from the item, such as "{name}:7".')
        self._met.add(name)
        key = str(uuid.uuid4()) if declared.get("effect") == "once" else None
        try:
            answer: dict[str, Any] = self.say(f"steps/{address_part(name)}/attempts", declared, key)
        except ApiError as refusal:
            raise self._ends(Refused(refusal)) from None
        return answer

    def _record(self, name: str, attempt: int, outcome: dict[str, Any], may_have_happened: bool) -> dict[str, Any]:
        """An outcome that the server refuses fails its step: a repetition of the body would leave the same."""
        what, ended = f'outcome of step "{name}"', {"attempt": attempt, "mayHaveHappened": may_have_happened}
        try:
            answer: dict[str, Any] = self.say_or(
                f"steps/{address_part(name)}/outcome",
                {**outcome, "attempt": attempt},
                lambda refusal: {**ended, **_refused(what, refusal)},
            )
        except ApiError as refusal:
            raise self._ends(Refused(refusal)) from None
        return answer

    def _settled(self, name: str, answer: dict[str, Any]) -> Any:
        if answer["next"] == "completed":
            return decode(answer["output"])
        if answer["next"] == "failed":
            raise StepFailed(name, answer["error"])
        if answer["next"] == "stop":
            raise self._ends(Suspended())
        raise self._ends(Suspended(waitsFor=[name], **said(inMs=answer["inMs"])))

    def _ends(self, over: Suspended | Refused) -> Suspended | Refused:
        self.over = over
        return over

    def _attempt(
        self,
        key: str,
        body: Callable[[str], Output],
        effect: str,
        retry: Retry,
        reference: Callable[[Any], object] | None,
    ) -> dict[str, Any]:
        if not self.worker.owns():
            raise self._ends(Suspended())
        try:
            output = body(key)
        except Exception as error:
            return _failure(error, retry, isinstance(error, MayHaveHappened))
        try:
            return {"outcome": "completed", "output": encode(output), **_reference(output, reference)}
        except Exception as error:  # its effect is there, and what it returned cannot be kept
            return {**_failure(error, retry, effect == "once"), "retryable": False}


def _failure(error: Exception, retry: Retry, may_have_happened: bool) -> dict[str, Any]:
    verdict = {**_verdict(error), "mayHaveHappened": may_have_happened}
    return {"outcome": "failed", "error": as_json(error), "retry": retry.delays(), **verdict}


def _verdict(error: Exception) -> dict[str, Any]:
    """What an error of a body or of a compensation says beside that it failed."""
    after = error.after_ms if isinstance(error, RetryAfter) and math.isfinite(error.after_ms) else None
    return {"retryable": not isinstance(error, Final), **said(retryAfterMs=after and max(0, after))}


def _refused(what: str, refusal: ApiError) -> dict[str, Any]:
    return {"outcome": "failed", "error": refused_error(what, refusal), "retryable": False}


def _reference(output: Any, reference: Callable[[Any], object] | None) -> dict[str, str]:
    """Code that raises gives none: the step has had its effect."""
    try:
        found = reference(output) if reference else None
        text = "" if found is None else shown_text(found, MAX_REFERENCE)
    except Exception:
        return {}
    return {"reference": text} if text else {}


def _stem(name: str) -> str:
    """Compensations are found by the step's name up to a colon."""
    return name.split(":")[0]
