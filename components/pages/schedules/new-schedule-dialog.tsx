"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { thisSchedule } from "@/components/domain/schedules/schedule-words";
import { newestOfEach } from "@/components/domain/start/newest-of-each";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { usePutSchedule } from "@/lib/api/hooks/schedule-hooks";
import { SpecFields, useSpecFields } from "./spec-fields";

const EVERY_MORNING = {
  timing: { cron: "0 7 * * *", timeZone: "UTC" },
  overlap: "skip",
  missed: "last",
  input: {},
} as const;

/** Makes a schedule beside those in code. A name that is taken is refused by the server. */
export function NewScheduleDialog({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const router = useRouter();
  const { data } = useQuery(workflowsQuery());
  const workflows = data ? newestOfEach(data.workflows) : [];
  const [chosen, choose] = useState<string>();
  const workflow = chosen ?? workflows[0]?.name;
  const [name, setName] = useState("");
  const [isTold, setIsTold] = useState(false);
  const spec = useSpecFields(EVERY_MORNING);
  const reason = useReason(SAY_WHY);
  const sending = useAct(usePutSchedule(), ({ schedule }) => {
    tell("The schedule is made", { about: thisSchedule(schedule) });
    onClose();
    router.push(`/schedules/${encodeURIComponent(schedule.name)}`);
  });
  const wrong = nameProblem(name, names);
  const submit = () => {
    setIsTold(true);
    if (!reason.check() || wrong !== undefined || !spec.given || workflow === undefined) return;
    const { times, ...rest } = spec.given;
    sending.submit({ name, request: { workflow, ...times, ...rest, reason: reason.text } });
  };
  return (
    <ActDialog
      title="New schedule"
      description="Beside those in code: every worker that has the workflow starts its runs. Takes effect now."
      submit="Make the schedule"
      blocked={workflow === undefined}
      pending={sending.pending}
      error={sending.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DialogSection className="grid gap-3 md:grid-cols-2">
        <TextField
          label="Name"
          mono
          value={name}
          placeholder="weekly-report-acme"
          error={isTold ? wrong : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <NativeSelect
          label="Workflow"
          value={workflow ?? ""}
          options={workflows.map((one) => ({ value: one.name, text: one.title }))}
          onChange={(event) => choose(event.target.value)}
        />
      </DialogSection>
      <SpecFields spec={spec} />
      <DialogSection>
        <TextField {...reason.field} placeholder="The customer ordered a weekly report" />
      </DialogSection>
    </ActDialog>
  );
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return "Use lower-case letters, digits, “-”, “_” and “.”.";
  return taken.includes(name) ? "There is a schedule of this name." : undefined;
}
