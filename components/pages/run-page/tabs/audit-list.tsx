import { ScrollText } from "lucide-react";
import { AuditEntry } from "@/components/domain/audit/audit-entry";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import type { AuditRow } from "@/lib/api/contract/run";

/** Actions and refusals on this run, and their reasons; latest first, live. */
export function AuditList({ audit }: { audit: AuditRow[] }) {
  if (audit.length === 0)
    return (
      <EmptyState icon={<ScrollText aria-hidden />} title="No actions on this run yet">
        Every action is listed here: who, when, why, and what changed. Refused ones, too.
      </EmptyState>
    );
  return (
    <ol className="max-w-[820px] px-4 py-2 md:px-6">
      {audit.map((row) => (
        <li key={row.id} className="border-line border-t py-3 first:border-t-0">
          <AuditEntry row={row} ofRun />
        </li>
      ))}
    </ol>
  );
}
