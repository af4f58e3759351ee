import { JsonView } from "@/components/parts/values/json-view";
import { later } from "@/components/ui/later";
import type { WhichValue } from "@/lib/api/hooks/beside-hooks";

const LargeValue = later(() => import("./large-value").then((part) => part.LargeValue));

type Value = Parameters<typeof JsonView>[0]["value"];

interface StoredValueProps {
  value: Value;
  what: string;
  runId: string;
  of: WhichValue;
  className?: string;
}

/** A value of a run. One in the blob store says how large it is, and is loaded on request. */
export function StoredValue({ value, what, runId, of, className }: StoredValueProps) {
  const size = sizeElsewhere(value);
  if (size === null) return <JsonView value={value} what={what} {...(className && { className })} />;
  return <LargeValue key={`${runId} ${what}`} size={size} what={what} runId={runId} of={of} />;
}

function sizeElsewhere(value: Value): number | null {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value.$type !== "blob") return null;
  return typeof value.size === "number" ? value.size : 0;
}
