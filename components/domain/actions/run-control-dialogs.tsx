"use client";

import { type ReactNode, useState } from "react";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Instant } from "@/components/parts/time/instant";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { Callout } from "@/components/ui/feedback/callout";
import { Checkbox } from "@/components/ui/form/checkbox";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { post } from "@/lib/api/client/browser";
import type { Run } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { type PlannedAct, usePlannedAct } from "./use-planned-act";

interface ControlProps {
  frozen: FrozenRun;
  onClose: () => void;
}

/** Steps in flight finish; then the run is paused until an operator resumes it. */
export function PauseDialog({ frozen, onClose }: ControlProps) {
  const { run } = frozen;
  const [children, setChildren] = useState(false);
  const undo = useUndo();
  const open = openChildren(run);
  const planned = usePlannedAct(frozen, { act: "pause", params: children ? { children } : {} }, (after) => {
    tell(after.status === "paused" ? "The run is paused" : "Pausing: the step in flight finishes first", {
      about: thisRun(after),
      undo: undo({
        act: (idempotencyKey) =>
          post("/v1/runs/{runId}/resumption", { runId: run.id }, { request: { reason: UNDO_REASON }, idempotencyKey }),
        done: "The run is resumed",
        about: thisRun(after),
      }),
    });
    onClose();
  });
  const inFlight = standingSteps(run.steps).filter(({ status }) => status === "running");
  return (
    <ControlDialog
      {...{ frozen, onClose, planned }}
      title="Pause this run"
      description="No step starts and no timer fires until you resume it. A timeout of the run keeps counting."
      submit="Pause the run"
      placeholder="The provider is being moved"
    >
      {run.status === "running" && (
        <Callout tone="gray">
          {inFlight.length > 0 ? (
            <span className="break-words">
              <b className="font-mono font-medium text-small">{inFlight.map(({ name }) => name).join(", ")}</b> in
              flight {inFlight.length === 1 ? "finishes and is" : "finish and are"} recorded first; no attempt is used
              up.
            </span>
          ) : (
            "A step in flight finishes and is recorded first; no attempt is used up."
          )}
        </Callout>
      )}
      {open > 0 && (
        <Checkbox
          checked={children}
          onChange={setChildren}
          label="Include child runs, on all levels"
          hint={`${plural(open, "child", "children")} ${open === 1 ? "has" : "have"} not ended. Steps in flight finish first; child runs started meanwhile are paused too. Resuming this run resumes them.`}
        />
      )}
    </ControlDialog>
  );
}

/** The runs that it has started itself; counting stops at 10,000. */
const openChildren = ({ children: { byStatus } }: Run) => byStatus.pending + byStatus.running + byStatus.waiting;

/** Resumes a paused run. */
export function ResumeDialog({ frozen, onClose }: ControlProps) {
  const { run } = frozen;
  const undo = useUndo();
  const planned = usePlannedAct(frozen, { act: "resume", params: {} }, () => {
    tell("The run is resumed", {
      about: thisRun(run),
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/runs/{runId}/pause",
            { runId: run.id },
            { request: { reason: UNDO_REASON, ...(run.pauseRoot !== null && { children: true }) }, idempotencyKey },
          ),
        done: run.pauseRoot === null ? "The run is paused again" : "The run and its children are paused again",
        about: thisRun(run),
      }),
    });
    onClose();
  });
  return (
    <ControlDialog
      {...{ frozen, onClose, planned }}
      title="Resume this run"
      description={
        run.status === "running"
          ? "Cancels the pause; the step in flight continues."
          : "The run continues where it stopped. Timers keep their times; those that have passed are due at once."
      }
      submit="Resume the run"
      placeholder="The provider is back"
    >
      {run.pauseRoot !== null && run.children.total > 0 && (
        <Callout tone="gray">Descendant runs paused with it are resumed too.</Callout>
      )}
    </ControlDialog>
  );
}

/** Ends a wait for a timer now. */
export function WakeDialog({ frozen, step, onClose }: ControlProps & { step?: string | undefined }) {
  const { run } = frozen;
  const planned = usePlannedAct(frozen, { act: "wake", params: step === undefined ? {} : { step } }, () => {
    tell(run.status === "pending" ? "The run may start now" : "The wait is over", { about: thisRun(run) });
    onClose();
  });
  return (
    <ControlDialog
      {...{ frozen, onClose, planned }}
      title={run.status === "pending" ? "Start this run now" : "Wake this run now"}
      description="The run continues as if the time had come. No step is in flight."
      submit={run.status === "pending" ? "Start now" : "Wake now"}
      placeholder="The customer asked for it today"
    >
      <Timers run={run} step={step} />
    </ControlDialog>
  );
}

function Timers({ run, step }: { run: Run; step: string | undefined }) {
  const waiting = standingSteps(run.steps).filter(
    ({ name, nextAttemptAt }) => nextAttemptAt !== null && (step === undefined || name === step),
  );
  if (waiting.length === 0) return null;
  return (
    <ul className="overflow-hidden rounded-lg border border-line-strong">
      {waiting.slice(0, 20).map(({ name, kind, nextAttemptAt }) => (
        <li
          key={name}
          className="flex items-baseline justify-between gap-3 border-line border-b px-3 py-2 last:border-b-0"
        >
          <span className="truncate font-mono text-small">{name}</span>
          <span className="shrink-0 text-ink-3 text-small">
            {kind === "sleep" ? "asleep until " : "tries again "}
            {nextAttemptAt && <Instant at={nextAttemptAt} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface ControlDialogProps extends ControlProps {
  planned: PlannedAct;
  title: string;
  description: string;
  submit: string;
  placeholder: string;
  children?: ReactNode;
}

function ControlDialog({ frozen, onClose, planned, placeholder, children, ...words }: ControlDialogProps) {
  const reason = useReason(SAY_WHY);
  return (
    <ActDialog
      {...words}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        {children}
        <PlanOfOne {...planned} />
        <TextField {...reason.field} placeholder={placeholder} />
      </DialogSection>
    </ActDialog>
  );
}
