import { fileURLToPath } from "node:url";
import { rerun } from "../../lib/operator/rerun";
import { MAX_LOST_CLAIMS } from "../../lib/store/take-over";
import type { Fault as Place } from "../../lib/testing/crash";
import { until } from "../../lib/testing/until";
import type { Fault } from "../fault";
import { blocking, poison, workflows as withProbes } from "../probes";
import type { Scene } from "../scene";
import { strikeAt } from "./strike";

const PROBES = fileURLToPath(new URL("../probes.ts", import.meta.url));
const SKEWED = fileURLToPath(new URL("../skewed-clock.ts", import.meta.url));
const HARM = { HANDRAIL_FAULT_HARM: "on" };

/** Before a record, between effect and record, under a row lock, before the end. */
const STOPS: Place[] = [
  { point: "flush:before" },
  { point: "step:after-body", detail: "charge-payment" },
  { point: "transaction:before-commit", detail: "reserve-stock" },
  { point: "run:before-end" },
];

async function takenOver(scene: Scene): Promise<boolean> {
  const [row] = await scene.rows<{ lost: number }>("select count(*)::int as lost from handrail.lost_claim");
  return (row?.lost ?? 0) > 0;
}

/** Stopped past its lease: another worker finishes its runs; then it goes on, with everything it still wanted to say. */
const stopped = (place: Place): Fault => ({
  name: "stopped past its lease",
  how: `SIGSTOP at ${place.point}, SIGCONT after the take-over`,
  async strike(scene) {
    await scene.load(2);
    const zombie = await strikeAt(scene, { ...place, signal: "SIGSTOP" });
    if (!zombie) return 0;
    await scene.worker();
    await until("The take-over from the stopped worker", () => takenOver(scene));
    await scene.untilQuiet();
    zombie.signal("SIGCONT");
    await zombie.untilLost();
    return 1;
  },
});

const blocked: Fault = {
  name: "blocked past its lease",
  how: "a body keeps the event loop for 5 s under a lease of 2 s",
  workflows: withProbes,
  async strike(scene) {
    await scene.load(1);
    const run = await scene.start(blocking, { orderId: `blocked-${scene.word()}` });
    const child = scene.child({ workflows: PROBES, env: HARM, leaseMs: 2_000 });
    await until("The body", async () => (await scene.statusOf(run)) === "running");
    await scene.worker({ workflows: withProbes });
    await until("The take-over from the blocked worker", () => takenOver(scene));
    await child.untilLost();
    return 1;
  },
};

/** Each worker that takes it up dies; it has to stop at some time, and its neighbours must not be taken along. */
const poisoned: Fault = {
  name: "poison run",
  how: `a body kills its worker each time, ${MAX_LOST_CLAIMS} workers in a row`,
  workflows: withProbes,
  async strike(scene) {
    const run = await scene.start(poison, { orderId: "none" });
    await scene.load(1);
    let deaths = 0;
    while ((await scene.statusOf(run)) !== "failed" && deaths <= MAX_LOST_CLAIMS) {
      const child = scene.child({ workflows: PROBES, env: HARM, leaseMs: 1_000 });
      await until("The worker's death", async () => child.hasEnded || (await scene.statusOf(run)) === "failed");
      if (child.hasEnded) deaths++;
    }
    const [row] = await scene.rows<{ attention: string }>("select attention from handrail.run where id = $1", [run.id]);
    scene.check(row?.attention === "failed", "P1", "the poison run does not ask for a person");
    scene.check(deaths <= MAX_LOST_CLAIMS, "P1", `the poison run killed ${deaths} workers`);
    // The code was mended: a person runs it again.
    await rerun(scene.desk(), { runId: run.id, reason: "The code was mended." });
    return deaths;
  },
};

const skewed = (hours: number): Fault => ({
  name: "clock wrong by an hour",
  how: `the worker's clock is ${hours > 0 ? "ahead" : "behind"} by an hour`,
  async strike(scene) {
    await scene.load(2);
    const child = scene.child({
      workflows: SKEWED,
      leaseMs: 5_000,
      env: { HANDRAIL_FAULT_SKEW_MS: String(hours * 3_600_000) },
    });
    await scene.untilQuiet();
    child.signal("SIGTERM");
    scene.check((await child.untilEnded()) === 0, "P1", "the worker did not end by itself when asked to");
    return 1;
  },
});

export const stops: Fault[] = STOPS.map(stopped);
export const processFaults: Fault[] = [blocked, poisoned, skewed(1), skewed(-1)];
