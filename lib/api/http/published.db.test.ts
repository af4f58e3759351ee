import { afterAll, beforeAll, expect, it } from "vitest";
import type { Answered } from "../../testing/api/api";
import { type ApiOnADatabase, anApiOnADatabase } from "../../testing/api/api-on-a-database";
import { aRun } from "../../testing/rows/a-run";
import { publishedResponse } from "../contract/steps";

let { api, db, database, close } = {} as ApiOnADatabase;
beforeAll(async () => {
  ({ api, db, database, close } = await anApiOnADatabase());
});
afterAll(() => close());

const ask = async (runId: string, name: string, waitMs = 0): Promise<Answered> => {
  const answer = await api.ask("GET", `/v1/runs/${runId}/published/${name}?waitMs=${waitMs}`);
  if (answer.status < 300) expect(publishedResponse.safeParse(answer.body).error?.issues ?? []).toEqual([]);
  return answer;
};

/** As a worker records it. `attempt`: 0 for a value that an operator supplied. */
const publish = (runId: string, name: string, value: unknown, attempt = 1) =>
  database.pool.query(
    `insert into handrail.step (run_id, name, generation, kind, effect, status, position, finished_position, attempt, max_attempts,
       key_generation, output, started_at, finished_at)
     values ($1, $2, 1, 'publish', 'pure', 'completed', 90, 90, $4, 4, 1, $3, clock_timestamp(), clock_timestamp())`,
    [runId, name, JSON.stringify(value), attempt],
  );

it("waits for a value, and says so when the wait expires", async () => {
  const runId = await aRun(db).asleepAfter("create-order");
  expect(await ask(runId, "quote", 20)).toMatchObject({
    status: 202,
    body: { runId, name: "quote", published: false, value: null, publishedAt: null, supplied: false },
  });
  const waiting = ask(runId, "quote", 30_000);
  await publish(runId, "quote", { cents: 4900 });
  expect(await waiting).toMatchObject({
    status: 200,
    body: { status: "waiting", published: true, value: { cents: 4900 }, publishedAt: expect.any(String) },
  });
});

it("refuses a name that an ended run has not published, and a run that does not exist", async () => {
  const runId = await aRun(db).completed();
  expect(await ask(runId, "quote", 30_000)).toMatchObject({ status: 404, body: { error: { code: "not_found" } } });
  const nobody = await ask("01890000-0000-7000-8000-000000000000", "quote");
  expect(nobody).toMatchObject({ status: 404, body: { error: { code: "unknown_run" } } });
});
