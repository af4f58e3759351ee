import type { Operation } from "@/lib/api/contract/operations";
import { Callout } from "../ui/feedback/callout";

/** Why a paused operation stands still, and what moves it; nothing of another. */
export function PausedBecause({ operation: { status, pausedBecause } }: { operation: Operation }) {
  if (status !== "paused") return null;
  return (
    <Callout tone="amber" title="Paused: nothing begins until somebody resumes it">
      <p className="text-ink-2">{pausedBecause}</p>
    </Callout>
  );
}
