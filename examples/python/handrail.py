"""A worker in Python's standard library: workflows whose steps run here and are kept by Handrail, over HTTP.

docs/any-language.md tells the protocol. It drives one run at a time; start more processes for more.
"""

import itertools, json, os, platform, re, socket, threading, time, traceback, urllib.error, urllib.request, uuid
from urllib.parse import quote


class Refused(Exception):
    """The server has said no: `code` is one of its closed set, such as claim_lost."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


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
    """No Exception, so that a workflow's own `except` lets it through."""

    def __init__(self, **rest):
        self.rest = rest


class Worker:
    def __init__(self, url="http://127.0.0.1:3000", lease_ms=30_000, token=None):
        """`token`: one with the scope worker.work, where Handrail has sign-in."""
        self.authorization = {"authorization": f"Bearer {token}"} if token else {}
        self.url, self.lease_ms, self.workflows = url + "/api/v1/worker/", lease_ms, {}

    def workflow(self, name, undos={}, **definition):
        """Decorates `def code(ctx, input)`, which runs again from its top on every claim. `undos`: by the step's name, up to a colon."""
        return lambda code: self.workflows.setdefault(name, (code, undos, {"name": name, **definition}))[0]

    def call(self, path, body, key=None, secret=None):
        """Sent again until the server answers: what it gets twice it does once, by the epoch or by the key."""
        own = {"idempotency-key": key, "handrail-claim": secret}
        own = {name: value for name, value in own.items() if value}
        headers = {"content-type": "application/json", **self.authorization, **own}
        request = urllib.request.Request(self.url + path, json.dumps(body, allow_nan=False).encode(), headers)
        for failures in itertools.count():
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as refusal:
                if refusal.code < 500:
                    raise Refused(json.load(refusal)["error"]) from None
            except (OSError, ValueError):  # no connection, or half an answer
                pass
            time.sleep(0.1 * 2 ** min(failures, 5))

    def work(self):
        """Registers and works, until SystemExit or Ctrl-C. A lease that was lost, such as by a machine that slept, is begun anew."""
        definition = {
            "name": f"{socket.gethostname()}/{os.getpid()}",
            "language": f"Python {platform.python_version()}",
            "workflows": [definition for _, _, definition in self.workflows.values()],
            "leaseMs": self.lease_ms,
        }
        while True:
            self.asked, self.lost = time.monotonic(), threading.Event()
            me = "registrations/" + self.call("registrations", definition, str(uuid.uuid4()))["workerId"]
            threading.Thread(target=self.beat, args=(me, self.lost), daemon=True).start()
            try:
                while not self.lost.is_set():
                    for run in self.call(f"{me}/claims", {"waitMs": 20_000}, str(uuid.uuid4()))["runs"]:
                        self.drive(run)
            except Refused as refusal:
                if refusal.code != "lease_ended":
                    raise
            except (KeyboardInterrupt, SystemExit):
                self.call(f"{me}/departure", {})
                raise
            finally:
                self.lost.set()

    def beat(self, me, lost):
        while not lost.wait(self.lease_ms / 4000):
            asked = time.monotonic()
            try:
                self.call(f"{me}/heartbeats", {})
                self.asked = asked
            except Refused:
                lost.set()

    def owns(self):
        """Asked before a body: a process that was stopped past its lease must not begin one."""
        return not self.lost.is_set() and time.monotonic() - self.asked < self.lease_ms / 1000 * 2 / 3

    def drive(self, run):
        code, undos, _ = self.workflows[run["workflow"]]
        ctx = Context(self, run, undos)
        try:
            ctx.undo() if run["status"] == "compensating" else self.run(ctx, code)
        except Refused as refusal:
            if refusal.code != "claim_lost":  # the run is another worker's by now: nothing more is said of it
                raise

    def run(self, ctx, code):
        try:
            ctx.say("end", outcome="completed", output=code(ctx, ctx.run["input"]))
        except Suspended as suspended:
            ctx.say("handback", **suspended.rest)
        except (KeyboardInterrupt, SystemExit):
            ctx.say("handback")
            raise
        except StepFailed as failure:
            ctx.say("end", outcome="failed", error=failure.error, failedStep=failure.step)
        except Exception as error:
            if isinstance(error, Refused) and error.code == "claim_lost":
                raise
            ctx.say("end", outcome="failed", error=told(error))


