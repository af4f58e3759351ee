import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { HandrailError } from "../../lib/engine/errors";
import { prepareEvent } from "../../lib/engine/events/prepare-event";
import { ENDED_STATUSES } from "../../lib/engine/runs/run";
import { stepIdempotencyKey } from "../../lib/engine/steps/idempotency-key";
import type { Workflow } from "../../lib/engine/workflows/workflow";
import type { Desk } from "../../lib/operator/desk";
import { sendEvent } from "../../lib/store/events/send-event";
import { cancel, compensate, pause, rerun, resume, settleStep } from "../../lib/testing/actions";
import { type History, historyOf } from "../../lib/testing/database/history";
import { gate, until } from "../../lib/testing/until";
import { FAULT_POINTS, type FaultPoint, setFaultHandler } from "../../lib/worker/fault-points";
import { Ledger } from "./memory-ledger";
import { randomOf } from "./random";
import { relativesOf } from "./relatives";
import { openRig, type Rig } from "./rig";
import { Scene } from "./scene";
import { alwaysFails, eventOf, keyOf, type Shape, shapes, toWorkflows, waitsOf } from "./shapes";
import type { GivenRun } from "./stage";

/**
 * A random seed, part of the test's name. HANDRAIL_FAULT_SEED repeats one; HANDRAIL_FAULT_STORIES runs more stories
 * than there is time for in `npm test`.
 */
const seed = Number(process.env.HANDRAIL_FAULT_SEED ?? 1 + (Date.now() % 1_000_000));
const numRuns = Number(process.env.HANDRAIL_FAULT_STORIES ?? 24);
/** A story takes about a second; one that takes so long hangs. */
const STORY_MS = 60_000;

/** Of workers that are to die: they know it soon. One that loses it on a busy machine has crashed in its own way. */
const SHORT_LEASE_MS = 600;
/** Long, because no other worker can take over. */
const LONG_LEASE_MS = 30_000;

/** The life that some code belongs to: what an earlier worker has left behind passes fault points, too, and dies of none. */
const lives = new AsyncLocalStorage<object>();

let rig: Rig;
let scene: Scene;
beforeAll(async () => {
  rig = await openRig({ url: inject("postgresUrl"), template: inject("postgresTemplate") });
  scene = new Scene(rig, await rig.database(), randomOf("property"), "property");
  await scene.rows("create table effect (run_id uuid, step text, what text)");
});
afterAll(async () => {
  setFaultHandler(undefined);
  await scene.close();
  await rig.close();
});

interface Crash {
  point: FaultPoint;
  passage: number;
}
type Act = "cancel" | "pause" | "rerun" | "rerun afresh" | "compensate" | "skip" | "none";

interface Story {
  shape: Shape;
  onFailure: "stop" | "compensate";
  crashes: Crash[];
  act: Act;
  actAfterMs: number;
}

const stories: fc.Arbitrary<Story> = fc.record({
  shape: shapes,
  onFailure: fc.constantFrom("stop" as const, "compensate" as const),
  crashes: fc.array(fc.record({ point: fc.constantFrom(...FAULT_POINTS), passage: fc.constantFrom(1, 1, 1, 2, 3) }), {
    minLength: 1,
    maxLength: 2,
  }),
  act: fc.constantFrom<Act>("none", "none", "cancel", "pause", "rerun", "rerun afresh", "compensate", "skip"),
  actAfterMs: fc.integer({ min: 0, max: 120 }),
});

it(`with seed ${seed}, any workflow keeps every promise through crashes and an operator's act`, {
  timeout: numRuns * STORY_MS,
}, async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const ledger = new Ledger();
      const workflows = toWorkflows(`random-${scene.word()}`, story.shape, story.onFailure, ledger);
      const run = await scene.start(workflows[0], {});
      scene.allow(run, ...endsOf(story));
      const acted = Promise.all([act(story, run), sendAll(story, run)]);
      for (const crash of story.crashes) await liveUntilCrash(workflows, run, crash, ledger);
      await liveToTheEnd(workflows, run, ledger);
      await acted;
      await liveToTheEnd(workflows, run, ledger);
      await expectPromises(run, ledger);
    }),
    // As it was found: a shorter story takes minutes to find, and may be another one.
    { seed, numRuns, timeout: STORY_MS, endOnFailure: true },
  );
});

