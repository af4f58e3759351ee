import { setTimeout as delay } from "node:timers/promises";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { orderBatch } from "../../../demo/workflows/order-batch/order-batch";
import { orderFulfilment } from "../../../demo/workflows/order-fulfilment/order-fulfilment";
import { welcomeReminder } from "../../../demo/workflows/welcome-reminder/welcome-reminder";
import { HandrailError } from "../../../lib/engine/errors";
import { ENDED_STATUSES, type RunStatus } from "../../../lib/engine/runs/run";
import { prepareStart } from "../../../lib/engine/runs/start";
import type { Workflow } from "../../../lib/engine/workflows/workflow";
import { insertRunOnce } from "../../../lib/store/runs/start-run";
import { cancel, compensate, rerun, settleStep } from "../../../lib/testing/actions";
import { until } from "../../../lib/testing/until";
import type { Fault } from "../fault";
import { REMINDER_AFTER_SECONDS } from "../load";
import type { Scene } from "../scene";
import type { GivenRun } from "../stage";
import { endTrouble, trouble } from "../world";

/** A rerun that came first has superseded the step. */
const REFUSALS = ["not_allowed", "changed", "unknown_step"];

/** Whether the action was executed; a refusal is an answer, anything else is not. */
async function tried(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof HandrailError && REFUSALS.includes(error.code)) return false;
    throw error;
  }
}

const acts = (scene: Scene, run: GivenRun) => [
  () => rerun(scene.desk("rerunner"), { runId: run.id, reason: "Again." }),
  () => rerun(scene.desk("rerunner with fresh keys"), { runId: run.id, freshKeys: true, reason: "Afresh." }),
  () =>
    settleStep(scene.desk("skipper"), {
      runId: run.id,
      step: "charge-payment",
      outcome: "skip",
      reason: "Not needed.",
    }),
  () => compensate(scene.desk("compensator"), { runId: run.id, reason: "Undo it." }),
];

async function auditRows(scene: Scene, run: GivenRun): Promise<number> {
  const [row] = await scene.rows<{ count: number }>(
    "select count(*)::int as count from handrail.audit where run_id = $1 and result = 'done'",
    [run.id],
  );
  return row?.count ?? 0;
}

/** Several operators see a failed run and act on it at the same instant: one succeeds, the others get the reason. */
const twoOperators: Fault = {
  name: "operators at once",
  how: "20 acts of four kinds at one instant on one failed run",
  async strike(scene) {
    const order = await scene.start(orderFulfilment, {
      orderId: `DECLINED-${scene.word()}`,
      amountCents: 100,
      email: `${scene.word()}@declined.example`,
    });
    scene.allow(order, "failed", "completed", "compensated");
    const worker = await scene.worker();
    await until("The refused charge", async () => (await scene.statusOf(order)) === "failed");
    await worker.stop();
    const all = Array.from({ length: 5 }, () => acts(scene, order))
      .flat()
      .sort(() => scene.random.next() - 0.5);
    const done = (await Promise.all(all.map((act) => tried(act())))).filter(Boolean).length;
    scene.check(done === 1, "P9", `${done} of ${all.length} acts were carried out on one failure`);
    scene.check((await auditRows(scene, order)) === done, "P9", "acts and audit rows differ in number");
    return all.length;
  },
};

/** The same request, sent twice at once and once more later, is one action with one answer. */
const sentTwice: Fault = {
  name: "act sent twice",
  how: "one cancel with one Idempotency-Key, 10 times at once and once later",
  async strike(scene) {
    const [run] = await scene.load(1, ["welcome-reminder"]);
    if (!run) return 0;
    scene.allow(run, "cancelled");
    const key = scene.word();
    const send = () => cancel(scene.desk("clicker", key), { runId: run.id, reason: "Too many." });
    const answers = [...(await Promise.all(Array.from({ length: 10 }, send))), await send()];
    scene.check(
      new Set(answers.map((answer) => JSON.stringify(answer))).size === 1,
      "P9",
      "one request got two answers",
    );
    scene.check((await auditRows(scene, run)) === 1, "P9", "one request has several audit rows");
    return answers.length;
  },
};

/** While a worker runs a body, actions that would take the run from it are refused. */
const againstWorker: Fault = {
  name: "operator against worker",
  how: "every act on runs whose bodies run at that moment",
  async strike(scene) {
    await scene.worker({ leaseMs: 30_000 });
    // A busy machine may take longer than the bodies: then once more, with longer ones.
    for (let bodyMs = 600; bodyMs < 20_000; bodyMs *= 2) {
      await trouble(scene.rig, "payments", { mode: "slow", delayMs: bodyMs });
      const orders = await scene.load(4, [orderFulfilment.name]);
      const inBodies = async () => (await bodiesInFlight(scene, orders)) === orders.length;
      const seen = await until("Bodies in flight", inBodies, bodyMs).catch(() => false);
      if (!seen) continue;
      const tries = orders.flatMap((order) => acts(scene, order));
      const done = (await Promise.all(tries.map((act) => tried(act())))).filter(Boolean).length;
      if (done > 0 && !(await inBodies())) {
        for (const order of orders) scene.allow(order, ...ENDED_STATUSES);
        continue;
      }
      scene.check(done === 0, "P4", `${done} acts changed a run under its worker`);
      return tries.length;
    }
    return 0;
  },
};

