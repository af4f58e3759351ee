import {
  AlarmClock,
  Ban,
  CopyPlus,
  GitBranch,
  HelpCircle,
  type LucideIcon,
  MessageCircleReply,
  Pause,
  Play,
  RotateCcw,
  Send,
  Undo2,
  UserCheck,
  UserPlus,
} from "lucide-react";
import { repeatableSteps } from "@/components/domain/run/rerun-split";
import type { Run } from "@/lib/api/contract/run";
import type { OperatorAct } from "@/lib/engine/runs/operator-acts";

interface ActWords {
  icon: LucideIcon;
  /** On the button; the dots announce a dialog. */
  label: (run: Run) => string;
  /** What it will do, in a line. */
  does: string;
}

/** The one table of the actions on a run. Whether each is open, and why not, comes with the run. */
export const ACT_WORDS = {
  rerun: {
    icon: RotateCcw,
    label: (run) => {
      if (run.status === "failed" && run.failedStep) return `Rerun from ${run.failedStep}…`;
      return repeatableSteps(run).length > 0 ? "Rerun with the same key…" : "Rerun from a step…";
    },
    does: "Runs again in the same run; earlier results and keys are kept.",
  },
  settle: {
    icon: HelpCircle,
    label: (run) =>
      run.attention === "outcome_unknown" ? "Settle the unknown step…" : "Skip or supply the failed step…",
    does: "Says what became of a step, or puts an outcome in its place.",
  },
  mark_compensated: {
    icon: UserCheck,
    label: () => "Mark compensated…",
    does: "Records what a person did about an undo.",
  },
  assign: {
    icon: UserPlus,
    label: () => "Say who undoes it…",
    does: "Shows who is on an undo, and who is not.",
  },
  compensate: {
    icon: Undo2,
    label: (run) => (run.status === "compensating" ? "Try the failed undos again…" : "Compensate…"),
    does: "Undoes what the run did, last step first.",
  },
  pause: {
    icon: Pause,
    label: () => "Pause the run…",
    does: "Lets what is in flight finish, then holds it.",
  },
  resume: {
    icon: Play,
    label: (run) => (run.status === "running" ? "Take the pause back…" : "Resume the run…"),
    does: "It goes on where it was held.",
  },
  wake: {
    icon: AlarmClock,
    label: (run) => (run.status === "pending" ? "Start it now…" : "End the wait now…"),
    does: "What follows happens as if the time had come.",
  },
  answer: {
    icon: MessageCircleReply,
    label: () => "Answer…",
    does: "Answers what the run asks; it goes on with that.",
  },
  send_event: {
    icon: Send,
    label: () => "Send an event…",
    does: "Gives the run what a step waits for, now or later.",
  },
  move: {
    icon: GitBranch,
    label: () => "Move to another version…",
    does: "Goes on with the version that you choose, and with no other.",
  },
  start_again: {
    icon: CopyPlus,
    label: () => "Start a new run…",
    does: "Does all of it again in a run of its own; this one stays as it is.",
  },
  cancel: { icon: Ban, label: () => "Cancel the run…", does: "Ends it without finishing its work." },
} as const satisfies Record<OperatorAct, ActWords>;
