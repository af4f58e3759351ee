import {
  knownLevel,
  type LogLevel,
  logData,
  logMessage,
  MAX_LINES_PER_CLAIM,
  type Progress,
} from "../../engine/runs/log";
import type { ClaimRecord, LogRecord } from "../../store/workers/claim-record";

/** Where a line was logged. */
export type Said = Pick<LogRecord, "during" | "step" | "attempt">;

export const BETWEEN_STEPS: Said = { during: "code", step: null, attempt: null };

/** Lines go with the run's next record, or separately after this long; progress at most this often. */
const SAY_WITHIN_MS = 500;

type Notes = Pick<ClaimRecord, "logs" | "progress">;
interface Line extends Omit<LogRecord, "ageMs"> {
  saidAt: number;
}

/** The position of what the code has received: see OutcomeOrder. */
export interface Heard {
  /** The position of the last outcome that the code received; 0 before the first. */
  readonly given: number;
}

/*
 * The log lines and progress of one claim's code, until they are sent. Lines of bodies are new whenever a body runs.
 * Lines between steps are repeated in every pass: each is identified by the last outcome that the code received and its
 * index after it, which is the same in every replay; and until the code has received all recorded outcomes, nothing is
 * logged.
 */
export class RunNotes {
  private lines: Line[] = [];
  private count = 0;
  private place = { after: -1, next: 0 };
  private latest: Progress | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly claim: {
      epoch: number;
      heard: Heard;
      keptUntil: number;
      isWorking: () => boolean;
      traceId?: string | undefined;
    },
    private readonly send: (notes: Notes) => void,
  ) {}

  log(said: Said, message: unknown, data: unknown, level?: LogLevel): void {
    const key = said.during === "code" ? this.placeKey() : `${this.claim.epoch}:${this.count}`;
    if (said.during === "code" && this.isRepeating) return;
    if (++this.count > MAX_LINES_PER_CLAIM) return;
    const last = this.count === MAX_LINES_PER_CLAIM;
    const words = last
      ? `This claim has said ${MAX_LINES_PER_CLAIM} lines: this one and later ones are dropped.`
      : message;
    this.lines.push({
      ...said,
      key: last ? `${this.claim.epoch}:last` : key,
      message: logMessage(words),
      data: last ? null : logData(data),
      level: knownLevel(level),
      traceId: this.claim.traceId ?? null,
      saidAt: performance.now(),
    });
    this.sendSoon();
  }

  progress(progress: Progress): void {
    if (this.isRepeating && !this.claim.isWorking()) return;
    this.latest = progress;
    this.sendSoon();
  }

  /** Lines only, for a record that is sent anyway. */
  takeLines(): LogRecord[] | undefined {
    if (this.lines.length === 0) return undefined;
    const now = performance.now();
    return this.lines.splice(0).map(({ saidAt, ...line }) => ({ ...line, ageMs: now - saidAt }));
  }

  /** Everything unsent; undefined when there is nothing. */
  take(): Notes | undefined {
    clearTimeout(this.timer);
    this.timer = undefined;
    const logs = this.takeLines();
    const progress = this.latest;
    this.latest = undefined;
    return logs || progress ? { ...(logs && { logs }), ...(progress && { progress }) } : undefined;
  }

  private get isRepeating(): boolean {
    return this.claim.heard.given < this.claim.keptUntil;
  }

  private placeKey(): string {
    const { given } = this.claim.heard;
    if (this.place.after !== given) this.place = { after: given, next: 0 };
    return `after ${given}:${this.place.next++}`;
  }

  private sendSoon(): void {
    this.timer ??= setTimeout(() => {
      const notes = this.take();
      if (notes) this.send(notes);
    }, SAY_WITHIN_MS);
  }
}
