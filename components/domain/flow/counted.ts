import type { Flow, FlowPoint } from "@/lib/api/contract/flow";

/** Beyond this, the page reports that the charts are behind. */
const USUALLY_BEHIND_MS = 30_000;

export type CountedUntil = Pick<Flow, "countedUntil" | "updatedAt">;

/** Whether runs have ended that should be counted by now. */
export const isBehind = ({ countedUntil, updatedAt }: CountedUntil): boolean =>
  countedUntil === null || Date.parse(updatedAt) - Date.parse(countedUntil) > USUALLY_BEHIND_MS;

/** Before counting began, and after the time that it has reached, the numbers are unknown, which is not zero. */
export function isCounted(
  { at }: Pick<FlowPoint, "at">,
  { pointMs, countedSince, countedUntil }: Pick<Flow, "pointMs" | "countedSince" | "countedUntil">,
): boolean {
  if (countedSince === null || countedUntil === null) return false;
  const atMs = Date.parse(at);
  return atMs + pointMs > Date.parse(countedSince) && atMs < Date.parse(countedUntil) + USUALLY_BEHIND_MS;
}
