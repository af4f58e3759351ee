"""The driver of the Python package: see protocol.ts."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from typing import Any, Callable

from handrail import (
    ApiError,
    Client,
    Context,
    Final,
    MayHaveHappened,
    Retry,
    RetryAfter,
    Worker,
    decode,
    encode,
)

URL = sys.argv[1]
client = Client(URL)
writing = threading.Lock()
released: dict[str, threading.Event] = defaultdict(threading.Event)
calls: dict[str, int] = defaultdict(int)
worker = Worker(URL)
working: threading.Thread | None = None


def write(**line: Any) -> None:
    with writing:
        print(json.dumps(line), flush=True)


def act(ctx: Context, step: str, acts: list[dict[str, Any]], input: Any, key: str) -> Any:
    calls[step] += 1
    write(body=step, key=key, call=calls[step])
    now = acts[min(calls[step], len(acts)) - 1]
    if "die" in now:
        os.kill(os.getpid(), signal.SIGKILL)
    if "afterMs" in now:
        raise RetryAfter(now["fail"], now["afterMs"])
    if "fail" in now:
        raise RuntimeError(now["fail"])
    if "final" in now:
        raise Final(now["final"])
    if "lost" in now:
        raise MayHaveHappened(now["lost"])
    if "input" in now:
        return input
    if "depth" in now:
        deep: Any = None
        for _ in range(now["depth"]):
            deep = [deep]
        return deep
    if "length" in now:
        return "x" * now["length"]
    if "hold" in now:
        while not released[step].is_set() and not ctx.is_stopping:
            time.sleep(0.01)
        return decode(now["hold"])
    return decode(now["return"])


def retry_of(given: dict[str, float]) -> Retry:
    names = {"maxAttempts": "max_attempts", "initialDelayMs": "initial_delay_ms", "maxDelayMs": "max_delay_ms"}
    return Retry(**{names.get(name, name): value for name, value in given.items()})  # type: ignore[arg-type]


def perform(ctx: Context, line: dict[str, Any], input: Any) -> tuple[str, Any]:
    if "fails" in line:
        raise RuntimeError(line["fails"])
    if "sleep" in line:
        ctx.sleep(line["sleep"], line["ms"] / 1000)
        return line["sleep"], None
    if "event" in line:
        more = {"default": decode(line["default"])} if "default" in line else {}
        given = {"key": line.get("key"), "where": line.get("where"), "timeout_ms": line.get("timeoutMs")}
        output = ctx.wait_for_event(line["event"], line["name"], **given, **more)
        return line["event"], output
    if "approval" in line:
        return line["approval"], ctx.approval(line["approval"], line["question"], choices=line.get("choices"))
    step, reference = line["step"], line.get("reference")
    try:
        return step, ctx.step(
            step,
            lambda key: act(ctx, step, line["bodies"], input, key),
            effect=line.get("effect", "idempotent"),
            retry=retry_of(line["retry"]) if "retry" in line else None,
            reference=(lambda _: reference) if reference else None,
            instructions=line.get("instructions"),
        )
    except Exception as failure:
        if not line.get("caught"):
            raise
        return step, str(failure)


def code_of(lines: list[dict[str, Any]]) -> Callable[[Context, Any], Any]:
    return lambda ctx, input: dict(perform(ctx, line, input) for line in lines)


def undo_of(step: str) -> Callable[[Any, str], None]:
    return lambda output, key: write(body=step, key=key, call=1, undo=True)


def work(programs: list[dict[str, Any]], leaseMs: int) -> None:
    global worker, working
    worker = Worker(URL, leaseMs, claim_wait_ms=300)
    calls.clear()
    released.clear()
    for program in programs:
        given = program["workflow"]
        worker.workflow(
            given["name"],
            version=given.get("version", 1),
            input_schema=given.get("inputSchema"),
            retry=retry_of(given["retry"]) if "retry" in given else None,
            on_failure=given.get("onFailure"),
            tags=given.get("tags"),
            masked=given.get("masked"),
            undos={step: undo_of(step) for step in program.get("undos", [])},
        )(code_of(program["code"]))
    failed: list[BaseException] = []

    def serve() -> None:
        try:
            worker.work()
        except ApiError as refusal:
            failed.append(refusal)

    working = threading.Thread(target=serve, daemon=True)
    working.start()
    while not worker.registered.wait(0.05):
        if failed:
            raise failed[0]


def stop() -> None:
    worker.stop()
    if working:
        working.join()


def carry_out(do: str, given: dict[str, Any]) -> Any:
    if do == "work":
        return work(**given)
    if do == "stop":
        return stop()
    if do == "release":
        return released[given["step"]].set()
    if do == "start":
        key = given.get("idempotencyKey")
        return client.start(given["workflow"], decode(given["input"]), idempotency_key=key)["id"]
    if do == "result":
        return encode(client.result(given["runId"], given["timeoutMs"] / 1000))
    if do == "send":
        run_id, key = given.get("runId"), given.get("key")
        return client.send(given["event"], decode(given["payload"]), run_id=run_id, key=key, id=given.get("eventId"))
    if do == "cancel":
        client.cancel(given["runId"])
        return None
    if do == "status":
        return client.run(given["runId"])
    if do == "list":
        return [run["id"] for run in client.list(workflow=[given["workflow"]])["runs"]]
    raise ValueError(f"There is no command {do}.")


def answer(id: int, do: str, **given: Any) -> None:
    try:
        write(id=id, ok=carry_out(do, given))
    except Exception as error:
        write(id=id, error=getattr(error, "code", type(error).__name__), message=str(error))


for command in sys.stdin:
    threading.Thread(target=answer, kwargs=json.loads(command), daemon=True).start()
