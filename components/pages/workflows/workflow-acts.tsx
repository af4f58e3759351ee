"use client";

import { useState } from "react";
import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { StartRunDialog } from "@/components/domain/start/start-run-dialog-later";
import { later } from "@/components/ui/later";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";

const IntakeDialog = later(() => import("./intake-dialog").then((dialog) => dialog.IntakeDialog));
const LimitsDialog = later(() => import("./limits-dialog").then((dialog) => dialog.LimitsDialog));

/** Of one workflow; an address says which is open. */
export const WORKFLOW_WINDOWS = ["limits", "intake", "start"] as const;
export type WorkflowWindow = (typeof WORKFLOW_WINDOWS)[number];

interface WorkflowActsProps {
  workflow: WorkflowView;
  size?: "small" | "normal";
  onOpen: (window: WorkflowWindow) => void;
}

/** The actions on a workflow as a whole. */
export function WorkflowActs({ workflow: { name, title, limits, intake }, size = "small", onOpen }: WorkflowActsProps) {
  return (
    <>
      <PermittedButton
        action="run.start"
        workflow={name}
        size={size}
        aria-label={`Start a run of ${title}`}
        onClick={() => onOpen("start")}
      >
        Start…
      </PermittedButton>
      {limits && (
        <PermittedButton
          action="workflow.change_limits"
          workflow={name}
          size={size}
          aria-label={`Change the limits of ${title}`}
          onClick={() => onOpen("limits")}
        >
          Change limits…
        </PermittedButton>
      )}
      <PermittedButton
        action={intake ? "workflow.open_intake" : "workflow.close_intake"}
        workflow={name}
        size={size}
        aria-label={`${intake ? "Resume" : "Pause"} new runs of ${title}`}
        onClick={() => onOpen("intake")}
      >
        {intake ? "Resume new runs…" : "Pause new runs…"}
      </PermittedButton>
    </>
  );
}

interface WorkflowWindowProps {
  name: WorkflowWindow;
  workflow: WorkflowView;
  onClose: () => void;
}

/** The dialog of an action, or why it may not open. */
export function WorkflowActWindow({ name, workflow, onClose }: WorkflowWindowProps) {
  const whyNot = {
    limits: useWhyNot("workflow.change_limits", workflow.name),
    intake: useWhyNot(workflow.intake ? "workflow.open_intake" : "workflow.close_intake", workflow.name),
    start: useWhyNot("run.start", workflow.name),
  };
  return (
    <MayOpen because={whyNot[name]} onClose={onClose}>
      <Window name={name} workflow={workflow} onClose={onClose} />
    </MayOpen>
  );
}

/** Of the workflow as it was when the window opened: if the intake is opened meanwhile, that is another action. */
function Window({ name, workflow: now, onClose }: WorkflowWindowProps) {
  const [workflow] = useState(now);
  if (name === "limits") return <LimitsDialog workflow={workflow} onClose={onClose} />;
  if (name === "intake") return <IntakeDialog workflow={workflow} onClose={onClose} />;
  return <StartRunDialog workflow={workflow.name} onClose={onClose} />;
}
