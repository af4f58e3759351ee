"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { OUTCOME_LOOKS, verbOf } from "@/components/domain/operations/operation-words";
import { PlanPreview, PlanSkeleton } from "@/components/domain/operations/plan-preview";
import { chosenText, runsText, wordToType } from "@/components/domain/operations/plan-words";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell, tellOtherwise } from "@/components/parts/toasts/tell";
import { Callout } from "@/components/ui/feedback/callout";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import type { Plan } from "@/lib/api/contract/plans";
import { useAnswerPlanApproval } from "@/lib/api/hooks/approval-hooks";
import { useExecution } from "@/lib/api/hooks/operation-hooks";
import { storedPlanQuery } from "@/lib/api/hooks/queries";

interface PlanApprovalDialogProps {
  planId: string;
  /** Whether the current user requested it. */
  own: boolean;
  onClose: () => void;
}

/** The plan as it was made, run by run; then a second person's answer, or its execution once approved. */
export function PlanApprovalDialog({ planId, own, onClose }: PlanApprovalDialogProps) {
  const { data: plan, error, refetch } = useQuery(storedPlanQuery(planId));
  const [opened, setOpened] = useState<Plan["approval"]>();
  if (plan && opened === undefined) setOpened(plan.approval);
  // What a window does never changes beneath the pointer: it closes, and is opened anew.
  const over = plan && opened && opened.status !== plan.approval?.status ? standing(plan) : null;
  if (plan && opened?.status === "approved") return <ExecuteDialog plan={plan} over={over} onClose={onClose} />;
  if (plan && opened?.status === "open" && !own) return <AnswerDialog plan={plan} over={over} onClose={onClose} />;
  return (
    <Dialog open wide onOpenChange={(open) => !open && onClose()} title="Plan approval">
      {plan && <Chosen plan={plan} />}
      {plan && <PlanPreview plan={plan} />}
      {!plan && error && <QueryFailure what="the plan" error={error} onRetry={() => void refetch()} />}
      {!plan && !error && <PlanSkeleton />}
      {plan && (
        <DialogSection>
          <p className="text-ink-2">{standing(plan)}</p>
        </DialogSection>
      )}
    </Dialog>
  );
}

/** What a second person approves, besides what happens to each run. */
function Chosen({ plan: { params } }: { plan: Plan }) {
  if (Object.keys(params).length === 0) return null;
  return (
    <DialogSection>
      <Facts>
        <Fact name="Chosen">{chosenText(params)}</Fact>
      </Facts>
    </DialogSection>
  );
}

/** The status of the plan, for a user who cannot act on it. */
function standing({ approval }: Plan): string {
  switch (approval?.status) {
    case "open":
      return "You requested this. Someone else has to review and approve it.";
    case "approved":
      return `${approval.approver} approved it: ${approval.note}`;
    case "rejected":
      return `${approval.approver} rejected it: ${approval.note}`;
    case "used":
      return "This plan was run.";
    default:
      return "Expired. Make a new plan and request approval again.";
  }
}

interface OpenProps {
  plan: Plan;
  /** What has become of it since the window was opened. */
  over: string | null;
  onClose: () => void;
}

const Over = ({ text }: { text: string | null }) =>
  text !== null && (
    <DialogSection>
      <Callout tone="amber" role="status" title="This has changed since you opened it">
        <p className="text-ink-2">{text}</p>
      </Callout>
    </DialogSection>
  );

const ANSWERS = [
  { value: "approved" as const, text: "Approve", note: "It can run once within an hour, exactly as shown." },
  { value: "rejected" as const, text: "Reject", note: "The plan will not run. Anyone can request approval again." },
];

function AnswerDialog({ plan, over, onClose }: OpenProps) {
  const [outcome, setOutcome] = useState<"approved" | "rejected" | null>(null);
  const reason = useReason(SAY_WHY);
  const act = useAct(useAnswerPlanApproval(), () => {
    tell(
      `${outcome === "approved" ? "Approved" : "Rejected"}: ${verbOf(plan.act, plan.params)} ${runsText(plan.counts.included)}`,
    );
    onClose();
  });
  return (
    <ActDialog
      wide
      title={`${verbOf(plan.act, plan.params)} ${runsText(plan.counts.included)}?`}
      description={`${plan.approval?.proposer} requests approval: ${plan.approval?.reason}`}
      submit={outcome === null ? "Choose an answer" : outcome === "approved" ? "Approve" : "Reject"}
      tone={outcome === "rejected" ? "danger" : "primary"}
      blocked={outcome === null || over !== null}
      pending={act.pending}
      error={act.error}
      onSubmit={() =>
        outcome !== null &&
        reason.check() &&
        act.submit({ planId: plan.id, request: { hash: plan.hash, outcome, reason: reason.text } })
      }
      onClose={onClose}
    >
      <Over text={over} />
      <Chosen plan={plan} />
      <PlanPreview plan={plan} />
      <DialogSection className="grid gap-3">
        <ChoiceCards
          label="Your answer"
          value={outcome}
          onChange={setOutcome}
          choices={ANSWERS}
          className="md:grid-cols-2"
        />
        <TextArea {...reason.field} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}

function ExecuteDialog({ plan, over, onClose }: OpenProps) {
  const router = useRouter();
  const [typed, setTyped] = useState("");
  const reason = useReason(SAY_WHY, plan.approval?.reason);
  const word = wordToType(plan);
  const does = `${verbOf(plan.act, plan.params)} ${runsText(plan.counts.included)}`;
  const act = useAct(useExecution(), ({ id, item }) => {
    onClose();
    if (item === null) router.push(`/operations/${id}`);
    else if (item.outcome === "done") tell(`${does}: done`);
    else tellOtherwise(OUTCOME_LOOKS[item.outcome].word, { description: item.because });
  });
  return (
    <ActDialog
      wide
      title={does}
      description={`${plan.approval?.approver} approved it: ${plan.approval?.note}`}
      submit={does}
      tone={word === null ? "primary" : "danger"}
      blocked={over !== null || (word !== null && typed.trim().toLowerCase() !== word)}
      pending={act.pending}
      error={act.error}
      onSubmit={() =>
        reason.check() && act.submit({ planId: plan.id, request: { hash: plan.hash, reason: reason.text } })
      }
      onClose={onClose}
    >
      <Over text={over} />
      <Chosen plan={plan} />
      <PlanPreview plan={plan} />
      <DialogSection className="grid gap-3">
        <TextField {...reason.field} maxLength={2_000} />
        {word !== null && (
          <TextField
            label={`Type “${word}” to continue`}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        )}
      </DialogSection>
    </ActDialog>
  );
}
