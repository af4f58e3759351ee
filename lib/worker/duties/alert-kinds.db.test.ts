import { describe, expect, it } from "vitest";
import { RollupTally } from "../../engine/flow/rollup";
import { changeAlertRule, listAlertRules } from "../../store/alerts/alert-rules";
import { noteBlobWait } from "../../store/blobs/blob-waits";
import { addRollups } from "../../store/flow/rollup-fold";
import { registerWorker } from "../../store/workers/workers";
import { anAlertDatabase } from "../../testing/alerts";
import { aRun } from "../../testing/rows/a-run";

const engine = anAlertDatabase();
const { aRule, tick } = engine;
const MINUTE = 60_000;

async function ends(
  workflow: string,
  counts: { completed?: number; failed?: number },
  { agoMs = 0, tookBucket = 40 } = {},
) {
  const tally = new RollupTally(Date.now());
  const atMs = Math.floor((Date.now() - agoMs) / MINUTE) * MINUTE;
  for (const [status, runs] of Object.entries(counts))
    tally.addEnds({ workflow, version: 1, atMs, status: status as "failed", runs, tookBucket, queuedBucket: null });
  await engine.db.transaction((tx) => addRollups(tx, tally));
}

describe("each kind", () => {
  it("failure_ratio: the worst workflow with enough ends, within the window", async () => {
    await aRule({ kind: "failure_ratio", threshold: 0.2, minCount: 10 });
    await ends("few", { failed: 9 });
    await ends("well", { completed: 80, failed: 20 });
    await ends("handrail.delivery", { failed: 50 });
    await ends("past", { failed: 50 }, { agoMs: 20 * MINUTE });
    expect(await tick()).toMatchObject({ state: "ok", value: 0.2, subject: "well" });
    await ends("bad", { completed: 6, failed: 6 });
    expect(await tick()).toMatchObject({ state: "firing", value: 0.5, subject: "bad" });
  });

  it("failure_ratio of all workflows together, and of named ones", async () => {
    const rule = await aRule({ kind: "failure_ratio", threshold: 0.2, together: true });
    await ends("bad", { failed: 10 });
    await ends("well", { completed: 30 });
    expect(await tick()).toMatchObject({ state: "firing", value: 0.25, subject: null });
    await changeAlertRule(engine.db, { ...rule, together: false, workflows: ["well", "unknown"] });
    expect(await tick()).toMatchObject({ state: "ok", value: 0, subject: "well" });
  });

  it("duration_p95: of the worst workflow, by the histograms of the charts", async () => {
    await aRule({ kind: "duration_p95", threshold: 60_000, windowMs: 6 * 60 * MINUTE });
    await ends("quick", { completed: 95 }, { tookBucket: 20 });
    await ends("quick", { completed: 5 }, { tookBucket: 80 });
    expect((await tick()).value).toBeLessThan(50);
    await ends("quick", { completed: 1 }, { tookBucket: 80 });
    const slow = await tick();
    expect(slow).toMatchObject({ state: "firing", subject: "quick" });
    expect(slow.value).toBeGreaterThan(900_000);
  });

  it("backlog_age: not of a workflow whose new runs a person has paused", async () => {
    await engine.rows(
      `insert into handrail.workflow (name, version, title, input_schema) values ('order-fulfilment', 1, 'Orders', '{}') on conflict do nothing`,
    );
    await aRule({ kind: "backlog_age", threshold: 5 * MINUTE });
    await aRun(engine.db, { idempotencyKey: undefined }).pending();
    expect((await tick()).state).toBe("ok");
    await engine.rows("update handrail.run set created_at = created_at - interval '10 minutes'");
    expect(await tick()).toMatchObject({ state: "firing", subject: "order-fulfilment" });
    await engine.rows(
      "insert into handrail.closed_intake (workflow, holds, reason, closed_by) values ('order-fulfilment', 'new', 'down', 'mia')",
    );
    expect((await tick()).state).toBe("ok");
    await engine.rows("delete from handrail.closed_intake");
  });

  it("backlog_age: also of a run that others of a higher priority pass", async () => {
    await aRule({ kind: "backlog_age", threshold: 5 * MINUTE, workflows: ["passed"] });
    const started = (priority: number, runs: number, ago: string) =>
      engine.rows(
        `insert into handrail.run (id, workflow, version, input, priority, created_at)
         select handrail.new_id(), 'passed', 1, '{}', $1, clock_timestamp() - $3::interval from generate_series(1, $2::int)`,
        [priority, runs, ago],
      );
    await started(0, 1, "1 hour");
    await started(5, 1, "1 minute");
    await started(10, 100, "0");
    const measured = await tick();
    expect(measured).toMatchObject({ state: "firing", subject: "passed" });
    expect(measured.value).toBeGreaterThanOrEqual(60 * MINUTE);
  });

  it("live_workers: none at all, and none for one workflow", async () => {
    const rule = await aRule({ kind: "live_workers", threshold: 1 });
    expect(await tick()).toMatchObject({ state: "firing", value: 0 });
    const worker = { name: "w", concurrency: 1, leaseMs: 60_000, workflows: ["here"] };
    await registerWorker(engine.db, worker);
    expect(await tick()).toMatchObject({ state: "ok", value: 1 });
    await changeAlertRule(engine.db, { ...rule, workflows: ["here", "gone"] });
    expect(await tick()).toMatchObject({ state: "firing", value: 0, subject: "gone" });
  });

  it("unknown_outcome_age", async () => {
    await aRule({ kind: "unknown_outcome_age", threshold: 5 * MINUTE });
    await aRun(engine.db, { idempotencyKey: undefined }).waitingUnknown("charge-payment");
    await engine.rows("update handrail.run set waiting_since = clock_timestamp() - interval '4 minutes'");
    expect((await tick()).state).toBe("ok");
    await engine.rows("update handrail.run set waiting_since = clock_timestamp() - interval '6 minutes'");
    expect(await tick()).toMatchObject({ state: "firing", subject: "order-fulfilment" });
  });

  it("compensation_age, of its workflow", async () => {
    const rule = await aRule({ kind: "compensation_age", threshold: 60 * MINUTE, workflows: ["other"] });
    await aRun(engine.db, { idempotencyKey: undefined }).compensatingInHand();
    await engine.rows(
      "update handrail.compensation set owed_at = clock_timestamp() - interval '2 hours' where finished_at is null",
    );
    expect((await tick()).state).toBe("ok");
    await changeAlertRule(engine.db, { ...rule, workflows: null });
    expect(await tick()).toMatchObject({ state: "firing", subject: "order-fulfilment" });
  });

  it("blob_store_age: from the first failure to the last one of a run that has not ended", async () => {
    await aRule({ kind: "blob_store_age", threshold: 2 * MINUTE });
    const id = await aRun(engine.db, { idempotencyKey: undefined }).pending();
    const fail = () => noteBlobWait(engine.db, id, "503 SlowDown");
    const ago = (minutes: number) =>
      engine.rows("update handrail.blob_wait set since = since - $1::interval, failed_at = failed_at - $1::interval", [
        `${minutes} minutes`,
      ]);
    expect((await tick()).state).toBe("ok");
    expect(await fail()).toBe(1);
    await ago(3);
    // It got through at once.
    expect(await tick()).toMatchObject({ state: "ok", subject: "order-fulfilment", value: 0 });
    expect(await fail()).toBe(2);
    expect(await tick()).toMatchObject({ state: "firing", subject: "order-fulfilment" });
    // It got through, or nobody asked: what fails now is another wait.
    await ago(6);
    expect((await tick()).state).toBe("ok");
    expect(await fail()).toBe(1);
    await ago(3);
    expect(await fail()).toBe(2);
    expect((await tick()).state).toBe("firing");
    await engine.rows("update handrail.run set status = 'cancelled', finished_at = clock_timestamp(), due_at = null");
    expect((await tick()).state).toBe("ok");
  });

  it("of a later release: neither judged nor shown, and the others are", async () => {
    await aRule({ kind: "live_workers", threshold: 1 });
    await engine.rows("alter table handrail.alert_rule drop constraint alert_rule_kind");
    await engine.rows(
      `insert into handrail.alert_rule (id, name, source, kind, threshold, resolve_threshold, for_ms, resolve_for_ms, quiet_ms, severity, created_by)
      values (gen_random_uuid(), 'a-later-rule', 'default', 'moon_phase', 1, 1, 0, 0, 0, 'critical', 'handrail')`,
    );
    expect(await tick()).toMatchObject({ name: "a-rule", state: "firing" });
    expect(await listAlertRules(engine.db)).toHaveLength(1);
  });

  it("schedule_late names the schedule", async () => {
    await aRule({ kind: "schedule_late", threshold: MINUTE });
    await engine.rows(
      `insert into handrail.schedule (name, workflow, title, definition, nominal_at, look_at)
      values ('nightly', 'w', 'Nightly', '{}', clock_timestamp(), clock_timestamp() - interval '2 minutes')`,
    );
    expect(await tick()).toMatchObject({ state: "firing", subject: "nightly" });
    await engine.rows(
      "update handrail.schedule set look_at = clock_timestamp() + interval '1 minute', nominal_at = clock_timestamp() + interval '1 minute'",
    );
    expect((await tick()).state).toBe("ok");
  });
});
