"""A worker: registers, claims runs and drives one at a time. Start more processes for more."""

from __future__ import annotations

import os
import platform
import socket
import threading
import time
import uuid
from typing import Any, Callable, Mapping, Sequence

from .context import Context
from .errors import ApiError, Refused, StepFailed, Suspended, as_json, refused_error
from .transport import Transport
from .values import decode, encode
from .workflow import Code, Limit, Rate, Retry, Singleton, Undo, Workflow


class Worker:
    """Runs the workflows that were given to it. The protocol: docs/any-language.md of Handrail."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:3000",
        lease_ms: int = 30_000,
        token: str | None = None,
        claim_wait_ms: int = 20_000,
        build: str | None = None,
    ) -> None:
        """`lease_ms`: after so much silence it loses its runs; 1 second to 10 minutes. `token`: one with the scope
        worker.work, where Handrail has sign-in. `claim_wait_ms`: how long one request waits for a run, 30 seconds at
        most; `stop()` takes as long. `build`: the commit or the version of your code, up to 200 visible characters without
        spaces, such as `os.environ.get("HANDRAIL_BUILD")`; the first worker of a new one marks a deploy."""
        self.lease_ms = lease_ms
        self.claim_wait_ms = claim_wait_ms
        self.build = build or None
        self.registered = threading.Event()
        """Set once the server knows its workflows: from then on they can be started."""
        self.workflows: dict[tuple[str, int], Workflow] = {}
        self._transport = Transport(url, token)
        self._asked = 0.0
        self._lost = threading.Event()
        self._stopping: frozenset[str] = frozenset()
        self._ends = threading.Event()

    def workflow(
        self,
        name: str,
        *,
        version: int = 1,
        title: str | None = None,
        input_schema: Mapping[str, Any] | None = None,
        retry: Retry | None = None,
        timeout_ms: float | None = None,
        on_failure: str | None = None,
        tags: Mapping[str, str] | None = None,
        run_title: str | None = None,
        masked: Sequence[str] | None = None,
        searchable: Sequence[str] | None = None,
        four_eyes: Sequence[str] | None = None,
        concurrency: Limit | None = None,
        rate_limit: Rate | None = None,
        singleton: Singleton | None = None,
        undos: Mapping[str, Undo] | None = None,
    ) -> Callable[[Code], Code]:
        """Decorates `def code(ctx, input)`, which runs again from its top on every claim.

        `on_failure`: "stop" or "compensate". `tags`: business keys, each a JSON Pointer into the input.
        `run_title`: what people call a run, with JSON Pointers in braces, such as "Order {/order/id}".
        `undos`: compensations by the step's name, up to a colon. Decorate once for each version that is still needed.
        """

        def add(code: Code) -> Code:
            self.workflows[name, version] = Workflow(
                name, code, version, title, input_schema, retry, timeout_ms, on_failure, tags, run_title, masked, searchable,
                four_eyes,
                concurrency, rate_limit, singleton, undos or {},
            )
            return code

        return add

    def call(self, path: str, body: Any, key: str | None = None, secret: str | None = None) -> Any:
        """Sent again until the server answers: what it gets twice it does once, by the epoch or by the key."""
        return self._transport.ask("POST", "worker/" + path, body, key=key, secret=secret)

    def stop(self) -> None:
        """Ends `work()`, from another thread, once the run that it drives is ended or handed back."""
        self._ends.set()

    def work(self) -> None:
        """Registers and works, until `stop()`, SystemExit or Ctrl-C. A lease that was lost is begun anew."""
        definition = {
            "name": f"{socket.gethostname()}/{os.getpid()}",
            "language": f"Python {platform.python_version()}",
            "workflows": [workflow.as_json() for workflow in self.workflows.values()],
            "leaseMs": self.lease_ms,
            **({"build": self.build} if self.build else {}),
        }
        while not self._ends.is_set():
            self._asked, self._lost, self._stopping = time.monotonic(), threading.Event(), frozenset()
            me = "registrations/" + self.call("registrations", definition, str(uuid.uuid4()))["workerId"]
            self.registered.set()
            threading.Thread(target=self._beat, args=(me, self._lost), daemon=True).start()
            try:
                self._serve(me)
                if self._ends.is_set():
                    self.call(f"{me}/departure", {})
            except ApiError as refusal:
                if refusal.code not in ("lease_ended", "unknown_worker"):
                    raise
            except (KeyboardInterrupt, SystemExit):
                self.call(f"{me}/departure", {})
                raise
            finally:
                self._lost.set()

    def _serve(self, me: str) -> None:
        while not self._lost.is_set() and not self._ends.is_set():
            for run in self.call(f"{me}/claims", {"waitMs": self.claim_wait_ms}, str(uuid.uuid4()))["runs"]:
                self._drive(run)

    def _beat(self, me: str, lost: threading.Event) -> None:
        while not lost.wait(self.lease_ms / 4000):
            asked = time.monotonic()
            try:
                answer = self.call(f"{me}/heartbeats", {})
                self._asked, self._stopping = asked, frozenset([*answer["cancelled"], *answer["paused"]])
            except ApiError:
                lost.set()

    def owns(self) -> bool:
        """Asked before a body: a process that was stopped past its lease must not begin one."""
        return not self._lost.is_set() and time.monotonic() - self._asked < self.lease_ms / 1000 * 2 / 3

    def is_stopping(self, run_id: str) -> bool:
        """Whether the run was cancelled or paused, or the lease is lost, as of the last heartbeat."""
        return run_id in self._stopping or not self.owns()

    def _drive(self, run: dict[str, Any]) -> None:
        ctx = Context(self, run, self.workflows[run["workflow"], run["codeVersion"]], self._lost)
        try:
            ctx.undo() if run["status"] == "compensating" else self._run(ctx)
        except (KeyboardInterrupt, SystemExit):
            self._give_up(ctx)
            raise
        except ApiError as refusal:
            if refusal.code != "claim_lost":  # the run is another worker's by now: nothing more is said of it
                self._give_up(ctx)

    def _give_up(self, ctx: Context) -> None:
        """Whatever is refused then, this worker does not keep the run."""
        try:
            ctx.say("handback", {})
        except ApiError:
            pass

    def _run(self, ctx: Context) -> None:
        try:
            end = self._end(ctx)
        except Suspended as suspended:
            ctx.say("handback", suspended.rest)
            return
        except Refused as refused:
            if refused.refusal.code == "claim_lost":
                raise refused.refusal from None
            end = _failed(as_json(refused.refusal))
        ctx.say_or("end", end, lambda refusal: _failed(refused_error("outcome of the run", refusal)))

    def _end(self, ctx: Context) -> dict[str, Any]:
        """How the workflow's code ends."""
        try:
            output = ctx.workflow.code(ctx, decode(ctx.run["input"]))
            if ctx.over:  # the code caught it, with a bare `except`
                raise ctx.over
            return {"outcome": "completed", "output": encode(output)}
        except Exception as error:
            if ctx.over:  # the code met it, and raised another one on its way out
                raise ctx.over from None
            if isinstance(error, StepFailed):
                return {**_failed(error.error), "failedStep": error.step}
            return _failed(as_json(error))


def _failed(error: dict[str, Any]) -> dict[str, Any]:
    return {"outcome": "failed", "error": error}
