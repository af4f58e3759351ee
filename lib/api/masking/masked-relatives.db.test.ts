import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN } from "../../engine/privacy/hidden-text";
import { outcomeError } from "../../engine/runs/outcome-error";
import { serializeError } from "../../engine/values/serialized-error";
import { poolDb } from "../../store/db";
import { anApiWithSignIn, bearer } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import { foldAll } from "../../worker/duties/problem-loop";
import type { Endpoint } from "../endpoint";
import * as endpoints from "../endpoints";

/* What a run copies from its children reaches all of its ancestors: errors, outputs, and what steps recorded. */

const CANARY = "canary-7171";
const message = `the card ${CANARY} was declined`;
const DECLINED = JSON.stringify({ name: "Error", message });
const OUTPUT = JSON.stringify({ card: { number: CANARY } });
let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let [viewer, reader] = ["", ""];
beforeAll(async () => {
  api = await anApiWithSignIn();
  viewer = await api.mint(["viewer", "system.read"]);
  reader = await api.mint(["viewer", "payload.read"]);
  await api.database.pool.query(
    "insert into handrail.workflow (name, version, title, masked) values ('masking', 1, 'Masking', '{card.number}')",
  );
});
afterAll(() => api.close());

const db = () => poolDb(api.database.pool);
const query = (text: string, values: unknown[] = []) => api.database.pool.query(text, values);
const failedRun = (workflow: string, error: string) =>
  aRun(db(), { workflow, input: workflow === "masking" ? OUTPUT : "null" }).like({
    status: "failed",
    attention: "failed",
    failedStep: "call",
    error,
    steps: [
      { name: "call", kind: "child", status: "failed", error },
      { name: "read", kind: "child", status: "completed", output: workflow === "masking" ? OUTPUT : `"${CANARY}"` },
    ],
  });
const childOf = (parent: string, child: string, step: string) =>
  query("update handrail.run set parent_run_id = $1, parent_step = $3, parent_key_generation = 1 where id = $2", [
    parent,
    child,
    step,
  ]);
/** As a parent keeps it. */
const failedBy = (id: string, workflow: string, error: string) =>
  JSON.stringify(
    serializeError(outcomeError("child_failed", { id, workflow, status: "failed", error }, { step: "call" })),
  );

const READS = (Object.values(endpoints) as Endpoint[]).filter(
  ({ method, path }) =>
    method === "GET" &&
    (/^\/v1\/(runs$|problems$|runs\/counts|audit$)/.test(path) || path.includes("{runId}")) &&
    !/\{runId\}\/value$|stream|published/.test(path),
);

/** The answers to the viewer that contain the canary. */
async function shownOf(runId: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { path } of READS) {
    const address = path.replace("{runId}", runId).replace("{step}", "call");
    const response = await api.send("GET", address, { headers: bearer(viewer) });
    const text = response.headers.get("content-type")?.includes("event-stream") ? "" : await response.text();
    if (text.includes(CANARY)) wrong.push(address);
    await response.body?.cancel().catch(() => undefined);
  }
  return wrong;
}

it("the masked values of one child among many are in no answer about its parent", async () => {
  const child = await failedRun("masking", DECLINED);
  const parent = await failedRun("plain-parent", failedBy(child, "masking", DECLINED));
  await childOf(parent, child, "call");
  for (let number = 0; number < 21; number++)
    await childOf(parent, await aRun(db(), { workflow: "plain-child" }).completed(), `item-${number}`);
  await foldAll(db(), () => false);
  expect(await shownOf(parent)).toEqual([]);
});

it("nor those of more masking children than are read, whose parent shows no text", async () => {
  const parent = await failedRun("plain-parent", "null");
  const children: string[] = [];
  for (let number = 0; number < 22; number++) {
    const input = number === 0 ? OUTPUT : JSON.stringify({ card: { number: `other-${number}` } });
    children.push(await aRun(db(), { workflow: "masking", input }).completed());
    await childOf(parent, children[number] as string, `item-${number}`);
  }
  await query("update handrail.run set error = $2 where id = $1", [
    parent,
    failedBy(children[0] as string, "masking", DECLINED),
  ]);
  expect(await shownOf(parent)).toEqual([]);
  const { body } = await api.as(viewer, "GET", `/v1/runs/${parent}`);
  expect(body.error.message).toBe(HIDDEN);
});

