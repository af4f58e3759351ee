import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { ProblemTitle } from "@/components/domain/problems/problem-title";
import { ATTENTION_LOOKS } from "@/components/domain/run/run-looks";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";
import type { Cell, OfCell } from "@/lib/api/hooks/cell-hooks";
import { ATTENTIONS, type Attention } from "@/lib/engine/runs/run";
import { formatCount, plural } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";
import { CellLink, CellName } from "./cell-link";

type Answered = { cell: Cell; answer: OverviewResponse };

/** What only a person can repair, in any cell: alerts, failures folded into problems, and single runs, worst first. */
export function AttentionCard({ overviews }: { overviews: OfCell<OverviewResponse>[] }) {
  const answered = overviews.flatMap(({ cell, answer, error }) => (answer && !error ? [{ cell, answer }] : []));
  const waiting = overviews.some(({ answer, error }) => !answer && !error);
  const items = itemsOf(answered);
  return (
    <Card title="Needs attention" note={items.length > 0 ? items.length : undefined}>
      <Missing of={overviews} what="what needs attention there is" />
      {items.length === 0 && waiting && (
        <Loading what="what needs attention" className="p-4">
          <Skeleton className="h-8 w-full" />
        </Loading>
      )}
      {items.length === 0 && !waiting && answered.length > 0 && (
        <EmptyState icon={<CircleCheck aria-hidden className="text-green" />} title="All clear" className="py-10">
          {answered.length === overviews.length ? "In every cell." : `In ${namesOf(answered)}.`}
        </EmptyState>
      )}
      <ul className="px-4 pb-1.5">
        {items.map(({ key, cell, what }) => (
          <li
            key={key}
            className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 first:border-t-0"
          >
            <CellName cell={cell} />
            {what}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What is not shown must not look like nothing. `what`: "what ran there is". */
export function Missing({ of, what }: { of: OfCell<unknown>[]; what: string }) {
  const missing = of.filter(({ error }) => error !== null);
  const asked = of.filter(({ answer, error }) => answer === undefined && error === null);
  return (
    <>
      {missing.length > 0 && (
        <div className="px-4 pb-2">
          <Callout tone="amber" role="status" title={`Without ${namesOf(missing)}`}>
            <p className="text-ink-2">
              {missing.length === 1 ? "This cell does not answer" : "These cells do not answer"}: {what} not in this
              list.
            </p>
          </Callout>
        </div>
      )}
      {asked.length > 0 && asked.length < of.length && (
        <p className="px-4 pb-2 text-ink-2">Waiting for {namesOf(asked)}.</p>
      )}
    </>
  );
}

const namesOf = (of: readonly { cell: Cell }[]) => of.map(({ cell }) => cell.name).join(", ");

interface Item {
  key: string;
  cell: Cell;
  what: ReactNode;
}

function itemsOf(answered: readonly Answered[]): Item[] {
  const ofAll = (of: (one: Answered) => Item[]) => answered.flatMap(of);
  const runs = answered
    .flatMap(({ cell, answer }) => answer.needsPerson.map((run) => ({ cell, run })))
    .filter(({ run }) => run.attention !== "failed")
    .sort((a, b) => rankOf(a.run) - rankOf(b.run) || (a.run.id < b.run.id ? -1 : 1))
    .map(({ cell, run }) => ({ key: `${cell.name} ${run.id}`, cell, what: <Run cell={cell} run={run} /> }));
  const problems = answered
    .flatMap(({ cell, answer }) => answer.problems.holding.map((problem) => ({ cell, problem })))
    .sort((a, b) => b.problem.openRuns - a.problem.openRuns)
    .map(({ cell, problem }) => ({
      key: `${cell.name} ${problem.id}`,
      cell,
      what: (
        <>
          <CellLink cell={cell} href={`/problems/${problem.id}`}>
            <ProblemTitle problem={problem} />
          </CellLink>
          <span className="ml-auto text-ink-2">{plural(problem.openRuns, "run")}</span>
        </>
      ),
    }));
  return [...ofAll(alertsOf), ...ofAll(unclaimedOf), ...runs, ...problems, ...ofAll(restOf)];
}

const alertsOf = ({ cell, answer }: Answered): Item[] =>
  answer.alerts.map(({ id, name }) => ({
    key: `${cell.name} ${id}`,
    cell,
    what: <Trouble cell={cell} word="Alert" href="/alerts" text={name} />,
  }));

/** Runs that no worker takes, and notifications that reach nobody. */
function unclaimedOf({ cell, answer }: Answered): Item[] {
  const item = (key: string, word: string, href: string, text: string): Item => ({
    key: `${cell.name} ${word} ${key}`,
    cell,
    what: <Trouble cell={cell} word={word} href={href} text={text} />,
  });
  return [
    ...answer.stranded.map(({ workflow, title, version, runs }) =>
      item(`${workflow} ${version}`, "No live worker", "/workers", `${plural(runs, "run")} of ${title}`),
    ),
    ...answer.overdue.map(({ workflow, title, runs }) =>
      item(
        workflow,
        "Not begun",
        `/runs?workflow=${encodeURIComponent(workflow)}`,
        `${plural(runs, "run")} of ${title}`,
      ),
    ),
    ...answer.switchedOffDestinations.map(({ id, name }) => item(id, "Notifications off", "/notifications", name)),
  ];
}

/** What a cell's own inbox has beyond what its overview lists. */
function restOf({ cell, answer }: Answered): Item[] {
  const { byAttention, needsPerson, problems, planApprovals } = answer;
  const listed = (attention: Attention) => needsPerson.filter((run) => run.attention === attention).length;
  const item = (key: string, href: string, text: string): Item => ({
    key: `${cell.name} all ${key}`,
    cell,
    what: (
      <CellLink cell={cell} href={href}>
        {text}
      </CellLink>
    ),
  });
  const more = ATTENTIONS.filter((attention) =>
    attention === "failed"
      ? problems.behindMs > LATE_MS && byAttention.failed > 0
      : byAttention[attention] > listed(attention),
  );
  return [
    ...more.map((attention) =>
      item(
        attention,
        `/runs?attention=${attention}`,
        `All ${formatCount(byAttention[attention], COUNT_CAP)}: ${ATTENTION_LOOKS[attention].word.toLowerCase()}`,
      ),
    ),
    ...(problems.open > problems.holding.length
      ? [item("problems", "/problems", `All ${formatCount(problems.open)} problems`)]
      : []),
    ...(planApprovals > 0
      ? [item("plans", "/approvals", `${plural(planApprovals, "plan")} waiting for a second person`)]
      : []),
  ];
}

/** Failures are folded into problems a second later; after this delay they are named by themselves. */
const LATE_MS = 5_000;

const rankOf = ({ attention }: RunListItem) => ATTENTIONS.indexOf(attention ?? "failed");

const Trouble = ({ cell, word, href, text }: { cell: Cell; word: string; href: string; text: string }) => (
  <>
    <StatusLabel look={{ shape: "octagon", word, tone: "red" }} />
    <CellLink cell={cell} href={href}>
      {text}
    </CellLink>
  </>
);

const Run = ({ cell, run }: { cell: Cell; run: RunListItem }) => (
  <>
    <StatusLabel look={ATTENTION_LOOKS[run.attention ?? "failed"]} />
    <CellLink cell={cell} href={`/runs/${run.id}`}>
      {nameOfRun(run.id, run)}
    </CellLink>
    <span className="text-ink-2">{run.workflow}</span>
    <span className="ml-auto text-ink-3">
      <Instant at={run.finishedAt ?? run.createdAt} />
    </span>
  </>
);
