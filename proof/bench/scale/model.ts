/** What runs look like: how many steps each has, and how large the value of a step is. */
export interface Shape {
  stepsPerRun: number;
  bytesPerValue: number;
}

/** A cost of a run (in microseconds or bytes): so much for the run, for each step, and for each kilobyte of a step's value. */
export interface Cost {
  run: number;
  step: number;
  kilobyte: number;
}

/** What is measured. Microseconds are of a processor; the server's and the WAL's include starts in bulk. */
export interface Inputs {
  workerUs: Cost;
  serverUs: Cost;
  walBytes: Cost;
  storedBytes: Cost;
  networkBytes: Cost;
  /** The part of a run's server time that is spent before a worker sees the run. */
  startUs: number;
  deletion: { serverUsPerRun: number; walBytesPerRun: number; runsPerSecond: number };
  /** Of one worker under full load. */
  commitsPerSecond: number;
  idleStatementsPerSecond: number;
  /** Measured throughput as a part of what the processors alone would allow. */
  efficiency: number;
}

export const costPerStep = (cost: Cost, { stepsPerRun, bytesPerValue }: Shape): number =>
  cost.run / stepsPerRun + cost.step + (cost.kilobyte * bytesPerValue) / 1_000;

/** The cost that explains three measurements a step: of short runs, of long runs, and of short runs with large values. */
export function fitCost(
  short: { shape: Shape; perStep: number },
  long: { shape: Shape; perStep: number },
  large: { shape: Shape; perStep: number },
): Cost {
  const kilobyte = (large.perStep - short.perStep) / ((large.shape.bytesPerValue - short.shape.bytesPerValue) / 1_000);
  const run = (short.perStep - long.perStep) / (1 / short.shape.stepsPerRun - 1 / long.shape.stepsPerRun);
  const step = short.perStep - run / short.shape.stepsPerRun - (kilobyte * short.shape.bytesPerValue) / 1_000;
  return { run, step, kilobyte };
}

/** Steps a second that the processors allow, when workers and server share them. A worker's code uses one at most. */
export function processorBound(
  { workerUs, serverUs, startUs }: Pick<Inputs, "workerUs" | "serverUs" | "startUs">,
  shape: Shape,
  { workers, cores }: { workers: number; cores: number },
): number {
  const worker = costPerStep(workerUs, shape);
  const server = costPerStep(serverUs, shape) - startUs / shape.stepsPerRun;
  return 1_000_000 / Math.max(worker / workers, (worker + server) / cores);
}

export const predictThroughput = (inputs: Inputs, shape: Shape, machine: { workers: number; cores: number }): number =>
  inputs.efficiency * processorBound(inputs, shape, machine);

/** Of one installation: assumptions, not measurements. */
export const LIMITS = {
  /** Of one primary. */
  cores: 64,
  walBytesPerSecond: 200e6,
  /** One process at a time writes the WAL; each commit waits for it. */
  commitsPerSecond: 20_000,
  connections: 1_000,
  diskBytes: 16e12,
};

export const ASSUMED = {
  /** Processors are planned to be this busy. */
  busy: 0.6,
  /** Tables and indexes in use, against freshly written ones. */
  bloat: 1.5,
  /** Docs: operating.md, "Connections". */
  connectionsPerWorker: 18,
  connectionsOfConsole: 11,
  /** The primary and one standby. */
  servers: 2,
  /** Two on two machines. */
  leastWorkers: 2,
  dollarsPerCore: 35,
  dollarsPerGigabyte: 0.1,
};

/** A part of one installation's limit that a rate uses: 1 is all of it. */
export type Uses = Record<keyof typeof LIMITS | "deletions", number>;

export interface Plan {
  rate: number;
  workers: number;
  cores: number;
  walBytesPerSecond: number;
  networkBytesPerSecond: number;
  diskBytes: number;
  commitsPerSecond: number;
  connections: number;
  idleStatementsPerSecond: number;
  uses: Uses;
  installations: number;
  /** The limit that is reached first as the rate grows. */
  first: keyof Uses;
  dollarsPerMonth: number;
}

/** What a rate of steps a second takes, over all installations. */
export function planFor(inputs: Inputs, shape: Shape, rate: number, keptSeconds: number): Plan {
  const runs = rate / shape.stepsPerRun;
  const cores =
    (rate * costPerStep(inputs.serverUs, shape) + runs * inputs.deletion.serverUsPerRun) / 1e6 / ASSUMED.busy;
  const walBytesPerSecond = rate * costPerStep(inputs.walBytes, shape) + runs * inputs.deletion.walBytesPerRun;
  const diskBytes = rate * keptSeconds * costPerStep(inputs.storedBytes, shape) * ASSUMED.bloat;
  const busyWorkers = Math.ceil((rate * costPerStep(inputs.workerUs, shape)) / 1e6 / ASSUMED.busy);
  const commitsPerSecond = Math.min(rate + 2 * runs, busyWorkers * inputs.commitsPerSecond);
  const uses = {
    cores: cores / LIMITS.cores,
    walBytesPerSecond: walBytesPerSecond / LIMITS.walBytesPerSecond,
    commitsPerSecond: commitsPerSecond / LIMITS.commitsPerSecond,
    connections: (busyWorkers * ASSUMED.connectionsPerWorker) / (LIMITS.connections - ASSUMED.connectionsOfConsole),
    diskBytes: diskBytes / LIMITS.diskBytes,
    deletions: runs / inputs.deletion.runsPerSecond,
  };
  const [first, most] = mostUsed(uses);
  const installations = Math.max(1, Math.ceil(most));
  const workers = Math.max(busyWorkers, installations * ASSUMED.leastWorkers);
  const bought = workers + ASSUMED.servers * installations * Math.max(1, Math.ceil(cores / installations));
  return {
    ...{ rate, workers, cores, walBytesPerSecond, diskBytes, commitsPerSecond, uses, installations, first },
    networkBytesPerSecond: rate * costPerStep(inputs.networkBytes, shape),
    connections: workers * ASSUMED.connectionsPerWorker + installations * ASSUMED.connectionsOfConsole,
    idleStatementsPerSecond: workers * inputs.idleStatementsPerSecond,
    dollarsPerMonth: bought * ASSUMED.dollarsPerCore + (ASSUMED.servers * diskBytes * ASSUMED.dollarsPerGigabyte) / 1e9,
  };
}

function mostUsed(uses: Uses): [keyof Uses, number] {
  const [first, ...others] = Object.entries(uses) as [keyof Uses, number][];
  return others.reduce((most, use) => (use[1] > most[1] ? use : most), first as [keyof Uses, number]);
}