it("nor those of a grandchild in answers about its ancestors, or about its own children", async () => {
  const [top, middle, bottom] = [
    await failedRun("plain-top", "null"),
    await failedRun("plain-middle", "null"),
    await failedRun("masking", DECLINED),
  ];
  const below = await failedRun("plain-below", JSON.stringify({ name: "Error", message }));
  const lowest = await failedRun("plain-lowest", JSON.stringify({ name: "Error", message }));
  const ofMiddle = failedBy(bottom, "masking", DECLINED);
  const ofTop = failedBy(middle, "plain-middle", ofMiddle);
  for (const [run, error] of [
    [middle, ofMiddle],
    [top, ofTop],
  ]) {
    await query("update handrail.run set error = $2 where id = $1", [run, error]);
    await query("update handrail.step set error = $2 where run_id = $1 and error is not null", [run, error]);
  }
  for (const [parent, child] of [
    [top, middle],
    [middle, bottom],
    [bottom, below],
    [below, lowest],
  ])
    await childOf(parent as string, child as string, "call");
  await foldAll(db(), () => false);
  for (const run of [top, middle, bottom, below, lowest]) expect([run, await shownOf(run)]).toEqual([run, []]);
  const { body } = await api.as(viewer, "GET", `/v1/runs/${top}`);
  expect(body.error.message).toContain("The child run");
});

it("a run with many descendants, none of which masks anything, shows its texts", async () => {
  const error = JSON.stringify({ name: "Error", message: "the bank is closed" });
  const parent = await failedRun("plain-parent", error);
  for (let number = 0; number < 30; number++)
    await childOf(parent, await aRun(db(), { workflow: "plain-child" }).completed(), `item-${number}`);
  const { body } = await api.as(viewer, "GET", `/v1/runs/${parent}`);
  expect(body.error.message).toBe("the bank is closed");
});

it("a run with more descendants than are looked through shows no text while any workflow masks anything", async () => {
  const error = JSON.stringify({ name: "Error", message });
  const parent = await failedRun("plain-parent", error);
  const other = await failedRun("plain-parent", "null");
  await query(
    `insert into handrail.run (id, workflow, version, status, input, parent_run_id, parent_step, parent_key_generation)
     select gen_random_uuid(), case when n = 1 then 'masking' else 'plain-child' end, 1, 'pending', 'null', $1, 'item-' || n, 1
     from generate_series(1, 501) as n`,
    [parent],
  );
  const { runs } = (await api.as(viewer, "GET", "/v1/runs?workflow=plain-parent")).body;
  const shown = (id: string) => runs.find((run: { id: string }) => run.id === id)?.error;
  expect(shown(parent)?.message).toBe(HIDDEN);
  expect(runs.map(({ id }: { id: string }) => id)).toContain(other);
});

describe("a search by a caller who may not see masked values", () => {
  const found = async (token: string, query: string) => {
    const { body } = await api.as(token, "GET", `/v1/${query}`);
    return (body.runs ?? body.problems)?.length ?? body;
  };

  it("finds no run by what is hidden of a relative in its error or output, nor its problem", async () => {
    const secret = "canary-9393";
    const error = JSON.stringify({ name: "Error", message: `the card ${secret} was declined` });
    const [top, middle] = [await failedRun("search-top", error), await failedRun("search-middle", "null")];
    const input = JSON.stringify({ card: { number: secret } });
    const bottom = await aRun(db(), { workflow: "masking", input }).completed();
    await childOf(top, middle, "call");
    await childOf(middle, bottom, "call");
    await query("update handrail.run set output = $2 where id = $1", [top, JSON.stringify({ card: secret })]);
    await foldAll(db(), () => false);
    const of = "runs?workflow=search-top";
    expect(await found(viewer, of)).toBe(1);
    expect(await found(viewer, `problems?workflow=search-top`)).toBe(1);
    const counts: [string, number][] = [];
    for (const asked of [
      `${of}&error=${secret}`,
      `${of}&where=output.card:${secret}`,
      `problems?workflow=search-top&q=declined`,
    ])
      counts.push([asked, await found(viewer, asked)]);
    expect(counts.filter(([, count]) => count !== 0)).toEqual([]);
    expect(await found(reader, `${of}&where=output.card:${secret}`)).toBe(1);
    expect(await found(viewer, `${of}&notError=${secret}`)).toBe(1);
    expect(await found(reader, `${of}&error=${secret}`)).toBe(1);
  });

  it("finds none by a value under a name that is always masked, and others as before", async () => {
    const secret = "canary-9494";
    const failed = (input: string) =>
      aRun(db(), { workflow: "search-names", input }).like({
        status: "failed",
        attention: "failed",
        failedStep: "call",
        error: JSON.stringify({ name: "Error", message: `sign-in with ${secret} failed` }),
        steps: [],
      });
    await failed(JSON.stringify({ password: secret }));
    expect(await found(viewer, `runs?workflow=search-names&error=${secret}`)).toBe(0);
    expect(await found(reader, `runs?workflow=search-names&error=${secret}`)).toBe(1);
    const child = await failed(JSON.stringify({ name: "ana" }));
    await childOf(await failed("null"), child, "call");
    expect(await found(viewer, `runs?workflow=search-names&error=${secret}`)).toBe(2);
  });
});
