"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ActChoice } from "@/components/domain/operations/act-choices";
import { firstParams, OPERATION_LOOKS, progressSentence, verbOf } from "@/components/domain/operations/operation-words";
import { planSentence, runsText, wordToType } from "@/components/domain/operations/plan-words";
import { StatusLabel } from "@/components/parts/status/status-label";
import { mintKey } from "@/components/parts/submit/mint-key";
import { SAY_WHY, useReason } from "@/components/parts/submit/use-reason";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/feedback/skeleton";
import { Spinner } from "@/components/ui/feedback/spinner";
import { TextField } from "@/components/ui/form/text-field";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import { WORDS } from "@/lib/actions/words";
import type { Operation } from "@/lib/api/contract/operations";
import type { Plan, PlanRequest } from "@/lib/api/contract/plans";
import type { RunFilter } from "@/lib/api/contract/requests";
import {
  type Cell,
  executeInCell,
  type OfCell,
  troubleOf,
  useOperationsOfCells,
  usePlansOfCells,
} from "@/lib/api/hooks/cell-hooks";
import type { PlannedActName } from "@/lib/engine/runs/operator-acts";
import { plural } from "@/lib/format";
import { CellLink, CellName } from "./cell-link";

interface FleetPlanDialogProps {
  cells: Cell[];
  filter: RunFilter;
  onClose: () => void;
}

const DANGEROUS: readonly PlannedActName[] = ["cancel", "delete", "erase"];

/** What an action can begin in each cell here: a plan for one person, of runs that are there. */
const canBegin = ({ counts }: Plan) => counts.included > 0 && counts.secondPerson.runs === 0;

/**
 * What an action would do in each cell, by a plan of each; then, with a reason, exactly these plans run, each in its cell,
 * and are shown as one.
 */
export function FleetPlanDialog({ cells, filter, onClose }: FleetPlanDialogProps) {
  const [act, setAct] = useState<PlannedActName>("rerun");
  const [typed, setTyped] = useState("");
  const [key] = useState(mintKey);
  const reason = useReason(SAY_WHY);
  const request = { act, params: firstParams(act), selection: { filter } } as unknown as PlanRequest;
  const plans = usePlansOfCells(cells, request);
  const ready = plans.flatMap(({ cell, answer }) => (answer && canBegin(answer) ? [{ cell, plan: answer }] : []));
  const runs = ready.reduce((sum, { plan }) => sum + plan.counts.included, 0);
  const word = ready.map(({ plan }) => wordToType(plan)).find((one) => one !== null) ?? null;
  const begin = useBegin(key, reason.text);
  const waiting = plans.some(({ answer, error }) => !answer && !error);
  const begun = begin.outcomes !== null;
  const does = `${verbOf(act)} ${runsText(runs)} in ${plural(ready.length, "cell")}`;
  const blocked = runs === 0 || waiting || (word !== null && typed.trim().toLowerCase() !== word);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !begin.isPending && onClose()}
      title={begun ? verbOf(act) : waiting ? verbOf(act) : does}
      description={
        begun ? "Each cell carries out its own plan." : "Preview only. Exactly these plans will run, each in its cell."
      }
      wide
      footer={
        <>
          <Button onClick={onClose} disabled={begin.isPending} className="max-md:flex-1">
            {begun ? "Close" : "Cancel"}
          </Button>
          {!begun && (
            <Button
              variant={DANGEROUS.includes(act) ? "danger" : "primary"}
              disabled={blocked || begin.isPending}
              onClick={() => reason.check() && begin.mutate(ready)}
              className="max-md:flex-1"
            >
              {begin.isPending && <Spinner />}
              {does}
            </Button>
          )}
        </>
      }
    >
      {begin.outcomes ? (
        <Begun outcomes={begin.outcomes} onRetry={begin.mutate} />
      ) : (
        <>
          <ActChoice act={act} onChoose={setAct} />
          <Plans plans={plans} />
          <DialogSection className="grid gap-3">
            <TextField {...reason.field} placeholder={WORDS[act].plan.reason} maxLength={2_000} />
            {word !== null && (
              <TextField
                label={`Type ${word} to continue`}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </DialogSection>
        </>
      )}
    </Dialog>
  );
}

