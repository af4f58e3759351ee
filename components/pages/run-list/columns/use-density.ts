"use client";

import { useStored } from "@/components/ui/hooks/use-stored";
import type { Density } from "../table/run-table";

/** The viewer's own: how high the rows are is no part of what a link shows. */
export function useDensity(): [Density, (density: Density) => void] {
  const [stored, store] = useStored("handrail.density");
  return [stored === "compact" ? "compact" : "comfortable", store];
}
