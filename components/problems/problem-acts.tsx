import type { ProblemDetail } from "@/lib/api/contract/problems";
import type { ProblemAct } from "@/lib/engine/problem";
import { PermittedButton } from "../access/permitted-button";
import { Button } from "../ui/button";
import { Tooltip } from "../ui/tooltip";
import { ACT_WORDS, heldText } from "./problem-words";

interface ProblemActsProps {
  problem: ProblemDetail;
  onAct: (act: ProblemAct) => void;
  onPlan: () => void;
}

/** The repair of all its runs first, then what is said of it. A closed act says why. */
export function ProblemActButtons({ problem, onAct, onPlan }: ProblemActsProps) {
  const { acts, openRuns, kind } = problem;
  const plan = `Plan ${kind === "failed" ? "a rerun" : "an act"} of ${heldText(openRuns)}…`;
  return (
    <div className="flex flex-wrap gap-2">
      {openRuns > 0 && (
        <PermittedButton action="plan.make" variant="primary" onClick={onPlan}>
          {plan}
        </PermittedButton>
      )}
      {acts
        .filter(({ act, open }) => act !== "reopen" || open)
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
