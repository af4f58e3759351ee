import type { RunChange } from "../../store/workers/claim-record";
import type { AttemptOutcome } from "../steps/attempt";
import { Distribution } from "./distribution";

/** How a claim ended: by its last record, in compensations, or because the run has another owner now. */
export type ClaimEnd = RunChange["to"] | "compensating" | "lost";

/** Statements of the engine, in milliseconds: from an idle database to one that hangs until its timeout. */
const STATEMENT_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
/** Up to what one poll claims, and what one flush records. */
const AT_ONCE = [1, 2, 5, 10, 20, 50, 100, 200];

export type AttemptEnd = AttemptOutcome["next"];
/** Numbers of attempts that are counted one by one; the last one counts for all above it, too. */
export const ATTEMPT_NUMBERS = 5;
const attempts = () => new Float64Array(ATTEMPT_NUMBERS);

/**
 * What a worker has done since it began. One may be shared by the workers of a process that follow on each other. It is
 * counted in plain numbers, since it is counted for each step, and read when somebody asks.
 */
export class Tally {
  claimed = 0;
  /** Of these, runs that had outcomes from earlier claims. */
  replayed = 0;
  readonly ended: Record<ClaimEnd, number> = {
    completed: 0,
    failed: 0,
    cancelled: 0,
    waiting: 0,
    pending: 0,
    compensating: 0,
    lost: 0,
  };
  /** Runs of silent workers that it has freed. */
  takenOver = 0;
  /** Runs that it started for schedules. */
  fired = 0;
  /** Runs past their retention period that it deleted. */
  deleted = 0;
  /** Runs that it started to deliver notices. */
  deliveries = 0;

  /** Looks for runs to claim: those that found some, that found none, and that the database did not answer. */
  readonly polls = { claimed: 0, empty: 0, failed: 0 };
  readonly pollMs = new Distribution(STATEMENT_MS);
  /** Runs of each poll that found some. */
  readonly pollRuns = new Distribution(AT_ONCE);

  /** Flushes of the write buffer that were committed: how long, and of how many records. */
  readonly flushMs = new Distribution(STATEMENT_MS);
  readonly flushRecords = new Distribution(AT_ONCE);
  /** Flushes that the database did not answer; they are sent again. */
  flushFailures = 0;

  readonly heartbeatMs = new Distribution(STATEMENT_MS);
  heartbeatFailures = 0;
  leasesLost = 0;

  /** Bodies of steps that ended, by outcome; in each, by the attempt's number from 1. */
  readonly attempts: Record<AttemptEnd, Float64Array> = {
    completed: attempts(),
    retry: attempts(),
    failed: attempts(),
    unknown: attempts(),
    interrupted: attempts(),
  };
  /** Transactions that were run again within an attempt: they conflicted with another one, or lost their database. */
  readonly transactionsAgain = { conflict: 0, database: 0 };

  /** A look for runs that the database answered. */
  polled(runs: readonly { steps: readonly unknown[] }[], ms: number): void {
    this.pollMs.add(ms);
    if (runs.length === 0) this.polls.empty++;
    else {
      this.polls.claimed++;
      this.pollRuns.add(runs.length);
      this.claimed += runs.length;
      for (const { steps } of runs) if (steps.length > 0) this.replayed++;
    }
  }

  attempted(end: AttemptEnd, number: number): void {
    const counts = this.attempts[end];
    const place = Math.min(Math.max(number, 1), ATTEMPT_NUMBERS) - 1;
    counts[place] = (counts[place] as number) + 1;
  }
}
