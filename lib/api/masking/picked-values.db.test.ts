import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Json, MASKED } from "../../engine/privacy/mask";
import { foundIn, MAX_PATHS, parseValuePath } from "../../engine/values/value-path";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { poolDb } from "../../store/db";
import { sealed } from "../../store/payloads";
import { MAX_LISTED_BYTES } from "../../store/reads/run-list";
import { registerWorkflows } from "../../store/workers/workers";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { withPayloadKeys } from "../../testing/payload-keys";
import { aRun } from "../../testing/rows/a-run";

const guarded = defineWorkflow(
  { name: "guarded", input: z.unknown(), masked: ["card.number", "lines.sku"] },
  async () => null,
);
const INPUT = {
  customer: { tier: "gold", password: "letmein-77" },
  card: { number: "4242-4242" },
  note: "paid with 4242-4242",
  lines: [{ sku: "A" }, { sku: "B", count: 2 }],
};
const FILLING = "x".repeat(MAX_LISTED_BYTES);

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let viewer: string;
const keys = withPayloadKeys();
beforeAll(async () => {
  api = await anApiWithSignIn();
  viewer = await api.mint(["viewer"]);
  await registerWorkflows(poolDb(api.database.pool), [guarded]);
});
afterAll(() => api.close());

/** A run of the workflow, alone in it. */
async function store(workflow: string, input: Json, output?: Json): Promise<string> {
  const { pool } = api.database;
  const id = await aRun(poolDb(pool), { workflow, input: JSON.stringify(input) }).completed();
  if (output !== undefined)
    await pool.query("update handrail.run set output = $2 where id = $1", [id, JSON.stringify(output)]);
  return id;
}

async function picked(workflow: string, paths: string[]): Promise<Record<string, unknown>> {
  const { status, body } = await api.as(viewer, "GET", `/v1/runs?workflow=${workflow}&paths=${paths.join(",")}`);
  expect(status).toBe(200);
  return Object.fromEntries(
    paths.map((path) => [path, foundIn(body.runs[0].picked[path], parseValuePath(path)?.keys ?? [])]),
  );
}

describe("values picked from the runs of a page", () => {
  it("are what lies at the paths, of inputs and outputs", async () => {
    await store("plain", INPUT, { total: 5, at: { $type: "Date", value: "2026-11-21T00:00:00.000Z" } });
    expect(
      await picked("plain", [
        "input.customer.tier",
        "input.lines.1.count",
        "output.total",
        "output.at",
        "input.no.such",
      ]),
    ).toEqual({
      "input.customer.tier": "gold",
      "input.lines.1.count": 2,
      "output.total": 5,
      "output.at": { $type: "Date", value: "2026-11-21T00:00:00.000Z" },
      "input.no.such": undefined,
    });
  });

  it("are absent unless requested, and refused where they are no paths or too many", async () => {
    const list = (paths: string) => api.as(viewer, "GET", `/v1/runs?limit=1${paths}`);
    expect((await list("")).body.runs[0]).not.toHaveProperty("picked");
    expect((await list("&paths=tags.orderId")).body.error.code).toBe("invalid_request");
    const many = Array.from({ length: MAX_PATHS + 1 }, (_, index) => `input.a${index}`).join(",");
    expect((await list(`&paths=${many}`)).status).toBe(400);
  });

  it("stay masked by place and by value, in lists and under names that are always masked", async () => {
    await store("guarded", INPUT);
    const paths = ["input.card.number", "input.card", "input.note", "input.lines.1.sku", "input.customer.password"];
    expect(await picked("guarded", paths)).toEqual({
      "input.card.number": MASKED,
      "input.card": { number: MASKED },
      "input.note": "paid with •••",
      "input.lines.1.sku": MASKED,
      "input.customer.password": MASKED,
    });
  });

  it("come from values that are too long for the list, too, and stay masked there", async () => {
    await store("long", { ...INPUT, FILLING }, { FILLING, total: 7 });
    await store("guarded", { ...INPUT, FILLING });
    expect(await picked("long", ["input.customer.tier", "output.total", "input.FILLING"])).toEqual({
      "input.customer.tier": "gold",
      "output.total": 7,
      "input.FILLING": { $type: "clipped", bytes: FILLING.length + 2 },
    });
    expect(await picked("guarded", ["input.customer.tier", "input.card.number"])).toEqual({
      "input.customer.tier": "gold",
      "input.card.number": MASKED,
    });
  });

  it("come from sealed values, and say so when the key is gone", async () => {
    const id = await store("sealed", { customer: { tier: "gold" } });
    keys("k1");
    const text = sealed([id, "input"], JSON.stringify({ customer: { tier: "gold" }, FILLING }));
    await api.database.pool.query("update handrail.run set input = $2 where id = $1", [id, text]);
    expect(await picked("sealed", ["input.customer.tier"])).toEqual({ "input.customer.tier": "gold" });
    keys();
    expect((await picked("sealed", ["input.customer.tier"]))["input.customer.tier"]).toMatchObject({ $type: "locked" });
  });
});
