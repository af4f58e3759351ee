import { matchEvents } from "../../engine/events/match-events";
import { encodeValue } from "../../engine/values/codec";
import type { Db } from "../../store/db";
import {
  type AskedWait,
  keepWaits,
  LOOK_AGAIN_MS,
  lockForEvents,
  lookForEvents,
  type Standing,
  type TakenEvent,
  takeEvents,
} from "../../store/events/take-events";
import { type Receipt, recordAlone } from "../../store/steps/record";
import type { StepRecord } from "../../store/workers/claim-record";
import type { ClaimedRun } from "../../store/workers/claim-runs";
import { ClaimLost } from "../claims/claim-lost";
import { faultPoint } from "../fault-points";
import { errorText } from "../steps/error-text";
import { completedRow, type Ended } from "../steps/keep-outcome";
import type { StepState } from "../steps/step-state";
import type { WaitPlan } from "./wait-plan";

/** The state of a wait after it was requested. */
export type Asked = Ended | { next: "waiting"; dueAt: string | null; dueInMs: number | null };

/** A step that waits for an event, and how it reads it. */
export interface WaitOfStep {
  state: StepState;
  plan: WaitPlan;
}

/** The owner of the run. */
export interface Asker {
  readonly run: Pick<ClaimedRun, "id" | "epoch">;
  /** Requests that people made for the run meanwhile. */
  follow(receipt: Receipt): void;
}

type Entry = WaitOfStep & { wait: AskedWait };

/*
 * Locks what every sender locks, reads, takes what there is, and records the steps' outcomes: an event is taken
 * together with its checkpoint, or not at all. A commit whose answer was lost is found by the next request.
 */
export function answerWaits(db: Db, asker: Asker, given: readonly WaitOfStep[]): Promise<Asked[]> {
  const { id, epoch } = asker.run;
  const entries = given.map((entry) => ({ ...entry, wait: askedWait(entry) }));
  const waits = entries.map(({ wait }) => wait);
  return db.transaction(async (tx) => {
    if (!(await lockForEvents(tx, id, epoch, waits))) throw new ClaimLost(id);
    const standings = await lookForEvents(tx, id, waits);
    const matches = matchEvents(standings.map((standing) => (isOver(standing) ? wantsNothing(standing) : standing)));
    const matched = waits.flatMap((wait, index) => {
      const event = matches[index]?.event ?? null;
      return event === null ? [] : [{ ...wait, event }];
    });
    const events = matched.length > 0 ? await takeEvents(tx, id, matched) : new Map<number, TakenEvent>();
    const conclusions = await Promise.all(
      entries.map((entry, index) => {
        const match = matches[index] as (typeof matches)[number];
        return conclude(entry, standings[index] as Standing, events.get(match.event ?? -1), match.outranked);
      }),
    );
    await keep(tx, asker, entries, conclusions);
    await faultPoint("events:before-commit");
    return conclusions.map((conclusion) => conclusion.asked);
  });
}

function askedWait({ state: { generation, plan: step }, plan }: WaitOfStep): AskedWait {
  const { key, filter, question, takesAgain } = plan;
  return { step: step.name, generation, event: plan.event(generation), key, filter, question, takesAgain };
}

async function keep(
  tx: Db,
  asker: Asker,
  entries: readonly Entry[],
  conclusions: readonly Conclusion[],
): Promise<void> {
  const { id, epoch } = asker.run;
  const records = conclusions.flatMap(({ record }) => (record ? [{ runId: id, epoch, step: record }] : []));
  const changed = entries.flatMap(({ wait }, index) => {
    const { record, altered } = conclusions[index] as Conclusion;
    return record || altered ? [{ ...wait, closed: record ? record.status !== "waiting" : false }] : [];
  });
  // The run is locked and owned: nothing is written beside its owner.
  if (changed.length > 0) await keepWaits(tx, id, changed);
  if (records.length === 0) return;
  const receipt = (await recordAlone(tx, records)).get(id);
  if (!receipt) throw new ClaimLost(id);
  asker.follow(receipt);
  for (const { asked, record } of conclusions) {
    const kept = record && receipt.steps.get(record.name);
    // One that is outranked looks again before its timeout.
    if (kept && asked.next === "waiting" && asked.dueInMs === null) Object.assign(asked, kept);
  }
}

interface Conclusion {
  asked: Asked;
  /** Absent: nothing has changed. */
  record?: StepRecord;
  /** The wait goes on, with another event, key or filter than those on record. */
  altered?: boolean;
}

const wantsNothing = ({ seq, older }: Standing) => ({ seq, older, again: null, forRun: [], forKey: [], ofKey: [] });

const isOver = ({ status }: Standing) => status !== null && status !== "waiting";

async function conclude(
  { state, plan }: WaitOfStep,
  standing: Standing,
  event: TakenEvent | undefined,
  outranked: boolean,
): Promise<Conclusion> {
  if (isOver(standing)) return { asked: keptBefore(standing) };
  if (event) {
    state.sentIn = event.trace;
    return ended(state, () => plan.outcome(event));
  }
  const { status, dueAt, dueInMs, now, lookAgainAt, altered } = standing;
  if (dueInMs !== null && dueInMs <= 0) return ended(state, () => plan.atTimeout(now));
  const looksAgain = outranked && (dueInMs ?? plan.timeoutMs ?? Number.POSITIVE_INFINITY) > LOOK_AGAIN_MS;
  const asked: Asked = looksAgain
    ? { next: "waiting", dueAt: lookAgainAt, dueInMs: LOOK_AGAIN_MS }
    : { next: "waiting", dueAt, dueInMs };
  if (status !== null) return { asked, altered };
  const next = plan.timeoutMs === null ? null : { inMs: plan.timeoutMs };
  return { asked, record: state.row("waiting", { next }) };
}

/** A commit whose answer was lost has recorded it. */
function keptBefore({ status, output, error }: Standing): Asked {
  return status === "failed"
    ? { next: "failed", error: error as string }
    : { next: "completed", output: output as string };
}

async function ended(state: StepState, outcome: () => unknown): Promise<Conclusion> {
  try {
    const value = await outcome();
    const record = completedRow(state, value, encodeValue(value, `output of step "${state.plan.name}"`));
    return { asked: { next: "completed", output: record.output }, record };
  } catch (thrown) {
    const error = errorText(thrown);
    return { asked: { next: "failed", error }, record: state.row("failed", { error }) };
  }
}
