import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { orderFulfilment } from "../../../demo/workflows/order-fulfilment/order-fulfilment";
import { welcomeReminder } from "../../../demo/workflows/welcome-reminder/welcome-reminder";
import { cancel, rerun } from "../../../lib/testing/actions";
import type { Fault as Place } from "../../../lib/testing/processes/crash";
import { until } from "../../../lib/testing/until";
import type { Fault } from "../fault";
import { REMINDER_AFTER_SECONDS } from "../load";
import { blocking, poison, workflows as withProbes } from "../probes";
import type { Scene } from "../scene";
import type { WrongClock } from "../wrong-clock";
import { strikeAt } from "./strike";

const PROBES = fileURLToPath(new URL("../probes.ts", import.meta.url));
const WRONG_CLOCK = fileURLToPath(new URL("../wrong-clock.ts", import.meta.url));
const HARM = { HANDRAIL_FAULT_HARM: "on" };

/** Before a record, between effect and record, under a row lock, between a commit and its answer, before the end. */
const STOPS: Place[] = [
  { point: "flush:before" },
  { point: "step:after-body", detail: "charge-payment" },
  { point: "transaction:before-commit", detail: "reserve-stock" },
  { point: "transaction:after-commit", detail: "reserve-stock" },
  { point: "run:before-end" },
];

async function takenOver(scene: Scene): Promise<boolean> {
  const [row] = await scene.rows<{ lost: number }>("select count(*)::int as lost from handrail.lost_claim");
  return (row?.lost ?? 0) > 0;
}

/**
 * Stopped past its lease: another worker finishes its runs; then it continues, with everything it still wanted to
 * write.
 */
const stopped = (place: Place): Fault => ({
  name: "stopped past its lease",
  how: `SIGSTOP at ${place.point}, its lease ends, SIGCONT after others have finished its runs`,
  async strike(scene) {
    await scene.load(2);
    const zombie = await strikeAt(scene, { ...place, signal: "SIGSTOP" });
    if (!zombie) return 0;
    await scene.worker();
    await until("The take-over from the stopped worker", () => takenOver(scene));
    await scene.untilQuiet();
    zombie.signal("SIGCONT");
    // Not before it is gone: what it was in the middle of, it still does.
    await zombie.untilEnded();
    return 1;
  },
});

/** An operator decides while the owner hangs in a body; the owner's late writes must not revert the decision. */
const actAgainstZombie: Fault = {
  name: "operator against stopped worker",
  how: "runs are cancelled while their worker is stopped in a charge, SIGCONT after the take-over",
  async strike(scene) {
    const orders = await scene.load(3, [orderFulfilment.name]);
    const zombie = await strikeAt(scene, { point: "step:before-body", detail: "charge-payment", signal: "SIGSTOP" });
    if (!zombie) return 0;
    for (const order of orders) {
      await cancel(scene.desk(), { runId: order.id, reason: "The customer went away." });
      scene.allow(order, "cancelled");
    }
    await scene.worker();
    await scene.untilQuiet();
    zombie.signal("SIGCONT");
    // Not before it is gone: what it was in the middle of, it still does.
    await zombie.untilEnded();
    return orders.length;
  },
};

const blocked: Fault = {
  name: "blocked past its lease",
  how: "a body keeps the event loop for 5 s under a lease of 2 s",
  workflows: withProbes,
  async strike(scene) {
    await scene.load(1);
    const run = await scene.start(blocking, { orderId: `blocked-${scene.word()}` });
    const spawn = () => scene.child({ workflows: PROBES, env: HARM, leaseMs: 2_000 });
    let child = spawn();
    await until("The body", async () => {
      // A worker that has lost its lease on a busy machine has met nothing yet.
      if (child.hasEnded) child = spawn();
      return (await scene.statusOf(run)) === "running";
    });
    await scene.worker({ workflows: withProbes });
    await until("The take-over from the blocked worker", () => takenOver(scene));
    await child.untilEnded();
    return 1;
  },
};

/** A poisonous run has been found by then, whatever was lost with it. */
const MOST_DEATHS = 10;

/** Each worker that claims it dies; this has to end, and other runs must not be affected. */
const poisoned: Fault = {
  name: "poison run",
  how: "a body kills its worker each time, beside runs that do not, which all complete",
  workflows: withProbes,
  async strike(scene) {
    const run = await scene.start(poison, { orderId: "none" });
    await scene.load(3, ["order-fulfilment", "listening", "gathering", "crowded"]);
    let deaths = 0;
    while ((await scene.statusOf(run)) !== "failed" && deaths <= MOST_DEATHS) {
      const child = scene.child({ workflows: PROBES, env: HARM });
      await until("The worker's death", async () => child.hasEnded || (await scene.statusOf(run)) === "failed");
      if (child.hasEnded && (await child.untilEnded()) === "SIGKILL") deaths++;
      await scene.endLeaseOf(child);
    }
    const [row] = await scene.rows<{ attention: string }>("select attention from handrail.run where id = $1", [run.id]);
    scene.check(deaths <= MOST_DEATHS, "P1", `the poison run killed ${deaths} workers`);
    scene.check(row?.attention === "failed", "P1", "the poison run does not ask for a person");
    // The code was fixed: an operator reruns it.
    if (row?.attention === "failed") await rerun(scene.desk(), { runId: run.id, reason: "The code was mended." });
    return deaths;
  },
};

const wrongClock = (clock: WrongClock, how: string): Fault => ({
  name: "wrong clock",
  how: `the worker's clock ${how}`,
  async strike(scene) {
    await scene.load(2);
    const child = scene.child({ workflows: WRONG_CLOCK, leaseMs: 60_000, env: { HANDRAIL_FAULT_CLOCK: clock } });
    await scene.untilQuiet();
    child.signal("SIGTERM");
    scene.check((await child.untilEnded()) === 0, "P1", "the worker did not end by itself when asked to");
    return 1;
  },
});

/** Timers fall due while no worker is running; then all workers start at once. Each timer fires once. */
const everybodyAway: Fault = {
  name: "everybody away",
  how: "reminders that sleep for 60 days fall due before any worker is there; then four come at one instant",
  async strike(scene) {
    const words = Array.from({ length: 12 }, () => scene.word());
    const runs = [];
    for (const word of words)
      runs.push(await scene.start(welcomeReminder, { email: `${word}@welcome.example`, delaySeconds: 60 * 86_400 }));
    await scene.worker();
    const ids = runs.map(({ id }) => id);
    const asleep = "select from handrail.run where id = any ($1::uuid[]) and waiting_kind = 'timer'";
    await until("Everybody's sleep", async () => (await scene.rows(asleep, [ids])).length === runs.length);
    await scene.stopWorkers();
    await delay(REMINDER_AFTER_SECONDS * 1_000);
    for (const [table, column, at] of [
      ["run", "id", "due_at"],
      ["step", "run_id", "next_attempt_at"],
    ])
      await scene.rows(
        `update handrail.${table} set ${at} = ${at} - interval '61 days' where ${column} = any ($1::uuid[]) and ${at} is not null`,
        [ids],
      );
    await Promise.all([1, 2, 3, 4].map(() => scene.worker()));
    await scene.untilQuiet();
    return runs.length;
  },
};

export const stops: Fault[] = STOPS.map(stopped);
export const processFaults: Fault[] = [
  blocked,
  actAgainstZombie,
  poisoned,
  wrongClock("ahead", "is an hour ahead"),
  wrongClock("behind", "is an hour behind"),
  wrongClock("jumping", "jumps by two hours, five times a second"),
  wrongClock("frozen", "stands still"),
  everybodyAway,
];
