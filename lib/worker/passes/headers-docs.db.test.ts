import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { createHandrail, defineWorkflow } from "../../library/handrail";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { blocksOf } from "../../testing/doc-snippets";

const ship = defineWorkflow({ name: "ship", input: z.object({ orderId: z.string() }) }, (ctx, { orderId }) =>
  ctx.step("book", ({ headers }) => `${orderId} for ${headers.tenant}, asked by ${headers["x-request-id"]}`),
);

const order = defineWorkflow({ name: "order", input: z.object({ orderId: z.string() }) }, (ctx, { orderId }) =>
  ctx.child("ship", ship, { orderId }),
);

const handrail = createHandrail({ workflows: [order, ship] });

const place = (orderId: string) =>
  handrail.start(order, { orderId }, { headers: { tenant: "acme", "x-request-id": "4711" } });

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await handrail.close();
  await database.drop();
});

it("the snippet of the page runs", async () => {
  const flat = (code: string) => code.replaceAll(/^(import .*$|export )/gm, "").replaceAll(/[\s,]+/g, "");
  const here = flat(readFileSync(new URL(import.meta.url), "utf8"));
  for (const block of blocksOf("headers.md", "ts")) expect(here).toContain(flat(block));

  await handrail.worker({ concurrency: 5 }).start();
  expect((await (await place("A-1")).result()).output).toBe("A-1 for acme, asked by 4711");
});
