"use client";

import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { useCutOff } from "@/components/parts/live/use-health";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { InsteadOfLoading } from "@/components/ui/feedback/skeleton";

/** In the place of what cannot be read now: why, and that nothing has to be done. */
export function NoAnswer({ what, trouble }: { what: string; trouble: string }) {
  return (
    <EmptyState icon={<CloudOff aria-hidden />} title={`${trouble}.`}>
      {what.charAt(0).toUpperCase() + what.slice(1)} will be shown here as soon as there is an answer.
    </EmptyState>
  );
}

/** While nothing can be read, what waits says so, and no skeleton promises that it is about to come. */
export function TroubleInsteadOfLoading({ children }: { children: ReactNode }) {
  const trouble = useCutOff();
  return (
    <InsteadOfLoading value={trouble === null ? null : (what) => <NoAnswer what={what} trouble={trouble} />}>
      {children}
    </InsteadOfLoading>
  );
}