async function bodiesInFlight(scene: Scene, runs: readonly GivenRun[]): Promise<number> {
  const rows = await scene.rows(
    "select from handrail.step where run_id = any ($1::uuid[]) and name = 'charge-payment' and status = 'running'",
    [runs.map(({ id }) => id)],
  );
  return rows.length;
}

/** Whichever comes first: the run ends once, and the audit log records what an operator did. */
const cancelAgainst = (what: string, { workflow, input, trouble: mode, ends, withinMs }: CancelRace): Fault => ({
  name: `cancel against ${what}`,
  how: `50 runs of ${workflow.name} are cancelled at any instant of their first ${withinMs} ms`,
  async strike(scene) {
    if (mode) await trouble(scene.rig, "payments", mode);
    await scene.worker();
    const given = await Promise.all(
      Array.from({ length: 50 }, async () => {
        await delay(scene.random.below(100));
        const run = await scene.start(workflow, input(scene.word()));
        scene.allow(run, ...ends, "cancelled");
        await delay(scene.random.below(withinMs));
        return {
          run,
          isCancelled: await tried(cancel(scene.desk(), { runId: run.id, reason: "Changed my mind." })),
        };
      }),
    );
    await endTrouble(scene.rig);
    await scene.untilQuiet();
    for (const { run, isCancelled } of given)
      scene.check((await auditRows(scene, run)) === Number(isCancelled), "P9", "audit and answers to cancels differ");
    return given.length;
  },
});

interface CancelRace {
  workflow: Workflow;
  input: (word: string) => object;
  trouble?: object;
  /** How a run ends that is not cancelled in time. */
  ends: RunStatus[];
  withinMs: number;
}

const cancels: Fault[] = [
  cancelAgainst("completion", {
    workflow: accountCredit,
    input: (word) => ({ accountId: `cancel-${word}`, amountCents: 100 }),
    ends: ["completed"],
    withinMs: 30,
  }),
  cancelAgainst("failure", {
    workflow: orderFulfilment,
    input: (word) => ({ orderId: `DECLINED-${word}`, amountCents: 100, email: `${word}@declined.example` }),
    ends: ["failed"],
    withinMs: 60,
  }),
  cancelAgainst("the end of a sleep", {
    workflow: welcomeReminder,
    input: (word) => ({ email: `${word}@welcome.example`, delaySeconds: REMINDER_AFTER_SECONDS }),
    ends: ["completed"],
    withinMs: 900,
  }),
  cancelAgainst("a retry", {
    workflow: orderBatch,
    input: (word) => ({ orderIds: [`retried-${word}`] }),
    trouble: { mode: "flaky", rate: 0.5 },
    // One whose every attempt met the trouble has failed.
    ends: ["completed", "failed"],
    withinMs: 900,
  }),
];

const oneKey: Fault = {
  name: "50 starts with one key",
  how: "50 starts at once with one idempotency key, 10 of them with another input; three rounds",
  async strike(scene) {
    await scene.worker();
    for (let round = 0; round < 3; round++) {
      const key = scene.word();
      const startWith = async (amountCents: number) => {
        const prepared = await prepareStart(
          accountCredit,
          { accountId: `key-${key}`, amountCents },
          { idempotencyKey: key },
        );
        return insertRunOnce(scene.db, prepared).catch((error: HandrailError) => error);
      };
      const first = await startWith(100);
      const answers = await Promise.all(
        Array.from({ length: 49 }, (_, index) => startWith(index % 5 === 0 ? 200 : 100)),
      );
      const ids = new Set([first, ...answers].flatMap((answer) => ("id" in answer ? [answer.id] : [])));
      const conflicts = answers.filter(
        (answer) => answer instanceof HandrailError && answer.code === "idempotency_conflict",
      );
      scene.check(ids.size === 1, "P1", `one key started ${ids.size} runs`);
      scene.check(conflicts.length === 10, "P1", `${conflicts.length} of 10 other inputs were refused`);
      for (const id of ids) scene.note({ id, workflow: accountCredit.name, input: {}, mayBe: ["completed"] });
    }
    await scene.untilQuiet();
    return 150;
  },
};

export const peopleFaults: Fault[] = [twoOperators, sentTwice, againstWorker, ...cancels, oneKey];
