"use client";

import { useQuery } from "@tanstack/react-query";
import { Workflow as WorkflowIcon } from "lucide-react";
import Link from "next/link";
import { BoardPage } from "@/components/parts/page/board-page";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { WORKFLOW_WINDOWS, WorkflowActWindow } from "./workflow-acts";
import { type Versions, versionsOf, WorkflowItem } from "./workflow-item";

/** The registered workflows, their queues, and their limits. */
export function WorkflowsPage() {
  return (
    <BoardPage title="Workflows" query={useQuery(workflowsQuery())}>
      {({ workflows }) => <Loaded workflows={workflows} />}
    </BoardPage>
  );
}

function Loaded({ workflows }: { workflows: WorkflowView[] }) {
  const { open, of, show, close } = useDialogUrl(WORKFLOW_WINDOWS);
  const all: Versions[] = versionsOf(workflows);
  const chosen = all.find(({ newest }) => newest.name === of)?.newest;
  if (all.length === 0)
    return (
      <EmptyState
        icon={<WorkflowIcon aria-hidden />}
        title="No workflows yet"
        action={
          <Button asChild>
            <Link href="/">Set up the first one</Link>
          </Button>
        }
      >
        List yours in <code className="font-mono text-small">handrail.config.ts</code>; workers register them when they
        start.
      </EmptyState>
    );
  return (
    <>
      <Card title="Workflows" note={all.length}>
        <ul className="@container">
          {all.map((versions) => (
            <WorkflowItem
              key={versions.newest.name}
              versions={versions}
              onOpen={(window) => show(window, {}, versions.newest.name)}
            />
          ))}
        </ul>
      </Card>
      {open && chosen && <WorkflowActWindow key={open} name={open} workflow={chosen} onClose={close} />}
    </>
  );
}
