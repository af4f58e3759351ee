import { HandrailError } from "../../engine/errors";
import type { Span } from "../../engine/spans/span";
import type { Db } from "../../store/db";
import { keepSpans, releaseHeldSpans } from "../../store/spans/keep-spans";
import { within } from "../health/database-pulse";
import type { Decoded } from "./decode-spans";

/** Requests whose spans are decoded and written at a time, of one process: each holds up to 16 MiB, and one connection. */
const MOST_AT_ONCE = 4;
const BUSY_MS = 1_000;
/** An exporter gives up after ten seconds, and sends again what it was refused: better early. */
const PATIENCE_MS = 4_000;
/** Spans that one sender may have written in the long run, and what it may be ahead of that. */
const SPANS_PER_SECOND = 2_000;
const MOST_AHEAD = 40_000;
/** Senders that are remembered: tokens, which people make. */
const MOST_SENDERS = 1_000;

/** What this process has in hand, and what each sender has left. */
export class Intake {
  private atOnce = 0;
  private readonly left = new Map<string, { spans: number; at: number }>();

  /** @throws HandrailError `too_busy`, `too_many_attempts` with `details.waitMs` */
  async admit<Result>(sender: string, body: (spend: (spans: number) => void) => Promise<Result>): Promise<Result> {
    const waitMs = this.waitOf(sender);
    if (waitMs > 0)
      throw new HandrailError(
        "too_many_attempts",
        `This token sends more than ${SPANS_PER_SECOND.toLocaleString("en")} spans a second. Sample them, or send those of your workflows alone.`,
        { waitMs },
      );
    if (this.atOnce >= MOST_AT_ONCE)
      throw new HandrailError("too_busy", "Too many requests with spans at once. Try again in a moment.", {
        waitMs: BUSY_MS,
      });
    this.atOnce++;
    try {
      return await body((spans) => this.spend(sender, spans));
    } finally {
      this.atOnce--;
    }
  }

  private waitOf(sender: string): number {
    const { spans } = this.standingOf(sender);
    return spans > 0 ? 0 : ((1 - spans) / SPANS_PER_SECOND) * 1_000;
  }

  /** A request is let in as a whole once its sender has anything left; the next one waits for what it took too much. */
  private spend(sender: string, spans: number): void {
    const standing = this.standingOf(sender);
    this.left.delete(sender);
    this.left.set(sender, { ...standing, spans: standing.spans - spans });
    if (this.left.size > MOST_SENDERS) this.left.delete(this.left.keys().next().value as string);
  }

  private standingOf(sender: string): { spans: number; at: number } {
    const now = performance.now();
    const { spans, at } = this.left.get(sender) ?? { spans: MOST_AHEAD, at: now };
    return { spans: Math.min(MOST_AHEAD, spans + ((now - at) / 1_000) * SPANS_PER_SECOND), at: now };
  }
}

const intakes = new WeakMap<Db, Intake>();

function intakeOf(db: Db): Intake {
  const intake = intakes.get(db) ?? new Intake();
  intakes.set(db, intake);
  return intake;
}

export interface Received {
  /** Spans that are not kept, and need not be sent again. */
  rejected: number;
  /** Why, in sentences; empty when all are kept. */
  because: string;
}

/**
 * Keeps the spans that `decode` gives, each once: what is sent again is kept already. When it resolves they are committed.
 * @param sender whose rate it counts for
 * @throws HandrailError `too_many_attempts`, `too_busy`, `unavailable`: nothing is promised, send them again
 */
export function receiveSpans(db: Db, sender: string, decode: () => Promise<Decoded>): Promise<Received> {
  const late = new HandrailError("unavailable", "The database takes too long. Send the spans again in a moment.", {
    waitMs: PATIENCE_MS,
  });
  const kept = intakeOf(db).admit(sender, async (spend) => {
    const { spans, invalid } = await decode();
    spend(spans.length);
    return received(await keep(db, spans), invalid);
  });
  return within(kept, PATIENCE_MS, late).then((answer) => {
    if (answer instanceof HandrailError) throw answer;
    return answer;
  });
}

async function keep(db: Db, spans: readonly Span[]) {
  if (spans.length === 0) return { full: 0, unknown: 0 };
  await releaseHeldSpans(db);
  return keepSpans(db, spans);
}

function received({ full, unknown }: { full: number; unknown: number }, invalid: number): Received {
  const reasons = [
    full > 0 && `${full} of runs or traces that have 2,000 spans already`,
    unknown > 0 && `${unknown} of traces without a run, of which too many wait for one`,
    invalid > 0 && `${invalid} that are malformed, have no valid ids or times, or take more than 64 KiB`,
  ].filter((reason) => reason !== false);
  const because = reasons.length === 0 ? "" : `Spans were not kept: ${reasons.join("; ")}.`;
  return { rejected: full + unknown + invalid, because };
}
