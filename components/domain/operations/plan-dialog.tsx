"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { ActError } from "@/components/parts/submit/act-error";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell, tellOtherwise } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/form/text-field";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import type { PlanRequest } from "@/lib/api/contract/plans";
import { useRequestPlanApproval } from "@/lib/api/hooks/approval-hooks";
import { useExecution, usePlan } from "@/lib/api/hooks/operation-hooks";
import { DEFAULT_CANARY, DEFAULT_RATE_PER_SECOND } from "@/lib/engine/operations/operation-pace";
import type { PlannedActName } from "@/lib/engine/runs/operator-acts";
import { ActChoice, ActParams } from "./act-choices";
import { firstParams, OUTCOME_LOOKS, verbOf } from "./operation-words";
import { PaceFields, paceOf } from "./plan-pace";
import { PlanPreview, PlanSkeleton } from "./plan-preview";
import { type PlanParams, runsText, wordToType } from "./plan-words";

/** Long enough that a typed name of a step is one plan and not ten. */
const TYPING_MS = 400;

interface PlanDialogProps {
  /** The preselected action; absent: it is chosen in the dialog. */
  act?: PlannedActName;
  /** Parameters that are preset. */
  params?: PlanParams;
  selection: PlanRequest["selection"];
  /** A reason that is preset. */
  why?: string;
  /** Called when its only run is done. */
  onDone?: () => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/**
 * What an action would do to each of the runs; then, with a reason, executes exactly that. Every choice makes a new
 * plan.
 */
export function PlanDialog({ open, ...props }: PlanDialogProps) {
  return open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: Omit<PlanDialogProps, "open">) {
  const { act: fixed, params: given, selection, why = "", onDone, onOpenChange } = props;
  const router = useRouter();
  const [act, setAct] = useState<PlannedActName>(fixed ?? "rerun");
  const [params, setParams] = useState<PlanParams>(given ?? firstParams(act));
  const [pace, setPace] = useState({ rate: String(DEFAULT_RATE_PER_SECOND), canary: String(DEFAULT_CANARY) });
  const [typed, setTyped] = useState("");
  const reason = useReason(SAY_WHY, why);
  const chosen = JSON.stringify({ act, params, selection });
  const settled = useDebounced(chosen, TYPING_MS);
  const planning = usePlan(JSON.parse(settled) as PlanRequest);
  const sending = useAct(useExecution(), ({ id, item }) => {
    onOpenChange(false);
    // With a single run, its outcome is known by now.
    if (item === null) router.push(`/operations/${id}`);
    else if (item.outcome === "done") {
      tell(`${verbOf(act)}: done`);
      onDone?.();
    } else tellOtherwise(OUTCOME_LOOKS[item.outcome].word, { description: item.because });
  });

  const asking = useAct(useRequestPlanApproval(), () => {
    onOpenChange(false);
    tell("Approval requested", { description: "The plan is waiting in Approvals." });
    router.push("/approvals");
  });

  // A plan of earlier choices says nothing about the current ones.
  const plan = chosen === settled ? planning.data : undefined;
  const word = plan ? wordToType(plan) : null;
  const speed = paceOf(pace);
  const included = plan?.counts.included ?? 0;
  const choose = (next: PlannedActName) => {
    setAct(next);
    setParams(firstParams(next));
  };
  const forTwo = (plan?.counts.secondPerson.runs ?? 0) > 0;
  const submit = () => {
    if (!plan || !speed || !reason.check()) return;
    const agreed = { hash: plan.hash, reason: reason.text };
    if (forTwo) asking.submit({ planId: plan.id, request: agreed });
    else sending.submit({ planId: plan.id, request: { ...agreed, ...speed } });
  };
  const does = plan ? `${verbOf(act)} ${runsText(included)}` : verbOf(act);
  return (
    <ActDialog
      wide
      title={does}
      description="Preview only. Exactly this plan will run; each run is re-checked first."
      submit={forTwo ? "Request approval" : does}
      tone={
        act === "cancel" || act === "delete" || act === "erase" || (plan?.counts.effects.unprotected ?? 0) > 0
          ? "danger"
          : "primary"
      }
      blocked={included === 0 || speed === null || (word !== null && typed.trim().toLowerCase() !== word)}
      pending={sending.pending || asking.pending}
      error={sending.error ?? asking.error}
      onSubmit={submit}
      onClose={() => onOpenChange(false)}
    >
      {fixed === undefined && <ActChoice act={act} onChoose={choose} />}
      {plan && <PlanPreview plan={plan} onLookAgain={() => void planning.refetch()} />}
      {!plan && !planning.error && <PlanSkeleton />}
      {!plan && planning.error && (
        <DialogSection className="grid justify-items-start gap-2">
          <ActError error={planning.error} />
          <Button onClick={() => void planning.refetch()}>Refresh preview</Button>
        </DialogSection>
      )}
      <ActParams act={act} params={params} onChange={setParams} plan={plan} selection={selection} />
      <DialogSection className="grid gap-3">
        <TextField {...reason.field} placeholder={WORDS[act].plan.reason} maxLength={2_000} />
        {word !== null && <TypedWord word={word} value={typed} onChange={setTyped} />}
        {included !== 1 && !forTwo && <PaceFields pace={pace} onChange={setPace} />}
      </DialogSection>
    </ActDialog>
  );
}

function TypedWord({ word, value, onChange }: { word: string; value: string; onChange: (text: string) => void }) {
  return (
    <TextField
      label={
        <>
          Type <b className="font-semibold text-ink">{word}</b> to continue
        </>
      }
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
