"""A workflow in Python, on the package of clients/python: `PYTHONPATH=clients/python/src python3 examples/python/invoice.py`,
beside `npm start`. Then start a run of "invoice" in the console."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

from handrail import Context, Final, Retry, Worker

worker = Worker(
    os.environ.get("HANDRAIL_URL", "http://127.0.0.1:3000"),
    int(os.environ.get("HANDRAIL_LEASE_MS", 30_000)),
    os.environ.get("HANDRAIL_TOKEN"),
)
JOURNAL = os.environ.get("JOURNAL", "journal.jsonl")


def write(what: str, key: str, text: str) -> None:
    """The effects of this workflow outside of Handrail."""
    with open(JOURNAL, "a") as journal:
        journal.write(json.dumps({"what": what, "key": key, "text": text}) + "\n")


@worker.workflow(
    "invoice",
    title="Invoice, in Python",
    on_failure="compensate",
    input_schema={
        "type": "object",
        "properties": {"invoiceId": {"type": "string"}, "amountCents": {"type": "integer", "minimum": 1}},
        "required": ["invoiceId", "amountCents"],
    },
    tags={"invoice": "/invoiceId"},
    undos={"book": lambda booked, key: write("cancellation", key, booked["text"])},
)
def invoice(ctx: Context, order: dict[str, Any]) -> dict[str, Any]:
    rate = ctx.step("fetch-rate", fetch_rate, effect="pure", retry=Retry(initial_delay_ms=200))
    text = f"{order['invoiceId']}: {round(order['amountCents'] * rate)} cents"
    ctx.step("book", lambda key: book(key, text))
    # Nothing protects a second letter: if this process dies in the middle, a person says whether it went out.
    letter = ctx.step(
        "send-letter",
        lambda key: send(key, text),
        effect="once",
        reference=lambda sent: sent["id"],
        instructions="Call the customer, and tell them to ignore the letter.",
    )
    ctx.sleep("wait-for-payment", 1)
    ctx.step("archive", lambda key: archive(order))
    return {"text": text, "letter": letter["id"]}


asked: set[str] = set()


def fetch_rate(key: str) -> float:
    """The bank is busy the first time that a process asks, as banks are."""
    if key not in asked:
        asked.add(key)
        raise ConnectionError("The bank is busy.")
    return 1.19


def book(key: str, text: str) -> dict[str, str]:
    write("booking", key, text)
    return {"text": text}


def send(key: str, text: str) -> dict[str, str]:
    write("letter", key, text)
    return {"id": key}


def archive(order: dict[str, Any]) -> dict[str, Any]:
    if order["amountCents"] > 1_000_000:
        raise Final("The archive takes no invoices of more than 10,000.")
    return {"archived": order["invoiceId"]}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    worker.work()