function endsOf({ shape, act, onFailure }: Story) {
  if (act !== "none" && act !== "pause") return ENDED_STATUSES;
  if (!alwaysFails(shape)) return ["completed"] as const;
  return onFailure === "compensate" ? (["failed", "compensated"] as const) : (["failed"] as const);
}

/** At its moment, on whatever state the run is in then; a refusal is an answer. */
async function act({ act, actAfterMs }: Story, { id: runId }: GivenRun): Promise<void> {
  await delay(actAfterMs);
  const given = { runId, reason: "Because I can." };
  const desk = scene.desk("random operator");
  const { run } = await historyOf(scene.database.pool, runId);
  const acts: Record<Act, () => Promise<unknown>> = {
    none: async () => undefined,
    cancel: () => cancel(desk, given),
    pause: () => pauseForAWhile(desk, given),
    rerun: () => rerun(desk, given),
    "rerun afresh": () => rerun(desk, { ...given, freshKeys: true }),
    compensate: () => compensate(desk, given),
    skip: () => settleStep(desk, { ...given, step: run.failed_step ?? run.waiting_step ?? "s", outcome: "skip" }),
  };
  await acts[act]().catch((error) => {
    if (!(error instanceof HandrailError)) throw error;
  });
}

async function pauseForAWhile(desk: Desk, given: { runId: string; reason: string }): Promise<void> {
  await pause(desk, given);
  await delay(30);
  await resume(desk, given);
}

/** What the run waits for, each twice at its moment; one that has ended takes no more. */
async function sendAll({ shape }: Story, { id: runId }: GivenRun): Promise<void> {
  const sends = waitsOf(shape).map(async ({ name, by, afterMs }) => {
    const to = by === "run" ? { runId } : { key: keyOf(runId, name) };
    const event = await prepareEvent(eventOf(name), name, { id: name + runId, ...to });
    await delay(afterMs);
    for (let times = 0; times < 2; times++)
      await sendEvent(scene.db, event).catch((error) => {
        if (!(error instanceof HandrailError)) throw error;
      });
  });
  await Promise.all(sends);
}

/** A worker in this process that dies there: its connections are cut, and none of its code goes on. */
async function liveUntilCrash(
  workflows: Workflow[],
  run: GivenRun,
  { point, passage }: Crash,
  ledger: Ledger,
): Promise<void> {
  const proxy = await scene.proxy();
  let passages = 0;
  let dead = false;
  let letGo!: (reason: Error) => void;
  const hanging = new Promise<never>((_, reject) => {
    letGo = reject;
  });
  hanging.catch(() => undefined);
  const life = {};
  const death = gate<undefined>();
  setFaultHandler((passed) => {
    if (lives.getStore() !== life) return;
    if (!dead && passed === point && ++passages === passage) {
      dead = true;
      ledger.endLife();
      void proxy.close();
      death.open(undefined);
    }
    return dead ? hanging : undefined;
  });
  const begun = lives.run(life, () => scene.worker({ url: proxy.url, workflows, leaseMs: SHORT_LEASE_MS }));
  // Some points are passed while it registers: a worker that dies there never comes to be.
  const worker = await Promise.race([begun, death.opened]);
  if (worker) await until("The crash, or the run's rest", async () => dead || worker.isLost() || isQuiet(run));
  // The process of a worker that has lost its lease ends as well.
  ledger.endLife();
  if (worker && dead) await until("The dead worker's knowledge of it", () => worker.isLost());
  if (dead || worker?.isLost()) await endLeases();
  setFaultHandler(undefined);
  letGo(new Error("Its worker is dead."));
  await (await begun.catch(() => undefined))?.stop(0);
}

