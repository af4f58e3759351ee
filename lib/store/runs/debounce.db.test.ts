import { describe, expect, it } from "vitest";
import { z } from "zod";
import { prepareStart } from "../../engine/runs/start";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { claimOne } from "../../testing/rows/claims";
import { anEngine } from "../../testing/workers/engine";
import { claimRuns } from "../workers/claim-runs";
import { insertRunOnce } from "./start-run";

const engine = anEngine();
const input = z.object({ n: z.number() });
const aWorkflow = (name: string) =>
  defineWorkflow({ name, input, tags: ({ n }) => ({ n: `${n}`, ...(n > 1 && { later: "yes" }) }) }, async () => "done");

async function start(workflow: ReturnType<typeof aWorkflow>, n: number, delayMs = 60_000, maxMs?: number) {
  const debounce = { key: "k", delayMs, ...(maxMs !== undefined && { maxMs }) };
  return insertRunOnce(engine.db, await prepareStart(workflow, { n }, { debounce }));
}

const row = async (id: string) =>
  (
    await engine.rows<{ input: string; ms: number; tags: object; rows: string[] }>(
      `select input, tags, extract(epoch from due_at - created_at)::float8 * 1000 as ms,
        array(select name || '=' || value from handrail.run_tag where run_id = run.id order by name) as rows
       from handrail.run where id = $1`,
      [id],
    )
  )[0];

describe("a debounced start", () => {
  it("postpones the waiting run and replaces its input and tags; the id stays", async () => {
    const workflow = aWorkflow("put-off");
    const first = await start(workflow, 2);
    const second = await start(workflow, 1, 90_000);
    expect(first.created).toBe(true);
    expect(second).toEqual({ id: first.id, created: false });
    expect(await row(first.id)).toMatchObject({ input: '{"n":1}', tags: { n: "1" }, rows: ["n=1"] });
    expect((await row(first.id))?.ms).toBeGreaterThanOrEqual(90_000);
  });

  it("is postponed no further than its bound from the first start", async () => {
    const workflow = aWorkflow("bounded");
    const { id } = await start(workflow, 1, 60_000, 61_000);
    await start(workflow, 2, 60_900, 61_000);
    await start(workflow, 3, 61_000, 61_000);
    expect((await row(id))?.ms).toBeLessThanOrEqual(61_000);
  });

  it("makes one run of many simultaneous starts, with the input of one of them", async () => {
    const workflow = aWorkflow("at-once");
    const started = await Promise.all(Array.from({ length: 20 }, (_, n) => start(workflow, n)));
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    expect(started.filter(({ created }) => created)).toHaveLength(1);
    expect(await engine.rows("select id from handrail.run where workflow = $1", [workflow.name])).toHaveLength(1);
  });

  it("begins a new run once the earlier one is claimed", async () => {
    const workflow = aWorkflow("taken");
    const first = await start(workflow, 1, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const claimed = await claimOne(engine.db, workflow);
    expect(claimed.id).toBe(first.id);
    const second = await start(workflow, 2);
    expect(second).toMatchObject({ created: true });
    expect((await row(first.id))?.input).toBe('{"n":1}');
    await engine.endLeases();
  });

  it("races with a claim: either the claim has the old input and a second run begins, or the claim skips the run", async () => {
    const workflow = aWorkflow("against-claims");
    const workerId = (await claimOneOf(workflow)).workerId;
    for (let round = 0; round < 30; round++) {
      const first = await start(workflow, round, 1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      const [claim, second] = await Promise.all([
        claimRuns(engine.db, workerId, [workflow], 10),
        start(workflow, 1_000 + round, 60_000),
      ]);
      const taken = claim.runs.find(({ id }) => id === first.id);
      if (taken) expect([taken.input, second.created]).toEqual([`{"n":${round}}`, true]);
      else expect(second).toEqual({ id: first.id, created: false });
      await engine.rows(
        "update handrail.run set status = 'cancelled', finished_at = now(), due_at = null, worker_id = null, epoch = epoch + 1 where workflow = $1 and finished_at is null",
        [workflow.name],
      );
    }
  });

  const claimOneOf = async (workflow: ReturnType<typeof aWorkflow>) => {
    await insertRunOnce(engine.db, await prepareStart(workflow, { n: 0 }));
    return claimOne(engine.db, workflow);
  };

  it.each([
    [{ delayMs: 5, runAt: new Date() }, "one of runAt"],
    [{ delayMs: -1 }, "delayMs"],
    [{ debounce: { key: "", delayMs: 5 } }, "debounce key"],
    [{ debounce: { key: "k", delayMs: 5, maxMs: 4 } }, "maxMs"],
    [{ debounce: { key: "k", delayMs: 5 }, idempotencyKey: "k" }, "idempotency key"],
  ])("refuses %j", async (options, message) => {
    await expect(prepareStart(aWorkflow("refused"), { n: 1 }, options)).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(message),
    });
  });
});
