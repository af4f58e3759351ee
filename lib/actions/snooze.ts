import { HandrailError } from "../engine/errors";
import { closed, type Openness, open, type RunFacts, stepNamed } from "../engine/runs/operator-acts";
import { type Action, type Fields, onRuns, type ParamsOf, type Words } from "./action";

const params = ({ z, stepName, instant }: Fields) => ({
  /** Only the compensation of this step. Default: the run. */
  step: stepName.optional(),
  /** Within 90 days; `now` ends a snooze. Absent: until the run or the compensation changes. */
  until: z.union([z.literal("now"), instant]).optional(),
});
type Params = ParamsOf<typeof params>;

const MAX_SNOOZE_MS = 90 * 86_400_000;

/** Leave a run, or one compensation of it, out of what needs attention for a while. */
export function maySnooze(run: RunFacts, { step: name, until }: Params = {}): Openness {
  if (name !== undefined) {
    const status = stepNamed(run, name)?.compensationStatus;
    return status === "owed" || status === "running" || status === "failed"
      ? open
      : closed("This step has no open compensation to snooze.");
  }
  return until === "now" || callsForPerson(run) ? open : closed("This run needs no attention.");
}

/** Whether it may need attention: the statement decides by the run's row. */
const callsForPerson = ({ status, steps }: RunFacts) =>
  status === "failed" ||
  (status === "compensating" &&
    steps.some(({ compensationStatus }) => compensationStatus === "failed" || compensationStatus === "owed")) ||
  (status !== "paused" && steps.some((step) => step.status === "unknown")) ||
  (status === "waiting" && steps.some((step) => step.kind === "approval" && step.status === "waiting"));

export const snoozeWords = {
  icon: "clock",
  button: () => "Snooze…",
  does: "Leaves what needs attention until a time, or until it changes.",
  did: "snoozed",
  tried: "snooze",
  name: "Snooze",
  plan: {
    verb: ({ until }) => (until === "now" ? "End the snooze of" : "Snooze"),
    reason: "The provider repairs it tomorrow",
    note: "They leave what needs attention until they change.",
    bulk: {},
    happens: onRuns("leave what needs attention", "leaves what needs attention"),
  },
} satisfies Words;

/** @throws HandrailError `invalid_request` */
function checkUntil({ until }: Params): void {
  if (until === undefined || until === "now") return;
  const inMs = Date.parse(until) - Date.now();
  if (inMs <= 0)
    throw new HandrailError("invalid_request", 'The time has passed. Give a later one, or "now" to end a snooze.');
  if (inMs > MAX_SNOOZE_MS) throw new HandrailError("invalid_request", "A snooze lasts at most 90 days.");
}

export const snooze = {
  rule: maySnooze,
  params,
  plan: {
    fourEyes: { snooze: "A snooze" },
    decided: ({ included }) => ({ included }),
    complete: (_, given) => {
      checkUntil(given);
      return given;
    },
  },
  command: (tools, { runId, params: chosen }) => {
    checkUntil(chosen);
    const { step, until } = chosen;
    return {
      step,
      details: { until: until ?? "change" },
      change: async (tx) => {
        const isDone =
          until === "now" ? await tools.endSnooze(tx, runId, step) : await tools.snooze(tx, runId, step, until);
        if (isDone) return;
        const because = until === "now" ? "It is not snoozed." : "It needs no attention.";
        throw new HandrailError("not_allowed", because);
      },
    };
  },
} satisfies Action<Params>;

/** A snooze that holds. */
export interface Snooze {
  /** Null: the run's own. */
  step: string | null;
  /** Null: until it changes. */
  until: string | null;
  by: string;
}

interface Snoozable {
  revision: number;
  steps: readonly { name: string; supersededBy: number | null; compensation: { status: string } }[];
  /** Newest first. */
  audit: readonly { act: string; result: string; step: string | null; after: unknown; actor: string }[];
}

/** What is snoozed of a run, from its audit log: the last snooze of each, if neither time nor state has ended it. */
export function snoozesOf({ revision, steps, audit }: Snoozable, now: number): Snooze[] {
  const rows = audit.filter(({ act, result }) => act === "snooze" && result === "done");
  const latest = new Map(rows.toReversed().map((row) => [row.step, row]));
  return [...latest.values()].flatMap(({ step, after, actor: by }): Snooze[] => {
    const { until, ...then } = after as { until: string; revision: number; step?: { compensation: string } };
    const standing = steps.find(({ name, supersededBy }) => name === step && supersededBy === null);
    const isSame =
      step === null ? then.revision === revision : standing?.compensation.status === then.step?.compensation;
    if (!isSame || until === "now") return [];
    if (until === "change") return [{ step, until: null, by }];
    return Date.parse(until) > now ? [{ step, until, by }] : [];
  });
}
