"""Requests against a server that is busy, breaks off, and refuses."""

import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from handrail import ApiError, Client
from handrail.transport import Transport, address_part

Answer = tuple[int, dict[str, str], bytes]


class Scripted(HTTPServer):
    """Answers with what it is given, in order, and keeps what it was asked."""

    def __init__(self, *answers: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Scripted.Handler)
        self.answers = list(answers)
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    class Handler(BaseHTTPRequestHandler):
        server: "Scripted"

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = self.rfile.read(int(headers.get("content-length", 0)))
            self.server.asked.append((self.command, self.path, headers, body))
            status, more, text = self.server.answers.pop(0)
            if status == 0:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in {"content-length": str(len(text)), **more}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)


GOOD: Answer = (200, {}, b'{"good": true}')


def refusal(status: int, code: str, **headers: str) -> Answer:
    error = {"code": code, "message": "No.", "details": {"why": 1}, "requestId": "r-1"}
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps({"error": error}).encode()


class Requests(unittest.TestCase):
    def ask(self, *answers: Answer, **how: Any) -> Any:
        self.server = Scripted(*answers)
        try:
            return Transport(self.server.url, "hr_token").ask("POST", "runs", {"n": 1}, **how)
        finally:
            self.server.shutdown()
            self.server.server_close()

    def test_a_request_has_its_token_its_key_and_its_secret(self) -> None:
        self.assertEqual(self.ask(GOOD, key="k", secret="s"), {"good": True})
        _, path, headers, body = self.server.asked[0]
        self.assertEqual((path, json.loads(body)), ("/api/v1/runs", {"n": 1}))
        sent = {name: headers[name] for name in ("authorization", "idempotency-key", "handrail-claim")}
        self.assertEqual(sent, {"authorization": "Bearer hr_token", "idempotency-key": "k", "handrail-claim": "s"})

    def test_the_latest_position_is_sent_back(self) -> None:
        answers: list[Answer] = [(200, {"handrail-wal": at}, b"{}") for at in ("9/0", "10/0", "9/FFFFFFFF")]
        self.server = Scripted(*answers, GOOD, GOOD)
        transport = Transport(self.server.url, None)
        for _ in range(5):
            transport.ask("POST", "runs", {})
        self.server.shutdown()
        self.server.server_close()
        sent = [headers.get("handrail-wal") for _, _, headers, _ in self.server.asked]
        self.assertEqual(sent, [None, "9/0", "10/0", "10/0", "10/0"])

    def test_lost_connections_half_answers_and_5xx_are_asked_again(self) -> None:
        half: Answer = (200, {"content-length": "500"}, b'{"good"')
        self.assertEqual(self.ask((0, {}, b""), half, (502, {}, b"<html>"), GOOD), {"good": True})
        self.assertEqual(len(self.server.asked), 4)

    def test_retry_after_is_waited_for(self) -> None:
        for status in (429, 503):
            begun = time.monotonic()
            self.ask(refusal(status, "too_busy", retry_after="1"), GOOD)
            self.assertGreaterEqual(time.monotonic() - begun, 1)

    def test_a_refusal_is_raised_with_its_code(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.ask(refusal(409, "claim_lost"))
        error = caught.exception
        self.assertEqual((error.code, error.status, error.request_id), ("claim_lost", 409, "r-1"))
        self.assertEqual((str(error), error.details), ("No.", {"why": 1}))

    def test_patience_ends(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.ask((0, {}, b""), patience=0)
        self.assertEqual((caught.exception.code, caught.exception.status), ("unreachable", 0))
        with self.assertRaises(ApiError) as caught:
            self.ask(refusal(503, "too_busy"), patience=0)
        self.assertEqual(caught.exception.code, "too_busy")

    def test_names_as_parts_of_addresses(self) -> None:
        self.assertEqual([address_part(name) for name in (".", "~..", "a/b ü")], ["~.", "~~..", "a%2Fb%20%C3%BC"])


class AResult(unittest.TestCase):
    def result(self, output: Any, *more: Any) -> Any:
        texts = [{"status": "completed", "output": output}, *more]
        answers: list[Answer] = [(200, {}, json.dumps(text).encode()) for text in texts]
        self.server = Scripted(*answers)
        self.addCleanup(self.server.shutdown)
        return Client(self.server.url).result("run")

    def test_keeps_what_is_masked_as_it_is_shown(self) -> None:
        card = {"$type": "masked"}
        self.assertEqual(self.result({"card": card, "cents": 5}), {"card": card, "cents": 5})

    def test_reads_a_value_that_is_elsewhere(self) -> None:
        value = {"value": {"$type": "Set", "value": [1, 2]}}
        self.assertEqual(self.result({"$type": "blob", "bytes": 2_000_000}, value), {1, 2})
        self.assertEqual(self.server.asked[1][1], "/api/v1/runs/run/value?part=output")


if __name__ == "__main__":
    unittest.main()
