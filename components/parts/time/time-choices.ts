"use client";

import { useStored } from "@/components/ui/hooks/use-stored";
import { isTimeZone } from "@/lib/engine/schedules/time-zone";

/** The zone that was chosen, an IANA name; null: that of the viewer's computer. What a browser keeps may be of another's making. */
export function useZoneChoice(): [string | null, (zone: string | null) => void] {
  const [kept, keep] = useStored("handrail.zone");
  return [kept && isTimeZone(kept) ? kept : null, (zone) => keep(zone ?? "")];
}

/** The clock that was chosen; null: as the browser's language has it. */
export function useHoursChoice(): [12 | 24 | null, (hours: 12 | 24 | null) => void] {
  const [kept, keep] = useStored("handrail.hours");
  return [kept === "12" ? 12 : kept === "24" ? 24 : null, (hours) => keep(String(hours ?? ""))];
}

/** That of the viewer's computer; UTC where it does not say. */
export function ownZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : "UTC";
}

/** Every zone that this browser knows. */
export const allZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
