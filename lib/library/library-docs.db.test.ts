import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";
import { blocksOf, snippetsOf } from "../testing/doc-snippets";
import type { RunHandle } from "./handrail";

const FOLDER = new URL("../testing/library/", import.meta.url);

/** The files of the page in its order; what an app writes instead of our paths. */
const FILES = ["order-paid", "app", "prisma", "drizzle", "kysely", "knex", "typeorm", "postgres", "pg", "http"];
const asAnAppWritesIt = (code: string) =>
  code
    .replaceAll(/"(\.\.\/)+library\/handrail"/g, '"handrail"')
    .replaceAll(/"(\.\.\/)+(adapters|handlers)\/(\w+)"/g, '"handrail/$3"')
    .replaceAll(/"(\.\.\/)+generated\//g, '"./generated/');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query("create table app_order (id text primary key)");
  vi.stubEnv("DATABASE_URL", database.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});

it("every block of the page is a file that runs below", () => {
  const blocks = blocksOf("library.md", "ts");
  expect(blocks.map(flat).sort()).toEqual(
    FILES.map((name) => flat(asAnAppWritesIt(readFileSync(new URL(`${name}.ts`, FOLDER), "utf8")))).sort(),
  );
  expect(snippetsOf("library.md")).toHaveLength(FILES.length);
});
/** Formatting, and the order of imports, are the formatter's. */
const flat = (code: string) => code.trim().split("\n").sort().join("\n").replaceAll(/\s+/g, "");

it("the app runs its workflows", async () => {
  const app = await import("../testing/library/app");
  await app.main();
  expect(await app.order("A-1")).toBe("R-A-1");
  const { id } = await app.handrail.start((await import("../testing/library/order-paid")).orderPlaced, {
    orderId: "A-2",
  });
  expect(await app.cancelUnpaid()).toBeLessThanOrEqual(1);
  await app.handrail
    .run(id)
    .cancel()
    .catch(() => undefined);
  expect(await app.resultOf(id)).toMatchObject({ status: "run_failed" });
  process.removeAllListeners("SIGTERM");
  await app.handrail.close();
});

type Closing = () => Promise<unknown>;
interface Example {
  handrail: { close: Closing };
  placeOrder: (orderId: string) => Promise<Pick<RunHandle<unknown, unknown>, "id" | "status">>;
  end: Closing;
}

const EXAMPLES: Record<string, () => Promise<Example>> = {
  prisma: () => import("../testing/library/prisma").then((it) => ({ ...it, end: () => it.prisma.$disconnect() })),
  drizzle: () => import("../testing/library/drizzle").then((it) => ({ ...it, end: () => it.db.$client.end() })),
  kysely: () => import("../testing/library/kysely").then((it) => ({ ...it, end: () => it.db.destroy() })),
  knex: () => import("../testing/library/knex").then((it) => ({ ...it, end: () => it.knex.destroy() })),
  typeorm: () => import("../testing/library/typeorm").then((it) => ({ ...it, end: () => it.dataSource.destroy() })),
  postgres: () => import("../testing/library/postgres").then((it) => ({ ...it, end: () => it.sql.end() })),
  pg: () => import("../testing/library/pg").then((it) => ({ ...it, end: () => it.pool.end() })),
};

describe("the example of", () => {
  it.each(Object.keys(EXAMPLES))("%s starts a run with the order's row, or neither", async (name) => {
    const { handrail, placeOrder, end } = await (EXAMPLES[name] as () => Promise<Example>)();
    const run = await placeOrder(name);
    expect(await run.status()).toMatchObject({ status: "pending", workflow: "order-placed" });
    await expect(placeOrder(name)).rejects.toThrow();
    const { rows } = await database.pool.query("select id from handrail.run where idempotency_key = $1", [
      `order:${name}`,
    ]);
    expect(rows).toEqual([{ id: run.id }]);
    await handrail.close();
    await end();
  });
});

it("the API answers on each server", async () => {
  vi.resetModules(); // the app above is closed
  const { onHono, onFastify, POST } = await import("../testing/library/http");
  expect((await onHono.request("/handrail/health/live")).status).toBe(200);
  expect((await onFastify.inject("/handrail/v1/nothing")).statusCode).toBe(404);
  const request = new Request("http://localhost/handrail/v1/runs", { method: "POST" });
  const refused = await POST(request, { params: Promise.resolve({ path: ["v1", "runs"] }) });
  expect(refused.status).toBe(401);
});
