"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck, Eye, SearchX } from "lucide-react";
import { useQueryStates } from "nuqs";
import { ProblemItem, problemRowId } from "@/components/domain/problems/problem-item";
import { WorkflowMenu } from "@/components/domain/workflows/workflow-menu";
import { onPlainClick } from "@/components/parts/keys/plain-click";
import { useListKeys } from "@/components/parts/keys/use-list-keys";
import { BoardPage } from "@/components/parts/page/board-page";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip-button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { SearchField } from "@/components/ui/form/search-field";
import { Segmented } from "@/components/ui/form/segmented";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { later } from "@/components/ui/later";
import { Card } from "@/components/ui/layout/card";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { problemsQuery } from "@/lib/api/hooks/queries";
import { Behind } from "./behind";
import { type ProblemUrl, problemUrl, toProblemFilter } from "./problem-url";

const ProblemPreview = later(() => import("./problem-preview").then((part) => part.ProblemPreview));

const TYPING_MS = 300;

/** Problems, latest first; the list at left, the selected problem at right. */
export function ProblemsPage() {
  const [url, setUrl] = useQueryStates(problemUrl, { history: "replace" });
  const q = useDebounced(url.q, TYPING_MS);
  const query = useInfiniteQuery(problemsQuery(toProblemFilter({ ...url, q })));
  const { problem: selected } = url;
  const keys = useListKeys({
    ids: query.data?.problems.map(({ id }) => id) ?? [],
    chosen: selected,
    choose: (problem, history = "replace") => setUrl({ problem }, { history }),
    hrefOf: (id) => `/problems/${id}`,
    rowId: problemRowId,
  });
  return (
    <BoardPage
      title="Problems"
      query={query}
      above={<Filters url={url} setUrl={(change) => void setUrl(change)} />}
      beside={selected && <ProblemPreview problemId={selected} onClose={() => void setUrl({ problem: null })} />}
    >
      {({ problems, behindMs }) => (
        <>
          <Behind ms={behindMs} />
          {problems.length === 0 ? (
            <Nothing url={url} onAll={() => void setUrl(null)} />
          ) : (
            <Card>
              <ul>
                {problems.map((problem) => (
                  <ProblemItem
                    key={problem.id}
                    problem={problem}
                    selected={problem.id === selected}
                    onClick={onPlainClick((byKey) => (byKey ? keys.open : keys.show)(problem.id))}
                  />
                ))}
              </ul>
            </Card>
          )}
        </>
      )}
    </BoardPage>
  );
}

const STATUSES = [
  { value: "open", text: "Open" },
  { value: "muted", text: "Muted" },
  { value: "resolved", text: "Resolved" },
  { value: "all", text: "All" },
] as const;

function Filters({ url, setUrl }: { url: ProblemUrl; setUrl: (change: Partial<ProblemUrl>) => void }) {
  const me = useMe().data?.name;
  const others = url.assignee !== "" && url.assignee !== me;
  const whose = [
    { value: "", text: "All" },
    ...(me === undefined ? [] : [{ value: me, text: "Mine" }]),
    ...(others ? [{ value: url.assignee, text: `${url.assignee}'s` }] : []),
  ];
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <SearchField
        label="Error or step"
        placeholder="Error or step"
        className="min-w-40 max-w-72 flex-1 max-md:w-full max-md:max-w-none max-md:flex-none"
        value={url.q}
        onChange={(q) => setUrl({ q })}
      />
      <Segmented label="Status" value={url.status} onChange={(status) => setUrl({ status })} options={[...STATUSES]} />
      <Segmented label="Assigned" value={url.assignee} onChange={(assignee) => setUrl({ assignee })} options={whose} />
      {/* Also those that are over: how they ended is what a watcher waits for. */}
      <ChipButton
        on={url.watched}
        onClick={() => setUrl(url.watched ? { watched: false } : { watched: true, status: "all" })}
      >
        <Eye aria-hidden className="size-3.5" />
        Watched by me
      </ChipButton>
      <WorkflowMenu value={url.workflow} onChange={(workflow) => setUrl({ workflow })} />
    </div>
  );
}

function Nothing({ url, onAll }: { url: ProblemUrl; onAll: () => void }) {
  const narrowed = url.q !== "" || url.workflow !== "" || url.assignee !== "" || url.watched || url.status !== "open";
  if (narrowed)
    return (
      <EmptyState
        icon={<SearchX aria-hidden />}
        title="No problems match these filters"
        action={<Button onClick={onAll}>Show open problems</Button>}
      >
        It may be muted, resolved, or not seen for 90 days.
      </EmptyState>
    );
  return (
    <EmptyState icon={<CircleCheck aria-hidden className="text-green" />} title="No open problems">
      Runs that fail alike are grouped here, with their number, first failure and code versions.
    </EmptyState>
  );
}
