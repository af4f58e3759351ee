"use client";

import { useQuery } from "@tanstack/react-query";
import { MayOpen } from "@/components/domain/access/may-open";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { Run } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { wholeRunQuery } from "@/lib/api/hooks/queries";
import { AnswerDialog } from "./answer-dialog";
import { AssignDialog } from "./assign-dialog";
import { CancelDialog } from "./cancel-dialog";
import { CompensateDialog } from "./compensate-dialog";
import { IrreversibleDialog } from "./irreversible-dialog";
import { MarkCompensatedDialog } from "./mark-compensated-dialog";
import { MoveDialog } from "./move-dialog";
import { type OpenAct, stepOf } from "./open-act";
import { RerunDialog } from "./rerun-dialog";
import { PauseDialog, ResumeDialog, WakeDialog } from "./run-control-dialogs";
import { mayRerunFromChosen } from "./run-facts";
import { SendEventDialog } from "./send-event-dialog";
import { SettleDialog } from "./settle-dialog";
import { SnoozeDialog } from "./snooze-dialog";
import { StartAgainDialog } from "./start-again-dialog-later";
import { useFrozenRun } from "./use-frozen-run";

interface ActDialogsProps {
  run: Run;
  open: OpenAct;
  onClose: () => void;
}

/**
 * The dialog of an action; mounted when it opens, so that each opening is one action with one key. It names everything
 * it affects.
 */
export function OpenActDialog({ run, ...props }: ActDialogsProps) {
  return run.stepsLeftOut > 0 ? <OpenActDialogById runId={run.id} {...props} /> : <OfWholeRun run={run} {...props} />;
}

function OfWholeRun(props: ActDialogsProps) {
  const { run, open, onClose } = props;
  const state = run.acts.find(({ act }) => act === open.act);
  const mayChoose = useWhyNot("run.rerun", run.workflow) === null && open.act === "rerun" && mayRerunFromChosen(run);
  return (
    <MayOpen because={mayChoose ? null : state?.because} onClose={onClose}>
      <DialogOfAct {...props} />
    </MayOpen>
  );
}

function DialogOfAct({ run, open, onClose }: ActDialogsProps) {
  const frozen = useFrozenRun(run);
  const step = stepOf(frozen.run, open);
  switch (open.act) {
    case "rerun":
      return <RerunDialog frozen={frozen} {...(open.step && { fromStep: open.step })} onClose={onClose} />;
    case "cancel":
      return <CancelDialog frozen={frozen} onClose={onClose} />;
    case "pause":
      return <PauseDialog frozen={frozen} onClose={onClose} />;
    case "resume":
      return <ResumeDialog frozen={frozen} onClose={onClose} />;
    case "wake":
      return <WakeDialog frozen={frozen} step={open.step} onClose={onClose} />;
    case "compensate":
      return <CompensateDialog frozen={frozen} onClose={onClose} />;
    case "settle":
      if (!step) return <NothingLeft onClose={onClose} />;
      return (
        <SettleDialog
          frozen={frozen}
          step={step}
          {...(open.settleAs && { outcome: open.settleAs })}
          onClose={onClose}
        />
      );
    case "answer":
      if (!step?.wait) return <NothingLeft onClose={onClose} />;
      return (
        <AnswerDialog
          frozen={frozen}
          step={step}
          wait={step.wait}
          {...(open.choice && { choice: open.choice })}
          onClose={onClose}
        />
      );
    case "send_event":
      return <SendEventDialog frozen={frozen} {...(open.event && { event: open.event })} onClose={onClose} />;
    case "move":
      return <MoveDialog frozen={frozen} onClose={onClose} />;
    case "start_again":
      return <StartAgainDialog frozen={frozen} onClose={onClose} />;
    case "snooze":
      return <SnoozeDialog frozen={frozen} step={open.step} onClose={onClose} />;
    case "delete":
    case "erase":
      return <IrreversibleDialog act={open.act} run={frozen.run} onClose={onClose} />;
    case "assign":
      if (!step) return <NothingLeft onClose={onClose} />;
      return <AssignDialog frozen={frozen} step={step} onClose={onClose} />;
    case "mark_compensated":
      if (!step) return <NothingLeft onClose={onClose} />;
      return (
        <MarkCompensatedDialog
          frozen={frozen}
          step={step}
          {...(open.markAs && { outcome: open.markAs })}
          onClose={onClose}
        />
      );
  }
}

/** Another user was faster. */
function NothingLeft({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Nothing left to do">
      <p className="px-5 pb-6 text-ink-2">The run has changed: this item is already resolved.</p>
    </Dialog>
  );
}

/** The same from a list, which has only part of the run. */
export function OpenActDialogById({ runId, ...props }: Omit<ActDialogsProps, "run"> & { runId: string }) {
  const { data, error, refetch } = useQuery(wholeRunQuery(runId));
  if (data) return <OfWholeRun run={data} {...props} />;
  return (
    <Dialog open onOpenChange={(open) => !open && props.onClose()} title="One moment">
      {error ? (
        <QueryFailure what="the run" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading what="the run" className="grid gap-3 px-5 pb-6">
          <Skeleton className="h-24" />
          <Skeleton className="h-8" />
        </Loading>
      )}
    </Dialog>
  );
}
