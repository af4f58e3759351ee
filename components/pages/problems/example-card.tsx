import Link from "next/link";
import { ErrorView } from "@/components/domain/run/error-view";
import { Card } from "@/components/ui/layout/card";
import type { ProblemDetail } from "@/lib/api/contract/problems";

/** Its latest error, as it was thrown. */
export function ExampleCard({ problem: { example } }: { problem: ProblemDetail }) {
  return (
    <Card
      title="Latest error"
      action={
        <Link href={`/runs/${example.runId}`} className="text-accent hover:underline">
          Its run
        </Link>
      }
    >
      <div className="px-4 pt-1 pb-4">
        {example.error ? <ErrorView error={example.error} /> : <p className="text-ink-3">No error was saved.</p>}
      </div>
    </Card>
  );
}
