"use client";

import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useId } from "react";
import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { showAct } from "@/components/domain/actions/use-open-act";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import { FailureBars } from "@/components/domain/problems/failure-bars";
import { CameBack, Unseen } from "@/components/domain/problems/problem-item";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { ATTENTION_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { queryOf } from "@/lib/api/client/address";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { Problem } from "@/lib/api/contract/problems";
import type { RunFilter } from "@/lib/api/contract/requests";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";
import type { Attention } from "@/lib/engine/runs/run";
import { titleOfRun } from "@/lib/engine/runs/run-name";
import { formatCount, plural } from "@/lib/format";
import { AlertRows } from "./alert-rows";
import { type AttentionGroup, groupsOfAttention } from "./attention-groups";
import { SwitchedOffRows } from "./switched-off-rows";
import { OverdueRows, StrandedRows } from "./unclaimed-rows";
import { useInboxKeys } from "./use-inbox-keys";
import { WatchedRows } from "./watched-rows";

/** What only an operator can repair, worst first, each with its next step. */
export function NeedsAttention({ overview }: { overview: OverviewResponse }) {
  const list = useInboxKeys();
  const groups = groupsOfAttention(overview);
  // Without any worker all would be listed, and the page says so above.
  const stranded = overview.workers.live > 0 ? overview.stranded : [];
  const { overdue } = overview;
  const switchedOff = overview.switchedOffDestinations;
  const failures = overview.problems.holding.filter(({ kind }) => kind === "failed");
  // Watched ones among the failures are marked there.
  const changed = overview.problems.changed.filter(({ id }) => !failures.some((problem) => problem.id === id));
  const inNeed = Object.values(overview.byAttention).reduce((sum, count) => sum + count, 0);
  const things =
    groups.length +
    stranded.length +
    overdue.length +
    failures.length +
    changed.length +
    switchedOff.length +
    overview.alerts.length;
  return (
    <Card
      title="Needs attention"
      note={inNeed > 0 ? `${formatCount(inNeed, COUNT_CAP)} ${inNeed === 1 ? "run" : "runs"}` : undefined}
    >
      {things === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden className="text-green" />} title="All clear" className="py-10">
          Failures after the last retry, unknown outcomes and compensations that need manual action appear here.
        </EmptyState>
      ) : (
        <ul ref={list} className="px-4 pb-1.5">
          <AlertRows alerts={overview.alerts} />
          <StrandedRows stranded={stranded} />
          <OverdueRows overdue={overdue} />
          <SwitchedOffRows destinations={switchedOff} />
          <Calls overview={overview} groups={groups} attention="outcome_unknown" />
          <Calls overview={overview} groups={groups} attention="compensation_owed" />
          {failures.map((problem) => (
            <ProblemRow key={problem.id} problem={problem} />
          ))}
          {overview.problems.open > overview.problems.holding.length && (
            <AllLink href="/problems">All {formatCount(overview.problems.open)} problems</AllLink>
          )}
          {groups
            .filter(({ attention }) => attention === "failed")
            .map((group) => (
              <GroupRow key={group.key} group={group} />
            ))}
          <Calls overview={overview} groups={groups} attention="approval" />
          <WatchedRows problems={changed} />
        </ul>
      )}
    </Card>
  );
}

const REST = {
  outcome_unknown: { href: "/runs?attention=outcome_unknown", of: "unknown outcomes" },
  compensation_owed: { href: "/compensations", of: "compensations that need manual action" },
  approval: { href: "/approvals", of: "questions" },
} as const satisfies Partial<Record<Attention, { href: string; of: string }>>;

interface CallsProps {
  overview: OverviewResponse;
  groups: AttentionGroup[];
  attention: keyof typeof REST;
}

/**
 * Those of one kind, and a link to the ones that the overview did not return: what is not shown must not look like
 * nothing.
 */
function Calls({ overview, groups, attention }: CallsProps) {
  const listed = groups.filter((group) => group.attention === attention);
  const all = overview.byAttention[attention];
  return (
    <>
      {listed.map((group) => (
        <GroupRow key={group.key} group={group} />
      ))}
      {all > listed.length && (
        <AllLink href={REST[attention].href}>
          All {formatCount(all, COUNT_CAP)} {REST[attention].of}
        </AllLink>
      )}
    </>
  );
}

const AllLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <li className="border-line border-t py-2.5 pl-[26px]">
    <Link href={href} className="text-accent hover:underline">
      {children}
    </Link>
  </li>
);

/** Exact as of its last fold, however many. */
function ProblemRow({ problem }: { problem: Problem }) {
  const { id, title, example, openRuns, lastAt, sparkline, cameBack, watch } = problem;
  // The step says that no retry can help: another input can.
  const futile = problem.errorName === "NonRetryableError";
  const titleId = useId();
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0">
      <StatusLabel look={ATTENTION_LOOKS.failed} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p id={titleId} className="flex flex-wrap items-center gap-x-2 break-words font-medium">
          <Link href={`/problems/${id}`} className="hover:underline">
            <ProblemTitle problem={problem} />
          </Link>
          {cameBack && <CameBack after={cameBack.after} />}
          {watch?.change && <Unseen change={watch.change} />}
        </p>
        <p className="line-clamp-2 break-words text-ink-3 text-small">
          {title} · last <Instant at={lastAt} as="relative" /> · {example.pattern}
        </p>
      </div>
      <FailureBars series={sparkline} period="24 hours" className="h-6 w-24 max-md:hidden" />
      <fieldset
        aria-labelledby={titleId}
        className="flex min-w-0 flex-wrap items-center gap-3 max-md:w-full max-md:pl-[26px]"
      >
        <span className="min-w-16 text-right font-medium max-md:hidden">{plural(openRuns, "run")}</span>
        <Button asChild className="max-md:flex-1">
          <Link href={`/problems/${id}`}>View problem</Link>
        </Button>
        <RerunRuns filter={{ problem: id }} text={`Rerun ${plural(openRuns, "run")}…`} first={!futile} />
        {futile && openRuns === 1 && (
          <PermittedButton
            action="run.start_again"
            workflow={problem.workflow}
            variant="primary"
            data-key="e"
            onClick={() => showAct({ act: "start_again" }, { runId: example.runId })}
            className="max-md:flex-1"
          >
            Edit input…
          </PermittedButton>
        )}
      </fieldset>
    </li>
  );
}

