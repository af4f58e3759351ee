"use client";

import { useEffect, useMemo, useState } from "react";
import type { Run } from "@/lib/api/contract/run";
import { HIDDEN } from "@/lib/engine/privacy/hidden-text";

/** A run with its masked values, as it was when they were requested. */
export interface Unmasked {
  run: Run;
  at: string;
}

/** In this component's state alone: neither in the query cache nor in the URL, and gone with the page. */
export function useUnmasked(run: Run) {
  const [unmasked, setUnmasked] = useState<Unmasked | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run's page forgets it, also where the component stays
  useEffect(() => () => setUnmasked(null), [run.id]);
  const isMasked = useMemo(() => hasMasked(run), [run]);
  return {
    unmasked,
    isMasked,
    show: (whole: Run) => setUnmasked({ run: whole, at: new Date().toISOString() }),
    hide: () => setUnmasked(null),
  };
}

function hasMasked(run: Run): boolean {
  const text = JSON.stringify(run);
  return text.includes('{"$type":"masked"}') || text.includes(HIDDEN);
}
