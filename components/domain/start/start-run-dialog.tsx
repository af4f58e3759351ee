"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { thisRun } from "@/components/domain/run/things";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { ActError } from "@/components/parts/submit/act-error";
import { useAct } from "@/components/parts/submit/use-act";
import { tell } from "@/components/parts/toasts/tell";
import type { Json } from "@/components/parts/values/value-node";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Spinner } from "@/components/ui/feedback/spinner";
import { NativeSelect } from "@/components/ui/form/native-select";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { useStartRun } from "@/lib/api/hooks/act-hooks";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { InputEditor } from "./input-editor";
import { newestOfEach } from "./newest-of-each";
import { StartOptions, type StartOptionsValue, startOptions } from "./start-options";
import { type InputForm, useInputForm } from "./use-input-form";

const FORM_ID = "start-a-run";
const NO_WORKER =
  "No live worker has this workflow. The run will wait for one; a console without the workflow's code needs one to start it.";

interface StartRunDialogProps {
  /** The workflow of the run; without it, the user chooses. */
  workflow?: string;
  onClose: () => void;
}

export function StartRunDialog({ workflow, onClose }: StartRunDialogProps) {
  const { data, error, refetch } = useQuery(workflowsQuery());
  const newest = data && newestOfEach(data.workflows);
  const [chosen, choose] = useState(workflow);
  const one = newest?.find(({ name }) => name === chosen) ?? newest?.[0];
  if (newest && one)
    return <StartForm key={one.name} workflow={one} workflows={newest} onChoose={choose} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Start a run">
      {error && <QueryFailure what="the workflows" error={error} onRetry={() => void refetch()} />}
      {newest && (
        <EmptyState title="No workflows yet">
          List yours in handrail.config.ts; workers register them when they start.
        </EmptyState>
      )}
      {!error && !newest && (
        <Loading what="the workflows" className="grid gap-3 px-5 pb-6">
          <Skeleton className="h-8" />
          <Skeleton className="h-32" />
        </Loading>
      )}
    </Dialog>
  );
}

interface StartFormProps {
  workflow: WorkflowView;
  workflows: WorkflowView[];
  onChoose: (name: string) => void;
  onClose: () => void;
}

function StartForm({ workflow, workflows, onChoose, onClose }: StartFormProps) {
  const input = useInputForm(workflow.inputSchema);
  const [options, setOptions] = useState<StartOptionsValue>({ key: "", runAt: null, priority: "" });
  const act = useStart(workflow, input, options, onClose);
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => !open && !act.pending && onClose()}
      title="Start a run"
      description="The same idempotency key and input never start a second run."
      footer={
        <>
          <Button onClick={onClose} disabled={act.pending} className="max-md:flex-1">
            Cancel
          </Button>
          <Button type="submit" form={FORM_ID} variant="primary" disabled={act.pending} className="max-md:flex-1">
            {act.pending && <Spinner />}
            Start
          </Button>
        </>
      }
    >
      <form id={FORM_ID} noValidate onSubmit={act.onSubmit}>
        <DialogSection className="grid gap-4">
          <NativeSelect
            label="Workflow"
            value={workflow.name}
            onChange={(event) => onChoose(event.target.value)}
            options={workflows.map(({ name, title, version }) => ({
              value: name,
              text: `${title} · ${name} v${version}`,
            }))}
            hint={workflow.workers === 0 ? NO_WORKER : undefined}
          />
          <InputEditor form={input} />
        </DialogSection>
        <DialogSection className="grid gap-3">
          <StartOptions value={options} onChange={setOptions} />
          {act.error && <ActError error={act.error} />}
        </DialogSection>
      </form>
    </Dialog>
  );
}

function useStart({ name }: WorkflowView, input: InputForm, options: StartOptionsValue, onClose: () => void) {
  const router = useRouter();
  const { submit, pending, error } = useAct(useStartRun(), (run) => {
    tell(`Started ${run.title}`, { about: thisRun(run) });
    onClose();
    router.push(`/runs/${run.id}`);
  });
  const send = (value: Json) => {
    if (!pending) submit({ request: { workflow: name, input: value, ...startOptions(options) } });
  };
  return { pending, error, onSubmit: input.submit(send) };
}
