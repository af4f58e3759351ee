import { describe, expect, it } from "vitest";
import { defineAlerts } from "../../engine/alerts/alert-rule";
import { changeAlertRule, listAlertRules, muteAlertRule, syncAlertRules } from "../../store/alerts/alert-rules";
import { acknowledgeAlert } from "../../store/alerts/alerts";
import { registerWorker } from "../../store/workers/workers";
import { anAlertDatabase } from "../../testing/alerts";
import { judgeAlerts } from "./judge-alerts";

const engine = anAlertDatabase();
const { aRule, tick, later, standing, notices, alerts } = engine;
const MINUTE = 60_000;

/** No worker is live, or one is. */
const goDown = () => engine.rows("delete from handrail.worker");
const comeUp = () => registerWorker(engine.db, { name: "w", concurrency: 1, leaseMs: 600_000, workflows: ["here"] });

describe("hysteresis", () => {
  it("fires when it was breached long enough, and resolves when it was clear long enough", async () => {
    await aRule({ kind: "live_workers", threshold: 1, forMs: MINUTE, resolveForMs: MINUTE });
    expect((await tick()).state).toBe("pending");
    await comeUp();
    expect((await tick()).state).toBe("ok");
    await goDown();
    await tick();
    await later(50_000);
    expect((await tick()).state).toBe("pending");
    await later(20_000);
    expect((await tick()).state).toBe("firing");
    await comeUp();
    expect((await tick()).state).toBe("firing");
    await goDown();
    await tick();
    await comeUp();
    await later(MINUTE);
    expect((await tick()).state).toBe("firing");
    await later(MINUTE);
    expect((await tick()).state).toBe("ok");
    expect(await notices()).toEqual(["alert.fired", "alert.resolved"]);
    expect(await alerts()).toMatchObject([{ resolved_at: expect.any(Date) }]);
  });

  it("stays what it is between its two thresholds", async () => {
    await aRule({ kind: "live_workers", threshold: 1, resolveThreshold: 2 });
    expect((await tick()).state).toBe("firing");
    await comeUp();
    expect((await tick()).state).toBe("firing");
    await comeUp();
    expect((await tick()).state).toBe("ok");
  });

  it("does not count a time in which nobody judged", async () => {
    await aRule({ kind: "live_workers", threshold: 1, forMs: 5 * MINUTE });
    await tick();
    await later(60 * MINUTE);
    expect((await tick(10 * MINUTE)).state).toBe("pending");
    await later(5 * MINUTE);
    expect((await tick()).state).toBe("firing");
  });

  it("flapping pages once within the quiet time, and again when it still fires afterwards", async () => {
    await aRule({ kind: "live_workers", threshold: 1, quietMs: 15 * MINUTE });
    for (let n = 0; n < 3; n++) {
      await goDown();
      await tick();
      await comeUp();
      await tick();
    }
    // An alert that was not sent gets no message that it is over.
    expect(await notices()).toEqual(["alert.fired", "alert.resolved"]);
    expect(await alerts()).toHaveLength(3);
    await goDown();
    await tick();
    expect(await notices()).toHaveLength(2);
    await later(15 * MINUTE);
    await tick();
    await tick();
    expect(await notices()).toEqual(["alert.fired", "alert.resolved", "alert.fired"]);
  });
});

describe("people", () => {
  it("a muted rule shows its state, and is sent when the mute ends while it fires", async () => {
    const { id } = await aRule({ kind: "live_workers", threshold: 1 });
    await muteAlertRule(engine.db, id, new Date(Date.now() + 60 * MINUTE).toISOString(), "mia");
    expect(await tick()).toMatchObject({ state: "firing", mutedBy: "mia" });
    expect(await notices()).toEqual([]);
    await muteAlertRule(engine.db, id, null, "mia");
    await tick();
    expect(await notices()).toEqual(["alert.fired"]);
  });

  it("an alert that was acknowledged while it was muted is not sent afterwards", async () => {
    const { id } = await aRule({ kind: "live_workers", threshold: 1 });
    await muteAlertRule(engine.db, id, new Date(Date.now() + 60 * MINUTE).toISOString(), "mia");
    await tick();
    const [alert] = await alerts();
    const alertId = alert?.id as string;
    expect(await acknowledgeAlert(engine.db, { alertId, ruleId: crypto.randomUUID() }, "leo")).toBe(false);
    expect(await acknowledgeAlert(engine.db, { alertId, ruleId: id }, "mia")).toBe(true);
    expect(await acknowledgeAlert(engine.db, { alertId, ruleId: id }, "leo")).toBe(false);
    await muteAlertRule(engine.db, id, null, "mia");
    await tick();
    expect(await notices()).toEqual([]);
  });

  it("switching a rule off resolves its alert", async () => {
    const rule = await aRule({ kind: "live_workers", threshold: 1 });
    await tick();
    await changeAlertRule(engine.db, { ...rule, enabled: false });
    expect((await tick()).state).toBe("ok");
    expect(await notices()).toEqual(["alert.fired", "alert.resolved"]);
    expect(await tick()).toMatchObject({ state: "ok", value: null });
  });
});

