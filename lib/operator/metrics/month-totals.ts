import type { Db } from "../../store/db";
import {
  type MeteredPeriods,
  type MeteredStep,
  type RunTotals,
  type StepTotals,
  selectMeteredPeriods,
  selectRunTotals,
  selectStepTotals,
} from "../../store/reads/metrics";

/*
 * What was counted since the month began. Adding up a month of 300 workflows takes the database seconds, so that the part
 * that changes no more is kept, and only the last hours are read at each scrape. A total never falls: the kept part is
 * replaced as a whole, by one that was read later and reaches as far or further.
 */

/** What is counted late into a period of the kept part is shown after this time. */
const KEPT_MS = 15 * 60_000;
/** Of one statement, so that none of them takes long, and others get their turns between them. */
const WORKFLOWS_AT_ONCE = 20;
const STEPS_AT_ONCE = 50;
/** Requests that name workflows may name others each time. */
const MOST_KEPT = 2_000;

export interface Totals {
  runs: RunTotals[];
  steps: StepTotals[];
}

/** The totals of the month up to an instant, of what was asked for so far. */
class KeptPart {
  private readonly runs = new Map<string, RunTotals | null>();
  private readonly steps = new Map<string, StepTotals | null>();
  private loading: Promise<void> = Promise.resolve();
  readonly readAt = performance.now();

  constructor(
    private readonly db: Db,
    readonly periods: MeteredPeriods,
  ) {}

  /** Reads what is missing. One at a time, in small parts. */
  load(workflows: readonly string[], steps: readonly MeteredStep[]): Promise<void> {
    const loaded = this.loading.then(() => this.loadMissing(workflows, steps));
    this.loading = loaded.catch(() => undefined);
    return loaded;
  }

  private async loadMissing(workflows: readonly string[], steps: readonly MeteredStep[]): Promise<void> {
    const part = { fromAt: this.periods.monthAt, untilAt: this.periods.settledAt };
    const newWorkflows = workflows.filter((name) => !this.runs.has(name));
    for (const names of inParts(newWorkflows, WORKFLOWS_AT_ONCE)) {
      const rows = await selectRunTotals(this.db, names, part);
      for (const name of names) this.runs.set(name, null);
      for (const row of rows) this.runs.set(row.workflow, row);
    }
    const newSteps = steps.filter((step) => !this.steps.has(keyOf(step)));
    for (const names of inParts(newSteps, STEPS_AT_ONCE)) {
      const rows = await selectStepTotals(this.db, names, part);
      for (const step of names) this.steps.set(keyOf(step), null);
      for (const row of rows) this.steps.set(keyOf(row), row);
    }
  }

  get size(): number {
    return this.runs.size + this.steps.size;
  }

  /** With what was counted since. */
  plus(workflows: readonly string[], steps: readonly MeteredStep[], since: Totals): Totals {
    const runsSince = new Map(since.runs.map((row) => [row.workflow, row]));
    const stepsSince = new Map(since.steps.map((row) => [keyOf(row), row]));
    return {
      runs: workflows.flatMap((name) => sumOf(this.runs.get(name), runsSince.get(name) ?? noneOf(name))),
      steps: steps.flatMap((step) => sumOf(this.steps.get(keyOf(step)), stepsSince.get(keyOf(step)))),
    };
  }
}

/** Of a workflow without a run: a counter that is absent until then hides the first failures from `increase`. */
const noneOf = (workflow: string): RunTotals => ({
  workflow,
  started: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  compensated: 0,
  retries: 0,
  took: [],
  queued: [],
});

const keyOf = ({ workflow, step }: MeteredStep) => JSON.stringify([workflow, step]);

function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** Numbers are added, histograms are joined: what is made of them adds up equal buckets. */
function sumOf<Row extends RunTotals | StepTotals>(one: Row | null | undefined, other: Row | undefined): Row[] {
  if (!one || !other) return [one ?? other].flatMap((row) => row ?? []);
  const sum = Object.entries(one).map(([name, value]) => {
    const more = other[name as keyof Row];
    if (typeof value === "number") return [name, value + (more as number)];
    return [name, Array.isArray(value) ? [...value, ...(more as unknown[])] : value];
  });
  return [Object.fromEntries(sum)];
}

class MonthTotals {
  private kept: KeptPart | undefined;
  private replacing: Promise<void> | undefined;

  constructor(private readonly db: Db) {}

  async read(workflows: readonly string[], steps: readonly MeteredStep[]): Promise<Totals> {
    const periods = await selectMeteredPeriods(this.db);
    if (this.kept?.periods.monthAt !== periods.monthAt || this.kept.size > MOST_KEPT)
      this.kept = new KeptPart(this.db, periods);
    const { kept } = this;
    if (performance.now() - kept.readAt > KEPT_MS) this.replaceWith(new KeptPart(this.db, periods), workflows, steps);
    const part = { fromAt: kept.periods.settledAt, untilAt: periods.nowAt };
    const [runsSince, stepsSince] = await Promise.all([
      selectRunTotals(this.db, workflows, part),
      selectStepTotals(this.db, steps, part),
      kept.load(workflows, steps),
    ]);
    return kept.plus(workflows, steps, { runs: runsSince, steps: stepsSince });
  }

  /** The scrape does not wait for it. If it fails, the next one tries. */
  private replaceWith(next: KeptPart, workflows: readonly string[], steps: readonly MeteredStep[]): void {
    this.replacing ??= next
      .load(workflows, steps)
      .then(
        () => {
          this.kept = next;
        },
        () => undefined,
      )
      .finally(() => {
        this.replacing = undefined;
      });
  }
}

const ofDatabase = new WeakMap<Db, MonthTotals>();

/** The first read of a process takes seconds where there are many counts; others, a fraction of one. */
export function readMonthTotals(db: Db, workflows: readonly string[], steps: readonly MeteredStep[]): Promise<Totals> {
  const totals = ofDatabase.get(db) ?? new MonthTotals(db);
  ofDatabase.set(db, totals);
  return totals.read(workflows, steps);
}
