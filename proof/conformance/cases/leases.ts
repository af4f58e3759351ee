import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../../lib/testing/until";
import type { Case } from "../case";
import { SHORT_LEASE_MS } from "../stage";

export const leaseCases: readonly Case[] = [
  [
    "a worker that dies in a body of an idempotent step: the next one runs it again with the same key",
    async (stage) => {
      const code = (end: object) => [
        { step: "before", bodies: [{ return: 1 }] },
        { step: "pay", bodies: [end as { return: unknown }] },
      ];
      await stage.work(code({ die: true }));
      const dying = stage.driver;
      const runId = await stage.start();
      await dying.untilEnded();
      await stage.loseLease(runId);
      expect(dying.calls("pay")).toMatchObject([{ key: `${runId}:pay:1` }]);
      await stage.work(code({ return: "paid" }));
      expect(await stage.result(runId)).toEqual({ before: 1, pay: "paid" });
      expect(stage.driver.reports).toMatchObject([{ body: "pay", key: `${runId}:pay:1` }]);
    },
  ],
  [
    "a worker that dies in a body of a once step: nobody runs it again until a person has looked",
    async (stage) => {
      const code = (act: object) => [{ step: "mail", effect: "once" as const, bodies: [act as { return: unknown }] }];
      await stage.work(code({ die: true }));
      const dying = stage.driver;
      const runId = await stage.start();
      await dying.untilEnded();
      await stage.loseLease(runId);
      await stage.work(code({ return: "sent" }));
      await stage.untilAttention(runId, "outcome_unknown");
      expect(stage.driver.calls("mail")).toEqual([]);
      await stage.scene.act(runId, "steps/mail/resolution", { outcome: "did_not_happen" });
      expect(await stage.result(runId)).toEqual({ mail: "sent" });
    },
  ],
  [
    "a worker whose lease ended is refused with the secret that it had, and registers anew",
    async (stage) => {
      await stage.work([{ step: "pay", bodies: [{ hold: "late" }, { return: "next" }] }]);
      const runId = await stage.start();
      await stage.driver.untilCalled("pay");
      // Else it hears at once that its lease ended, and is as quick to claim the run as its peer.
      await stage.driver.freeze();
      await stage.loseLease(runId);
      const peer = await stage.scene.worker([{ name: stage.workflow }], { leaseMs: 60_000 });
      const claim = await peer.claim();
      const { attempt } = await claim.ask("pay");
      await claim.completed("pay", attempt, "by its peer");
      await claim.complete({ pay: "by its peer" });
      stage.server.refused.length = 0;
      stage.driver.thaw();
      await stage.driver.do({ do: "release", step: "pay" });
      await peer.depart();
      expect(await stage.result(await stage.start())).toEqual({ pay: "next" });
      expect(await stage.result(runId)).toEqual({ pay: "by its peer" });
      const late = stage.server.refused.filter(({ path }) => path.includes(runId));
      for (const refused of late) expect(refused).toMatchObject({ code: "claim_lost", status: 409 });
    },
  ],
  [
    "a worker that was frozen past its lease begins no compensation",
    async (stage) => {
      const code = [
        { step: "pay", bodies: [{ return: "paid" }] },
        { step: "ship", bodies: [{ final: "no such street" }] },
      ];
      const definition = { onFailure: "compensate" };
      await stage.workOn([stage.program(code, definition, ["pay"])], SHORT_LEASE_MS);
      const { held, release } = stage.server.holdAnswer("/undos");
      const runId = await stage.start();
      await held;
      await stage.driver.freeze();
      release();
      await stage.loseLease(runId);
      const peer = await stage.scene.worker([{ name: stage.workflow, ...definition }], { leaseMs: 60_000 });
      const claim = await peer.claim();
      const { step, generation, attempt } = await claim.nextCompensation();
      await claim.recordCompensation(step, { generation, attempt, outcome: "completed" });
      expect(await claim.nextCompensation()).toEqual({ next: "none", status: "compensated" });
      // By its own clock, too.
      await delay(SHORT_LEASE_MS);
      stage.driver.thaw();
      await peer.depart();
      expect(await stage.failure(await stage.start())).toMatchObject({ status: "compensated" });
      expect(stage.driver.reports.filter(({ undo }) => undo).map(({ key }) => key)).not.toContain(
        `${runId}:pay:1:undo`,
      );
    },
  ],
  [
    "a body hears that its run was cancelled, and no step begins after it",
    async (stage) => {
      const code = [
        { step: "long", bodies: [{ hold: 1 }] },
        { step: "never", bodies: [{ return: 1 }] },
      ];
      await stage.workOn([stage.program(code)], SHORT_LEASE_MS);
      const runId = await stage.start();
      await stage.driver.untilCalled("long");
      await stage.driver.do({ do: "cancel", runId });
      expect(await stage.failure(runId)).toMatchObject({ status: "cancelled" });
      expect(stage.driver.calls("never")).toEqual([]);
    },
  ],
  [
    "a pause lets a body in flight end: its outcome is kept, and no step begins after it",
    async (stage) => {
      const code = [
        { step: "mail", effect: "once" as const, bodies: [{ hold: "sent" }] },
        { step: "after", bodies: [{ return: 1 }] },
      ];
      await stage.workOn([stage.program(code)], SHORT_LEASE_MS);
      const runId = await stage.start();
      await stage.driver.untilCalled("mail");
      await stage.scene.act(runId, "pause");
      // It hears of it with a heartbeat.
      await delay(SHORT_LEASE_MS);
      await stage.driver.do({ do: "release", step: "mail" });
      await stage.until(runId, "paused");
      expect(await stage.step(runId, "mail")).toMatchObject({ status: "completed" });
      expect(stage.driver.calls("after")).toEqual([]);
      await stage.scene.act(runId, "resumption");
      expect(await stage.result(runId)).toEqual({ mail: "sent", after: 1 });
    },
  ],
  [
    "heartbeats keep a run through a body that is longer than the lease",
    async (stage) => {
      await stage.workOn([stage.program([{ step: "long", bodies: [{ hold: "kept" }] }])], SHORT_LEASE_MS);
      const runId = await stage.start();
      await stage.driver.untilCalled("long");
      const beats = async () => {
        const { rows } = await stage.scene.database.pool.query(
          "select worker.lease_expires_at from handrail.worker join handrail.run on run.worker_id = worker.id where run.id = $1",
          [runId],
        );
        return Number(rows[0].lease_expires_at);
      };
      const first = await beats();
      await until("A lease later", async () => (await beats()) > first + SHORT_LEASE_MS);
      await stage.driver.do({ do: "release", step: "long" });
      expect(await stage.result(runId)).toEqual({ long: "kept" });
      expect((await stage.scene.history(runId)).lostClaims).toBe(0);
    },
  ],
  [
    "a worker that stops hands its run back, and leaves",
    async (stage) => {
      await stage.work([{ sleep: "rest", ms: 3_600_000 }]);
      const runId = await stage.start();
      await stage.until(runId, "waiting");
      await stage.driver.do({ do: "stop" });
      const { body } = await stage.scene.api.ask("GET", "/v1/workflows");
      const mine = body.workflows.find(({ name }: { name: string }) => name === stage.workflow);
      expect(mine.workers).toBe(0);
      await stage.driver.do({ do: "cancel", runId });
    },
  ],
  [
    "a run goes on with the version that it began with, where the worker has it",
    async (stage) => {
      const version = (number: number) =>
        stage.program(
          [
            { event: "go", name: "go" },
            { step: `of-${number}`, bodies: [{ return: number }] },
          ],
          { version: number },
        );
      await stage.workOn([version(1)]);
      const old = await stage.start();
      await stage.until(old, "waiting");
      await stage.driver.do({ do: "stop" });
      await stage.workOn([version(1), version(2)]);
      const young = await stage.start();
      for (const runId of [old, young]) await stage.driver.do({ do: "send", event: "go", payload: 1, runId });
      expect(await stage.result(old)).toEqual({ go: 1, "of-1": 1 });
      expect(await stage.result(young)).toEqual({ go: 1, "of-2": 2 });
    },
  ],
];
