import { afterAll, beforeAll, expect, it } from "vitest";
import { codeHere } from "../../engine/workflows/workflow-code";
import { carryOutNext } from "../../operator/operations/carry-out-item";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";

/* A step's reference and an event's id, typed by a person who may see masked values. */

const [REFERENCE, EVENT, PLANNED] = ["canary-reference-81", "canary-event-82", "canary-planned-83"];
const reason = "the bank confirmed it";
let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let [operator, reader] = ["", ""];
beforeAll(async () => {
  api = await anApiWithSignIn();
  operator = await api.mint(["operator", "system.read"]);
  reader = await api.mint(["operator", "payload.read", "system.read"]);
  await api.database.pool.query(
    "insert into handrail.workflow (name, version, title, masked) values ('order-fulfilment', 1, 'Order', '{account}')",
  );
});
afterAll(() => api.close());
const db = () => poolDb(api.database.pool);
const textOf = async (token: string, address: string) =>
  (await api.send("GET", address, { headers: bearer(token) })).text();

it("is in the run, the audit log, its exports, plans and operations for those who may see masked values alone", async () => {
  const input = JSON.stringify({ account: "canary-account-80" });
  const [unknown, planned] = [
    await aRun(db(), { input }).waitingUnknown("charge-payment"),
    await aRun(db(), { input }).waitingUnknown("charge-payment"),
  ];
  const asking = await aRun(db(), { input }).asking("ask", ["yes"]);
  const resolution = { outcome: "happened", reference: REFERENCE, reason };
  const event = { name: "paid", id: EVENT, payload: null, reason };
  for (const [path, body] of [
    [`/v1/runs/${unknown}/steps/charge-payment/resolution`, resolution],
    [`/v1/runs/${unknown}/steps/charge-payment/resolution`, resolution],
    [`/v1/runs/${asking}/events`, event],
  ] as const)
    expect((await api.as(reader, "POST", path, { body })).status).toBeLessThan(500);
  const plan = {
    act: "settle",
    params: { outcome: "happened", reference: PLANNED },
    selection: { runIds: [planned] },
  };
  const { body: made } = await api.as(reader, "POST", "/v1/plans", { body: plan });
  const execution = { body: { hash: made.hash, reason, canary: 0 } };
  const { body: operation } = await api.as(reader, "POST", `/v1/plans/${made.id}/executions`, execution);
  await carryOutNext({ ...aDesk(db()), code: codeHere([]) }, operation.id);

  const addresses = [
    ...[unknown, planned, asking].map((runId) => `/v1/runs/${runId}`),
    ...["/v1/audit", "/v1/audit/export?format=csv", "/v1/audit/export?format=ndjson"],
    ...[`/v1/plans/${made.id}`, `/v1/plans/${made.id}/items`, "/v1/plan-approvals"],
    ...["", "/items", "/proof", "/report?format=csv", "/report?format=ndjson"].map(
      (part) => `/v1/operations/${operation.id}${part}`,
    ),
    "/v1/operations",
  ];
  const shown: string[] = [];
  for (const address of addresses) {
    const text = await textOf(operator, address);
    for (const one of [REFERENCE, EVENT, PLANNED]) if (text.includes(one)) shown.push(`${address}: ${one}`);
  }
  expect(shown).toEqual([]);
  const log = await textOf(operator, "/v1/audit");
  expect(log).toContain(reason);
  expect(log).toContain('"outcome":"happened"');
  const seen = await textOf(reader, "/v1/audit");
  for (const one of [REFERENCE, EVENT, PLANNED]) expect(seen).toContain(one);
});
