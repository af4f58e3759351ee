import { CalendarClock, UserRound, Workflow } from "lucide-react";
import { OPERATION_LOOKS, verbOf } from "@/components/domain/operations/operation-words";
import { STATUS_LOOKS } from "@/components/domain/problems/problem-words";
import { lookOfRun } from "@/components/domain/run/run-looks";
import type { CommandGroup } from "@/components/parts/palette/commands";
import type { SearchResponse } from "@/lib/api/contract/search";
import { plural, shortenMiddle } from "@/lib/format";
import { nameOfRun } from "@/lib/format/run-name";

const runsOf = (workflow: string) => `/runs?workflow=${encodeURIComponent(workflow)}`;

/** What the search has found, by kind, each with its shape and word. */
export function foundGroups(found: SearchResponse, go: (href: string) => void): CommandGroup[] {
  const { runs, problems, operations, workflows, schedules, people } = found;
  const groups: CommandGroup[] = [
    {
      title: "Runs",
      commands: runs.map((run) => ({
        id: `run ${run.runId}`,
        label: nameOfRun(run.runId, run),
        note: `${run.title} · ${shortenMiddle(run.runId)}`,
        look: lookOfRun({ ...run, waitingFor: null }),
        run: () => go(`/runs/${run.runId}`),
      })),
    },
    {
      title: "Problems",
      commands: problems.map(({ id, step, title, pattern, status, openRuns }) => ({
        id: `problem ${id}`,
        label: pattern,
        note: `${step ? `${step} · ` : ""}${title} · ${plural(openRuns, "run")} affected`,
        look: STATUS_LOOKS[status],
        run: () => go(`/problems/${id}`),
      })),
    },
    {
      title: "Bulk actions",
      commands: operations.map(({ id, act, status, runs: count }) => ({
        id: `operation ${id}`,
        label: `${verbOf(act)} ${plural(count, "run")}`,
        note: shortenMiddle(id),
        look: OPERATION_LOOKS[status],
        run: () => go(`/operations/${id}`),
      })),
    },
    {
      title: "Workflows",
      commands: workflows.map(({ name, title }) => ({
        id: `workflow ${name}`,
        label: title,
        note: `Runs of ${name}`,
        icon: Workflow,
        run: () => go(runsOf(name)),
      })),
    },
    {
      title: "Schedules",
      commands: schedules.map(({ name, title, workflow, pausedAt }) => ({
        id: `schedule ${name}`,
        label: title,
        note: `${workflow}${pausedAt ? " · paused" : ""}`,
        icon: CalendarClock,
        run: () => go(`/schedules/${encodeURIComponent(name)}`),
      })),
    },
    {
      title: "People",
      commands: people.map(({ name }) => ({
        id: `person ${name}`,
        label: name,
        note: "Their actions, in the audit log",
        icon: UserRound,
        run: () => go(`/audit?actor=${encodeURIComponent(name)}`),
      })),
    },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where a pasted id leads; null when nothing matches, or more than one thing does. */
export function onlyThing({ runs, problems, operations }: SearchResponse, pasted: string): string | null {
  if (!UUID.test(pasted)) return null;
  const hrefs = [
    ...runs.map(({ runId }) => `/runs/${runId}`),
    ...problems.map(({ id }) => `/problems/${id}`),
    ...operations.map(({ id }) => `/operations/${id}`),
  ].filter((href) => href.endsWith(pasted.toLowerCase()));
  return hrefs.length === 1 ? (hrefs[0] ?? null) : null;
}
