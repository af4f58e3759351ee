"use client";

import { ChevronLeft } from "lucide-react";
import Link from "next/link";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useOperation } from "@/lib/api/hooks/operation-hooks";
import { PermittedButton } from "../access/permitted-button";
import { MayOpen } from "../acts/may-open";
import { useCommands } from "../palette/commands";
import { useRemember } from "../palette/recent";
import { BoardSkeleton } from "../shell/board-page";
import { QueryFailure } from "../shell/query-failure";
import { TopBar } from "../shell/top-bar";
import { StatusLabel } from "../status/status-label";
import { Instant } from "../time/instant";
import { Callout } from "../ui/callout";
import { Card } from "../ui/card";
import { Fact, Facts } from "../ui/facts";
import { useDialogUrl } from "../ui/use-dialog-url";
import { OperationDialog, type OperationDialogAct } from "./operation-dialogs";
import { OperationItems } from "./operation-items";
import { OperationProgress } from "./operation-progress";
import { ACT_WORDS, canarySentence, OPERATION_LOOKS, paramsText } from "./operation-words";
import { runsText } from "./plan-words";
import { RunsNow } from "./runs-now";

/** One operation: how far it has come, what became of each run, and what a person may do about it. */
export function OperationPage({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useOperation(operationId);
  return (
    <>
      <TopBar
        crumb={
          <Link href="/operations" className="flex items-center gap-1 text-ink-2 hover:text-ink">
            <ChevronLeft aria-hidden className="size-4" />
            Operations
          </Link>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {data && <Loaded operation={data} />}
          {!data && error && <QueryFailure what="the operation" error={error} onRetry={() => void refetch()} />}
          {!data && !error && <BoardSkeleton what="the operation" />}
        </div>
      </div>
    </>
  );
}

function Loaded({ operation }: { operation: OperationAndRuns }) {
  const { open: act, show, close } = useDialogUrl(OPERATION_ACTS);
  const { act: planned, counts, status, pausedBecause } = operation;
  const whyNot = useWhyNot("operation.control");
  useRemember(`/operations/${operation.id}`, `${ACT_WORDS[planned]} ${runsText(counts.total)}`);
  useCommands(
    "This operation",
    actsOf(operation).map((one) => ({
      id: `act ${one}`,
      label: BUTTONS[one],
      closed: whyNot,
      run: () => show(one),
    })),
  );
  return (
    <>
      <header className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="font-semibold text-title tracking-tight">
            {ACT_WORDS[planned]} {runsText(counts.total)}
          </h1>
          <span role="status">
            <StatusLabel look={OPERATION_LOOKS[status]} />
          </span>
          <Acts operation={operation} onAct={show} />
        </div>
        <OperationProgress operation={operation} />
      </header>
      {status === "paused" && (
        <Callout tone="amber" title="Paused: nothing begins until somebody resumes it">
          <p className="text-ink-2">{pausedBecause}</p>
        </Callout>
      )}
      <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <RunsNow operation={operation} />
        <About operation={operation} />
      </div>
      <OperationItems operation={operation} />
      {act && (
        <MayOpen because={whyNot ?? (actsOf(operation).includes(act) ? null : NOT_NOW)} onClose={close}>
          <OperationDialog act={act} operation={operation} onClose={close} />
        </MayOpen>
      )}
    </>
  );
}

interface ActsProps {
  operation: OperationAndRuns;
  onAct: (act: OperationDialogAct) => void;
}

const BUTTONS: Record<OperationDialogAct, string> = {
  rate: "Change the rate…",
  abort: "Abort…",
  resume: "Resume…",
  pause: "Pause…",
};

const OPERATION_ACTS = Object.keys(BUTTONS) as OperationDialogAct[];
const NOT_NOW = "The operation has moved on: as it stands now, this is not among its acts.";

/** What can be done about it as it stands. */
const actsOf = ({ status, finishedAt }: OperationAndRuns): OperationDialogAct[] =>
  finishedAt ? [] : ["rate", "abort", status === "paused" ? "resume" : "pause"];

function Acts({ operation, onAct }: ActsProps) {
  return (
    <div className="flex flex-wrap gap-2 empty:hidden md:ml-auto">
      {actsOf(operation).map((act) => (
        <PermittedButton
          key={act}
          action="operation.control"
          variant={act === "resume" ? "primary" : "secondary"}
          onClick={() => onAct(act)}
        >
          {BUTTONS[act]}
        </PermittedButton>
      ))}
    </div>
  );
}

function About({ operation }: { operation: OperationAndRuns }) {
  const { reason, startedBy, createdAt, ratePerSecond, runId, finishedAt, params } = operation;
  const canary = canarySentence(operation);
  const chosen = paramsText(params);
  return (
    <Card title="What it does">
      <div className="px-4 pb-4">
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
              <Fact name="Carried out by">
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
      </div>
    </Card>
  );
}