const isQuiet = (run: GivenRun) => scene.isQuiet([run]);

/** Ends the leases at once instead of waiting for their expiry. */
const endLeases = () =>
  scene.rows(
    "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
  );

async function liveToTheEnd(workflows: Workflow[], run: GivenRun, ledger: Ledger): Promise<void> {
  await scene.worker({ workflows, leaseMs: LONG_LEASE_MS });
  for (let looks = 0; looks < 20; looks++) {
    await scene.untilQuiet([run]);
    const doubt = (await doubtsOf(run))[0];
    if (!doubt) break;
    await settle(doubt.history, doubt.step, ledger);
  }
  await scene.stopWorkers();
}

/** The questions of the run, or of its child. */
async function doubtsOf(run: GivenRun) {
  const histories = await familyOf(run);
  return histories.flatMap((history) =>
    history.run.waiting_kind === "operator"
      ? history.steps
          .filter(({ status, superseded_by }) => status === "unknown" && superseded_by === null)
          .map((step) => ({ history, step }))
      : [],
  );
}

async function familyOf(run: GivenRun): Promise<History[]> {
  const runs = [run, ...(await relativesOf(scene.rows, [run]))];
  return Promise.all(runs.map(({ id }) => historyOf(scene.database.pool, id)));
}

/** A careful operator checks the provider first. */
async function settle({ run }: History, step: History["steps"][number], ledger: Ledger): Promise<void> {
  const happened = ledger.timesOf(stepIdempotencyKey(run.id, step.name, step.key_generation)) > 0;
  const outcome = happened ? "happened" : "did_not_happen";
  await settleStep(scene.desk("careful person"), {
    runId: run.id,
    step: step.name,
    outcome,
    output: step.name,
    reason: "Looked.",
  });
}

async function expectPromises(run: GivenRun, ledger: Ledger): Promise<void> {
  const { steps, compensations } = await historyOf(scene.database.pool, run.id);
  const wrongs = [...ledger.wrongs, ...(await twice(run))];
  for (const { run: one, steps } of await familyOf(run))
    for (const step of steps.filter(({ effect, kind }) => effect === "once" && kind === "step")) {
      const times = ledger.timesOf(stepIdempotencyKey(one.id, step.name, step.key_generation));
      if (times > 1) wrongs.push(`the effect of ${step.name}, which must not be repeated, happened ${times} times`);
    }
  const done = await scene.rows<{ step: string; what: string; times: number }>(
    "select step, what, count(*)::int as times from effect where run_id = $1 group by step, what order by step, what",
    [run.id],
  );
  const should = [
    ...steps
      .filter(({ kind, status, attempt }) => kind === "transaction" && status === "completed" && attempt > 0)
      .map(({ name }) => `${name} done`),
    ...compensations
      .filter(
        ({ step, status }) =>
          status === "completed" && steps.some(({ name, kind }) => name === step && kind === "transaction"),
      )
      .map(({ step }) => `${step} undone`),
  ];
  expect(done.flatMap(({ step, what, times }) => Array.from({ length: times }, () => `${step} ${what}`))).toEqual(
    should.sort(),
  );
  expect([...wrongs, ...(await scene.verdictOf([run]))]).toEqual([]);
}

/** Events that were kept twice or went to another step than theirs, and children that were started twice. */
async function twice({ id }: GivenRun): Promise<string[]> {
  const rows = await scene.rows<{ what: string }>(
    `select name || ' is there ' || count(*) || ' times' as what from handrail.event
      where run_id = $1::uuid or starts_with(key, $1::uuid::text) group by name having count(*) > 1
    union all
    select name || ' went to ' || taken_step from handrail.event
      where taken_by = $1::uuid and name <> 'event:' || taken_step
    union all
    select parent_step || ' has ' || count(*) || ' children' from handrail.run
      where parent_run_id = $1::uuid group by parent_step, parent_key_generation having count(*) > 1`,
    [id],
  );
  return rows.map(({ what }) => what);
}
