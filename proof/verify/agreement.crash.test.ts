import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { oneIn } from "../../lib/testing/sample";
import { Scratch } from "../../lib/testkit/scratch";
import type { Fault } from "../../lib/verify/faults";
import { differenceOf } from "../../lib/verify/observation";
import { type TrialResult, verifyWorkflow } from "../../lib/verify/verify";
import { prepareDemoWorld } from "./demo-world";
import { type KilledRun, runKilled } from "./killed";
import { samples } from "./samples";

/*
 * `verifyWorkflow` lets a worker die as far as the database can tell. Here the same boundaries meet a real SIGKILL of a
 * worker's process: both must come to the same.
 */

const databaseUrl = inject("postgresUrl");
let scratch: Scratch;
beforeAll(async () => {
  scratch = await Scratch.open({ databaseUrl, prepare: prepareDemoWorld });
});
afterAll(() => scratch.close());

type Death = Extract<Fault, { kind: "worker_dies" }>;

/**
 * Claims and flushes are left out: which of them passes when is decided by the machine's speed, and a simulated trial names
 * them by what came before.
 */
const isNamed = (fault: Fault | undefined): fault is Death =>
  fault?.kind === "worker_dies" && !/^(claim|flush):/.test(fault.point);

async function killed(sample: (typeof samples)[number], death?: Death): Promise<KilledRun> {
  const url = await scratch.copy();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);
  try {
    const place = death && { point: death.point, detail: death.detail, passage: death.nth };
    return await runKilled({ url, pool }, sample, sample.options.inputs[0], place);
  } finally {
    await pool.end();
    await scratch.drop(url);
  }
}

function verdictOf(before: KilledRun, now: KilledRun): TrialResult["verdict"] {
  if (!now.struck) return "not_reached";
  if (now.asks) return "asks_a_person";
  const same = now.status === before.status && !differenceOf(before.observation, now.observation);
  return same ? "as_without_faults" : "finding";
}

it.for(oneIn(samples.length, samples).map((sample) => [sample.workflow.name, sample] as const))(
  "%s: a simulated death and SIGKILL come to the same at every boundary",
  { timeout: 600_000 },
  async ([, sample]) => {
    const inputs = sample.options.inputs.slice(0, 1);
    const { trials } = await verifyWorkflow(sample.workflow, { ...sample.options, inputs, databaseUrl });
    const before = await killed(sample);
    const simulated: string[] = [];
    const real: string[] = [];
    const deaths = trials.flatMap(({ number, faults: [death, another], verdict }) =>
      isNamed(death) && !another ? [{ number, death, verdict }] : [],
    );
    expect(deaths.length).toBeGreaterThan(2);
    for (const { number, death, verdict } of oneIn(3, deaths)) {
      const place = `${number}: ${death.point} (${death.detail}) ${death.nth}`;
      simulated.push(`${place}: ${verdict}`);
      real.push(`${place}: ${verdictOf(before, await killed(sample, death))}`);
    }
    expect(real).toEqual(simulated);
  },
);
