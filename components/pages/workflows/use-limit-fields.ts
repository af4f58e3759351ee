import { useState } from "react";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { type LiveLimits, MAX_LIMIT, type Rate, refusedWindow, type TimeWindow } from "@/lib/engine/queues/queue";

/** An operator's overrides of the code's limits; an empty field keeps the code's. */
export function useLimitFields({ limits, liveLimits: live }: WorkflowView) {
  const concurrency = useLimit(live?.concurrency ?? null);
  const rate = useLimit(live?.rate?.limit ?? null);
  const total = useLimit(live?.total ?? null);
  const totalRate = useLimit(live?.totalRate?.limit ?? null);
  const window = useWindow(live?.window ?? null, limits?.window ?? null);
  const rateOf = (limit: number | null, ...known: (Rate | null | undefined)[]) => {
    const perMs = known.find((rate) => rate)?.perMs;
    return limit !== null && perMs !== undefined ? { limit, perMs } : null;
  };
  const asked: LiveLimits = {
    concurrency: concurrency.value,
    rate: rateOf(rate.value, live?.rate, limits?.rate),
    total: total.value,
    totalRate: rateOf(totalRate.value, live?.totalRate, limits?.totalRate),
    window: window.value,
  };
  return {
    ...{ concurrency, rate, total, totalRate, window, asked },
    isEmpty: Object.values(asked).every((limit) => limit === null),
    // Each check shows what it finds: none is to be left out because another one failed.
    check: () => [concurrency.check(), rate.check(), total.check(), totalRate.check(), window.check()].every(Boolean),
  };
}

export type LimitFields = ReturnType<typeof useLimitFields>;

type Changed = { target: { value: string } };

/** A whole number, or empty. */
function useLimit(initial: number | null) {
  const [text, setText] = useState(initial === null ? "" : String(initial));
  const [tried, setTried] = useState(false);
  const trimmed = text.trim();
  const value = trimmed === "" ? null : Number(trimmed);
  const valid = value === null || (Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT);
  return {
    value,
    field: {
      value: text,
      onChange: (event: Changed) => setText(event.target.value),
      error: tried && !valid ? `A whole number from 1 to ${MAX_LIMIT}, or empty.` : undefined,
    },
    check: () => {
      setTried(true);
      return valid;
    },
  };
}

/** Two times of day, and a zone, which is the code's unless it is given; or nothing. */
function useWindow(initial: TimeWindow | null, declared: TimeWindow | null) {
  const [text, setText] = useState<TimeWindow>(initial ?? { from: "", to: "", timeZone: "" });
  const [tried, setTried] = useState(false);
  const given = { from: text.from.trim(), to: text.to.trim(), timeZone: text.timeZone.trim() };
  const isEmpty = Object.values(given).every((part) => part === "");
  const value = isEmpty ? null : { ...given, timeZone: given.timeZone || (declared?.timeZone ?? "UTC") };
  const refused = value ? refusedWindow(value) : undefined;
  const fieldOf = (part: keyof TimeWindow) => ({
    value: text[part],
    onChange: (event: Changed) => setText((before) => ({ ...before, [part]: event.target.value })),
    error: tried && refused?.at === part ? refused.why : undefined,
  });
  return {
    value,
    from: fieldOf("from"),
    to: fieldOf("to"),
    timeZone: fieldOf("timeZone"),
    check: () => {
      setTried(true);
      return refused === undefined;
    },
  };
}
