"use client";

import { useQuery } from "@tanstack/react-query";
import { RunLink } from "@/components/domain/run/run-link";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { ActDialog } from "@/components/parts/submit/act-dialog";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Callout } from "@/components/ui/feedback/callout";
import { Spinner } from "@/components/ui/feedback/spinner";
import { TextField } from "@/components/ui/form/text-field";
import { DialogSection } from "@/components/ui/overlay/dialog";
import type { ProbeCandidate } from "@/lib/api/contract/problems";
import { probeCandidateQuery } from "@/lib/api/hooks/queries";
import { MOST_TRIES } from "@/lib/engine/problems/probe";
import { formatDuration, plural } from "@/lib/format";
import { type DialogProps, useNumberIfAny, useSending } from "./use-sending";

/** Shows the run that is rerun first and how the probe goes on: exactly that is sent. */
export function ProbeDialog(props: DialogProps) {
  const { problem, onClose } = props;
  const { data, error, refetch } = useQuery(probeCandidateQuery(problem.id));
  const tries = useNumberIfAny(MOST_TRIES, `A whole number from 1 to ${MOST_TRIES}.`);
  const reason = useReason(SAY_WHY);
  const sending = useSending(props, "probe", "Probe started");
  const candidate = data?.candidate ?? null;
  return (
    <ActDialog
      title="Probe this problem"
      description="Reruns one affected run to see whether the problem persists, and the next one only after that failed again."
      submit="Start the probe"
      blocked={!tries.fits || !candidate}
      pending={sending.pending}
      error={sending.error}
      onSubmit={() =>
        reason.check() &&
        candidate &&
        sending.submit({
          request: {
            runId: candidate.runId,
            ...(tries.number !== null && { tries: tries.number }),
            reason: reason.text,
          },
        })
      }
      onClose={onClose}
    >
      <DialogSection>
        {data && <Course of={data} />}
        {!data && error && <QueryFailure what="the probe" error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <p className="flex items-center gap-2 text-ink-3">
            <Spinner /> Looking for a run to rerun
          </p>
        )}
      </DialogSection>
      <DialogSection className="grid gap-3">
        <TextField {...reason.field} placeholder="The gateway should be back" maxLength={2_000} />
        <TextField {...tries.field} label="Reruns at most" hint={`Empty: ${data?.tries ?? 8}.`} />
      </DialogSection>
    </ActDialog>
  );
}

function Course({ of: { candidate, because, pausesMs } }: { of: ProbeCandidate }) {
  if (!candidate)
    return (
      <Callout tone="amber" title="No affected run can be rerun without a decision">
        <p className="text-ink-2">{because}</p>
      </Callout>
    );
  const { runId, named, again, keeps } = candidate;
  return (
    <ol className="grid list-decimal gap-1.5 pl-5">
      <li>
        <RunLink runId={runId} names={named} target="_blank" /> is rerun now
        {again.first[0] && <> from {again.first[0]}</>}
        {keeps.count > 0 && <span className="text-ink-3">; {plural(keeps.count, "earlier result")} kept</span>}.
      </li>
      <li>
        If it fails in the same way, another run follows after a pause:{" "}
        {pausesMs.slice(0, 3).map(formatDuration).join(", ")} and so on, {formatDuration(Math.max(...pausesMs))} at
        most.
      </li>
      <li>
        The first run that gets through ends the probe: rerun the rest then. An unknown outcome, another error or an
        action of a person ends it, too.
      </li>
    </ol>
  );
}

export function StopProbeDialog(props: DialogProps) {
  const reason = useReason(SAY_WHY);
  const sending = useSending(props, "stop_probe", "Probe stopped");
  return (
    <ActDialog
      title="Stop this probe"
      description="No further run is rerun. A rerun that is under way continues."
      submit="Stop the probe"
      pending={sending.pending}
      error={sending.error}
      onSubmit={() => reason.check() && sending.submit({ request: { reason: reason.text } })}
      onClose={props.onClose}
    >
      <DialogSection>
        <TextField {...reason.field} maxLength={2_000} />
      </DialogSection>
    </ActDialog>
  );
}