function GroupRow({ group }: { group: AttentionGroup }) {
  const [run] = group.runs;
  const titleId = useId();
  if (!run) return null;
  const single = group.runs.length === 1 && !group.more;
  return (
    <li
      data-run={single ? run.id : undefined}
      data-attention={group.attention}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0"
    >
      <StatusLabel look={ATTENTION_LOOKS[group.attention]} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p id={titleId} className="break-words font-medium">
          <Title group={group} run={run} />
        </p>
        <p className="line-clamp-2 break-words text-ink-3 text-small">
          <Subtitle group={group} run={run} single={single} />
        </p>
      </div>
      <fieldset
        aria-labelledby={titleId}
        className="flex min-w-0 flex-wrap items-center gap-3 max-md:w-full max-md:pl-[26px]"
      >
        {!single && (
          <span className="font-medium">
            {formatCount(group.runs.length)}
            {group.more && "+"}
          </span>
        )}
        {single ? (
          <ActButton run={run} attention={group.attention} />
        ) : (
          <>
            <ViewRuns run={run} />
            <RerunRuns filter={{ workflow: [run.workflow], attention: ["failed"] }} />
          </>
        )}
      </fieldset>
    </li>
  );
}

function Title({ group, run }: { group: AttentionGroup; run: RunListItem }) {
  const link = (text: string) => (
    <Link href={`/runs/${run.id}`} className="rounded font-mono text-small hover:underline">
      {text}
    </Link>
  );
  const name = link(titleOfRun(run) ?? run.workflow);
  switch (group.attention) {
    case "failed":
      return (
        <>
          {run.error?.name ?? "Failure"}{" "}
          {run.failedStep && (
            <>
              at <span className="font-mono text-small">{run.failedStep}</span>
            </>
          )}
          {group.runs.length === 1 && <> in {name}</>}
        </>
      );
    case "outcome_unknown":
      return (
        <>
          Unknown outcome: <span className="font-mono text-small">{run.waitingFor?.step ?? "a step"}</span>, {name}
        </>
      );
    case "compensation_owed":
      return <>Compensation failed: {name}</>;
    case "approval":
      return <>Waiting for an answer: {name}</>;
  }
}

function Subtitle({ group, run, single }: { group: AttentionGroup; run: RunListItem; single: boolean }) {
  if (single) return run.summary;
  const oldest = group.runs.at(-1) ?? run;
  return (
    <>
      {run.workflow} ·{" "}
      {!group.more && (
        <>
          since <Instant at={oldest.createdAt} />,{" "}
        </>
      )}
      last <Instant at={run.createdAt} /> · {run.error?.message}
    </>
  );
}

const ViewRuns = ({ run }: { run: RunListItem }) => (
  <Button asChild className="max-md:flex-1">
    <Link href={`/runs?attention=failed&workflow=${encodeURIComponent(run.workflow)}`}>View runs</Link>
  </Button>
);

interface RerunRunsProps {
  filter: RunFilter;
  text?: string;
  /** The recommended action. */
  first?: boolean;
}

/** From a problem to the plan that repairs it: the plan decides on each run, not the count listed here. */
function RerunRuns({ filter, text = "Rerun failed runs…", first = true }: RerunRunsProps) {
  const { open, show, close } = useDialogUrl(["plan"], queryOf(filter));
  const whyNot = useWhyNot("plan.make");
  return (
    <>
      <PermittedButton
        action="plan.make"
        variant={first ? "primary" : "secondary"}
        data-key="r"
        onClick={() => show("plan")}
        className="md:min-w-28 max-md:flex-1"
      >
        {text}
      </PermittedButton>
      {open && (
        <MayOpen because={whyNot} onClose={close}>
          <PlanDialog act="rerun" selection={{ filter }} open onOpenChange={(next) => !next && close()} />
        </MayOpen>
      )}
    </>
  );
}

const NEXT_STEPS = {
  failed: { act: "rerun", text: "Rerun…" },
  outcome_unknown: { act: "settle", text: "Resolve…" },
  compensation_owed: { act: "mark_compensated", text: "Mark compensated…" },
  approval: { act: "answer", text: "Answer…" },
} as const satisfies Record<Attention, { act: OperatorAct; text: string }>;

function ActButton({ run, attention }: { run: RunListItem; attention: Attention }) {
  const { act, text } = NEXT_STEPS[attention];
  return (
    <PermittedButton
      action={`run.${act}`}
      workflow={run.workflow}
      onClick={() => showAct({ act }, { runId: run.id })}
      className="max-md:flex-1"
    >
      {text}
    </PermittedButton>
  );
}
