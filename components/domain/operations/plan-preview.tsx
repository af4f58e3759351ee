import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Spinner } from "@/components/ui/feedback/spinner";
import { DialogSection } from "@/components/ui/overlay/dialog";
import { NAMED_STEPS } from "@/lib/actions/rerun";
import type { Plan } from "@/lib/api/contract/plans";
import { isRest } from "@/lib/engine/operations/plan-kinds";
import { formatCount, plural } from "@/lib/format";
import { PlanItems } from "./plan-items";
import { planSentence, runsText, usesFreshKeys } from "./plan-words";

/**
 * The plan in one sentence, in numbers, and run by run. `onLookAgain` is absent if this is the current plan, or there
 * is none.
 */
export function PlanPreview({ plan, onLookAgain }: { plan: Plan; onLookAgain?: () => void }) {
  return (
    <DialogSection className="grid gap-3">
      <p role="status" className="text-balance font-medium text-[14px]">
        {planSentence(plan)}
      </p>
      <Danger plan={plan} />
      <SecondPerson plan={plan} />
      <Numbers plan={plan} />
      <PlanItems plan={plan} />
      <p className="flex flex-wrap items-center gap-x-2 text-ink-3 text-small">
        <span>
          As of <Instant at={plan.createdAt} as="clock" />
        </span>
        {onLookAgain && (
          <Button size="small" variant="ghost" onClick={onLookAgain}>
            <RotateCw aria-hidden className="size-3" />
            Refresh preview
          </Button>
        )}
      </p>
    </DialogSection>
  );
}

function SecondPerson({ plan: { counts } }: { plan: Plan }) {
  const { runs, workflows } = counts.secondPerson;
  if (runs === 0) return null;
  return (
    <Callout tone="amber" title="Needs a second approver">
      <p className="text-ink-2">
        The code of {workflows.join(", ")} requires this for {runsText(runs)}. Request approval; after another person
        approves this plan, it can run once within an hour. Runs that have changed since are skipped.
      </p>
    </Callout>
  );
}

/** Planning goes through all of the runs: up to a hundred thousand take a while. */
export function PlanSkeleton() {
  return (
    <DialogSection className="grid gap-3">
      <p role="status" className="flex items-center gap-2 text-ink-2">
        <Spinner /> Checking each run
      </p>
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-24 w-full" />
    </DialogSection>
  );
}

function Danger({ plan: { act, params, counts } }: { plan: Plan }) {
  const { unprotected } = counts.effects;
  const past = act === "cancel" ? (counts.split?.past_undoing ?? 0) : 0;
  return (
    <>
      {unprotected > 0 && (
        <Callout tone="red" title={`${plural(unprotected, "effect")} may happen twice`}>
          <p className="text-ink-2">
            {usesFreshKeys({ act, params })
              ? "They already happened, and providers cannot recognize fresh keys. Each is listed below."
              : "They already happened, and nothing prevents a repetition. Each is listed below."}
          </p>
        </Callout>
      )}
      {past > 0 && (
        <Callout tone="red" title={`${runsText(past)} cannot be fully compensated`}>
          <p className="text-ink-2">Cancelling leaves their effects as they are. Each is listed below.</p>
        </Callout>
      )}
    </>
  );
}

function Numbers({ plan: { act, params, counts } }: { plan: Plan }) {
  const { included, again, goOn, effects, owed, uncompensated, questions, split, leftOut } = counts;
  if (included === 0 && leftOut.length < 2) return null;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1">
      {again.length > NAMED_STEPS &&
        again.map(({ name, count }, place) => (
          <Figure key={isRest(place) ? "" : name} count={count}>
            from {isRest(place) ? "other steps" : <span className="font-mono text-small">{name}</span>}
          </Figure>
        ))}
      {act === "rerun" && again.length > NAMED_STEPS && goOn > 0 && (
        <Figure count={goOn}>in their code after their last step</Figure>
      )}
      {split &&
        SPLITS.filter(({ name }) => split[name] > 0).map(({ name, text }) => (
          <Figure key={name} count={split[name]}>
            {text}
          </Figure>
        ))}
      {/* A plan to erase names no effects: their references are data. */}
      {included > 0 && act !== "erase" && (
        <Figure count={effects.stay}>
          {act === "delete"
            ? ofCount(effects.stay, "completed effect is not undone", "completed effects are not undone")
            : ofCount(effects.stay, "completed effect is kept", "completed effects are kept")}
        </Figure>
      )}
      {effects.repeat > 0 && (
        <Figure count={effects.repeat}>
          that {effects.repeat === 1 ? "has happened is" : "have happened are"} requested again,{" "}
          {usesFreshKeys({ act, params }) ? "with fresh keys" : "with the same keys"}
        </Figure>
      )}
      {owed > 0 && (
        <Figure count={owed}>
          {act === "cancel"
            ? ofCount(
                owed,
                "declared compensation can be run afterwards",
                "declared compensations can be run afterwards",
              )
            : "can still be compensated"}
        </Figure>
      )}
      {uncompensated > 0 && (
        <Figure count={uncompensated}>
          {usesFreshKeys({ act, params })
            ? ofCount(
                uncompensated,
                "with a compensation is not compensated any more",
                "with a compensation are not compensated any more",
              )
            : ofCount(
                uncompensated,
                "is compensated only if it completes again",
                "are compensated only if they complete again",
              )}
        </Figure>
      )}
      {questions > 0 && (
        <Figure count={questions}>
          {act === "rerun"
            ? ofCount(questions, "question is asked again", "questions are asked again")
            : ofCount(questions, "question stays unanswered", "questions stay unanswered")}
        </Figure>
      )}
      {leftOut.length > 1 &&
        leftOut.map(({ name, count }, place) => (
          <Figure key={isRest(place) ? "" : name} count={count}>
            left out{isRest(place) ? " for other reasons" : `: ${name}`}
          </Figure>
        ))}
    </dl>
  );
}

const SPLITS = [
  { name: "clean", text: "clean: they have no completed effects" },
  { name: "owes_compensation", text: "can be compensated" },
  {
    name: "past_undoing",
    text: "cannot be fully compensated: an effect of theirs, or of their child runs, declares no compensation",
  },
] as const;

const ofCount = (count: number, one: string, many: string): string => (count === 1 ? one : many);

function Figure({ count, children }: { count: number; children: ReactNode }) {
  return (
    <>
      <dt className="text-right font-medium">{formatCount(count)}</dt>
      <dd className="min-w-0 break-words text-ink-2">{children}</dd>
    </>
  );
}
