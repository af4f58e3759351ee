import { expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { codeHere } from "../../engine/workflows/workflow-code";
import type { Outgoing } from "../../outbound/outgoing";
import { insertDestination } from "../../store/notices/destinations";
import { newPlanId } from "../../store/run-id";
import { aDesk } from "../../testing/desk";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { foldAll } from "../../worker/duties/problem-loop";
import { executePlan } from "../operations/execute-plan";
import { makePlan } from "../operations/make-plan";
import { operationWorkflow } from "../operations/operation-workflow";
import { deliveryWorkflow } from "./delivery-workflow";
import { previewReport, sendReport } from "./send-report";

/* Reports of a real bulk action and its problem, through a run of the delivery workflow, to a destination that keeps what it gets. */

const engine = anEngine();
const gateway = { up: false };
const charged = defineWorkflow({ name: "reported", input: z.object({ card: z.string() }) }, async (ctx, { card }) => {
  await ctx.step(
    "charge",
    () => {
      if (!gateway.up) throw Object.assign(new Error(`no route for ${card}`), { name: "GatewayDown" });
    },
    { effect: "idempotent", retry: { maxAttempts: 1 } },
  );
});
const desk = () => ({ ...aDesk(engine.db), code: codeHere([charged]) });
const SECRET = "card-4242";

let names = 0;
const aDestination = (given: { kind?: "webhook" | "pagerduty"; enabled?: boolean; workflows?: string[] } = {}) =>
  insertDestination(engine.db, newPlanId(), {
    kind: "webhook",
    name: `channel ${++names}`,
    url: "https://example.com/hook",
    addresses: null,
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: ["plan.waiting"],
    workflows: null,
    perMinute: 10,
    enabled: true,
    createdBy: "mia",
    ...given,
  });

async function anOutage() {
  gateway.up = false;
  const runIds: string[] = [];
  for (let n = 0; n < 3; n++) runIds.push(await engine.start(charged, { card: SECRET }));
  const got: Outgoing[] = [];
  const delivery = deliveryWorkflow({
    ...desk(),
    origin: "https://handrail.example",
    send: async (toSend) => {
      got.push(toSend);
      return { code: 204, error: null, retryAfterMs: 0, final: false, gone: false };
    },
  });
  await engine.worker([charged, operationWorkflow(desk()), delivery]);
  for (const runId of runIds) await engine.untilEnded(runId);
  // By the worker's fold or by this one: one that meets the other leaves it to it.
  const held = await until("the problem of all of them", async () => {
    await foldAll(engine.db, () => false);
    const rows = await engine.rows<{ id: string }>(
      "select problem_id::text as id from handrail.problem_run where run_id = any ($1::uuid[])",
      [runIds],
    );
    return rows.length === runIds.length && rows[0];
  });
  return { runIds, got, problemId: held.id };
}

it("says what a bulk action did and proves it, in names and numbers alone, with its link", async () => {
  const { runIds, got } = await anOutage();
  gateway.up = true;
  const { id: planId, hash } = await makePlan(desk(), { act: "rerun", params: {} }, { runIds });
  const pace = { ratePerSecond: 1_000, canary: 0 };
  const { body } = await executePlan(desk(), desk().code, { planId, hash, reason: "it is back", ...pace });
  for (const runId of runIds) await engine.untilRun(runId, ({ run }) => run.status === "completed");
  const destination = await aDestination();
  const about = { operationId: body.id };
  const sentence = "Rerun 3 runs of reported (completed): 3 done; charge: 3 happened, 3 keys, 0 maybe twice";
  await until("the operation's end", async () => (await previewReport(engine.db, about)).sentence === sentence);

  const sent = await sendReport(desk(), { about, destinationId: destination?.id as string, reason: "for the channel" });
  expect(sent).toMatchObject({ sentence, status: expect.stringMatching(/sending|delivered/) });
  await until("the message", () => got.length > 0);
  const message = JSON.parse(got[0]?.body as string);
  expect(message).toMatchObject({ type: "report", data: { sentence, workflows: ["reported"] } });
  expect(message.data.url).toBe(`https://handrail.example/operations/${body.id}`);
  expect(got[0]?.body).not.toContain(SECRET);
  const audit = "select act, reason, workflow from handrail.audit where act = 'send_report' and result = 'done'";
  expect(await engine.rows(audit)).toEqual([{ act: "send_report", reason: "for the channel", workflow: "reported" }]);
  const [row] = await engine.rows<{ run_id: string }>("select run_id from handrail.delivery where id = $1", [
    sent.deliveryId,
  ]);
  await engine.untilEnded(row?.run_id as string);
});

it("offers only destinations that take it: those that page people, that are off, or of other workflows do not", async () => {
  const { problemId } = await anOutage();
  await engine.rows("delete from handrail.destination");
  const taking = await aDestination({ workflows: ["reported"] });
  const others = [
    await aDestination({ kind: "pagerduty" }),
    await aDestination({ enabled: false }),
    await aDestination({ workflows: ["another"] }),
  ];
  const { sentence, destinations } = await previewReport(engine.db, { problemId });
  expect(sentence).toMatch(/^reported fails at charge: GatewayDown: open, \d+ runs affected, \d+ failures$/);
  expect(destinations).toEqual([{ id: taking?.id, name: taking?.name, kind: "webhook" }]);
  for (const other of others) {
    const sending = sendReport(desk(), { about: { problemId }, destinationId: other?.id as string, reason: "why" });
    await expect(sending).rejects.toMatchObject({ code: "not_allowed" });
  }
  const unknown = sendReport(desk(), { about: { problemId }, destinationId: newPlanId(), reason: "why" });
  await expect(unknown).rejects.toMatchObject({ code: "not_found" });
  expect(
    await engine.rows("select from handrail.delivery where events::text like '%report%' and status = 'sending'"),
  ).toEqual([]);
});
