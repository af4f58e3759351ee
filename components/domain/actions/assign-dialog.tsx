"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { tell } from "@/components/parts/toasts/tell";
import { useUndo } from "@/components/parts/toasts/use-undo";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { post } from "@/lib/api/client/browser";
import type { Step } from "@/lib/api/contract/run";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { useAssign } from "@/lib/api/hooks/act-hooks";
import { assigneesQuery } from "@/lib/api/hooks/queries";
import { MAX_ASSIGNEE } from "@/lib/engine/compensations/compensation-board";
import type { FrozenRun } from "./use-frozen-run";

type To = "me" | "other" | "nobody";

interface AssignDialogProps {
  frozen: FrozenRun;
  step: Step;
  onClose: () => void;
}

/** Assigns a compensation: to oneself, to another user, or to no one. */
export function AssignDialog({ frozen, step, onClose }: AssignDialogProps) {
  const { run } = frozen;
  const has = step.compensation.assignee;
  const me = useMe().data?.name ?? null;
  const [to, setTo] = useState<To>(has === null ? "me" : "other");
  const [other, setOther] = useState("");
  const undo = useUndo();
  const act = useAct(useAssign(run.id), () => {
    tell(handsOf(step.name, assignee), {
      about: thisRun(run),
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/runs/{runId}/compensations/{step}/assignment",
            { runId: run.id, step: step.name },
            { request: { assignee: has, insteadOf: assignee }, idempotencyKey },
          ),
        done: handsOf(step.name, has),
        about: thisRun(run),
      }),
    });
    onClose();
  });
  const assignee = to === "me" ? me : to === "other" ? other.trim() : null;
  const choices = [
    ...(has === me ? [] : [{ value: "me" as const, text: "Assign to me", note: `As ${me ?? "…"}.` }]),
    { value: "other" as const, text: "Assign to someone else", note: "It appears in their list." },
    ...(has === null ? [] : [{ value: "nobody" as const, text: "Unassign", note: "It can be assigned again." }]),
  ];
  return (
    <ActDialog
      title={
        <>
          Assign compensation of <span className="font-mono text-[14px]">{step.name}</span>
        </>
      }
      description={has === null ? "Unassigned." : `Assigned to ${has}.`}
      submit={to === "me" ? "Assign to me" : to === "other" ? "Reassign" : "Unassign"}
      blocked={assignee === ""}
      pending={act.pending}
      error={act.error}
      onSubmit={() => act.submit({ step: step.name, request: { assignee, insteadOf: has } })}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <ChoiceCards label="Assignee" value={to} onChange={setTo} choices={choices} className="md:grid-cols-2" />
        {to === "other" && <OtherPerson workflow={run.workflow} value={other} onChange={setOther} />}
      </DialogSection>
    </ActDialog>
  );
}

const handsOf = (step: string, assignee: string | null) =>
  assignee === null
    ? `The compensation of ${step} is unassigned`
    : `The compensation of ${step} is assigned to ${assignee}`;

/** A user who can sign in; without sign-in, any name. */
function OtherPerson(props: { workflow: string; value: string; onChange: (name: string) => void }) {
  const { workflow, value, onChange } = props;
  const people = useQuery(assigneesQuery(workflow)).data?.assignees;
  if (people === undefined) return null;
  if (people === null)
    return (
      <TextField
        label="Their name"
        hint="Sign-in is off, so any name is accepted."
        maxLength={MAX_ASSIGNEE}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  return (
    <NativeSelect
      label="Their name"
      hint="Users who can record compensations of this workflow."
      options={[{ value: "", text: "Choose a user" }, ...people.map((name) => ({ value: name, text: name }))]}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
