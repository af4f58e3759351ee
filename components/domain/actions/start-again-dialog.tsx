"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useWatch } from "react-hook-form";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { thisRun } from "@/components/domain/run/things";
import { InputEditor, InputProblems } from "@/components/domain/start/input-editor";
import { newestOfEach } from "@/components/domain/start/newest-of-each";
import { type InputForm, useInputForm } from "@/components/domain/start/use-input-form";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import type { Json } from "@/components/parts/values/value-node";
import { Callout } from "@/components/ui/feedback/callout";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { TextField } from "@/components/ui/form/text-field";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { PlanOfOne } from "./plan-of-one";
import type { FrozenRun } from "./use-frozen-run";
import { usePlannedAct } from "./use-planned-act";

interface StartAgainProps {
  frozen: FrozenRun;
  onClose: () => void;
}

const TITLE = "Start a new run";

/** Does all of the work again in a new run, with the same input or an edited one; each run links to the other. */
export function StartAgainDialog({ frozen, onClose }: StartAgainProps) {
  const { data, error } = useQuery(workflowsQuery());
  if (!data && !error)
    return (
      <Dialog wide open onOpenChange={(open) => !open && onClose()} title={TITLE}>
        <Loading what="what the input may be" className="grid gap-3 px-5 pb-6">
          <Skeleton className="h-24" />
          <Skeleton className="h-8" />
        </Loading>
      </Dialog>
    );
  // If no worker knows the workflow, the input is plain JSON, and the server checks whether it fits.
  const workflow = newestOfEach(data?.workflows ?? []).find(({ name }) => name === frozen.run.workflow);
  return <StartAgainForm frozen={frozen} schema={workflow?.inputSchema ?? null} onClose={onClose} />;
}

function StartAgainForm({ frozen, schema, onClose }: StartAgainProps & { schema: unknown }) {
  const router = useRouter();
  const { run } = frozen;
  const form = useInputForm(schema, run.input as Json);
  const edited = useEditedInput(form);
  const reason = useReason(SAY_WHY);
  const wrong = edited !== null && form.problems.length > 0;
  const chosen = wrong || form.textError ? null : { act: "start_again" as const, params: edited ?? {} };
  const planned = usePlannedAct(frozen, chosen, ({ startedAs: [id] }) => {
    tell("A new run is started", {
      about: thisRun(run),
      description: "stays as it is, and each names the other.",
    });
    onClose();
    if (id !== undefined) router.push(`/runs/${id}`);
  });
  const done = standingSteps(run.steps).filter(
    ({ status, kind, effect }) => status === "completed" && kind === "step" && effect !== "pure",
  );
  return (
    <ActDialog
      wide
      title={TITLE}
      description="Every step runs with new idempotency keys: providers treat each call as new."
      submit="Start the new run"
      tone={done.length > 0 ? "danger" : "primary"}
      {...planned.frame}
      frozen={frozen}
      onSubmit={() => reason.check() && planned.submit(reason.text)}
      onClose={onClose}
    >
      {done.length > 0 && (
        <DialogSection>
          <Callout tone="red" title="This already happened, and would happen again">
            <p className="break-words font-mono text-small">{done.map(({ name }) => name).join(", ")}</p>
          </Callout>
        </DialogSection>
      )}
      <DialogSection className="grid gap-3">
        <InputEditor form={form} />
        {MASKED.test(JSON.stringify(run.input)) && edited === null && (
          <p className="text-ink-3 text-small">
            If unchanged, masked values are reused. If edited, enter each of them.
          </p>
        )}
      </DialogSection>
      <DialogSection className="grid gap-3">
        {wrong && form.mode === "form" && (
          <Callout tone="amber" role="status" title="The input is not valid yet">
            <InputProblems problems={form.problems} />
          </Callout>
        )}
        {chosen && <PlanOfOne {...planned} />}
        <TextField {...reason.field} placeholder="The address was wrong" />
      </DialogSection>
    </ActDialog>
  );
}

/** A masked value as the input shows it; the server takes none back. */
const MASKED = /"\$type":"masked"/;

/** Null while unchanged: then the stored input is used, masked values included. */
function useEditedInput({ form, given }: InputForm): { input: Json } | null {
  const input = useWatch({ control: form.control, name: "input" }) as Json | undefined;
  const now = JSON.stringify(input ?? {});
  return now === JSON.stringify(given ?? {}) ? null : { input: JSON.parse(now) as Json };
}
