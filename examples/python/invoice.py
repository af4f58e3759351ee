"""A workflow in Python: `python3 examples/python/invoice.py`, beside `npm start`. Then start a run of "invoice" in the console."""

import json, os, signal, sys

from handrail import Worker

worker = Worker(os.environ.get("HANDRAIL_URL", "http://127.0.0.1:3000"), int(os.environ.get("HANDRAIL_LEASE_MS", 30_000)))
LETTERS = os.environ.get("LETTERS", "letters.jsonl")


@worker.workflow(
    "invoice",
    title="Invoice, in Python",
    inputSchema={
        "type": "object",
        "properties": {"invoiceId": {"type": "string"}, "amountCents": {"type": "integer", "minimum": 1}},
        "required": ["invoiceId", "amountCents"],
    },
    tags={"invoice": "/invoiceId"},
)
def invoice(ctx, order):
    rate = ctx.step("fetch-rate", lambda key: fetch_rate(key), effect="pure", retry={"initialDelayMs": 200})
    total = round(order["amountCents"] * rate)
    # Nothing protects a second letter: if this process dies in the middle, a person says whether it went out.
    letter = ctx.step(
        "send-letter",
        lambda key: send(key, f"{order['invoiceId']}: {total} cents"),
        effect="once",
        reference=lambda sent: sent["id"],
        instructions="Call the customer, and tell them to ignore the letter.",
    )
    ctx.sleep("wait-for-payment", 1)
    ctx.step("archive", lambda key: {"archived": letter["id"]})
    return {"total": total, "letter": letter["id"]}


asked = set()


def fetch_rate(key):
    """The bank is busy the first time that a process asks, as banks are."""
    if key not in asked:
        asked.add(key)
        raise ConnectionError("The bank is busy.")
    return 1.19


def send(key, text):
    with open(LETTERS, "a") as letters:
        letters.write(json.dumps({"id": key, "text": text}) + "\n")
    return {"id": key}


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    worker.work()
