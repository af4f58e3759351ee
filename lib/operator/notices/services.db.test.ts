import { afterEach, describe, expect, it } from "vitest";
import { NOTICE_KINDS } from "../../engine/notices/notice";
import { send } from "../../outbound/send";
import { insertDelivery } from "../../store/notices/deliveries";
import { insertDestination } from "../../store/notices/destinations";
import { startDelivery } from "../../store/notices/start-delivery";
import { newPlanId } from "../../store/run-id";
import { TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { aRun } from "../../testing/rows/a-run";
import { aService, CHANNEL, type ServiceKind, TOKENS } from "../../testing/services";
import { until } from "../../testing/until";
import { anEngine } from "../../testing/workers/engine";
import { foldProblems } from "../../worker/duties/fold-problems";
import { handOverAll } from "../../worker/duties/notice-loop";
import { deliver } from "./deliver";
import { deliveryWorkflow } from "./delivery-workflow";

const engine = anEngine();
const SUPERSEDED = "Superseded by a later message about the same incident.";
const SERVICES = ["slack", "pagerduty", "opsgenie", "teams"] as const satisfies readonly ServiceKind[];
const HAS_KEYS = { slack: false, pagerduty: true, opsgenie: true, teams: false };
let service: Awaited<ReturnType<typeof aService>> | undefined;
afterEach(async () => {
  await service?.close();
  // Rows inserted by hand claim four attempts without having them.
  await engine.rows(
    "insert into handrail.attempt (run_id, step, generation, number, status, error, started_at, finished_at) select run_id, name, generation, n, 'failed', error, started_at, started_at from handrail.step, generate_series(1, 3) n where attempt = 4 on conflict do nothing",
  );
});

let names = 0;
async function aDestination(kind: ServiceKind) {
  await engine.rows("delete from handrail.notice");
  await engine.rows("delete from handrail.destination");
  const here = await aService(kind);
  service = here;
  const destinationId = newPlanId();
  await insertDestination(engine.db, destinationId, {
    kind,
    name: `${kind} ${++names}`,
    url: here.url,
    addresses: null,
    channel: kind === "slack" ? CHANNEL : null,
    runbook: "https://wiki.example/{event}?of={workflow}",
    secret: TOKENS[kind],
    events: NOTICE_KINDS,
    workflows: null,
    perMinute: 600,
    enabled: true,
    createdBy: "mia",
  });
  const desk = {
    db: engine.db,
    auditKeys: TEST_AUDIT_KEYS,
    origin: "https://handrail.example",
    send: (toSend: Parameters<typeof send>[1], signal: AbortSignal) =>
      send({ internal: [here.origin], mail: null, ...(here.isSilent() && { timeoutMs: 1_000 }) }, toSend, signal),
  };
  const attempt = (id: string) => deliver(desk, id, AbortSignal.timeout(60_000)).catch((error) => error);
  /** Everything that is due, sent once. */
  const sendDue = async () => {
    await handOverAll(engine.db, () => false);
    const due = await engine.rows<{ id: string }>(
      "select id from handrail.delivery where destination_id = $1 and status = 'sending' order by created_at, id",
      [destinationId],
    );
    const ends = [];
    for (const { id } of due) ends.push(await attempt(id));
    return ends;
  };
  const deliveries = () =>
    engine.rows<{ id: string; status: string; error: string | null }>(
      "select id, status, error from handrail.delivery where destination_id = $1 order by created_at, id",
      [destinationId],
    );
  return { here, sendDue, attempt, deliveries, desk, destinationId };
}

const ask = () =>
  engine.rows(
    "insert into handrail.notice (kind, workflows, step, run_id) values ('approval.waiting', '{w}', '<!channel> [s](https://x)', gen_random_uuid())",
  );

async function aProblem() {
  await engine.rows("delete from handrail.problem_fingerprint");
  await aRun(engine.db, { idempotencyKey: `services-${++names}` }).failedAt("charge-payment");
  while ((await foldProblems(engine.db)).length > 0);
  await engine.rows("update handrail.notice set due_at = at");
  const [problem] = await engine.rows<{ id: string; message: string }>(
    "select id, example_error::json ->> 'message' as message from handrail.problem order by first_at desc, id desc limit 1",
  );
  const set = (what: string) => engine.rows(`update handrail.problem set ${what} where id = $1`, [problem?.id]);
  const resolve = () => set("status = 'resolved', resolved_at = now()");
  const reopen = async () => {
    await set("status = 'open', resolved_at = null, assignee = null, told_at = null");
    await engine.rows(
      "insert into handrail.problem_history (problem_id, what, text) values ($1, 'came_back', 'again')",
      [problem?.id],
    );
  };
  return { id: problem?.id as string, message: problem?.message as string, set, resolve, reopen };
}

describe.each(SERVICES)("%s", (kind) => {
  const sentTo = ({ alerts, posts }: NonNullable<typeof service>) => (HAS_KEYS[kind] ? alerts : posts).length;

  it.each([
    ["goes down", "reset", 1],
    ["answers 429", "busy", 1],
    ["loses its answer", "lost", 2],
    ["does not answer in time", "silent", 2],
  ] as const)(
    "gets a message when it %s: nothing lost, and nothing twice where it has a key",
    async (_, trouble, sent) => {
      const { here, sendDue } = await aDestination(kind);
      await ask();
      here.has(trouble);
      const [failed] = await sendDue();
      expect(failed.delayMs).toBeGreaterThanOrEqual(trouble === "busy" ? 90_000 : 5_000);
      here.has("none");
      expect(await sendDue()).toEqual(["delivered"]);
      expect(here.refused).toEqual([]);
      expect(here.bodies.join()).toContain("https://wiki.example/approval.waiting?of=w");
      expect(sentTo(here)).toBe(HAS_KEYS[kind] ? 1 : sent);
      // In Slack's text that would call everybody.
      if (kind === "slack") expect(here.bodies.join()).not.toContain("<!channel");
    },
  );

  it("hears that somebody works on a problem, that it is over, and that it is back", async () => {
    const { here, sendDue } = await aDestination(kind);
    const problem = await aProblem();
    expect(await sendDue()).toEqual(["delivered"]);
    expect(await sendDue()).toEqual([]);
    await problem.set("assignee = 'mia'");
    expect(await sendDue()).toEqual(["delivered"]);
    await problem.resolve();
    expect(await sendDue()).toEqual(["delivered"]);
    expect(await sendDue()).toEqual([]);
    await problem.reopen();
    expect(await sendDue()).toEqual(["delivered"]);
    expect(here.refused).toEqual([]);
    // Without the error's text.
    expect(here.bodies.join()).not.toContain(problem.message);
    if (HAS_KEYS[kind]) {
      const key = `handrail/problem/${problem.id}`;
      expect(here.alerts).toEqual([
        { key, states: ["open", "acknowledged", "resolved"] },
        { key, states: ["open"] },
      ]);
      return;
    }
    const words = here.posts.map(({ text }) => text.split(":")[0]);
    expect(words).toEqual(["Needs attention", "Acknowledged", "Resolved", "Needs attention"]);
    const [root, ...answers] = here.posts;
    if (kind === "slack") expect(new Set(answers.map(({ thread }) => thread))).toEqual(new Set([root?.ts]));
  });

  it("keeps open what opened again, when an end that it did not take before is sent late", async () => {
    const { here, sendDue, attempt, deliveries } = await aDestination(kind);
    const problem = await aProblem();
    expect(await sendDue()).toEqual(["delivered"]);
    await problem.resolve();
    here.has("busy");
    await sendDue();
    here.has("none");
    const [, late] = await deliveries();
    await problem.reopen();
    await handOverAll(engine.db, () => false);
    const opening = (await deliveries()).at(-1)?.id as string;
    expect(await attempt(opening)).toBe("delivered");
    expect(await attempt(late?.id as string)).toBe("over");
    expect(await deliveries()).toMatchObject([
      { status: "delivered" },
      { status: "failed", error: SUPERSEDED },
      { status: "delivered" },
    ]);
    if (HAS_KEYS[kind]) expect(here.alerts.map(({ states }) => states.at(-1))).toEqual(["open"]);
    else expect(here.posts.at(-1)?.text).toMatch(/^Needs attention/);
    // What is over by now is not sent by hand either.
    await engine.rows(
      "update handrail.delivery set status = 'sending', error = null, finished_at = null where id = $1",
      [late?.id],
    );
    expect(await attempt(late?.id as string)).toBe("failed");
    // The end that comes now is sent.
    await problem.resolve();
    expect(await sendDue()).toEqual(["delivered"]);
    if (HAS_KEYS[kind]) expect(here.alerts.at(-1)?.states.at(-1)).toBe("resolved");
  });

  it("opens again only after the end that is being sent", async () => {
    const { here, sendDue, attempt, deliveries, desk } = await aDestination(kind);
    const problem = await aProblem();
    await sendDue();
    await problem.resolve();
    await handOverAll(engine.db, () => false);
    const [, end] = await deliveries();
    await problem.reopen();
    await handOverAll(engine.db, () => false);
    const opening = (await deliveries()).at(-1)?.id as string;
    const meanwhile: unknown[] = [];
    const at = async () => void meanwhile.push(await attempt(opening));
    const crossing = { ...desk, at: (point: string) => (point === "delivery:before-send" ? at() : undefined) };
    expect(await deliver(crossing, end?.id as string, AbortSignal.timeout(60_000))).toBe("delivered");
    expect(meanwhile).toMatchObject([{ delayMs: 5_000 }]);
    expect(await attempt(opening)).toBe("delivered");
    expect((await deliveries()).map(({ status }) => status)).toEqual(["delivered", "delivered", "delivered"]);
    if (HAS_KEYS[kind]) expect(here.alerts.map(({ states }) => states)).toEqual([["open", "resolved"], ["open"]]);
  });

  it("is not asked again what it refuses for good", async () => {
    const { here, sendDue } = await aDestination(kind);
    await ask();
    // The service refuses what is not its own.
    await engine.rows("update handrail.destination set url = url || '/elsewhere'");
    const [end] = await sendDue();
    expect(end).toBe("failed");
    expect(here.refused).toHaveLength(1);
  });
});

it("a question and a compensation end in a service when they end here", async () => {
  const { here, sendDue } = await aDestination("pagerduty");
  const runId = await aRun(engine.db, { idempotencyKey: "owes-services" }).compensating();
  await engine.rows("delete from handrail.notice where kind not like 'compensation.%'");
  await ask();
  await sendDue();
  // The question is of a run that is gone: it is over at once. The compensations wait for a person.
  await sendDue();
  const states = () => here.alerts.map(({ key, states }) => [key.split("/")[1], states.at(-1)]);
  const open = states().filter(([, state]) => state === "open");
  expect(states()).toContainEqual(["approval", "resolved"]);
  expect(open.length).toBeGreaterThan(0);
  expect(new Set(open.map(([about]) => about))).toEqual(new Set(["compensation"]));
  await engine.rows(
    "update handrail.compensation set assignee = 'mia', assigned_by = 'mia', assigned_at = now() where run_id = $1",
    [runId],
  );
  await sendDue();
  expect(states()).toContainEqual(["compensation", "acknowledged"]);
  await engine.rows("delete from handrail.compensation where run_id = $1", [runId]);
  await sendDue();
  expect(new Set(states().map(([, state]) => state))).toEqual(new Set(["resolved"]));
});

it("a test pages and ends by itself, each sent by a run of Handrail's", async () => {
  const { here, desk, destinationId } = await aDestination("opsgenie");
  const id = newPlanId();
  const about = { workflows: [], step: null, runId: null, problemId: null, planId: null, operationId: null };
  const event = { type: "test" as const, at: new Date().toISOString(), sentence: "This is a test", ...about };
  await engine.db.transaction(async (tx) => {
    const runId = await startDelivery(tx, id, 1);
    await insertDelivery(tx, { id, destinationId, events: [event], count: 1, runId });
  });
  await engine.worker([deliveryWorkflow(desk)]);
  await until("The end", () => here.alerts[0]?.states.length === 2);
  expect(here.alerts).toEqual([{ key: `handrail/delivery/${id}`, states: ["open", "resolved"] }]);
  const runs = await engine.rows<{ id: string }>(
    "select run_id as id from handrail.delivery where destination_id = $1",
    [destinationId],
  );
  expect(runs).toHaveLength(2);
  for (const run of runs) expect((await engine.untilEnded(run.id)).run).toMatchObject({ status: "completed" });
});
