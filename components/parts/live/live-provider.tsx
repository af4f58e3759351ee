"use client";

import { focusManager } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { type LiveStatus, useLiveChanges } from "@/lib/api/hooks/use-live-changes";

interface Live {
  status: LiveStatus;
  paused: boolean;
  setPaused: (paused: boolean) => void;
}

const AT_FIRST: Live = { status: "connecting", paused: false, setPaused: () => undefined };
export const LiveContext = createContext(AT_FIRST);

/** A late part of the page is hydrated as it was rendered, whatever other parts have received by then. */
export function useLive(): Live {
  const live = useContext(LiveContext);
  return useHydrated() ? live : AT_FIRST;
}

/** Follows changes; paused, nothing on the screen moves by itself. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [paused, setPaused] = useState(false);
  const status = useLiveChanges({ paused });
  useEffect(() => {
    // Interval refetches stop while the window counts as out of focus; the user's own actions and reloads continue.
    focusManager.setFocused(paused ? false : undefined);
    return () => focusManager.setFocused(undefined);
  }, [paused]);
  return <LiveContext value={{ status, paused, setPaused }}>{children}</LiveContext>;
}
