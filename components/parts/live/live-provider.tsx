"use client";

import { focusManager, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { useLiveChanges } from "@/lib/api/hooks/use-live-changes";
import { HealthWatch } from "./health-watch";
import { HealthContext } from "./use-health";

interface Live {
  paused: boolean;
  setPaused: (paused: boolean) => void;
}

const AT_FIRST: Live = { paused: false, setPaused: () => undefined };
export const LiveContext = createContext(AT_FIRST);

/** A late part of the page is hydrated as it was rendered, whatever other parts have received by then. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  return useHydrated() ? live : AT_FIRST;
}

/** Follows changes, and knows how fresh the data is; paused, nothing on the screen moves by itself. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient();
  const [watch] = useState(() => new HealthWatch(queryClient));
  const [paused, setPaused] = useState(false);
  useEffect(() => watch.start(), [watch]);
  useLiveChanges({ paused, onSign: watch.onSign });
  useEffect(() => {
    watch.setPaused(paused);
    // Interval refetches stop while the window counts as out of focus; the user's own actions and reloads continue.
    focusManager.setFocused(paused ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [watch, paused]);
  return (
    <HealthContext value={watch}>
      <LiveContext value={{ paused, setPaused }}>{children}</LiveContext>
    </HealthContext>
  );
}
