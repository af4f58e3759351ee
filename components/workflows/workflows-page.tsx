"use client";

import { Workflow as WorkflowIcon } from "lucide-react";
import { useState } from "react";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { BoardPage } from "../shell/board-page";
import { StartRunDialog } from "../start/start-run-dialog-later";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { IntakeDialog } from "./intake-dialog";
import { LimitsDialog } from "./limits-dialog";
import { type Versions, versionsOf, WorkflowItem } from "./workflow-item";

/** What the workers can do, how much of it waits, and the limits that bind it. */
export function WorkflowsPage() {
  return (
    <BoardPage title="Workflows" query={useWorkflows()}>
      {({ workflows }) => <Loaded workflows={workflows} />}
    </BoardPage>
  );
}

function Loaded({ workflows }: { workflows: WorkflowView[] }) {
  const [changing, setChanging] = useState<WorkflowView | null>(null);
  const [intake, setIntake] = useState<WorkflowView | null>(null);
  const [starting, setStarting] = useState<WorkflowView | null>(null);
  const all: Versions[] = versionsOf(workflows);
  if (all.length === 0)
    return (
      <EmptyState icon={<WorkflowIcon aria-hidden />} title="No workflow is known yet">
        Workers tell which workflows they have. Start one: <code className="font-mono text-small">npm run worker</code>.
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
              onChangeLimits={setChanging}
              onChangeIntake={setIntake}
              onStart={setStarting}
            />
          ))}
        </ul>
      </Card>
      {changing && <LimitsDialog workflow={changing} onClose={() => setChanging(null)} />}
      {starting && <StartRunDialog workflow={starting.name} onClose={() => setStarting(null)} />}
      {intake && <IntakeDialog workflow={intake} onClose={() => setIntake(null)} />}
    </>
  );
}
