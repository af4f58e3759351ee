import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../testing/api/api-server";
import type { History } from "../../testing/database/history";
import { untilRun } from "../../testing/database/history";
import { oneIn } from "../../testing/sample";
import { entriesIn, hasPython, type PythonSetup, PythonWorker } from "../../testing/workers/python-worker";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();
let server: ApiServer;
let folder: string;
let journal: string;
let workers: PythonWorker[] = [];
let runs = 0;

beforeAll(async () => {
  server = await startApiServer(scene.api);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "handrail-journal-"));
  journal = join(folder, "journal.jsonl");
  server.refused.length = 0;
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  workers = [];
  rmSync(folder, { recursive: true });
  await scene.database.pool.query(
    "update handrail.worker set lease_expires_at = clock_timestamp() - interval '1 ms' where stopped_at is null",
  );
});
afterAll(() => server.close());

function python(setup: Partial<PythonSetup> = {}): PythonWorker {
  const worker = PythonWorker.spawn({ url: server.url, journal, ...setup });
  workers.push(worker);
  return worker;
}

/** Registered by hand, so that runs can be started before any Python process is there. */
const aRun = async (amountCents = 1_000) => {
  await scene.worker([{ name: "invoice", title: "Invoice, in Python", tags: { invoice: "/invoiceId" } }]);
  return scene.start("invoice", { invoiceId: `I-${++runs}`, amountCents });
};
const done = (what: string) => entriesIn(journal).filter((entry) => entry.what === what);
const lettersOf = (runId: string) => done("letter").filter(({ key }) => key.startsWith(runId));
const untilStatus = (runId: string, status: string): Promise<History> =>
  untilRun(scene.database.pool, runId, ({ run }) => run.status === status, `its being ${status}`);
const stepOf = ({ steps }: History, name: string) => steps.find((step) => step.name === name);
const settle = (runId: string, body: object) =>
  scene.act(runId, "steps/send-letter/resolution", { reason: "looked at the outbox", ...body });

/** No step with a recorded outcome ran again: the bank is busy at the first request of each process. */
function expectCompleted(history: History) {
  const text = `I-${runs}: 1190 cents`;
  expect(history.run).toMatchObject({ status: "completed", output: { text } });
  expect(stepOf(history, "fetch-rate")).toMatchObject({ status: "completed" });
  expect(done("letter")).toEqual([{ what: "letter", key: `${history.run.id}:send-letter:1`, text }]);
}

async function killedAt(point: string): Promise<string> {
  const runId = await aRun();
  expect(await python({ fault: { point } }).untilEnded()).toBe("SIGKILL");
  return runId;
}

