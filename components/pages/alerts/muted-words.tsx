import { Instant } from "@/components/parts/time/instant";
import type { AlertRuleView } from "@/lib/api/contract/alerts";

/** That nothing is sent about a rule now, and why. */
export function MutedWords({ rule }: { rule: Pick<AlertRuleView, "muted" | "mutedUntil" | "mutedBy"> }) {
  const { muted, mutedUntil, mutedBy } = rule;
  if (!muted) return null;
  return (
    <p className="break-words text-amber text-small">
      {mutedUntil === null ? (
        "Muted at this hour of the week"
      ) : (
        <>
          Muted by {mutedBy} until <Instant at={mutedUntil} />
        </>
      )}
    </p>
  );
}
