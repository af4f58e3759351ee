"use client";

import { useEffect } from "react";
import { noteAge, noteInBrowser, type Shown } from "@/lib/api/client/sight-of-browser";

/** Draws nothing: what the server has drawn from a standby has an age, and the browser's reads must not show older. */
export function ShownPosition({ shown }: { shown: Shown }) {
  useEffect(() => {
    noteInBrowser(shown.position);
    for (const [path, ageMs] of shown.ages) noteAge(path, ageMs);
  }, [shown]);
  return null;
}
