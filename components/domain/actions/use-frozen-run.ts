"use client";

import { useState } from "react";
import type { Frozen } from "@/components/parts/submit/act-dialog";
import type { Run } from "@/lib/api/contract/run";

export interface FrozenRun extends Frozen {
  run: Run;
}

/**
 * The run as it was when the dialog opened: its content does not change under the button that the user is about to
 * press.
 */
export function useFrozenRun(run: Run): FrozenRun {
  const [frozen, setFrozen] = useState(run);
  const changed = run.revision !== frozen.revision;
  return { run: frozen, what: "The run", changed, showFresh: () => setFrozen(run) };
}
