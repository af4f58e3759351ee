import { expect, it } from "vitest";
import { z } from "zod";
import { type Context, defineWorkflow, type TypedWorkflow } from "../../engine/workflows/workflow";
import { newRunId } from "../../store/run-id";
import { wakeParents } from "../../store/runs/wake-parents";
import { recordAlone } from "../../store/steps/record";
import { takeOverLostRuns } from "../../store/workers/take-over";
import { cancel, rerun } from "../../testing/actions";
import { aDesk } from "../../testing/desk";
import { aStepRecord, claimOne } from "../../testing/rows/claims";
import { gate } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});

type Item = TypedWorkflow<z.ZodObject<{ n: z.ZodNumber }>, number>;

function aFamily(name: string, parent: (ctx: Context, child: Item) => Promise<unknown>) {
  const child = defineWorkflow({ name: `${name}-child`, input: z.object({ n: z.number() }) }, (ctx, { n }) =>
    ctx.step("square", () => n * n),
  );
  return { child, parent: defineWorkflow({ name, input }, (ctx) => parent(ctx, child)) };
}

it("a worker that has lost the parent starts no child", async () => {
  const { parent, child } = aFamily("stale-parent", async () => undefined);
  const runId = await engine.start(parent);
  const { epoch } = await claimOne(engine.db, parent);
  await engine.endLeases();
  await takeOverLostRuns(engine.db);
  const id = newRunId();
  const record = {
    ...{
      id,
      workflow: child.name,
      version: 1,
      input: '{"n":3}',
      tags: {},
      runTitle: null,
      priority: 0,
      queueKey: null,
    },
    ...{ step: "nine", keyGeneration: 1, endsWithParent: true, tellsParent: true },
  };
  const step = aStepRecord({ name: "nine", kind: "child", status: "waiting", next: null, reference: id });
  expect((await recordAlone(engine.db, [{ runId, epoch, step, child: record }])).has(runId)).toBe(false);
  expect(await engine.rows("select from handrail.run where id = $1 or parent_run_id = $2", [id, runId])).toEqual([]);
});

it("an unreported end is reported with the next heartbeat", async () => {
  const { parent, child } = aFamily("reported-later", (ctx, item) => ctx.child("nine", item, { n: 3 }));
  const runId = await engine.start(parent);
  const teller = await engine.worker([parent]);
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await teller.stop();
  let untold = 0;
  setFaultHandler((point) => {
    if (point !== "wake:before") return;
    untold++;
    throw new Error("The network is gone.");
  });
  await engine.worker([parent, child], { leaseMs: 1_500 });
  expect((await engine.untilEnded(runId)).run).toMatchObject({ status: "completed", output: 9 });
  expect(untold).toBe(1);
});

it("the more children are running, the longer their parent sleeps", async () => {
  const { parent } = aFamily("many-at-work", (ctx, item) =>
    Promise.all(Array.from({ length: 900 }, (_, n) => ctx.child(`item-${n}`, item, { n }))),
  );
  const runId = await engine.start(parent);
  const worker = await engine.worker([parent], { leaseMs: 60_000 });
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  await worker.stop();
  await engine.rows(
    `update handrail.run set status = 'completed', output = '1', finished_at = clock_timestamp()
    where id = (select id from handrail.run where parent_run_id = $1 order by id limit 1)`,
    [runId],
  );
  expect(await wakeParents(engine.db, [runId])).toEqual([runId]);
  const [row] = await engine.rows<{ ms: number }>(
    `select (extract(epoch from parent.due_at - max(child.finished_at)) * 1000)::float8 as ms
    from handrail.run as parent join handrail.run as child on child.parent_run_id = parent.id
    where parent.id = $1 group by parent.due_at`,
    [runId],
  );
  expect(row?.ms).toBeGreaterThanOrEqual(899);
});

it("a parent that is rerun right after its cancel hears the end of the child that it joins again", async () => {
  const [begun, held] = [gate(), gate()];
  const child = defineWorkflow({ name: "rejoined-child", input }, (ctx) =>
    ctx.step("work", () => {
      begun.open();
      return held.opened;
    }),
  );
  const parent = defineWorkflow({ name: "rejoining", input }, (ctx) => ctx.child("kid", child, {}));
  // A beat would tell the child of its cancel: the next one is far away.
  await engine.worker([parent, child], { leaseMs: 60_000 });
  const runId = await engine.start(parent);
  await begun.opened;
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  const reason = "ordered twice";
  await cancel(aDesk(engine.db), { runId, reason });
  await rerun(aDesk(engine.db), { runId, reason, fromStep: "kid" });
  await engine.untilRun(runId, ({ run }) => run.status === "waiting");
  held.open();
  const { run } = await engine.untilEnded(runId);
  expect(["completed", "failed"]).toContain(run.status);
});
