"use client";

import { useId, useState } from "react";
import { toast } from "sonner";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useChangeLimits } from "@/lib/api/hooks/act-hooks";
import { MAX_LIMIT } from "@/lib/engine/queue";
import { ActError } from "../acts/act-error";
import { useAct } from "../acts/use-act";
import { SAY_WHY, useReason } from "../acts/use-reason";
import { Button } from "../ui/button";
import { Dialog, DialogSection } from "../ui/dialog";
import { Spinner } from "../ui/spinner";
import { TextField } from "../ui/text-field";
import { ratePeriod } from "./limit-words";

interface LimitsDialogProps {
  workflow: WorkflowView;
  onClose: () => void;
}

/** Limits over those of the code, live; a field left empty leaves the code's. */
export function LimitsDialog({ workflow, onClose }: LimitsDialogProps) {
  const formId = useId();
  const form = useLimitsForm(workflow, onClose);
  const { act } = form;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !act.pending && onClose()}
      title={`Limits of ${workflow.title}`}
      description="They bind every worker from its next claim on. Runs in hand go on; lowered, a limit is reached as they end."
      footer={
        <>
          <Button onClick={onClose} disabled={act.pending} className="max-md:flex-1">
            Close
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            disabled={act.pending || form.changesNothing}
            className="max-md:flex-1"
          >
            {act.pending && <Spinner />}
            {form.isReset ? "Back to the code's limits" : "Change the limits"}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
          const element = event.currentTarget;
          requestAnimationFrame(() => element.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
        }}
      >
        <DialogSection className="grid gap-3">
          <LimitFields workflow={workflow} form={form} />
          <TextField
            {...form.reason.field}
            label="Why (it stands in the audit)"
            placeholder="The receiver asked for less"
          />
        </DialogSection>
        {act.error && (
          <DialogSection>
            <ActError error={act.error} />
          </DialogSection>
        )}
      </form>
    </Dialog>
  );
}

function LimitFields({ workflow: { limits, liveLimits }, form }: { workflow: WorkflowView; form: LimitsForm }) {
  const perKey = limits?.keyed ? ", per key" : "";
  return (
    <>
      {limits?.concurrency != null && (
        <TextField
          {...form.concurrency.field}
          label={`Runs at once${perKey}`}
          hint={`Empty: as in the code, ${limits.concurrency}`}
          inputMode="numeric"
        />
      )}
      {limits?.rate && (
        <TextField
          {...form.rate.field}
          label={`Runs that begin in ${ratePeriod(liveLimits?.rate?.perMs ?? limits.rate.perMs)}${perKey}`}
          hint={`Empty: as in the code, ${limits.rate.limit} in ${ratePeriod(limits.rate.perMs)}`}
          inputMode="numeric"
        />
      )}
    </>
  );
}

type LimitsForm = ReturnType<typeof useLimitsForm>;

function useLimitsForm({ name, title, limits, liveLimits }: WorkflowView, onClose: () => void) {
  const reason = useReason(SAY_WHY);
  const concurrency = useLimit(liveLimits?.concurrency ?? null);
  const rate = useLimit(liveLimits?.rate?.limit ?? null);
  const act = useAct(useChangeLimits(name), (after: WorkflowView) => {
    toast.success(after.liveLimits ? `The limits of ${title} are changed` : `${title} has its code's limits`);
    onClose();
  });
  const isEmpty = concurrency.value === null && rate.value === null;
  return {
    reason,
    concurrency,
    rate,
    act,
    isReset: liveLimits !== null && isEmpty,
    changesNothing: liveLimits === null && isEmpty,
    submit: () => {
      // Each check shows what it finds: none is to be left out because another one failed.
      const fine = [concurrency.check(), rate.check(), reason.check()].every(Boolean);
      if (!fine || act.pending) return;
      const perMs = liveLimits?.rate?.perMs ?? limits?.rate?.perMs;
      act.submit({
        request: {
          concurrency: concurrency.value,
          rate: rate.value !== null && perMs !== undefined ? { limit: rate.value, perMs } : null,
          reason: reason.text,
        },
      });
    },
  };
}

/** A whole number, or nothing. */
function useLimit(initial: number | null) {
  const [text, setText] = useState(initial === null ? "" : String(initial));
  const [tried, setTried] = useState(false);
  const trimmed = text.trim();
  const value = trimmed === "" ? null : Number(trimmed);
  const valid = value === null || (Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT);
  return {
    value,
    field: {
      value: text,
      onChange: (event: { target: { value: string } }) => setText(event.target.value),
      error: tried && !valid ? `A whole number from 1 to ${MAX_LIMIT}, or nothing.` : undefined,
    },
    check: () => {
      setTried(true);
      return valid;
    },
  };
}
