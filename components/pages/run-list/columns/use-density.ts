"use client";

import { useStored } from "@/components/ui/hooks/use-stored";

/** In pixels, by density. */
export const ROW_HEIGHTS = { comfortable: 34, compact: 27 } as const;
export type Density = keyof typeof ROW_HEIGHTS;

/** The viewer's own: how high the rows are is no part of what a link shows. */
export function useDensity(): [Density, (density: Density) => void] {
  const [stored, store] = useStored("handrail.density");
  return [stored === "compact" ? "compact" : "comfortable", store];
}
