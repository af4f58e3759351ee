"use client";

import { ratePeriod, windowWords } from "@/components/domain/workflows/limit-words";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { UNDO_REASON, useUndo } from "@/components/parts/toasts/use-undo";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { post } from "@/lib/api/client/browser";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useChangeLimits } from "@/lib/api/hooks/act-hooks";
import { type LimitFields, useLimitFields } from "./use-limit-fields";

interface LimitsDialogProps {
  workflow: WorkflowView;
  onClose: () => void;
}

/** Limits over those of the code, live; a field left empty leaves the code's. */
export function LimitsDialog({ workflow, onClose }: LimitsDialogProps) {
  const { name, title, liveLimits } = workflow;
  const reason = useReason(SAY_WHY);
  const fields = useLimitFields(workflow);
  const undo = useUndo();
  const act = useAct(useChangeLimits(name), (after: WorkflowView) => {
    tell(after.liveLimits ? `The limits of ${title} are changed` : `${title} uses the limits in code`, {
      undo: undo({
        act: (idempotencyKey) =>
          post(
            "/v1/workflows/{workflow}/limits",
            { workflow: name },
            { request: { ...limitsOf(liveLimits), reason: UNDO_REASON }, idempotencyKey },
          ),
        done: `The limits of ${title} are restored`,
      }),
    });
    onClose();
  });
  const submit = () => {
    const fine = [fields.check(), reason.check()].every(Boolean);
    if (fine) act.submit({ request: { ...fields.asked, reason: reason.text } });
  };
  return (
    <ActDialog
      title={`Limits of ${title}`}
      description="They apply from the next claim of every worker. Runs in progress continue, in a window until its old end; a lower limit is reached as they end."
      submit={liveLimits !== null && fields.isEmpty ? "Revert to code" : "Change the limits"}
      blocked={liveLimits === null && fields.isEmpty}
      pending={act.pending}
      error={act.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <Numbers workflow={workflow} fields={fields} />
        {workflow.limits?.window && (
          <Window hint={`Empty: value in code, ${windowWords(workflow.limits.window)}`} {...fields.window} />
        )}
        <TextField {...reason.field} placeholder="The provider asked for less" />
      </DialogSection>
    </ActDialog>
  );
}

const NO_LIMITS = { concurrency: null, rate: null, total: null, totalRate: null, window: null };

/** What an operator had put over the code's; nothing leaves the code's. */
function limitsOf(live: WorkflowView["liveLimits"]) {
  if (live === null) return NO_LIMITS;
  const { concurrency, rate, total, totalRate, window } = live;
  return { concurrency, rate, total, totalRate, window };
}

function Numbers({ workflow: { limits, liveLimits }, fields }: { workflow: WorkflowView; fields: LimitFields }) {
  if (!limits) return null;
  const perKey = limits.keyed ? ", per key" : "";
  const asInCode = "Empty: value in code, ";
  const { rate, totalRate } = limits;
  return (
    <>
      {limits.concurrency !== null && (
        <TextField
          {...fields.concurrency.field}
          label={`Runs at once${perKey}`}
          hint={`${asInCode}${limits.concurrency}`}
          inputMode="numeric"
        />
      )}
      {limits.total !== null && (
        <TextField
          {...fields.total.field}
          label="Runs at once, of all keys"
          hint={`${asInCode}${limits.total}`}
          inputMode="numeric"
        />
      )}
      {rate && (
        <TextField
          {...fields.rate.field}
          label={`Runs started in ${ratePeriod(liveLimits?.rate?.perMs ?? rate.perMs)}${perKey}`}
          hint={`${asInCode}${rate.limit} in ${ratePeriod(rate.perMs)}`}
          inputMode="numeric"
        />
      )}
      {totalRate && (
        <TextField
          {...fields.totalRate.field}
          label={`Runs started in ${ratePeriod(liveLimits?.totalRate?.perMs ?? totalRate.perMs)}, of all keys`}
          hint={`${asInCode}${totalRate.limit} in ${ratePeriod(totalRate.perMs)}`}
          inputMode="numeric"
        />
      )}
    </>
  );
}

function Window({ from, to, timeZone, hint }: LimitFields["window"] & { hint: string }) {
  return (
    <fieldset className="grid gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-small">Window</legend>
      <div className="grid grid-cols-2 gap-3">
        <TextField {...from} label="From" placeholder="22:00" />
        <TextField {...to} label="To" placeholder="06:00" />
      </div>
      <TextField {...timeZone} label="Time zone" placeholder="Europe/Berlin" hint={hint} />
    </fieldset>
  );
}
