import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anApi } from "../testing/api/api";
import { createTestDatabase, type TestDatabase } from "../testing/database/database";

let database: TestDatabase;
let outside: Server;
let api: Awaited<ReturnType<typeof anApi>>;
const asked: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  outside = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    asked.push(`${request.method} ${request.url} ${body}`);
    const refuses = body.includes("nonsense");
    response.writeHead(refuses ? 400 : 200, { "content-type": "application/json" });
    response.end(refuses ? '{"error":{"code":"invalid_request","message":"no such mode"}}' : '{"mode":"down"}');
  });
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  process.env.DATABASE_URL = database.url;
  process.env.HANDRAIL_DEMO = "on";
  process.env.HANDRAIL_LOG = "silent";
  process.env.HANDRAIL_SANDBOX_URL = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  api = await anApi();
});
afterAll(async () => {
  const { shutdown } = await import("../shutdown");
  await shutdown();
  await database.drop();
});

it("passes on what the demo's pages need", async () => {
  expect(await api.ask("GET", "/v1/sandbox/payments/ledger")).toMatchObject({ status: 200, body: { mode: "down" } });
  const put = await api.ask("PUT", "/v1/sandbox/payments/faults", { body: { mode: "down" } });
  expect(put).toMatchObject({ status: 200, body: { mode: "down" } });
  expect(asked).toEqual(["GET /payments/ledger ", 'PUT /payments/faults {"mode":"down"}']);
});

it("and nothing else", async () => {
  asked.length = 0;
  for (const path of [
    "payments/charges",
    "users",
    "mail%2F..%2Fpayments%2Fcharges",
    "payments%2Fcharges",
    "//evil.example/mail",
    "@evil.example",
  ])
    expect((await api.ask("GET", `/v1/sandbox/${path}`)).status, path).toBe(404);
  expect((await api.ask("PUT", "/v1/sandbox/payments/ledger", { body: {} })).status).toBe(404);
  expect(asked).toEqual([]);
});

it("says why the sandbox refused", async () => {
  const answer = await api.ask("PUT", "/v1/sandbox/mail/faults", { body: { mode: "nonsense" } });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalid_request", message: "no such mode" } } });
});

it("says that the sandbox does not answer", async () => {
  await new Promise((resolve) => {
    outside.close(resolve);
    outside.closeAllConnections();
  });
  expect(await api.ask("GET", "/v1/sandbox/mail")).toMatchObject({
    status: 502,
    body: { error: { code: "sandbox_unreachable" } },
  });
});
