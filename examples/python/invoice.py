"""A workflow in Python: `python3 examples/python/invoice.py`, beside `npm start`. Then start a run of "invoice" in the console."""

import json, os, signal, sys

from handrail import Final, Worker

worker = Worker(
    os.environ.get("HANDRAIL_URL", "http://127.0.0.1:3000"),
    int(os.environ.get("HANDRAIL_LEASE_MS", 30_000)),
    os.environ.get("HANDRAIL_TOKEN"),
)
JOURNAL = os.environ.get("JOURNAL", "journal.jsonl")


def write(what, key, text):
    """What this workflow does to the world."""
    with open(JOURNAL, "a") as journal:
        journal.write(json.dumps({"what": what, "key": key, "text": text}) + "\n")


@worker.workflow(
    "invoice",
    title="Invoice, in Python",
    onFailure="compensate",
    inputSchema={
        "type": "object",
        "properties": {"invoiceId": {"type": "string"}, "amountCents": {"type": "integer", "minimum": 1}},
        "required": ["invoiceId", "amountCents"],
    },
    tags={"invoice": "/invoiceId"},
    undos={"book": lambda booked, key: write("cancellation", key, booked["text"])},
)
def invoice(ctx, order):
    rate = ctx.step("fetch-rate", fetch_rate, effect="pure", retry={"initialDelayMs": 200})
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


asked = set()


def fetch_rate(key):
    """The bank is busy the first time that a process asks, as banks are."""
    if key not in asked:
        asked.add(key)
        raise ConnectionError("The bank is busy.")
    return 1.19


def book(key, text):
    write("booking", key, text)
    return {"text": text}


def send(key, text):
    write("letter", key, text)
    return {"id": key}


def archive(order):
    if order["amountCents"] > 1_000_000:
        raise Final("The archive takes no invoices of more than 10,000.")
    return {"archived": order["invoiceId"]}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    worker.work()
