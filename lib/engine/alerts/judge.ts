import { type AlertDefinition, type AlertState, KIND_RULES } from "./alert-rule";
import { isWithin } from "./mute-window";

/** How often all rules are judged. */
export const TICK_MS = 10_000;
/**
 * After a longer pause between two judgements nobody knows whether a breach lasted: it begins anew. Far more than the minute between
 * two drives where no worker process stays.
 */
const CONTINUOUS_MS = 300_000;

/** What a rule watches, now. Null: nothing to measure, such as too few runs. */
export interface Measured {
  value: number | null;
  /** The workflow or schedule that is worst; null: the whole installation. */
  subject: string | null;
}

export interface Standing {
  state: AlertState;
  /** Milliseconds since 1970, by the database's clock. */
  breachedSince: number | null;
  /** Of a rule that fires. */
  clearSince: number | null;
}

export interface Judgement extends Standing {
  happened: "fired" | "resolved" | null;
}

type Numbers = Pick<AlertDefinition, "kind" | "threshold" | "resolveThreshold" | "forMs" | "resolveForMs">;

/**
 * One judgement: a rule fires when it was breached for `forMs`, and resolves when it was clear for `resolveForMs`. Between its two
 * thresholds it stays what it is.
 * @param judgedAt the judgement before
 */
export function judge(rule: Numbers, before: Standing, measured: Measured, now: number, judgedAt: number): Judgement {
  const known = now - judgedAt <= CONTINUOUS_MS ? before : forgotten(before);
  if (before.state === "firing") {
    if (!isClear(rule, measured.value)) return { ...known, state: "firing", clearSince: null, happened: null };
    const clearSince = known.clearSince ?? now;
    if (now - clearSince < rule.resolveForMs) return { ...known, state: "firing", clearSince, happened: null };
    return { ...OK, happened: "resolved" };
  }
  if (!isBreach(rule, measured.value)) return { ...OK, happened: null };
  const breachedSince = known.breachedSince ?? now;
  const fires = now - breachedSince >= rule.forMs;
  return { state: fires ? "firing" : "pending", breachedSince, clearSince: null, happened: fires ? "fired" : null };
}

export const OK: Standing = { state: "ok", breachedSince: null, clearSince: null };

const forgotten = ({ state, breachedSince }: Standing): Standing => ({
  state,
  breachedSince: state === "firing" ? breachedSince : null,
  clearSince: null,
});

export const isBreach = ({ kind, threshold }: Pick<Numbers, "kind" | "threshold">, value: number | null): boolean =>
  value !== null && (KIND_RULES[kind].below ? value < threshold : value > threshold);

const isClear = ({ kind, resolveThreshold }: Numbers, value: number | null): boolean =>
  value === null || (KIND_RULES[kind].below ? value >= resolveThreshold : value <= resolveThreshold);

interface Muting {
  muteWindows: AlertDefinition["muteWindows"];
  /** By a person. */
  mutedUntil: number | null;
}

export const isMuted = ({ muteWindows, mutedUntil }: Muting, now: number): boolean =>
  (mutedUntil !== null && mutedUntil > now) || isWithin(muteWindows, now);

/** Whether people are to be notified of a firing rule now: not while it is muted, nor soon after its last message. */
export const mayNotify = (
  rule: Muting & Pick<AlertDefinition, "quietMs"> & { noticedAt: number | null },
  now: number,
): boolean => !isMuted(rule, now) && (rule.noticedAt === null || now - rule.noticedAt >= rule.quietMs);

/** The breaches of a history of values, each lasting `widthMs`, that would have made the rule fire. Oldest first. */
export function firingsOf(rule: Numbers, values: readonly (number | null)[], widthMs: number): number {
  let standing: Standing = OK;
  let firings = 0;
  // A value holds from the beginning to the end of its period.
  for (const [place, value] of values.entries())
    for (const now of [place * widthMs, (place + 1) * widthMs - 1]) {
      const judged = judge(rule, standing, { value, subject: null }, now, now);
      standing = judged;
      if (judged.happened === "fired") firings++;
    }
  return firings;
}
