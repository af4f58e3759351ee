import { sha256 } from "../engine/digest";

/*
 * A worker that is killed exports none of its open spans, and what ran inside them has a parent that never comes. So
 * Handrail's spans have ids that any later worker computes again from the run: it exports the lost ones in their place.
 * An SDK asks its id generator for an id and takes none from elsewhere; `spanIds` is such a generator. The next id goes
 * from Handrail to it through the global object: an app may load them from two files.
 */

export interface ChosenIds {
  spanId: string;
  /** For a span without a parent. */
  traceId?: string;
}

const shared = globalThis as { handrailNextIds?: Partial<Record<keyof ChosenIds, string | undefined>> };

/** Runs `begin`, in which the SDK asks for the ids of the span that it begins. */
export function withIds<Result>({ spanId, traceId }: ChosenIds, begin: () => Result): Result {
  shared.handrailNextIds ??= {};
  const next = shared.handrailNextIds;
  next.spanId = spanId;
  next.traceId = traceId;
  try {
    return begin();
  } finally {
    next.spanId = undefined;
    next.traceId = undefined;
  }
}

/** The same for the same run and name in every process. */
export const chosenSpanId = (runId: string, name: string): string => sha256(`${runId} ${name}`).slice(0, 16);

/** Of a run whose start brought none. A run's id is as long as a trace's. */
export const chosenTraceId = (runId: string): string => runId.replaceAll("-", "");

/** Of the start of such a run: its last digits, since it is made for every run, also those that are not sampled. */
export const startSpanId = (runId: string): string => runId.slice(19, 23) + runId.slice(24);

/** The `idGenerator` of an OpenTelemetry SDK: random ids, but for the spans of Handrail. */
export const spanIds = {
  generateTraceId: (): string => taken("traceId") ?? randomHex() + randomHex(),
  generateSpanId: (): string => taken("spanId") ?? randomHex(),
};

/** Once: a processor of the SDK may begin its own span while this one begins. */
function taken(id: keyof ChosenIds): string | undefined {
  const next = shared.handrailNextIds;
  const chosen = next?.[id];
  if (next) next[id] = undefined;
  return chosen;
}

const randomHex = () => randomHalf() + randomHalf();
const randomHalf = () =>
  Math.floor(Math.random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, "0");
