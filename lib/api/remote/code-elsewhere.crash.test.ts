import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { accountCredit } from "../../../demo/workflows/account-credit/account-credit";
import { ChildConsole, ChildWorker, type CommitMoment, type Fault } from "../../testing/processes/crash";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";

/*
 * A console without workflows asks workers to prepare its starts. Whichever of the two dies or freezes in the middle: a start that
 * was acknowledged is one run, one that was refused is none, also later.
 */

const engine = anEngine();
const NO_WORKFLOWS = fileURLToPath(new URL("../../testing/workflows/no-workflows.ts", import.meta.url));
/** So that no worker runs it. */
const LATER = "2100-01-01T00:00:00.000Z";

async function aChild(fault?: Fault): Promise<ChildWorker> {
  const worker = ChildWorker.spawn(engine.database, { leaseMs: 60_000, ...(fault && { fault }) });
  onTestFinished(() => worker.kill());
  await worker.untilReady();
  return worker;
}

async function aConsole(diesAtCommit?: CommitMoment): Promise<ChildConsole> {
  const setup = { workflows: NO_WORKFLOWS, ...(diesAtCommit && { diesAtCommit }) };
  const child = await ChildConsole.spawn(engine.database, setup);
  onTestFinished(() => child.kill());
  return child;
}

let starts = 0;
const aStart = () => ({
  workflow: accountCredit.name,
  input: { accountId: `elsewhere-${++starts}`, amountCents: 1 },
  runAt: LATER,
});
const runsOf = ({ input: { accountId } }: ReturnType<typeof aStart>) =>
  engine.rows("select id::text from handrail.run where tags ->> 'accountId' = $1", [accountId]);
const noRequest = () =>
  until("The end of the request", async () => (await engine.rows("select from handrail.code_request")).length === 0);

it.each([
  ["code:before-answer", "SIGKILL"],
  ["code:before-answer", "SIGSTOP"],
  ["code:after-answer", "SIGKILL"],
] as const)(
  "a worker that gets %s %s delays a start, and another worker or the kept answer makes it one run",
  async (point, signal) => {
    const asking = await aConsole();
    const victim = await aChild({ point, signal });
    const start = aStart();
    const starting = asking.post("/v1/runs", start);
    await (signal === "SIGSTOP" ? victim.untilStopped() : victim.untilEnded());
    await engine.worker([accountCredit]);
    expect((await starting).status).toBe(201);
    expect(await runsOf(start)).toHaveLength(1);
    await noRequest();
  },
);

it("a start whose only worker is frozen is refused, and starts nothing when the worker goes on", async () => {
  const asking = await aConsole();
  const worker = await aChild({ point: "code:before-answer", signal: "SIGSTOP" });
  const [refused, later] = [aStart(), aStart()];
  const { status, body } = await asking.post("/v1/runs", refused);
  expect([status, body]).toMatchObject([503, { error: { code: "unavailable" } }]);
  await worker.untilStopped();
  worker.signal("SIGCONT");
  // By then the worker has done all that it had begun.
  expect((await asking.post("/v1/runs", later)).status).toBe(201);
  expect(await runsOf(later)).toHaveLength(1);
  expect(await runsOf(refused)).toHaveLength(0);
  await noRequest();
});

it.each(["before", "after"] as const)(
  "a console that dies %s its commit leaves one run when the request is repeated",
  async (moment) => {
    await engine.worker([accountCredit]);
    const [victim, survivor] = await Promise.all([aConsole(moment), aConsole()]);
    const start = aStart();
    const key = `elsewhere-${moment}`;
    await expect(victim.post("/v1/runs", start, key)).rejects.toThrow();
    await victim.untilEnded();
    expect(await runsOf(start)).toHaveLength(moment === "after" ? 1 : 0);
    const { status, body } = await survivor.post("/v1/runs", start, key);
    expect([status, body]).toMatchObject([201, { id: (await runsOf(start))[0]?.id }]);
    expect(await runsOf(start)).toHaveLength(1);
    await noRequest();
  },
);
