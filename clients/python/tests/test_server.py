"""The client and a worker against a server: HANDRAIL_URL names it, and HANDRAIL_TOKEN has a token if it has sign-in."""

import os
import threading
import time
import unittest
import uuid
from datetime import datetime, timezone
from typing import Any, Callable

from handrail import ApiError, Client, Context, Final, Retry, RetryAfter, Worker

URL = os.environ.get("HANDRAIL_URL")
TOKEN = os.environ.get("HANDRAIL_TOKEN")
SOON = 30.0


@unittest.skipUnless(URL, "HANDRAIL_URL names no server")
class AgainstAServer(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(URL or "", TOKEN)
        self.worker = Worker(URL or "", token=TOKEN, claim_wait_ms=200, build="9f3c2d1")
        self.name = f"python-{uuid.uuid4()}"
        self.thread: threading.Thread | None = None

    def tearDown(self) -> None:
        self.worker.stop()
        if self.thread:
            self.thread.join(SOON)

    def work(self) -> None:
        self.thread = threading.Thread(target=self.worker.work, daemon=True)
        self.thread.start()
        self.assertTrue(self.worker.registered.wait(SOON))

    def until(self, what: str, is_so: Callable[[], Any]) -> None:
        until = time.monotonic() + SOON
        while not is_so():
            self.assertLess(time.monotonic(), until, f"There was no {what}.")
            time.sleep(0.02)

    def start(self, input: Any = None, **how: Any) -> str:
        return self.client.start(self.name, input, **how)["id"]

    def result(self, run_id: str) -> Any:
        return self.client.result(run_id, SOON)

    def code_of(self, what: Callable[[], Any]) -> str:
        with self.assertRaises(ApiError) as caught:
            what()
        return caught.exception.code

    def test_a_run_from_its_start_to_its_result(self) -> None:
        at = datetime(2026, 5, 1, tzinfo=timezone.utc)
        failures = [RetryAfter("busy", 1), ConnectionError("gone")]
        keys: list[str] = []

        @self.worker.workflow(self.name, retry=Retry(initial_delay_ms=1), tags={"order": "/order"})
        def code(ctx: Context, order: Any) -> Any:
            def pay(key: str) -> Any:
                keys.append(key)
                if failures:
                    raise failures.pop(0)
                return {"at": order["at"], "cents": 2**60, "raw": b"\x00"}

            paid = ctx.step("pay", pay, effect="idempotent", reference=lambda output: "ref")
            ctx.sleep("rest", 0.001)
            return {**paid, "answer": ctx.wait_for_event("paid", "order.paid", key=order["order"])}

        self.work()
        order = str(uuid.uuid4())
        limits = {"begin_within_ms": 60_000, "end_within_ms": 90_000, "version": 1}
        run_id = self.start({"order": order, "at": at}, idempotency_key=order, **limits)
        self.assertEqual(self.start({"order": order, "at": at}, idempotency_key=order), run_id)
        self.client.send("order.paid", {"by": "Ada"}, key=order, id="1")
        expected = {"at": at, "cents": 2**60, "raw": b"\x00", "answer": {"by": "Ada"}}
        self.assertEqual(self.result(run_id), expected)
        self.assertEqual(keys, [f"{run_id}:pay:1"] * 3)
        self.assertEqual([run["id"] for run in self.client.list(tags={"order": order})["runs"]], [run_id])
        self.assertEqual(self.code_of(lambda: self.client.cancel(run_id)), "not_allowed")

    def test_a_failed_run_and_its_compensation(self) -> None:
        undone: list[Any] = []

        @self.worker.workflow(self.name, on_failure="compensate", undos={"book": lambda *what: undone.append(what)})
        def code(ctx: Context, input: Any) -> Any:
            ctx.step("book", lambda key: "B-1")

            def ship(key: str) -> None:
                raise Final("There is no such address.")

            ctx.step("ship", ship)

        self.work()
        run_id = self.start()
        self.assertEqual(self.code_of(lambda: self.result(run_id)), "run_failed")
        self.assertEqual(undone, [("B-1", f"{run_id}:book:1:undo")])
        self.assertEqual(self.client.run(run_id)["status"], "compensated")

    def test_a_long_body_sees_that_its_run_was_cancelled(self) -> None:
        begun = threading.Event()
        self.worker.lease_ms = 1_000

        @self.worker.workflow(self.name)
        def code(ctx: Context, input: Any) -> Any:
            def wait(key: str) -> None:
                begun.set()
                self.until("sign to stop", lambda: ctx.is_stopping)

            ctx.step("wait", wait)
            ctx.step("never", lambda key: key)

        self.work()
        run_id = self.start()
        self.assertTrue(begun.wait(SOON))
        self.client.cancel(run_id, "a test")
        self.assertEqual(self.code_of(lambda: self.result(run_id)), "run_failed")
        self.assertEqual(self.client.run(run_id)["status"], "cancelled")
        self.assertEqual([step["name"] for step in self.client.run(run_id)["steps"]], ["wait"])

    def test_refusals_have_the_codes_of_the_api(self) -> None:
        self.assertEqual(self.code_of(lambda: self.client.start("there-is-none")), "unknown_workflow")
        self.assertEqual(self.code_of(lambda: self.client.run(str(uuid.uuid4()))), "unknown_run")
        self.worker.workflow(self.name, input_schema={"type": "object"})(lambda ctx, input: None)
        self.work()
        self.assertEqual(self.code_of(lambda: self.start("a text")), "invalid_input")
        run_id = self.start({}, delay_ms=3_600_000)
        self.assertEqual(self.code_of(lambda: self.client.result(run_id, 0)), "wait_timed_out")
        self.assertEqual(self.client.cancel(run_id)["status"], "cancelled")


if __name__ == "__main__":
    unittest.main()
