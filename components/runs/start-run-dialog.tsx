"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { WorkflowListResponse } from "@/lib/api/contract/responses";
import { useStartRun } from "@/lib/api/hooks/act-hooks";
import { useWorkflows } from "@/lib/api/hooks/read-hooks";
import { ActError } from "../acts/act-error";
import { parseJson } from "../acts/parse-json";
import { useAct } from "../acts/use-act";
import { QueryFailure } from "../shell/query-failure";
import { Button } from "../ui/button";
import { Dialog, DialogSection } from "../ui/dialog";
import { EmptyState } from "../ui/empty-state";
import { NativeSelect } from "../ui/native-select";
import { Loading, Skeleton } from "../ui/skeleton";
import { Spinner } from "../ui/spinner";
import { TextArea, TextField } from "../ui/text-field";
import { toast } from "../ui/toast";
import { sampleInput } from "./sample-input";

type Workflow = WorkflowListResponse["workflows"][number];
const FORM_ID = "start-a-run";

export function StartRunDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useWorkflows();
  const newest = data && newestOfEach(data.workflows);
  if (newest && newest.length > 0) return <StartForm workflows={newest} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Start a run">
      {error && <QueryFailure what="the workflows" error={error} onRetry={() => void refetch()} />}
      {newest && (
        <EmptyState title="No workflow is known yet">
          Workers tell which workflows they have. Start a worker, and its workflows appear here.
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

function newestOfEach(workflows: Workflow[]): Workflow[] {
  const newest = new Map<string, Workflow>();
  for (const workflow of workflows)
    if (workflow.version >= (newest.get(workflow.name)?.version ?? 0)) newest.set(workflow.name, workflow);
  return [...newest.values()].sort((a, b) => a.title.localeCompare(b.title));
}

const draftOf = (workflow: Workflow | undefined) => JSON.stringify(sampleInput(workflow?.inputSchema), null, 2);

function useStartForm(workflows: Workflow[], onClose: () => void) {
  const router = useRouter();
  const [name, setName] = useState(workflows[0]?.name ?? "");
  const [input, setInput] = useState(() => draftOf(workflows[0]));
  const [runKey, setRunKey] = useState("");
  const parsed = parseJson(input);
  const act = useAct(useStartRun(), (run) => {
    toast.success(`Started ${run.workflow}`);
    onClose();
    router.push(`/runs/${run.id}`);
  });
  return {
    name,
    input,
    runKey,
    parsed,
    act,
    setInput,
    setRunKey,
    chosen: workflows.find((workflow) => workflow.name === name),
    choose: (next: string) => {
      setName(next);
      setInput(draftOf(workflows.find((workflow) => workflow.name === next)));
    },
    submit: () => {
      if (act.pending || !parsed.ok) return;
      const key = runKey.trim();
      act.submit({ request: { workflow: name, input: parsed.value ?? {}, ...(key && { idempotencyKey: key }) } });
    },
  };
}

function StartForm({ workflows, onClose }: { workflows: Workflow[]; onClose: () => void }) {
  const form = useStartForm(workflows, onClose);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !form.act.pending && onClose()}
      title="Start a run"
      description="The same key with the same input gives the same run: starting twice starts once."
      footer={
        <>
          <Button onClick={onClose} disabled={form.act.pending} className="max-md:flex-1">
            Close
          </Button>
          <Button type="submit" form={FORM_ID} variant="primary" disabled={form.act.pending} className="max-md:flex-1">
            {form.act.pending && <Spinner />}
            Start
          </Button>
        </>
      }
    >
      <form
        id={FORM_ID}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <DialogSection className="grid gap-3">
          <NativeSelect
            label="Workflow"
            value={form.name}
            onChange={(event) => form.choose(event.target.value)}
            options={workflows.map(({ name, title, version }) => ({
              value: name,
              text: `${title} · ${name} v${version}`,
            }))}
            hint={form.chosen?.workers === 0 ? "No live worker has it: the run will wait for one." : undefined}
          />
          <TextArea
            label="Input (JSON)"
            mono
            rows={8}
            value={form.input}
            onChange={(event) => form.setInput(event.target.value)}
            error={form.parsed.ok ? undefined : form.parsed.error}
          />
          <TextField
            label="Idempotency key (optional)"
            mono
            value={form.runKey}
            onChange={(event) => form.setRunKey(event.target.value)}
            placeholder="order-A-1042"
            maxLength={255}
          />
          {form.act.error && <ActError error={form.act.error} />}
        </DialogSection>
      </form>
    </Dialog>
  );
}