class Context:
    def __init__(self, worker, run, undos):
        self.worker, self.run, self.undos, self.met = worker, run, undos, set()

    def step(self, name, body, effect="idempotent", retry={}, reference=None, instructions=None):
        """`body(idempotency_key)` runs once its start is on record; what it came to is kept under the name."""
        answer = self.ask(name, kind="step", effect=effect, retry=retry)
        if answer["next"] == "go":
            outcome = {"attempt": answer["attempt"], **self.attempt(answer["idempotencyKey"], body, retry)}
            if outcome["outcome"] == "completed":
                outcome.update({"reference": reference(outcome["output"])} if reference else {})
                outcome.update({"compensate": "manual", "instructions": instructions} if instructions else {})
                outcome.update({"compensate": "automatic"} if name.split(":")[0] in self.undos else {})
            answer = self.say(f"steps/{address_part(name)}/outcome", **outcome)
        return self.settled(name, answer)

    def sleep(self, name, seconds):
        return self.settled(name, self.ask(name, kind="sleep", forMs=seconds * 1000))

    def wait_for_event(self, name, event, **options):
        """Its payload, once it has come; options: `key`, `timeoutMs`, `default`."""
        return self.settled(name, self.ask(name, kind="event", event=event, **options))

    def approval(self, name, question, **options):
        """What a person answers: `{"choice", "by", "note", "at"}`; options: `choices`, `data`, `timeoutMs`, `default`."""
        return self.settled(name, self.ask(name, kind="approval", question=question, **options))

    def say(self, what, key=None, **body):
        return self.worker.call(f"runs/{self.run['id']}/{what}", {"epoch": self.run["epoch"], **body}, key, self.run.get("secret"))

    def ask(self, name, **declared):
        if name in self.met:
            raise ValueError(f'The step "{name}" is met twice: make its name from the item, such as "{name}:7".')
        self.met.add(name)
        key = str(uuid.uuid4()) if declared.get("effect") == "once" else None
        return self.say(f"steps/{address_part(name)}/attempts", key, **declared)

    def settled(self, name, answer):
        if answer["next"] == "completed":
            return answer["output"]
        if answer["next"] == "failed":
            raise StepFailed(name, answer["error"])
        if answer["next"] == "stop":
            raise Suspended()
        raise Suspended(waitsFor=[name], **({} if answer["inMs"] is None else {"inMs": answer["inMs"]}))

    def attempt(self, key, body, retry):
        if not self.worker.owns():
            raise Suspended()
        try:
            output = body(key)
            json.dumps(output, allow_nan=False)
            return {"outcome": "completed", "output": output}
        except Exception as error:
            delays = {field: value for field, value in retry.items() if field != "maxAttempts"}
            verdict = {"retryable": not isinstance(error, Final), "mayHaveHappened": isinstance(error, MayHaveHappened)}
            return {"outcome": "failed", "error": told(error), "retry": delays, **verdict}

    def undo(self):
        """Undoes what the run did, in reverse order of completion, until the server says that there is no more to do here."""
        while (due := self.say("undos"))["next"] == "undo":
            outcome = {"generation": due["generation"], "attempt": due["attempt"], "outcome": "completed"}
            try:
                self.undos[due["step"].split(":")[0]](due["output"], due["idempotencyKey"])
            except Exception as error:
                outcome.update(outcome="failed", error=told(error), retryable=not isinstance(error, (Final, KeyError)))
            self.say(f"undos/{address_part(due['step'])}/outcome", **outcome)


def address_part(name):
    """A name as one part of an address: "." and ".." would be taken away, so that they get a tilde in front."""
    return quote("~" + name if re.fullmatch(r"~*\.{1,2}", name) else name, safe="")


def told(error):
    stack = "".join(traceback.format_exception(error))[-16_000:]
    return {"name": type(error).__name__, "message": str(error)[:8_000], "stack": stack}
