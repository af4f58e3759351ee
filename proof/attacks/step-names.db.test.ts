import { it } from "vitest";
import { addressPart } from "../../lib/engine/values/address-part";
import { aRemoteScene } from "../../lib/testing/workers/remote-worker";
import { REASON } from "./scene";
import { attackTable, unless } from "./table";

const scene = aRemoteScene();
const holds = attackTable("step names");

/** Names with a special meaning to URLs, file systems or readers. */
const NAMES = [
  ".",
  "..",
  "~.",
  "~..",
  "~",
  "...",
  "%2e",
  "a/b",
  "/",
  "../..",
  "a\\..\\b",
  "%",
  "%ff",
  "%25",
  "?q=1#x",
  ";a=b",
  " ",
  "+",
  "load.rsc",
  "__proto__",
  "attempts",
  "charge\u200b",
  "c\u0301",
  "сharge",
  "\u202Egnp.exe",
  "\r\n",
  "💳".repeat(100),
  "x".repeat(200),
];

const compensating = { workflow: { onFailure: "compensate" } };
const act = (runId: string, place: string, step: string, what: string, body: object) =>
  scene.api.ask("POST", `/v1/runs/${runId}/${place}/${addressPart(step)}/${what}`, { body });

/** Every endpoint with a step in its path, with the request for a step of this name. */
const ENDPOINTS: Record<string, (name: string) => Promise<boolean>> = {
  "attempts, outcome, the step itself": async (name) => {
    const { claim, runId } = await scene.claim();
    await claim.ask(name);
    await claim.completed(name, 1, "kept");
    const { body } = await scene.api.ask("GET", `/v1/runs/${runId}/steps/${addressPart(name)}`);
    await claim.complete();
    return body.steps[0].name === name && body.steps[0].output === "kept";
  },
  "outcome of an undo": async (name) => {
    const { claim, worker } = await scene.claim(compensating);
    await claim.ask(name);
    await claim.record(name, { attempt: 1, outcome: "completed", output: null, compensate: "automatic" });
    await claim.fail();
    const again = await worker.claim();
    const { step, generation, attempt } = await again.nextCompensation();
    const { status } = await again.recordCompensation(name, { generation, attempt, outcome: "completed" });
    await again.nextCompensation();
    return step === name && status === "completed";
  },
  "assignment and resolution of a compensation": async (name) => {
    const { claim, runId } = await scene.claim(compensating);
    await claim.ask(name);
    await claim.record(name, { attempt: 1, outcome: "completed", output: null, compensate: "manual" });
    await claim.fail();
    const assigned = { assignee: "operator", insteadOf: null };
    const { status: taken } = await act(runId, "compensations", name, "assignment", assigned);
    const done = { outcome: "compensated", note: "by hand" };
    const { status } = await act(runId, "compensations", name, "resolution", done);
    return taken === 200 && status === 200;
  },
  "answer of an approval": async (name) => {
    const { claim, runId } = await scene.claim();
    await claim.askFor(name, { kind: "approval", question: "Go on?", choices: ["yes", "no"] });
    await claim.handBack(name);
    const { status } = await act(runId, "approvals", name, "answer", { choice: "yes" });
    return status === 202;
  },
  "resolution of a step": async (name) => {
    const { claim, runId } = await scene.claim();
    await claim.ask(name, { effect: "once" }, runId);
    await claim.failed(name, 1, { mayHaveHappened: true });
    await claim.handBack(name);
    const { status } = await act(runId, "steps", name, "resolution", { outcome: "did_not_happen", reason: REASON });
    return status === 202;
  },
};

it("a step of any name is reached by every endpoint that has a step in its path", { timeout: 120_000 }, async () => {
  const rows = NAMES.flatMap((name) => Object.entries(ENDPOINTS).map(([what, reach]) => ({ name, what, reach })));
  await holds(rows, async ({ name, what, reach }) =>
    unless(await reach(name), `${what} of ${JSON.stringify(name.slice(0, 20))}`, "not reached"),
  );
});
