import { cpus } from "node:os";
import type { Bench } from "../bench";
import { ChildWorker } from "../child-process";
import { atMost, type Figure, perSecond } from "../figure";
import { killAll } from "../machines";
import { storedBytes } from "../space";
import { type Measured, measureDeletion, measureDrain, measureIdle, measureStart, medianOf } from "./measure";
import {
  costPerStep,
  fitCost,
  type Inputs,
  type Plan,
  planFor,
  predictThroughput,
  processorBound,
  type Shape,
} from "./model";

const ROUNDS = 3;
const STEPS = 30_000;
const LARGE_STEPS = 15_000;

const SHORT: Shape = { stepsPerRun: 3, bytesPerValue: 8 };
const LONG: Shape = { stepsPerRun: 30, bytesPerValue: 8 };
const LARGE: Shape = { stepsPerRun: 3, bytesPerValue: 4_000 };
/** What the plans are for. Not measured for the inputs, so that it checks them. */
const TYPICAL: Shape = { stepsPerRun: 5, bytesPerValue: 200 };
const OTHER: Shape = { stepsPerRun: 10, bytesPerValue: 2_000 };

const RATES = [10, 1_000, 100_000, 1_000_000];
const DAY = 86_400;
const KEPT = [1, 7];

interface Check {
  of: string;
  predicted: number;
  measured: number;
}

/** Measures the inputs of the model, checks it on shapes and workers that it has not seen, and plans four rates. */
export async function scale(bench: Bench): Promise<Figure[]> {
  const startUs = await measureStart(bench, SHORT, 5_000);
  const one = [await ChildWorker.start(bench.databaseUrl)];
  const short: Measured[] = [];
  const long: Measured[] = [];
  const large: Measured[] = [];
  const typical: Measured[] = [];
  const other: Measured[] = [];
  const stored = { short: 0, long: 0, large: 0 };
  await measureDrain(bench, one, SHORT, STEPS);
  for (let round = 0; round < ROUNDS; round++) {
    short.push(await measureDrain(bench, one, SHORT, STEPS));
    stored.short = (await storedBytes(bench)) / STEPS;
    long.push(await measureDrain(bench, one, LONG, STEPS));
    stored.long = (await storedBytes(bench)) / STEPS;
    large.push(await measureDrain(bench, one, LARGE, LARGE_STEPS));
    stored.large = (await storedBytes(bench)) / LARGE_STEPS;
    other.push(await measureDrain(bench, one, OTHER, LARGE_STEPS));
    typical.push(await measureDrain(bench, one, TYPICAL, STEPS * 2));
  }
  const idleStatementsPerSecond = await measureIdle(bench, 10);
  await killAll(bench, one);
  const deletion = await measureDeletion(bench);
  const two = await measureTwo(bench);

  const calibrated = [medianOf(short), medianOf(long), medianOf(large)] as const;
  const inputs = inputsFrom(calibrated, stored, { startUs, deletion, idleStatementsPerSecond });
  const checks = [
    ...checksOf("5 steps of 200 B", inputs, TYPICAL, 1, medianOf(typical)),
    ...checksOf("10 steps of 2 kB", inputs, OTHER, 1, medianOf(other)),
    ...checksOf("3 steps of 8 B by two workers", inputs, SHORT, 2, medianOf(two)),
  ];
  print(inputs, medianOf(short));
  return checks.map(({ of, predicted, measured }) => ({
    measure: `scale model, ${of}`,
    measured: `${Math.round(predicted * 10) / 10} predicted, ${Math.round(measured * 10) / 10} measured, ${percent(predicted / measured - 1)}`,
    value: Math.abs(predicted / measured - 1),
    target: atMost(0.25),
  }));
}

async function measureTwo(bench: Bench): Promise<Measured[]> {
  const workers = await Promise.all([1, 2].map(() => ChildWorker.start(bench.databaseUrl)));
  const measured: Measured[] = [];
  await measureDrain(bench, workers, SHORT, STEPS);
  for (let round = 0; round < ROUNDS; round++) measured.push(await measureDrain(bench, workers, SHORT, STEPS));
  await killAll(bench, workers);
  return measured;
}

function inputsFrom(
  [short, long, large]: readonly [Measured, Measured, Measured],
  stored: { short: number; long: number; large: number },
  rest: Pick<Inputs, "startUs" | "deletion" | "idleStatementsPerSecond">,
): Inputs {
  const fittedTo = (perStep: readonly [number, number, number]) =>
    fitCost(
      { shape: SHORT, perStep: perStep[0] },
      { shape: LONG, perStep: perStep[1] },
      { shape: LARGE, perStep: perStep[2] },
    );
  const fitted = (part: keyof Measured) => fittedTo([short[part], long[part], large[part]]);
  const costs = { workerUs: fitted("workerUs"), serverUs: fitted("serverUs"), startUs: rest.startUs };
  return {
    ...rest,
    ...costs,
    walBytes: fitted("walBytes"),
    networkBytes: fitted("networkBytes"),
    storedBytes: fittedTo([stored.short, stored.long, stored.large]),
    commitsPerSecond: short.commitsPerSecond,
    efficiency: short.stepsPerSecond / processorBound(costs, SHORT, { workers: 1, cores: cpus().length }),
  };
}

const checksOf = (what: string, inputs: Inputs, shape: Shape, workers: number, measured: Measured): Check[] => [
  {
    of: `${what}: steps a second`,
    predicted: predictThroughput(inputs, shape, { workers, cores: cpus().length }),
    measured: measured.stepsPerSecond,
  },
  { of: `${what}: worker µs a step`, predicted: costPerStep(inputs.workerUs, shape), measured: measured.workerUs },
  { of: `${what}: server µs a step`, predicted: costPerStep(inputs.serverUs, shape), measured: measured.serverUs },
  { of: `${what}: WAL bytes a step`, predicted: costPerStep(inputs.walBytes, shape), measured: measured.walBytes },
];

const percent = (part: number) => `${part >= 0 ? "+" : "−"}${Math.abs(part * 100).toFixed(0)} %`;

/** To stderr: stdout is for figures, and for JSON. */
function print(inputs: Inputs, short: Measured): void {
  const lines = [`inputs: ${JSON.stringify(inputs, rounded)}`, `short runs: ${JSON.stringify(short, rounded)}`];
  for (const days of KEPT) {
    lines.push(`runs of ${TYPICAL.stepsPerRun} steps, values of ${TYPICAL.bytesPerValue} bytes, kept for ${days} d:`);
    for (const rate of RATES) lines.push(lineOfPlan(planFor(inputs, TYPICAL, rate, days * DAY)));
  }
  process.stderr.write(`${lines.join("\n")}\n`);
}

const rounded = (_: string, value: unknown) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);

const lineOfPlan = (plan: Plan): string =>
  [
    `  ${perSecond(plan.rate)}: ${plan.workers} workers`,
    `${plan.cores.toFixed(2)} server cores`,
    `WAL ${(plan.walBytesPerSecond / 1e6).toFixed(3)} MB/s`,
    `network ${(plan.networkBytesPerSecond / 1e6).toFixed(3)} MB/s`,
    `disk ${(plan.diskBytes / 1e9).toFixed(1)} GB`,
    `commits ${perSecond(plan.commitsPerSecond)}`,
    `${plan.connections} connections`,
    `idle ${perSecond(plan.idleStatementsPerSecond)} statements`,
    `${plan.installations} installations, first limit ${plan.first}`,
    `$${Math.round(plan.dollarsPerMonth).toLocaleString("en")} a month`,
    JSON.stringify(plan.uses, rounded),
  ].join(", ");
