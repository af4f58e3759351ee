"use client";

import { PermittedButton } from "@/components/domain/access/permitted-button";
import { verbOf } from "@/components/domain/operations/operation-words";
import { chosenText, planSentence, runsText } from "@/components/domain/operations/plan-words";
import { BoardItem } from "@/components/parts/page/board-item";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { PlanApprovalListResponse } from "@/lib/api/contract/plans";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { PlanApprovalDialog } from "./plan-approval-dialog";

const LOOKS = {
  open: { shape: "person", word: "Waiting for a second approver", tone: "amber" },
  approved: { shape: "check", word: "Approved", tone: "green" },
} as const;

/** A plan that needs two people, its summary, and the next action for the current user. */
export function PlanApprovalItem({ item }: { item: PlanApprovalListResponse["planApprovals"][number] }) {
  const me = useMe().data?.name;
  const { open, show, close } = useDialogUrl(["look"], item.planId);
  const { approval, params, counts } = item;
  const { status, proposer, requestedAt, expiresAt, reason, approver } = approval;
  const own = proposer === me;
  return (
    <BoardItem>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5">
          <StatusLabel look={status === "approved" ? LOOKS.approved : LOOKS.open} />
          <span className="text-ink-3">
            {own ? "requested by you" : `requested by ${proposer}`} <Instant at={requestedAt} as="relative" />
          </span>
        </p>
        <h3 className="mt-0.5 break-words font-semibold text-title">
          {verbOf(item.act, item.params)} {runsText(counts.included)}
        </h3>
        <p className="mt-1 max-w-prose break-words text-ink-2">{planSentence(item)}</p>
        <div className="mt-3 flex flex-wrap gap-2">
          {status === "approved" && (
            <PermittedButton action="plan.execute" variant="primary" onClick={() => show("look")}>
              Run plan…
            </PermittedButton>
          )}
          {status === "open" && !own && (
            <PermittedButton action="plan.approve" variant="primary" onClick={() => show("look")}>
              Review and answer…
            </PermittedButton>
          )}
          {status === "open" && own && <Button onClick={() => show("look")}>View plan…</Button>}
        </div>
        {open && <PlanApprovalDialog planId={item.planId} own={own} onClose={close} />}
      </div>
      <Facts className="self-start">
        <Fact name="Why">{reason}</Fact>
        {Object.keys(params).length > 0 && <Fact name="Chosen">{chosenText(params)}</Fact>}
        <Fact name="Workflows">{counts.secondPerson.workflows.join(", ")}</Fact>
        {status === "approved" && approver && <Fact name="Approved">by {approver}</Fact>}
        <Fact name="Expires">
          <Instant at={expiresAt} /> (<Remaining until={expiresAt} />)
        </Fact>
      </Facts>
    </BoardItem>
  );
}
