"use client";

import { useState } from "react";
import type { Run } from "@/lib/api/contract/run";

/**
 * The run as it was when the dialog opened: its content does not change under the button that the user is about to
 * press.
 */
export function useFrozenRun(run: Run) {
  const [frozen, setFrozen] = useState(run);
  return { run: frozen, changed: run.revision !== frozen.revision, showFresh: () => setFrozen(run) };
}
export type FrozenRun = ReturnType<typeof useFrozenRun>;
