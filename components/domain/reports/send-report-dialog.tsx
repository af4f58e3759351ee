"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { useAct } from "@/components/parts/submit/use-act";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { tell } from "@/components/parts/toasts/tell";
import { Callout } from "@/components/ui/feedback/callout";
import { Spinner } from "@/components/ui/feedback/spinner";
import { NativeSelect } from "@/components/ui/form/native-select";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { SentReport } from "@/lib/api/contract/destinations";
import { type ReportAbout, reportPreviewQuery, type SendingReport, useSendReport } from "@/lib/api/hooks/report-hooks";

/** Shows the message as it would be sent now, and who takes it. */
export function SendReportDialog({ about, onClose }: { about: ReportAbout; onClose: () => void }) {
  const { data, error, refetch } = useQuery(reportPreviewQuery(about));
  const [chosen, setChosen] = useState<string>();
  const reason = useReason(SAY_WHY);
  const destinations = data?.destinations ?? [];
  const destination = destinations.find(({ id }) => id === chosen) ?? destinations[0];
  const sending = useAct<SendingReport, SentReport>(useSendReport(about), () => {
    tell("Report sent", { about: { name: destination?.name ?? "", href: "/settings" } });
    onClose();
  });
  return (
    <ActDialog
      title="Send a report"
      description="Names and numbers as of now, with a link to this page. No payload and no text of an error is sent."
      submit={destination ? `Send to ${destination.name}` : "Send"}
      blocked={!destination}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() &&
        destination &&
        sending.submit({ request: { destinationId: destination.id, reason: reason.text } })
      }
      onClose={onClose}
    >
      <DialogSection className="grid gap-3">
        {data && <blockquote className="break-words rounded-lg bg-sunken px-3 py-2.5">{data.sentence}.</blockquote>}
        {data && destinations.length === 0 && (
          <Callout tone="amber" title="No destination takes reports about this">
            <p className="text-ink-2">An admin adds Slack, Teams, e-mail or a webhook in Settings.</p>
          </Callout>
        )}
        {destinations.length > 0 && (
          <NativeSelect
            label="Destination"
            options={destinations.map(({ id, name, kind }) => ({ value: id, text: `${name} (${kind})` }))}
            value={destination?.id ?? ""}
            onChange={({ target }) => setChosen(target.value)}
          />
        )}
        {!data && error && <QueryFailure what="the report" error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <p className="flex items-center gap-2 text-ink-3">
            <Spinner /> Adding the numbers up
          </p>
        )}
        <TextField {...reason.field} placeholder="For the incident channel" maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}
