"""A worker in Python's standard library: workflows whose steps run here and are kept by Handrail, over HTTP.

docs/any-language.md tells the protocol. One run at a time; start more processes for more.
"""

import itertools, json, os, platform, socket, threading, time, traceback, urllib.error, urllib.parse, urllib.request, uuid


class Refused(Exception):
    """The server has said no: `code` is one of its closed set, such as claim_lost."""

    def __init__(self, status, error):
        super().__init__(error["message"])
        self.status, self.code = status, error["code"]


class StepFailed(Exception):
    """A step has failed for good: its policy is used up, or its error was final."""

    def __init__(self, step, error):
        super().__init__(error["message"])
        self.step, self.error = step, error


class Final(Exception):
    """Throw it from a body: it failed for good, and nothing of it has happened."""


class MayHaveHappened(Exception):
    """Throw it from a body: the answer was lost, so nobody knows. A step with effect "once" then waits for a person."""


class Suspended(BaseException):
    """Not an Exception, so that a workflow's own `except` lets it through."""

    def __init__(self, **rest):
        self.rest = rest


class Worker:
    def __init__(self, url="http://127.0.0.1:3000", lease_ms=30_000):
        self.url, self.lease_ms, self.workflows = url + "/api/v1/worker/", lease_ms, {}

    def workflow(self, name, **definition):
        """Decorates the code of a workflow: `def code(ctx, input)`. It runs again from its top on every claim."""

        def keep(code):
            self.workflows[name] = (code, {"name": name, **definition})
            return code

        return keep

    def call(self, path, body, key=None):
        """Sent again until the server answers: what it does twice it does once, by the epoch or by the key."""
        headers = {"content-type": "application/json", **({"idempotency-key": key} if key else {})}
        request = urllib.request.Request(self.url + path, json.dumps(body, allow_nan=False).encode(), headers)
        for failures in itertools.count():
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refusal:
                if refusal.code < 500:
                    raise Refused(refusal.code, json.load(refusal)["error"]) from None
            except (OSError, ValueError):  # no connection, or half an answer
                pass
            time.sleep(0.1 * 2 ** min(failures, 5))

    def work(self):
        """Registers and works. When its lease is lost (the machine slept, the network was gone), it registers anew."""
        while True:
            self.asked, self.lost = time.monotonic(), threading.Event()
            name, language = f"{socket.gethostname()}/{os.getpid()}", f"Python {platform.python_version()}"
            workflows = [definition for _, definition in self.workflows.values()]
            registration = {"name": name, "language": language, "workflows": workflows, "leaseMs": self.lease_ms}
            me = self.call("registrations", registration, str(uuid.uuid4()))["workerId"]
            threading.Thread(target=self.beat, args=(me, self.lost), daemon=True).start()
            try:
                while not self.lost.is_set():
                    for run in self.call(f"registrations/{me}/claims", {"waitMs": 20_000}, str(uuid.uuid4()))["runs"]:
                        self.drive(run)
            except Refused as refusal:
                if refusal.code != "lease_ended":
                    raise
            except (KeyboardInterrupt, SystemExit):  # SIGTERM, where the program makes it one
                self.call(f"registrations/{me}/departure", {})
                raise
            finally:
                self.lost.set()

    def beat(self, me, lost):
        while not lost.wait(self.lease_ms / 4000):
            asked = time.monotonic()
            try:
                self.call(f"registrations/{me}/heartbeats", {})
                self.asked = asked
            except Refused:
                lost.set()

    def owns(self):
        """Asked before a body: a process that was stopped past its lease must not begin one."""
        return not self.lost.is_set() and time.monotonic() - self.asked < self.lease_ms / 1000 * 2 / 3

    def drive(self, run):
        ctx = Context(self, run)
        try:
            try:
                ctx.say("end", outcome="completed", output=self.workflows[run["workflow"]][0](ctx, run["input"]))
            except Suspended as wait:
                ctx.say("handback", **wait.rest)
            except (KeyboardInterrupt, SystemExit):
                ctx.say("handback")
                raise
            except StepFailed as failure:
                ctx.say("end", outcome="failed", error=failure.error, failedStep=failure.step)
            except Exception as error:
                if isinstance(error, Refused) and error.code == "claim_lost":
                    raise
                ctx.say("end", outcome="failed", error=told(error))
        except Refused as refusal:
            if refusal.code != "claim_lost":  # the run is another worker's by now: nothing more is said of it
                raise


class Context:
    def __init__(self, worker, run):
        self.worker, self.run, self.met = worker, run, set()

    def say(self, what, key=None, **body):
        return self.worker.call(f"runs/{self.run['id']}/{what}", {"epoch": self.run["epoch"], **body}, key)

    def of_step(self, step, what):
        return f"steps/{urllib.parse.quote(step, safe='')}/{what}"

    def step(self, name, body, effect="idempotent", retry=None, reference=None, instructions=None):
        """`body(idempotency_key)` runs once its start is on record; what it came to is kept under the name."""
        declared = {"kind": "step", "effect": effect, **({"retry": retry} if retry else {})}
        answer = self.ask(name, declared)
        if answer["next"] == "go":
            answer = self.say(self.of_step(name, "outcome"), **self.attempt(answer, body, retry, reference, instructions))
        return self.settled(name, answer)

    def sleep(self, name, seconds):
        return self.settled(name, self.ask(name, {"kind": "sleep", "forMs": seconds * 1000}))

    def wait_for_event(self, name, event, **options):
        """Its payload, once it has come; options: `key`, `timeoutMs`, `default`."""
        return self.settled(name, self.ask(name, {"kind": "event", "event": event, **options}))

    def approval(self, name, question, **options):
        """What a person answers: `{"choice", "by", "note", "at"}`; options: `choices`, `data`, `timeoutMs`, `default`."""
        return self.settled(name, self.ask(name, {"kind": "approval", "question": question, **options}))

    def ask(self, name, declared):
        if name in self.met:
            raise ValueError(f'The step "{name}" is met twice: make its name from the item, such as "{name}:7".')
        self.met.add(name)
        return self.say(self.of_step(name, "attempts"), str(uuid.uuid4()) if declared.get("effect") == "once" else None, **declared)

    def attempt(self, go, body, retry, reference, instructions):
        if not self.worker.owns():
            raise Suspended()
        record = {"attempt": go["attempt"], "outcome": "completed"}
        try:
            record["output"] = body(go["idempotencyKey"])
            json.dumps(record["output"], allow_nan=False)
        except Exception as error:
            delays = {field: value for field, value in (retry or {}).items() if field != "maxAttempts"}
            failed = {"outcome": "failed", "error": told(error), "retry": delays, "retryable": not isinstance(error, Final)}
            return {"attempt": go["attempt"], **failed, "mayHaveHappened": isinstance(error, MayHaveHappened)}
        extras = {"reference": reference and reference(record["output"]), "instructions": instructions}
        record.update({field: value for field, value in extras.items() if value}, **({"compensate": "manual"} if instructions else {}))
        return record

    def settled(self, name, answer):
        if answer["next"] == "completed":
            return answer["output"]
        if answer["next"] == "failed":
            raise StepFailed(name, answer["error"])
        if answer["next"] == "stop":
            raise Suspended()
        raise Suspended(waitsFor=[name], **({} if answer["inMs"] is None else {"inMs": answer["inMs"]}))


def told(error):
    stack = "".join(traceback.format_exception(error))[-16_000:]
    return {"name": type(error).__name__, "message": str(error)[:8_000], "stack": stack}
