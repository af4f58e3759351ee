import { WORDS } from "@/lib/actions/words";
import type { Run } from "@/lib/api/contract/run";
import type { DrawnStep } from "@/lib/api/contract/steps";
import type { CompensationStatus } from "@/lib/engine/compensations/compensation";
import type { StepKind, StepStatus } from "@/lib/engine/steps/step";
import { formatDuration } from "@/lib/format";
import type { DrawnRun } from "../lanes/lanes";
import { isWait } from "../lanes/step-segments";

export type HistoryRun = DrawnRun & Pick<Run, "status" | "startedAt" | "finishedAt" | "events">;

interface Happening {
  /** A sentence without its full stop; of a step, without its name. */
  text: string;
  step: Pick<DrawnStep, "name" | "generation"> | null;
}

/** A millisecond in which something happened. */
export interface Moment {
  /** Since 1970. */
  atMs: number;
  happenings: Happening[];
}

interface Happened extends Happening {
  at: string | null;
}

/** Everything that the run's records say happened, in order. */
export function momentsOf(run: HistoryRun): Moment[] {
  const all = [...ofRun(run), ...run.steps.flatMap(ofStep)]
    .filter((one): one is Happened & { at: string } => one.at !== null)
    .map(({ at, ...happening }) => ({ atMs: Date.parse(at), happening }))
    .sort((a, b) => a.atMs - b.atMs);
  const moments: Moment[] = [];
  for (const { atMs, happening } of all) {
    const last = moments.at(-1);
    if (last?.atMs === atMs) last.happenings.push(happening);
    else moments.push({ atMs, happenings: [happening] });
  }
  return moments;
}

/** The last moment that had come by then; the first one if none had. */
export function placeOf(moments: readonly Moment[], atMs: number): number {
  return Math.max(
    0,
    moments.findLastIndex((moment) => moment.atMs <= atMs),
  );
}

/** An action that is none on a run is shown by its raw name. */
const didOf = (act: string): string => (WORDS as Partial<Record<string, { did: string }>>)[act]?.did ?? act;

const ofTheRun = (at: string | null, text: string): Happened => ({ at, text, step: null });

function ofRun(run: HistoryRun): Happened[] {
  const { createdAt, startedAt, finishedAt, status, audit, lostClaims, versionChanges, events } = run;
  return [
    ofTheRun(createdAt, "The run was created"),
    ofTheRun(startedAt, "A worker claimed the run for the first time"),
    ...lostClaims.map(({ workerId, at }) => ofTheRun(at, `Worker ${workerId} was found lost`)),
    ...versionChanges.map(({ version, at }) => ofTheRun(at, `Version ${version} continued the run`)),
    ...audit
      .filter(({ result }) => result === "done")
      .map((row) =>
        ofTheRun(row.at, `${row.actor} ${didOf(row.act)} ${row.step ?? "the run"}${row.reason && `: “${row.reason}”`}`),
      ),
    ...events.flatMap(({ name, sentAt, takenAt, takenByStep }) => [
      ofTheRun(sentAt, `Event ${name} was sent`),
      ofTheRun(takenAt, `Event ${name} was received by ${takenByStep}`),
    ]),
    ofTheRun(finishedAt, `The run ended: ${status}`),
  ];
}

const BEGAN: Record<StepKind, string> = {
  step: "began",
  transaction: "began",
  sleep: "fell asleep",
  event: "began to wait for an event",
  approval: "asked for an answer",
  child: "started its run",
  cancel: "began",
  send: "began",
  publish: "began",
};

const ENDED: Partial<Record<StepStatus, string>> = {
  completed: "completed",
  failed: "failed, no retries left",
  unknown: "ended without a known outcome",
  skipped: "was skipped",
};

const COMPENSATED: Partial<Record<CompensationStatus, string>> = {
  completed: "was compensated",
  failed: "could not be compensated",
  waived: "needs no compensation: waived",
};

function ofStep(step: DrawnStep): Happened[] {
  const { kind, status, attempts, startedAt, finishedAt, maxAttempts, compensation } = step;
  const of = (at: string | null, text: string): Happened => ({ at, text, step });
  const last = attempts.at(-1);
  // The end of the last attempt is that of the step, except where somebody, or the provider, said how it ended.
  const isOwnEnd = isWait(step) || last === undefined || last.finishedAt !== finishedAt || status === "skipped";
  return [
    ...(isWait(step) ? [of(startedAt, BEGAN[kind])] : []),
    ...attempts.flatMap(({ number, status: ended, startedAt: from, finishedAt: to, error }) => {
      const which = maxAttempts > 1 ? `attempt ${number} of ${maxAttempts}` : "its attempt";
      const took = to === null ? "" : ` after ${formatDuration(Date.parse(to) - Date.parse(from))}`;
      const why = error ? `: ${error.message.split("\n")[0]}` : "";
      return [of(from, `${which} began`), of(to, `${which} ${ended}${took}${why}`)];
    }),
    ...(isOwnEnd ? [of(finishedAt, ENDED[status] ?? "ended")] : []),
    of(compensation.owedAt, "is to be compensated"),
    of(compensation.finishedAt, COMPENSATED[compensation.status] ?? "compensation ended"),
  ];
}
