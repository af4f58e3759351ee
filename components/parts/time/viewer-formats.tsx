"use client";

import { createContext, type ReactNode, use, useMemo } from "react";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { findNumberStyle } from "@/lib/format/numbers";
import type { TimeStyle } from "@/lib/format/times";
import { BRITISH, type ViewerFormats } from "@/lib/format/viewer-formats";
import { ownZone, useHoursChoice, useZoneChoice } from "./time-choices";

interface Formats extends ViewerFormats {
  /** Before hydration: no server knows its reader's zone, nor what a browser stores. */
  drawn: TimeStyle;
  shown: TimeStyle;
}

const FormatsContext = createContext<Formats>({
  ...BRITISH,
  drawn: { ...BRITISH.times, zone: "UTC" },
  shown: { ...BRITISH.times, zone: ownZone() },
});

/**
 * Numbers and times below it are written as the viewer writes them: by what the server read of the browser's languages, so that
 * what it draws is what the browser draws, and by what was chosen in this browser, once the page has woken up.
 */
export function ViewerFormatsProvider({ formats, children }: { formats: ViewerFormats; children: ReactNode }) {
  const [zone] = useZoneChoice();
  const [hours] = useHoursChoice();
  const value = useMemo(
    () => ({
      ...formats,
      drawn: { ...formats.times, zone: "UTC" },
      shown: { ...formats.times, ...(hours && { hours }), zone: zone ?? ownZone() },
    }),
    [formats, zone, hours],
  );
  if (typeof window !== "undefined") findNumberStyle(() => formats.numbers);
  return <FormatsContext value={value}>{children}</FormatsContext>;
}

/** How times are written, and in which zone. */
export function useTimes(): TimeStyle {
  const { drawn, shown } = use(FormatsContext);
  return useHydrated() ? shown : drawn;
}

// A server renders pages concurrently: numbers use the formats of the page being rendered.
if (typeof window === "undefined")
  findNumberStyle(() => {
    try {
      return use(FormatsContext).numbers;
    } catch {
      return BRITISH.numbers; // nothing is being rendered
    }
  });