describe("many processes", () => {
  it("ten judge at once: one of them does, and one alert opens", async () => {
    await aRule({ kind: "live_workers", threshold: 1 });
    await engine.rows("update handrail.alert_turn set judged_at = '-infinity'");
    const turns = await Promise.all(Array.from({ length: 10 }, () => judgeAlerts(engine.db)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(await judgeAlerts(engine.db)).toBe(false);
    expect(await alerts()).toHaveLength(1);
    expect(await notices()).toEqual(["alert.fired"]);
  });

  it("a rule that a person is changing is judged at the next tick, and holds up no other", async () => {
    const rule = await aRule({ kind: "live_workers", threshold: 1 });
    await aRule({ name: "another", kind: "live_workers", threshold: 1 });
    await engine.db.transaction(async (tx) => {
      await changeAlertRule(tx, { ...rule, severity: "warning" });
      await tick();
    });
    const states = async () => (await listAlertRules(engine.db)).map(({ name, state }) => [name, state]);
    expect(await states()).toEqual([
      ["another", "firing"],
      ["a-rule", "ok"],
    ]);
    await tick();
    expect(await states()).toEqual([
      ["a-rule", "firing"],
      ["another", "firing"],
    ]);
  });
});

describe("as code, with several versions side by side", () => {
  const rules = (...names: string[]) =>
    defineAlerts(names.map((name) => ({ name, kind: "live_workers" as const, threshold: 1, forMs: 0 })));
  const register = async (app: string, names: string[]) => {
    await syncAlertRules(engine.db, app, rules(...names));
    const worker = { name: app, concurrency: 1, leaseMs: 60_000, workflows: [], app, alerts: names };
    return registerWorker(engine.db, worker);
  };
  const inForce = async () =>
    (await listAlertRules(engine.db)).filter(({ retired }) => !retired).map(({ name }) => name);
  const stop = (id: number) =>
    engine.rows("update handrail.worker set stopped_at = clock_timestamp() where id = $1", [id]);

  it("a rule is in force until no live worker of its app defines it, and while none lives at all", async () => {
    const old = await register("orders", ["kept", "dropped"]);
    const now = await register("orders", ["kept"]);
    expect(await inForce()).toEqual(["dropped", "kept"]);
    await stop(old);
    expect(await inForce()).toEqual(["kept"]);
    // Another app's workers say nothing of this one's rules.
    await register("billing", ["theirs"]);
    await stop(now);
    expect(await inForce()).toEqual(["dropped", "kept", "theirs"]);
  });

  it("a rule that the code dropped while it fired is resolved", async () => {
    const old = await register("orders", ["dropped"]);
    await engine.rows("update handrail.alert_rule set threshold = 5, resolve_threshold = 5");
    await tick();
    expect((await standing()).state).toBe("firing");
    await register("orders", []);
    await stop(old);
    expect(await tick()).toMatchObject({ state: "ok", retired: true });
    expect(await notices()).toEqual(["alert.fired", "alert.resolved"]);
  });

  it("the worker that starts last wins; a name that people use stays theirs; mutes stay", async () => {
    await syncAlertRules(engine.db, "orders", rules("a"));
    const { id } = await standing();
    await muteAlertRule(engine.db, id, new Date(Date.now() + MINUTE).toISOString(), "mia");
    const [a] = rules("a");
    await syncAlertRules(engine.db, "orders", [{ ...a, threshold: 2, resolveThreshold: 2 } as never]);
    expect(await standing()).toMatchObject({ id, threshold: 2, mutedBy: "mia", source: "code", revision: 2 });
    await syncAlertRules(engine.db, "orders", [{ ...a, threshold: 2, resolveThreshold: 2 } as never]);
    expect(await standing()).toMatchObject({ revision: 2 });
    await aRule({ name: "mine", kind: "live_workers", threshold: 3 });
    expect(await syncAlertRules(engine.db, "orders", rules("mine"))).toEqual(["mine"]);
    expect((await listAlertRules(engine.db)).find(({ name }) => name === "mine")).toMatchObject({ threshold: 3 });
  });
});
