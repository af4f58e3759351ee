import { expect } from "vitest";
import { codeHere } from "../../lib/engine/workflows/workflow-code";
import { carryOutNext } from "../../lib/operator/operations/carry-out-item";
import { aDesk } from "../../lib/testing/desk";
import type { Scene, World } from "./oracle-scene";

interface Planned {
  act: string;
  params: object;
  selection: object;
}

/** A plan of each action on every run of a scene, with its secret word wherever one fits. */
export function plansIn({ runs, word, workflow }: World): Planned[] {
  const selection = { runIds: Object.values(runs) };
  const given = { id: word.text, pin: word.number };
  const noted = { reference: word.text, evidence: `https://x.org/${word.text}` };
  return [
    { act: "rerun", params: { fromStep: word.text }, selection },
    { act: "cancel", params: {}, selection: { filter: { workflow, q: word.text } } },
    { act: "cancel", params: {}, selection: { filter: { workflow, tags: { email: word.text } } } },
    { act: "pause", params: {}, selection },
    { act: "resume", params: {}, selection },
    { act: "wake", params: { step: word.text }, selection },
    { act: "settle", params: { outcome: "happened", output: given, step: word.text }, selection },
    { act: "settle", params: { outcome: "skip", output: given }, selection },
    { act: "compensate", params: {}, selection },
    { act: "mark_compensated", params: { outcome: "compensated", ...noted, step: word.text }, selection },
    { act: "move", params: { version: 1 }, selection },
    { act: "start_again", params: { input: { note: word.text } }, selection: { runIds: [runs.completed] } },
  ];
}

/** Plans that are executed, on separate runs. */
export async function operationsIn({ run, word }: World): Promise<Planned[]> {
  const unknown = {
    runIds: [
      await run.waitingUnknown("charge-payment"),
      await run.waitingUnknown("charge-payment"),
      await run.completed(),
    ],
  };
  const failed = { runIds: [await run.failedAt("charge-payment"), await run.failedAt("charge-payment")] };
  const asking = { runIds: [await run.asking("ask", ["yes", "no"]), await run.completed()] };
  const owed = { runIds: [await run.compensating(), await run.compensating()] };
  const given = { id: word.text, pin: word.number, [word.text]: word.text };
  const noted = { reference: word.text, evidence: `https://x.org/${word.text}` };
  return [
    { act: "settle", params: { outcome: "happened", output: given, reference: word.text }, selection: unknown },
    { act: "send_event", params: { name: "paid", payload: given }, selection: asking },
    {
      act: "mark_compensated",
      params: { outcome: "compensated", ...noted, step: "send-confirmation" },
      selection: owed,
    },
    { act: "rerun", params: { fromStep: "charge-payment" }, selection: failed },
  ];
}

/** Executes a plan to its end, in place of the worker. */
export async function carryOut(
  scene: Scene,
  token: string,
  { id, hash }: { id: string; hash: string },
  reason: string,
) {
  const body = { hash, reason, canary: 0, ratePerSecond: 1_000 };
  const execution = await scene.as(token, "POST", `/v1/plans/${id}/executions`, { body });
  expect(execution.status, JSON.stringify(execution.body)).toBeLessThan(300);
  const { id: operationId, counts } = execution.body;
  const desk = { ...aDesk(scene.db), code: codeHere([]) };
  for (let item = 0; item < counts.total; item++) await carryOutNext(desk, operationId);
  return operationId as string;
}
