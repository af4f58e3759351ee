"use client";

import { PermittedButton } from "@/components/domain/access/permitted-button";
import type { OpenAct } from "@/components/domain/actions/open-act";
import { showAct } from "@/components/domain/actions/use-open-act";
import { useAct } from "@/components/parts/submit/use-act";
import { tellRefusal } from "@/components/parts/toasts/tell";
import type { OwedCompensation } from "@/lib/api/contract/responses";
import { useMe } from "@/lib/api/hooks/access-hooks";
import { useAssign } from "@/lib/api/hooks/act-hooks";

/** Assign it, then report the result; failed ones can be retried by the code. */
export function ItemActs({ item }: { item: OwedCompensation }) {
  const { runId, workflow, step, lane } = item;
  const show = (act: OpenAct) => showAct(act, { runId, step });
  const forPerson = lane === "failed" || lane === "by_hand";
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {forPerson && (
        <>
          <PermittedButton
            action="run.mark_compensated"
            workflow={workflow}
            variant="primary"
            onClick={() => show({ act: "mark_compensated", step, markAs: "compensated" })}
          >
            Mark compensated…
          </PermittedButton>
          <PermittedButton
            action="run.mark_compensated"
            workflow={workflow}
            onClick={() => show({ act: "mark_compensated", step, markAs: "waived" })}
          >
            Waive…
          </PermittedButton>
        </>
      )}
      {lane === "failed" && (
        <PermittedButton action="run.compensate" workflow={workflow} onClick={() => show({ act: "compensate" })}>
          Retry…
        </PermittedButton>
      )}
      {/* Each assignment is a separate action with its own key. */}
      <TakeButton key={item.compensation.assignee ?? ""} item={item} />
      <PermittedButton action="run.assign" workflow={workflow} onClick={() => show({ act: "assign", step })}>
        Assign…
      </PermittedButton>
    </div>
  );
}

/** Needs no dialog: the assignment can be reverted the same way. */
function TakeButton({ item }: { item: OwedCompensation }) {
  const me = useMe().data?.name;
  const has = item.compensation.assignee;
  const sending = useAct(
    useAssign(item.runId),
    () => undefined,
    (error) => tellRefusal(error),
  );
  if (me === undefined || (has !== null && has !== me)) return null;
  const assignee = has === null ? me : null;
  return (
    <PermittedButton
      action="run.assign"
      workflow={item.workflow}
      disabled={sending.pending}
      onClick={() => sending.submit({ step: item.step, request: { assignee, insteadOf: has } })}
    >
      {has === null ? "Assign to me" : "Unassign"}
    </PermittedButton>
  );
}
