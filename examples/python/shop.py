"""A shop whose orders are paid by a workflow in Python: `POST /orders`, `GET /orders/{id}`, and its worker in a thread."""

from __future__ import annotations

import json
import os
import signal
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from database import connect
from handrail import Client, Context, Worker

URL = os.environ.get("HANDRAIL_URL", "http://127.0.0.1:3000")
TOKEN = os.environ.get("HANDRAIL_TOKEN")
worker = Worker(URL, int(os.environ.get("HANDRAIL_LEASE_MS", 30_000)), TOKEN, claim_wait_ms=2_000)
handrail = Client(URL, TOKEN)


@worker.workflow("pay-order", tags={"order": "/id"})
def pay_order(ctx: Context, order: dict[str, Any]) -> dict[str, Any]:
    charge_id = ctx.step("charge", lambda key: charge(order, key), effect="idempotent", reference=lambda charge: charge)
    # The row is in a database that Handrail does not reach, so that it may be written twice: the second time changes nothing.
    ctx.step("mark-paid", lambda key: mark_paid(order["id"], charge_id), effect="idempotent")
    return {"chargeId": charge_id}


def charge(order: dict[str, Any], key: str) -> str:
    """The provider knows a repetition by its key, so that a retry charges nothing."""
    request = urllib.request.Request(
        f"{os.environ['PROVIDER_URL']}/charges",
        json.dumps({"order": order["id"], "cents": order["cents"]}).encode(),
        {"content-type": "application/json", "idempotency-key": key},
    )
    with urllib.request.urlopen(request) as response:
        charged: str = json.load(response)["id"]
        return charged


def mark_paid(order_id: str, charge_id: str) -> None:
    with connect() as database:
        database.execute("update orders set charge_id = ? where id = ?", (charge_id, order_id))


def place(order: dict[str, Any]) -> str:
    """The row first, and then the run, with a key: who dies between the two sends the order again, and gets the same run."""
    with connect() as database:
        database.execute("insert into orders (id, cents) values (?, ?) on conflict do nothing", (order["id"], order["cents"]))
    return handrail.start("pay-order", order, idempotency_key=f"order:{order['id']}")["id"]


class Shop(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        order = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.answer(201, {"runId": place(order)})

    def do_GET(self) -> None:
        with connect() as database:
            sql = "select id, cents, charge_id as chargeId from orders where id = ?"
            row = database.execute(sql, (self.path.removeprefix("/orders/"),)).fetchone()
        self.answer(200, dict(row)) if row else self.answer(404, {})

    def answer(self, status: int, body: dict[str, Any]) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: Any) -> None:
        pass


if __name__ == "__main__":
    working = threading.Thread(target=worker.work)
    working.start()
    worker.registered.wait()  # from here on runs of the workflow can be started
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Shop)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    server.serve_forever()
    worker.stop()
    working.join()
