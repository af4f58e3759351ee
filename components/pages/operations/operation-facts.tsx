import Link from "next/link";
import { canarySentence, paramsText } from "@/components/domain/operations/operation-words";
import { runsText } from "@/components/domain/operations/plan-words";
import { Instant } from "@/components/parts/time/instant";
import { Fact, Facts } from "@/components/ui/layout/facts";
import type { OperationAndRuns } from "@/lib/api/contract/operations";

/** Why it was started, by whom, and its settings. */
export function OperationFacts({ operation }: { operation: OperationAndRuns }) {
  const { reason, startedBy, createdAt, ratePerSecond, runId, finishedAt, params } = operation;
  const canary = canarySentence(operation);
  const chosen = paramsText(params);
  return (
    <Facts>
      <Fact name="Why">{reason}</Fact>
      {chosen && <Fact name="Chosen">{chosen}</Fact>}
      <Fact name="Started">
        {startedBy}, <Instant at={createdAt} />
      </Fact>
      {finishedAt && (
        <Fact name="Ended">
          <Instant at={finishedAt} />
        </Fact>
      )}
      {runId && (
        <>
          <Fact name="Rate">{runsText(ratePerSecond)} a second</Fact>
          {canary && <Fact name="First runs">{canary}</Fact>}
          <Fact name="Run by">
            <Link
              href={`/runs/${runId}`}
              className="inline-flex min-h-6 items-center break-all font-mono text-small hover:underline"
            >
              {runId}
            </Link>
          </Fact>
        </>
      )}
    </Facts>
  );
}
