"use client";

import { Workflow as WorkflowIcon } from "lucide-react";
import { useState } from "react";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { MayOpen } from "../acts/may-open";
import { BoardPage } from "../shell/board-page";
import { StartRunDialog } from "../start/start-run-dialog-later";
import { Card } from "../ui/card";
import { EmptyState } from "../ui/empty-state";
import { useDialogUrl } from "../ui/use-dialog-url";
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
  const { open, of, show, close } = useDialogUrl(WINDOWS);
  const all: Versions[] = versionsOf(workflows);
  const chosen = all.find(({ newest }) => newest.name === of)?.newest;
  const intake = chosen?.intake ? "workflow.open_intake" : "workflow.close_intake";
  const whyNot = {
    limits: useWhyNot("workflow.change_limits", of ?? undefined),
    intake: useWhyNot(intake, of ?? undefined),
    start: useWhyNot("run.start", of ?? undefined),
  };
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
              onChangeLimits={({ name }) => show("limits", {}, name)}
              onChangeIntake={({ name }) => show("intake", {}, name)}
              onStart={({ name }) => show("start", {}, name)}
            />
          ))}
        </ul>
      </Card>
      {open && chosen && (
        <MayOpen key={open} because={whyNot[open]} onClose={close}>
          <Window name={open} workflow={chosen} onClose={close} />
        </MayOpen>
      )}
    </>
  );
}

const WINDOWS = ["limits", "intake", "start"] as const;

interface WindowProps {
  name: (typeof WINDOWS)[number];
  workflow: WorkflowView;
  onClose: () => void;
}

/** Of the workflow as it was when the window opened: a closed intake that is opened meanwhile is another act. */
function Window({ name, workflow: now, onClose }: WindowProps) {
  const [workflow] = useState(now);
  if (name === "limits") return <LimitsDialog workflow={workflow} onClose={onClose} />;
  if (name === "intake") return <IntakeDialog workflow={workflow} onClose={onClose} />;
  return <StartRunDialog workflow={workflow.name} onClose={onClose} />;
}
