import { Callout } from "@/components/ui/feedback/callout";
import type { Operation } from "@/lib/api/contract/operations";

/** Why an operation is paused, and how to resume it; renders nothing for other operations. */
export function PausedBecause({ operation: { status, pausedBecause } }: { operation: Operation }) {
  if (status !== "paused") return null;
  return (
    <Callout tone="amber" title="Paused: no further runs start until it is resumed">
      <p className="text-ink-2">{pausedBecause}</p>
    </Callout>
  );
}
