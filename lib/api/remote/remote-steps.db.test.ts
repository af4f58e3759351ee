import { describe, expect, it } from "vitest";
import { until } from "../../testing/until";
import { aRemoteScene } from "../../testing/workers/remote-worker";

const scene = aRemoteScene();
const once = { effect: "once" };
const lost = { code: "claim_lost", status: 409 };

describe("a step over HTTP", () => {
  it("goes once it is on record as started, and its kept outcome comes back to every later claim", async () => {
    const { claim, runId, worker, peer } = await scene.claim();
    const go = await claim.ask("charge");
    expect(go).toEqual({ next: "go", attempt: 1, epoch: claim.epoch, idempotencyKey: `${runId}:charge:1` });
    expect(await scene.step(runId, "charge")).toMatchObject({ status: "running", effect: "idempotent", attempt: 1 });
    const outcome = { attempt: 1, outcome: "completed", output: { id: "ch_1" }, reference: "ch_1" };
    const kept = { next: "completed", output: { id: "ch_1" }, reference: "ch_1" };
    expect(await claim.record("charge", outcome)).toEqual(kept);
    expect(await claim.ask("charge")).toEqual(kept);
    await scene.takeOver(worker, await peer());
    const next = await (await peer()).claim();
    expect(next.epoch).toBeGreaterThan(claim.epoch);
    expect(await next.ask("charge")).toEqual(kept);
    await next.complete({ done: true });
    const { body } = await scene.api.ask("GET", `/v1/runs/${runId}`);
    expect(body).toMatchObject({ status: "completed", output: { done: true } });
  });

  it("keeps values that JSON lacks, and refuses what cannot be kept", async () => {
    const { claim } = await scene.claim();
    await claim.ask("read");
    const date = { $type: "Date", value: "2026-01-01T00:00:00.000Z" };
    await expect(claim.completed("read", 1, { $type: "nonsense" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(claim.completed("read", 1, "x".repeat(1_100_000))).rejects.toMatchObject({ code: "invalid_input" });
    expect(await claim.completed("read", 1, { date })).toMatchObject({ output: { date } });
  });

  it("is tried again by the policy of its workflow, or its own, until that says that it has failed", async () => {
    const retry = { maxAttempts: 3, initialDelayMs: 40_000, jitter: 0 };
    const { claim, runId } = await scene.claim({ workflow: { retry } });
    await claim.ask("fetch");
    const answer = await claim.failed("fetch", 1);
    expect(answer).toMatchObject({ next: "wait", for: "retry" });
    expect(answer.inMs).toBeGreaterThan(38_000);
    expect(await claim.ask("fetch")).toMatchObject({ next: "wait", for: "retry", until: answer.until });
    expect(await scene.step(runId, "fetch")).toMatchObject({ status: "waiting", maxAttempts: 3 });
    await claim.ask("other", { retry: { maxAttempts: 2, initialDelayMs: 0 } });
    expect(await claim.failed("other", 1, { retry: { initialDelayMs: 0 } })).toMatchObject({ next: "wait", inMs: 0 });
    expect(await claim.ask("other")).toMatchObject({ next: "go", attempt: 2, idempotencyKey: `${runId}:other:1` });
    const error = { name: "NoStock", message: "none left", code: "empty" };
    expect(await claim.failed("other", 2, { error })).toEqual({ next: "failed", error });
    expect(await claim.ask("other")).toEqual({ next: "failed", error });
    await claim.fail({ error, failedStep: "other" });
    expect((await scene.history(runId)).run).toMatchObject({ status: "failed", failed_step: "other", error });
    const { attempts } = await scene.history(runId);
    expect(attempts.map(({ step, number, status }) => [step, number, status])).toEqual([
      ["fetch", 1, "failed"],
      ["other", 1, "failed"],
    ]);
  });

  it("decides itself that no retry follows, or when the next one does", async () => {
    const { claim } = await scene.claim();
    await claim.ask("a");
    expect(await claim.failed("a", 1, { retryable: false })).toMatchObject({ next: "failed" });
    await claim.ask("b");
    const answer = await claim.failed("b", 1, { retryAfterMs: 90_000 });
    expect(answer.inMs).toBeGreaterThan(85_000);
    expect(answer.inMs).toBeLessThanOrEqual(90_000);
  });

  it("is recorded once: the same outcome sent again gets the same answer, a step that was not asked for none", async () => {
    const { claim, runId } = await scene.claim();
    await expect(claim.completed("charge", 1)).rejects.toMatchObject({ code: "unknown_step" });
    await claim.ask("charge");
    const failed = await claim.failed("charge", 1);
    const again = await claim.failed("charge", 1);
    expect(again.until).toBe(failed.until);
    await expect(claim.completed("charge", 2)).rejects.toMatchObject({ code: "not_allowed", details: { attempt: 1 } });
    await claim.ask("ship");
    const answers = await Promise.all([1, 2, 3].map((n) => claim.completed("ship", 1, n)));
    expect(new Set(answers.map(({ output }) => output)).size).toBe(1);
    expect((await scene.history(runId)).steps.filter(({ name }) => name === "ship")).toHaveLength(1);
    const end = await claim.complete("the end");
    expect(await claim.complete("the end")).toEqual(end);
    await expect(claim.ask("more")).rejects.toMatchObject(lost);
    await expect(claim.completed("ship", 1, 1)).rejects.toMatchObject(lost);
  });

  it("sleeps by the database's clock, across claims", async () => {
    const { claim, runId, worker } = await scene.claim();
    const wait = await claim.sleep("nap", 1_200);
    expect(wait).toMatchObject({ next: "wait", for: "timer" });
    expect((await claim.sleep("nap", 1_200)).until).toBe(wait.until);
    expect(await claim.handBack("nap")).toEqual({ status: "waiting" });
    expect((await scene.history(runId)).run).toMatchObject({ waiting_kind: "timer", waiting_step: "nap" });
    const next = await worker.claim();
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(wait.until) - 5);
    expect(await next.sleep("nap", 1_200)).toEqual({ next: "completed", output: null, reference: null });
    await next.complete();
  });

  it("may be asked for again when the answer was lost; one with effect once only by the same key", async () => {
    const { claim } = await scene.claim();
    const go = await claim.ask("fetch");
    expect(await claim.ask("fetch")).toEqual(go);
    const first = await claim.ask("mail", once, "key-1");
    expect(await claim.ask("mail", once, "key-1")).toEqual(first);
    await expect(claim.ask("mail", once)).rejects.toMatchObject({ code: "not_allowed", details: { attempt: 1 } });
    await expect(claim.ask("mail", once, "key-2")).rejects.toMatchObject({ code: "not_allowed" });
    await claim.completed("mail", 1);
  });
});

describe("a step with effect once", () => {
  it("whose worker was lost under its body is unknown, and does not run again by itself", async () => {
    const { claim, runId, worker, peer } = await scene.claim();
    await claim.ask("mail", once);
    const other = await peer();
    await scene.takeOver(worker, other);
    const next = await other.claim();
    expect(await next.ask("mail", once)).toEqual({ next: "wait", for: "operator", until: null, inMs: null });
    expect(await next.handBack("mail")).toEqual({ status: "waiting" });
    expect((await scene.history(runId)).run).toMatchObject({ waiting_kind: "operator", attention: "outcome_unknown" });
    expect(await other.claims()).toEqual([]);
    const answer = { outcome: "happened", output: { id: "m_1" } };
    await scene.act(runId, "steps/mail/resolution", answer);
    const last = await other.claim();
    expect(await last.ask("mail", once)).toMatchObject({ next: "completed", output: { id: "m_1" } });
    await last.complete();
  });

  it("that may have happened is unknown once its run has ended without its retry", async () => {
    const { claim, runId } = await scene.claim();
    await claim.ask("charge");
    expect(await claim.failed("charge", 1, { mayHaveHappened: true })).toMatchObject({ next: "wait", for: "retry" });
    await claim.fail();
    const { run, steps } = await scene.history(runId);
    expect(run).toMatchObject({ status: "failed", attention: "outcome_unknown" });
    expect(steps).toMatchObject([{ name: "charge", status: "unknown", next_attempt_at: null }]);
  });

  it("that may have happened is unknown at once; one that failed for certain is not tried again by itself", async () => {
    const { claim, runId } = await scene.claim();
    await claim.ask("mail", once);
    expect(await claim.failed("mail", 1, { mayHaveHappened: true })).toMatchObject({ next: "wait", for: "operator" });
    await claim.ask("sms", once);
    expect(await claim.failed("sms", 1)).toMatchObject({ next: "failed" });
    await claim.fail({ failedStep: "sms" });
    expect((await scene.history(runId)).run).toMatchObject({ status: "failed", attention: "outcome_unknown" });
  });

  it("that its worker hands back under the body is unknown, too", async () => {
    const { claim, runId, worker } = await scene.claim();
    await claim.ask("mail", once);
    expect(await claim.handBack()).toEqual({ status: "pending" });
    const next = await worker.claim();
    expect(await next.ask("mail", once)).toMatchObject({ next: "wait", for: "operator" });
    await next.handBack("mail");
    expect(await scene.step(runId, "mail")).toMatchObject({ status: "unknown", attempt: 1 });
  });
});

describe("a claim over HTTP", () => {
  it("goes to one of two that ask at once", async () => {
    const { claim, name, peer } = await scene.claim();
    await claim.complete();
    const runId = await scene.start(name);
    const workers = await Promise.all([peer(), peer(), peer()]);
    const taken = await Promise.all(workers.map((worker) => worker.claims()));
    expect(taken.flat().map(({ id }) => id)).toEqual([runId]);
  });

  it("waits for a run that is started meanwhile, and returns none when the wait expires", async () => {
    const { claim, name, worker } = await scene.claim();
    await claim.complete();
    expect(await worker.claims({ waitMs: 200 })).toEqual([]);
    const waiting = worker.claims({ waitMs: 20_000 });
    const runId = await scene.start(name);
    expect(await waiting).toMatchObject([{ id: runId }]);
  });

  it("returns the same runs to a repeated request with the same key", async () => {
    const { claim, name, worker } = await scene.claim();
    await claim.complete();
    expect(await worker.claims({}, "claim-0")).toEqual([]);
    await scene.start(name);
    const first = await worker.claims({}, "claim-0");
    expect(first).toHaveLength(1);
    expect(await worker.claims({}, "claim-0")).toEqual(first);
  });

  it("is lost with the lease: a stale epoch writes nothing, whatever it says", async () => {
    const { claim, runId, worker, peer } = await scene.claim();
    await claim.ask("charge");
    await scene.endLease(worker);
    await expect(claim.ask("ship")).rejects.toMatchObject(lost);
    await expect(worker.beat()).rejects.toMatchObject({ code: "lease_ended", status: 409 });
    await expect(worker.claims()).rejects.toMatchObject({ code: "lease_ended" });
    const other = await peer();
    await other.beat();
    const next = await other.claim();
    for (const stale of [
      () => claim.completed("charge", 1),
      () => claim.ask("charge"),
      () => claim.handBack(),
      () => claim.complete(),
      () => claim.fail(),
    ])
      await expect(stale()).rejects.toMatchObject(lost);
    expect(await next.ask("charge")).toMatchObject({ next: "go", attempt: 2, idempotencyKey: `${runId}:charge:1` });
    await next.completed("charge", 2);
    const { attempts, lostClaims } = await scene.history(runId);
    expect(attempts).toMatchObject([{ number: 1, status: "unknown", error: { name: "WorkerLost" } }]);
    expect(lostClaims).toBe(1);
  });

  it("is kept by a beat that comes in time, and lost to the take-over that comes first, never both", async () => {
    for (let round = 0; round < 5; round++) {
      const { worker, peer, claim, runId } = await scene.claim({ registration: { leaseMs: 1_000 } });
      const other = await peer();
      const [beat] = await Promise.allSettled([worker.beat(), scene.endLease(worker).then(() => other.beat())]);
      const taken = await other.claims();
      if (taken.length > 0) await expect(claim.ask("a")).rejects.toMatchObject(lost);
      else if (beat.status === "fulfilled") expect((await scene.history(runId)).run.epoch).toBe(claim.epoch);
    }
  });

  it("lasts as long as its worker beats", async () => {
    const { claim, worker, peer } = await scene.claim({ registration: { leaseMs: 1_000 } });
    const other = await peer();
    const until2s = Date.now() + 2_000;
    await until("two leases", async () => {
      await Promise.all([worker.beat(), other.beat()]);
      return Date.now() > until2s;
    });
    expect(await claim.ask("charge")).toMatchObject({ next: "go", attempt: 1 });
  });

  it("is not extended by a beat whose answer cannot be read: its worker stops for want of one", async () => {
    const { worker } = await scene.claim();
    const leases = async () =>
      (await scene.database.pool.query("select lease_expires_at::text as at from handrail.worker order by id")).rows;
    const before = await leases();
    const other = await scene.database.pool.connect();
    try {
      // As a migration would. Only the answer needs it.
      await other.query("begin; lock table handrail.drain in access exclusive mode");
      await expect(worker.beat()).rejects.toMatchObject({ status: 503 });
      expect(await leases()).toEqual(before);
    } finally {
      await other.query("rollback");
      other.release();
    }
    await worker.beat();
    expect(await leases()).not.toEqual(before);
  });

  it("learns that a person cancels or pauses its run, and completes that by handing it back", async () => {
    const { claim, runId, worker, name } = await scene.claim();
    await scene.act(runId, "cancellation");
    expect((await worker.beat()).cancelled).toEqual([runId]);
    expect(await claim.ask("charge")).toEqual({ next: "stop", because: "cancelled" });
    expect(await claim.handBack()).toEqual({ status: "cancelled" });
    expect(await claim.handBack()).toEqual({ status: "cancelled" });
    const second = await scene.start(name);
    const next = await worker.claim();
    await next.ask("charge");
    await scene.act(second, "pause");
    expect(await next.completed("charge", 1)).toMatchObject({ next: "completed" });
    expect(await next.ask("ship")).toEqual({ next: "stop", because: "paused" });
    expect(await next.handBack()).toEqual({ status: "paused" });
    await scene.act(second, "resumption");
    const last = await worker.claim();
    expect(await last.ask("charge")).toMatchObject({ next: "completed" });
    await last.complete();
  });

  it("rests when an operator holds all of its workflow", async () => {
    const { claim, runId, worker, name } = await scene.claim();
    const intake = (what: string, body: object) =>
      scene.api.ask("POST", `/v1/workflows/${name}/intake/${what}`, { body: { reason: "a test", ...body } });
    expect((await intake("closure", { holds: "all" })).status).toBe(200);
    expect((await worker.beat()).paused).toEqual([runId]);
    expect(await claim.ask("charge")).toEqual({ next: "stop", because: "held" });
    expect(await claim.handBack()).toEqual({ status: "pending" });
    expect(await worker.claims()).toEqual([]);
    await intake("opening", {});
    const next = await worker.claim();
    expect(await next.ask("charge")).toMatchObject({ next: "go", attempt: 1 });
    await next.completed("charge", 1);
    await next.complete();
  });

  it("ends by the run's own timeout", async () => {
    const { claim, runId } = await scene.claim({ workflow: { timeoutMs: 300 } });
    expect(claim.taken.endsInMs).toBeGreaterThan(0);
    await until("the run's timeout", async () => (await claim.ask("charge")).next === "stop");
    expect(await claim.handBack()).toEqual({ status: "failed" });
    expect((await scene.history(runId)).run.error).toMatchObject({ code: "run_timed_out" });
  });

  it("is refused for an unknown worker", async () => {
    const nobody = { ...(await scene.claim()).worker };
    const { status, body } = await scene.api.ask("POST", "/v1/worker/registrations/999999/claims", { body: {} });
    expect([status, body.error.code]).toEqual([404, "unknown_worker"]);
    const bad = await scene.api.ask("POST", "/v1/worker/registrations/abc/claims", { body: {} });
    expect([bad.status, bad.body.error.code]).toEqual([400, "invalid_request"]);
    expect(await nobody.depart()).toEqual({ running: 1 });
  });
});
