import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";

export function UnknownRun({ runId }: { runId: string }) {
  return (
    <EmptyState
      title="Run not found"
      action={
        <Button asChild>
          <Link href="/runs">All runs</Link>
        </Button>
      }
    >
      No run has the id <span className="break-words font-mono text-small">{runId}</span>. It may have been deleted or
      mistyped, or belong to another installation.
    </EmptyState>
  );
}
