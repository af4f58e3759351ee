import type { Faults } from "@/components/domain/sandbox/sandbox-answers";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import type { RunListItem } from "@/lib/api/contract/run";

export interface GuideStep {
  id: string;
  text: string;
  /** Shown for the step that is next. */
  hint: string;
  href: string;
  done: boolean;
}

export interface GuideFacts {
  overview: Pick<OverviewResponse, "needsPerson" | "byAttention" | "byStatus">;
  faults: Faults | undefined;
  /** Completed runs, the newest first: a rerun shows as a later generation. */
  completed: RunListItem[];
  /** Steps whose page was visited: reading leaves no trace in the data. */
  visited: ReadonlySet<string>;
}

/** The guide's steps; each is done when the data shows it or, for reading steps, when the page was visited. */
export function guideSteps({ overview, faults, completed, visited }: GuideFacts): GuideStep[] {
  const { byAttention, needsPerson } = overview;
  const rerun = completed.find(({ generation }) => generation > 1);
  const failed = needsPerson.find(({ attention }) => attention === "failed");
  const unknown = needsPerson.find(({ attention }) => attention === "outcome_unknown");
  // Before the outage, no outcome is unknown and no compensation owed.
  const happened = byAttention.failed > 0 || rerun !== undefined;
  return [
    {
      id: "look",
      text: "View what failed",
      hint: "Orders fail at charge-payment: the gateway is down.",
      href: "/runs?attention=failed",
      done: visited.has("look") || rerun !== undefined,
    },
    {
      id: "gateway",
      text: "Switch the gateway back on",
      hint: "Set the payment gateway to “Works”.",
      href: "/sandbox",
      done: happened && faults?.payments.mode === "none",
    },
    {
      id: "rerun",
      text: "Rerun one from its failed step",
      hint: "Its order stays created, and its charge keeps its key.",
      href: failed ? `/runs/${failed.id}` : rerun ? `/runs/${rerun.id}` : "/runs?attention=failed",
      done: rerun !== undefined,
    },
    {
      id: "ledger",
      text: "Check that nothing was charged twice",
      hint: "The gateway’s own ledger counts how often it was asked.",
      href: "/sandbox",
      done: visited.has("ledger"),
    },
    {
      id: "settle",
      text: "Resolve the unknown charge",
      hint: "Its response was lost. Check with the gateway, or record what you found there.",
      href: unknown ? `/runs/${unknown.id}` : "/runs?attention=outcome_unknown",
      done: happened && byAttention.outcome_unknown === 0,
    },
    {
      id: "refund",
      text: "Mark the failed refund as done",
      hint: "Follow its instructions, then record what you did.",
      href: "/compensations",
      done: happened && byAttention.compensation_owed === 0,
    },
  ];
}
