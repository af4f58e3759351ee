"""The example's worker with a fault: it dies or stops, by a real signal to itself, at a point of its talk with the server."""

import json, os, pathlib, signal, sys

sys.dont_write_bytecode = True
root = pathlib.Path(__file__).parents[3]
sys.path[:0] = [str(root / "clients/python/src"), str(root / "examples/python")]
import handrail, invoice

fault = json.loads(os.environ.get("HANDRAIL_TEST_FAULT", "{}"))
talk = handrail.Worker.call


def at(point):
    if fault.get("point") == point:
        fault.pop("point")
        os.kill(os.getpid(), getattr(signal, fault.get("signal", "SIGKILL")))


def call(worker, path, body, *with_it):
    """`before steps/archive/attempts` is passed before the question, `after …` once its answer is there."""
    place = path.split("/", 2)[2] if path.count("/") > 1 else path
    at(f"before {place}")
    answer = talk(worker, path, body, *with_it)
    # A claim without a run, a step that is to wait, and undos that are over lead nowhere.
    if answer.get("runs") != [] and answer.get("next") not in ("wait", "none"):
        at(f"after {place}")
    return answer


handrail.Worker.call = call
invoice.worker.work()
