import { orderFulfilment } from "../../../demo/workflows/order-fulfilment/order-fulfilment";
import { compensate, markCompensated } from "../../../lib/testing/actions";
import type { Fault as Place } from "../../../lib/testing/processes/crash";
import { PASSED_ELSEWHERE } from "../../../lib/testing/scenes/passed-elsewhere";
import { FAULT_POINTS, type FaultPoint, setFaultHandler } from "../../../lib/worker/fault-points";
import type { Fault } from "../fault";
import { SAMPLES } from "../load";
import type { Random } from "../random";
import { randomOf } from "../random";
import type { Rig } from "../rig";
import { Scene } from "../scene";
import { strikeAt } from "./strike";

/** Where a process can be killed: a passage of a fault point by one workflow. */
export interface Spot extends Place {
  workflow: string;
}

/**
 * Points that a worker passes only by accident, or a trial run for no sure reason, cannot be struck at will: tests of
 * these points are in workflows/ and lib/operator/. The trials have separate schedules.
 */
export const isTriedElsewhere = (point: FaultPoint): boolean =>
  /^(version|drift):/.test(point) || (PASSED_ELSEWHERE.includes(point) && !/^(schedule|permit):/.test(point));

/**
 * Runs each sample workflow alone, and records which fault points it passes: these are the places where it can die.
 * Points that a workflow passes through its children are left to the children.
 */
export async function findSpots(rig: Rig): Promise<Spot[]> {
  const spots: Spot[] = [];
  for (const { workflow } of SAMPLES) {
    const known = new Set(spots.flatMap(({ point, detail }) => (detail ? [JSON.stringify([point, detail])] : [])));
    for (const text of await passedBy(rig, workflow.name)) {
      if (known.has(text)) continue;
      const [point, detail] = JSON.parse(text) as [FaultPoint, string];
      // The name of a step that is made from data ("charge:17") is another one in every run.
      const isFixed = detail !== "" && !detail.includes(":");
      spots.push({ workflow: workflow.name, point, ...(isFixed && { detail }) });
    }
  }
  const different = new Map(spots.map((spot) => [JSON.stringify(spot), spot]));
  return [...different.values()].filter(({ point }) => !point.startsWith("takeover") && !isTriedElsewhere(point));
}

/** In a separate database: what a worker still had to do for another workflow would count as passed by this one. */
async function passedBy(rig: Rig, workflow: string): Promise<Set<string>> {
  const scene = new Scene(rig, await rig.database(), randomOf("spots"), `spots-${workflow}`);
  const passed = new Set<string>();
  try {
    setFaultHandler((point, detail) => void passed.add(JSON.stringify([point, detail])));
    const worker = await scene.worker();
    await scene.load(1, [workflow]);
    await scene.untilQuiet();
    await worker.stop();
  } finally {
    setFaultHandler(undefined);
    await scene.close();
  }
  return passed;
}

const placeText = ({ point, detail }: Place) => (detail ? `${point} (${detail})` : point);

const MAX_LOADS = 15;

/** The worker dies at the spot, with two runs of the workflow claimed. */
export function killAt(spot: Spot): Fault {
  const { workflow, ...place } = spot;
  return {
    name: `kill ${workflow}`,
    how: `SIGKILL at ${placeText(place)}`,
    async strike(scene) {
      // What is passed may depend on when others act: then it is tried again.
      for (let loads = 0; loads < MAX_LOADS; loads++) {
        await scene.load(2, [workflow]);
        if (await diesAt(scene, place)) return 1;
      }
      return 0;
    },
  };
}

/** Whether a child has died at the place before everything had ended. */
const diesAt = async (scene: Scene, fault: Place): Promise<boolean> => (await strikeAt(scene, fault)) !== undefined;

const UNDO_POINTS = FAULT_POINTS.filter((point) => point.startsWith("compensation"));
const TAKEOVER_POINTS = FAULT_POINTS.filter((point) => point.startsWith("takeover"));

/** The worker dies during the compensation of a fulfilled order. */
const killUnderUndo = (point: FaultPoint): Fault => ({
  name: "kill under an undo",
  how: `SIGKILL at ${point}, order-fulfilment`,
  async strike(scene) {
    const [order] = await scene.load(1, [orderFulfilment.name]);
    if (!order) return 0;
    const first = await scene.worker();
    await scene.untilQuiet();
    await first.stop();
    await compensate(scene.desk(), { runId: order.id, reason: "The customer went away." });
    scene.allow(order, "compensated");
    // The mail is compensated manually first; then a worker continues with the rest.
    await markCompensated(scene.desk(), {
      runId: order.id,
      step: "send-confirmation",
      outcome: "compensated",
      note: "Wrote.",
    });
    return Number(await diesAt(scene, { point }));
  },
});

/** The worker that takes over dies while doing so. */
const killTheCompleter = (point: FaultPoint): Fault => ({
  name: "kill the completer",
  how: `SIGKILL at ${point}, of the worker that takes over`,
  async strike(scene) {
    await scene.load(1);
    const first = await diesAt(scene, { point: "step:before-body" });
    const second = await diesAt(scene, { point });
    return Number(first) + Number(second);
  },
});

export const killsUnderCompensation = UNDO_POINTS.map(killUnderUndo);
export const killsOfCompleter = TAKEOVER_POINTS.map(killTheCompleter);

/** One spot of each workflow, one in a compensation, one of the completer. */
export function sampleKills(spots: readonly Spot[], random: Random): Fault[] {
  const ofWorkflows = SAMPLES.map(({ workflow }) =>
    killAt(random.pick(spots.filter((spot) => spot.workflow === workflow.name))),
  );
  return [...ofWorkflows, random.pick(killsUnderCompensation), random.pick(killsOfCompleter)];
}

export const allKills = (spots: readonly Spot[]): Fault[] => [
  ...spots.map(killAt),
  ...killsUnderCompensation,
  ...killsOfCompleter,
];
