"use client";

import { useState } from "react";
import { WorkflowsField, workflowsOf } from "@/components/domain/access/workflows-field";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { useMintToken } from "@/lib/api/hooks/access-hooks";
import type { Scope } from "@/lib/engine/access/permission";

/** Common sets for programs; finer ones are created over the API. */
const SCOPES: { value: Scope; text: string }[] = [
  { value: "run.start", text: "Start runs" },
  { value: "worker.work", text: "Work on runs, in any language" },
  { value: "worker.drive", text: "Drive runs, request by request" },
  { value: "metrics.read", text: "Read metrics, for Prometheus" },
  { value: "span.write", text: "Send spans over OTLP" },
  { value: "viewer", text: "View everything" },
  { value: "operator", text: "Everything an operator can do" },
  { value: "admin", text: "Everything an admin can do" },
];
const DAYS = [30, 90, 366];

interface MintTokenDialogProps {
  onClose: () => void;
  onMinted: (minted: { secret: string | null }) => void;
}

export function MintTokenDialog({ onClose, onMinted }: MintTokenDialogProps) {
  const [scope, setScope] = useState<string>("run.start");
  const [days, setDays] = useState("90");
  const [workflows, setWorkflows] = useState("");
  const name = useReason("Enter the name of the program.");
  const reason = useReason(SAY_WHY);
  const act = useAct(useMintToken(), onMinted);
  const submit = () => {
    const complete = [name.check(), reason.check()].every(Boolean);
    const what = { scopes: [scope], workflows: workflowsOf(workflows), expiresInDays: Number(days) };
    if (complete) act.submit({ request: { ...what, name: name.text, reason: reason.text } });
  };
  return (
    <ActDialog
      title="Create a token for a program"
      description="Shown once. Limited to the access chosen here."
      submit="Create token"
      pending={act.pending}
      error={act.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        <TextField {...name.field} label="Name" maxLength={100} placeholder="shop backend" />
        <NativeSelect label="Access" options={SCOPES} value={scope} onChange={({ target }) => setScope(target.value)} />
        <NativeSelect
          label="Expires after"
          options={DAYS.map((count) => ({ value: String(count), text: `${count} days` }))}
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <WorkflowsField value={workflows} onChange={setWorkflows} />
        <TextField {...reason.field} />
      </DialogSection>
    </ActDialog>
  );
}
