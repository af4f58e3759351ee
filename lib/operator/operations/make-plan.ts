import { HandrailError } from "../../engine/errors";
import { prepareEvent } from "../../engine/events/event";
import { MAX_PLAN_ITEMS, PlanHash } from "../../engine/operations/plan";
import { PlanTally } from "../../engine/operations/plan-totals";
import type { PlannedAct } from "../../engine/operations/planned-act";
import type { Db } from "../../store/db";
import { selectPlanFacts } from "../../store/operations/plan-facts";
import { insertPlan, insertPlanItems, sealPlan } from "../../store/operations/plans";
import { type FoundRuns, findRuns, type RunKey } from "../../store/reads/find-runs";
import type { RunFilter } from "../../store/reads/run-filter";
import { newPlanId } from "../../store/run-id";
import { unknownRun } from "../actions/command";
import type { Desk } from "../desk";
import { checkGiven } from "../given-value";
import { restoreMasked } from "../masking/restore-masked";
import { atInstants } from "../runs/run-times";
import { type PlanView, readPlan } from "./plan-view";
import { Planner } from "./planner";

/** Runs in memory at a time. */
const AT_ONCE = 250;

type PlanSelection = { runIds: string[] } | { filter: RunFilter };

/**
 * Computes what an action would do to each of these runs, and stores it. Changes no run and writes no audit row. A plan
 * whose process dies has no hash, cannot be executed, and is deleted after it expires.
 * @throws HandrailError `unknown_run` for an id without a run; `invalid_request` when more than MAX_PLAN_ITEMS match;
 * `invalid_input` for a value that cannot be stored
 */
export async function makePlan(
  { db, by }: Pick<Desk, "db" | "by">,
  given: PlannedAct,
  selection: PlanSelection,
): Promise<PlanView> {
  const act = await withMasked(db, given, selection);
  await checkGivenFor(act, selection);
  const id = newPlanId();
  await insertPlan(db, { id, act, selection, madeBy: by.name });
  const [hash, tally] = [new PlanHash(act), new PlanTally(asksByFreshKeys(act))];
  const planner = new Planner(db, act);
  const workflows = new Set<string>();
  let position = 1;
  for await (const runIds of batchesOf(db, selection)) {
    const items = (await planner.look(runIds)).map(({ item }) => item);
    if (position + items.length - 1 > MAX_PLAN_ITEMS) throw tooMany();
    await insertPlanItems(db, id, position, items);
    for (const item of items) {
      hash.add(item);
      tally.add(item);
      workflows.add(item.workflow);
    }
    position += items.length;
  }
  await sealPlan(db, id, { hash: hash.digest(), totals: tally.totals(), workflows: [...workflows].sort() });
  return readPlan(db, id);
}

/** A repeated call uses idempotency keys that no provider knows. */
const asksByFreshKeys = ({ act, params }: PlannedAct) =>
  act === "start_again" || (act === "rerun" && params.freshKeys === true);

/** Masked values that the editor was not shown are restored. */
async function withMasked(db: Db, given: PlannedAct, selection: PlanSelection): Promise<PlannedAct> {
  if (given.act !== "start_again" || given.params.input === undefined || !("runIds" in selection)) return given;
  const [runId, ...others] = selection.runIds;
  if (runId === undefined || others.length > 0) return given;
  return { ...given, params: { ...given.params, input: await restoreMasked(db, runId, given.params.input) } };
}

/** A value for every run has to be storable. @throws HandrailError `invalid_input`, `invalid_request` */
async function checkGivenFor({ act, params }: PlannedAct, selection: PlanSelection): Promise<void> {
  if (act === "settle" && params.output !== undefined) checkGiven(params.output, "output");
  if (act === "send_event") await prepareEvent(params.name, checkGiven(params.payload, "payload"));
  if (act !== "start_again" || params.input === undefined) return;
  checkGiven(params.input, "input");
  if (!("runIds" in selection) || new Set(selection.runIds).size > 1)
    throw new HandrailError("invalid_request", "An edited input is for one run: name it, and no other.");
}

const tooMany = () =>
  new HandrailError(
    "invalid_request",
    `More than ${MAX_PLAN_ITEMS.toLocaleString("en")} runs match. Narrow the filter, for instance by workflow or time.`,
  );

/** A run missing from a filter's batch was deleted meanwhile; ids that the caller names must all exist. */
async function* batchesOf(db: Db, selection: PlanSelection): AsyncGenerator<string[]> {
  if ("runIds" in selection) {
    // Newest first, like the result of a filter; ids sort by their text.
    const ids = [...new Set(selection.runIds.map((id) => id.toLowerCase()))].sort().reverse();
    await checkAllThere(db, ids);
    for (let start = 0; start < ids.length; start += AT_ONCE) yield ids.slice(start, start + AT_ONCE);
    return;
  }
  const filter = atInstants(selection.filter);
  for (let after: RunKey | null = null; ; ) {
    const { ids, next }: FoundRuns = await findRuns(db, filter, { after, limit: AT_ONCE });
    if (ids.length > 0) yield ids;
    if (next === null) return;
    after = next;
  }
}

async function checkAllThere(db: Db, runIds: readonly string[]): Promise<void> {
  for (let start = 0; start < runIds.length; start += AT_ONCE) {
    const batch = runIds.slice(start, start + AT_ONCE);
    const there = new Set((await selectPlanFacts(db, batch, { outcomes: false })).map(({ id }) => id));
    const missing = batch.find((id) => !there.has(id));
    if (missing !== undefined) throw unknownRun(missing);
  }
}
