"use client";

import type { TimeZone } from "@/lib/format";
import { useHydrated } from "../ui/use-hydrated";
import { useStored } from "../ui/use-stored";

const KEY = "handrail.zone";
/** While the page is as the server drew it: no server knows where its reader is. */
const SERVER_ZONE = "UTC";

/** In which zone times are shown: undefined is that of the viewer's computer. */
export function useZone(): TimeZone {
  const [kept] = useZoneChoice();
  return useHydrated() ? (kept ?? undefined) : SERVER_ZONE;
}

/** The zone that was chosen, an IANA name; null: that of the viewer's computer. */
export function useZoneChoice(): [string | null, (zone: string | null) => void] {
  const [kept, keep] = useStored(KEY);
  return [kept && isZone(kept) ? kept : null, (zone) => keep(zone ?? "")];
}

/** What this browser keeps may be of another browser's making. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Every zone that this browser knows. */
export const allZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
