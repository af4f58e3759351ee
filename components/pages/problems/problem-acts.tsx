"use client";

import { MayOpen } from "@/components/domain/access/may-open";
import { PermittedButton } from "@/components/domain/access/permitted-button";
import { PlanDialog } from "@/components/domain/operations/plan-dialog-later";
import { ACT_WORDS, heldText } from "@/components/domain/problems/problem-words";
import { useCommands } from "@/components/parts/palette/commands";
import { Button } from "@/components/ui/button";
import { later } from "@/components/ui/later";
import { Tooltip } from "@/components/ui/overlay/tooltip";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { ProblemDetail } from "@/lib/api/contract/problems";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { PROBLEM_ACTS, type ProblemAct } from "@/lib/engine/problems/problem";
import { offersTheRest, ProbeState } from "./probe-state";
import { type AtOnce, isAtOnce, useWatch } from "./use-watch";

const ProblemDialog = later(() => import("./problem-dialogs").then((dialogs) => dialogs.ProblemDialog));

/**
 * The actions on a problem: the repair of all its runs first. A closed action says why. The URL says which dialog is
 * open.
 */
export function ProblemActs({ problem }: { problem: ProblemDetail }) {
  const { open, show, close } = useDialogUrl(IN_DIALOGS);
  const watch = useWatch(problem);
  const begin = (act: ProblemAct | "plan") => (act !== "plan" && isAtOnce(act) ? watch(act) : show(act));
  const whyNoPlan = useWhyNot("plan.make");
  useCommands(
    "This problem",
    problem.acts.map(({ act, open, because }) => ({
      id: `act ${act}`,
      label: ACT_WORDS[act],
      closed: open ? null : because,
      run: () => begin(act),
    })),
  );
  return (
    <>
      <Buttons problem={problem} onAct={begin} />
      <ProbeState problem={problem} onRerun={() => show("plan")} />
      {open === "plan" && (
        <MayOpen because={whyNoPlan} onClose={close}>
          <PlanDialog
            selection={{ filter: { problem: problem.id } }}
            open
            onOpenChange={(open) => !open && close()}
            {...planOf(problem)}
          />
        </MayOpen>
      )}
      {open && open !== "plan" && (
        <MayOpen because={problem.acts.find((state) => state.act === open)?.because} onClose={close}>
          <ProblemDialog act={open} problem={problem} onClose={close} />
        </MayOpen>
      )}
    </>
  );
}

const IN_DIALOGS = [
  ...PROBLEM_ACTS.filter((act): act is Exclude<ProblemAct, AtOnce> => !isAtOnce(act)),
  "plan" as const,
];

/** They are there only while there is something to reopen or to stop. */
const HIDDEN_WHEN_CLOSED: ProblemAct[] = ["reopen", "stop_probe", "unwatch"];

/** Failures are rerun; unknown outcomes and failed compensations need a choice of actions. */
const planOf = ({ kind }: ProblemDetail) => (kind === "failed" ? { act: "rerun" as const } : {});

function Buttons({ problem, onAct }: { problem: ProblemDetail; onAct: (act: ProblemAct | "plan") => void }) {
  const { acts, openRuns, kind } = problem;
  const plan = `Plan ${kind === "failed" ? "a rerun" : "an action"} of ${heldText(openRuns)}…`;
  return (
    <div className="flex flex-wrap gap-2">
      {openRuns > 0 && (
        <PermittedButton
          action="plan.make"
          variant={offersTheRest(problem) ? "secondary" : "primary"}
          onClick={() => onAct("plan")}
        >
          {plan}
        </PermittedButton>
      )}
      {acts
        .filter(({ act, open }) => open || !HIDDEN_WHEN_CLOSED.includes(act))
        .filter(({ act }) => act !== "probe" || problem.probe?.status !== "running")
        .filter(({ act }) => act !== "watch" || problem.watch === null)
        .map(({ act, open, because }) =>
          open ? (
            <Button key={act} onClick={() => onAct(act)}>
              {ACT_WORDS[act]}
            </Button>
          ) : (
            <Tooltip key={act} text={because ?? ""}>
              <Button aria-disabled>{ACT_WORDS[act]}</Button>
            </Tooltip>
          ),
        )}
    </div>
  );
}
