"""What a workflow's code calls: each of its steps is asked for, run, and recorded."""

from __future__ import annotations

import uuid
from threading import Event
from typing import TYPE_CHECKING, Any, Callable, Mapping, TypeVar

from .errors import ApiError, Final, MayHaveHappened, RetryAfter, StepFailed, Suspended, as_json, shown_text
from .transport import address_part
from .values import decode, encode
from .workflow import Retry, Workflow, said

if TYPE_CHECKING:
    from .worker import Worker

Output = TypeVar("Output")
NO_DEFAULT: Any = object()
MAX_INSTRUCTIONS = 4_000
"""The longest that the server takes, in UTF-16 code units."""


class Context:
    """One pass of a workflow's code over a run."""

    def __init__(self, worker: Worker, run: dict[str, Any], workflow: Workflow, lost: Event) -> None:
        self.worker = worker
        self.run = run
        """As it was claimed: `id`, `workflow`, `version`, `generation`, `tags`, `headers`, `createdAt`, `traceparent`, …"""
        self.workflow = workflow
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
        `reference`: the provider's id, from the output. `instructions`: how a person compensates it.
        Raises StepFailed once its retries are used up, ValueError for a name that was used in this pass.
        """
        compensation = self._compensation(name, instructions)
        answer = self._ask(name, kind="step", effect=effect, **said(retry=retry and retry.as_json()), **compensation)
        if answer["next"] == "go":
            outcome = self._attempt(answer["idempotencyKey"], body, effect, retry or Retry(), reference)
            if outcome["outcome"] == "completed":
                outcome.update(compensation)
            outcome["attempt"] = answer["attempt"]
            answer = self.say(f"steps/{address_part(name)}/outcome", outcome)
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
        """A request about this claim; once the lease is lost, none is sent."""
        if self._lost.is_set():
            raise ApiError("claim_lost", "The lease has ended: the run is another worker's.")
        path = f"runs/{self.run['id']}/{what}"
        return self.worker.call(path, {"epoch": self.run["epoch"], **body}, idempotency_key, self.run.get("secret"))

    def undo(self) -> None:
        """Compensates what the run did, in reverse order of completion, until there is no more to do here."""
        while (due := self.say("undos", {}))["next"] == "undo":
            outcome: dict[str, Any] = {
                "generation": due["generation"],
                "attempt": due["attempt"],
                "outcome": "completed",
            }
            try:
                self.workflow.undos[_stem(due["step"])](decode(due["output"]), due["idempotencyKey"])
            except Exception as error:
                retryable = not isinstance(error, (Final, KeyError))
                outcome.update(outcome="failed", error=as_json(error), retryable=retryable)
            self.say(f"undos/{address_part(due['step'])}/outcome", outcome)

    def _compensation(self, name: str, instructions: str | None) -> dict[str, str]:
        if _stem(name) in self.workflow.undos:
            return {"compensate": "automatic"}
        return {"compensate": "manual", "instructions": shown_text(instructions, MAX_INSTRUCTIONS)} if instructions else {}

    def _ask(self, name: str, **declared: Any) -> dict[str, Any]:
        if name in self._met:
            raise ValueError(f'The step "{name}" is met twice: make its name from the item, such as "{name}:7".')
        self._met.add(name)
        key = str(uuid.uuid4()) if declared.get("effect") == "once" else None
        answer: dict[str, Any] = self.say(f"steps/{address_part(name)}/attempts", declared, key)
        return answer

    def _settled(self, name: str, answer: dict[str, Any]) -> Any:
        if answer["next"] == "completed":
            return decode(answer["output"])
        if answer["next"] == "failed":
            raise StepFailed(name, answer["error"])
        if answer["next"] == "stop":
            raise Suspended()
        raise Suspended(waitsFor=[name], **said(inMs=answer["inMs"]))

    def _attempt(
        self,
        key: str,
        body: Callable[[str], Output],
        effect: str,
        retry: Retry,
        reference: Callable[[Any], object] | None,
    ) -> dict[str, Any]:
        if not self.worker.owns():
            raise Suspended()
        try:
            output = body(key)
        except Exception as error:
            return _failure(error, retry, not isinstance(error, Final), isinstance(error, MayHaveHappened))
        try:
            found = said(reference=str(reference(output))) if reference else {}
            return {"outcome": "completed", "output": encode(output), **found}
        except Exception as error:  # its effect is there, and what it returned cannot be kept
            return _failure(error, retry, False, effect == "once")


def _failure(error: Exception, retry: Retry, retryable: bool, may_have_happened: bool) -> dict[str, Any]:
    after = said(retryAfterMs=error.after_ms if isinstance(error, RetryAfter) else None)
    verdict = {"retryable": retryable, "mayHaveHappened": may_have_happened, **after}
    return {"outcome": "failed", "error": as_json(error), "retry": retry.delays(), **verdict}


def _stem(name: str) -> str:
    """Compensations are found by the step's name up to a colon."""
    return name.split(":")[0]
