"use client";

import { useState } from "react";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { UNDO_REASON } from "@/components/parts/toasts/use-undo";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { sendProblemAct } from "@/lib/api/hooks/problem-hooks";
import type { ProblemAct } from "@/lib/engine/problems/problem";
import { ProbeDialog, StopProbeDialog } from "./probe-dialogs";
import { type DialogProps, type Inverse, useNumberIfAny, useSending } from "./use-sending";
import type { AtOnce } from "./use-watch";

type DialogAct = Exclude<ProblemAct, AtOnce>;

/** The dialog of the chosen action. */
export function ProblemDialog({ act, ...props }: DialogProps & { act: DialogAct }) {
  const Chosen = DIALOGS[act];
  return <Chosen {...props} />;
}

const DIALOGS = {
  probe: ProbeDialog,
  stop_probe: StopProbeDialog,
  assign: AssignDialog,
  note: NoteDialog,
  mute: MuteDialog,
  resolve: ResolveDialog,
  reopen: ReopenDialog,
} satisfies Record<DialogAct, React.FC<DialogProps>>;

/** Both leave the problem open, as it was before. */
const reopened: Inverse = {
  act: ({ id }, revision, idempotencyKey) =>
    sendProblemAct(id, "reopen", { request: { reason: UNDO_REASON, revision }, idempotencyKey }),
  done: () => "The problem is open again",
};

const handedBack: Inverse = {
  act: ({ id, assignee }, revision, idempotencyKey) =>
    sendProblemAct(id, "assign", { request: { assignee, reason: UNDO_REASON, revision }, idempotencyKey }),
  done: ({ assignee }) => (assignee === null ? "Unassigned" : `Assigned to ${assignee}`),
};

function AssignDialog(props: DialogProps) {
  const { problem, onClose } = props;
  const me = useMe().data?.name ?? "";
  const [name, setName] = useState(problem.assignee ?? me);
  const sending = useSending(props, "assign", "Assigned", handedBack);
  const assignee = name.trim() === "" ? null : name.trim();
  return (
    <ActDialog
      title="Assign this problem"
      description="The assignee is responsible for it. Saved to its history."
      submit={assignee === null ? "Unassign" : `Assign to ${assignee}`}
      blocked={assignee === problem.assignee}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => sending.submit({ request: { assignee, revision: problem.revision } })}
      onClose={onClose}
    >
      <DialogSection>
        <TextField
          label="Assignee"
          hint="Empty: unassigned."
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </DialogSection>
    </ActDialog>
  );
}

function NoteDialog(props: DialogProps) {
  const note = useReason("Enter a note.");
  const sending = useSending(props, "note", "Note added");
  return (
    <ActDialog
      title="Add note"
      description="Saved to the problem's history, visible to everyone with access."
      submit="Add note"
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => note.check() && sending.submit({ request: { text: note.text } })}
      onClose={props.onClose}
    >
      <DialogSection>
        <TextArea {...note.field} label="Note" rows={4} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: "0", text: "No limit" },
  { value: String(HOUR_MS), text: "For an hour" },
  { value: String(24 * HOUR_MS), text: "For a day" },
  { value: String(7 * 24 * HOUR_MS), text: "For a week" },
];

function MuteDialog(props: DialogProps) {
  const { problem, onClose } = props;
  const [forMs, setForMs] = useState(String(24 * HOUR_MS));
  const failures = useNumberIfAny(1_000_000_000, "A whole number, 1 or more.");
  const reason = useReason(SAY_WHY);
  const sending = useSending(props, "mute", "Muted", problem.status === "open" ? reopened : undefined);
  const until = {
    ...(forMs !== "0" && { forMs: Number(forMs) }),
    ...(failures.number !== null && { failures: failures.number }),
  };
  return (
    <ActDialog
      title="Mute this problem"
      description="Hidden from the overview; failures are still counted. Its runs do not change."
      submit="Mute the problem"
      blocked={!failures.fits}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() && sending.submit({ request: { ...until, reason: reason.text, revision: problem.revision } })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <NativeSelect label="Until" options={PERIODS} value={forMs} onChange={({ target }) => setForMs(target.value)} />
        <TextField {...failures.field} label="Unmute after this many more failures" hint="Empty: never." />
        <TextField {...reason.field} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}

function ResolveDialog(props: DialogProps) {
  const { problem, onClose } = props;
  const version = useNumberIfAny(2_147_483_647, "A version number.");
  const reason = useReason(SAY_WHY);
  const sending = useSending(props, "resolve", "Resolved", problem.status === "open" ? reopened : undefined);
  return (
    <ActDialog
      title="Resolve this problem"
      description="The next failure reopens it. Affected runs do not change: plan a rerun for them."
      submit="Resolve the problem"
      blocked={!version.fits}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() &&
        sending.submit({
          request: {
            ...(version.number !== null && { version: version.number }),
            reason: reason.text,
            revision: problem.revision,
          },
        })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <TextField
          {...version.field}
          label="Fixed in version"
          hint="Failures of older versions do not reopen it. If empty, any failure reopens it."
        />
        <TextField {...reason.field} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}

function ReopenDialog(props: DialogProps) {
  const reason = useReason(SAY_WHY);
  const sending = useSending(props, "reopen", "Reopened");
  return (
    <ActDialog
      title="Reopen this problem"
      description="Shows on the overview again while runs are affected."
      submit="Reopen the problem"
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() && sending.submit({ request: { reason: reason.text, revision: props.problem.revision } })
      }
      onClose={props.onClose}
    >
      <DialogSection>
        <TextField {...reason.field} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}
