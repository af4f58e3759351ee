"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { useTimes } from "@/components/parts/time/viewer-formats";
import { formatClock } from "@/lib/format/times";
import { type Health, isCutOff } from "./health";
import { troubleOf } from "./health-words";

const CONNECTING: Health = { is: "connecting" };

/** Where the state is kept: `HealthWatch`, within the console. */
export interface HealthSource {
  subscribe: (onChange: () => void) => () => void;
  health: () => Health;
}

export const HealthContext = createContext<HealthSource>({
  subscribe: () => () => undefined,
  health: () => CONNECTING,
});

/** The one state of the console's data. A page is hydrated as it was rendered: connecting. */
export function useHealth(): Health {
  const { subscribe, health } = useContext(HealthContext);
  return useSyncExternalStore(subscribe, health, () => CONNECTING);
}

/** Why nothing can be sent or read now; null: it can. */
export function useCutOff(): string | null {
  const health = useHealth();
  const times = useTimes();
  return isCutOff(health) ? troubleOf(health, (atMs) => formatClock(atMs, times)) : null;
}
