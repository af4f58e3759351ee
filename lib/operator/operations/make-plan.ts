import { randomBytes } from "node:crypto";
import type { Plan, PlanTools } from "../../actions/action";
import { type PlannedAct, planOf } from "../../actions/actions";
import { HandrailError, unknownRun } from "../../engine/errors";
import { MAX_PLAN_ITEMS, PlanHash } from "../../engine/operations/plan";
import { PlanTally } from "../../engine/operations/plan-totals";
import type { Db } from "../../store/db";
import { selectPlanFacts } from "../../store/operations/plan-facts";
import { insertPlan, insertPlanItems, sealPlan } from "../../store/operations/plans";
import { type FoundRuns, findRuns, type RunKey } from "../../store/reads/find-runs";
import type { RunFilter } from "../../store/reads/run-filter";
import { newPlanId } from "../../store/run-id";
import * as toolbox from "../actions/toolbox";
import type { Desk } from "../desk";
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
  const act = await completed(db, given, selection);
  const id = newPlanId();
  // Whose data is to be erased is not kept by the plan itself.
  await insertPlan(db, { id, act, selection: planOf(act).forgets ? {} : selection, madeBy: by.name });
  const [hash, tally] = [new PlanHash(act, randomBytes(32).toString("hex")), new PlanTally()];
  const planner = new Planner(db, act);
  const workflows = new Set<string>();
  let position = 1;
  for await (const runIds of batchesOf(db, selection, planOf(act))) {
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

/** Values for every run have to be storable. @throws HandrailError `invalid_input`, `invalid_request` */
async function completed(db: Db, given: PlannedAct, selection: PlanSelection): Promise<PlannedAct> {
  const { complete } = planOf(given);
  if (!complete) return given;
  const [runId = null, ...others] = "runIds" in selection ? new Set(selection.runIds) : [];
  const onlyRun = others.length === 0 ? runId : null;
  const tools: PlanTools = { onlyRun, restoreMasked: (id, input) => restoreMasked(db, id, input) };
  const params = await complete({ ...toolbox, ...tools }, given.params);
  return { ...given, params } as PlannedAct;
}

const tooMany = () =>
  new HandrailError(
    "invalid_request",
    `More than ${MAX_PLAN_ITEMS.toLocaleString("en")} runs match. Narrow the filter, for instance by workflow or time.`,
  );

/** A run missing from a filter's batch was deleted meanwhile; ids that the caller names must all exist. */
async function* batchesOf(
  db: Db,
  selection: PlanSelection,
  { oldestFirst = false }: Pick<Plan, "oldestFirst">,
): AsyncGenerator<string[]> {
  if ("runIds" in selection) {
    // By age, like the result of a filter; ids sort by their text.
    const ids = [...new Set(selection.runIds.map((id) => id.toLowerCase()))].sort();
    if (!oldestFirst) ids.reverse();
    await checkAllThere(db, ids);
    for (let start = 0; start < ids.length; start += AT_ONCE) yield ids.slice(start, start + AT_ONCE);
    return;
  }
  const filter = atInstants(selection.filter);
  const sort = oldestFirst ? "oldest" : "newest";
  for (let after: RunKey | null = null; ; ) {
    const { ids, next }: FoundRuns = await findRuns(db, filter, { after, limit: AT_ONCE, sort });
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
