import Link from "next/link";
import { standingSteps } from "@/components/domain/run/rerun-split";
import { stepHref } from "@/components/domain/run/step-href";
import { Remaining } from "@/components/parts/time/elapsed";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import type { Run } from "@/lib/api/contract/run";
import { WaitAct } from "./wait-act";
import { lostWords, WaitDetails } from "./wait-details";
import { alsoWaiting, reasonOf, type WaitReason, waitReasons } from "./wait-reasons";

/**
 * Why the run does not move: since when, until when, and what would let it continue. Renders nothing for a run that
 * moves or has ended.
 */
export function WhyItWaits({ run }: { run: Run }) {
  return (
    <>
      {waitReasons(run).map((reason) => (
        <Why key={reason.kind} run={run} reason={reason} />
      ))}
      <LostClaims run={run} />
    </>
  );
}

function Why({ run, reason }: { run: Run; reason: WaitReason }) {
  const { kind, step } = reason;
  const { tone, title, moves, act, link } = reasonOf(kind);
  const event = step && standingSteps(run.steps).find(({ name }) => name === step)?.wait?.event;
  const others = step === null ? [] : alsoWaiting(run);
  return (
    <Callout tone={tone} title={title}>
      <p className="break-words text-ink-2">
        <When runId={run.id} reason={reason} /> <WaitDetails run={run} kind={kind} step={step} />
        {moves}
      </p>
      {others.length > 0 && <AlsoWaiting names={others} />}
      {(act || link) && (
        <p className="mt-2 flex flex-wrap gap-2 print:hidden">
          {act && <WaitAct run={run} act={act} step={step} event={event} />}
          {link && (
            <Button asChild size="small">
              <Link href={link.to(run)}>{link.text}</Link>
            </Button>
          )}
        </p>
      )}
    </Callout>
  );
}

function When({ runId, reason: { step, since, until } }: { runId: string; reason: WaitReason }) {
  const at = step && (
    <>
      At{" "}
      <Link href={stepHref(runId, step)} className="break-words font-mono text-ink text-small underline">
        {step}
      </Link>
      {since || until ? ", since " : ". "}
    </>
  );
  if (!since)
    return (
      <>
        {at}
        {until && (
          <>
            Until <Instant at={until} /> at the latest.{" "}
          </>
        )}
      </>
    );
  return (
    <>
      {at ?? "Since "}
      <Instant at={since} />
      {until && (
        <>
          , until <Instant at={until} /> (<Remaining until={until} />)
        </>
      )}
      .
    </>
  );
}

const NAMED = 3;

function AlsoWaiting({ names }: { names: string[] }) {
  const rest = names.length - NAMED;
  return (
    <p className="mt-1 break-words text-ink-3 text-small">
      Also waiting: <span className="font-mono">{names.slice(0, NAMED).join(", ")}</span>
      {rest > 0 && ` and ${rest} more`}.
    </p>
  );
}

function LostClaims({ run }: { run: Run }) {
  const [last] = run.lostClaims;
  if (!last) return null;
  return (
    <Callout tone="gray" title={lostWords(run.lostClaims.length)}>
      <p className="text-ink-2">
        Worker {last.workerId} stopped sending heartbeats, <Instant at={last.at} />, and another took over. A step may
        have run then without a record; its idempotency key is the same in every attempt.
      </p>
    </Callout>
  );
}