const title = hasPython ? "a worker in Python" : "a worker in Python (skipped: there is no python3 on this machine)";
describe.skipIf(!hasPython)(title, () => {
  it("does the example: a retried step, one with effect once, a sleep", async () => {
    const runId = await aRun();
    python();
    const history = await untilStatus(runId, "completed");
    expectCompleted(history);
    expect(stepOf(history, "fetch-rate")).toMatchObject({ attempt: 2, failures: 1, effect: "pure" });
    expect(stepOf(history, "send-letter")).toMatchObject({
      effect: "once",
      attempt: 1,
      reference: `${runId}:send-letter:1`,
      compensation_mode: "manual",
    });
    expect(history.attempts).toMatchObject([{ step: "fetch-rate", number: 1, error: { name: "ConnectionError" } }]);
    expect(server.refused).toEqual([]);
  });

  it.each(
    oneIn(4, [
      "after registrations",
      "after claims",
      "before steps/fetch-rate/outcome",
      "before steps/send-letter/attempts",
      "after steps/send-letter/outcome",
      "before handback",
      "after handback",
      "before steps/archive/attempts",
      "after steps/archive/attempts",
      "before steps/archive/outcome",
      "after steps/archive/outcome",
      "before end",
      "after end",
    ]),
  )("that dies %s costs nothing: another one goes on, and no kept step runs again", async (point) => {
    const runId = await killedAt(point);
    python();
    const history = await untilStatus(runId, "completed");
    expectCompleted(history);
    expect(stepOf(history, "send-letter")).toMatchObject({ attempt: 1 });
  });

  it("compensates a failed run in reverse order: the letter by a person, the booking automatically", async () => {
    const runId = await aRun(2_000_000);
    python();
    const owed = await untilRun(
      scene.database.pool,
      runId,
      ({ run }) => run.attention === "compensation_owed",
      "the undo that it owes a person",
    );
    expect(owed.run).toMatchObject({ status: "compensating", waiting_step: "send-letter", failed_step: "archive" });
    expect(done("cancellation")).toEqual([]);
    const resolution = { outcome: "compensated", note: "called them", reason: undefined };
    await scene.act(runId, "compensations/send-letter/resolution", resolution);
    await untilStatus(runId, "compensated");
    expect(done("cancellation")).toMatchObject([{ key: `${runId}:book:1:undo` }]);
  });

  it.each(oneIn(3, ["after undos", "before undos/book/outcome", "after undos/book/outcome"]))(
    "that dies %s leaves the compensation to the next one",
    async (point) => {
      const runId = await aRun(2_000_000);
      const dying = python({ fault: { point } });
      await untilRun(scene.database.pool, runId, ({ run }) => run.attention === "compensation_owed", "its undo");
      await scene.act(runId, "compensations/send-letter/resolution", {
        outcome: "waived",
        note: "let it be",
        reason: undefined,
      });
      expect(await dying.untilEnded()).toBe("SIGKILL");
      python();
      await untilStatus(runId, "compensated");
      // A repeated compensation has the same key: its provider compensates once.
      expect(new Set(done("cancellation").map(({ key }) => key))).toEqual(new Set([`${runId}:book:1:undo`]));
    },
  );

  it("that dies after go and before its effect leaves it unknown: no worker sends the letter until a person decides", async () => {
    const runId = await killedAt("after steps/send-letter/attempts");
    python();
    expect((await untilUnknown(runId)).run).toMatchObject({ status: "waiting", waiting_kind: "operator" });
    expect(done("letter")).toEqual([]);
    await settle(runId, { outcome: "did_not_happen" });
    expectCompleted(await untilStatus(runId, "completed"));
  });

  it("that dies after its effect and before its record leaves it unknown: the letter is not sent twice", async () => {
    const runId = await killedAt("before steps/send-letter/outcome");
    python();
    await untilUnknown(runId);
    expect(done("letter")).toHaveLength(1);
    await settle(runId, { outcome: "happened", output: { id: "found in the outbox" } });
    const history = await untilStatus(runId, "completed");
    expectCompleted(history);
    expect(history.run.output).toMatchObject({ letter: "found in the outbox" });
  });

  it("beside another one: each run goes to one of them, each letter is sent once", async () => {
    const started = [];
    for (let n = 0; n < 12; n++) started.push(await aRun());
    python({ leaseMs: 10_000 });
    python({ leaseMs: 10_000 });
    for (const runId of started) await untilStatus(runId, "completed");
    expect(
      done("letter")
        .map(({ key }) => key)
        .sort(),
    ).toEqual(started.map((runId) => `${runId}:send-letter:1`).sort());
    const { rows } = await scene.database.pool.query(
      "select count(distinct worker_id)::int as workers from handrail.step where run_id = any ($1)",
      [started],
    );
    expect(rows).toEqual([{ workers: 2 }]);
  });

  it("that was frozen past its lease under a body is refused, drops the run, and registers anew", async () => {
    const runId = await aRun();
    const frozen = python({ fault: { point: "before steps/archive/outcome", signal: "SIGSTOP" } });
    await frozen.untilStopped();
    const other = python();
    expectCompleted(await untilStatus(runId, "completed"));
    await other.kill();
    frozen.goOn();
    const next = await aRun();
    await untilStatus(next, "completed");
    const refused = server.refused.filter(({ path }) => path.includes(runId));
    expect(refused).toMatchObject([{ status: 409, code: "claim_lost" }]);
    expect(stepOf(await scene.history(runId), "archive")).toMatchObject({ status: "completed", attempt: 2 });
  });

  it("that was frozen past its lease between go and body does not begin it", async () => {
    const runId = await aRun();
    const frozen = python({ fault: { point: "after steps/send-letter/attempts", signal: "SIGSTOP" } });
    await frozen.untilStopped();
    const other = python();
    await untilUnknown(runId);
    await other.kill();
    frozen.goOn();
    await untilStatus(await aRun(), "completed");
    expect(lettersOf(runId)).toEqual([]);
    await settle(runId, { outcome: "did_not_happen" });
    await untilStatus(runId, "completed");
    expect(lettersOf(runId)).toHaveLength(1);
  });

  it.each(
    oneIn(3, [
      "/registrations",
      "/claims",
      "/send-letter/attempts",
      "/send-letter/outcome",
      "/handback",
      "/archive/outcome",
      "/end",
    ]),
  )("does not mind that the answer to %s is lost: it asks again, and nothing is done twice", async (path) => {
    const runId = await aRun();
    const lost = server.loseAnswer(path);
    python();
    await lost;
    const history = await untilStatus(runId, "completed");
    expectCompleted(history);
    expect(stepOf(history, "send-letter")).toMatchObject({ attempt: 1 });
    expect(stepOf(history, "archive")).toMatchObject({ attempt: 1 });
    expect(history.lostClaims).toBe(0);
  });
});

const untilUnknown = (runId: string) =>
  untilRun(scene.database.pool, runId, ({ run }) => run.attention === "outcome_unknown", "its unknown outcome");
