"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { operationTitle } from "@/components/domain/operations/operation-words";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Card } from "@/components/ui/layout/card";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { isAtRest, operationProofQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { addUp, type Proof, type StepSum } from "@/lib/engine/operations/add-up-proof";
import { formatCount, plural } from "@/lib/format";
import { proofText, verdictOf } from "./proof-text";

/** How often the effects of the repaired runs happened, step by step: once all of these runs are at rest, or on request. */
export function OperationProof({ operation }: { operation: OperationAndRuns }) {
  const [presses, setPresses] = useState(0);
  // Of a very large operation the status of its latest runs alone is known.
  const restIsUnknown = isAtRest(operation) && operation.runs.of < operation.counts.done;
  const atRest = isAtRest(operation) && !restIsUnknown;
  const judges = atRest || presses > 0;
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery({
    ...operationProofQuery(operation.id, atRest ? JSON.stringify(operation.runs) : `press ${presses}`),
    enabled: judges,
  });
  useEffect(() => {
    if (judges && data && hasNextPage && !isFetching && !error) void fetchNextPage();
  }, [judges, data, hasNextPage, isFetching, error, fetchNextPage]);
  const proof = data && addUp(data.pages);
  return (
    <Card
      title="Proof"
      note={hasNextPage && proof ? `${formatCount(proof.runs)} runs so far` : undefined}
      action={proof && !hasNextPage && <CopyButton what="the proof as text" text={() => textOf(operation, proof)} />}
    >
      <div className="px-4 pb-4">
        {!atRest && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-2 text-ink-3">
            {restIsUnknown && `Only the latest ${plural(operation.runs.of, "run")} are known to be at rest. `}
            The proof is final when every run is at rest.
            <Button size="small" disabled={isFetching} onClick={() => setPresses(presses + 1)}>
              Judge now
            </Button>
          </p>
        )}
        {judges && !data && !error && (
          <p className="flex items-center gap-2 text-ink-3">
            <Spinner /> Judging the effect ledger
          </p>
        )}
        {!data && error && <QueryFailure what="the proof" error={error} onRetry={() => void refetch()} />}
        {proof && <Proven proof={proof} whole={!hasNextPage} />}
      </div>
    </Card>
  );
}

const textOf = (operation: OperationAndRuns, proof: Proof) =>
  proofText(operationTitle(operation), proof, `${location.origin}/operations/${operation.id}`);

function Proven({ proof, whole }: { proof: Proof; whole: boolean }) {
  const verdict = whole ? verdictOf(proof).join(" ") : "";
  if (proof.steps.length === 0) return <p className="text-ink-3">{verdict || "No effect reached a provider."}</p>;
  return (
    <>
      {verdict && <p className="pb-2">{verdict}</p>}
      <div className="overflow-x-auto">
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">Effects of {plural(proof.runs, "repaired run")}, by step</caption>
          <thead className="text-ink-3 text-small">
            <tr>
              {["Step", "Happened", "Keys", "Maybe twice", "Open"].map((head, index) => (
                <th key={head} scope="col" className={classNames("py-1.5 pr-4 font-normal", index > 0 && "text-right")}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {proof.steps.map((sum) => (
              <StepRow key={`${sum.workflow} ${sum.step}`} sum={sum} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function StepRow({ sum: { step, happened, keys, maybeTwice, open } }: { sum: StepSum }) {
  return (
    <tr className="border-line border-t">
      <th scope="row" className="break-words py-1.5 pr-4 font-normal">
        {step ?? "all other steps"}
      </th>
      <td className="py-1.5 pr-4 text-right font-medium">{formatCount(happened)}</td>
      <td className="py-1.5 pr-4 text-right text-ink-2">{formatCount(keys)}</td>
      <td className={classNames("py-1.5 pr-4 text-right", maybeTwice > 0 ? "font-medium text-red" : "text-ink-2")}>
        {formatCount(maybeTwice)}
      </td>
      <td className={classNames("py-1.5 pr-4 text-right", open > 0 ? "font-medium text-amber" : "text-ink-2")}>
        {formatCount(open)}
      </td>
    </tr>
  );
}
