import { ErrorView } from "@/components/domain/run/error-view";
import { lookOfCompensation } from "@/components/domain/run/step-looks";
import { UNDO_MODES } from "@/components/domain/run/step-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { OutsideLink } from "@/components/parts/values/outside-link";
import { Fact, Facts } from "@/components/ui/layout/facts";
import { Copyable } from "@/components/ui/text/copyable";
import type { Step } from "@/lib/api/contract/run";

/** How the step is compensated, and its progress. */
export function CompensationFacts({ step: { compensation } }: { step: Step }) {
  const { mode, status, by, note, reference, error, instructions, finishedAt, owedAt, attempt } = compensation;
  const { assignee, assignedBy, evidence } = compensation;
  return (
    <div className="grid gap-2.5">
      <Facts>
        <Fact name="Compensation">{UNDO_MODES[mode]}</Fact>
        {mode !== "none" && (
          <Fact name="State">
            <StatusLabel look={lookOfCompensation(compensation)} />
          </Fact>
        )}
        {owedAt && (
          <Fact name="Pending since">
            <Instant at={owedAt} />
            {attempt > 0 && (
              <span className="text-ink-3"> · {attempt === 1 ? "1 attempt" : `${attempt} attempts`}</span>
            )}
          </Fact>
        )}
        {assignee && assignedBy && (
          <Fact name="Assigned">
            to {assignee}
            {assignedBy !== assignee && ` by ${assignedBy}`}
          </Fact>
        )}
        {finishedAt && by && (
          <Fact name={status === "waived" ? "Waived" : "Compensated"}>
            by {by}, <Instant at={finishedAt} />
          </Fact>
        )}
        {note && <Fact name="Note">{note}</Fact>}
        {reference && (
          <Fact name="Reference">
            <Copyable text={reference} what="the compensation's reference" />
          </Fact>
        )}
        {evidence && (
          <Fact name="Evidence">
            <OutsideLink address={evidence} />
          </Fact>
        )}
        {instructions && <Fact name="What to do">{instructions}</Fact>}
      </Facts>
      {error && <ErrorView error={error} tone={status === "failed" ? "red" : "amber"} />}
    </div>
  );
}
