"""What a pass says to the server: a worker that answers from a list."""

import unittest
from threading import Event
from time import monotonic
from typing import Any, Callable, Mapping, cast

from handrail import Context, RetryAfter, Worker
from handrail.errors import Refused, Suspended, shown_text
from handrail.workflow import Undo, Workflow

GO = {"next": "go", "attempt": 1, "idempotencyKey": "key"}
WAIT = {"next": "wait", "for": "timer", "until": None, "inMs": 5}
NONE = {"next": "none", "status": "compensated"}


class Answering:
    """Stands in for a worker."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.said: list[tuple[str, Mapping[str, Any]]] = []

    def call(self, path: str, body: Mapping[str, Any], *_: Any) -> Any:
        self.said.append((path, body))
        return self.answers.pop(0)

    def owns(self) -> bool:
        return True

    def is_stopping(self, _: str) -> bool:
        return False


def a_pass(worker: Answering, undos: Mapping[str, Undo] | None = None) -> Context:
    workflow = Workflow("test", lambda ctx, input: None, undos=undos or {})
    return Context(cast(Worker, worker), {"id": "run", "epoch": 3}, workflow, Event())


def raises(error: Exception) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


class APass(unittest.TestCase):
    def test_begins_nothing_more_once_it_has_ended_even_where_the_code_catches_everything(self) -> None:
        worker = Answering(WAIT)
        ctx = a_pass(worker)
        for name in ("rest", "after"):
            with self.assertRaises(Suspended):
                ctx.sleep(name, 1)
        self.assertEqual(len(worker.said), 1)

    def test_that_waits_is_handed_back_whatever_its_code_raises_on_its_way_out(self) -> None:
        def code(ctx: Context, _: Any) -> None:
            try:
                ctx.sleep("rest", 1)
            except BaseException:
                raise RuntimeError("not paid")

        answers: list[Any] = [WAIT, {"status": "waiting"}]
        said: list[tuple[str, Any]] = []

        class Scripted(Worker):
            def call(self, path: str, body: Any, key: str | None = None, secret: str | None = None) -> Any:
                said.append((path, body))
                return answers.pop(0)

        worker = Scripted()
        worker.workflows["test", 1] = Workflow("test", code)
        worker._lost, worker._stopping, worker._asked = Event(), frozenset(), monotonic()
        run = {"id": "run", "epoch": 3, "workflow": "test", "codeVersion": 1, "input": None, "status": "running", "secret": "s"}
        worker._drive(run)
        self.assertEqual([path for path, _ in said], ["runs/run/steps/rest/attempts", "runs/run/handback"])
        self.assertEqual(said[1][1]["waitsFor"], ["rest"])

    def test_ends_with_a_refusal_that_is_no_exception(self) -> None:
        self.assertFalse(issubclass(Refused, Exception))

    def test_gives_no_reference_where_its_code_has_none_or_fails(self) -> None:
        nothing: list[Callable[[Any], object]] = [raises(KeyError("id")), lambda _: None, lambda _: ""]
        for reference in nothing:
            worker = Answering(GO, {"next": "completed", "output": 1})
            self.assertEqual(a_pass(worker).step("pay", lambda key: 1, reference=reference), 1)
            self.assertEqual(worker.said[1][1], {"epoch": 3, "outcome": "completed", "output": 1, "attempt": 1})

    def test_says_of_a_compensation_that_failed_whether_and_when_it_is_tried_again(self) -> None:
        due = {"next": "undo", "step": "pay", "generation": 1, "attempt": 1, "idempotencyKey": "key", "output": 1}
        verdicts: list[tuple[Mapping[str, Undo], dict[str, Any]]] = [
            ({"pay": raises(KeyError("id"))}, {"retryable": True}),
            ({"pay": raises(RetryAfter("busy", 7))}, {"retryable": True, "retryAfterMs": 7}),
            ({"pay": raises(RetryAfter("busy", float("inf")))}, {"retryable": True}),
            ({}, {"retryable": False}),
        ]
        for undos, verdict in verdicts:
            worker = Answering(due, {"status": "owed"}, NONE)
            a_pass(worker, undos).undo()
            sent = worker.said[1][1]
            self.assertEqual({name: sent[name] for name in sent if name.startswith("retry")}, verdict)


class ATextForPeople(unittest.TestCase):
    def test_is_cut_by_utf_16_code_units(self) -> None:
        self.assertEqual(shown_text("x" * 500, 500), "x" * 500)
        self.assertEqual(shown_text("x" * 501, 500), "x" * 499 + "…")
        self.assertEqual(shown_text("🚲" * 250, 500), "🚲" * 250)
        self.assertEqual(shown_text("x" + "🚲" * 250, 500), "x" + "🚲" * 249 + "…")

    def test_has_nothing_that_the_database_refuses(self) -> None:
        self.assertEqual(shown_text("\0 \ud83d", 500), "\ufffd \ufffd")