/** How an execution in one cell began: sent, or refused. */
interface Outcome {
  cell: Cell;
  plan: Plan;
  operation: Operation | null;
  error: Error | null;
}

/** In all cells at once: one that refuses, or does not answer, holds no other up. Each is sent again under its own key. */
function useBegin(key: string, reason: string) {
  const [outcomes, setOutcomes] = useState<Outcome[] | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (ready: { cell: Cell; plan: Plan }[]): Promise<Outcome[]> =>
      Promise.all(
        ready.map(({ cell, plan }) =>
          executeInCell(cell, plan, { hash: plan.hash, reason }, key).then(
            (operation) => ({ cell, plan, operation, error: null }),
            (error: Error) => ({ cell, plan, operation: null, error }),
          ),
        ),
      ),
    onSuccess: (latest) =>
      setOutcomes((before) => [
        ...(before ?? []).filter(({ cell }) => !latest.some((one) => one.cell.name === cell.name)),
        ...latest,
      ]),
  });
  return { outcomes, mutate, isPending };
}

const Plans = ({ plans }: { plans: OfCell<Plan>[] }) => (
  <DialogSection>
    <ul className="grid gap-2">
      {plans.map((plan) => (
        <PlanRow key={plan.cell.name} plan={plan} />
      ))}
    </ul>
  </DialogSection>
);

function PlanRow({ plan: { cell, answer, error, retry } }: { plan: OfCell<Plan> }) {
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <CellName cell={cell} />
      {!answer && !error && <Skeleton className="h-4 w-48" />}
      {answer && <span className="min-w-0 flex-1 break-words">{planSentence(answer)}</span>}
      {answer && answer.counts.effects.unprotected > 0 && (
        <span className="text-red">{plural(answer.counts.effects.unprotected, "effect")} may happen twice.</span>
      )}
      {answer && answer.counts.secondPerson.runs > 0 && (
        <span className="text-amber">
          Needs a second approver:{" "}
          <CellLink cell={cell} href="/runs">
            begin it there
          </CellLink>
          .
        </span>
      )}
      {error && (
        <>
          <span className="min-w-0 flex-1 break-words text-red">{troubleOf(error)}</span>
          <Button size="small" variant="ghost" onClick={retry}>
            Try again
          </Button>
        </>
      )}
    </li>
  );
}

function Begun({ outcomes, onRetry }: { outcomes: Outcome[]; onRetry: (again: Outcome[]) => void }) {
  const operations = useOperationsOfCells(
    outcomes.flatMap(({ cell, operation }) => (operation ? [{ cell, operation }] : [])),
  );
  const counts = operations.flatMap(({ answer }) => answer?.counts ?? []);
  const sum = (of: (one: Operation["counts"]) => number) => counts.reduce((all, one) => all + of(one), 0);
  const others = sum(({ already, notEligible, changed, failed }) => already + notEligible + changed + failed);
  return (
    <DialogSection className="grid gap-3">
      <p role="status" className="font-medium">
        {`Done: ${sum(({ done }) => done)} of ${runsText(sum(({ total }) => total))}${others > 0 ? `; ${others} not carried out` : ""}.`}
      </p>
      <ul className="grid gap-2">
        {operations.map(({ cell, answer, error }) => (
          <li key={cell.name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <CellName cell={cell} />
            {answer && (
              <>
                <StatusLabel look={OPERATION_LOOKS[answer.status]} />
                <CellLink cell={cell} href={`/operations/${answer.id}`}>
                  {progressSentence(answer)}
                </CellLink>
                {answer.pausedBecause && <span className="text-ink-2">{answer.pausedBecause}</span>}
              </>
            )}
            {error && <span className="text-red">{troubleOf(error)}</span>}
          </li>
        ))}
        {outcomes.map(
          (outcome) =>
            outcome.error && (
              <li key={outcome.cell.name} className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <CellName cell={outcome.cell} />
                <span className="min-w-0 flex-1 break-words text-red">{troubleOf(outcome.error)}</span>
                {/* With the same key: if the first try was received, this one begins nothing. */}
                <Button size="small" onClick={() => onRetry([outcome])}>
                  Try again
                </Button>
              </li>
            ),
        )}
      </ul>
    </DialogSection>
  );
}
